//! Carries out the queue of grant edits of one agent: a fresh read of the rows before each write,
//! the row's version as condition, planned anew when somebody else was faster. Nothing another
//! operator wrote is ever lost.

use std::sync::Arc;

use contract::grants::{AgentGrantRow, GrantContent, GrantRow, Scope};
use contract::rules::explain::AgentView;
use leptos::prelude::*;

use super::state::AgentState;
use crate::api::grants::Expected;
use crate::api::{self, ApiError};
use crate::components::announce::Announcer;
use crate::edits::{Entry, Intent, Plan, plan};
use crate::reactive::spawn;

/// How often a write is planned anew when the row keeps changing under it.
const ATTEMPTS: usize = 6;

/// What a write did to the row.
struct Written {
    before: Option<GrantContent>,
    after: Option<GrantContent>,
}

enum Failed {
    /// The session ended; the intent waits.
    SignedOut,
    /// No answer came, and whether it is stored could not be read either.
    Unsure(String),
    /// Anything else, as a sentence.
    Said(String),
}

impl From<ApiError> for Failed {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::SignedOut => Self::SignedOut,
            other => Self::Said(other.sentence()),
        }
    }
}

/// Queues an intent and writes it as soon as its turn comes.
pub fn submit(state: AgentState, announcer: Announcer, intent: Intent) {
    state.queue.update(|queue| queue.push(intent));
    work(state, announcer);
}

/// Writes what waits, one after the other.
pub fn work(state: AgentState, announcer: Announcer) {
    let Some(entry) = state.queue.try_update(|queue| queue.begin()).flatten() else {
        return;
    };
    spawn(async move {
        let outcome = write(state, &entry).await;
        settle(state, announcer, &entry.intent, outcome);
        if state.queue.try_with_untracked(|queue| queue.is_idle()) == Some(true) {
            // The rows as well: a change of another scope may have come in while this was written.
            state.reload_grants();
        } else if !state.is_signed_out() {
            work(state, announcer);
        }
    });
}

fn settle(
    state: AgentState,
    announcer: Announcer,
    intent: &Intent,
    outcome: Result<Option<Written>, Failed>,
) {
    match outcome {
        Ok(written) => {
            state.queue.try_update(|queue| queue.succeed());
            if let Some(written) = written {
                confirm(state, announcer, intent, written);
            }
        }
        Err(Failed::SignedOut) => {
            state.queue.try_update(|queue| queue.postpone());
        }
        Err(Failed::Said(said)) => {
            let what = describe(intent, "was not changed", "were not changed");
            announcer.alert(format!("{what}. {said}"));
            state.queue.try_update(|queue| queue.refuse(said, false));
        }
        Err(Failed::Unsure(said)) => {
            let what = describe(intent, "may not be changed", "may not be changed");
            announcer.alert(format!("{what}. {said}"));
            state.queue.try_update(|queue| queue.refuse(said, true));
        }
    }
}

fn describe(intent: &Intent, one: &str, many: &str) -> String {
    match intent.tools() {
        [] => format!("The rules of this agent {many}"),
        [tool] => format!("{} {one}", tool.name),
        tools => format!("{} tools {many}", tools.len()),
    }
}

fn confirm(state: AgentState, announcer: Announcer, intent: &Intent, written: Written) {
    let text = match intent {
        Intent::Switch { on, .. } => {
            let word = if *on { "on" } else { "off" };
            format!(
                "{} {word}. It applies from the next run.",
                describe(intent, "is", "are")
            )
        }
        Intent::Replace(None) => "Reset to inherited. It applies from the next run.".to_owned(),
        Intent::Replace(Some(_)) => "Rules saved. They apply from the next run.".to_owned(),
        Intent::Undo { .. } => {
            announcer.toast("Taken back.", None);
            return;
        }
    };
    let otherwise = match intent {
        Intent::Switch { tools, on } => Some(Box::new(Intent::Switch {
            tools: tools.clone(),
            on: !on,
        })),
        Intent::Replace(_) | Intent::Undo { .. } => None,
    };
    let undo = Intent::Undo {
        before: written.before,
        after: written.after,
        otherwise,
    };
    let take_back = Arc::new(move || {
        if state.queue.try_with_untracked(|_| ()).is_some() {
            submit(state, announcer, undo.clone());
        } else {
            announcer.toast("Open the agent again to take this back.", None);
        }
    });
    announcer.toast(text, Some(("Undo".to_owned(), take_back)));
}

