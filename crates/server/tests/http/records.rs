//! The activity log and an agent's feed (contract section 12.2).

use serde_json::{Value, json};

use crate::harness::{NOBODY, Server, text};

fn kinds(entries: &Value) -> Vec<String> {
    let entries = entries.as_array().unwrap();
    entries
        .iter()
        .map(|entry| text(&entry["actionType"]))
        .collect()
}

#[tokio::test]
async fn every_write_of_an_agent_is_recorded() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = ada.agent("Coder").await;
    let path = format!("/api/agents/{id}");
    ada.patch(&path, json!({"title": "T"})).await.expect(200);
    ada.patch(&path, json!({})).await.expect(200);
    for action in ["resume", "pause"] {
        ada.post(&format!("{path}/{action}"), json!({}))
            .await
            .expect(200);
    }
    let row = ada.grant("agent", &id, json!({"deny": ["x"]})).await;
    ada.grant("agent", &id, json!({"deny": ["y"], "note": "n"}))
        .await;
    ada.delete(&format!("/api/tool-grants/{}", text(&row["id"])))
        .await
        .expect(200);
    ada.delete(&path).await.expect(200);
    ada.delete(&path).await.expect(200);
    ada.post(&format!("{path}/unarchive"), json!({}))
        .await
        .expect(200);
    let expected = [
        "agent_unarchived",
        "agent_archived",
        "tool_grant_deleted",
        "tool_grant_updated",
        "tool_grant_created",
        "agent_paused",
        "agent_resumed",
        "agent_updated",
        "agent_created",
    ];
    let feed = ada.get(&format!("{path}/events")).await.expect(200).body;
    assert_eq!(
        kinds(&feed["data"]),
        expected,
        "newest first, no entry without a change"
    );
    assert_eq!(feed["meta"], json!({"total": 9, "limit": 50, "offset": 0}));
    let log = ada.get("/api/activity-log").await.expect(200).body;
    assert_eq!(kinds(&log["activities"]), expected);

    let details = &feed["data"][7]["details"];
    assert_eq!(details["resourceType"], "agent");
    assert_eq!(details["resourceId"], id.as_str());
    assert_eq!(
        details["changes"],
        json!({"title": {"before": null, "after": "T"}})
    );
    let actor = json!({"userId": ada.id, "username": "ada", "via": "token"});
    let details = &feed["data"][3]["details"];
    let expected = json!({
        "resourceType": "toolGrant", "resourceId": row["id"], "scopeType": "agent",
        "scopeId": id, "actor": actor,
        "before": {"allow": null, "deny": ["x"], "note": null},
        "after": {"allow": null, "deny": ["y"], "note": "n"},
    });
    assert_eq!(*details, expected);
    let deleted = &feed["data"][2]["details"];
    assert_eq!(deleted["after"], Value::Null);

    ada.delete(&format!("{path}?hard=true")).await.expect(200);
    let log = ada.get("/api/activity-log").await.expect(200).body;
    assert_eq!(log["activities"][0]["actionType"], "agent_deleted");
    assert_eq!(log["total"], 10, "entries outlive the agent");
}

#[tokio::test]
async fn a_refused_write_leaves_no_record() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = ada.agent("Coder").await;
    ada.patch(
        &format!("/api/agents/{id}"),
        json!({"reportsToAgentId": NOBODY}),
    )
    .await
    .expect(404);
    ada.post(&format!("/api/agents/{id}/pause"), json!({}))
        .await
        .expect(400);
    let body = json!({"scopeType": "agent", "scopeId": NOBODY, "deny": ["x"]});
    ada.put("/api/tool-grants", body).await.expect(404);
    let log = ada.get("/api/activity-log").await.expect(200).body;
    assert_eq!(log["total"], 1);
}

#[tokio::test]
async fn the_log_names_the_credential() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let made = ada
        .post("/api/auth/api-keys", json!({"name": "ci"}))
        .await
        .expect(201)
        .body;
    let mut by_key = ada.clone();
    by_key.token = text(&made["key"]);
    by_key.agent("Coder").await;
    let log = ada.get("/api/activity-log").await.expect(200).body;
    assert_eq!(
        log["activities"][0]["details"]["actor"]["via"],
        "api key ci"
    );
}

#[tokio::test]
async fn the_log_filters_and_reads_its_query_leniently() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let agent = ada.work_agent("Coder").await;
    ada.grant("agent", &agent, json!({"deny": ["x"]})).await;
    ada.agent("Free").await;
    let log = async |query: &str| {
        let answer = ada
            .get(&format!("/api/activity-log?{query}"))
            .await
            .expect(200);
        assert!(answer.body["total"].is_u64());
        kinds(&answer.body["activities"])
    };
    let all = [
        "agent_created",
        "tool_grant_created",
        "agent_created",
        "work_created",
        "organization_created",
    ];
    assert_eq!(log("").await, all);
    assert_eq!(log("limit=abc&nope=1").await, all);
    assert_eq!(log("limit=1&offset=1").await, ["tool_grant_created"]);
    assert_eq!(log("actionType=agent_created").await, ["agent_created"; 2]);
    assert_eq!(log("actionType=nope").await, [""; 0]);
    let of_work = ["tool_grant_created", "agent_created", "work_created"];
    assert_eq!(log(&format!("workId={}", ada.work)).await, of_work);
    assert_eq!(log("status=failed").await, [""; 0]);
    assert_eq!(log("status=completed").await, all);
    assert_eq!(
        log("search=cODER").await,
        ["tool_grant_created", "agent_created"]
    );
    assert_eq!(log("dateFrom=2999-01-01").await, [""; 0]);
    assert_eq!(log("dateTo=2999-01-01").await, all);

    let page = ada.get("/api/activity-log?limit=1").await.body;
    assert_eq!(
        (&page["total"], page["activities"].as_array().unwrap().len()),
        (&json!(5), 1)
    );
    let entry = &page["activities"][0];
    let one = ada
        .get(&format!("/api/activity-log/{}", text(&entry["id"])))
        .await
        .expect(200);
    assert_eq!(one.body, json!({"activity": entry}));
    ada.get(&format!("/api/activity-log/{NOBODY}"))
        .await
        .refuses(404, "Activity not found");
}

#[tokio::test]
async fn the_feed_holds_a_hundred_rows_but_echoes_the_request() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    for number in 0..105 {
        ada.grant("agent", &agent, json!({"deny": [format!("t{number}")]}))
            .await;
    }
    let path = format!("/api/agents/{agent}/events?limit=200&offset=2");
    let page = ada.get(&path).await.expect(200).body;
    assert_eq!(page["data"].as_array().unwrap().len(), 100);
    assert_eq!(
        page["meta"],
        json!({"total": 106, "limit": 200, "offset": 2})
    );
    let refused = ada
        .get(&format!("/api/agents/{agent}/events?limit=201"))
        .await;
    refused.refuses(400, json!(["limit must not be greater than 200"]));
}
