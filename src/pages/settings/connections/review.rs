//! Switching a connection off for the whole workspace, and deleting it. Both are reviewed first:
//! how many agents it affects, and which.

use contract::connections::ConnectionPatch;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use super::agents::AgentLinks;
use super::item::{ConnectionState, use_connection};
use super::list::agents_word;
use crate::api::{self, ApiError};
use crate::browser;
use crate::components::announce::{Announcer, use_announcer};
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::switch::{Saving, Switch, SwitchState};
use crate::reactive::spawn;
use crate::route::{Route, SettingsPage};

/// What is being reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Disable,
    Delete,
}

#[derive(Clone, Copy)]
struct Workspace {
    state: ConnectionState,
    announcer: Announcer,
    /// The value on its way to the control plane.
    wanted: RwSignal<Option<bool>>,
    /// Why the last change was not made.
    problem: RwSignal<Option<String>>,
}

impl Workspace {
    /// Writes the switch. After a lost answer the connection is read to learn what is stored.
    fn set(self, on: bool) {
        if self.wanted.get_untracked().is_some() {
            return;
        }
        self.wanted.set(Some(on));
        self.problem.set(None);
        let state = self.state;
        spawn(async move {
            let id = state.id.get_value();
            let patch = ConnectionPatch {
                enabled: Some(on),
                ..ConnectionPatch::default()
            };
            let answer = match api::mcp::patch(&state.client(), &id, &patch).await {
                Err(error) if error.may_be_stored() => {
                    match api::mcp::one(&state.client(), &id).await {
                        Ok(now) if now.enabled == on => Ok(now),
                        _ => Err(error),
                    }
                }
                answer => answer,
            };
            match state.watch(answer) {
                Ok(connection) => {
                    let word = if on {
                        "enabled"
                    } else {
                        "disabled for the whole workspace"
                    };
                    self.announcer.toast(
                        format!(
                            "{} is {word}. It applies from the next run.",
                            connection.name
                        ),
                        None,
                    );
                    state.connection.confirm(connection);
                    state.agents.reload();
                }
                Err(error) => {
                    let said = format!("Not saved. {}", error.sentence());
                    self.announcer.alert(said.clone());
                    self.problem.try_set(Some(said));
                    state.connection.reload();
                }
            }
            self.wanted.try_set(None);
        });
    }
}

/// The section.
#[component]
pub fn Ending() -> impl IntoView {
    let state = use_connection();
    let announcer = use_announcer();
    let step = RwSignal::new(None::<Step>);
    let workspace = Workspace {
        state,
        announcer,
        wanted: RwSignal::new(None),
        problem: RwSignal::new(None),
    };
    let stored = Memo::new(move |_| {
        state
            .connection
            .value()
            .with(|found| found.as_ref().map(|found| found.enabled))
    });
    let shown = Signal::derive(move || SwitchState {
        on: workspace.wanted.get().or(stored.get()).unwrap_or(false),
        locked: false,
        busy: workspace.wanted.with(Option::is_some),
    });
    let press = Callback::new(move |()| {
        if shown.get_untracked().on {
            state.agents.reload();
            step.set(Some(Step::Disable));
        } else {
            workspace.set(true);
        }
    });
    view! {
        <section class="panel" aria-labelledby="workspace-heading">
            <header><h3 id="workspace-heading" tabindex="-1">"For the whole workspace"</h3></header>
            <Loaded remote=state.connection failed="The connection could not be loaded." rows=2 let(_connection)>
                <div class="inner">
                    <div class="flag-row lone-row">
                        <div class="flag-text">
                            <p class="flag-name">
                                <span id="enabled-name">"Enabled"</span>
                                {move || workspace.wanted.with(Option::is_some).then(|| view! { " "<Saving /> })}
                            </p>
                            <p class="what" id="enabled-what">"Off: no agent can use this server, whatever its own page says. Overrides are kept."</p>
                        </div>
                        <Switch
                            state=shown
                            id="enabled-switch"
                            named_by="enabled-name"
                            described_by=Signal::derive(|| "enabled-what".to_owned())
                            on_press=press
                        />
                    </div>
                    {move || workspace.problem.get().map(|problem| view! {
                        <div class="notice deny" role="group" aria-label="Not saved">
                            <Glyph icon=Icon::Warning />
                            <p><bdi>{problem}</bdi></p>
                            <div class="actions">
                                <button type="button" class="btn quiet" on:click=move |_| {
                                    workspace.problem.set(None);
                                    browser::focus("enabled-switch");
                                }>"Dismiss"</button>
                            </div>
                        </div>
                    })}
                    <div class="danger-zone">
                        <div>
                            <h4>"Delete the connection"</h4>
                            <p class="note">"Its address, its headers and every override of it are gone for good."</p>
                        </div>
                        <button type="button" class="btn danger" on:click=move |_| {
                            state.agents.reload();
                            step.set(Some(Step::Delete));
                        }>"Delete…"</button>
                    </div>
                </div>
            </Loaded>
            <Review step=step workspace=workspace />
        </section>
    }
}

