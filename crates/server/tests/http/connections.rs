//! The registry of MCP servers and each agent's state of them (contract section 7).

use std::path::PathBuf;

use remit_server::state::Settings;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Account, Answer, NOBODY, Server, text};

/// A connection nobody can reach; opening it is refused without a look at the network.
fn body(name: &str) -> Value {
    json!({"name": name, "url": "https://mcp.example/mcp", "transport": "sse"})
}

async fn register(account: &Account<'_>, name: &str) -> String {
    let made = account.post("/api/mcp-connections", body(name)).await;
    text(&made.expect(201).body["id"])
}

const GUARD: &str = "URL must be http(s) to a public host (private, loopback, link-local, and cloud-metadata addresses are blocked).";

#[tokio::test]
async fn registered_servers_are_listed_oldest_first_without_header_values() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let mut first = body("github");
    first["authHeaders"] = json!({"Authorization": "Bearer sesame", "X-Key": "sesame"});
    let made = ada.post("/api/mcp-connections", first).await.expect(201);
    assert_eq!(
        made.body["authHeaderNames"],
        json!(["Authorization", "X-Key"])
    );
    assert_eq!(made.body["enabled"], true);
    assert_eq!(made.body["source"], "manual");
    register(&ada, "docs").await;
    let list = ada.get("/api/mcp-connections").await.expect(200);
    let names: Vec<&Value> = list.body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["name"])
        .collect();
    assert_eq!(names, ["github", "docs"]);
    let id = text(&made.body["id"]);
    let one = ada
        .get(&format!("/api/mcp-connections/{id}"))
        .await
        .expect(200);
    let log = ada.get("/api/activity-log").await.expect(200);
    for answer in [&made, &list, &one, &log] {
        assert!(!answer.text.contains("sesame"), "{}", answer.text);
    }
    let entry = log.body["activities"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| {
            entry["actionType"] == "mcp_connection_created"
                && entry["details"]["resourceId"] == id.as_str()
        })
        .unwrap();
    assert_eq!(
        entry["details"]["after"]["authHeaderNames"],
        json!(["Authorization", "X-Key"])
    );
    assert_eq!(entry["details"]["actor"]["username"], "ada");
    assert_eq!(entry["details"]["before"], Value::Null);
}

