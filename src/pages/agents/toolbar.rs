//! Search, status and scope of the list of agents. Everything chosen stands in the address.

use contract::agents::AgentStatus;
use contract::order::sorted_by;
use leptos::prelude::*;

use super::filters::{Belonging, Filters, SEARCH_MAX};
use super::state::{Counts, use_fleet};
use crate::browser;
use crate::components::chips::{Chip, Chips};
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::pages::agent::header::status_label;

/// Statuses in the order of the chips: what runs first, what is put away last.
const ORDER: [AgentStatus; 6] = [
    AgentStatus::Active,
    AgentStatus::Running,
    AgentStatus::Paused,
    AgentStatus::Error,
    AgentStatus::Draft,
    AgentStatus::Archived,
];

fn mark(status: &AgentStatus) -> &'static str {
    match status {
        AgentStatus::Active => "on",
        AgentStatus::Running => "run",
        AgentStatus::Paused => "perm",
        AgentStatus::Error => "deny",
        AgentStatus::Draft | AgentStatus::Archived | AgentStatus::Unknown(_) => "off",
    }
}

fn chips(counts: Option<&Counts>) -> Vec<Chip> {
    let all = Chip {
        value: String::new(),
        label: "All".to_owned(),
        count: counts.map(|counts| counts.present),
        mark: "",
    };
    let statuses = ORDER.iter().map(|status| Chip {
        value: status.as_str().to_owned(),
        label: status_label(status),
        count: counts.map(|counts| counts.of(status)),
        mark: mark(status),
    });
    std::iter::once(all).chain(statuses).collect()
}

/// The toolbar.
#[component]
pub fn Toolbar() -> impl IntoView {
    let fleet = use_fleet();
    let chosen = move || {
        fleet.filters.with(|filters| {
            filters
                .status
                .iter()
                .map(|status| status.as_str().to_owned())
                .collect::<Vec<_>>()
        })
    };
    let press = Callback::new(move |value: String| {
        let present = fleet.filters.get_untracked();
        let pressed = AgentStatus::from(value.as_str());
        // A pressed chip pressed again lets go; the first one stands for no status.
        let status =
            (!value.is_empty() && present.status.as_ref() != Some(&pressed)).then_some(pressed);
        fleet.choose(Filters { status, ..present }.at_page(0));
    });
    let too_long = Memo::new(move |_| {
        fleet
            .typed
            .with(|typed| typed.trim().chars().count() > SEARCH_MAX)
    });
    view! {
        <div class="toolbar" role="search" aria-label="Agents">
            <label class="field">
                <Glyph icon=Icon::Search />
                <span class="visually-hidden">"Filter agents by name, slug or title"</span>
                <input
                    type="search"
                    id="agent-search"
                    placeholder="Filter agents"
                    autocomplete="off"
                    spellcheck="false"
                    aria-controls="agent-list"
                    aria-describedby=move || too_long.get().then_some("agent-search-note")
                    prop:value=fleet.typed
                    on:input:target=move |event| fleet.search(event.target().value())
                    on:keydown=move |event: web_sys::KeyboardEvent| {
                        if event.key() == "Escape" {
                            event.prevent_default();
                            if fleet.typed.with_untracked(String::is_empty) {
                                browser::focus_first("#agent-list a");
                            } else {
                                fleet.search(String::new());
                            }
                        }
                    }
                />
                <kbd aria-hidden="true">"/"</kbd>
            </label>
            <ScopeChoice />
            <Chips
                label="Filter by status"
                chips=Signal::derive(move || chips(fleet.chip_counts().as_ref()))
                chosen=Signal::derive(chosen)
                on_press=press
            />
            {move || fleet.strange_status.get().map(|said| view! {
                <p class="note">"There is no status “"<bdi>{said}</bdi>"”, so agents of every status are shown."</p>
            })}
            {move || too_long.get().then(|| view! {
                <p class="note" id="agent-search-note">{format!("Only the first {SEARCH_MAX} characters are searched for.")}</p>
            })}
        </div>
    }
}

/// Which scope the agents belong to.
#[component]
fn ScopeChoice() -> impl IntoView {
    let fleet = use_fleet();
    let chosen = move || fleet.filters.with(|filters| filters.belonging.to_text());
    let works = Memo::new(move |_| {
        let ids: Vec<String> = fleet.works.value().with(|list| {
            list.iter()
                .flat_map(|list| &list.works)
                .map(|work| work.id.0.clone())
                .collect()
        });
        let named: Vec<(String, String)> = ids
            .into_iter()
            .map(|id| (fleet.work_name(&id).unwrap_or_default(), id))
            .collect();
        sorted_by(named, Ord::cmp)
    });
    // A Work of the address that is not among the known ones is still what is filtered by.
    let unknown = move || match fleet.filters.with(|filters| filters.belonging.clone()) {
        Belonging::Work(id) => works
            .with(|works| !works.iter().any(|(_, known)| *known == id))
            .then_some(id),
        Belonging::Anywhere | Belonging::Tenant => None,
    };
    let failed = move || fleet.works.failure().with(Option::is_some);
    let choose = move |value: String| {
        let filters = Filters {
            belonging: Belonging::from_text(&value),
            ..fleet.filters.get_untracked()
        };
        fleet.choose(filters.at_page(0));
    };
    let option = move |value: String, label: String| {
        let mine = value.clone();
        view! { <option value=value prop:selected=move || chosen() == mine>{label}</option> }
    };
    view! {
        <label class="pick">
            <span class="visually-hidden">"Scope"</span>
            <select id="agent-scope" on:change:target=move |event| choose(event.target().value())>
                {option(String::new(), "All scopes".to_owned())}
                {move || option("tenant".to_owned(), format!("Tenant: {}", fleet.tenant_name()))}
                <optgroup label="Works">
                    <Each each=move || works.get() key=|work| format!("{} {}", work.1, work.0) let(work)>
                        {option(format!("work:{}", work.1), work.0)}
                    </Each>
                    {move || unknown().map(|id| option(format!("work:{id}"), "Another Work".to_owned()))}
                    {move || failed().then(|| view! { <option disabled>"The Works could not be loaded"</option> })}
                </optgroup>
            </select>
        </label>
    }
}
