//! Carries out the queue of flag changes: one request per change with only its flags in it, so
//! that nothing another operator set is touched. It belongs to the agent page, so that a change
//! goes on when another tab is opened.

use std::sync::Arc;

use contract::agents::{Agent, AgentPatch, AgentStatus};
use contract::capabilities::Capabilities;
use contract::rules::permissions::{Flag, PermissionPatch, Permissions};
use leptos::prelude::*;

use super::flag_queue::FlagQueue;
use crate::api::{self, ApiError};
use crate::components::announce::{Announcer, use_announcer};
use crate::lasting::Lasting;
use crate::pages::agent::state::AgentState;
use crate::reactive::{effect, follow, spawn};
use crate::session::use_session;

/// See the module.
#[derive(Clone, Copy)]
pub struct Flags {
    /// What waits and what was refused.
    pub queue: Lasting<RwSignal<FlagQueue>>,
    /// The flags to show; `None` until the agent was read.
    pub shown: Lasting<Memo<Option<Permissions>>>,
    /// The flag whose change was stored last, and the sentence about it.
    pub stored: Lasting<RwSignal<Option<(Flag, String)>>>,
    state: AgentState,
    announcer: Announcer,
}

/// The flags that a patch changes, with their values before: the way back.
fn way_back(before: &Permissions, patch: &PermissionPatch) -> PermissionPatch {
    let after = before.merged(patch);
    let mut back = PermissionPatch::default();
    // The flag that was pressed comes first.
    let pressed: Vec<&Flag> = patch.entries().map(|(flag, _)| flag).collect();
    let others = Flag::KNOWN.iter().filter(|flag| !pressed.contains(flag));
    for flag in pressed.iter().copied().chain(others) {
        if let Some(value) = before.get(flag)
            && after.get(flag) != Some(value)
        {
            back.set(flag.clone(), value);
        }
    }
    back
}

/// What a stored change means, in one or two sentences.
fn sentence(before: &Permissions, patch: &PermissionPatch, status: &AgentStatus) -> String {
    let after = before.merged(patch);
    let changed = way_back(before, patch);
    let words: Vec<String> = changed
        .entries()
        .map(|(flag, was)| {
            let now = if after.get(flag).unwrap_or(!was) {
                "on"
            } else {
                "off"
            };
            format!("{} is {now}", flag.label())
        })
        .collect();
    let when = if *status == AgentStatus::Running {
        "The run in progress keeps its tools; it applies from the next run."
    } else {
        "It applies from the next run."
    };
    format!("{}. {when}", words.join(", "))
}

/// Makes the capabilities what they are with these flags, until they are read again.
fn set_flags(capabilities: &mut Capabilities, permissions: Permissions) {
    capabilities.permissions = permissions;
    for tool in &mut capabilities.tools {
        let gate = tool.gated_by_permission.as_ref();
        if let Some(on) = gate.and_then(|flag| permissions.get(flag)) {
            tool.permission_enabled = on;
            tool.effective = on && tool.decision.allowed;
        }
    }
}

impl Flags {
    /// Starts for the agent page around the caller.
    pub fn start(state: AgentState) -> Self {
        let queue: Lasting<_> = RwSignal::new(FlagQueue::default()).into();
        let flags = Self {
            queue,
            shown: Memo::new(move |_| {
                let stored = state
                    .agent
                    .value()
                    .with(|agent| agent.as_ref().map(|agent| agent.permissions))?;
                Some(queue.with(|queue| queue.shown(&stored)))
            })
            .into(),
            stored: RwSignal::new(None).into(),
            state,
            announcer: use_announcer(),
        };
        // A refusal ends when what it asked for is stored after all.
        effect(move || {
            state.agent.value().with(|agent| {
                let Some(agent) = agent else { return };
                let truth = &agent.permissions;
                if queue.try_with_untracked(|queue| queue.is_moot(truth)) == Some(true) {
                    queue.try_update(|queue| queue.drop_moot(truth));
                }
            });
        });
        // A change that waited for a new session is made once it is there.
        let renewed = use_session().renewed();
        follow(move |before: Option<u32>| {
            let now = renewed.get();
            if before.is_some_and(|before| before != now) {
                flags.work();
            }
            now
        });
        flags
    }

    /// Wants a flag on or off.
    pub fn set(self, flag: Flag, on: bool) {
        self.submit(PermissionPatch::one(flag, on));
    }

    /// An undo offered by a toast, which may be pressed when the page was left.
    fn take_back(self, patch: PermissionPatch) {
        if self.queue.try_with_untracked(|_| ()).is_some() {
            self.submit(patch);
        } else {
            self.announcer
                .toast("Open the agent again to take this back.", None);
        }
    }

