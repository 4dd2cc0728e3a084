//! Accounts, sessions and API keys (contract section 2.3).

use remit_server::state::Settings;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{NOBODY, PASSWORD, Server, text};

async fn login(server: &Server, email: &str, password: &str) -> crate::harness::Answer {
    let body = json!({"email": email, "password": password});
    server
        .anonymous(Method::POST, "/api/auth/login", Some(body))
        .await
}

fn signed_in_as(answer: &Value, name: &str) {
    assert_eq!(answer["user"]["username"], name);
    assert_eq!(answer["access_token"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn only_the_first_owner_registers_unless_the_server_allows_more() {
    let server = Server::start_with(Settings::default()).await;
    let config = |answer: crate::harness::Answer| answer.body["auth"]["registrationOpen"].clone();
    assert_eq!(
        config(server.anonymous(Method::GET, "/api/config", None).await),
        true
    );
    server.register("ada").await;
    assert_eq!(
        config(server.anonymous(Method::GET, "/api/config", None).await),
        false
    );
    let body = json!({"username": "bob", "email": "bob@acme.example", "password": PASSWORD});
    let refused = server
        .anonymous(Method::POST, "/api/auth/register", Some(body))
        .await
        .expect(403);
    assert_eq!(refused.body["error"], "Forbidden");
    assert!(
        refused.body["message"]
            .as_str()
            .unwrap()
            .contains("--allow-registration")
    );

    let open = Server::start().await;
    open.register("ada").await;
    open.register("bob").await;
}

#[tokio::test]
async fn an_address_registers_once_in_any_case() {
    let server = Server::start().await;
    server.register("ada").await;
    let body = json!({"username": "Ada", "email": "ADA@acme.example", "password": PASSWORD});
    server
        .anonymous(Method::POST, "/api/auth/register", Some(body))
        .await
        .refuses(409, "User with this email already exists");
}

#[tokio::test]
async fn login_gives_a_working_token_and_hides_what_was_wrong() {
    let server = Server::start().await;
    server.register("ada").await;
    let answer = login(&server, "Ada@Acme.Example", PASSWORD)
        .await
        .expect(200);
    signed_in_as(&answer.body, "ada");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let wrong = json!({"statusCode": 401, "message": "Invalid email or password"});
    assert_eq!(
        login(&server, "ada@acme.example", "wrong")
            .await
            .expect(401)
            .body,
        wrong
    );
    assert_eq!(
        login(&server, "bob@acme.example", PASSWORD)
            .await
            .expect(401)
            .body,
        wrong
    );
}

#[tokio::test]
async fn five_failures_lock_an_address_known_or_not() {
    let server = Server::start().await;
    server.register("ada").await;
    for email in ["ada@acme.example", "nobody@acme.example"] {
        for _ in 0..5 {
            let answer = login(&server, email, "wrong").await.expect(401);
            assert_eq!(answer.body["message"], "Invalid email or password");
        }
        let locked = login(&server, email, PASSWORD).await.expect(401);
        let message = locked.body["message"].as_str().unwrap().to_owned();
        assert!(
            message.starts_with("Account temporarily locked"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn logout_ends_one_session_and_logout_all_every_one() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let token = |answer: crate::harness::Answer| text(&answer.body["access_token"]);
    let mut second = ada.clone();
    second.token = token(login(&server, "ada@acme.example", PASSWORD).await);
    let mut third = ada.clone();
    third.token = token(login(&server, "ada@acme.example", PASSWORD).await);

    let done = second.post("/api/auth/logout", json!({})).await.expect(200);
    assert_eq!(done.body, json!({"message": "Logged out successfully"}));
    second.get("/api/agents").await.expect(401);
    ada.get("/api/agents").await.expect(200);
    third
        .post("/api/auth/logout-all", json!({}))
        .await
        .expect(200);
    ada.get("/api/agents").await.expect(401);
    third.get("/api/agents").await.expect(401);
}

#[tokio::test]
async fn a_session_ends_by_itself() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let mut writing = server.state.store.write().await.unwrap();
    sqlx::query("UPDATE sessions SET expires_at = $1")
        .bind(remit_server::clock::now() - 1)
        .execute(&mut *writing)
        .await
        .unwrap();
    server.state.commit(writing).await.unwrap();
    let refused = ada.get("/api/auth/profile").await.expect(401);
    assert_eq!(
        refused.body,
        json!({"message": "Unauthorized", "statusCode": 401})
    );
}

#[tokio::test]
async fn profiles_tell_sessions_from_keys() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let profile = ada.get("/api/auth/profile").await.expect(200).body;
    let expected = json!({
        "id": ada.id, "userId": ada.id, "email": "ada@acme.example", "username": "ada",
        "provider": "local", "emailVerified": false, "isActive": true, "avatar": null,
        "isAnonymous": false,
    });
    assert_eq!(profile, expected);
    let fresh = ada.get("/api/auth/profile/fresh").await.expect(200).body;
    assert_eq!(
        (&fresh["slug"], &fresh["tenantId"]),
        (&json!("ada"), &Value::Null)
    );

    let made = ada
        .post("/api/auth/api-keys", json!({"name": "ci"}))
        .await
        .expect(201);
    let mut by_key = ada.clone();
    by_key.token = text(&made.body["key"]);
    let profile = by_key.get("/api/auth/profile").await.expect(200).body;
    assert!(profile.get("isAnonymous").is_none());
    by_key.get("/api/auth/session").await.expect(401);
}

#[tokio::test]
async fn api_keys_are_shown_once_and_stop_when_deleted() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let made = ada
        .post("/api/auth/api-keys", json!({"name": "ci"}))
        .await
        .expect(201)
        .body;
    let key = text(&made["key"]);
    assert_eq!(key.len(), 72);
    assert_eq!(text(&made["prefix"]), key[..12]);
    assert_eq!(made["expiresAt"], Value::Null);
    let list = ada.get("/api/auth/api-keys").await.expect(200);
    assert!(!list.text.contains(&key));
    assert_eq!(list.body[0]["lastUsedAt"], Value::Null);

    let by_header = server
        .request(Method::GET, "/api/agents")
        .header("x-api-key", &key);
    server.send(by_header).await.expect(200);
    let mut by_bearer = ada.clone();
    by_bearer.token.clone_from(&key);
    by_bearer.get("/api/agents").await.expect(200);
    let list = ada.get("/api/auth/api-keys").await.expect(200).body;
    assert!(list[0]["lastUsedAt"].is_string());

    // The scheme must be spelled exactly for a key; otherwise it is taken for a session token.
    let lower = server
        .request(Method::GET, "/api/agents")
        .header("authorization", format!("bearer {key}"));
    assert_eq!(
        server.send(lower).await.expect(401).body["message"],
        "Unauthorized"
    );
    let path = format!("/api/auth/api-keys/{}", text(&made["id"]));
    ada.delete(&path).await.expect(200);
    by_bearer
        .get("/api/agents")
        .await
        .refuses(401, "Invalid or expired API key");
    ada.delete(&path).await.refuses(404, "API key not found");
    ada.delete(&format!("/api/auth/api-keys/{NOBODY}"))
        .await
        .refuses(404, "API key not found");
}

#[tokio::test]
async fn a_bad_key_is_refused_even_beside_a_good_session() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let request = server
        .request(Method::GET, "/api/agents")
        .header(
            "authorization",
            format!("Bearer ew_live_{}", "0".repeat(64)),
        )
        .header("cookie", format!("remit_session={}", ada.token));
    server
        .send(request)
        .await
        .refuses(401, "Invalid or expired API key");
}

#[tokio::test]
async fn api_keys_have_limits() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let path = "/api/auth/api-keys";
    let past = json!({"name": "old", "expiresAt": "2020-01-01T00:00:00Z"});
    ada.post(path, past)
        .await
        .refuses(400, "Expiration date must be in the future");
    let soon = json!({"name": "odd", "expiresAt": "soon"});
    ada.post(path, soon).await.refuses(
        400,
        json!(["expiresAt must be a valid ISO 8601 date string"]),
    );
    let later = json!({"name": "later", "expiresAt": "2999-01-01T00:00:00Z"});
    let made = ada.post(path, later).await.expect(201).body;
    assert_eq!(made["expiresAt"], "2999-01-01T00:00:00.000Z");
    for number in 1..10 {
        ada.post(path, json!({"name": format!("key {number}")}))
            .await
            .expect(201);
    }
    ada.post(path, json!({"name": "eleventh"}))
        .await
        .refuses(400, "Maximum of 10 API keys allowed per user");
    let list = ada.get(path).await.expect(200).body;
    let names: Vec<&str> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|key| key["name"].as_str().unwrap())
        .collect();
    assert_eq!((names[0], names[9]), ("key 9", "later"), "newest first");
}

