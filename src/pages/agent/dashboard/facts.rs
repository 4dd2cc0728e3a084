//! Identity and life cycle of the agent in facts.

use contract::agents::{Agent, AgentScope};
use contract::grants::Scope;
use leptos::prelude::*;

use crate::browser;
use crate::components::section::Loaded;
use crate::pages::agent::header::{status_class, status_label};
use crate::pages::agent::state::{AgentState, use_agent};

/// An instant in the operator's own time zone, exact for machines.
#[component]
pub fn Instant(
    /// ISO-8601 UTC.
    #[prop(into)]
    at: Signal<String>,
) -> impl IntoView {
    view! { <time datetime=move || at.get()>{move || browser::local_time(&at.get())}</time> }
}

fn scope_words(state: AgentState, agent: &Agent) -> String {
    let wanted = match agent.scope {
        AgentScope::Work => Scope::Work,
        AgentScope::Tenant => Scope::Tenant,
        AgentScope::Mission => return "A mission".to_owned(),
        AgentScope::Idea => return "An idea".to_owned(),
        AgentScope::Unknown(ref text) => return text.clone(),
    };
    let entry = state.resolved.value().with(|resolved| {
        let chain = &resolved.as_ref()?.chain;
        chain.iter().find(|entry| entry.scope == wanted).cloned()
    });
    let kind = wanted.label();
    entry.map_or_else(
        || kind.to_owned(),
        |entry| format!("{} ({kind})", state.layer_name(&entry)),
    )
}

fn cadence(agent: &Agent) -> String {
    match agent.heartbeat_cadence.as_deref() {
        None | Some("" | "manual") => "Manual".to_owned(),
        Some(cron) => format!("{cron} (UTC)"),
    }
}

/// The card.
#[component]
pub fn Facts() -> impl IntoView {
    let state = use_agent();
    view! {
        <section class="panel" aria-labelledby="facts-card">
            <header><h3 id="facts-card">"About this agent"</h3></header>
            <Loaded remote=state.agent failed="The facts could not be loaded." rows=6 let(agent)>
                <List agent=agent />
            </Loaded>
        </section>
    }
}

#[component]
fn List(agent: Memo<Agent>) -> impl IntoView {
    let state = use_agent();
    let instant = move |part: fn(&Agent) -> Option<String>, otherwise: &'static str| {
        let at = Memo::new(move |_| agent.with(part));
        move || match at.get() {
            Some(at) => view! { <Instant at=at /> }.into_any(),
            None => view! { <span class="note">{otherwise}</span> }.into_any(),
        }
    };
    let last_run = instant(|agent| agent.last_run_at.clone(), "Never");
    let outcome = Memo::new(move |_| agent.with(|agent| agent.last_run_status.clone()));
    let failures = Memo::new(move |_| {
        agent.with(|agent| {
            format!(
                "{} in a row, pauses after {}",
                agent.error_count, agent.pause_after_failures
            )
        })
    });
    view! {
        <dl class="facts">
            <div>
                <dt>"Status"</dt>
                <dd>{move || agent.with(|agent| view! { <span class=status_class(&agent.status)>{status_label(&agent.status)}</span> })}</dd>
            </div>
            <div><dt>"Belongs to"</dt><dd><bdi>{move || agent.with(|agent| scope_words(state, agent))}</bdi></dd></div>
            <div><dt>"Short name"</dt><dd><bdi class="mono">{move || agent.with(|agent| agent.slug.clone())}</bdi></dd></div>
            <div>
                <dt>"Last run"</dt>
                <dd>{last_run}{move || outcome.get().map(|outcome| view! { <br /><bdi class="note">{outcome}</bdi> })}</dd>
            </div>
            <div><dt>"Heartbeat"</dt><dd class="mono">{move || agent.with(cadence)}</dd></div>
            <div><dt>"Next heartbeat"</dt><dd>{instant(|agent| agent.next_heartbeat_at.clone(), "None planned")}</dd></div>
            <div><dt>"Failures"</dt><dd>{failures}</dd></div>
            <div><dt>"Created"</dt><dd>{instant(|agent| Some(agent.created_at.clone()).filter(|at| !at.is_empty()), "Unknown")}</dd></div>
            <div><dt>"Updated"</dt><dd>{instant(|agent| Some(agent.updated_at.clone()).filter(|at| !at.is_empty()), "Unknown")}</dd></div>
        </dl>
    }
}
