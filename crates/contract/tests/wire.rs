//! Answers recorded from a running control plane: each decodes into its contract type, and the
//! type writes it again with every key it knows and the same value under it.
//!
//! The recordings are no part of the repository. They are looked for in the folder named by
//! `REMIT_RECORDED`, else in `../shared/contract/recorded` beside it; without them the test says
//! that it checked nothing.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

use std::io::Write;
use std::path::PathBuf;

use contract::agents::{Agent, AgentRemoved};
use contract::auth::{ApiKey, ApiKeyCreated, Profile, TokenResponse};
use contract::capabilities::Capabilities;
use contract::environments::{Environment, EnvironmentList};
use contract::error::ErrorBody;
use contract::events::{Activity, ActivityPage, AgentEvent};
use contract::grants::{
    Decision, Grant, GrantContent, GrantRow, GrantWrite, ResolvedGrants, Scope,
};
use contract::ids::is_uuid;
use contract::organizations::{Organization, WorkAnswer, WorkList};
use contract::repositories::{AgentRepository, Attachment, EnvFileContents, EnvFiles, Repository};
use contract::rules::edit::{Problem, check_content};
use contract::rules::explain::AgentView;
use contract::rules::fold::{Layer, decide, fold};
use contract::server::{Health, Page};
use contract::skills::{AgentSkillList, CatalogPage, Skill, SkillBinding};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, from_value, to_value};

struct Recording {
    file: String,
    method: String,
    /// Without query, identifiers as `:id`.
    route: String,
    request: Value,
    status: u64,
    body: Value,
}

/// All recordings in the order of their names, or `None` with a notice when there are none here.
fn recordings() -> Option<Vec<Recording>> {
    let folder = std::env::var_os("REMIT_RECORDED").map_or_else(
        || {
            PathBuf::from(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../../shared/contract/recorded"
            ))
        },
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(&folder) else {
        // Past the test runner's capture, so that nobody takes the skip for a check.
        let notice = "SKIPPED: no recorded answers here; name their folder in REMIT_RECORDED to check them\n";
        std::io::stderr().write_all(notice.as_bytes()).unwrap();
        return None;
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    let recordings: Vec<Recording> = files.iter().map(read).collect();
    assert!(
        recordings.len() > 100,
        "too few recordings to mean anything"
    );
    Some(recordings)
}

fn read(path: &PathBuf) -> Recording {
    let text = std::fs::read_to_string(path).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let (request, response) = (&value["request"], &value["response"]);
    let path_text = request["path"].as_str().unwrap();
    let route: Vec<&str> = path_text
        .split('?')
        .next()
        .unwrap()
        .split('/')
        .map(|part| if is_uuid(part) { ":id" } else { part })
        .collect();
    Recording {
        file: path.file_name().unwrap().to_string_lossy().into_owned(),
        method: request["method"].as_str().unwrap().to_owned(),
        route: route.join("/"),
        request: request["body"].clone(),
        status: response["status"].as_u64().unwrap(),
        body: response["body"].clone(),
    }
}

/// Decodes and encodes again.
type Echo = fn(&Value) -> Result<Value, serde_json::Error>;

fn echo<T: DeserializeOwned + Serialize>(body: &Value) -> Result<Value, serde_json::Error> {
    to_value(from_value::<T>(body.clone())?)
}

/// Keys of an answer that the contract deliberately leaves out.
#[derive(Clone, Copy)]
enum LeftOut {
    These(&'static [&'static str]),
    /// Of a Work, everything but what names it and says where it belongs.
    MostOfAWork,
}

impl LeftOut {
    fn has(self, key: &str) -> bool {
        match self {
            Self::These(keys) => keys.contains(&key),
            Self::MostOfAWork => ![
                "status",
                "works",
                "work",
                "id",
                "name",
                "slug",
                "userId",
                "owner",
                "description",
                "tenantId",
                "organizationId",
                "createdAt",
                "updatedAt",
            ]
            .contains(&key),
        }
    }
}

const NOTHING: LeftOut = LeftOut::These(&[]);

/// The answer about one activity wraps it.
#[derive(Serialize, Deserialize)]
struct OneActivity {
    activity: Activity,
}