#[tokio::test]
async fn secrets_are_stored_as_hashes_only() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let made = ada
        .post("/api/auth/api-keys", json!({"name": "ci"}))
        .await
        .expect(201)
        .body;
    let mut reading = server.state.store.read().await.unwrap();
    let rows: Vec<(String,)> = sqlx::query_as(
        "SELECT token_hash FROM sessions UNION ALL SELECT key_hash FROM api_keys \
         UNION ALL SELECT password_hash FROM users",
    )
    .fetch_all(&mut *reading)
    .await
    .unwrap();
    assert_eq!(rows.len(), 3);
    for (stored,) in rows {
        assert!(stored != ada.token && stored != text(&made["key"]) && stored != PASSWORD);
        assert!(stored.len() == 64 || stored.starts_with("$argon2id$"));
    }
}

#[tokio::test]
async fn the_sign_in_link_works_once() {
    let server = Server::start().await;
    server.register("ada").await;
    server.register("bob").await;
    let token = server.state.new_link().unwrap();
    let link = |token: &str| {
        let body = json!({"token": token});
        server.anonymous(Method::POST, "/api/auth/link", Some(body))
    };
    let wrong = link("0123").await.expect(401);
    assert!(wrong.body.get("error").is_none());
    let answer = link(&token).await.expect(200);
    signed_in_as(&answer.body, "ada");
    assert!(answer.header("set-cookie").unwrap().contains("HttpOnly"));
    link(&token).await.expect(401);
    let replaced = server.state.new_link().unwrap();
    let newer = server.state.new_link().unwrap();
    link(&replaced).await.expect(401);
    link(&newer).await.expect(200);
}
