//! Recorded events in words: what happened, what was added and removed, and who did it. Pure.

use contract::agents::AgentStatus;
use contract::events::{Actor, AgentEvent, GrantChangeDetails};
use contract::grants::{GrantContent, Scope};
use contract::rules::permissions::Flag;
use serde_json::Value;

use crate::pages::agent::header::status_label;

/// Longest value shown of a changed field, in characters.
const VALUE_MAX: usize = 160;

/// What happened to one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Patterns that one of the two lists holds now.
    Added(&'static str, Vec<String>),
    /// Patterns that it held before.
    Removed(&'static str, Vec<String>),
    /// A value before and after.
    Became(String, String, String),
    /// A sentence.
    Said(String),
}

/// One event for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What happened.
    pub title: String,
    /// The parts of it.
    pub parts: Vec<Part>,
    /// Who did it, and by what means.
    pub actor: Option<String>,
}

/// Tells an event.
pub fn tell(event: &AgentEvent) -> Story {
    let details = event.details.as_ref();
    let actor = details
        .and_then(|details| details.get("actor"))
        .and_then(|actor| serde_json::from_value::<Actor>(actor.clone()).ok())
        .map(|actor| match actor.via.as_str() {
            "" | "browser" => actor.username,
            via => format!("{} by {via}", actor.username),
        });
    let grant = || {
        details
            .and_then(|details| serde_json::from_value::<GrantChangeDetails>(details.clone()).ok())
    };
    let (title, parts) = match event.action_type.as_str() {
        "tool_grant_created" | "tool_grant_updated" | "tool_grant_deleted" => match grant() {
            Some(change) => grant_story(&event.action_type, &change),
            None => ("Tool rules changed".to_owned(), Vec::new()),
        },
        "agent_updated" => ("Settings changed".to_owned(), field_parts(details)),
        "agent_created" => ("Made, as a draft".to_owned(), Vec::new()),
        "agent_paused" => ("Paused".to_owned(), status_parts(details)),
        "agent_resumed" => ("Activated".to_owned(), status_parts(details)),
        "agent_archived" => ("Archived".to_owned(), status_parts(details)),
        "agent_unarchived" => (
            "Taken back from the archive".to_owned(),
            status_parts(details),
        ),
        other => (plain(other), Vec::new()),
    };
    Story {
        title,
        parts,
        actor,
    }
}

