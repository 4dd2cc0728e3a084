//! Servers that misbehave, made by hand so that no library puts them right. They speak both ways
//! of negotiating.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::{Failure, bad_skills};

/// What can go wrong. The first thirteen are about skills, see [`bad_skills`].
pub(crate) const MODES: [&str; 37] = [
    "nosize",
    "noresources",
    "badstring",
    "dynamic",
    "nodesc",
    "allowlist",
    "mismatch",
    "upper",
    "escape",
    "loop",
    "empty",
    "tampered",
    "frontmatter",
    // Never answers anything; answers everything but the tools.
    "hang",
    "hang-tools",
    // 10,001 tools; names of 200 characters; control characters and direction overrides.
    "many",
    "long",
    "controls",
    // The cursor of the tool list comes again and again; each page has another cursor, for ever.
    "cursor",
    "endless",
    // One tool without a schema and one without a name beside a good one.
    "odd-tools",
    // Two tools whose names become one; a tool named like another in other letters.
    "clash",
    // No tools at all; declared, but the method is not there.
    "no-tools",
    "undeclared-tools",
    // Knows `initialize` only; offers only a version nobody knows.
    "legacy",
    "future",
    // Status codes; a redirect to another host; a web page; a body that never ends.
    "401",
    "403",
    "404",
    "500",
    "redirect",
    "page",
    "huge",
    // Repeats the Authorization header it was sent in its error.
    "echo",
    // Says that its tools changed, thousands of times a second, on a stream that never ends.
    "flood",
    // A server name of 5,000 characters; ends after the first answer (stdio).
    "label",
    "quit",
];

const DISCOVER: &str = "2026-07-28";
const INITIALIZE: &str = "2025-11-25";

fn known(mode: &str) -> Result<&'static str, Failure> {
    let found = MODES.iter().copied().find(|known| *known == mode);
    found.ok_or_else(|| format!("unknown mode {mode}; modes: {}", MODES.join(" ")).into())
}

fn capabilities(mode: &str) -> Value {
    let mut all = json!({
        "tools": {"listChanged": mode == "flood"},
        "resources": {},
        "extensions": {"io.modelcontextprotocol/skills": {}},
    });
    if mode == "no-tools"
        && let Some(all) = all.as_object_mut()
    {
        all.remove("tools");
    }
    all
}