#[tokio::test]
async fn refusals_use_the_contract_s_words() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    register(&ada, "docs").await;
    let post = |change: Value| {
        let mut request = body("other");
        request
            .as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        ada.post("/api/mcp-connections", request)
    };
    post(json!({"name": "docs"}))
        .await
        .refuses(409, "A connection named \"docs\" already exists.");
    post(json!({"name": "No"})).await.refuses(
        400,
        json!(["name must match /^[a-z0-9][a-z0-9-]{0,79}$/ regular expression"]),
    );
    post(json!({"transport": "stdio"})).await.refuses(
        400,
        json!(["transport must be one of the following values: "]),
    );
    post(json!({"command": "x"}))
        .await
        .refuses(400, json!(["property command should not exist"]));
    for url in [
        "http://127.0.0.1:9/",
        "nope",
        "http://[::ffff:10.0.0.1]/",
        "http://2130706433/",
    ] {
        post(json!({"url": url})).await.refuses(400, GUARD);
    }
    post(json!({"authHeaders": {"a b": "x"}}))
        .await
        .refuses(400, "Invalid header name \"a b\".");
    post(json!({"authHeaders": {"X": 1}}))
        .await
        .refuses(400, "Invalid value for header \"X\".");
    post(json!({"authHeaders": {"X": "a\nb"}}))
        .await
        .refuses(400, "Value for header \"X\" contains control characters.");
    assert_eq!(
        ada.get("/api/mcp-connections").await.body["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn changes_are_whole_or_not_at_all() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = register(&ada, "docs").await;
    register(&ada, "tickets").await;
    let path = format!("/api/mcp-connections/{id}");
    // The attempt to open it is a change of its own.
    let mut before = ada.get(&path).await.body;
    while before["health"]["state"] != "failed" {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        before = ada.get(&path).await.body;
    }
    ada.patch(&path, json!({"name": "tickets"}))
        .await
        .refuses(409, "A connection named \"tickets\" already exists.");
    ada.patch(&path, json!({"name": "new", "url": "http://10.0.0.1"}))
        .await
        .refuses(400, GUARD);
    ada.patch(&path, json!({"name": "new", "authHeaders": {"": "x"}}))
        .await
        .refuses(400, "Invalid header name \"\".");
    assert_eq!(ada.get(&path).await.body["name"], "docs");
    assert_eq!(ada.get(&path).await.body["updatedAt"], before["updatedAt"]);

    let changed = ada
        .patch(&path, json!({"name": "new", "authHeaders": {"X-A": "1"}}))
        .await
        .expect(200)
        .body;
    assert_eq!(changed["name"], "new");
    assert_eq!(changed["url"], before["url"]);
    assert_eq!(changed["authHeaderNames"], json!(["X-A"]));
    assert_ne!(changed["updatedAt"], before["updatedAt"]);
    let off = ada
        .patch(&path, json!({"enabled": false}))
        .await
        .expect(200)
        .body;
    assert_eq!(off["authHeaderNames"], json!(["X-A"]), "left alone");
    assert_eq!(off["health"]["state"], "disabled");
    let cleared = ada
        .patch(&path, json!({"authHeaders": null}))
        .await
        .expect(200)
        .body;
    assert_eq!(cleared["authHeaderNames"], json!([]));

    let entry = ada.get("/api/activity-log").await.body["activities"][0].clone();
    assert_eq!(entry["actionType"], "mcp_connection_updated");
    assert_eq!(
        entry["details"]["before"]["authHeaderNames"],
        json!(["X-A"])
    );
    assert_eq!(entry["details"]["after"]["authHeaderNames"], json!([]));
    assert_eq!(entry["details"]["authHeadersReplaced"], true);
}

async fn row(ada: &Account<'_>, agent: &str, id: &str) -> Value {
    let list = ada
        .get(&format!("/api/agents/{agent}/mcp-servers"))
        .await
        .expect(200)
        .body;
    let rows = list["data"].as_array().unwrap();
    rows.iter()
        .find(|row| row["connection"]["id"] == id)
        .unwrap()
        .clone()
}

fn state(row: &Value) -> (bool, String, bool, Value, Value) {
    (
        row["effectiveEnabled"].as_bool().unwrap(),
        text(&row["bindingSource"]),
        row["inheritedFromTenant"].as_bool().unwrap(),
        row["tenantEnabled"].clone(),
        row["overrideEnabled"].clone(),
    )
}

#[tokio::test]
async fn an_agent_inherits_overrides_and_resets() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let id = register(&ada, "docs").await;
    let path = format!("/api/agents/{agent}/mcp-servers/{id}");
    let inherited = (true, "tenant".to_owned(), true, json!(true), Value::Null);
    assert_eq!(state(&row(&ada, &agent, &id).await), inherited);

    let off = ada
        .put(&path, json!({"enabled": false}))
        .await
        .expect(200)
        .body;
    let overridden = (false, "agent".to_owned(), false, json!(true), json!(false));
    assert_eq!(state(&off), overridden);
    assert_eq!(row(&ada, &agent, &id).await, off);

    // Off for the whole workspace: the override is stored and waits.
    let connection = format!("/api/mcp-connections/{id}");
    ada.patch(&connection, json!({"enabled": false}))
        .await
        .expect(200);
    let on = ada
        .put(&path, json!({"enabled": true}))
        .await
        .expect(200)
        .body;
    assert_eq!(
        state(&on),
        (false, "agent".to_owned(), false, json!(true), json!(true))
    );
    ada.patch(&connection, json!({"enabled": true}))
        .await
        .expect(200);
    assert!(state(&row(&ada, &agent, &id).await).0);

    for _ in 0..2 {
        let reset = ada.delete(&path).await.expect(200).body;
        assert_eq!(state(&reset), inherited);
    }
    let feed = ada
        .get(&format!("/api/agents/{agent}/events"))
        .await
        .expect(200)
        .body;
    let kinds: Vec<String> = feed["data"]
        .as_array()
        .unwrap()
        .iter()
        .take(3)
        .map(|entry| text(&entry["actionType"]))
        .collect();
    assert_eq!(
        kinds,
        [
            "mcp_server_override_removed",
            "mcp_server_override_set",
            "mcp_server_override_set"
        ]
    );
    assert_eq!(
        feed["data"][0]["details"]["before"],
        json!({"enabled": true})
    );
    assert_eq!(feed["data"][0]["details"]["after"], Value::Null);
}

