//! The environment of one agent: one state for the Capabilities section and the picker on the
//! Settings tab, so that both always agree, and the write that chooses another.

pub mod section;

use std::sync::Arc;

use contract::agents::{Agent, AgentPatch};
use contract::environments::{Environment, EnvironmentStatus};
use contract::events::ChangeKind;
use leptos::prelude::*;

use super::state::AgentState;
use crate::api::{self, ApiError};
use crate::components::announce::{Announcer, use_announcer};
use crate::lasting::Lasting;
use crate::live::use_live;
use crate::reactive::{effect, follow, spawn};
use crate::remote::Remote;
use crate::session::use_session;
use crate::wishes::Wishes;

/// An agent has one environment, so its wishes are about one row.
const ROW: &str = "environment";

/// The id of the chosen environment; `None` for the platform's default runtime.
pub type Chosen = Option<String>;

/// See the module.
#[derive(Clone, Copy)]
pub struct Environments {
    /// Every environment, drafts included. Read once something shows it.
    pub list: Remote<Vec<Environment>>,
    /// What waits and what was refused.
    pub wishes: Lasting<RwSignal<Wishes<Chosen>>>,
    /// What to show as chosen; the outer `None` until the agent was read.
    pub shown: Lasting<Memo<Option<Chosen>>>,
    state: AgentState,
    announcer: Announcer,
}

/// Whether agents can be given it.
pub fn is_published(environment: &Environment) -> bool {
    environment.status == EnvironmentStatus::Published
}

impl Environments {
    /// Starts for the agent page around the caller.
    pub fn start(state: AgentState) -> Self {
        let wishes: Lasting<_> = RwSignal::new(Wishes::default()).into();
        let shown = Memo::new(move |_| {
            let stored = state
                .agent
                .value()
                .with(|agent| Some(agent.as_ref()?.environment_id.clone()))?;
            Some(wishes.with(|wishes: &Wishes<Chosen>| wishes.shown(ROW, stored)))
        });
        let environments = Self {
            list: Remote::on_demand(move || async move {
                api::environments::all(&state.client()).await
            }),
            wishes,
            shown: shown.into(),
            state,
            announcer: use_announcer(),
        };
        // A refusal ends when what it asked for is stored after all.
        effect(move || {
            state.agent.value().with(|agent| {
                let Some(agent) = agent else { return };
                wishes.try_maybe_update(|wishes| {
                    (wishes.drop_moot(|_| Some(agent.environment_id.clone())), ())
                });
            });
        });
        // A change that waited for a new session is made once it is there.
        let renewed = use_session().renewed();
        follow(move |before: Option<u32>| {
            let now = renewed.get();
            if before.is_some_and(|before| before != now) {
                environments.work();
            }
            now
        });
        use_live().on_change(move |event| {
            if matches!(event.kind, ChangeKind::Environment | ChangeKind::Reset) {
                environments.list.refresh();
            }
        });
        environments
    }

    /// Wants another environment.
    pub fn set(self, chosen: Chosen) {
        if self
            .wishes
            .try_update(|wishes| wishes.push(ROW, chosen))
            .is_some()
        {
            self.work();
        }
    }

    /// Tries a refused change again.
    pub fn retry(self) {
        self.wishes.update(|wishes| wishes.retry(ROW));
        self.work();
    }

    /// Forgets a refused change.
    pub fn dismiss(self) {
        self.wishes.update(|wishes| wishes.dismiss(ROW));
    }

    /// Whether a change waits or is on its way.
    pub fn is_busy(self) -> bool {
        self.wishes.with(|wishes| wishes.is_busy(ROW))
    }

    /// Why the latest change was refused, and whether it may be stored all the same.
    pub fn refusal(self) -> Option<(String, bool)> {
        self.wishes.with(|wishes| {
            let refusal = wishes.refusal_of(ROW)?;
            Some((refusal.said.clone(), refusal.unsure))
        })
    }

    /// The words for a choice, without following what they are made of.
    fn words(self, chosen: &Chosen) -> String {
        let Some(id) = chosen else {
            return "None (default)".to_owned();
        };
        let list = self.list.now().unwrap_or_default();
        let found = list.into_iter().find(|one| one.id.as_str() == id);
        found.map_or_else(|| id.clone(), |found| found.name)
    }

    fn work(self) {
        let Some(agent) = self.state.agent.now() else {
            return;
        };
        let begun = self
            .wishes
            .try_update(|wishes| wishes.begin(ROW, &agent.environment_id))
            .flatten();
        let Some(wish) = begun else { return };
        spawn(async move {
            let patch = AgentPatch {
                environment_id: Some(wish.clone()),
                ..AgentPatch::default()
            };
            let answer = api::agents::patch(&self.state.client(), &agent.id, &patch).await;
            let (answer, unsure) = self.look(&agent, &wish, answer).await;
            let waits = matches!(answer, Err(ApiError::SignedOut));
            self.settle(&agent, &wish, self.state.watch(answer), unsure);
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
        wish: &Chosen,
        answer: Result<Agent, ApiError>,
    ) -> (Result<Agent, ApiError>, bool) {
        match answer {
            Err(error) if error.may_be_stored() => {
                match api::agents::one(&self.state.client(), &before.id).await {
                    Ok(now) if now.environment_id == *wish => (Ok(now), false),
                    Ok(_) => (Err(error), false),
                    Err(ApiError::SignedOut) => (Err(ApiError::SignedOut), false),
                    Err(_) => (Err(error), true),
                }
            }
            answer => (answer, false),
        }
    }

    fn settle(self, before: &Agent, wish: &Chosen, answer: Result<Agent, ApiError>, unsure: bool) {
        match answer {
            Ok(stored) => {
                let back = before.environment_id.clone();
                self.adopt(stored.environment_id);
                self.wishes.try_update(|wishes| wishes.succeed(ROW));
                let undo = Arc::new(move || self.take_back(back.clone()));
                self.announcer.toast(
                    format!(
                        "Environment: {}. It applies from the next run.",
                        self.words(wish)
                    ),
                    Some(("Undo".to_owned(), undo)),
                );
            }
            Err(ApiError::SignedOut) => {
                self.wishes.try_update(|wishes| wishes.postpone(ROW));
            }
            Err(error) => {
                let said = error.sentence();
                let what = if unsure { "may not be" } else { "was not" };
                self.announcer
                    .alert(format!("The environment {what} changed. {said}"));
                self.wishes
                    .try_update(|wishes| wishes.refuse(ROW, said, unsure));
                self.state.agent.reload();
                // What was chosen may be gone, or a draft after all.
                self.list.refresh();
            }
        }
    }

    /// An undo offered by a toast, which may be pressed when the page was left.
    fn take_back(self, chosen: Chosen) {
        if self.wishes.try_with_untracked(|_| ()).is_some() {
            self.set(chosen);
        } else {
            self.announcer
                .toast("Open the agent again to take this back.", None);
        }
    }

    /// Puts the one stored field in place; the rest of the agent may be newer than the answer.
    fn adopt(self, chosen: Chosen) {
        let agent = self.state.agent;
        let read_again = agent.pending().try_get_untracked() == Some(true);
        if let Some(mut now) = agent.now() {
            now.environment_id = chosen;
            agent.confirm(now);
        }
        if read_again {
            agent.reload();
        }
    }
}

/// The environment of the agent page around the caller.
pub fn use_environments() -> Environments {
    expect_context()
}
