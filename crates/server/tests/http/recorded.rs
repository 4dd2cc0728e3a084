//! Refusals recorded from a real deployment, replayed: same status, same body, same limit of
//! the route. The recordings are
//! reference material beside the repository (or where `REMIT_SHARED` says); without them the test
//! says so and passes.

use std::path::PathBuf;

use remit_server::state::Settings;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Server, text};

/// Agents of the recordings, and the one that belonged to somebody else.
const AGENTS: [&str; 2] = [
    "4e2a41a3-5f22-4a0b-9e70-e5d925896d55",
    "8c669e76-bebe-4462-9af5-2f8c2becaaf5",
];

/// Recordings of refusals that depend on the request alone, or on ids that belong to nobody.
const REPLAYED: &[&str] = &[
    "020", "021", "027", "034", "039", "047", "049", "052", "056", "057", "062", "064", "067",
    "069", "071", "074", "075", "076", "077", "079", "081", "084", "099", "100", "101", "102",
    "105", "106", "110", "111", "114", "135", "137", "177", "181", "182", "186", "197", "199",
    "202", "205", "209", "210", "212", "215", "217", "222", "229", "235", "236", "237", "242",
    "259", "345", "376", "397", "399", "405",
];

fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("REMIT_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("contract/recorded");
    folder.is_dir().then_some(folder)
}

fn with_ids(value: &Value, own: &[String; 2]) -> Value {
    let mut text = value.to_string();
    for (recorded, own) in AGENTS.iter().zip(own) {
        text = text.replace(recorded, own);
    }
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn recorded_refusals_are_answered_alike() {
    let Some(folder) = folder() else {
        eprintln!("skipped: no recordings beside the repository");
        return;
    };
    // With limits, so that those of each route can be compared.
    let server = Server::start_with(Settings::default()).await;
    let ada = server.owner("ada").await;
    let own = [ada.agent("Coder").await, ada.agent("Researcher").await];
    let mut replayed = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !REPLAYED.iter().any(|number| name.starts_with(number)) {
            continue;
        }
        let recording = std::fs::read_to_string(&path).unwrap();
        let recording = with_ids(&serde_json::from_str(&recording).unwrap(), &own);
        let (request, response) = (&recording["request"], &recording["response"]);
        let method = Method::from_bytes(text(&request["method"]).as_bytes()).unwrap();
        let mut sent = server.request(method, &text(&request["path"]));
        if request["headers"].get("Authorization").is_some() {
            sent = sent.bearer_auth(&ada.token);
        }
        if let Some(kind) = request["headers"].get("Content-Type") {
            let raw = request["body"].as_str().map(str::to_owned);
            let body = raw.unwrap_or_else(|| request["body"].to_string());
            sent = sent.header("content-type", text(kind)).body(body);
        }
        let answer = server.send(sent).await;
        replayed += 1;
        if json!(answer.status) != response["status"] || answer.body != response["body"] {
            wrong.push(format!("{name}: {} {}", answer.status, answer.text));
        }
        let limit = &response["headers"]["x-ratelimit-limit-long"];
        let ours = answer.header("x-ratelimit-limit-long");
        if limit.is_string() && limit.as_str() != ours {
            wrong.push(format!("{name}: limited to {ours:?} instead of {limit}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(replayed, REPLAYED.len());
}
