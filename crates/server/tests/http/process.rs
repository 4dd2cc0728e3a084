//! The real binary: its command line, its lock, its signals, and what a crash leaves behind.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{PASSWORD, text};

/// A running `remit serve`, killed with the test.
struct Process {
    child: Child,
    url: String,
    greeting: Vec<String>,
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_remit"));
    command.args(arguments).arg("--data").arg(data);
    command
}

impl Process {
    fn start(data: &Path, arguments: &[&str]) -> Self {
        let all = [
            &["serve", "--listen", "127.0.0.1:0", "--no-rate-limit"],
            arguments,
        ]
        .concat();
        let mut child = command(data, &all)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut greeting = Vec::new();
        // The last line of the greeting names the sign-in page.
        while !greeting
            .last()
            .is_some_and(|line: &String| line.contains("/sign-in"))
        {
            greeting.push(lines.next().expect("a greeting").unwrap());
        }
        let listening = greeting
            .iter()
            .find_map(|line| line.strip_prefix("Remit is listening on "));
        Self {
            url: listening.unwrap().trim_end_matches('/').to_owned(),
            child,
            greeting,
        }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    command(data, arguments).output().unwrap()
}

async fn register(url: &str) -> String {
    let body = json!({"username": "ada", "email": "ada@acme.example", "password": PASSWORD});
    let answer = reqwest::Client::new()
        .post(format!("{url}/api/auth/register"))
        .json(&body);
    let answer: Value = answer.send().await.unwrap().json().await.unwrap();
    text(&answer["access_token"])
}

#[tokio::test]
async fn data_is_private_and_used_by_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("deep/data");
    let first = Process::start(&data, &[]);
    assert!(
        first
            .greeting
            .iter()
            .any(|line| line.starts_with("There is no account yet"))
    );
    let second = run(&data, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(!second.status.success());
    let message = String::from_utf8(second.stderr).unwrap();
    assert!(
        message.contains("another remit server is already running"),
        "{message}"
    );
    assert!(!run(&data, &["example"]).status.success());

    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    for entry in std::fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test]
async fn the_example_loads_into_an_empty_directory_only() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = run(
        folder.path(),
        &["example", "--example-password", "ada-lima-1"],
    );
    assert!(loaded.status.success(), "{loaded:?}");
    let again = run(folder.path(), &["example"]);
    let message = String::from_utf8(again.stderr).unwrap();
    assert!(
        !again.status.success() && message.contains("not empty"),
        "{message}"
    );

    let server = Process::start(folder.path(), &["--example"]);
    assert!(
        !server
            .greeting
            .iter()
            .any(|line| line.starts_with("Loaded"))
    );
    let client = reqwest::Client::new();
    let link = server
        .greeting
        .iter()
        .find_map(|line| line.split_once("/sign-in#token="));
    let (_, token) = link.unwrap();
    let body = json!({"token": token});
    let answer = client
        .post(format!("{}/api/auth/link", server.url))
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
    let body = json!({"email": "ada@acme.example", "password": "ada-lima-1"});
    let answer = client
        .post(format!("{}/api/auth/login", server.url))
        .json(&body)
        .send()
        .await
        .unwrap();
    let answer: Value = answer.json().await.unwrap();
    let list = client.get(format!("{}/api/agents?search=coder", server.url));
    let list = list
        .bearer_auth(text(&answer["access_token"]))
        .send()
        .await
        .unwrap();
    let list: Value = list.json().await.unwrap();
    assert_eq!(list["data"][0]["title"], "Repository maintainer");
}

#[tokio::test]
async fn options_can_come_from_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let output = command(folder.path(), &["serve"])
        .env("REMIT_BASE_PATH", "/{x}/")
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && message.contains("--base-path"),
        "{message}"
    );
    let output = command(folder.path(), &["serve", "--base-path", "/a//b"])
        .env("REMIT_EXAMPLE", "1")
        .env("REMIT_NO_LINK", "false")
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("--base-path"),
        "switches are read: {message}"
    );
    let server = Process::start(folder.path(), &["--base-path", "ops"]);
    assert!(server.url.ends_with("/ops"), "{}", server.url);
    let health = reqwest::get(format!("{}/api/health", server.url))
        .await
        .unwrap();
    assert_eq!(health.status(), 200);
}

