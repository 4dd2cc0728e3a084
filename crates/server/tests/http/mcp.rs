//! Sessions with MCP servers, good and bad ones: what is learned, stored, told and bounded
//! (contract section 7).

use std::time::{Duration, Instant};

use remit_server::state::Settings;
use serde_json::{Value, json};

use crate::harness::{Account, Server, text};
use crate::peer::{self, Peer};

/// Reads a connection until it is as wanted; answers the row.
async fn until(account: &Account<'_>, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let row = account
            .get(&format!("/api/mcp-connections/{id}"))
            .await
            .expect(200)
            .body;
        if wanted(&row) {
            return row;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{row:#}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// In a state and, when connected, with the first listing stored.
fn is(state: &'static str) -> impl Fn(&Value) -> bool {
    move |row| {
        let health = &row["health"];
        health["state"] == state && (state != "connected" || health["toolsReadAt"].is_string())
    }
}

async fn tool_names(account: &Account<'_>, id: &str) -> Vec<String> {
    let list = account
        .get(&format!("/api/mcp-connections/{id}/tools"))
        .await
        .expect(200)
        .body;
    list["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| text(&tool["name"]))
        .collect()
}

async fn probe(account: &Account<'_>, id: &str) -> Value {
    account
        .post(&format!("/api/mcp-connections/{id}/test"), json!({}))
        .await
        .expect(200)
        .body
}

#[tokio::test]
async fn a_registered_server_is_connected_and_read_in_the_background() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let peer = Peer::start("good");
    let id = peer.register(&ada, "good").await;
    let row = until(&ada, &id, is("connected")).await;
    let health = &row["health"];
    assert_eq!(health["protocolVersion"], "2026-07-28");
    assert_eq!(health["era"], "discover");
    assert_eq!(health["serverName"], "Example peer");
    assert_eq!(health["toolCount"], 3);
    assert_eq!(health["skills"], true);
    assert_eq!(health["directoryRead"], true);
    assert!(row["lastConnectedAt"].is_string());
    assert_eq!(row["lastError"], Value::Null);
    assert_eq!(
        tool_names(&ada, &id).await,
        ["search", "create_issue", "delete everything"]
    );

    // The agent's tools: the flag first, then its grants.
    let path = format!("/api/agents/{agent}/mcp-tools");
    let tools = ada.get(&path).await.expect(200).body;
    let own = &tools["data"][0];
    assert_eq!(own["server"], "good");
    assert_eq!(own["readAt"], health["toolsReadAt"]);
    assert_eq!(own["tools"][2]["name"], "mcp__good__delete_everything");
    assert_eq!(own["tools"][2]["gatedByPermission"], "canCallExternalTools");
    assert_eq!(own["tools"][2]["source"], "mcp");
    assert_eq!(own["tools"][2]["permissionEnabled"], false);
    assert_eq!(own["tools"][2]["decision"]["allowed"], true);
    assert_eq!(own["tools"][2]["effective"], false);
    let flag = json!({"permissions": {"canCallExternalTools": true}});
    ada.patch(&format!("/api/agents/{agent}"), flag)
        .await
        .expect(200);
    ada.grant("agent", &agent, json!({"deny": ["mcp__good__delete*"]}))
        .await;
    let tools = ada.get(&path).await.expect(200).body;
    let effective: Vec<&Value> = tools["data"][0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["effective"])
        .collect();
    assert_eq!(effective, [&json!(true), &json!(true), &json!(false)]);
    let check =
        format!("/api/tool-grants/check?agentId={agent}&toolName=mcp__good__delete_everything");
    assert_eq!(
        ada.get(&check).await.body,
        tools["data"][0]["tools"][2]["decision"]
    );

    // Off for the agent: its tools are not listed.
    let off = json!({"enabled": false});
    ada.put(&format!("/api/agents/{agent}/mcp-servers/{id}"), off)
        .await
        .expect(200);
    assert_eq!(ada.get(&path).await.body, json!({"data": []}));
}

#[tokio::test]
async fn a_server_s_news_of_its_tools_is_followed_and_told() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let peer = Peer::start("good");
    let id = peer.register(&ada, "good").await;
    until(&ada, &id, is("connected")).await;
    peer.control("tools", json!(["one", "two", "three", "four"]))
        .await;
    let row = until(&ada, &id, |row| row["health"]["toolCount"] == 4).await;
    assert_eq!(row["health"]["state"], "connected");
    assert_eq!(tool_names(&ada, &id).await, ["one", "two", "three", "four"]);
    // Nothing of it is in the log of what people did.
    let log = ada.get("/api/activity-log").await.body;
    let kinds: Vec<&Value> = log["activities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["actionType"])
        .collect();
    assert!(
        kinds.iter().all(|kind| **kind != "mcp_connection_updated"),
        "{kinds:?}"
    );
}

#[tokio::test]
async fn what_was_read_survives_a_server_that_goes_away() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let peer = Peer::start("good");
    let (id, port) = (peer.register(&ada, "good").await, peer.port());
    until(&ada, &id, is("connected")).await;
    drop(peer);
    let refreshed = ada
        .post(&format!("/api/mcp-connections/{id}/refresh"), json!({}))
        .await
        .expect(200)
        .body;
    assert_eq!(refreshed["health"]["state"], "failed");
    assert_eq!(
        refreshed["lastError"],
        "Server unreachable (connection failed)."
    );
    assert_eq!(refreshed["health"]["toolCount"], 3);
    let tools = ada
        .get(&format!("/api/agents/{agent}/mcp-tools"))
        .await
        .body;
    assert_eq!(tools["data"][0]["tools"].as_array().unwrap().len(), 3);
    assert_eq!(
        probe(&ada, &id).await,
        json!({
            "ok": false, "toolCount": 0, "tools": [], "error": "Server unreachable (connection failed).",
        })
    );

    let _peer = Peer::start_at("good", port);
    let refreshed = ada
        .post(&format!("/api/mcp-connections/{id}/refresh"), json!({}))
        .await
        .expect(200)
        .body;
    assert_eq!(refreshed["health"]["state"], "connected");
    assert_eq!(refreshed["lastError"], Value::Null);
}

#[tokio::test]
async fn a_change_of_the_registration_forgets_the_tools_and_connects_anew() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let (peer, other) = (Peer::start("good"), Peer::start("nosize"));
    let id = peer.register(&ada, "good").await;
    until(&ada, &id, is("connected")).await;
    let path = format!("/api/mcp-connections/{id}");
    let off = ada
        .patch(&path, json!({"enabled": false}))
        .await
        .expect(200)
        .body;
    assert_eq!(off["health"]["state"], "disabled");
    assert_eq!(off["health"]["toolsReadAt"], Value::Null);
    ada.post(&format!("{path}/refresh"), json!({}))
        .await
        .expect(400);
    // A disabled connection can still be tried out.
    let tried = probe(&ada, &id).await;
    assert_eq!(tried["toolCount"], 3);
    assert_eq!(ada.get(&path).await.body["health"]["state"], "disabled");
    let moved = json!({"enabled": true, "url": other.url});
    ada.patch(&path, moved).await.expect(200);
    let row = until(&ada, &id, is("connected")).await;
    assert_eq!(row["health"]["toolCount"], 2);
    assert_eq!(row["health"]["serverName"], "bad nosize");
}

#[tokio::test]
async fn failures_are_told_in_the_contract_s_words() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for (mode, sentence) in [
        ("401", "Authentication failed (401). Check the auth header."),
        ("403", "Access forbidden (403)."),
        ("404", "Endpoint not found (404). Check the URL."),
        ("500", "The server answered with status 500."),
        (
            "redirect",
            "The server redirects elsewhere (307), which is not followed.",
        ),
        (
            "page",
            "The server answered with something that is not the protocol.",
        ),
        ("huge", "The server's answer is larger than 25165824 bytes."),
        (
            "future",
            "The server speaks no protocol version this control plane knows.",
        ),
    ] {
        let peer = Peer::start(mode);
        let id = peer.register(&ada, &format!("m-{mode}")).await;
        let tried = probe(&ada, &id).await;
        assert_eq!(
            (&tried["ok"], &tried["error"]),
            (&json!(false), &json!(sentence)),
            "{mode}"
        );
        let row = until(&ada, &id, is("failed")).await;
        assert_eq!(row["lastError"], sentence, "{mode}");
        ada.delete(&format!("/api/mcp-connections/{id}"))
            .await
            .expect(200);
    }
}