#[tokio::test]
async fn a_removed_server_takes_its_bindings_along() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let (agent, other) = (ada.agent("Coder").await, ada.agent("Writer").await);
    ada.post(&format!("/api/agents/{other}/pause"), json!({}))
        .await;
    let id = register(&ada, "docs").await;
    let connection = format!("/api/mcp-connections/{id}");
    ada.put(
        &format!("/api/agents/{agent}/mcp-servers/{id}"),
        json!({"enabled": true}),
    )
    .await
    .expect(200);
    let reached = ada
        .get(&format!("{connection}/agents"))
        .await
        .expect(200)
        .body;
    let told: Vec<(String, String)> = reached["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| (text(&agent["name"]), text(&agent["bindingSource"])))
        .collect();
    let expected = [("Coder", "agent"), ("Writer", "tenant")]
        .map(|(name, source)| (name.to_owned(), source.to_owned()));
    assert_eq!(told, expected);
    ada.put(
        &format!("/api/agents/{other}/mcp-servers/{id}"),
        json!({"enabled": false}),
    )
    .await
    .expect(200);
    ada.delete(&format!("/api/agents/{agent}"))
        .await
        .expect(200);
    assert_eq!(
        ada.get(&format!("{connection}/agents")).await.body["data"],
        json!([])
    );

    assert_eq!(
        ada.delete(&connection).await.expect(200).body,
        json!({"deleted": true})
    );
    let message = format!("MCP connection {id} not found.");
    ada.delete(&connection).await.refuses(404, message.as_str());
    assert_eq!(
        ada.get(&format!("/api/agents/{other}/mcp-servers"))
            .await
            .body,
        json!({"data": []})
    );
    // The name is free again, and the new connection starts from the tenant binding.
    let again = register(&ada, "docs").await;
    assert_eq!(state(&row(&ada, &other, &again).await).1, "tenant");
}

#[tokio::test]
async fn an_agent_deleted_for_good_takes_its_overrides_along() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let id = register(&ada, "docs").await;
    ada.put(
        &format!("/api/agents/{agent}/mcp-servers/{id}"),
        json!({"enabled": true}),
    )
    .await
    .expect(200);
    ada.delete(&format!("/api/agents/{agent}?hard=true"))
        .await
        .expect(200);
    assert_eq!(
        ada.get(&format!("/api/mcp-connections/{id}/agents"))
            .await
            .body["data"],
        json!([])
    );
}

#[tokio::test]
async fn writes_have_limits_of_their_own() {
    let server = Server::start_with(Settings {
        allow_registration: true,
        ..Settings::default()
    })
    .await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let id = register(&ada, "docs").await;
    let limit = |answer: &Answer| text(&json!(answer.header("x-ratelimit-limit-long")));
    let made = ada.post("/api/mcp-connections", body("a")).await;
    assert_eq!(limit(&made), "30");
    let path = format!("/api/mcp-connections/{id}");
    assert_eq!(limit(&ada.get(&path).await), "1000");
    assert_eq!(limit(&ada.patch(&path, json!({})).await), "60");
    let own = format!("/api/agents/{agent}/mcp-servers/{id}");
    assert_eq!(limit(&ada.put(&own, json!({"enabled": true})).await), "60");
    assert_eq!(limit(&ada.delete(&own).await), "60");
    assert_eq!(limit(&ada.delete(&path).await), "30");
}

