//! The repository registry, its environment files and attachments (contract section 8).

use contract::events::ChangeKind;
use contract::grants::Scope;
use serde_json::{Value, json};

use crate::events::changes_of;
use crate::harness::{Account, Answer, NOBODY, Server, text};

/// A content that must turn up nowhere but in its own read.
const SECRET: &str = "TOKEN=very-private-value\n";

async fn made(account: &Account<'_>, body: Value) -> Value {
    account
        .post("/api/repo-connections", body)
        .await
        .expect(201)
        .body
}

fn service() -> Value {
    json!({"name": "my-service", "url": "https://github.com/acme/my-service"})
}

fn path_of(row: &Value) -> String {
    format!("/api/repo-connections/{}", text(&row["id"]))
}

fn masks(answer: Answer) -> Answer {
    assert!(!answer.text.contains("private"), "{}", answer.text);
    answer
}

#[tokio::test]
async fn a_new_row_has_every_default() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let one = made(
        &ada,
        json!({"name": " infra ", "url": " git@git.example.com:acme/infra.git ", "provider": "git",
            "defaultBranch": " ", "mountPath": null}),
    )
    .await;
    let expected = json!({
        "id": one["id"], "name": "infra", "url": "git@git.example.com:acme/infra.git",
        "provider": "git", "defaultBranch": null, "mountPath": null, "mountDir": "infra",
        "description": null, "credentialMode": "inherit", "credentialRef": null, "envFiles": [],
        "availableInAllProjects": true, "sourceType": "manual", "sourceWorkId": null,
        "sourceInstallationRepoId": null, "enabled": true, "readonly": false,
        "createdAt": one["createdAt"], "updatedAt": one["createdAt"],
    });
    assert_eq!(one, expected);
    assert_eq!(ada.get(&path_of(&one)).await.expect(200).body, one);
    made(&ada, service()).await;
    made(&ada, json!({"name": "Atlas", "url": "ssh://git@h/x"})).await;
    let rows = ada.get("/api/repo-connections").await.expect(200).body;
    let names: Vec<&Value> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["name"])
        .collect();
    assert_eq!(names, ["Atlas", "infra", "my-service"]);
}

#[tokio::test]
async fn what_is_refused_and_how() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let one = made(&ada, service()).await;
    let two = made(&ada, json!({"name": "two", "url": "https://h.example/x"})).await;
    let taken = "A repository named \"my-service\" already exists in your registry.";
    ada.post("/api/repo-connections", service())
        .await
        .refuses(409, taken);
    ada.patch(&path_of(&two), json!({"name": "my-service"}))
        .await
        .refuses(409, taken);
    let form = "Repository URL must be an https:// URL or an ssh remote (git@host:owner/repo).";
    let credentials = "Repository URL must not hold a user name or password. Name a stored credential under credentialRef instead.";
    for (body, sentence) in [
        (json!({"url": "http://github.com/a/b"}), form),
        (json!({"url": "https://ada:pw@h.example/b"}), credentials),
        (
            json!({"name": "  "}),
            "Repository name is required (max 120 characters).",
        ),
        (
            json!({"mountPath": ".."}),
            "Mount path must be a single directory name (letters, digits, \".\", \"_\", \"-\").",
        ),
        (
            json!({"envFiles": [{"path": "../.env", "content": SECRET}]}),
            "Invalid env file path: \"../.env\".",
        ),
    ] {
        masks(ada.patch(&path_of(&one), body).await).refuses(400, sentence);
    }
    let token = format!("ghp_{}", "x".repeat(36));
    let refused = ada
        .patch(&path_of(&one), json!({"credentialRef": token}))
        .await
        .expect(400);
    assert!(
        refused.text.contains("Secret-like value"),
        "{}",
        refused.text
    );
    assert!(!refused.text.contains(&token));
    assert_eq!(
        ada.get(&path_of(&one)).await.body,
        one,
        "nothing half-written"
    );
}

#[tokio::test]
async fn a_patch_changes_what_it_names_and_null_clears() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let mut body = service();
    body["description"] = json!("D");
    body["mountPath"] = json!("svc");
    body["defaultBranch"] = json!("main");
    let one = made(&ada, body).await;
    let path = path_of(&one);
    let off = ada
        .patch(&path, json!({"enabled": false}))
        .await
        .expect(200);
    let mut expected = one.clone();
    expected["enabled"] = json!(false);
    expected["updatedAt"] = off.body["updatedAt"].clone();
    assert_eq!(off.body, expected);
    assert_ne!(off.body["updatedAt"], one["updatedAt"]);
    let cleared = ada
        .patch(
            &path,
            json!({"description": null, "mountPath": null, "defaultBranch": null, "name": null}),
        )
        .await
        .expect(200)
        .body;
    assert_eq!(cleared["mountDir"], "my-service");
    for field in ["description", "mountPath", "defaultBranch"] {
        assert_eq!(cleared[field], Value::Null, "{field}");
    }
    assert_eq!(cleared["name"], "my-service");
    let again = ada
        .patch(&path, json!({"enabled": false}))
        .await
        .expect(200);
    assert_eq!(again.body, cleared, "no change, no new moment");
}