/// The review of both steps.
#[component]
fn Review(step: RwSignal<Option<Step>>, workspace: Workspace) -> impl IntoView {
    let state = use_connection();
    let name = state.name();
    let title = Signal::derive(move || match step.get() {
        Some(Step::Delete) => format!("Delete {}", name.get()),
        _ => format!("Disable {} for the whole workspace", name.get()),
    });
    view! {
        <Dialog
            open=Signal::derive(move || step.with(Option::is_some))
            title=title
            on_close=Callback::new(move |()| step.set(None))
        >
            <Affected />
            <Confirm step=step workspace=workspace />
        </Dialog>
    }
}

/// Who loses the server.
#[component]
fn Affected() -> impl IntoView {
    let state = use_connection();
    let agents = Memo::new(move |_| {
        state.agents.value().with(|agents| {
            agents
                .as_ref()
                .map(|agents| agents.data.clone())
                .unwrap_or_default()
        })
    });
    let is_disabled = Memo::new(move |_| {
        state
            .connection
            .value()
            .with(|found| found.as_ref().is_some_and(|found| !found.enabled))
    });
    view! {
        <Loaded remote=state.agents failed="The agents it affects could not be loaded." rows=2 let(_agents)>
            <p>{move || {
                let count = agents.with(Vec::len);
                match (count, is_disabled.get()) {
                    (0, _) => "No agent has it on.".to_owned(),
                    (_, true) => format!("It is disabled already; {} would have it on again if it were enabled.", agents_word(count)),
                    (1, false) => "1 agent loses its tools from its next run:".to_owned(),
                    (many, false) => format!("{many} agents lose its tools from their next run:"),
                }
            }}</p>
            <AgentLinks agents=agents />
        </Loaded>
    }
}

/// Why the step cannot be taken now.
fn blocked(state: ConnectionState) -> Option<&'static str> {
    if state.agents.failure().with(Option::is_some) {
        Some("Which agents it affects is not known. Retry first.")
    } else if state.agents.value().with(Option::is_none) {
        Some("Which agents it affects is still being read.")
    } else {
        None
    }
}

#[component]
fn Confirm(step: RwSignal<Option<Step>>, workspace: Workspace) -> impl IntoView {
    let state = use_connection();
    let announcer = use_announcer();
    let navigate = use_navigate();
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<String>);
    let is_delete = move || step.with(|step| *step == Some(Step::Delete));
    let count = move || {
        state
            .agents
            .value()
            .with(|agents| agents.as_ref().map_or(0, |agents| agents.data.len()))
    };
    let label = move || match (is_delete(), count()) {
        (true, _) if busy.get() => "Deleting…".to_owned(),
        (true, _) => "Delete the connection".to_owned(),
        (false, 0) => "Disable".to_owned(),
        (false, many) => format!("Disable for {}", agents_word(many)),
    };
    let delete = move || {
        busy.set(true);
        problem.set(None);
        let navigate = navigate.clone();
        let name = state.name().get_untracked();
        spawn(async move {
            let id = state.id.get_value();
            let answer = match api::mcp::remove(&state.client(), &id).await {
                // Deleted by somebody else meanwhile: what was wanted is so.
                Ok(_) | Err(ApiError::Missing(_)) => Ok(()),
                Err(error) if error.may_be_stored() => {
                    match api::mcp::one(&state.client(), &id).await {
                        Err(ApiError::Missing(_)) => Ok(()),
                        _ => Err(error),
                    }
                }
                Err(error) => Err(error),
            };
            busy.try_set(false);
            match state.watch(answer) {
                Ok(()) => {
                    announcer.toast(format!("{name} was deleted"), None);
                    step.try_set(None);
                    // Nothing is left to save: this leads away without asking.
                    let options = NavigateOptions {
                        resolve: false,
                        replace: true,
                        ..NavigateOptions::default()
                    };
                    navigate(&Route::Settings(SettingsPage::Connections).href(), options);
                    request_animation_frame(|| {
                        browser::focus("main");
                    });
                }
                Err(error) => {
                    announcer.alert(format!("Not deleted. {}", error.sentence()));
                    problem.try_set(Some(error.sentence()));
                }
            }
        });
    };
    let go = move |_| {
        if busy.get_untracked() {
            return;
        }
        if let Some(reason) = untrack(|| blocked(state)) {
            announcer.alert(reason);
        } else if untrack(is_delete) {
            delete();
        } else {
            step.set(None);
            workspace.set(false);
        }
    };
    view! {
        {move || problem.get().map(|problem| view! {
            <p class="wrong notice deny">"Not deleted. "<bdi>{problem}</bdi></p>
        })}
        <div class="dialog-actions">
            <button
                type="button"
                class="btn danger"
                aria-disabled=move || blocked(state).is_some().then_some("true")
                aria-describedby=move || blocked(state).is_some().then_some("ending-why-not")
                aria-busy=move || busy.get().then_some("true")
                on:click=go
            >
                {label}
            </button>
            <button type="button" class="btn primary" autofocus on:click=move |_| step.set(None)>
                {move || if is_delete() { "Keep it" } else { "Keep it enabled" }}
            </button>
        </div>
        <p class="visually-hidden" id="ending-why-not">{move || blocked(state)}</p>
    }
}
