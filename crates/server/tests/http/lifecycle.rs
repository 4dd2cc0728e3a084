//! The life of an agent: pausing, resuming, archiving, deleting (contract section 3.2).

use serde_json::{Value, json};

use crate::harness::{Account, NOBODY, Server, text};

async fn status(account: &Account<'_>, id: &str) -> String {
    text(
        &account
            .get(&format!("/api/agents/{id}"))
            .await
            .expect(200)
            .body["status"],
    )
}

async fn put_in(server: &Server, id: &str, status: &str) {
    let mut writing = server.state.store.write().await.unwrap();
    sqlx::query("UPDATE agents SET status = $1 WHERE id = $2")
        .bind(status)
        .bind(id)
        .execute(&mut *writing)
        .await
        .unwrap();
    server.state.commit(writing).await.unwrap();
}

#[tokio::test]
async fn the_transition_table() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = ada.agent("Coder").await;
    // From, and where pause, resume and unarchive lead; `None` is a refusal.
    for (from, pause, resume, unarchive) in [
        ("draft", None, Some("active"), None),
        ("active", Some("paused"), None, None),
        ("running", None, None, None),
        ("paused", None, Some("active"), None),
        ("error", Some("paused"), Some("active"), None),
        ("archived", None, None, Some("paused")),
    ] {
        for (action, to, wanted) in [
            ("pause", "paused", pause),
            ("resume", "active", resume),
            ("unarchive", "paused", unarchive),
        ] {
            put_in(&server, &id, from).await;
            let path = format!("/api/agents/{id}/{action}");
            let answer = ada.post(&path, json!({})).await;
            match wanted {
                Some(status) => assert_eq!(answer.expect(200).body["status"], status),
                None if action == "unarchive" => {
                    answer.refuses(400, "Only archived Agents can be unarchived.");
                }
                None => {
                    answer.refuses(400, format!("Cannot transition Agent from {from} to {to}."));
                }
            }
            assert_eq!(status(&ada, &id).await, wanted.unwrap_or(from));
        }
    }
}

#[tokio::test]
async fn archiving_is_repeatable_and_deleting_is_not() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = ada.agent("Coder").await;
    let path = format!("/api/agents/{id}");
    for query in ["", "?hard=false", "?hard=1"] {
        let answer = ada.delete(&format!("{path}{query}")).await.expect(200);
        assert_eq!(answer.body, json!({"archived": true}));
    }
    ada.patch(&path, json!({"title": "Still editable"}))
        .await
        .expect(200);
    ada.get(&format!("{path}/capabilities")).await.expect(200);
    ada.grant("agent", &id, json!({"deny": ["x"]})).await;
    let hard = format!("{path}?hard=true");
    assert_eq!(
        ada.delete(&hard).await.expect(200).body,
        json!({"deleted": true})
    );
    let gone = format!("Agent {id} not found.");
    ada.delete(&hard).await.refuses(404, gone.as_str());
    ada.get(&path).await.refuses(404, gone.as_str());
    ada.get(&format!("{path}/capabilities"))
        .await
        .refuses(404, gone.as_str());
    ada.get(&format!("{path}/events"))
        .await
        .refuses(404, gone.as_str());
    assert_eq!(
        ada.get("/api/tool-grants").await.body,
        json!([]),
        "its grant row went too"
    );
    for action in ["pause", "resume", "unarchive"] {
        ada.post(&format!("/api/agents/{NOBODY}/{action}"), json!({}))
            .await
            .refuses(404, format!("Agent {NOBODY} not found."));
    }
}

#[tokio::test]
async fn activation_plans_the_next_heartbeat() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = ada.agent("Coder").await;
    let path = format!("/api/agents/{id}");
    let planned = ada
        .patch(&path, json!({"heartbeatCadence": "0 9 1 1 *"}))
        .await
        .expect(200);
    assert_eq!(planned.body["nextHeartbeatAt"], Value::Null);
    let active = ada
        .post(&format!("{path}/resume"), json!({}))
        .await
        .expect(200)
        .body;
    let next = text(&active["nextHeartbeatAt"]);
    assert!(next.ends_with("-01-01T09:00:00.000Z"), "{next}");
    assert!(remit_server::clock::from_iso(&next).unwrap() > remit_server::clock::now());
    let paused = ada
        .post(&format!("{path}/pause"), json!({}))
        .await
        .expect(200)
        .body;
    assert_eq!(paused["nextHeartbeatAt"], next.as_str(), "pausing keeps it");
}