/// The type of an answer, and what that type leaves out.
fn answer_type(recording: &Recording) -> Option<(Echo, LeftOut)> {
    const POLICY: LeftOut = LeftOut::These(&["mergePolicy"]);
    const ORIGIN: LeftOut = LeftOut::These(&["ingestEventId", "ipAddress", "userAgent", "work"]);
    if recording.status >= 400 {
        // The second form of errors, of Works, says `status` instead of its HTTP status.
        return Some((echo::<ErrorBody>, LeftOut::These(&["status"])));
    }
    Some(
        match (recording.method.as_str(), recording.route.as_str()) {
            ("GET", "/api/health") => (echo::<Health>, NOTHING),
            ("POST", "/api/auth/register" | "/api/auth/login") => (echo::<TokenResponse>, NOTHING),
            ("GET", "/api/auth/profile") => (echo::<Profile>, NOTHING),
            ("GET", "/api/auth/api-keys") => (echo::<Vec<ApiKey>>, NOTHING),
            ("POST", "/api/auth/api-keys") => (echo::<ApiKeyCreated>, NOTHING),
            ("GET", "/api/organizations") => (echo::<Vec<Organization>>, POLICY),
            ("POST", "/api/organizations") => (echo::<Organization>, POLICY),
            ("GET", "/api/works") => (echo::<WorkList>, LeftOut::MostOfAWork),
            ("POST", "/api/works") => (echo::<WorkAnswer>, LeftOut::MostOfAWork),
            ("GET", "/api/agents") => (echo::<Page<Agent>>, NOTHING),
            ("GET", "/api/agents/:id") if recording.status == 200 => (echo::<Agent>, NOTHING),
            ("PATCH", "/api/agents/:id")
            | ("PUT", "/api/agents/:id/guardrails")
            | (
                "POST",
                "/api/agents"
                | "/api/agents/from-template/content-marketer"
                | "/api/agents/:id/targets"
                | "/api/agents/:id/pause"
                | "/api/agents/:id/resume"
                | "/api/agents/:id/unarchive",
            )
            | ("DELETE", "/api/agents/:id/targets/work/:id") => (echo::<Agent>, NOTHING),
            ("DELETE", "/api/agents/:id") => (echo::<AgentRemoved>, NOTHING),
            ("GET", "/api/agents/:id/capabilities") => (echo::<Capabilities>, NOTHING),
            ("GET", "/api/agents/:id/events") => (echo::<Page<AgentEvent>>, NOTHING),
            ("GET", "/api/activity-log") => (echo::<ActivityPage>, ORIGIN),
            ("GET", "/api/activity-log/:id") => (echo::<OneActivity>, ORIGIN),
            ("GET", "/api/tool-grants") => (echo::<Vec<GrantRow>>, NOTHING),
            ("PUT", "/api/tool-grants") => (echo::<GrantRow>, NOTHING),
            ("GET", "/api/tool-grants/resolve") => (echo::<ResolvedGrants>, NOTHING),
            ("GET", "/api/tool-grants/check") => (echo::<Decision>, NOTHING),
            ("GET", "/api/environments") => (echo::<EnvironmentList>, NOTHING),
            ("GET" | "PATCH", "/api/environments/:id")
            | ("POST", "/api/environments" | "/api/environments/:id/publish") => {
                (echo::<Environment>, NOTHING)
            }
            ("GET", "/api/repo-connections") => (echo::<Vec<Repository>>, NOTHING),
            ("GET" | "PATCH", "/api/repo-connections/:id") | ("POST", "/api/repo-connections") => {
                (echo::<Repository>, NOTHING)
            }
            ("GET", "/api/repo-connections/:id/env-files") => (echo::<EnvFileContents>, NOTHING),
            ("PUT", "/api/repo-connections/:id/env-files") => (echo::<EnvFiles>, NOTHING),
            ("GET", "/api/agents/:id/repos") => (echo::<Vec<AgentRepository>>, NOTHING),
            ("PUT", "/api/agents/:id/repos/:id") => (echo::<Attachment>, NOTHING),
            ("GET", "/api/skills") => (echo::<Page<Skill>>, NOTHING),
            ("GET", "/api/skills/catalog") => (echo::<CatalogPage>, NOTHING),
            ("GET" | "PATCH", "/api/skills/:id") | ("POST", "/api/skills") => {
                (echo::<Skill>, NOTHING)
            }
            ("POST", "/api/skills/:id/bindings") => (echo::<SkillBinding>, NOTHING),
            ("GET", "/api/agents/:id/skills") => (echo::<AgentSkillList>, NOTHING),
            _ => return None,
        },
    )
}

/// Where `ours` differs from `theirs`: keys lost, keys added with a value, values changed.
fn differences(theirs: &Value, ours: &Value, left_out: LeftOut, at: &str, found: &mut Vec<String>) {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (key, value) in theirs {
                let at = format!("{at}.{key}");
                match ours.get(key) {
                    Some(our_value) => differences(value, our_value, left_out, &at, found),
                    None if left_out.has(key) => {}
                    None => found.push(format!("{at} is lost")),
                }
            }
            let added = ours
                .iter()
                .filter(|(key, value)| !theirs.contains_key(*key) && !value.is_null());
            found.extend(added.map(|(key, value)| format!("{at}.{key} is added: {value}")));
        }
        (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
            for (place, (theirs, ours)) in theirs.iter().zip(ours).enumerate() {
                differences(theirs, ours, left_out, &format!("{at}[{place}]"), found);
            }
        }
        (theirs, ours) if theirs == ours => {}
        (theirs, ours) => found.push(format!("{at} was {theirs} and is {ours}")),
    }
}

