//! The repositories of one agent: one state for the Capabilities section and the card on the
//! Settings tab, so that both always agree, and the writes that attach and detach.

pub mod row;
pub mod section;

use std::sync::Arc;

use contract::events::{ChangeEvent, ChangeKind};
use contract::ids::RepositoryId;
use contract::repositories::AgentRepository;
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

/// An attachment: `None` when there is none, else whether it is enabled.
pub type Edge = Option<bool>;

/// See the module.
#[derive(Clone, Copy)]
pub struct Repositories {
    /// The registry as this agent sees it, by name. Read once something shows it.
    pub list: Remote<Vec<AgentRepository>>,
    /// What waits and what was refused, by repository.
    pub wishes: Lasting<RwSignal<Wishes<Edge>>>,
    state: AgentState,
    announcer: Announcer,
}

/// What is stored about a repository.
pub fn edge(row: &AgentRepository) -> Edge {
    row.attached.then_some(row.attachment_enabled)
}

fn set_edge(row: &mut AgentRepository, edge: Edge) {
    row.attached = edge.is_some();
    row.attachment_enabled = edge == Some(true);
}

fn stored(list: &[AgentRepository], id: &str) -> Option<Edge> {
    let row = list.iter().find(|row| row.repository.id.as_str() == id)?;
    Some(edge(row))
}

impl Repositories {
    /// Starts for the agent page around the caller.
    pub fn start(state: AgentState) -> Self {
        let list: Remote<Vec<AgentRepository>> = Remote::on_demand(move || async move {
            api::repositories::of_agent(&state.client(), &state.id.get_value()).await
        });
        let wishes: Lasting<_> = RwSignal::new(Wishes::default()).into();
        let repositories = Self {
            list,
            wishes,
            state,
            announcer: use_announcer(),
        };
        // A refusal ends when what it asked for is stored after all.
        effect(move || {
            list.value().with(|list| {
                let Some(list) = list else { return };
                let moot = |wishes: &mut Wishes<Edge>| wishes.drop_moot(|id| stored(list, id));
                wishes.try_maybe_update(|wishes| (moot(wishes), ()));
            });
        });
        // A change that waited for a new session is made once it is there.
        let renewed = use_session().renewed();
        follow(move |before: Option<u32>| {
            let now = renewed.get();
            if before.is_some_and(|before| before != now) {
                for id in wishes.with_untracked(Wishes::waiting) {
                    repositories.work(&id);
                }
            }
            now
        });
        use_live().on_change(move |event| repositories.follow(event));
        repositories
    }

    /// Reads again what a change made elsewhere may have touched.
    fn follow(self, event: &ChangeEvent) {
        let touched = match event.kind {
            ChangeKind::Repository | ChangeKind::Reset => true,
            ChangeKind::RepositoryAttachment => event.scope_id.as_deref().is_none_or(|agent| {
                self.state
                    .id
                    .try_with_value(|id| id.as_str() == agent)
                    .unwrap_or(false)
            }),
            _ => false,
        };
        if touched {
            self.list.refresh();
        }
    }

    /// The attachment to show for a row, whose stored state it carries.
    pub fn shown(self, row: &AgentRepository) -> Edge {
        self.wishes
            .with(|wishes| wishes.shown(row.repository.id.as_str(), edge(row)))
    }

    /// Wants a repository attached or detached.
    pub fn set(self, id: &RepositoryId, attached: bool) {
        self.submit(id.as_str(), attached.then_some(true));
    }

    fn submit(self, id: &str, wish: Edge) {
        if self
            .wishes
            .try_update(|wishes| wishes.push(id, wish))
            .is_some()
        {
            self.work(id);
        }
    }

    /// Tries a refused change again.
    pub fn retry(self, id: &str) {
        self.wishes.update(|wishes| wishes.retry(id));
        self.work(id);
    }

