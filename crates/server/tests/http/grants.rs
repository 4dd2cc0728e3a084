//! Tool grants: rows, preconditions, resolution (contract section 5).

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Account, Answer, NOBODY, Server, text};

async fn put_if(
    account: &Account<'_>,
    agent: &str,
    header: (&str, &str),
    content: Value,
) -> Answer {
    let mut body = content;
    body["scopeType"] = json!("agent");
    body["scopeId"] = json!(agent);
    let request = account
        .request(Method::PUT, "/api/tool-grants")
        .header(header.0, header.1)
        .json(&body);
    account.server.send(request).await
}

async fn delete_if(account: &Account<'_>, id: &str, tag: &str) -> Answer {
    let request = account
        .request(Method::DELETE, &format!("/api/tool-grants/{id}"))
        .header("if-match", tag);
    account.server.send(request).await
}

#[tokio::test]
async fn put_creates_then_replaces_whole() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let agent = ada.work_agent("Coder").await;
    let first = ada
        .grant(
            "agent",
            &agent,
            json!({"allow": ["get*", "get*", "GET*"], "note": "n"}),
        )
        .await;
    assert_eq!(
        first["allow"],
        json!(["get*", "GET*"]),
        "exact repeats are dropped"
    );
    assert_eq!(
        (&first["deny"], &first["revision"]),
        (&Value::Null, &json!(1))
    );
    assert_eq!(first["tenantId"], ada.tenant.as_str());
    assert_eq!(first["organizationId"], ada.organization.as_str());
    let second = ada.grant("agent", &agent, json!({"deny": ["x"]})).await;
    assert_eq!(second["id"], first["id"]);
    assert_eq!(second["createdAt"], first["createdAt"]);
    assert_eq!(second["revision"], 2);
    assert_eq!(
        (&second["allow"], &second["note"]),
        (&Value::Null, &Value::Null)
    );
    let inert = ada.grant("agent", &agent, json!({"allow": null})).await;
    assert_eq!(
        (&inert["allow"], &inert["deny"]),
        (&Value::Null, &Value::Null)
    );
    let none = json!({"scopeType": "agent", "scopeId": agent});
    ada.put("/api/tool-grants", none).await.refuses(
        400,
        "Provide allow and/or deny. To clear a grant, DELETE the row instead.",
    );
    let work = ada.grant("work", &ada.work, json!({"allow": []})).await;
    assert_eq!(work["allow"], json!([]));
    let list = ada.get("/api/tool-grants").await.expect(200).body;
    assert_eq!(list, json!([inert, work]), "oldest first");

    let path = format!("/api/tool-grants/{}", text(&inert["id"]));
    assert_eq!(
        ada.delete(&path).await.expect(200).body,
        json!({"deleted": true})
    );
    for id in [text(&inert["id"]), "not-a-uuid".to_owned()] {
        ada.delete(&format!("/api/tool-grants/{id}"))
            .await
            .refuses(404, format!("Tool grant with id '{id}' not found"));
    }
}

#[tokio::test]
async fn a_stale_writer_gets_the_current_row() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let body = json!({"scopeType": "agent", "scopeId": agent, "deny": ["a"]});
    let made = ada.put("/api/tool-grants", body).await.expect(200);
    let tag = made.header("etag").unwrap().to_owned();
    let id = text(&made.body["id"]);
    assert_eq!(tag, format!("\"{id}.1\""));

    let renewed = put_if(&ada, &agent, ("if-match", &tag), json!({"deny": ["b"]}))
        .await
        .expect(200);
    let newer = renewed.header("etag").unwrap().to_owned();
    let stale = put_if(&ada, &agent, ("if-match", &tag), json!({"deny": ["c"]}))
        .await
        .expect(412);
    assert_eq!(stale.body["error"], "Precondition Failed");
    assert_eq!(stale.body["current"], renewed.body);
    delete_if(&ada, &id, &tag).await.expect(412);
    for wrong in ["", "rubbish", "W/\"x\"", &format!("W/{newer}")] {
        put_if(&ada, &agent, ("if-match", wrong), json!({"deny": ["c"]}))
            .await
            .expect(412);
    }
    let several = format!("\"other\", {newer}");
    put_if(&ada, &agent, ("if-match", &several), json!({"deny": ["d"]}))
        .await
        .expect(200);
    put_if(&ada, &agent, ("if-match", "*"), json!({"deny": ["e"]}))
        .await
        .expect(200);
    put_if(&ada, &agent, ("if-none-match", "*"), json!({"deny": ["f"]}))
        .await
        .expect(412);
    let rows = ada.get("/api/tool-grants").await.body;
    assert_eq!(
        (&rows[0]["deny"], &rows[0]["revision"]),
        (&json!(["e"]), &json!(4))
    );

    delete_if(&ada, &id, &format!("\"{id}.4\""))
        .await
        .expect(200);
    let gone = put_if(&ada, &agent, ("if-match", &newer), json!({"deny": ["g"]}))
        .await
        .expect(412);
    assert_eq!(gone.body["current"], Value::Null);
    put_if(&ada, &agent, ("if-match", "*"), json!({"deny": ["g"]}))
        .await
        .expect(412);
    delete_if(&ada, &id, "*").await.expect(404);
    put_if(&ada, &agent, ("if-none-match", "*"), json!({"deny": ["h"]}))
        .await
        .expect(200);
}