fn tool(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

fn tools(mode: &str, params: &Value) -> Value {
    let page: usize = params["cursor"]
        .as_str()
        .and_then(|cursor| cursor.parse().ok())
        .unwrap_or_default();
    let list: Vec<Value> = match mode {
        "many" => (0..10_001)
            .map(|number| tool(&format!("tool_{number}"), "One of very many."))
            .collect(),
        "long" => (0..3)
            .map(|number| tool(&format!("{number}{}", "x".repeat(199)), "A long name."))
            .chain([tool(&"y".repeat(112), "A name for prefixes only.")])
            .collect(),
        "controls" => vec![
            tool(
                "bell\u{7}",
                "Rings\u{7} and \u{202e}sdrawkcab sdaer\u{202c}.",
            ),
            tool("safe\u{202e}gnihtemos", "Line one\nline two\u{0}"),
            tool("<img src=x onerror=alert(1)>", "<b>bold</b>"),
        ],
        "odd-tools" => vec![
            tool("good", "Fine."),
            json!({"name": "no_schema", "description": 7}),
            json!({"description": "nameless"}),
            json!("not an object"),
        ],
        "clash" => vec![
            tool("a b", "The first."),
            tool("a.b", "The second."),
            tool("A_B", "The third."),
        ],
        "endless" => vec![tool(&format!("tool_{page}"), "")],
        _ => vec![
            tool("search", "Finds things."),
            tool("write", "Writes things."),
        ],
    };
    let mut result =
        json!({"tools": list, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"});
    if let Some(result) = result.as_object_mut() {
        match mode {
            "cursor" => {
                result.insert("nextCursor".to_owned(), json!("same"));
            }
            "endless" => {
                result.insert("nextCursor".to_owned(), json!((page + 1).to_string()));
            }
            _ => {}
        }
    }
    result
}

/// The answer to one message; `None` for no answer at all.
fn answer(mode: &str, message: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let method = message.get("method")?.as_str()?;
    let params = message.get("params").cloned().unwrap_or_default();
    let name = if mode == "label" {
        "x".repeat(5_000)
    } else {
        format!("bad {mode}")
    };
    let identity = json!({"name": name, "version": "0.0.1"});
    let result = match (mode, method) {
        ("hang", _) | ("hang-tools", "tools/list") => return None,
        ("legacy", "server/discover") | ("undeclared-tools", "tools/list") => {
            Err((-32601, "Method not found"))
        }
        (_, "server/discover") => Ok(json!({
            "supportedVersions": [if mode == "future" { "2099-01-01" } else { DISCOVER }],
            "capabilities": capabilities(mode),
            "_meta": {"io.modelcontextprotocol/serverInfo": identity},
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
        })),
        (_, "initialize") => Ok(json!({
            "protocolVersion": INITIALIZE,
            "capabilities": capabilities(mode),
            "serverInfo": identity,
        })),
        (_, "tools/list") => Ok(tools(mode, &params)),
        (_, "ping") => Ok(json!({})),
        (_, method) => bad_skills::answer(mode, method, &params),
    };
    Some(match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err((code, text)) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
        }
    })
}

async fn serve(State(mode): State<&'static str>, headers: HeaderMap, body: String) -> Response {
    let status = |status: StatusCode| (status, "no").into_response();
    match mode {
        "401" => {
            let challenge = [(WWW_AUTHENTICATE, "Bearer realm=\"peer\"")];
            return (StatusCode::UNAUTHORIZED, challenge, "no").into_response();
        }
        "403" => return status(StatusCode::FORBIDDEN),
        "404" => return status(StatusCode::NOT_FOUND),
        "500" => return status(StatusCode::INTERNAL_SERVER_ERROR),
        "redirect" => {
            let elsewhere = [(LOCATION, "http://169.254.169.254/latest/meta-data/")];
            return (StatusCode::TEMPORARY_REDIRECT, elsewhere).into_response();
        }
        "page" => return ([(CONTENT_TYPE, "text/html")], "<h1>Hello</h1>").into_response(),
        "huge" => {
            let chunk = || Ok::<_, std::io::Error>(vec![b' '; 65_536]);
            let endless = futures(chunk);
            let json = [(CONTENT_TYPE, "application/json")];
            return (json, Body::from_stream(endless)).into_response();
        }
        _ => {}
    }
    let message: Value = serde_json::from_str(&body).unwrap_or_default();
    if mode == "echo" {
        let sent = headers
            .get("authorization")
            .and_then(|value| value.to_str().ok());
        let text = format!("I do not like {}", sent.unwrap_or("nothing"));
        let error = json!({"code": -32000, "message": text});
        let body = json!({"jsonrpc": "2.0", "id": message["id"], "error": error});
        return axum::Json(body).into_response();
    }
    if mode == "flood" && message["method"] == "subscriptions/listen" {
        return flood(message["id"].clone());
    }
    match answer(mode, &message) {
        Some(answer) => axum::Json(answer).into_response(),
        None if message.get("id").is_none() => StatusCode::ACCEPTED.into_response(),
        // Holds the request open.
        None => {
            tokio::time::sleep(Duration::from_hours(1)).await;
            StatusCode::GATEWAY_TIMEOUT.into_response()
        }
    }
}

/// A stream that never ends.
fn futures<T>(mut next: impl FnMut() -> T) -> impl futures_util::Stream<Item = T> {
    futures_util::stream::poll_fn(move |_| std::task::Poll::Ready(Some(next())))
}

/// An event stream that acknowledges, then says without end that the tools changed.
fn flood(id: Value) -> Response {
    let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
    let event = |message: Value| format!("data: {message}\n\n");
    let acknowledged = event(json!({
        "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": meta, "notifications": {"toolsListChanged": true}},
    }));
    let changed = event(json!({
        "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": meta},
    }));
    let mut first = Some(acknowledged);
    let stream =
        futures(move || Ok::<_, std::io::Error>(first.take().unwrap_or_else(|| changed.clone())));
    let kind = [(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"))];
    (kind, Body::from_stream(stream)).into_response()
}

/// The server over HTTP.
pub(crate) fn router(mode: &str) -> Result<Router, Failure> {
    let mode = known(mode)?;
    let refuse = || async { StatusCode::METHOD_NOT_ALLOWED };
    Ok(Router::new()
        .route("/mcp", post(serve).get(refuse))
        .with_state(mode))
}

/// The server over standard input and output.
pub(crate) async fn stdio(mode: &str) -> Result<(), Failure> {
    let mode = known(mode)?;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut output = tokio::io::stdout();
    while let Some(line) = lines.next_line().await? {
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        if let Some(answer) = answer(mode, &message) {
            output.write_all(format!("{answer}\n").as_bytes()).await?;
            output.flush().await?;
        }
        if mode == "quit" {
            return Ok(());
        }
    }
    // One that does not care whether anybody still talks to it.
    if mode == "hang" {
        tokio::time::sleep(Duration::from_hours(1)).await;
    }
    Ok(())
}
