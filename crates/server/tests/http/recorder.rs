//! An MCP server inside the test that answers as it is told and writes down what it was asked: for
//! tests of what is *not* sent, and of answers no library would give.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

/// What the server says.
#[derive(Default)]
pub(crate) struct Script {
    /// What it declares; `null` stands for skills with directory reads, and resources.
    pub capabilities: Value,
    /// Whether it knows `initialize` only.
    pub legacy: bool,
    /// Pages of `skills/list`; a page may be an error (`{"error": …}`).
    pub pages: Vec<Value>,
    /// Answers of `skills/get` by the address asked for.
    pub entries: HashMap<String, Value>,
    /// Texts of files.
    pub files: HashMap<String, String>,
    /// Children of directories.
    pub directories: HashMap<String, Value>,
    /// Methods that are never answered.
    pub hangs: Vec<&'static str>,
    /// The code of refusals, -32602 unless set.
    pub refusal: i64,
}

type Shared = Arc<(Mutex<Script>, Mutex<Vec<(String, Value)>>)>;

/// The running server; it ends with the test.
pub(crate) struct Recorder {
    pub url: String,
    shared: Shared,
}

impl Recorder {
    pub(crate) async fn start(script: Script) -> Self {
        let shared: Shared = Arc::new((Mutex::new(script), Mutex::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let refuse = || async { StatusCode::METHOD_NOT_ALLOWED };
        let router = Router::new()
            .route("/mcp", post(serve).get(refuse).delete(refuse))
            .with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            url: format!("http://localhost:{port}/mcp"),
            shared,
        }
    }

    /// Changes what the server says.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.shared.0.lock().unwrap());
    }

    /// The requests about skills and their files so far, with their addresses.
    pub(crate) fn asked(&self) -> Vec<(String, String)> {
        let log = self.shared.1.lock().unwrap();
        log.iter()
            .filter(|(method, _)| method.starts_with("skills/") || method.starts_with("resources/"))
            .map(|(method, params)| {
                let uri = params["uri"].as_str().unwrap_or_default();
                (method.clone(), uri.to_owned())
            })
            .collect()
    }

    /// How often a method was asked for.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.asked()
            .iter()
            .filter(|(asked, _)| asked == method)
            .count()
    }
}

async fn serve(State(shared): State<Shared>, Json(message): Json<Value>) -> Response {
    let Some(id) = message.get("id") else {
        return StatusCode::ACCEPTED.into_response();
    };
    let method = message["method"].as_str().unwrap_or_default();
    let params = &message["params"];
    shared
        .1
        .lock()
        .unwrap()
        .push((method.to_owned(), params.clone()));
    let hangs = shared.0.lock().unwrap().hangs.contains(&method);
    if hangs {
        tokio::time::sleep(Duration::from_hours(1)).await;
    }
    let answer = answer(&shared.0.lock().unwrap(), method, params);
    let mut body = json!({"jsonrpc": "2.0", "id": id});
    match answer {
        Ok(result) => body["result"] = result,
        Err((code, message)) => body["error"] = json!({"code": code, "message": message}),
    }
    Json(body).into_response()
}

fn complete(mut result: Value) -> Value {
    result["resultType"] = json!("complete");
    result["ttlMs"] = json!(60_000);
    result["cacheScope"] = json!("private");
    // As servers of the present revision add to each result.
    result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": {"name": "x", "version": "1"}});
    result
}

fn answer(script: &Script, method: &str, params: &Value) -> Result<Value, (i64, String)> {
    let uri = params["uri"].as_str().unwrap_or_default();
    let code = if script.refusal == 0 {
        -32602
    } else {
        script.refusal
    };
    let unknown = || (code, format!("nothing at {uri}"));
    let identity = json!({"name": "Recorder", "version": "1"});
    let capabilities = if script.capabilities.is_null() {
        json!({
            "tools": {}, "resources": {},
            "extensions": {"io.modelcontextprotocol/skills": {"directoryRead": true}},
        })
    } else {
        script.capabilities.clone()
    };
    match method {
        "server/discover" if !script.legacy => Ok(complete(json!({
            "supportedVersions": ["2026-07-28"], "capabilities": capabilities,
        }))),
        "initialize" => Ok(json!({
            "protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": identity,
        })),
        "tools/list" => Ok(complete(json!({"tools": []}))),
        "skills/list" => {
            let cursor = params["cursor"].as_str().unwrap_or("0");
            let page = cursor.parse::<usize>().ok();
            let page = page.and_then(|page| script.pages.get(page)).cloned();
            let page = page.unwrap_or_else(|| json!({"skills": []}));
            match page.get("error") {
                Some(error) => Err((-32603, error.as_str().unwrap_or_default().to_owned())),
                None => Ok(complete(page)),
            }
        }
        "skills/get" => {
            let entry = script.entries.get(uri).ok_or_else(unknown)?;
            Ok(complete(json!({"skill": entry})))
        }
        "resources/read" => {
            let text = script.files.get(uri).ok_or_else(unknown)?;
            Ok(complete(json!({"contents": [
                {"uri": "skill://another/SKILL.md", "text": "not asked for"},
                {"uri": uri, "text": text},
            ]})))
        }
        "resources/directory/read" => {
            let children = script.directories.get(uri).ok_or_else(unknown)?;
            Ok(complete(json!({"resources": children})))
        }
        _ => Err((-32601, "Method not found".to_owned())),
    }
}

/// `sha256:` and the digest of a text.
pub(crate) fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap();
    let hex: String = hash
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect();
    format!("sha256:{hex}")
}

/// A well-formed SKILL.md.
pub(crate) fn body(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\nText of {name}.\n")
}

/// The entry of a skill with these files, the first its SKILL.md.
pub(crate) fn entry(name: &str, files: &[(&str, &str)]) -> Value {
    let resources: Vec<Value> = files
        .iter()
        .map(|(uri, text)| json!({"uri": uri, "digest": digest(text), "size": text.len()}))
        .collect();
    json!({
        "uri": files[0].0,
        "frontmatter": {"name": name, "description": format!("Does {name}.")},
        "resources": resources,
    })
}
