//! What the agent page knows and wants of its MCP servers. One set per agent page, so that the MCP
//! Servers tab, the section of Capabilities and the Dashboard card always agree.

use std::collections::BTreeSet;
use std::sync::Arc;

use contract::connections::AgentConnection;
use contract::events::ChangeKind;
use contract::ids::ConnectionId;
use contract::rules::bindings::{override_of, tenant_of};
use leptos::prelude::*;

use super::queue::{BindingQueue, Change, entry_of};
use crate::api::{self, ApiError};
use crate::browser::timer::Timer;
use crate::components::announce::{Announcer, use_announcer};
use crate::lasting::Lasting;
use crate::live::use_live;
use crate::pages::agent::state::AgentState;
use crate::reactive::{effect, follow, spawn};
use crate::session::use_session;

/// Changes that come this close together are answered by one read, in milliseconds. A server that
/// keeps changing does not keep the page reading.
const GATHER: u64 = 200;
/// How long a row that was changed elsewhere is marked, in milliseconds.
const STAYS: u64 = 3_000;

/// See the module.
#[derive(Clone, Copy)]
pub struct Servers {
    /// What waits and what was refused.
    pub queue: Lasting<RwSignal<BindingQueue>>,
    /// Every connection with the agent's state of it, waiting changes carried out; `None` until it
    /// was read.
    pub shown: Lasting<Memo<Option<Arc<Vec<AgentConnection>>>>>,
    /// Connections whose row was changed elsewhere a moment ago.
    pub recently_changed: Lasting<RwSignal<BTreeSet<ConnectionId>>>,
    state: AgentState,
    announcer: Announcer,
}

