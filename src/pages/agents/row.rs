//! One agent in the list: who it is, how it is, where it belongs, what it may use.

use contract::agents::Agent;
use contract::capabilities::AccessSummary;
use contract::ids::AgentId;
use contract::rules::explain::Bucket;
use leptos::prelude::*;

use super::state::{Listing, use_fleet};
use crate::components::bar::AccessBar;
use crate::pages::agent::header::{status_class, status_label};
use crate::route::{Route, Tab};
use crate::shell::rail::initials;

/// What is known about the tools of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Unknown,
    Asking,
    Known(AccessSummary),
}

/// The row of one agent. It stays the same element while its agent changes.
#[component]
pub fn AgentRow(
    /// Which agent.
    id: AgentId,
    /// The rows it is looked up in.
    listing: Memo<Listing>,
) -> impl IntoView {
    let fleet = use_fleet();
    let key = id.clone();
    let agent: Memo<Option<Agent>> = Memo::new(move |before: Option<&Option<Agent>>| {
        listing
            .with(|listing| listing.page.data.iter().find(|one| one.id == key).cloned())
            .or_else(|| before.cloned().flatten())
    });
    let text = move |part: fn(&Agent) -> String| {
        Memo::new(move |_| agent.with(|agent| agent.as_ref().map(part).unwrap_or_default()))
    };
    let name = text(|agent| agent.name.clone());
    let title = text(|agent| agent.title.clone().unwrap_or_default());
    let scope =
        Memo::new(move |_| agent.with(|agent| agent.as_ref().map(|agent| fleet.scope_name(agent))));
    let key = id.clone();
    let access = Memo::new(move |_| {
        let known = fleet
            .access
            .value()
            .with(|known| known.as_ref().and_then(|known| known.get(&key).copied()));
        match known {
            Some(summary) => Access::Known(summary),
            None if fleet.access.pending().get() => Access::Asking,
            None => Access::Unknown,
        }
    });
    let on = StoredValue::new(format!(
        "{}?state={}",
        Route::Agent(id.clone(), Tab::Capabilities).href(),
        Bucket::On.slug()
    ));
    let all = StoredValue::new(Route::Agent(id.clone(), Tab::Capabilities).href());
    view! {
        <li class="agent-row">
            <span class="avatar" aria-hidden="true">{move || name.with(|name| initials(name))}</span>
            <div class="agent-name">
                <a href=Route::Agent(id, Tab::Dashboard).href()><bdi>{name}</bdi></a>
                <bdi class="what">{title}</bdi>
            </div>
            <div class="agent-status">
                {move || agent.with(|agent| agent.as_ref().map(|agent| view! {
                    <span class=status_class(&agent.status)>
                        <span class="visually-hidden">"Status: "</span>
                        {status_label(&agent.status)}
                    </span>
                }))}
            </div>
            <div class="agent-scope">
                <span class="visually-hidden">"Scope: "</span>
                <bdi>{scope}</bdi>
            </div>
            <div class="agent-access">
                {move || match access.get() {
                    Access::Known(summary) => view! {
                        <a href=on.get_value()>
                            {format!("{} of {} tools on", summary.on, summary.total())}
                            <span class="visually-hidden">{move || format!(", {}", name.get())}</span>
                        </a>
                        <AccessBar summary=summary />
                    }.into_any(),
                    Access::Asking => view! { <span class="note">"Counting tools…"</span> }.into_any(),
                    Access::Unknown => view! {
                        <a href=all.get_value() title="How many tools are on is not known">
                            "— "
                            <span class="visually-hidden">{move || format!("Tools of {}, number unknown", name.get())}</span>
                        </a>
                    }.into_any(),
                }}
            </div>
        </li>
    }
}