#[tokio::test]
async fn a_signal_stops_the_server_cleanly_with_streams_open() {
    for name in ["TERM", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Process::start(folder.path(), &[]);
        let token = register(&server.url).await;
        let client = reqwest::Client::new();
        let stream = client
            .get(format!("{}/api/events", server.url))
            .bearer_auth(token);
        let mut stream = stream.send().await.unwrap();
        assert!(stream.chunk().await.unwrap().is_some());
        server.signal(name);
        let begun = Instant::now();
        let status = server.child.wait().unwrap();
        assert!(status.success(), "{name}: {status}");
        assert!(
            begun.elapsed() < Duration::from_secs(3),
            "{name}: {:?}",
            begun.elapsed()
        );
        while let Ok(Some(_)) = stream.chunk().await {}
    }
}

/// Writes grant rows one after the other until the server is gone; answers the number of the
/// last write that was acknowledged.
async fn write_until_killed(
    url: String,
    token: String,
    agent: String,
    ready: Arc<AtomicBool>,
) -> u64 {
    let client = reqwest::Client::new();
    let mut acknowledged = 0;
    for number in 1.. {
        let body = json!({
            "scopeType": "agent", "scopeId": agent, "deny": [format!("tool{number}")],
        });
        let request = client
            .put(format!("{url}/api/tool-grants"))
            .bearer_auth(&token)
            .json(&body);
        match request.send().await {
            Ok(answer) if answer.status() == 200 => match answer.bytes().await {
                Ok(_) => acknowledged = number,
                Err(_) => break,
            },
            Ok(answer) => panic!("{}", answer.status()),
            Err(_) => break,
        }
        ready.store(number >= 20, Ordering::Relaxed);
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_loses_no_acknowledged_write() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path(), &[]);
    let token = register(&server.url).await;
    let client = reqwest::Client::new();
    let post = |path: &str, body: Value| {
        let request = client.post(format!("{}{path}", server.url));
        request.bearer_auth(&token).json(&body).send()
    };
    let mut writers = Vec::new();
    let mut ready = Vec::new();
    for name in ["A", "B", "C"] {
        let made = post("/api/agents", json!({"scope": "tenant", "name": name}))
            .await
            .unwrap();
        let made: Value = made.json().await.unwrap();
        let agent = text(&made["id"]);
        let flag = Arc::new(AtomicBool::new(false));
        ready.push(Arc::clone(&flag));
        let writer = write_until_killed(server.url.clone(), token.clone(), agent.clone(), flag);
        writers.push((agent, tokio::spawn(writer)));
    }
    while !ready.iter().all(|flag| flag.load(Ordering::Relaxed)) {
        tokio::task::yield_now().await;
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let mut acknowledged = Vec::new();
    for (agent, writer) in writers {
        acknowledged.push((agent, writer.await.unwrap()));
    }
    drop(server);

    let server = Process::start(folder.path(), &[]);
    let get = async |path: &str| -> Value {
        let request = client
            .get(format!("{}{path}", server.url))
            .bearer_auth(&token);
        request.send().await.unwrap().json().await.unwrap()
    };
    let rows = get("/api/tool-grants").await;
    let mut writes = 0;
    for (agent, number) in acknowledged {
        assert!(number >= 20);
        let rows = rows.as_array().unwrap();
        let row = rows
            .iter()
            .find(|row| row["scopeId"] == agent.as_str())
            .unwrap();
        let revision = row["revision"].as_u64().unwrap();
        // The write in flight at the kill may have been stored without being acknowledged.
        assert!(
            revision == number || revision == number + 1,
            "{revision} of {number}"
        );
        assert_eq!(row["deny"], json!([format!("tool{revision}")]));
        writes += revision;
        let events = get(&format!("/api/agents/{agent}/events?limit=1")).await;
        let recorded = events["meta"]["total"].as_u64().unwrap();
        assert_eq!(
            recorded,
            revision + 1,
            "every stored write is recorded, and no other"
        );
    }
    let log = get("/api/activity-log?limit=1").await;
    assert_eq!(log["total"].as_u64().unwrap(), writes + 3);
}