/// A type this version has no words for, made readable.
fn plain(action_type: &str) -> String {
    let text = action_type
        .strip_prefix("agent_")
        .unwrap_or(action_type)
        .replace('_', " ");
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

fn grant_story(action_type: &str, change: &GrantChangeDetails) -> (String, Vec<Part>) {
    let whose = match change.scope_type {
        Scope::Agent => "this agent".to_owned(),
        ref scope => format!("the {}", scope.label()),
    };
    let title = match action_type {
        "tool_grant_created" => format!("Rules written on {whose}"),
        "tool_grant_deleted" => format!("Rules of {whose} deleted"),
        _ => format!("Rules of {whose} changed"),
    };
    let empty = GrantContent::default();
    let before = change.before.as_ref().unwrap_or(&empty);
    let after = change.after.as_ref().unwrap_or(&empty);
    (title, content_parts(before, after))
}

/// The patterns only one of two lists holds.
fn list_parts(list: &'static str, before: &[String], after: &[String]) -> Vec<Part> {
    let only = |these: &[String], others: &[String]| -> Vec<String> {
        let these = these.iter().filter(|pattern| !others.contains(pattern));
        these.cloned().collect()
    };
    let (added, removed) = (only(after, before), only(before, after));
    let mut parts = Vec::new();
    if !added.is_empty() {
        parts.push(Part::Added(list, added));
    }
    if !removed.is_empty() {
        parts.push(Part::Removed(list, removed));
    }
    parts
}

/// What differs between two contents of a row.
fn content_parts(before: &GrantContent, after: &GrantContent) -> Vec<Part> {
    let mut parts = match (&before.allow, &after.allow) {
        (None, Some(list)) if list.is_empty() => {
            vec![Part::Said("The allow list grants nothing now.".to_owned())]
        }
        (Some(_), None) => vec![Part::Said(
            "The allow list is gone; it inherits from above.".to_owned(),
        )],
        (before, after) => list_parts(
            "allow",
            before.as_deref().unwrap_or_default(),
            after.as_deref().unwrap_or_default(),
        ),
    };
    parts.extend(list_parts(
        "deny",
        before.deny.as_deref().unwrap_or_default(),
        after.deny.as_deref().unwrap_or_default(),
    ));
    let note = |content: &GrantContent| content.note.clone().unwrap_or_default();
    if note(before) != note(after) {
        parts.push(became("note", &note(before), &note(after)));
    }
    parts
}

fn became(what: &str, before: &str, after: &str) -> Part {
    Part::Became(what.to_owned(), short(before), short(after))
}

fn short(text: &str) -> String {
    if text.is_empty() {
        return "nothing".to_owned();
    }
    if text.chars().count() <= VALUE_MAX {
        return text.to_owned();
    }
    let start: String = text.chars().take(VALUE_MAX - 1).collect();
    format!("{start}…")
}

fn status_parts(details: Option<&Value>) -> Vec<Part> {
    let status = |key| {
        let text = details?.get(key)?.as_str()?;
        Some(status_label(&AgentStatus::from(text)))
    };
    match (status("previousStatus"), status("status")) {
        (Some(before), Some(after)) => vec![became("status", &before, &after)],
        _ => Vec::new(),
    }
}

/// What differs in an agent's own fields.
fn field_parts(details: Option<&Value>) -> Vec<Part> {
    let Some(Value::Object(changes)) = details.and_then(|details| details.get("changes")) else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    for (field, change) in changes {
        let (before, after) = (change.get("before"), change.get("after"));
        match field.as_str() {
            // Follow from what else changed.
            "updatedAt" | "slug" | "nextHeartbeatAt" => {}
            "permissions" => parts.extend(flag_parts(before, after)),
            "initScript" => parts.push(Part::Said(match after {
                None | Some(Value::Null) => "The init script was cleared.".to_owned(),
                Some(_) => "The init script changed.".to_owned(),
            })),
            _ => parts.push(became(&field_label(field), &value(before), &value(after))),
        }
    }
    parts
}

fn flag_parts(before: Option<&Value>, after: Option<&Value>) -> Vec<Part> {
    let on = |flags: Option<&Value>, flag: &Flag| flags?.get(flag.as_str())?.as_bool();
    let word = |on: bool| if on { "on" } else { "off" };
    Flag::KNOWN
        .iter()
        .filter_map(|flag| {
            let (old, new) = (on(before, flag)?, on(after, flag)?);
            (old != new).then(|| became(flag.label(), word(old), word(new)))
        })
        .collect()
}

/// `heartbeatCadence` as `heartbeat cadence`.
fn field_label(field: &str) -> String {
    let mut label = String::new();
    for letter in field.chars() {
        if letter.is_uppercase() {
            label.push(' ');
        }
        label.extend(letter.to_lowercase());
    }
    label
}

fn value(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(action_type: &str, details: Value) -> AgentEvent {
        AgentEvent {
            id: "e".to_owned(),
            action_type: action_type.to_owned(),
            details: Some(details),
            created_at: String::new(),
        }
    }

    fn actor(via: &str) -> Value {
        json!({"userId": "u", "username": "Ada Lima", "via": via})
    }

    #[test]
    fn a_grant_edit_tells_what_was_added_and_removed() {
        let story = tell(&event(
            "tool_grant_updated",
            json!({
                "resourceType": "toolGrant", "resourceId": "r", "scopeType": "agent",
                "scopeId": "a", "actor": actor("browser"),
                "before": {"allow": ["git_*"], "deny": ["sendEmail"], "note": null},
                "after": {"allow": ["git_*", "ask"], "deny": [], "note": "ask Ops"}
            }),
        ));
        assert_eq!(story.title, "Rules of this agent changed");
        assert_eq!(story.actor.as_deref(), Some("Ada Lima"));
        assert_eq!(
            story.parts,
            [
                Part::Added("allow", vec!["ask".to_owned()]),
                Part::Removed("deny", vec!["sendEmail".to_owned()]),
                Part::Became(
                    "note".to_owned(),
                    "nothing".to_owned(),
                    "ask Ops".to_owned()
                ),
            ]
        );
    }

    #[test]
    fn an_allow_list_that_appears_or_goes_is_told_apart_from_an_empty_one() {
        let content = |allow: Option<&[&str]>| GrantContent {
            allow: allow.map(|list| list.iter().map(|one| (*one).to_owned()).collect()),
            ..GrantContent::default()
        };
        let said = |before, after| content_parts(&content(before), &content(after));
        assert_eq!(
            said(None, Some(&[])),
            [Part::Said("The allow list grants nothing now.".to_owned())]
        );
        assert_eq!(
            said(Some(&["a"]), None),
            [Part::Said(
                "The allow list is gone; it inherits from above.".to_owned()
            )]
        );
        assert_eq!(
            said(Some(&["a"]), Some(&[])),
            [Part::Removed("allow", vec!["a".to_owned()])]
        );
    }

    #[test]
    fn settings_name_each_flag_and_never_show_the_script() {
        let story = tell(&event(
            "agent_updated",
            json!({"actor": actor("api key ci"), "changes": {
                "permissions": {"before": {"canSpend": false}, "after": {"canSpend": true}},
                "initScript": {"before": null, "after": "secret"},
                "heartbeatCadence": {"before": null, "after": "0 * * * *"},
                "slug": {"before": "a", "after": "b"}
            }}),
        ));
        assert_eq!(story.actor.as_deref(), Some("Ada Lima by api key ci"));
        assert_eq!(story.parts.len(), 3);
        assert!(story.parts.contains(&became("Spend budget", "off", "on")));
        assert!(
            story
                .parts
                .contains(&became("heartbeat cadence", "", "0 * * * *"))
        );
        assert!(!format!("{story:?}").contains("secret"));
    }

    #[test]
    fn an_unknown_event_is_still_readable() {
        let story = tell(&event("agent_run_triggered", json!({"runId": "r"})));
        assert_eq!(story.title, "Run triggered");
        assert_eq!(story.actor, None);
    }
}
