//! Deleting an agent for good, behind its name typed in full.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api;
use crate::components::announce::use_announcer;
use crate::components::dialog::Dialog;
use crate::components::form::{SendForm, TextField};
use crate::pages::agent::state::use_agent;
use crate::reactive::spawn;
use crate::route::Route;

/// The dialog.
#[component]
pub fn DeleteForGood(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let close = Callback::new(move |()| open.set(false));
    view! {
        <Dialog open=open title="Delete permanently" on_close=close>
            <Confirm open=open />
        </Dialog>
    }
}

#[component]
fn Confirm(open: RwSignal<bool>) -> impl IntoView {
    let state = use_agent();
    let announcer = use_announcer();
    let navigate = use_navigate();
    let typed = RwSignal::new(String::new());
    let problem = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let name = Memo::new(move |_| {
        state
            .agent
            .value()
            .with(|agent| agent.as_ref().map(|agent| agent.name.clone()))
            .unwrap_or_default()
    });
    let matches = Memo::new(move |_| {
        name.with(|name| !name.is_empty() && typed.with(|typed| typed.trim() == name.trim()))
    });
    let delete = move || {
        if busy.get_untracked() {
            return;
        }
        if !matches.get_untracked() {
            announcer.alert("Not deleted. Type the name of the agent first.");
            crate::browser::focus("delete-name");
            return;
        }
        busy.set(true);
        problem.set(None);
        let name = name.get_untracked();
        let navigate = navigate.clone();
        spawn(async move {
            let id = state.id.get_value();
            let answer = state.watch(api::agents::remove(&state.client(), &id, true).await);
            busy.try_set(false);
            match answer {
                Ok(_) => {
                    announcer.toast(format!("{name} was deleted"), None);
                    open.try_set(false);
                    // Nothing is left to save: this leads away without asking.
                    navigate(
                        &Route::Agents.href(),
                        NavigateOptions {
                            resolve: false,
                            replace: true,
                            ..NavigateOptions::default()
                        },
                    );
                    request_animation_frame(|| {
                        crate::browser::focus("main");
                    });
                }
                Err(error) => {
                    announcer.alert(format!("Not deleted. {}", error.sentence()));
                    problem.try_set(Some(error.sentence()));
                }
            }
        });
    };
    view! {
        <p>"The agent and the rules written on it are gone for good; nobody can take this back. To stop it and keep everything, archive it instead."</p>
        <SendForm busy=busy on_send=move |()| delete()>
            <p>"Type "<strong><bdi>{name}</bdi></strong>" to confirm."</p>
            <TextField
                id="delete-name"
                label="Name of the agent"
                value=typed
                problem=problem
            />
            <div class="dialog-actions">
                <button type="button" class="btn" on:click=move |_| open.set(false)>"Keep the agent"</button>
                <button
                    type="submit"
                    class="btn danger"
                    aria-disabled=move || (!matches.get()).then_some("true")
                    aria-describedby=move || (!matches.get()).then_some("delete-why-not")
                    aria-busy=move || busy.get().then_some("true")
                >
                    {move || if busy.get() { "Deleting…" } else { "Delete permanently" }}
                </button>
            </div>
            <p class="visually-hidden" id="delete-why-not">"The name is not typed in full yet."</p>
        </SendForm>
    }
}