    fn submit(self, patch: PermissionPatch) {
        if self.queue.try_update(|queue| queue.push(patch)).is_some() {
            self.work();
        }
    }

    /// Tries a refused change again.
    pub fn retry(self, id: u64) {
        self.queue.update(|queue| queue.retry(id));
        self.work();
    }

    /// Writes what waits, one change after the other.
    fn work(self) {
        let Some(agent) = self.state.agent.now() else {
            return;
        };
        let begun = self
            .queue
            .try_update(|queue| queue.begin(&agent.permissions))
            .flatten();
        let Some(patch) = begun else { return };
        spawn(async move {
            let request = AgentPatch {
                permissions: Some(patch.clone()),
                ..AgentPatch::default()
            };
            let answer = api::agents::patch(&self.state.client(), &agent.id, &request).await;
            let (answer, unsure) = self.look(&agent, &patch, answer).await;
            let waits = matches!(answer, Err(ApiError::SignedOut));
            self.settle(&agent, &patch, self.state.watch(answer), unsure);
            if !waits {
                self.work();
            }
        });
    }

    /// After a change whose answer was lost, reads the agent again to learn whether it is stored.
    /// Also says whether that could not be learned.
    async fn look(
        self,
        before: &Agent,
        patch: &PermissionPatch,
        answer: Result<Agent, ApiError>,
    ) -> (Result<Agent, ApiError>, bool) {
        match answer {
            Err(error) if error.may_be_stored() => {
                match api::agents::one(&self.state.client(), &before.id).await {
                    Ok(now) if now.permissions.merged(patch) == now.permissions => (Ok(now), false),
                    Ok(_) => (Err(error), false),
                    Err(ApiError::SignedOut) => (Err(ApiError::SignedOut), false),
                    Err(_) => (Err(error), true),
                }
            }
            answer => (answer, false),
        }
    }

    fn settle(
        self,
        before: &Agent,
        patch: &PermissionPatch,
        answer: Result<Agent, ApiError>,
        unsure: bool,
    ) {
        let Some(first) = patch.entries().next().map(|(flag, _)| flag.clone()) else {
            return;
        };
        match answer {
            Ok(agent) => {
                let said = sentence(&before.permissions, patch, &agent.status);
                let back = way_back(&before.permissions, patch);
                self.adopt(agent);
                self.queue.try_update(FlagQueue::succeed);
                self.stored.try_set(Some((first, said.clone())));
                let undo = Arc::new(move || self.take_back(back.clone()));
                self.announcer.toast(said, Some(("Undo".to_owned(), undo)));
            }
            Err(ApiError::SignedOut) => {
                self.queue.try_update(FlagQueue::postpone);
            }
            Err(error) => {
                let said = error.sentence();
                let what = if unsure {
                    "may not be changed"
                } else {
                    "was not changed"
                };
                self.announcer
                    .alert(format!("{} {what}. {said}", first.label()));
                self.queue.try_update(|queue| queue.refuse(said, unsure));
                self.state.agent.reload();
            }
        }
    }

    /// Puts a stored agent in place everywhere on the page, and reads what depends on its flags.
    fn adopt(self, agent: Agent) {
        let state = self.state;
        let permissions = agent.permissions;
        // A read that is on its way may carry a change this answer does not know of yet.
        let read_again = state.agent.pending().try_get_untracked() == Some(true);
        state.agent.confirm(agent);
        if read_again {
            state.agent.reload();
        }
        if let Some(mut capabilities) = state.capabilities.now() {
            let changed = Arc::make_mut(&mut capabilities);
            set_flags(changed, permissions);
            // The fold on screen may be newer than the one of that answer.
            if let Some(resolved) = state.resolved.now() {
                changed.grants = resolved;
            }
            state.capabilities.confirm(capabilities);
        }
        state.capabilities.reload();
    }
}

/// The flags of the agent page around the caller.
pub fn use_flags() -> Flags {
    expect_context()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_names_every_flag_that_changed() {
        let before = Permissions::default();
        let patch = PermissionPatch::one(Flag::CanOpenPullRequests, true);
        assert_eq!(
            sentence(&before, &patch, &AgentStatus::Active),
            "Open pull requests is on, Commit to repo is on. It applies from the next run."
        );
        let back = way_back(&before, &patch);
        assert_eq!(before.merged(&patch).merged(&back), before);
        let spend = PermissionPatch::one(Flag::CanSpend, true);
        assert_eq!(
            sentence(&before, &spend, &AgentStatus::Running),
            "Spend budget is on. The run in progress keeps its tools; it applies from the next run."
        );
    }
}