#[tokio::test]
async fn contents_of_environment_files_are_shown_by_one_read_only() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    let mut body = service();
    body["envFiles"] = json!([{"path": ".env", "content": SECRET}]);
    let answer = masks(ada.post("/api/repo-connections", body).await.expect(201));
    let size = SECRET.len();
    assert_eq!(
        answer.body["envFiles"],
        json!([{"path": ".env", "size": size}])
    );
    let path = path_of(&answer.body);
    let files = format!("{path}/env-files");
    let agent = ada.agent("Coder").await;
    for masked in [
        path.clone(),
        "/api/repo-connections".to_owned(),
        "/api/repo-connections?includeDerived=true".to_owned(),
        format!("/api/agents/{agent}/repos"),
    ] {
        masks(ada.get(&masked).await.expect(200));
    }
    assert_eq!(
        ada.get(&files).await.expect(200).body,
        json!({"files": [{"path": ".env", "content": SECRET}]})
    );
    eve.get(&files).await.refuses(404, "Repository not found.");
    let put = json!({"files": [
        {"path": "config/.env.test", "content": "é"}, {"path": ".env", "content": SECRET},
    ]});
    let answer = masks(ada.put(&files, put.clone()).await.expect(200));
    assert_eq!(
        answer.body,
        json!({"files": [{"path": "config/.env.test", "size": 2}, {"path": ".env", "size": size}]})
    );
    let patched = masks(
        ada.patch(&path, json!({"description": "D"}))
            .await
            .expect(200),
    );
    assert_eq!(patched.body["envFiles"], answer.body["files"]);
    assert_eq!(
        ada.get(&files).await.body,
        put,
        "kept by a patch without them"
    );
    ada.put(&files, put).await.expect(200);
    // The same size, another content: still a change.
    let other = json!({"files": [{"path": ".env", "content": SECRET.to_uppercase()}]});
    ada.put(&files, other.clone()).await.expect(200);
    assert_eq!(ada.get(&files).await.body, other);
    let same_size = json!({"files": [{"path": ".env", "content": SECRET}]});
    ada.put(&files, same_size).await.expect(200);
    ada.put(&files, json!({"files": []})).await.expect(200);
    assert_eq!(ada.get(&files).await.body, json!({"files": []}));
    ada.delete(&path).await.expect(200);
    let log = masks(ada.get("/api/activity-log").await.expect(200)).body;
    let summaries: Vec<&Value> = log["activities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["summary"])
        .collect();
    let replaced = "Repository my-service updated, its environment files replaced";
    assert_eq!(
        summaries,
        [
            "Repository my-service removed",
            replaced,
            replaced,
            replaced,
            "Repository my-service updated",
            replaced,
            "Agent Coder created",
            "Repository my-service registered",
        ]
    );
    let too_many: Vec<Value> = (0..9)
        .map(|n| json!({"path": n.to_string(), "content": ""}))
        .collect();
    ada.put(&files, json!({"files": too_many}))
        .await
        .refuses(400, json!(["files must contain no more than 8 elements"]));
}

#[tokio::test]
async fn works_with_an_owner_have_rows_of_their_own() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    made(&ada, service()).await;
    let work = json!({
        "slug": "dash-work", "name": "Dash Work", "description": "D", "organization": false,
        "owner": "acme",
    });
    let work = ada.post("/api/works", work).await.expect(200).body["work"]["id"].clone();
    let id = format!("work:{}:work", text(&work));
    let rows = ada
        .get("/api/repo-connections?includeDerived=true")
        .await
        .expect(200)
        .body;
    let expected = json!({
        "id": id, "name": "Dash Work (work)", "url": "https://github.com/acme/dash-work",
        "provider": "github", "defaultBranch": null, "mountPath": null, "mountDir": "dash-work",
        "description": null, "credentialMode": "inherit", "credentialRef": null, "envFiles": [],
        "availableInAllProjects": false, "sourceType": "work", "sourceWorkId": work,
        "sourceInstallationRepoId": null, "enabled": true, "readonly": true, "createdAt": null,
        "updatedAt": null,
    });
    assert_eq!(rows[1], expected);
    assert_eq!(rows[2]["mountDir"], "dash-work-website");
    assert_eq!(rows[3]["name"], "Dash Work (data)");
    assert_eq!(
        rows.as_array().unwrap().len(),
        4,
        "a Work without owner has none"
    );
    for query in ["", "?includeDerived=false", "?includeDerived=1"] {
        let rows = ada.get(&format!("/api/repo-connections{query}")).await;
        assert_eq!(
            rows.expect(200).body.as_array().unwrap().len(),
            1,
            "{query}"
        );
    }
    let uuid = "Validation failed (uuid is expected)";
    let agent = ada.agent("Coder").await;
    ada.get(&format!("/api/repo-connections/{id}"))
        .await
        .refuses(400, uuid);
    let attach = format!("/api/agents/{agent}/repos/{id}");
    ada.put(&attach, json!({"enabled": true}))
        .await
        .refuses(400, uuid);
    ada.delete(&attach).await.refuses(400, uuid);
}

