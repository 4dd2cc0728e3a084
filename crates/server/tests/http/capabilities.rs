//! The composed read, its freshness and its conditional form (contract section 4).

use remit_server::state::Settings;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Server, text};

fn tool<'a>(view: &'a Value, name: &str) -> &'a Value {
    let tools = view["tools"].as_array().unwrap();
    tools.iter().find(|tool| tool["name"] == name).unwrap()
}

#[tokio::test]
async fn the_whole_catalog_with_verdicts() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let agent = ada.work_agent("Coder").await;
    let path = format!("/api/agents/{agent}/capabilities");
    ada.grant(
        "organization",
        &ada.organization,
        json!({"deny": ["search*"]}),
    )
    .await;
    let row = ada
        .grant(
            "agent",
            &agent,
            json!({"deny": ["getActivity"], "note": "n"}),
        )
        .await;
    let view = ada.get(&path).await.expect(200).body;
    assert_eq!(view["agentId"], agent.as_str());
    assert_eq!(view["tools"].as_array().unwrap().len(), 30);
    let own = json!({"id": row["id"], "allow": null, "deny": ["getActivity"], "note": "n", "revision": 1});
    assert_eq!(view["agentGrantRow"], own);
    let search = tool(&view, "searchWeb");
    assert_eq!(search["gatedByPermission"], "canCallExternalTools");
    assert_eq!(search["permissionEnabled"], false);
    assert_eq!(search["decision"]["source"], "organization");
    let open = tool(&view, "getKbDocument");
    assert_eq!(
        open["decision"],
        json!({"allowed": true, "toolName": "getKbDocument", "source": "default"})
    );
    assert_eq!(
        (&open["effective"], &open["gatedByPermission"]),
        (&json!(true), &Value::Null)
    );
    let resolved = ada
        .get(&format!("/api/tool-grants/resolve?agentId={agent}"))
        .await
        .body;
    assert_eq!(view["grants"], resolved);
}

#[tokio::test]
async fn every_change_is_seen_at_once() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let agent = ada.work_agent("Coder").await;
    let path = format!("/api/agents/{agent}/capabilities");
    let read = async || ada.get(&path).await.expect(200).body;
    let effective = async |name: &str| tool(&read().await, name)["effective"].clone();
    assert_eq!(effective("getActivity").await, true);
    let row = ada
        .grant("tenant", &ada.tenant, json!({"deny": ["getActivity"]}))
        .await;
    assert_eq!(effective("getActivity").await, false);
    ada.delete(&format!("/api/tool-grants/{}", text(&row["id"])))
        .await
        .expect(200);
    assert_eq!(effective("getActivity").await, true);
    assert_eq!(effective("searchWeb").await, false);
    let patch = json!({"permissions": {"canCallExternalTools": true}, "initScript": "echo 1\n"});
    ada.patch(&format!("/api/agents/{agent}"), patch)
        .await
        .expect(200);
    assert_eq!(effective("searchWeb").await, true);
    assert_eq!(read().await["initScript"], "echo 1\n");
    for number in 0..50 {
        let deny = if number % 2 == 0 {
            json!(["get*"])
        } else {
            json!([])
        };
        ada.grant("work", &ada.work, json!({"deny": deny})).await;
        assert_eq!(
            effective("getActivity").await,
            number % 2 == 1,
            "write {number}"
        );
    }
}

#[tokio::test]
async fn unchanged_answers_are_304() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    for path in [
        format!("/api/agents/{agent}/capabilities"),
        format!("/api/agents/{agent}"),
        "/api/agents".to_owned(),
        "/api/tool-grants".to_owned(),
    ] {
        let first = ada.get(&path).await.expect(200);
        let tag = first.header("etag").unwrap().to_owned();
        assert!(tag.starts_with("W/\""), "{tag}");
        assert_eq!(first.header("cache-control"), Some("private, no-cache"));
        let again = |tag: &str| {
            let request = ada.request(Method::GET, &path).header("if-none-match", tag);
            server.send(request)
        };
        let same = again(&tag).await.expect(304);
        assert_eq!(
            (same.text.as_str(), same.header("etag")),
            ("", Some(tag.as_str()))
        );
        again("\"other\"").await.expect(200);
        again(&format!("\"other\", {tag}")).await.expect(304);
        ada.grant("agent", &agent, json!({"deny": [tag.len().to_string()]}))
            .await;
        ada.patch(&format!("/api/agents/{agent}"), json!({"title": path}))
            .await
            .expect(200);
        again(&tag).await.expect(200);
    }
}

#[tokio::test]
async fn answers_are_compressed_when_asked_for() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let path = format!("/api/agents/{agent}/capabilities");
    let plain = ada.get(&path).await.expect(200);
    assert_eq!(plain.header("content-encoding"), None);
    for (path, accept, encoding) in [
        (path.as_str(), "gzip, deflate, br", Some("gzip")),
        (path.as_str(), "br;q=1.0, gzip;q=0", None),
        ("/api/activity-log", "gzip", Some("gzip")),
    ] {
        let request = ada
            .request(Method::GET, path)
            .header("accept-encoding", accept);
        let response = request.send().await.unwrap();
        let used = response.headers().get("content-encoding");
        assert_eq!(
            used.map(|value| value.to_str().unwrap()),
            encoding,
            "{path} {accept}"
        );
        if encoding.is_some() && path.ends_with("capabilities") {
            let bytes = response.bytes().await.unwrap();
            let mut text = String::new();
            std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut text)
                .unwrap();
            assert_eq!(text, plain.text);
        }
    }
}

#[tokio::test]
async fn the_catalog_can_be_enlarged_for_measurements() {
    let server = Server::start_with(Settings {
        rate_limit: false,
        tools: 1_000,
        ..Settings::default()
    })
    .await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let view = ada
        .get(&format!("/api/agents/{agent}/capabilities"))
        .await
        .expect(200)
        .body;
    let tools = view["tools"].as_array().unwrap();
    let mut names: Vec<String> = tools.iter().map(|tool| text(&tool["name"])).collect();
    assert_eq!(names.len(), 1_000);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 1_000);
}

#[tokio::test]
async fn summaries_add_up_and_leave_strangers_out() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let eve = server.register("eve").await;
    let one = ada.work_agent("One").await;
    let two = ada.agent("Two").await;
    let foreign = eve.agent("Three").await;
    ada.grant(
        "agent",
        &one,
        json!({"deny": ["getActivity", "getKbDocument"]}),
    )
    .await;
    ada.grant("tenant", &ada.tenant, json!({"deny": ["list_*"]}))
        .await;
    let path = format!("/api/access-summary?agentIds={two},{foreign},{one}");
    let data = ada.get(&path).await.expect(200).body["data"].clone();
    let expected = json!([
        {"agentId": two, "on": 10, "offHere": 0, "deniedAbove": 4, "permissionOff": 16},
        {"agentId": one, "on": 8, "offHere": 2, "deniedAbove": 4, "permissionOff": 16},
    ]);
    assert_eq!(data, expected);
}
