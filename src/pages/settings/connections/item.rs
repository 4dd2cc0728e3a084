//! The page of one connection: how it is doing, a test, its tools, the agents it reaches, its form,
//! and the ways to end it.

use std::sync::Arc;

use contract::connections::{AffectedAgents, Connection, ConnectionTools, Transport};
use contract::events::{ChangeEvent, ChangeKind};
use contract::ids::ConnectionId;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::agents::AgentsReached;
use super::editor::{EditConnection, NewConnection};
use super::review::Ending;
use super::run::TestRun;
use super::tools::ToolListing;
use crate::api::{self, ApiError, Client};
use crate::browser::timer::Timer;
use crate::components::badge::{Badge, Tone};
use crate::components::connection_health::{ConnectionHealthLine, transport_label};
use crate::components::icon::Icon;
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::live::use_live;
use crate::pages::settings::use_frame;
use crate::remote::Remote;
use crate::route::{NEW, Route, SettingsPage};
use crate::session::{SessionState, use_session};

/// Changes that come this close together are answered by one read, in milliseconds.
const GATHER: u64 = 200;

/// The page of one connection, or the form of a new one. Another id in the address makes a new
/// page.
#[component]
pub fn ConnectionPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    move || {
        let id = id.get();
        if id == NEW {
            view! { <NewConnection /> }.into_any()
        } else {
            view! { <Item id=id /> }.into_any()
        }
    }
}

/// What the parts of the page share.
#[derive(Clone, Copy)]
pub struct ConnectionState {
    /// The connection shown.
    pub id: StoredValue<ConnectionId>,
    /// Its row in the registry.
    pub connection: Remote<Connection>,
    /// Its last listing.
    pub tools: Remote<Arc<ConnectionTools>>,
    /// The agents it reaches.
    pub agents: Remote<Arc<AffectedAgents>>,
    session: SessionState,
}

impl ConnectionState {
    fn start(id: ConnectionId) -> Self {
        let session = use_session();
        let key = StoredValue::new(id);
        let state = Self {
            id: key,
            connection: Remote::new(move || async move {
                api::mcp::one(&session.client(), &key.get_value()).await
            }),
            tools: Remote::new(move || async move {
                let read = api::mcp::tools(&session.client(), &key.get_value()).await;
                read.map(Arc::new)
            }),
            agents: Remote::new(move || async move {
                let read = api::mcp::agents(&session.client(), &key.get_value()).await;
                read.map(Arc::new)
            }),
            session,
        };
        let (gather, recount) = (Timer::new(), Timer::new());
        use_live().on_change(move |event| {
            if state.concerns(event) && !gather.is_waiting() {
                gather.start(GATHER, move || state.reload());
            }
            let moves_agents = matches!(event.kind, ChangeKind::McpBinding | ChangeKind::Agent);
            if moves_agents && !recount.is_waiting() {
                recount.start(GATHER, move || state.agents.reload());
            }
        });
        state
    }

    fn concerns(self, event: &ChangeEvent) -> bool {
        match event.kind {
            ChangeKind::McpConnection => {
                event.resource_id.as_deref() == Some(self.id.get_value().as_str())
            }
            ChangeKind::Reset => true,
            _ => false,
        }
    }

    /// Reads everything again.
    pub fn reload(self) {
        self.connection.reload();
        self.tools.reload();
        self.agents.reload();
    }

    /// How to call the control plane now.
    pub fn client(self) -> Client {
        self.session.client()
    }

    /// Notices the end of the session in an outcome.
    pub fn watch<T>(self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        self.session.watch(outcome)
    }

    /// The name as it may be shown; empty until it was read.
    pub fn name(self) -> Memo<String> {
        Memo::new(move |_| {
            self.connection
                .value()
                .with(|found| found.as_ref().map(|found| revealed(&found.name)))
                .unwrap_or_default()
        })
    }
}

/// The connection of the page around the caller.
pub fn use_connection() -> ConnectionState {
    expect_context()
}

