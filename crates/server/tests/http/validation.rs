//! What is refused before anything is looked up, word for word (contract section 1.1).

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::Server;

#[tokio::test]
async fn fields_are_refused_in_the_known_words() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let long = |length: usize| "x".repeat(length);
    let cases: Vec<(Method, &str, Value, Value)> = vec![
        (
            Method::POST,
            "/api/auth/register",
            json!({"username": "ab", "email": "nope", "password": "PASS", "extra": 1}),
            json!([
                "property extra should not exist",
                "username must be longer than or equal to 3 characters",
                "email must be an email",
                "Password must be at least 8 chars and contain at least 1 lowercase letter and 1 number or special character",
                "password must be longer than or equal to 8 characters",
            ]),
        ),
        (
            Method::POST,
            "/api/auth/login",
            json!({"email": "x"}),
            json!([
                "email must be an email",
                "password should not be empty",
                "password must be a string",
            ]),
        ),
        (
            Method::POST,
            "/api/agents",
            json!({"scope": "tenant", "name": long(121), "title": long(201), "permissions": {"canFly": true}}),
            json!([
                "name must be shorter than or equal to 120 characters",
                "title must be shorter than or equal to 200 characters",
                "permissions.property canFly should not exist",
            ]),
        ),
        (
            Method::POST,
            "/api/agents",
            json!({"scope": "tenant", "name": "N", "initScript": "x", "guardrails": null, "committerEmail": "a@b"}),
            json!([
                "property guardrails should not exist",
                "property initScript should not exist",
                "committerEmail must be an email",
            ]),
        ),
        (
            Method::POST,
            "/api/agents",
            json!({
                "scope": "tenant", "name": "N", "maxSkillContextTokens": 20_001,
                "pauseAfterFailures": 0, "idleBehavior": "sleep", "environmentId": "e",
                "targets": [{"type": "planet", "x": 1}, 5], "permissions": [],
            }),
            json!([
                "environmentId must be a UUID",
                "maxSkillContextTokens must not be greater than 20000",
                "idleBehavior must be one of the following values: propose, noop, observe",
                "pauseAfterFailures must not be less than 1",
                "nested property permissions must be either object or array",
                "targets.0.property x should not exist",
                "targets.0.type must be one of the following values: mission, idea, work, wildcard",
                "each value in nested property targets must be either object or array",
            ]),
        ),
        (
            Method::PUT,
            "/api/tool-grants",
            json!({"scopeType": "agent", "scopeId": crate::harness::NOBODY, "allow": "x", "deny": [1], "note": long(501)}),
            json!([
                "each value in allow must match /^(\\*|[A-Za-z0-9_.:-]{1,120}\\*?)$/ regular expression",
                "allow must contain no more than 200 elements",
                "allow must be an array",
                "each value in deny must match /^(\\*|[A-Za-z0-9_.:-]{1,120}\\*?)$/ regular expression",
                "note must be shorter than or equal to 500 characters",
            ]),
        ),
        (
            Method::PUT,
            "/api/tool-grants",
            json!({"scopeType": "agent", "scopeId": crate::harness::NOBODY, "allow": vec!["x"; 201]}),
            json!(["allow must contain no more than 200 elements"]),
        ),
    ];
    for (method, path, body, expected) in cases {
        ada.send(method, path, Some(body))
            .await
            .refuses(400, expected);
    }
}