#[tokio::test]
async fn header_values_are_sent_and_never_shown() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let peer = Peer::start("echo");
    let body = json!({
        "name": "echo", "url": peer.url, "transport": "streamable-http",
        "authHeaders": {"Authorization": "Bearer sesame"},
    });
    let made = ada
        .post("/api/mcp-connections", body)
        .await
        .expect(201)
        .body;
    let id = text(&made["id"]);
    let tried = probe(&ada, &id).await;
    assert_eq!(tried["error"], "The server refused: I do not like ***");
    let row = until(&ada, &id, is("failed")).await;
    assert_eq!(row["lastError"], "The server refused: I do not like ***");
    assert!(!ada.get("/api/activity-log").await.text.contains("sesame"));
}

#[tokio::test]
async fn a_server_that_hangs_delays_nobody_and_is_given_up() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let hanging: Vec<Peer> = (0..3).map(|_| Peer::start("hang")).collect();
    for (number, peer) in hanging.iter().enumerate() {
        peer.register(&ada, &format!("hang-{number}")).await;
    }
    let slow = Peer::start("hang-tools");
    let slow = slow.register(&ada, "slow").await;
    let good = Peer::start("good");
    let begun = Instant::now();
    let id = good.register(&ada, "good").await;
    until(&ada, &id, is("connected")).await;
    assert!(begun.elapsed() < Duration::from_secs(5));
    let list = ada.get("/api/mcp-connections").await.body;
    assert_eq!(list["data"][0]["health"]["state"], "connecting");
    let hang = text(&list["data"][0]["id"]);
    let (begun, answers) = (
        Instant::now(),
        tokio::join!(probe(&ada, &hang), probe(&ada, &slow)),
    );
    assert_eq!(
        answers.0["error"],
        "Connection to MCP server \"hang-0\" timed out after 10000ms."
    );
    assert_eq!(answers.1["error"], "Request timed out.");
    assert!(begun.elapsed() < Duration::from_secs(15));
    // It ends at once when it is not wanted any more.
    ada.delete(&format!("/api/mcp-connections/{hang}"))
        .await
        .expect(200);
}

