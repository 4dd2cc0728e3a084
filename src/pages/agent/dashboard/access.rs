//! How many tools are on, by state and by group. Each number leads to the tools it counts.

use std::collections::BTreeMap;

use contract::capabilities::{AccessSummary, ToolSource};
use contract::rules::explain::{AgentView, Bucket};
use leptos::prelude::*;

use crate::components::bar::AccessBar;
use crate::components::each::Each;
use crate::components::notice::Failure;
use crate::components::section::Loaded;
use crate::pages::agent::catalog::{GroupKey, ToolInfo};
use crate::pages::agent::state::use_agent;
use crate::route::{Route, Tab, query};

fn summary<'a>(view: &AgentView, tools: impl Iterator<Item = &'a ToolInfo>) -> AccessSummary {
    view.summary(tools.map(|tool| (tool.name.as_str(), tool.gate.as_ref())))
}

/// Counts by group, in the order the tool list shows them.
fn groups(view: &AgentView, tools: &[ToolInfo]) -> Vec<(GroupKey, AccessSummary)> {
    let mut order: Vec<&GroupKey> = Vec::new();
    let known: Vec<GroupKey> = ToolSource::KNOWN
        .iter()
        .cloned()
        .map(GroupKey::Source)
        .collect();
    order.extend(&known);
    for tool in tools {
        if !order.contains(&&tool.group) {
            order.push(&tool.group);
        }
    }
    let mut by_group: BTreeMap<&GroupKey, Vec<&ToolInfo>> = BTreeMap::new();
    for tool in tools {
        by_group.entry(&tool.group).or_default().push(tool);
    }
    order
        .into_iter()
        .filter_map(|key| {
            let tools = by_group.get(key)?;
            Some((key.clone(), summary(view, tools.iter().copied())))
        })
        .collect()
}

/// What the card shows.
#[derive(Clone, Debug, Default, PartialEq)]
struct Numbers {
    all: AccessSummary,
    groups: Vec<(GroupKey, AccessSummary)>,
}

fn of(bucket: Bucket, counts: &AccessSummary) -> u32 {
    match bucket {
        Bucket::On => counts.on,
        Bucket::OffHere => counts.off_here,
        Bucket::DeniedAbove => counts.denied_above,
        Bucket::PermissionOff => counts.permission_off,
    }
}

fn mark(bucket: Bucket) -> &'static str {
    match bucket {
        Bucket::On => "on",
        Bucket::OffHere => "off",
        Bucket::DeniedAbove => "deny",
        Bucket::PermissionOff => "perm",
    }
}

/// The card.
#[component]
pub fn EffectiveAccess() -> impl IntoView {
    let state = use_agent();
    let numbers = Memo::new(move |_| {
        state.truth.with(|view| {
            let view = view.as_ref()?;
            state.catalog.with(|tools| {
                Some(Numbers {
                    all: summary(view, tools.iter()),
                    groups: groups(view, tools),
                })
            })
        })
    });
    let shown = Memo::new(move |before: Option<&Numbers>| {
        numbers
            .get()
            .or_else(|| before.cloned())
            .unwrap_or_default()
    });
    let list = Route::Agent(state.id.get_value(), Tab::Capabilities).href();
    let link = StoredValue::new(list);
    let address = move |query: String| link.with_value(|link| format!("{link}?{query}"));
    // The other groups are collapsed, so that what is left open is what was counted.
    let group_address = move |source: &GroupKey| {
        let others: Vec<String> = shown.with_untracked(|shown| {
            let sources = shown.groups.iter().map(|(source, _)| source);
            sources
                .filter(|other| *other != source)
                .map(GroupKey::slug)
                .collect()
        });
        address(query(&[
            ("state", Bucket::On.slug()),
            ("group", &others.join(",")),
        ]))
    };
    let group_names = move || {
        shown.with(|shown| {
            shown
                .groups
                .iter()
                .map(|(source, _)| source.clone())
                .collect::<Vec<_>>()
        })
    };
    view! {
        <section class="panel" aria-labelledby="access-card">
            <header>
                <h3 id="access-card">"Effective access"</h3>
                <span class="grow"></span>
                <a href=link.get_value()>"All tools"</a>
            </header>
            {move || state.rows.failure().get().map(|error| view! {
                <Failure
                    what="The stored rules could not be read; the counts are those of the last fold."
                    error=error
                    on_retry=Callback::new(move |()| state.rows.reload())
                />
            })}
            <Loaded remote=state.capabilities failed="The tools could not be loaded." rows=4 let(_capabilities)>
                <div class="inner">
                    <p class="headline">
                        <a href=address(query(&[("state", Bucket::On.slug())]))>
                            {move || shown.with(|shown| format!("{} of {} tools on", shown.all.on, shown.all.total()))}
                        </a>
                    </p>
                    <AccessBar summary=Signal::derive(move || shown.with(|shown| shown.all)) />
                    <ul class="legend">
                        {Bucket::KNOWN.into_iter().map(|bucket| view! {
                            <li>
                                <a class="chip" href=address(query(&[("state", bucket.slug())]))>
                                    <i class=mark(bucket)></i>
                                    <span>{bucket.label()}</span>
                                    " "
                                    <b>{move || shown.with(|shown| of(bucket, &shown.all))}</b>
                                </a>
                            </li>
                        }).collect_view()}
                    </ul>
                    <ul class="group-bars">
                        <Each each=group_names key=GroupKey::slug let(source)>
                            {
                                let key = source.clone();
                                let counts = Memo::new(move |_| {
                                    shown.with(|shown| {
                                        let found = shown.groups.iter().find(|(one, _)| *one == key);
                                        found.map(|(_, counts)| *counts).unwrap_or_default()
                                    })
                                });
                                view! {
                                    <li>
                                        <bdi>{source.heading()}</bdi>
                                        <a href=group_address(&source)>
                                            {move || format!("{} of {} on", counts.get().on, counts.get().total())}
                                            <span class="visually-hidden">{format!(", {}", source.heading())}</span>
                                        </a>
                                        <AccessBar summary=counts />
                                    </li>
                                }
                            }
                        </Each>
                    </ul>
                </div>
            </Loaded>
        </section>
    }
}