#[tokio::test]
async fn queries_are_refused_in_the_known_words() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for (query, expected) in [
        ("sort=name", json!(["property sort should not exist"])),
        ("limit=0", json!(["limit must not be less than 1"])),
        ("limit=201", json!(["limit must not be greater than 200"])),
        ("limit=2.5", json!(["limit must be an integer number"])),
        (
            "limit=abc",
            json!([
                "limit must not be greater than 200",
                "limit must not be less than 1",
                "limit must be an integer number",
            ]),
        ),
        ("offset=-1", json!(["offset must not be less than 0"])),
        (
            "status=gone",
            json!([
                "status must be one of the following values: draft, active, running, paused, error, archived"
            ]),
        ),
        ("workId=w", json!(["workId must be a UUID"])),
        (
            "workId=00000000-0000-0000-0000-000000000000",
            json!(["workId must be a UUID"]),
        ),
        (
            "search=a&search=b",
            json!([
                "search must be shorter than or equal to 80 characters",
                "search must be a string"
            ]),
        ),
    ] {
        ada.get(&format!("/api/agents?{query}"))
            .await
            .refuses(400, expected);
    }
    ada.get(&format!("/api/agents?search={}", "x".repeat(80)))
        .await
        .expect(200);
    ada.get("/api/access-summary")
        .await
        .refuses(400, json!(["agentIds must be a string"]));
    ada.get("/api/access-summary?agentIds=x")
        .await
        .refuses(400, json!(["each value in agentIds must be a UUID"]));
    let many = vec![crate::harness::NOBODY; 201].join(",");
    ada.get(&format!("/api/access-summary?agentIds={many}"))
        .await
        .refuses(
            400,
            json!(["agentIds must contain no more than 200 elements"]),
        );
}

#[tokio::test]
async fn bodies_that_are_not_objects() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let send = |kind: &'static str, body: String| {
        let request = ada
            .request(Method::PUT, "/api/tool-grants")
            .header("content-type", kind)
            .body(body);
        server.send(request)
    };
    let missing = json!([
        "scopeType must be one of the following values: tenant, organization, work, agent",
        "scopeId must be a UUID",
    ]);
    send("text/plain", "hello".to_owned())
        .await
        .refuses(400, missing.clone());
    send("application/json", "[]".to_owned())
        .await
        .refuses(400, missing.clone());
    send("application/json; charset=utf-8", String::new())
        .await
        .refuses(400, missing);
    for broken in ["{\"scopeType\":\"agent\",", "\"text\"", "nonsense"] {
        let refused = send("application/json", broken.to_owned())
            .await
            .expect(400);
        assert!(refused.body["message"].is_string(), "{}", refused.text);
    }
    let deep = format!("{{\"note\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    send("application/json", deep).await.expect(400);
    let expected = json!({"statusCode": 413, "message": "request entity too large"});
    let large = send(
        "application/json",
        format!("{{\"note\":\"{}\"}}", "x".repeat(1_100_000)),
    );
    assert_eq!(large.await.expect(413).body, expected);
    let within = send(
        "application/json",
        format!("{{\"note\":\"{}\"}}", "x".repeat(1_000_000)),
    );
    within.await.expect(400);
}

#[tokio::test]
async fn a_large_body_without_a_length_is_refused_as_well() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let chunk: Result<Vec<u8>, std::io::Error> = Ok(vec![b'x'; 300_000]);
    let chunks = futures_util::stream::iter((0..5).map(move |_| match &chunk {
        Ok(bytes) => Ok::<_, std::io::Error>(bytes.clone()),
        Err(_) => Ok(Vec::new()),
    }));
    let request = ada
        .request(Method::PUT, "/api/tool-grants")
        .header("content-type", "application/json")
        .body(reqwest::Body::wrap_stream(chunks));
    let answer = server.send(request).await.expect(413);
    assert_eq!(answer.body["message"], "request entity too large");
}

#[tokio::test]
async fn paths_and_methods_that_do_not_exist() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    for (method, path) in [
        (Method::GET, "/api/nope".to_owned()),
        (Method::GET, "/api".to_owned()),
        (Method::POST, format!("/api/agents/{agent}/capabilities")),
        (Method::OPTIONS, "/api/tool-grants".to_owned()),
    ] {
        let message = format!("Cannot {method} {path}");
        ada.send(method, &path, None).await.refuses(404, message);
    }
    ada.get("/api/agents/not-a-uuid")
        .await
        .refuses(400, "Validation failed (uuid is expected)");
    ada.get("/api/agents/%ff").await.expect(400);
}