async fn write(state: AgentState, entry: &Entry) -> Result<Option<Written>, Failed> {
    for _ in 0..ATTEMPTS {
        let rows = state.rows.read().await.ok_or_else(gone)??;
        let agent = state.id.try_get_value().ok_or_else(gone)?;
        let row = rows
            .iter()
            .find(|row| row.scope_type == Scope::Agent && row.scope_id == agent.as_str())
            .cloned();
        let view = state.view_with(&rows).ok_or_else(gone)?;
        let planned = plan(&view, &entry.intent);
        match attempt(state, agent.as_str(), &view, row, &planned).await {
            Err(ApiError::Changed(_)) => {}
            Err(error) if error.may_be_stored() => {
                return look(state, &view, &entry.intent, &planned, error).await;
            }
            Err(error) => return Err(error.into()),
            Ok(Outcome::Refused(said)) => return Err(Failed::Said(said)),
            Ok(Outcome::Nothing) => return Ok(None),
            Ok(Outcome::Stored(new, written)) => {
                let present = state.rows.now().unwrap_or(rows);
                state.rows.confirm(with_row(present, agent.as_str(), *new));
                return Ok(Some(written));
            }
        }
    }
    Err(Failed::Said(
        "Somebody else keeps changing this agent’s rules. Retry in a moment.".to_owned(),
    ))
}

/// Reads the row again after a write whose answer was lost, to learn whether it is stored.
async fn look(
    state: AgentState,
    before: &AgentView,
    intent: &Intent,
    planned: &Plan,
    error: ApiError,
) -> Result<Option<Written>, Failed> {
    let rows = match state.rows.read().await.ok_or_else(gone)? {
        Ok(rows) => rows,
        Err(ApiError::SignedOut) => return Err(Failed::SignedOut),
        Err(_) => return Err(Failed::Unsure(error.sentence())),
    };
    let now = state.view_with(&rows).ok_or_else(gone)?;
    let is_as_planned = match planned {
        Plan::Put(content) => now.agent_content() == Some(content),
        Plan::Delete => now.agent_content().is_none(),
        Plan::Nothing | Plan::Refused(_) => false,
    };
    // Somebody may have changed the row once more on top of it.
    if is_as_planned || plan(&now, intent) == Plan::Nothing {
        // What this page wrote, not what is there: taking it back must keep what somebody added.
        Ok(Some(Written {
            before: before.agent_content().cloned(),
            after: match planned {
                Plan::Put(content) => Some(content.clone()),
                Plan::Delete | Plan::Nothing | Plan::Refused(_) => None,
            },
        }))
    } else {
        Err(error.into())
    }
}

fn gone() -> Failed {
    Failed::Said("The agent’s rules are not loaded.".to_owned())
}

enum Outcome {
    Nothing,
    Refused(String),
    Stored(Box<Option<GrantRow>>, Written),
}

async fn attempt(
    state: AgentState,
    agent: &str,
    view: &AgentView,
    row: Option<GrantRow>,
    plan: &Plan,
) -> Result<Outcome, ApiError> {
    let client = state.client();
    let expected = match (&row, state.has_revisions()) {
        (_, false) => Expected::Anything,
        (None, true) => Expected::Absent,
        (Some(row), true) => row.etag().map_or(Expected::Anything, Expected::Version),
    };
    let before = view.agent_content().cloned();
    match plan {
        Plan::Nothing => Ok(Outcome::Nothing),
        Plan::Refused(said) => Ok(Outcome::Refused(said.clone())),
        Plan::Put(content) => {
            let write = content.write_to(Scope::Agent, agent);
            let stored = state.watch(api::grants::put(&client, &write, expected).await)?;
            let after = Some(stored.content());
            Ok(Outcome::Stored(
                Box::new(Some(stored)),
                Written { before, after },
            ))
        }
        Plan::Delete => {
            let Some(row) = row else {
                return Ok(Outcome::Nothing);
            };
            match state.watch(api::grants::delete(&client, &row.id, expected).await) {
                // Deleted by somebody else meanwhile: what was wanted is so.
                Ok(_) | Err(ApiError::Missing(_)) => Ok(Outcome::Stored(
                    Box::new(None),
                    Written {
                        before,
                        after: None,
                    },
                )),
                Err(error) => Err(error),
            }
        }
    }
}

/// The rows with the agent's own one replaced.
fn with_row(mut rows: Vec<GrantRow>, agent: &str, new: Option<GrantRow>) -> Vec<GrantRow> {
    rows.retain(|row| row.scope_type != Scope::Agent || row.scope_id != agent);
    rows.extend(new);
    rows
}

/// The agent's row in the shape the rules take.
pub fn own_row(rows: &[GrantRow], agent: &str) -> Option<AgentGrantRow> {
    let row = rows
        .iter()
        .find(|row| row.scope_type == Scope::Agent && row.scope_id == agent)?;
    Some(AgentGrantRow {
        id: row.id.clone(),
        allow: row.allow.clone(),
        deny: row.deny.clone(),
        note: row.note.clone(),
        revision: row.revision,
    })
}