#[tokio::test]
async fn repositories_are_attached_and_detached() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let one = made(&ada, service()).await;
    let list = format!("/api/agents/{agent}/repos");
    let edge = format!("{list}/{}", text(&one["id"]));
    let state = async || {
        let rows = ada.get(&list).await.expect(200).body;
        (
            rows[0]["attached"].clone(),
            rows[0]["attachmentEnabled"].clone(),
        )
    };
    assert_eq!(state().await, (json!(false), json!(false)));
    for enabled in [true, true, false] {
        let answer = ada
            .put(&edge, json!({"enabled": enabled}))
            .await
            .expect(200);
        let expected = json!({"agentId": agent, "repoConnectionId": one["id"], "enabled": enabled});
        assert_eq!(answer.body, expected);
        assert_eq!(state().await, (json!(true), json!(enabled)));
    }
    ada.put(&edge, json!({}))
        .await
        .refuses(400, json!(["enabled must be a boolean value"]));
    assert_eq!(
        ada.delete(&edge).await.expect(200).body,
        json!({"deleted": true})
    );
    ada.delete(&edge)
        .await
        .refuses(404, "Repository attachment not found.");
    let feed = ada
        .get(&format!("/api/agents/{agent}/events"))
        .await
        .expect(200)
        .body;
    let kinds: Vec<&Value> = feed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["actionType"])
        .collect();
    assert_eq!(
        kinds,
        [
            "repo_detached_from_agent",
            "repo_attached_to_agent",
            "repo_attached_to_agent",
            "agent_created"
        ],
        "no entry without a change"
    );
    assert_eq!(
        feed["data"][1]["details"]["before"],
        json!({"enabled": true})
    );

    ada.put(&edge, json!({"enabled": true})).await.expect(200);
    ada.delete(&path_of(&one)).await.expect(200);
    assert_eq!(ada.get(&list).await.expect(200).body, json!([]));
    let again = made(&ada, service()).await;
    let edge = format!("{list}/{}", text(&again["id"]));
    assert_eq!(
        state().await,
        (json!(false), json!(false)),
        "the edge went with the row"
    );
    ada.put(&edge, json!({"enabled": true})).await.expect(200);
    ada.delete(&format!("/api/agents/{agent}?hard=true"))
        .await
        .expect(200);
    ada.delete(&path_of(&again)).await.expect(200);
}

#[tokio::test]
async fn foreign_agents_and_repositories_are_not_there() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    let (hers, his) = (ada.agent("A").await, eve.agent("E").await);
    let one = text(&made(&ada, service()).await["id"]);
    let on = json!({"enabled": true});
    for (agent, repository, sentence) in [
        (hers.as_str(), one.as_str(), "Agent not found."),
        (NOBODY, one.as_str(), "Agent not found."),
        (his.as_str(), one.as_str(), "Repository not found."),
        (his.as_str(), NOBODY, "Repository not found."),
    ] {
        let edge = format!("/api/agents/{agent}/repos/{repository}");
        eve.put(&edge, on.clone()).await.refuses(404, sentence);
        eve.delete(&edge).await.expect(404);
    }
    eve.get(&format!("/api/agents/{hers}/repos"))
        .await
        .refuses(404, "Agent not found.");
    eve.post(
        &format!("/api/repo-connections/import/github-app/{NOBODY}"),
        json!({}),
    )
    .await
    .refuses(404, "GitHub App repository not found.");
}

#[tokio::test]
async fn pages_are_told_of_rows_and_attachments() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let one = text(&made(&ada, service()).await["id"]);
    let edge = format!("/api/agents/{agent}/repos/{one}");
    ada.put(&edge, json!({"enabled": true})).await.expect(200);
    ada.delete(&edge).await.expect(200);
    let told = changes_of(&ada, 4).await;
    let seen: Vec<_> = told
        .into_iter()
        .skip(1)
        .map(|change| {
            (
                change.kind,
                change.resource_id,
                change.scope_type,
                change.scope_id,
            )
        })
        .collect();
    let attachment = (
        ChangeKind::RepositoryAttachment,
        Some(one.clone()),
        Some(Scope::Agent),
        Some(agent),
    );
    assert_eq!(
        seen,
        [
            (ChangeKind::Repository, Some(one), None, None),
            attachment.clone(),
            attachment
        ]
    );
}
