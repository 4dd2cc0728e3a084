//! What the list of repositories knows, and the writes of its switches.

use contract::agents::AgentUse;
use contract::events::ChangeKind;
use contract::repositories::{Repository, RepositoryPatch};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::components::announce::{Announcer, use_announcer};
use crate::live::use_live;
use crate::reactive::{effect, follow, spawn};
use crate::remote::Remote;
use crate::session::{SessionState, use_session};
use crate::wishes::Wishes;

/// A change that every agent with the repository feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Keep it from every agent.
    Disable,
    /// Take it out of the registry.
    Delete,
}

/// A step that waits for a second thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What would be done.
    pub step: Step,
    /// To which row.
    pub row: Repository,
}

/// See the module.
#[derive(Clone, Copy)]
pub struct Registry {
    /// The registry by name, with the rows computed from Works.
    pub list: Remote<Vec<Repository>>,
    /// Wishes about the switches of rows.
    pub wishes: RwSignal<Wishes<bool>>,
    /// The step that is asked about.
    pub asked: RwSignal<Option<Asked>>,
    /// The agents the step reaches.
    pub reached: Remote<Vec<AgentUse>>,
    /// The session of the page.
    pub session: SessionState,
    /// Tells people things.
    pub announcer: Announcer,
}

impl Registry {
    /// Starts for the page around the caller.
    pub fn start() -> Self {
        let session = use_session();
        let list: Remote<Vec<Repository>> =
            Remote::new(
                move || async move { api::repositories::registry(&session.client()).await },
            );
        let asked = RwSignal::new(None::<Asked>);
        let registry = Self {
            list,
            wishes: RwSignal::new(Wishes::default()),
            asked,
            reached: Remote::idle(move || async move {
                match asked.try_get_untracked().flatten() {
                    Some(asked) => {
                        api::repositories::agents(&session.client(), &asked.row.id).await
                    }
                    None => Ok(Vec::new()),
                }
            }),
            session,
            announcer: use_announcer(),
        };
        effect(move || {
            list.value().with(|list| {
                let Some(list) = list else { return };
                let truth = |id: &str| {
                    let row = list.iter().find(|row| row.id.as_str() == id);
                    row.map(|row| row.enabled)
                };
                registry
                    .wishes
                    .try_maybe_update(|wishes| (wishes.drop_moot(truth), ()));
            });
        });
        let renewed = session.renewed();
        follow(move |before: Option<u32>| {
            let now = renewed.get();
            if before.is_some_and(|before| before != now) {
                for id in registry.wishes.with_untracked(Wishes::waiting) {
                    registry.work(&id);
                }
            }
            now
        });
        use_live().on_change(move |event| {
            if matches!(
                event.kind,
                ChangeKind::Repository | ChangeKind::Work | ChangeKind::Reset
            ) {
                list.reload();
            }
        });
        registry
    }

    /// Whether a row is shown as enabled.
    pub fn shown(self, row: &Repository) -> bool {
        self.wishes
            .with(|wishes| wishes.shown(row.id.as_str(), row.enabled))
    }

    /// Asks about a step, with the agents it reaches.
    pub fn ask(self, step: Step, row: Repository) {
        self.asked.set(Some(Asked { step, row }));
        self.reached.confirm(Vec::new());
        self.reached.reload();
    }

    /// Wants a row enabled or disabled.
    pub fn set(self, id: &str, enabled: bool) {
        self.wishes.update(|wishes| wishes.push(id, enabled));
        self.work(id);
    }

    /// Tries a refused change again.
    pub fn retry(self, id: &str) {
        self.wishes.update(|wishes| wishes.retry(id));
        self.work(id);
    }

    fn work(self, id: &str) {
        let found = self
            .list
            .now()
            .and_then(|list| list.into_iter().find(|row| row.id.as_str() == id));
        let Some(row) = found else { return };
        let begun = self
            .wishes
            .try_update(|wishes| wishes.begin(id, &row.enabled))
            .flatten();
        let Some(enabled) = begun else { return };
        spawn(async move {
            let patch = RepositoryPatch {
                enabled: Some(enabled),
                ..RepositoryPatch::default()
            };
            let client = self.session.client();
            let answer = api::repositories::patch(&client, &row.id, &patch).await;
            let (answer, unsure) = match answer {
                Err(error) if error.may_be_stored() => {
                    match api::repositories::one(&client, &row.id).await {
                        Ok(now) if now.enabled == enabled => (Ok(now), false),
                        Ok(_) => (Err(error), false),
                        Err(ApiError::SignedOut) => (Err(ApiError::SignedOut), false),
                        Err(_) => (Err(error), true),
                    }
                }
                answer => (answer, false),
            };
            let waits = matches!(answer, Err(ApiError::SignedOut));
            self.settle(&row, enabled, self.session.watch(answer), unsure);
            if !waits {
                self.work(row.id.as_str());
            }
        });
    }

    fn settle(
        self,
        row: &Repository,
        enabled: bool,
        answer: Result<Repository, ApiError>,
        unsure: bool,
    ) {
        let (id, name) = (row.id.as_str(), &row.name);
        match answer {
            Ok(stored) => {
                self.adopt(stored);
                self.wishes.try_update(|wishes| wishes.succeed(id));
                self.announcer.say(if enabled {
                    format!(
                        "{name} is enabled. Agents it is attached to find it from their next run."
                    )
                } else {
                    format!("{name} is disabled. No agent finds it from its next run.")
                });
            }
            Err(ApiError::SignedOut) => {
                self.wishes.try_update(|wishes| wishes.postpone(id));
            }
            Err(error) => {
                let what = if unsure { "may not be" } else { "was not" };
                let said = error.sentence();
                self.announcer
                    .alert(format!("{name} {what} changed. {said}"));
                self.wishes
                    .try_update(|wishes| wishes.refuse(id, said, unsure));
                self.list.reload();
            }
        }
    }

    /// Puts one stored row in place.
    fn adopt(self, stored: Repository) {
        let read_again = self.list.pending().try_get_untracked() == Some(true);
        if let Some(mut list) = self.list.now() {
            for row in &mut list {
                if row.id == stored.id {
                    *row = stored.clone();
                }
            }
            self.list.confirm(list);
        }
        if read_again {
            self.list.reload();
        }
    }
}

/// The registry of the page around the caller.
pub fn use_registry() -> Registry {
    expect_context()
}
