//! What the tabs of one agent share: the reads, the rows that decide, and the view the rules make
//! of them. One set per agent page, so that tabs always agree.

use std::collections::BTreeSet;
use std::sync::Arc;

use contract::agents::Agent;
use contract::capabilities::Capabilities;
use contract::connections::{AgentConnection, AgentServerTools};
use contract::events::{ChangeEvent, ChangeKind};
use contract::grants::{ChainEntry, GrantRow, ResolvedGrants, Scope};
use contract::ids::AgentId;
use contract::organizations::{Organization, WorkList};
use contract::rules::explain::AgentView;
use leptos::prelude::*;

use super::catalog::{ToolInfo, catalog_of};
use super::grant_writes::{self, own_row};
use crate::api::{self, ApiError, Client};
use crate::components::announce::use_announcer;
use crate::edits::Queue;
use crate::lasting::Lasting;
use crate::live::use_live;
use crate::reactive::{effect, follow};
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
    pub capabilities: Remote<Arc<Capabilities>>,
    /// Every MCP connection of the account with this agent's state of it.
    pub servers: Remote<Arc<Vec<AgentConnection>>>,
    /// The known tools of the MCP servers that are on for the agent.
    pub server_tools: Remote<Arc<AgentServerTools>>,
    /// All tools that the grants decide about: those of the control plane in its order, then those
    /// of each MCP server.
    pub catalog: Lasting<Memo<Arc<Vec<ToolInfo>>>>,
    /// Every stored grant row of the account.
    pub rows: Remote<Vec<GrantRow>>,
    /// What the server last said the chain resolves to.
    pub resolved: Remote<ResolvedGrants>,
    /// Organizations, to name scopes.
    pub organizations: Remote<Vec<Organization>>,
    /// Works, to name scopes.
    pub works: Remote<WorkList>,
    /// The rules' view of what is stored; `None` until the server's answers are there.
    pub truth: Lasting<Memo<Option<Arc<AgentView>>>>,
    /// Grant edits that wait or were refused.
    pub queue: Lasting<RwSignal<Queue>>,
    /// Tools whose verdict changed a moment ago by a change made elsewhere.
    pub recently_changed: Lasting<RwSignal<BTreeSet<String>>>,
    /// Whether an editor on the page holds text that is not stored.
    pub unsaved: Lasting<RwSignal<bool>>,
    session: SessionState,
}

impl AgentState {
    /// Starts the reads of one agent and keeps them fresh while its page is open.
    pub fn start(id: AgentId) -> Self {
        let session = use_session();
        let key = StoredValue::new(id);
        let capabilities: Remote<Arc<Capabilities>> = Remote::new(move || async move {
            let read = api::agents::capabilities(&session.client(), &key.get_value()).await;
            read.map(Arc::new)
        });
        let server_tools: Remote<Arc<AgentServerTools>> = Remote::new(move || async move {
            let read = api::mcp::tools_of_agent(&session.client(), &key.get_value()).await;
            read.map(Arc::new)
        });
        let catalog = Memo::new(move |_| {
            capabilities.value().with(|found| {
                server_tools
                    .value()
                    .with(|servers| Arc::new(catalog_of(found.as_deref(), servers.as_deref())))
            })
        });
        let rows: Remote<Vec<GrantRow>> =
            Remote::new(move || async move { api::grants::rows(&session.client()).await });
        let resolved: Remote<ResolvedGrants> = Remote::idle(move || async move {
            api::grants::resolve(&session.client(), &key.get_value()).await
        });
        // An answer that changes nothing ends here, before thousands of tools are judged anew.
        let truth = Memo::new(move |_| {
            let agent = key.get_value();
            capabilities.value().with(|found| {
                resolved.value().with(|resolved| {
                    rows.value().with(|rows| {
                        let (found, resolved) = (found.as_ref()?, resolved.as_ref()?);
                        let view = view_of(&agent, found, resolved, rows.as_deref());
                        Some(Arc::new(view))
                    })
                })
            })
        });
        let state = Self {
            id: key,
            agent: Remote::new(move || async move {
                api::agents::one(&session.client(), &key.get_value()).await
            }),
            servers: Remote::new(move || async move {
                let read = api::mcp::of_agent(&session.client(), &key.get_value()).await;
                read.map(Arc::new)
            }),
            server_tools,
            catalog: catalog.into(),
            capabilities,
            rows,
            resolved,
            truth: truth.into(),
            organizations: Remote::new(move || async move {
                api::auth::organizations(&session.client()).await
            }),
            works: Remote::new(move || async move { api::auth::works(&session.client()).await }),
            queue: RwSignal::new(Queue::default()).into(),
            recently_changed: RwSignal::new(BTreeSet::new()).into(),
            unsaved: RwSignal::new(false).into(),
            session,
        };
        // The composed read carries the fold as well.
        effect(move || {
            let grants = capabilities
                .value()
                .with(|found| found.as_ref().map(|found| found.grants.clone()));
            if let Some(grants) = grants {
                state.resolved.confirm(grants);
            }
        });
        // A refusal ends when what it asked for is stored after all.
        effect(move || {
            truth.with(|truth| {
                let Some(truth) = truth else { return };
                if state.queue.with(|queue| queue.is_moot(truth)) {
                    state.queue.try_update(|queue| queue.drop_moot(truth));
                }
            });
        });
        use_live().on_change(move |event| state.follow(event));
        // A write that waited for a new session is made once it is there.
        let announcer = use_announcer();
        let renewed = session.renewed();
        follow(move |before: Option<u32>| {
            let now = renewed.get();
            if before.is_some_and(|before| before != now) {
                grant_writes::work(state, announcer);
            }
            now
        });
        state
    }

    /// The rules' view of the agent for these rows; `None` until the server's answers are there.
    pub fn view_with(self, rows: &[GrantRow]) -> Option<AgentView> {
        let resolved = self.resolved.now()?;
        let found = self.capabilities.now()?;
        let agent = self.id.try_get_value()?;
        Some(view_of(&agent, &found, &resolved, Some(rows)))
    }

    /// How to call the control plane now.
    pub fn client(self) -> Client {
        self.session.client()
    }

    /// Notices the end of the session in an outcome.
    pub fn watch<T>(self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        self.session.watch(outcome)
    }

    /// Whether the session ended on this page.
    pub fn is_signed_out(self) -> bool {
        self.session.is_expired()
    }

    /// Whether grant rows carry versions here.
    pub fn has_revisions(self) -> bool {
        self.session.config().with_untracked(|config| {
            config
                .as_ref()
                .is_some_and(|config| config.features.grant_revisions)
        })
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
            Scope::Agent => "This agent".to_owned(),
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

/// The rules' view of the agent. Without the stored rows what the control plane resolved must do.
/// About flags that are not known the control plane is believed.
fn view_of(
    agent: &AgentId,
    found: &Capabilities,
    resolved: &ResolvedGrants,
    rows: Option<&[GrantRow]>,
) -> AgentView {
    let flags = found.permissions;
    let view = match rows {
        Some(rows) => {
            let own = own_row(rows, agent.as_str());
            AgentView::from_rows(&resolved.chain, rows, own.as_ref(), flags)
        }
        None => AgentView::from_resolved(resolved, found.agent_grant_row.as_ref(), flags),
    };
    view.with_unknown_flags(&found.tools)
}
