//! Request limits and cross-origin rules (contract sections 1.3 and 2.2).

use remit_server::state::Settings;
use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, Server};

#[tokio::test]
async fn limits_are_told_and_enforced_per_route() {
    let server = Server::start_with(Settings::default()).await;
    let health = server
        .anonymous(Method::GET, "/api/health", None)
        .await
        .expect(200);
    for (name, value) in [
        ("x-ratelimit-limit-short", "50"),
        ("x-ratelimit-limit-medium", "300"),
        ("x-ratelimit-limit-long", "1000"),
        ("x-ratelimit-remaining-long", "999"),
        ("x-ratelimit-reset-long", "60"),
    ] {
        assert_eq!(health.header(name), Some(value), "{name}");
    }
    assert_eq!(health.header("x-ratelimit-limit"), None);

    let body = json!({"email": "a@b.example", "password": "x"});
    let login = || server.anonymous(Method::POST, "/api/auth/login", Some(body.clone()));
    for _ in 0..10 {
        assert_eq!(
            login().await.expect(401).header("x-ratelimit-limit-long"),
            Some("10")
        );
    }
    let refused = login().await.expect(429);
    let expected = json!({"statusCode": 429, "message": "ThrottlerException: Too Many Requests"});
    assert_eq!(refused.body, expected);
    assert_eq!(refused.header("retry-after-long"), Some("60"));
    assert_eq!(refused.header("retry-after-short"), None);
    server
        .anonymous(Method::GET, "/api/health", None)
        .await
        .expect(200);
}

#[tokio::test]
async fn agent_writes_are_counted_per_account() {
    let server = Server::start_with(Settings {
        allow_registration: true,
        ..Settings::default()
    })
    .await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    for number in 0..30 {
        let body = json!({"scope": "tenant", "name": format!("A{number}")});
        let made = ada.post("/api/agents", body).await.expect(201);
        assert_eq!(made.header("x-ratelimit-limit-long"), Some("30"));
    }
    let body = json!({"scope": "tenant", "name": "One more"});
    ada.post("/api/agents", body.clone()).await.expect(429);
    eve.post("/api/agents", body).await.expect(201);
    ada.get("/api/agents").await.expect(200);
}

async fn preflight(server: &Server, origin: &str) -> Answer {
    let request = server
        .request(Method::OPTIONS, "/api/tool-grants")
        .header("origin", origin)
        .header("access-control-request-method", "PUT")
        .header(
            "access-control-request-headers",
            "authorization,content-type",
        );
    server.send(request).await
}

#[tokio::test]
async fn listed_origins_may_call_and_others_may_not() {
    let console = "https://console.example";
    let server = Server::start_with(Settings {
        allowed_origins: vec![console.to_owned()],
        ..Settings::default()
    })
    .await;
    let allowed = preflight(&server, console).await.expect(204);
    for (name, value) in [
        ("access-control-allow-origin", console),
        ("access-control-allow-credentials", "true"),
        (
            "access-control-allow-methods",
            "GET,POST,PUT,DELETE,PATCH,OPTIONS",
        ),
        ("access-control-allow-headers", "Content-Type,Authorization"),
    ] {
        assert_eq!(allowed.header(name), Some(value), "{name}");
    }
    let varies = |answer: &Answer| {
        let values = answer.headers.get_all("vary").iter();
        values
            .map(|value| value.to_str().unwrap().to_owned())
            .any(|value| value == "Origin")
    };
    assert!(varies(&allowed));
    for origin in [
        "https://evil.example",
        "null",
        "https://console.example.evil",
    ] {
        let refused = preflight(&server, origin).await;
        assert_eq!(refused.header("access-control-allow-origin"), None);
        refused.refuses(404, "Cannot OPTIONS /api/tool-grants");
        let request = server
            .request(Method::GET, "/api/health")
            .header("origin", origin);
        let answer = server.send(request).await.expect(200);
        assert_eq!(answer.header("access-control-allow-origin"), None);
        assert!(varies(&answer));
    }
    let request = server
        .request(Method::GET, "/api/agents")
        .header("origin", console);
    let answer = server.send(request).await.expect(401);
    assert_eq!(answer.header("access-control-allow-origin"), Some(console));
}

#[tokio::test]
async fn without_listed_origins_nothing_is_allowed() {
    let server = Server::start().await;
    let refused = preflight(&server, "http://localhost:3000").await;
    refused.refuses(404, "Cannot OPTIONS /api/tool-grants");
}

#[tokio::test]
async fn health_and_config_say_what_is_there() {
    let server = Server::start().await;
    let get = |path| server.anonymous(Method::GET, path, None);
    let health = json!({"status": "success", "message": "API is up and running"});
    assert_eq!(get("/api/health").await.expect(200).body, health);
    let ready = get("/api/health/ready").await.expect(200).body;
    assert_eq!(ready["info"], json!({"database": {"status": "up"}}));
    let config = get("/api/config").await.expect(200).body;
    assert_eq!(config["features"]["grantRevisions"], true);
    assert_eq!(config["features"]["events"], true);
    assert_eq!(config["limits"]["bodyLimit"], 1_048_576);
    let providers = json!({"emailPassword": true, "magicLink": false, "socialProviders": []});
    assert_eq!(get("/api/auth/providers").await.expect(200).body, providers);
    let mounted = Server::start_with(Settings {
        base_path: "/ops/".to_owned(),
        ..Settings::default()
    })
    .await;
    mounted
        .anonymous(Method::GET, "/api/health", None)
        .await
        .expect(200);
    let outside = mounted.url.replace("/ops", "");
    let answer = mounted
        .send(mounted.client.get(format!("{outside}/api/health")))
        .await;
    assert_eq!(answer.status, 404);
}