#[component]
fn Item(id: String) -> impl IntoView {
    let state = ConnectionState::start(id.into());
    provide_context(state);
    let name = state.name();
    use_frame().show(name.into());
    let missing = Memo::new(move |_| {
        let never_read = state.connection.value().with(Option::is_none);
        state.connection.failure().with(|error| match error {
            Some(ApiError::Missing(_)) => true,
            Some(ApiError::Refused { status: 400, .. }) => never_read,
            _ => false,
        })
    });
    let list = Route::Settings(SettingsPage::Connections).href();
    move || {
        let list = list.clone();
        if missing.get() {
            view! {
                <div class="page settings">
                    <section class="panel" aria-labelledby="missing-heading">
                        <header><h2 id="missing-heading">"Connection not found or not yours"</h2></header>
                        <div class="empty">
                            <p>"It may have been deleted, or the address may be wrong."</p>
                            <a class="btn" href=list>"All connections"</a>
                        </div>
                    </section>
                </div>
            }
            .into_any()
        } else {
            view! {
                <div class="page settings">
                    <p class="trail"><a href=list>"Connections"</a>" › "<bdi>{name}</bdi></p>
                    <div class="stack">
                        <Overview />
                        <ToolListing />
                        <AgentsReached />
                        <EditConnection />
                        <Ending />
                    </div>
                </div>
            }
            .into_any()
        }
    }
}

/// Which server it is and how it is doing, and the test.
#[component]
fn Overview() -> impl IntoView {
    let state = use_connection();
    let connection = Memo::new(move |_| state.connection.value().get());
    let name = state.name();
    let of = move |part: fn(&Connection) -> String| {
        Memo::new(move |_| connection.with(|found| found.as_ref().map(part).unwrap_or_default()))
    };
    let transport = of(|one| transport_label(&one.transport).to_owned());
    let url = of(|one| revealed(&one.url));
    let where_label = of(|one| {
        match one.transport {
            Transport::Stdio => "Command",
            _ => "Address",
        }
        .to_owned()
    });
    let headers = of(|one| {
        if one.auth_header_names.is_empty() {
            "None".to_owned()
        } else {
            let names = one.auth_header_names.iter().map(|name| revealed(name));
            names.collect::<Vec<_>>().join(", ")
        }
    });
    let server = of(|one| {
        let Some(health) = &one.health else {
            return String::new();
        };
        let name = health.server_name.as_deref().map(revealed);
        let version = health.server_version.as_deref().map(revealed);
        [name, version]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    });
    let has_skills =
        Memo::new(move |_| connection.with(|found| found.as_ref()?.health.as_ref()?.skills));
    let is_disabled =
        Memo::new(move |_| connection.with(|found| found.as_ref().is_some_and(|one| !one.enabled)));
    view! {
        <section class="panel" aria-labelledby="connection-heading">
            <header>
                <div class="section-title">
                    <h2 id="connection-heading" tabindex="-1"><bdi class="mono">{move || if name.with(String::is_empty) { "Connection".to_owned() } else { name.get() }}</bdi></h2>
                    {move || is_disabled.get().then(|| view! {
                        <Badge tone=Tone::Deny icon=Icon::PlugOff text="Connection disabled" />
                    })}
                </div>
            </header>
            <Loaded remote=state.connection failed="The connection could not be loaded." rows=4 let(_connection)>
                <div class="inner">
                    <ConnectionHealthLine connection=connection />
                    <dl class="connection-facts">
                        <div><dt>"Transport"</dt><dd>{transport}</dd></div>
                        <div><dt>{where_label}</dt><dd><bdi class="mono" dir="ltr">{url}</bdi></dd></div>
                        <div><dt>"Headers sent"</dt><dd><bdi class="mono">{headers}</bdi></dd></div>
                        {move || (!server.with(String::is_empty)).then(|| view! {
                            <div><dt>"Calls itself"</dt><dd><bdi>{server}</bdi></dd></div>
                        })}
                        {move || has_skills.get().map(|skills| view! {
                            <div><dt>"Skills"</dt><dd>{if skills { "Publishes skills" } else { "Publishes none" }}</dd></div>
                        })}
                    </dl>
                </div>
                <TestRun />
            </Loaded>
        </section>
    }
}