impl Servers {
    /// Starts for the agent page around the caller.
    pub fn start(state: AgentState) -> Self {
        let queue: Lasting<_> = RwSignal::new(BindingQueue::default()).into();
        let servers = Self {
            queue,
            shown: Memo::new(move |_| {
                let truth = state.servers.value().get()?;
                Some(queue.with(|queue| {
                    if queue.is_idle() {
                        truth
                    } else {
                        Arc::new(queue.shown(&truth))
                    }
                }))
            })
            .into(),
            recently_changed: RwSignal::new(BTreeSet::new()).into(),
            state,
            announcer: use_announcer(),
        };
        // A refusal ends when what it asked for is stored after all.
        effect(move || {
            state.servers.value().with(|truth| {
                let Some(truth) = truth else { return };
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
                servers.work();
            }
            now
        });
        servers.listen();
        servers.mark_changes();
        servers
    }

    fn listen(self) {
        let gather = Timer::new();
        use_live().on_change(move |event| {
            let concerns = match event.kind {
                ChangeKind::McpConnection | ChangeKind::Reset | ChangeKind::Unknown(_) => true,
                ChangeKind::McpBinding => {
                    event.scope_id.as_deref() == Some(self.state.id.get_value().as_str())
                }
                _ => false,
            };
            if concerns && !gather.is_waiting() {
                gather.start(GATHER, move || self.reload());
            }
        });
    }

    /// Marks for a moment the rows that stand otherwise although this page did not want it.
    fn mark_changes(self) {
        let marks = Timer::new();
        follow(move |before: Option<Option<Arc<Vec<AgentConnection>>>>| {
            let now = self.shown.get();
            if let (Some(Some(before)), Some(now)) = (&before, &now) {
                let changed: Vec<&AgentConnection> = now
                    .iter()
                    .filter(|entry| {
                        entry_of(before, &entry.connection.id).is_some_and(|old| {
                            old.effective_enabled != entry.effective_enabled
                                || old.binding_source != entry.binding_source
                        })
                    })
                    .filter(|entry| {
                        let busy = self
                            .queue
                            .with_untracked(|queue| queue.is_busy(&entry.connection.id));
                        !busy && !self.was_ours(&entry.connection.id)
                    })
                    .collect();
                self.tell(&changed, marks);
            }
            now
        });
    }

    fn tell(self, changed: &[&AgentConnection], marks: Timer) {
        let said = match changed {
            [] => return,
            [one] => format!("{} changed elsewhere", one.connection.name),
            many => format!("{} MCP servers changed elsewhere", many.len()),
        };
        self.announcer.say(said);
        let ids: Vec<ConnectionId> = changed
            .iter()
            .map(|entry| entry.connection.id.clone())
            .collect();
        let marked = self.recently_changed;
        marked.update(|marked| marked.extend(ids));
        marks.start(STAYS, move || {
            marked.try_update(BTreeSet::clear);
        });
    }

    /// Whether a refused write of this page explains the change: it was given up, or its truth
    /// has just come back.
    fn was_ours(self, connection: &ConnectionId) -> bool {
        self.queue
            .with_untracked(|queue| queue.refusal_of(connection).is_some())
    }

    /// Reads the rows and the tools again.
    pub fn reload(self) {
        self.state.servers.reload();
        self.state.server_tools.reload();
    }

    /// Wants a server on or off for this agent.
    pub fn set(self, connection: ConnectionId, on: bool) {
        self.submit(Change {
            connection,
            wanted: Some(on),
        });
    }

    /// Wants what the tenant says.
    pub fn reset(self, connection: ConnectionId) {
        self.submit(Change {
            connection,
            wanted: None,
        });
    }

    /// Tries a refused change again.
    pub fn retry(self, connection: &ConnectionId) {
        self.queue.update(|queue| queue.retry(connection));
        self.work();
    }

    /// An undo offered by a toast, which may be pressed when the page was left.
    fn take_back(self, change: Change) {
        if self.queue.try_with_untracked(|_| ()).is_some() {
            self.submit(change);
        } else {
            self.announcer
                .toast("Open the agent again to take this back.", None);
        }
    }

    fn submit(self, change: Change) {
        if self.queue.try_update(|queue| queue.push(change)).is_some() {
            self.work();
        }
    }

    /// Writes what waits, one change after the other.
    fn work(self) {
        let Some(truth) = self.state.servers.now() else {
            return;
        };
        let begun = self.queue.try_update(|queue| queue.begin(&truth)).flatten();
        let Some(change) = begun else { return };
        let Some(before) = entry_of(&truth, &change.connection).cloned() else {
            // It was removed meanwhile; there is no row to show a refusal on.
            self.announcer
                .alert("Not changed. The connection is no longer registered.");
            self.queue.try_update(BindingQueue::succeed);
            return self.work();
        };
        spawn(async move {
            let answer = self.write(&change).await;
            let (answer, unsure) = self.look(&change, answer).await;
            let waits = matches!(answer, Err(ApiError::SignedOut));
            self.settle(&before, &change, self.state.watch(answer), unsure);
            if !waits {
                self.work();
            }
        });
    }

    async fn write(self, change: &Change) -> Result<AgentConnection, ApiError> {
        let client = self.state.client();
        let agent = self.state.id.get_value();
        match change.wanted {
            Some(on) => api::mcp::set_override(&client, &agent, &change.connection, on).await,
            None => api::mcp::drop_override(&client, &agent, &change.connection).await,
        }
    }

    /// After a change whose answer was lost, reads the rows again to learn whether it is stored.
    /// Also says whether that could not be learned.
    async fn look(
        self,
        change: &Change,
        answer: Result<AgentConnection, ApiError>,
    ) -> (Result<AgentConnection, ApiError>, bool) {
        match answer {
            Err(error) if error.may_be_stored() => {
                let agent = self.state.id.get_value();
                match api::mcp::of_agent(&self.state.client(), &agent).await {
                    Ok(now) => match entry_of(&now, &change.connection) {
                        Some(entry) if override_of(entry) == change.wanted => {
                            (Ok(entry.clone()), false)
                        }
                        _ => (Err(error), false),
                    },
                    Err(ApiError::SignedOut) => (Err(ApiError::SignedOut), false),
                    Err(_) => (Err(error), true),
                }
            }
            answer => (answer, false),
        }
    }

    fn settle(
        self,
        before: &AgentConnection,
        change: &Change,
        answer: Result<AgentConnection, ApiError>,
        unsure: bool,
    ) {
        let name = &before.connection.name;
        match answer {
            Ok(entry) => {
                let said = sentence(&entry, change.wanted);
                self.adopt(entry);
                self.queue.try_update(BindingQueue::succeed);
                let back = Change {
                    connection: change.connection.clone(),
                    wanted: override_of(before),
                };
                let undo = Arc::new(move || self.take_back(back.clone()));
                self.announcer.toast(said, Some(("Undo".to_owned(), undo)));
            }
            Err(ApiError::SignedOut) => {
                self.queue.try_update(BindingQueue::postpone);
            }
            Err(error) => {
                let said = error.sentence();
                let what = if unsure {
                    "may not be changed"
                } else {
                    "was not changed"
                };
                self.announcer.alert(format!("{name} {what}. {said}"));
                self.queue.try_update(|queue| queue.refuse(said, unsure));
                self.reload();
            }
        }
    }

    /// Puts a stored row in place everywhere on the page, and reads the tools it brings or takes.
    fn adopt(self, entry: AgentConnection) {
        let servers = self.state.servers;
        // A read that is on its way may carry a change this answer does not know of yet.
        let read_again = servers.pending().try_get_untracked() == Some(true);
        if let Some(mut all) = servers.now() {
            for old in Arc::make_mut(&mut all) {
                if old.connection.id == entry.connection.id {
                    *old = entry.clone();
                }
            }
            servers.confirm(all);
        }
        if read_again {
            servers.reload();
        }
        self.state.server_tools.reload();
    }
}

/// What a stored change means, in one or two sentences.
fn sentence(entry: &AgentConnection, wanted: Option<bool>) -> String {
    let name = &entry.connection.name;
    let word = |on: bool| if on { "on" } else { "off" };
    match wanted {
        Some(on) => format!(
            "{name} is {} for this agent. It applies from the next run.",
            word(on)
        ),
        None => format!(
            "{name} was reset to inherited: {}. It applies from the next run.",
            word(tenant_of(entry).unwrap_or(entry.effective_enabled))
        ),
    }
}

/// The MCP servers of the agent page around the caller.
pub fn use_servers() -> Servers {
    expect_context()
}
