//! Environments and giving them to agents (contract section 9).

use serde_json::{Value, json};

use crate::harness::{Account, NOBODY, Server, text};

async fn made(account: &Account<'_>, body: Value) -> Value {
    account
        .post("/api/environments", body)
        .await
        .expect(201)
        .body
}

fn path_of(environment: &Value) -> String {
    format!("/api/environments/{}", text(&environment["id"]))
}

async fn names(account: &Account<'_>, query: &str) -> Vec<String> {
    let list = account
        .get(&format!("/api/environments{query}"))
        .await
        .expect(200)
        .body;
    let list = list["data"].as_array().unwrap();
    list.iter().map(|row| text(&row["name"])).collect()
}

#[tokio::test]
async fn a_new_environment_is_a_draft_with_every_default() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let body = json!({
        "name": "Python data", "pipPackages": ["pandas==2.2.0", "requests", "requests"],
        "allowedHosts": ["example.com"],
    });
    let one = made(&ada, body).await;
    let expected = json!({
        "id": one["id"], "userId": ada.id, "name": "Python data", "slug": "python-data",
        "description": null, "pipPackages": ["pandas==2.2.0", "requests"], "npmPackages": [],
        "networkingMode": "unrestricted", "allowedHosts": null, "allowPackageManagers": true,
        "status": "draft", "availableInAllProjects": true, "createdAt": one["createdAt"],
        "updatedAt": one["createdAt"],
    });
    assert_eq!(one, expected, "hosts limit nothing in an unrestricted one");
    assert_eq!(ada.get(&path_of(&one)).await.expect(200).body, one);
    made(&ada, json!({"name": "日本"})).await;
    made(&ada, json!({"name": "中国"})).await;
    assert_eq!(names(&ada, "").await, ["中国", "日本", "Python data"]);
    assert_eq!(names(&ada, "?status=draft").await.len(), 3);
    assert_eq!(names(&ada, "?status=published").await, [""; 0]);
    ada.get("/api/environments?status=gone").await.refuses(
        400,
        json!(["status must be one of the following values: draft, published"]),
    );
}

#[tokio::test]
async fn names_are_unique_by_their_slug() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let one = made(&ada, json!({"name": "Node 22"})).await;
    let two = made(&ada, json!({"name": "Other"})).await;
    let twin = json!({"name": "node 22!"});
    let taken = "An Environment named \"node 22!\" already exists.";
    ada.post("/api/environments", twin.clone())
        .await
        .refuses(409, taken);
    ada.patch(&path_of(&two), twin).await.refuses(409, taken);
    let renamed = ada
        .patch(&path_of(&one), json!({"name": "Node  22"}))
        .await
        .expect(200);
    assert_eq!(renamed.body["slug"], "node-22");
    made(&server.register("eve").await, json!({"name": "Node 22"})).await;
}

#[tokio::test]
async fn hosts_are_kept_only_where_they_limit() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let limited = json!({
        "name": "Locked down", "networkingMode": "limited",
        "allowedHosts": ["api.github.com", "*.example.com"],
    });
    let one = made(&ada, limited).await;
    let path = path_of(&one);
    assert_eq!(
        one["allowedHosts"],
        json!(["api.github.com", "*.example.com"])
    );
    let hosts =
        async |body: Value| ada.patch(&path, body).await.expect(200).body["allowedHosts"].clone();
    assert_eq!(
        hosts(json!({"networkingMode": "unrestricted"})).await,
        Value::Null
    );
    assert_eq!(
        hosts(json!({"allowedHosts": ["a.example"]})).await,
        Value::Null
    );
    assert_eq!(hosts(json!({"networkingMode": "limited"})).await, json!([]));
    assert_eq!(
        hosts(json!({"allowedHosts": ["a.example"]})).await,
        json!(["a.example"])
    );
    assert_eq!(hosts(json!({"allowedHosts": null})).await, json!([]));
    for host in ["localhost", "10.0.0.1", "db.internal", "*.local"] {
        let body = json!({"allowedHosts": [host]});
        let sentence = format!("Invalid allowed host: {host}");
        ada.patch(&path, body).await.refuses(400, sentence);
    }
}

