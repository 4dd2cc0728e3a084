//! What the tabs of one agent share: the reads, the rows that decide, and the view the rules make
//! of them. One set per agent page, so that tabs always agree.

use contract::agents::Agent;
use contract::capabilities::Capabilities;
use contract::events::{ChangeEvent, ChangeKind};
use contract::grants::{ChainEntry, GrantRow, ResolvedGrants, Scope};
use contract::ids::AgentId;
use contract::organizations::{Organization, WorkList};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::api;
use crate::live::use_live;
use crate::remote::Remote;
use crate::session::{Account, SessionState, use_session};

/// See the module.
#[derive(Clone, Copy)]
pub struct AgentState {
    /// The agent shown.
    pub id: StoredValue<AgentId>,
    /// Its settings and life cycle.
    pub agent: Remote<Agent>,
    /// Tools, flags and init script.
    pub capabilities: Remote<Capabilities>,
    /// Every stored grant row of the account.
    pub rows: Remote<Vec<GrantRow>>,
    /// What the server last said the chain resolves to.
    pub resolved: Remote<ResolvedGrants>,
    /// Organizations, to name scopes.
    pub organizations: Remote<Vec<Organization>>,
    /// Works, to name scopes.
    pub works: Remote<WorkList>,
    /// Whether an editor on the page holds text that is not stored.
    pub unsaved: RwSignal<bool>,
    session: SessionState,
}

impl AgentState {
    /// Starts the reads of one agent and keeps them fresh while its page is open.
    pub fn start(id: AgentId) -> Self {
        let session = use_session();
        let key = StoredValue::new(id);
        let state = Self {
            id: key,
            agent: Remote::new(move || async move {
                api::agents::one(&session.client(), &key.get_value()).await
            }),
            capabilities: Remote::new(move || async move {
                api::agents::capabilities(&session.client(), &key.get_value()).await
            }),
            rows: Remote::new(move || async move { api::grants::rows(&session.client()).await }),
            resolved: Remote::idle(move || async move {
                api::grants::resolve(&session.client(), &key.get_value()).await
            }),
            organizations: Remote::new(move || async move {
                api::auth::organizations(&session.client()).await
            }),
            works: Remote::new(move || async move { api::auth::works(&session.client()).await }),
            unsaved: RwSignal::new(false),
            session,
        };
        // The composed read carries the fold as well.
        Effect::new(move |_| {
            if let Some(capabilities) = state.capabilities.value().get() {
                state.resolved.confirm(capabilities.grants);
            }
        });
        use_live().on_change(move |event| state.follow(event));
        state
    }

    /// Reads again what a change made elsewhere may have touched.
    fn follow(self, event: &ChangeEvent) {
        if !event.concerns_agent(&self.id.get_value()) {
            match event.kind {
                ChangeKind::Organization => self.organizations.reload(),
                ChangeKind::Work => self.works.reload(),
                _ => {}
            }
            return;
        }
        match event.kind {
            ChangeKind::ToolGrant => self.reload_grants(),
            ChangeKind::Agent => {
                self.agent.reload();
                self.capabilities.reload();
            }
            _ => {
                self.agent.reload();
                self.capabilities.reload();
                self.rows.reload();
            }
        }
    }

    /// Reads rows and fold again, which is all that a grant write can change.
    pub fn reload_grants(self) {
        self.rows.reload();
        self.resolved.reload();
    }

    /// How a layer of the chain is called on screen: its name where it is known.
    pub fn layer_name(self, entry: &ChainEntry) -> String {
        let id = entry.id.as_deref().unwrap_or_default();
        let named = match entry.scope {
            Scope::Default => Some("Platform default".to_owned()),
            Scope::Tenant => self.session.account().with(|account| match account {
                Account::In(session) | Account::Expired(session) => {
                    session.user.tenant_name.clone()
                }
                Account::Unknown | Account::Failed(_) | Account::Out => None,
            }),
            Scope::Organization => self.organizations.value().with(|list| {
                let found = list.as_ref()?.iter().find(|one| one.id.as_str() == id)?;
                Some(found.shown_name().to_owned())
            }),
            Scope::Work => self.works.value().with(|list| {
                Some(
                    list.as_ref()?
                        .works
                        .iter()
                        .find(|one| one.id.as_str() == id)?
                        .name
                        .clone(),
                )
            }),
            Scope::Agent => self
                .agent
                .value()
                .with(|agent| agent.as_ref().map(|agent| agent.name.clone())),
            Scope::Unknown(_) => None,
        };
        named.unwrap_or_else(|| match entry.scope {
            Scope::Tenant => "The tenant".to_owned(),
            Scope::Organization => "The organization".to_owned(),
            Scope::Work => "The Work".to_owned(),
            _ => entry.scope.label().to_owned(),
        })
    }

    /// The row stored at one layer, if the rows are known and it has one.
    pub fn row_of(self, entry: &ChainEntry) -> Option<GrantRow> {
        let id = entry.id.as_deref()?;
        self.rows.value().with(|rows| {
            rows.as_ref()?
                .iter()
                .find(|row| row.scope_type == entry.scope && row.scope_id == id)
                .cloned()
        })
    }
}

/// The state of the agent page around the caller.
pub fn use_agent() -> AgentState {
    expect_context()
}

/// Runs a task that belongs to the page.
pub fn run(task: impl Future<Output = ()> + 'static) {
    spawn_local(task);
}
