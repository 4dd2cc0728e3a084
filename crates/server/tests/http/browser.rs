//! Signing in with a browser: the cookie, the CSRF token, and requests of other sites.

use remit_server::state::Settings;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, Server, text};

/// A browser with a session cookie.
struct Browser<'a> {
    server: &'a Server,
    cookie: String,
    csrf: String,
}

async fn browser(server: &Server) -> Browser<'_> {
    let ada = server.register("ada").await;
    let cookie = format!("other=1; remit_session={}", ada.token);
    let request = server
        .request(Method::GET, "/api/auth/session")
        .header("cookie", &cookie);
    let session = server.send(request).await.expect(200).body;
    Browser {
        server,
        csrf: text(&session["csrfToken"]),
        cookie,
    }
}

impl Browser<'_> {
    async fn create(&self, name: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self
            .server
            .request(Method::POST, "/api/agents")
            .header("cookie", &self.cookie)
            .json(&json!({"scope": "tenant", "name": name}));
        for (header, value) in headers {
            request = request.header(*header, *value);
        }
        self.server.send(request).await
    }
}

#[tokio::test]
async fn the_session_tells_who_until_when_and_the_csrf_token() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let request = server
        .request(Method::GET, "/api/auth/session")
        .header("cookie", format!("remit_session={}", ada.token));
    let session = server.send(request).await.expect(200).body;
    assert_eq!(session["user"]["username"], "ada");
    assert_eq!(text(&session["csrfToken"]).len(), 64);
    let end = text(&session["expiresAt"]);
    let end = remit_server::clock::from_iso(&end).unwrap();
    let days = (end - remit_server::clock::now()) / 86_400_000;
    assert!((6..=7).contains(&days), "{days}");
}

#[tokio::test]
async fn cookie_writes_need_the_csrf_token() {
    let server = Server::start().await;
    let browser = browser(&server).await;
    browser.create("One", &[]).await.expect(403);
    browser
        .create("One", &[("x-csrf-token", "wrong")])
        .await
        .expect(403);
    let near = browser.csrf.replace(&browser.csrf[..1], "z");
    browser
        .create("One", &[("x-csrf-token", &near)])
        .await
        .expect(403);
    let right = [("x-csrf-token", browser.csrf.as_str())];
    browser.create("One", &right).await.expect(201);
}

#[tokio::test]
async fn cookie_writes_come_from_the_own_origin_only() {
    let server = Server::start().await;
    let browser = browser(&server).await;
    let csrf = ("x-csrf-token", browser.csrf.as_str());
    let own = server.url.clone();
    for (name, header, allowed) in [
        ("A", ("origin", own.as_str()), true),
        ("B", ("origin", "https://evil.example"), false),
        ("C", ("origin", "null"), false),
        ("D", ("origin", "http://127.0.0.1:1"), false),
        ("E", ("sec-fetch-site", "same-origin"), true),
        ("F", ("sec-fetch-site", "none"), true),
        ("G", ("sec-fetch-site", "same-site"), false),
        ("H", ("sec-fetch-site", "cross-site"), false),
    ] {
        let answer = browser.create(name, &[csrf, header]).await;
        let status = if allowed { 201 } else { 403 };
        assert_eq!(answer.status, status, "{header:?}: {}", answer.text);
    }
}

#[tokio::test]
async fn bearer_tokens_need_no_csrf_token_from_anywhere() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let request = ada
        .request(Method::POST, "/api/agents")
        .header("origin", "https://other.example")
        .json(&json!({"scope": "tenant", "name": "One"}));
    server.send(request).await.expect(201);
}

#[tokio::test]
async fn the_cookie_is_for_this_site_and_path_only() {
    let settings = |secure_cookie, base: &str| Settings {
        secure_cookie,
        base_path: base.to_owned(),
        ..Settings::default()
    };
    let plain = Server::start_with(settings(false, "/")).await;
    let body = json!({"username": "ada", "email": "ada@acme.example", "password": PASSWORD});
    let register = |server: &Server| {
        server
            .request(Method::POST, "/api/auth/register")
            .json(&body)
    };
    let answer = plain.send(register(&plain)).await.expect(201);
    let cookie = answer.header("set-cookie").unwrap();
    let token = text(&answer.body["access_token"]);
    assert_eq!(
        cookie,
        format!("remit_session={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800")
    );

    let mounted = Server::start_with(settings(true, "/ops/")).await;
    let answer = mounted.send(register(&mounted)).await.expect(201);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.ends_with("; Path=/ops/; Max-Age=604800; Secure"),
        "{cookie}"
    );
    let request = mounted
        .request(Method::POST, "/api/auth/logout")
        .bearer_auth(text(&answer.body["access_token"]));
    let answer = mounted.send(request).await.expect(200);
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
}

#[tokio::test]
async fn another_sites_login_gets_no_cookie() {
    let server = Server::start().await;
    server.register("ada").await;
    let request = server
        .request(Method::POST, "/api/auth/login")
        .header("origin", "https://other.example")
        .json(&json!({"email": "ada@acme.example", "password": PASSWORD}));
    let answer = server.send(request).await.expect(200);
    assert_eq!(answer.header("set-cookie"), None);
    assert!(answer.body["access_token"].is_string());
    let form = server
        .request(Method::POST, "/api/auth/login")
        .header("content-type", "text/plain")
        .body(r#"{"email":"ada@acme.example","password":"correct horse 1"}"#);
    let refused = server.send(form).await.expect(400).body;
    assert!(
        matches!(refused["message"], Value::Array(_)),
        "a form post is no login"
    );
}