#[tokio::test]
async fn listings_are_bounded_and_one_bad_entry_costs_no_other() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    for (mode, count, truncated) in [
        ("many", 10_000, true),
        ("cursor", 4, true),
        ("endless", 250, true),
        ("odd-tools", 2, false),
        ("no-tools", 0, false),
        ("undeclared-tools", 0, false),
        ("legacy", 2, false),
        ("label", 2, false),
    ] {
        let peer = Peer::start(mode);
        let id = peer.register(&ada, mode).await;
        let row = until(&ada, &id, is("connected")).await;
        let health = &row["health"];
        assert_eq!(health["toolCount"], count, "{mode}");
        assert_eq!(health["toolsTruncated"], truncated, "{mode}");
        assert_eq!(tool_names(&ada, &id).await.len(), count, "{mode}");
        let tools = ada
            .get(&format!("/api/agents/{agent}/mcp-tools"))
            .await
            .expect(200)
            .body;
        assert_eq!(
            tools["data"][0]["tools"].as_array().unwrap().len(),
            // What a repeated page listed twice is offered once.
            if mode == "cursor" { 2 } else { count },
            "{mode}"
        );
        assert_eq!(tools["data"][0]["truncated"], truncated, "{mode}");
        match mode {
            "legacy" => assert_eq!(
                (&health["era"], &health["protocolVersion"]),
                (&json!("initialize"), &json!("2025-11-25"))
            ),
            "label" => assert_eq!(text(&health["serverName"]).len(), 200),
            _ => {}
        }
        ada.delete(&format!("/api/mcp-connections/{id}"))
            .await
            .expect(200);
    }
}

#[tokio::test]
async fn names_are_cleaned_and_clashes_are_dropped_with_a_reason() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let read = async |mode: &str| {
        let peer = Peer::start(mode);
        let id = peer.register(&ada, mode).await;
        until(&ada, &id, is("connected")).await;
        let own = ada
            .get(&format!("/api/agents/{agent}/mcp-tools"))
            .await
            .expect(200)
            .body["data"][0]
            .clone();
        let known = ada
            .get(&format!("/api/mcp-connections/{id}/tools"))
            .await
            .expect(200)
            .body;
        ada.delete(&format!("/api/mcp-connections/{id}"))
            .await
            .expect(200);
        let names: Vec<String> = own["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| text(&tool["name"]))
            .collect();
        (names, own, known)
    };
    let (names, own, known) = read("clash").await;
    assert_eq!(names, ["mcp__clash__a_b"]);
    assert_eq!(
        own["dropped"][0],
        json!({
            "name": "a.b", "reason": "Another tool of this server is already named mcp__clash__a_b.",
        })
    );
    assert_eq!(known["data"][0]["fullName"], "mcp__clash__a_b");
    assert_eq!(known["data"][1]["fullName"], Value::Null);
    assert_eq!(known["data"][1]["dropped"], own["dropped"][0]["reason"]);
    assert_eq!(own["dropped"].as_array().unwrap().len(), 2);

    let (names, own, _) = read("long").await;
    assert_eq!(names, [format!("mcp__long__{}", "y".repeat(112))]);
    assert_eq!(own["dropped"].as_array().unwrap().len(), 3);

    let (names, _, known) = read("controls").await;
    assert_eq!(
        names,
        [
            "mcp__controls__bell",
            "mcp__controls__safe_gnihtemos",
            "mcp__controls__img_src_x_onerror_alert_1",
        ]
    );
    assert_eq!(
        known["data"][0]["name"], "bell\u{7}",
        "as the server spells it"
    );
}

