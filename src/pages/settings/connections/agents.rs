//! The agents a connection reaches.

use contract::connections::{AffectedAgent, BindingSource};
use contract::order::sorted_by;
use leptos::prelude::*;

use super::item::use_connection;
use super::list::agents_word;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::Icon;
use crate::components::section::Loaded;
use crate::pages::agent::header::{status_class, status_label};
use crate::route::{Route, Tab};

/// How many are listed at once.
const LISTED: usize = 10;

/// Agents as links, the first ones at once and the rest when asked for.
#[component]
pub fn AgentLinks(
    /// The agents, by name.
    #[prop(into)]
    agents: Signal<Vec<AffectedAgent>>,
) -> impl IntoView {
    let all = RwSignal::new(false);
    let rest = Memo::new(move |_| agents.with(Vec::len).saturating_sub(LISTED));
    let shown = move || {
        let mut shown = sorted_by(agents.get(), |left, right| {
            left.name.to_lowercase().cmp(&right.name.to_lowercase())
        });
        if !all.get() {
            shown.truncate(LISTED);
        }
        shown
    };
    view! {
        <ul class="reached">
            {move || shown().into_iter().map(|agent| view! {
                <li>
                    <a href=Route::Agent(agent.id, Tab::McpServers).href()><bdi>{agent.name}</bdi></a>
                    <span class=status_class(&agent.status)>{status_label(&agent.status)}</span>
                    {(agent.binding_source == BindingSource::Agent).then(|| view! {
                        <Badge tone=Tone::Override icon=Icon::Pencil text="Override" />
                    })}
                </li>
            }).collect_view()}
        </ul>
        {move || (rest.get() > 0 && !all.get()).then(|| view! {
            <button type="button" class="btn" on:click=move |_| all.set(true)>{format!("Show {} more", agents_word(rest.get()))}</button>
        })}
    }
}

/// The section.
#[component]
pub fn AgentsReached() -> impl IntoView {
    let state = use_connection();
    let is_disabled = Memo::new(move |_| {
        state
            .connection
            .value()
            .with(|found| found.as_ref().is_some_and(|found| !found.enabled))
    });
    let agents = Memo::new(move |_| {
        state
            .agents
            .value()
            .with(|agents| agents.as_ref().map(|agents| agents.data.clone()))
    });
    view! {
        <section class="panel" aria-labelledby="reached-heading">
            <header>
                <div class="section-title">
                    <h3 id="reached-heading" tabindex="-1">"Agents"</h3>
                    <span class="note">
                        {move || agents.with(|agents| agents.as_ref().map(|agents| {
                            let count = agents_word(agents.len());
                            if is_disabled.get() { format!("would be on for {count}") } else { format!("on for {count}") }
                        }))}
                    </span>
                </div>
            </header>
            <Loaded remote=state.agents failed="The agents could not be loaded." rows=2 let(_agents)>
                <div class="inner">
                    {move || if agents.with(|agents| agents.as_ref().is_some_and(Vec::is_empty)) {
                        view! { <p class="note">"It is on for no agent."</p> }.into_any()
                    } else {
                        view! { <AgentLinks agents=Signal::derive(move || agents.get().unwrap_or_default()) /> }.into_any()
                    }}
                </div>
            </Loaded>
        </section>
    }
}