#[tokio::test]
async fn an_agent_is_given_published_environments_only() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = format!("/api/agents/{}", ada.agent("Coder").await);
    let one = made(&ada, json!({"name": "Node"})).await;
    let (path, id) = (path_of(&one), one["id"].clone());
    let give = |id: &Value| ada.patch(&agent, json!({"title": "T", "environmentId": id}));
    let draft =
        "Only published Environments can be assigned to an Agent. Publish the Environment first.";
    give(&id).await.refuses(422, draft);
    let create = json!({"scope": "tenant", "name": "Second", "environmentId": id});
    ada.post("/api/agents", create.clone())
        .await
        .refuses(422, draft);
    let untouched = ada.get(&agent).await.expect(200).body;
    assert_eq!(untouched["title"], Value::Null, "nothing half-written");

    let published = ada
        .post(&format!("{path}/publish"), json!({}))
        .await
        .expect(200)
        .body;
    assert_eq!(published["status"], "published");
    let again = ada
        .post(&format!("{path}/publish"), json!({}))
        .await
        .expect(200);
    assert_eq!(again.body, published, "publishing again changes nothing");
    assert_eq!(give(&id).await.expect(200).body["environmentId"], id);
    let second = ada.post("/api/agents", create).await.expect(201).body;
    assert_eq!(second["environmentId"], id);
    assert_eq!(ada.get(&agent).await.body["environmentId"], id);

    let edited = ada
        .patch(&path, json!({"description": "D"}))
        .await
        .expect(200);
    assert_eq!(edited.body["status"], "published", "there is no way back");
    ada.patch(&path, json!({"status": "draft"}))
        .await
        .refuses(400, json!(["property status should not exist"]));

    ada.delete(&path).await.refuses(
        409,
        "Environment is assigned to 2 agent(s). Unassign it before deleting.",
    );
    let second = format!("/api/agents/{}", text(&second["id"]));
    ada.delete(&second).await.expect(200);
    give(&Value::Null).await.expect(200);
    ada.delete(&path).await.refuses(
        409,
        "Environment is assigned to 1 agent(s). Unassign it before deleting.",
    );
    ada.delete(&format!("{second}?hard=true")).await.expect(200);
    let gone = ada.delete(&path).await.expect(204);
    assert_eq!(gone.text, "");
    ada.delete(&path)
        .await
        .refuses(404, "Environment not found");
    give(&id).await.refuses(404, "Environment not found");
}

#[tokio::test]
async fn a_stranger_can_neither_see_nor_assign_it() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    let one = made(&ada, json!({"name": "Node"})).await;
    ada.post(&format!("{}/publish", path_of(&one)), json!({}))
        .await
        .expect(200);
    let agent = format!("/api/agents/{}", eve.agent("Spy").await);
    for id in [text(&one["id"]), NOBODY.to_owned()] {
        eve.patch(&agent, json!({"environmentId": id}))
            .await
            .refuses(404, "Environment not found");
    }
    assert_eq!(names(&eve, "").await, [""; 0]);
}

#[tokio::test]
async fn every_write_is_recorded_with_what_changed() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let one = made(&ada, json!({"name": "Node"})).await;
    let path = path_of(&one);
    ada.patch(&path, json!({})).await.expect(200);
    ada.patch(&path, json!({"npmPackages": ["vite"]}))
        .await
        .expect(200);
    ada.post(&format!("{path}/publish"), json!({}))
        .await
        .expect(200);
    ada.delete(&path).await.expect(204);
    let log = ada.get("/api/activity-log").await.expect(200).body;
    let entries = log["activities"].as_array().unwrap();
    let kinds: Vec<&Value> = entries.iter().map(|entry| &entry["actionType"]).collect();
    assert_eq!(
        kinds,
        [
            "environment_deleted",
            "environment_published",
            "environment_updated",
            "environment_created"
        ]
    );
    let details = &entries[2]["details"];
    assert_eq!(details["before"], json!({"npmPackages": []}));
    assert_eq!(details["after"], json!({"npmPackages": ["vite"]}));
    assert_eq!(details["actor"]["username"], "ada");
    assert_eq!(details["resourceId"], one["id"]);
    assert_eq!(entries[3]["details"]["before"], Value::Null);
    assert_eq!(entries[0]["details"]["after"], Value::Null);
}