#[test]
fn recorded_answers_survive_decoding_and_encoding() {
    let Some(recordings) = recordings() else {
        return;
    };
    let mut problems = Vec::new();
    let mut checked = 0;
    for recording in &recordings {
        let Some((echo, left_out)) = answer_type(recording) else {
            continue;
        };
        if recording.body.is_null() || recording.body.is_string() {
            continue;
        }
        checked += 1;
        let mut found = Vec::new();
        match echo(&recording.body) {
            Ok(ours) => differences(&recording.body, &ours, left_out, "", &mut found),
            Err(error) => found.push(format!("does not decode: {error}")),
        }
        problems.extend(
            found
                .into_iter()
                .map(|problem| format!("{}: {problem}", recording.file)),
        );
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(checked > 100);
}

/// The layers a chain was folded from, as far as it shows them. A list that kept nothing and
/// rejected nothing is shown like an absent one; it was the agent's in these recordings.
fn layers_of(resolved: &ResolvedGrants, own: Option<&Grant>) -> Vec<Layer> {
    let layers = resolved
        .chain
        .iter()
        .filter(|entry| entry.scope != Scope::Default);
    layers
        .map(|entry| {
            let asked = [entry.allow.clone(), entry.rejected.clone()].concat();
            let shown = Grant {
                allow: (!asked.is_empty()).then_some(asked),
                deny: (!entry.deny.is_empty()).then(|| entry.deny.clone()),
            };
            let grant = match (&entry.scope, own) {
                (Scope::Agent, Some(own)) => own.clone(),
                _ => shown,
            };
            Layer {
                scope: entry.scope.clone(),
                id: entry.id.clone(),
                grant: Some(grant),
            }
        })
        .collect()
}

#[test]
fn recorded_verdicts_are_ours() {
    let Some(recordings) = recordings() else {
        return;
    };
    let mut judged = 0;
    for recording in recordings.iter().filter(|recording| {
        recording.status == 200 && recording.route == "/api/agents/:id/capabilities"
    }) {
        let read: Capabilities = from_value(recording.body.clone()).unwrap();
        let own = read
            .agent_grant_row
            .as_ref()
            .map(|row| row.content().grant());
        let resolved = fold(&layers_of(&read.grants, own.as_ref()));
        assert_eq!(resolved, read.grants, "{}", recording.file);
        let view = AgentView::from_resolved(
            &read.grants,
            read.agent_grant_row.as_ref(),
            read.permissions,
        );
        for tool in &read.tools {
            let ours = decide(&resolved, &tool.name);
            assert_eq!(ours, tool.decision, "{} {}", recording.file, tool.name);
            let gate = tool.gated_by_permission.as_ref();
            let standing = view.standing(&tool.name, gate);
            assert_eq!(
                standing.is_on(),
                tool.effective,
                "{} {}",
                recording.file,
                tool.name
            );
            judged += 1;
        }
    }
    assert!(judged >= 100);
}

#[test]
fn recorded_grant_writes_are_judged_as_the_server_did() {
    let Some(recordings) = recordings() else {
        return;
    };
    let mut seen = [0, 0];
    for recording in recordings
        .iter()
        .filter(|recording| recording.method == "PUT" && recording.route == "/api/tool-grants")
    {
        let Ok(write) = from_value::<GrantWrite>(recording.request.clone()) else {
            continue;
        };
        let content = GrantContent {
            allow: write.allow.clone(),
            deny: write.deny.clone(),
            note: write.note.clone(),
        };
        let is_about_content = |text: &str| {
            ["allow", "deny", "note"]
                .iter()
                .any(|word| text.contains(word))
        };
        let problems = check_content(&content);
        match recording.status {
            200 => {
                // The contract's editor refuses what would be an empty rule; the server stores it.
                let stored = problems.iter().all(|problem| *problem == Problem::Empty);
                assert!(stored, "{}: {problems:?}", recording.file);
                let body = to_value(&write).unwrap();
                let mut found = Vec::new();
                let given = recording.request.as_object().unwrap();
                let given = given.iter().filter(|(_, value)| !value.is_null());
                let given = Value::Object(given.map(|(k, v)| (k.clone(), v.clone())).collect());
                differences(&given, &body, NOTHING, "", &mut found);
                assert!(found.is_empty(), "{}: {found:?}", recording.file);
                seen[0] += 1;
            }
            400 => {
                let error: ErrorBody = from_value(recording.body.clone()).unwrap();
                let message = error.message.unwrap().joined();
                let refused = is_about_content(&message);
                assert_eq!(
                    !problems.is_empty(),
                    refused,
                    "{}: {message}",
                    recording.file
                );
                seen[1] += 1;
            }
            _ => {}
        }
    }
    assert!(seen[0] >= 5 && seen[1] >= 4, "{seen:?}");
}
