//! Starting servers and talking to them.

use std::net::SocketAddr;

use remit_server::app;
use remit_server::data_dir::DataDir;
use remit_server::state::{AppState, Settings};
use remit_server::store::Store;
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

/// A password that satisfies the rules.
pub(crate) const PASSWORD: &str = "correct horse 1";
/// An identifier of the right form that belongs to nothing.
pub(crate) const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// A running server; it ends with the test.
pub(crate) struct Server {
    pub state: AppState,
    pub url: String,
    pub client: reqwest::Client,
    _data: DataDir,
    _folder: TempDir,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Fails the test unless the status is the expected one.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// Fails the test unless this is a refusal in the usual form with that text or list.
    #[track_caller]
    pub(crate) fn refuses(self, status: u16, message: impl Into<Value>) -> Self {
        let error = StatusCode::from_u16(status).unwrap();
        let error = error.canonical_reason().unwrap();
        let expected = json!({"message": message.into(), "error": error, "statusCode": status});
        assert_eq!((self.status, &self.body), (status, &expected));
        self
    }
}

impl Server {
    /// A server that accepts any number of accounts and does not limit requests.
    pub(crate) async fn start() -> Self {
        Self::start_with(Settings {
            allow_registration: true,
            rate_limit: false,
            ..Settings::default()
        })
        .await
    }

    pub(crate) async fn start_with(settings: Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = DataDir::open(&folder.path().join("data")).unwrap();
        let store = Store::open(data.database()).await.unwrap();
        let state = AppState::new(store, settings).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = app(state.clone()).into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        let base = state.settings.base_path.trim_end_matches('/').to_owned();
        Self {
            state,
            url: format!("http://{address}{base}"),
            client: reqwest::Client::new(),
            _data: data,
            _folder: folder,
        }
    }

    /// Sends a request as it is.
    pub(crate) async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await.unwrap();
        Answer {
            status,
            headers,
            body: serde_json::from_str(&text).unwrap_or_default(),
            text,
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    /// A request without credentials.
    pub(crate) async fn anonymous(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let mut request = self.request(method, path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        self.send(request).await
    }

    /// Makes an account named after `name`.
    pub(crate) async fn register(&self, name: &str) -> Account<'_> {
        let body = json!({
            "username": name, "email": format!("{name}@acme.example"), "password": PASSWORD,
        });
        let answer = self
            .anonymous(Method::POST, "/api/auth/register", Some(body))
            .await
            .expect(201);
        Account {
            server: self,
            id: answer.body["user"]["id"].as_str().unwrap().to_owned(),
            token: answer.body["access_token"].as_str().unwrap().to_owned(),
        }
    }

    /// An account with a tenant, an organization and a Work, for tests of the whole chain.
    pub(crate) async fn owner(&self, name: &str) -> Owner<'_> {
        let account = self.register(name).await;
        let organization = account
            .post(
                "/api/organizations",
                json!({"name": format!("{name} Inc.")}),
            )
            .await
            .expect(201)
            .body;
        let work = json!({
            "slug": "site", "name": "Site", "description": "The site", "organization": false,
        });
        let work = account.post("/api/works", work).await.expect(200).body;
        Owner {
            tenant: text(&organization["tenantId"]),
            organization: text(&organization["id"]),
            work: text(&work["work"]["id"]),
            account,
        }
    }
}

/// A text inside an answer.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// An account that sends its bearer token.
#[derive(Clone)]
pub(crate) struct Account<'a> {
    pub server: &'a Server,
    pub id: String,
    pub token: String,
}

impl Account<'_> {
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.server.request(method, path).bearer_auth(&self.token)
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let mut request = self.request(method, path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        self.server.send(request).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PATCH, path, Some(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Makes a tenant agent and answers its id.
    pub(crate) async fn agent(&self, name: &str) -> String {
        let body = json!({"scope": "tenant", "name": name});
        text(&self.post("/api/agents", body).await.expect(201).body["id"])
    }

    /// Writes a grant row and answers it.
    pub(crate) async fn grant(&self, scope: &str, id: &str, content: Value) -> Value {
        let mut body = content;
        body["scopeType"] = json!(scope);
        body["scopeId"] = json!(id);
        self.put("/api/tool-grants", body).await.expect(200).body
    }
}

/// An account with something at every scope.
pub(crate) struct Owner<'a> {
    pub account: Account<'a>,
    pub tenant: String,
    pub organization: String,
    pub work: String,
}

impl<'a> std::ops::Deref for Owner<'a> {
    type Target = Account<'a>;

    fn deref(&self) -> &Account<'a> {
        &self.account
    }
}

impl Owner<'_> {
    /// Makes an agent of the Work and answers its id.
    pub(crate) async fn work_agent(&self, name: &str) -> String {
        let body = json!({"scope": "work", "workId": self.work, "name": name});
        text(&self.post("/api/agents", body).await.expect(201).body["id"])
    }
}
