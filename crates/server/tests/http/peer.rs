//! Real MCP servers for tests: the binary of the `remit-peers` crate, built once, started per
//! test and ended with it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::harness::{Account, text};

/// The peer's binary.
pub(crate) fn binary() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--locked", "--package", "remit-peers"])
            .args(["--message-format", "json-render-diagnostics"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(built.status.success());
        let lines = String::from_utf8(built.stdout).unwrap();
        let built = lines
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .find_map(|message| message["executable"].as_str().map(PathBuf::from));
        built.expect("the peer's binary")
    })
}

/// A running peer over HTTP.
pub(crate) struct Peer {
    child: Child,
    /// `http://localhost:PORT/mcp`.
    pub url: String,
}

impl Peer {
    pub(crate) fn start(mode: &str) -> Self {
        Self::start_at(mode, 0)
    }

    pub(crate) fn start_at(mode: &str, port: u16) -> Self {
        let mut child = Command::new(binary())
            .args(["http", mode, &port.to_string()])
            // Held open for as long as the peer is wanted.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines.next().expect("an address").unwrap();
        Self { child, url }
    }

    pub(crate) fn port(&self) -> u16 {
        let rest = self.url.strip_prefix("http://localhost:").unwrap();
        rest.split('/').next().unwrap().parse().unwrap()
    }

    /// Uses one of the good peer's doors for tests.
    pub(crate) async fn control(&self, door: &str, body: Value) {
        let url = self.url.replace("/mcp", &format!("/control/{door}"));
        let done = reqwest::Client::new().post(url).json(&body).send().await;
        assert!(done.unwrap().status().is_success());
    }

    /// Registers the peer and answers the connection's id.
    pub(crate) async fn register(&self, account: &Account<'_>, name: &str) -> String {
        let body = json!({"name": name, "url": self.url, "transport": "streamable-http"});
        let made = account.post("/api/mcp-connections", body).await;
        text(&made.expect(201).body["id"])
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
