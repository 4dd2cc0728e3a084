//! The head of the agent page: name, status, the scopes it inherits from with how many rules each
//! has written, and the navigation between tabs.

use contract::agents::{Agent, AgentStatus};
use contract::grants::{ChainEntry, GrantRow, Scope};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::state::use_agent;
use crate::browser;
use crate::components::each::Each;
use crate::components::notice::Failure;
use crate::reactive::effect;
use crate::route::{Route, Tab};
use crate::shell::rail::initials;

/// The class that colours the mark of a status.
pub fn status_class(status: &AgentStatus) -> &'static str {
    match status {
        AgentStatus::Active => "status on",
        AgentStatus::Running => "status running",
        AgentStatus::Paused => "status paused",
        AgentStatus::Error => "status error",
        AgentStatus::Draft | AgentStatus::Archived | AgentStatus::Unknown(_) => "status idle",
    }
}

/// The word for a status.
pub fn status_label(status: &AgentStatus) -> String {
    match status {
        AgentStatus::Draft => "Draft".to_owned(),
        AgentStatus::Active => "Active".to_owned(),
        AgentStatus::Running => "Running".to_owned(),
        AgentStatus::Paused => "Paused".to_owned(),
        AgentStatus::Error => "Error".to_owned(),
        AgentStatus::Archived => "Archived".to_owned(),
        AgentStatus::Unknown(text) => text.clone(),
    }
}

/// How many patterns a row holds.
fn rule_count(row: Option<&GrantRow>) -> usize {
    row.map_or(0, |row| {
        row.allow.as_ref().map_or(0, Vec::len) + row.deny.as_ref().map_or(0, Vec::len)
    })
}

fn rules_text(count: usize) -> String {
    match count {
        0 => "no rules".to_owned(),
        1 => "1 rule".to_owned(),
        many => format!("{many} rules"),
    }
}

/// Name, status and scopes.
#[component]
pub fn AgentHeader() -> impl IntoView {
    let state = use_agent();
    let agent = state.agent.value();
    let name = Memo::new(move |_| {
        agent.with(|agent| {
            agent
                .as_ref()
                .map(|agent| agent.name.clone())
                .unwrap_or_default()
        })
    });
    let title = Memo::new(move |_| {
        agent.with(|agent| agent.as_ref().and_then(|agent| agent.title.clone()))
    });
    let status =
        Memo::new(move |_| agent.with(|agent| agent.as_ref().map(|agent| agent.status.clone())));
    view! {
        {move || state.agent.failure().get().map(|error| view! {
            <Failure
                what="The agent could not be loaded."
                error=error
                on_retry=Callback::new(move |()| state.agent.reload())
            />
        })}
        <div class="row">
            <span class="avatar" aria-hidden="true">{move || initials(&name.get())}</span>
            <div class="identity">
                <div class="name">
                    <h1><bdi>{move || if name.with(String::is_empty) { "Agent".to_owned() } else { name.get() }}</bdi></h1>
                    {move || status.get().map(|status| view! {
                        <span class=status_class(&status)>{status_label(&status)}</span>
                    })}
                    {move || title.get().map(|title| view! { <bdi class="note">{title}</bdi> })}
                </div>
                <ScopeTrail />
            </div>
        </div>
    }
}

/// Tenant › organization › Work › agent, each with its number of rules and a link to them.
#[component]
fn ScopeTrail() -> impl IntoView {
    let state = use_agent();
    let chain = Memo::new(move |_| {
        state.resolved.value().with(|resolved| {
            resolved
                .as_ref()
                .map(|resolved| resolved.chain.clone())
                .unwrap_or_default()
        })
    });
    let scopes = move || -> Vec<ChainEntry> {
        chain.with(|chain| {
            chain
                .iter()
                .filter(|entry| entry.scope != Scope::Default)
                .cloned()
                .collect()
        })
    };
    view! {
        <nav aria-label="Scopes this agent inherits from">
            <ol class="scope">
                <Each each=scopes key=|entry| format!("{} {}", entry.scope.as_str(), entry.id.as_deref().unwrap_or_default()) let(entry)>
                    <ScopeStep entry=entry />
                </Each>
            </ol>
        </nav>
    }
}

#[component]
fn ScopeStep(entry: ChainEntry) -> impl IntoView {
    let state = use_agent();
    let href = Route::Rules(entry.scope.clone(), entry.id.clone().unwrap_or_default()).href();
    let scope = entry.scope.label().to_owned();
    let named = entry.clone();
    let count = Memo::new(move |_| {
        state
            .rows
            .value()
            .with(Option::is_some)
            .then(|| rule_count(state.row_of(&entry).as_ref()))
    });
    view! {
        <li>
            <a href=href title=format!("Rules of this {scope}")>
                <bdi>{move || state.layer_name(&named)}</bdi>
                <span class="visually-hidden">{format!(" ({scope})")}</span>
                {move || count.get().map(|count| view! { <span class="rules">{rules_text(count)}</span> })}
            </a>
        </li>
    }
}

/// Links between the tabs that exist.
#[component]
pub fn AgentTabs() -> impl IntoView {
    let state = use_agent();
    let location = use_location();
    let base = browser::base_path();
    let current = Memo::new(
        move |_| match Route::parse(&base, &location.pathname.get()) {
            Some(Route::Agent(_, tab)) => Some(tab),
            _ => None,
        },
    );
    effect(move || {
        let tab = current.get().map_or("Agent", Tab::label);
        let name = state
            .agent
            .value()
            .with(|agent| agent.as_ref().map(|agent: &Agent| agent.name.clone()));
        let mark = if state.unsaved.get() { "● " } else { "" };
        browser::set_title(&format!(
            "{mark}{tab} · {} · Remit",
            name.as_deref().unwrap_or("Agent")
        ));
    });
    effect(move || {
        current.track();
        browser::reveal_in_list(".tabs [aria-current=page]");
    });
    view! {
        <nav class="tabs" aria-label="Agent sections">
            <ul>
                {Tab::ALL.map(|tab| view! {
                    <li>
                        <a
                            href=Route::Agent(state.id.get_value(), tab).href()
                            aria-current=move || (current.get() == Some(tab)).then_some("page")
                        >
                            {tab.label()}
                        </a>
                    </li>
                }).collect_view()}
            </ul>
        </nav>
    }
}