#[tokio::test]
async fn of_writers_with_the_same_tag_one_wins() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let row = ada.grant("agent", &agent, json!({"deny": []})).await;
    let tag = format!("\"{}.1\"", text(&row["id"]));
    let writers = (0..8).map(|number| {
        let content = json!({"deny": [format!("tool{number}")]});
        put_if(&ada, &agent, ("if-match", &tag), content)
    });
    let answers = futures_util::future::join_all(writers).await;
    let statuses = |wanted| {
        answers
            .iter()
            .filter(|answer| answer.status == wanted)
            .count()
    };
    assert_eq!((statuses(200), statuses(412)), (1, 7));
}

#[tokio::test]
async fn first_writes_at_the_same_time_make_one_row() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let writers = (0..8).map(|_| ada.grant("agent", &agent, json!({"deny": ["x"]})));
    futures_util::future::join_all(writers).await;
    let rows = ada.get("/api/tool-grants").await.body;
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(rows[0]["revision"], 8);
}

#[tokio::test]
async fn the_chain_has_a_layer_per_known_scope() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let agent = ada.work_agent("Coder").await;
    ada.grant(
        "tenant",
        &ada.tenant,
        json!({"allow": ["git_*", "deploy_*"]}),
    )
    .await;
    ada.grant(
        "organization",
        &ada.organization,
        json!({"deny": ["git_push"]}),
    )
    .await;
    ada.grant("agent", &agent, json!({"allow": ["git_commit", "browse"]}))
        .await;
    let resolve = async |query: String| {
        ada.get(&format!("/api/tool-grants/resolve?{query}"))
            .await
            .expect(200)
            .body
    };
    let entry = |scope: &str, id: Value, allow: Value, deny: Value, rejected: Value| json!({"scope": scope, "id": id, "allow": allow, "deny": deny, "rejected": rejected});
    let default = entry("default", Value::Null, json!(["*"]), json!([]), json!([]));
    let tenant = entry(
        "tenant",
        json!(ada.tenant),
        json!(["git_*", "deploy_*"]),
        json!([]),
        json!([]),
    );
    let organization = entry(
        "organization",
        json!(ada.organization),
        json!([]),
        json!(["git_push"]),
        json!([]),
    );
    let work = entry("work", json!(ada.work), json!([]), json!([]), json!([]));
    let own = entry(
        "agent",
        json!(agent),
        json!(["git_commit"]),
        json!([]),
        json!(["browse"]),
    );
    let by_agent = resolve(format!("agentId={agent}")).await;
    assert_eq!(
        by_agent["chain"],
        json!([default, tenant, organization, work, own])
    );
    assert_eq!(
        by_agent["matrix"],
        json!({"allow": ["git_commit"], "deny": ["git_push"]})
    );
    assert_eq!(by_agent["source"], "agent");
    let by_work = resolve(format!("workId={}", ada.work)).await;
    assert_eq!(
        by_work["chain"],
        json!([default, tenant, organization, work])
    );
    let by_organization = resolve(format!("organizationId={}", ada.organization)).await;
    assert_eq!(
        by_organization["chain"],
        json!([default, tenant, organization])
    );

    let check = async |tool: &str| {
        let path = format!("/api/tool-grants/check?agentId={agent}&toolName={tool}");
        ada.get(&path).await.expect(200).body
    };
    let allowed = json!({"allowed": true, "toolName": "GIT_commit", "source": "agent"});
    assert_eq!(check("%20GIT_commit%20").await, allowed);
    assert_eq!(check("git_push").await["code"], "tool-denied");
    assert_eq!(check("deploy_now").await["code"], "tool-not-granted");
    assert_eq!(check("").await["code"], "tool-name-invalid");
}

#[tokio::test]
async fn without_a_tenant_the_chain_is_short() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let path = format!("/api/tool-grants/resolve?agentId={agent}");
    let chain = ada.get(&path).await.expect(200).body["chain"].clone();
    let scopes: Vec<String> = chain
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| text(&entry["scope"]))
        .collect();
    assert_eq!(scopes, ["default", "agent"]);
    let body = json!({"scopeType": "tenant", "scopeId": NOBODY, "deny": ["*"]});
    ada.put("/api/tool-grants", body)
        .await
        .refuses(404, format!("Tenant with id '{NOBODY}' not found"));
}

#[tokio::test]
async fn resolve_and_check_need_a_scope() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let sentence = "Provide workId, agentId and/or organizationId.";
    ada.get("/api/tool-grants/resolve")
        .await
        .refuses(400, sentence);
    ada.get("/api/tool-grants/check?toolName=x")
        .await
        .refuses(400, sentence);
    let missing = format!("/api/tool-grants/resolve?organizationId={NOBODY}");
    ada.get(&missing)
        .await
        .refuses(404, format!("Organization with id '{NOBODY}' not found"));
    let missing = ada
        .get(&format!("/api/tool-grants/resolve?workId={NOBODY}"))
        .await
        .expect(404);
    let expected =
        json!({"status": "error", "message": format!("Work with id '{NOBODY}' not found")});
    assert_eq!(missing.body, expected);
}
