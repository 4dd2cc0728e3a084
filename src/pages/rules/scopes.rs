//! Every scope of the account with the number of rules written there.

use contract::grants::Scope;
use contract::order::sorted_by;
use leptos::prelude::*;

use super::state::{RulesState, use_rules};
use crate::api::ApiError;
use crate::components::each::Each;
use crate::route::Route;

/// `no rules`, `1 rule`, `3 rules`.
pub fn rules_text(count: usize) -> String {
    match count {
        0 => "no rules".to_owned(),
        1 => "1 rule".to_owned(),
        many => format!("{many} rules"),
    }
}

/// One scope of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Listed {
    scope: Scope,
    id: String,
    name: String,
}

impl Listed {
    /// Tells it apart, name included: a renamed scope is drawn anew.
    fn key(&self) -> String {
        format!("{} {} {}", self.scope.as_str(), self.id, self.name)
    }
}

type Group = (&'static str, Vec<Listed>);

fn groups(state: RulesState) -> Vec<Group> {
    let listed = |scope: Scope, id: &str, name: &str| Listed {
        scope,
        id: id.to_owned(),
        name: name.to_owned(),
    };
    let tenant = state
        .tenant()
        .map(|(id, name)| listed(Scope::Tenant, &id, name.as_deref().unwrap_or("Your tenant")));
    let organizations = state.organizations.value().with(|list| {
        list.iter()
            .flatten()
            .map(|one| listed(Scope::Organization, one.id.as_str(), one.shown_name()))
            .collect::<Vec<_>>()
    });
    let works = state.works.value().with(|list| {
        list.iter()
            .flat_map(|list| &list.works)
            .map(|one| listed(Scope::Work, one.id.as_str(), &one.name))
            .collect::<Vec<_>>()
    });
    let agents = state.fleet.value().with(|fleet| {
        fleet
            .iter()
            .flat_map(|fleet| fleet.agents.iter().chain(&fleet.archived))
            .map(|one| listed(Scope::Agent, one.id.as_str(), &one.name))
            .collect::<Vec<_>>()
    });
    let mut groups = vec![
        ("Tenant", tenant.into_iter().collect()),
        ("Organizations", organizations),
        ("Works", works),
        ("Agents", agents),
    ];
    for (_, list) in &mut groups {
        *list = sorted_by(std::mem::take(list), |left, right| {
            left.name.to_lowercase().cmp(&right.name.to_lowercase())
        });
    }
    groups.retain(|(_, list)| !list.is_empty());
    groups
}

/// The list. Agents that wrote no rule of their own are folded away.
#[component]
pub fn ScopesPanel() -> impl IntoView {
    let state = use_rules();
    let all = Memo::new(move |_| groups(state));
    let show_all = RwSignal::new(false);
    let quiet = move |one: &Listed| {
        one.scope == Scope::Agent
            && one.id != state.id.get_value()
            && state.rule_count(&one.scope, &one.id) == Some(0)
    };
    let shown = move || -> Vec<Group> {
        let mut groups = all.get();
        if !show_all.get() {
            for (_, list) in &mut groups {
                list.retain(|one| !quiet(one));
            }
        }
        groups.retain(|(_, list)| !list.is_empty());
        groups
    };
    let hidden = Memo::new(move |_| {
        all.with(|groups| {
            groups
                .iter()
                .flat_map(|(_, list)| list)
                .filter(|one| quiet(one))
                .count()
        })
    });
    let failures = move || -> Vec<(&'static str, ApiError)> {
        let reads = [
            ("Organizations", state.organizations.failure().get()),
            ("Works", state.works.failure().get()),
            ("Agents", state.fleet.failure().get()),
        ];
        reads
            .into_iter()
            .filter_map(|(what, failure)| Some((what, failure?)))
            .collect()
    };
    let retry = move |_| {
        state.organizations.reload();
        state.works.reload();
        state.fleet.reload();
    };
    view! {
        <nav class="panel scopes" aria-labelledby="scopes">
            <header><h2 id="scopes">"Scopes"</h2></header>
            {move || failures().into_iter().map(|(what, error)| view! {
                <div class="notice deny" role="group" aria-label="Problem">
                    <p>{format!("{what} could not be loaded. {}", error.sentence())}</p>
                    <button type="button" class="btn" on:click=retry>"Retry"</button>
                </div>
            }).collect_view()}
            <Each each=shown key=|(label, _)| *label children=move |(label, _)| {
                let list = move || shown().into_iter().find(|(other, _)| *other == label).map(|(_, list)| list).unwrap_or_default();
                view! {
                    <section>
                        <h3>{label}</h3>
                        <ul>
                            <Each each=list key=|one| one.key() let(one)>
                                <ScopeLink one=one />
                            </Each>
                        </ul>
                    </section>
                }
            } />
            {move || (hidden.get() > 0).then(|| view! {
                <button
                    type="button"
                    class="btn quiet"
                    aria-expanded=move || show_all.get().to_string()
                    on:click=move |_| show_all.update(|all| *all = !*all)
                >
                    {move || {
                        let count = hidden.get();
                        let agents = if count == 1 { "agent" } else { "agents" };
                        let verb = if show_all.get() { "Hide" } else { "Show" };
                        format!("{verb} {count} {agents} without rules")
                    }}
                </button>
            })}
        </nav>
    }
}

#[component]
fn ScopeLink(one: Listed) -> impl IntoView {
    let state = use_rules();
    let is_here = one.scope == state.scope.get_value() && one.id == state.id.get_value();
    let href = Route::Rules(one.scope.clone(), one.id.clone()).href();
    let count = Memo::new(move |_| state.rule_count(&one.scope, &one.id));
    view! {
        <li>
            <a href=href aria-current=is_here.then_some("page")>
                <bdi>{one.name}</bdi>
                {move || count.get().map(|count| view! {
                    <span class=if count == 0 { "rules none" } else { "rules" }>{rules_text(count)}</span>
                })}
            </a>
        </li>
    }
}