#[tokio::test]
async fn a_server_that_floods_stays_connected_and_delays_nobody() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let peer = Peer::start("flood");
    let id = peer.register(&ada, "flood").await;
    until(&ada, &id, |row| row["health"]["toolCount"] == 2).await;
    let begun = Instant::now();
    for _ in 0..20 {
        ada.get("/api/mcp-connections").await.expect(200);
    }
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn the_sse_transport_is_kept_and_said_not_to_be_opened() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let body = json!({"name": "old", "url": "https://mcp.example/sse", "transport": "sse"});
    let id = text(
        &ada.post("/api/mcp-connections", body)
            .await
            .expect(201)
            .body["id"],
    );
    let row = until(&ada, &id, is("failed")).await;
    assert!(text(&row["lastError"]).contains("sse transport"));
    assert!(text(&probe(&ada, &id).await["error"]).contains("sse transport"));
}

fn alive(marker: &str) -> usize {
    let list = std::process::Command::new("pgrep")
        .args(["-f", marker])
        .output()
        .unwrap();
    String::from_utf8(list.stdout).unwrap().lines().count()
}

#[tokio::test]
async fn a_program_is_started_without_our_environment_and_ended_when_unwanted() {
    let server = Server::start_with(Settings {
        allow_registration: true,
        allow_stdio_mcp: true,
        rate_limit: false,
        ..Settings::default()
    })
    .await;
    let ada = server.register("ada").await;
    let program = |name: &str, command: &str, args: Value| json!({"name": name, "transport": "stdio", "command": command, "args": args});
    let binary = peer::binary().to_str().unwrap();
    let good = program("good", binary, json!(["stdio", "good"]));
    let id = text(
        &ada.post("/api/mcp-connections", good)
            .await
            .expect(201)
            .body["id"],
    );
    let row = until(&ada, &id, is("connected")).await;
    assert_eq!(row["health"]["toolCount"], 3);
    assert_eq!(probe(&ada, &id).await["tools"][0], "search");

    // A child that has a child: both are in one group, and both end.
    let marker = format!("remit-marker-{}", std::process::id());
    let script =
        format!("sleep 300 {marker} & env > /dev/null; exec '{binary}' stdio hang {marker}");
    let script = script.replace(
        &format!("sleep 300 {marker}"),
        &format!("sh -c 'sleep 300; : {marker}'"),
    );
    let script = script.replace(&format!("stdio hang {marker}"), "stdio hang");
    let hang = program("hang", "/bin/sh", json!(["-c", script, marker]));
    let hang = text(
        &ada.post("/api/mcp-connections", hang)
            .await
            .expect(201)
            .body["id"],
    );
    let begun = Instant::now();
    while alive(&marker) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    ada.patch(
        &format!("/api/mcp-connections/{hang}"),
        json!({"enabled": false}),
    )
    .await
    .expect(200);
    let begun = Instant::now();
    while alive(&marker) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "still running");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    let missing = program("missing", "/nonexistent/server", json!([]));
    let missing = text(
        &ada.post("/api/mcp-connections", missing)
            .await
            .expect(201)
            .body["id"],
    );
    let row = until(&ada, &missing, is("failed")).await;
    assert_eq!(row["lastError"], "The program was not found.");
    // What it sees of the environment, told by a program that speaks no protocol.
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    let script = format!(
        "env | cut -d= -f1 | sort | tr '\\n' ' ' > '{}'",
        seen.display()
    );
    let env = program("env", "/bin/sh", json!(["-c", script]));
    let env = text(&ada.post("/api/mcp-connections", env).await.expect(201).body["id"]);
    until(&ada, &env, is("failed")).await;
    assert_eq!(
        std::fs::read_to_string(seen).unwrap().trim(),
        "HOME PATH PWD"
    );
}

#[tokio::test]
async fn programs_registered_earlier_are_not_started_without_the_option() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let body = json!({"name": "a", "transport": "stdio", "command": "/bin/true"});
    ada.post("/api/mcp-connections", body).await.expect(400);
    assert_eq!(
        ada.get("/api/config").await.body["features"]["stdioMcp"],
        false
    );
}