    /// Writes what waits for a repository.
    fn work(self, id: &str) {
        let row = self.list.now().and_then(|list| {
            list.into_iter()
                .find(|row| row.repository.id.as_str() == id)
        });
        let Some(row) = row else {
            self.wishes.try_update(|wishes| wishes.succeed(id));
            return;
        };
        let before = edge(&row);
        let begun = self
            .wishes
            .try_update(|wishes| wishes.begin(id, &before))
            .flatten();
        let Some(wish) = begun else { return };
        spawn(async move {
            let id = row.repository.id.clone();
            let answer = self.write(&id, wish).await;
            let (answer, unsure) = self.look(&id, wish, answer).await;
            let waits = matches!(answer, Err(ApiError::SignedOut));
            self.settle(&row, wish, self.state.watch(answer), unsure);
            if !waits {
                self.work(id.as_str());
            }
        });
    }

    async fn write(self, id: &RepositoryId, wish: Edge) -> Result<(), ApiError> {
        let (client, agent) = (self.state.client(), self.state.id.get_value());
        match wish {
            Some(enabled) => api::repositories::attach(&client, &agent, id, enabled)
                .await
                .map(drop),
            None => match api::repositories::detach(&client, &agent, id).await {
                // It is not attached: that is what was wanted.
                Ok(_) | Err(ApiError::Missing(_)) => Ok(()),
                Err(error) => Err(error),
            },
        }
    }

    /// After a change whose answer was lost, reads again to learn whether it is stored. Also says
    /// whether that could not be learned.
    async fn look(
        self,
        id: &RepositoryId,
        wish: Edge,
        answer: Result<(), ApiError>,
    ) -> (Result<(), ApiError>, bool) {
        match answer {
            Err(error) if error.may_be_stored() => match self.list.read().await {
                Some(Ok(list)) if stored(&list, id.as_str()) == Some(wish) => (Ok(()), false),
                Some(Ok(_)) => (Err(error), false),
                Some(Err(ApiError::SignedOut)) => (Err(ApiError::SignedOut), false),
                Some(Err(_)) | None => (Err(error), true),
            },
            answer => (answer, false),
        }
    }

    fn settle(
        self,
        before: &AgentRepository,
        wish: Edge,
        answer: Result<(), ApiError>,
        unsure: bool,
    ) {
        let id = before.repository.id.as_str().to_owned();
        let name = &before.repository.name;
        match answer {
            Ok(()) => {
                self.adopt(&id, wish);
                self.wishes.try_update(|wishes| wishes.succeed(&id));
                let now = match wish {
                    Some(true) => "attached",
                    Some(false) => "attached, but switched off",
                    None => "detached",
                };
                let back = edge(before);
                let undo = Arc::new(move || self.take_back(&id, back));
                self.announcer.toast(
                    format!("{name} is {now}. It applies from the next run."),
                    Some(("Undo".to_owned(), undo)),
                );
            }
            Err(ApiError::SignedOut) => {
                self.wishes.try_update(|wishes| wishes.postpone(&id));
            }
            Err(error) => {
                let said = error.sentence();
                let done = if wish == Some(true) {
                    "attached"
                } else {
                    "detached"
                };
                let what = if unsure { "may not be" } else { "was not" };
                let told = format!("{name} {what} {done}. {said}");
                self.announcer.alert(told.clone());
                if matches!(error, ApiError::Missing(_)) {
                    // Its row goes away, and what stands on it.
                    self.announcer.toast(told, None);
                }
                self.wishes
                    .try_update(|wishes| wishes.refuse(&id, said, unsure));
                self.list.reload();
            }
        }
    }

    /// An undo offered by a toast, which may be pressed when the page was left.
    fn take_back(self, id: &str, wish: Edge) {
        if self.wishes.try_with_untracked(|_| ()).is_some() {
            self.submit(id, wish);
        } else {
            self.announcer
                .toast("Open the agent again to take this back.", None);
        }
    }

    /// Puts the one stored row in place.
    fn adopt(self, id: &str, wish: Edge) {
        // A read that is on its way may carry what this write does not know of.
        let read_again = self.list.pending().try_get_untracked() == Some(true);
        if let Some(mut list) = self.list.now() {
            for row in &mut list {
                if row.repository.id.as_str() == id {
                    set_edge(row, wish);
                }
            }
            self.list.confirm(list);
        }
        if read_again {
            self.list.reload();
        }
    }
}

/// The repositories of the agent page around the caller.
pub fn use_repositories() -> Repositories {
    expect_context()
}