#[tokio::test]
async fn foreign_connections_and_agents_are_not_there() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    let (agent, id) = (ada.agent("Coder").await, register(&ada, "docs").await);
    let (spy, own) = (eve.agent("Spy").await, register(&eve, "docs").await);
    let on = json!({"enabled": true});
    for (agent, id, message) in [
        (&spy, &id, format!("MCP connection {id} not found.")),
        (&agent, &own, format!("Agent {agent} not found.")),
        (
            &spy,
            &NOBODY.to_owned(),
            format!("MCP connection {NOBODY} not found."),
        ),
    ] {
        let path = format!("/api/agents/{agent}/mcp-servers/{id}");
        eve.put(&path, on.clone())
            .await
            .refuses(404, message.as_str());
        eve.delete(&path).await.refuses(404, message.as_str());
    }
    let path = format!("/api/agents/{spy}/mcp-servers/abc");
    eve.put(&path, on)
        .await
        .refuses(400, "Validation failed (uuid is expected)");
    let list = eve.get("/api/mcp-connections").await.body;
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn programs_are_registered_by_the_first_owner_only_and_only_when_allowed() {
    let server = Server::start_with(Settings {
        allow_registration: true,
        allow_stdio_mcp: true,
        rate_limit: false,
        ..Settings::default()
    })
    .await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    assert_eq!(
        ada.get("/api/config").await.body["features"]["stdioMcp"],
        true
    );
    let program = json!({
        "name": "local", "transport": "stdio", "command": "/nonexistent/server", "args": ["--root", "/a b"],
    });
    let refused = eve
        .post("/api/mcp-connections", program.clone())
        .await
        .expect(403);
    assert!(
        refused.text.contains("first owner account"),
        "{}",
        refused.text
    );
    let made = ada
        .post("/api/mcp-connections", program)
        .await
        .expect(201)
        .body;
    assert_eq!(made["url"], "/nonexistent/server --root '/a b'");
    assert_eq!(made["transport"], "stdio");
    let path = format!("/api/mcp-connections/{}", text(&made["id"]));
    let changed = ada.patch(&path, json!({"args": []})).await.expect(200).body;
    assert_eq!(changed["url"], "/nonexistent/server");
    ada.patch(&path, json!({"url": "https://a.example"}))
        .await
        .refuses(400, "A stdio server has a command, no url.");
    ada.patch(&path, json!({"authHeaders": {"X": "1"}}))
        .await
        .refuses(400, "A stdio server is sent no headers.");
    // To another transport the address has to be named anew.
    ada.patch(&path, json!({"transport": "sse"}))
        .await
        .refuses(400, GUARD);
    let moved = json!({"transport": "sse", "url": "https://a.example"});
    assert_eq!(
        ada.patch(&path, moved).await.expect(200).body["url"],
        "https://a.example"
    );
}

/// Replays the recorded session of section 7 against a fresh server: same statuses, same bodies
/// but for ids, moments, and what only one of the two tells.
#[tokio::test]
async fn the_recorded_session_is_answered_alike() {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("REMIT_SHARED").map_or_else(beside, PathBuf::from);
    let Ok(entries) = std::fs::read_dir(shared.join("contract/recorded")) else {
        eprintln!("skipped: no recordings beside the repository");
        return;
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_str().unwrap().contains("mcp-"))
        .collect();
    files.sort();
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let mut ids = vec![(
        "4e2a41a3-5f22-4a0b-9e70-e5d925896d55".to_owned(),
        ada.agent("Coder").await,
    )];
    let mut replayed = 0;
    for file in files {
        let mut recording = std::fs::read_to_string(&file).unwrap();
        for (theirs, ours) in &ids {
            recording = recording.replace(theirs, ours);
        }
        let recording: Value = serde_json::from_str(&recording).unwrap();
        let (request, response) = (&recording["request"], &recording["response"]);
        let method = Method::from_bytes(text(&request["method"]).as_bytes()).unwrap();
        let mut sent = server.request(method, &text(&request["path"]));
        if request["headers"].get("Authorization").is_some() {
            sent = sent.bearer_auth(&ada.token);
        }
        if !request["body"].is_null() {
            sent = sent.json(&request["body"]);
        }
        let answer = server.send(sent).await;
        if let (201, Some(theirs)) = (answer.status, response["body"]["id"].as_str()) {
            ids.push((theirs.to_owned(), text(&answer.body["id"])));
        }
        let name = file.file_name().unwrap().to_str().unwrap();
        assert_eq!(
            json!(answer.status),
            response["status"],
            "{name}: {}",
            answer.text
        );
        same(name, &response["body"], &answer.body);
        replayed += 1;
    }
    assert!(replayed >= 27, "{replayed}");
}

/// Whether our answer has all that theirs has; keys of our own are allowed in objects.
fn same(at: &str, theirs: &Value, ours: &Value) {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (key, value) in theirs {
                let at = format!("{at} {key}");
                match key.as_str() {
                    "createdAt" | "updatedAt" => assert!(ours[key].is_string(), "{at}"),
                    // What each of the two networks had to say.
                    "lastConnectedAt" | "lastError" => assert!(ours.contains_key(key), "{at}"),
                    "id" => assert_eq!(ours[key].as_str().map(str::len), Some(36), "{at}"),
                    _ => same(&at, value, &ours[key]),
                }
            }
        }
        (Value::Array(theirs), Value::Array(ours)) => {
            assert_eq!(theirs.len(), ours.len(), "{at}");
            theirs
                .iter()
                .zip(ours)
                .for_each(|(theirs, ours)| same(at, theirs, ours));
        }
        _ => assert_eq!(theirs, ours, "{at}"),
    }
}
