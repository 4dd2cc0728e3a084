//! One group of the tool list: its header with counts, collapse and bulk switch, and its rows.

use std::sync::Arc;

use contract::rules::explain::{Bucket, Switch as Position};
use leptos::prelude::*;

use super::bulk::use_bulk;
use super::row::ToolRow;
use super::server_state::ServerState;
use super::use_tools;
use crate::components::icon::{Glyph, Icon};
use crate::components::virtual_rows::VirtualRows;
use crate::pages::agent::catalog::GroupKey;

/// Counts of one group, over the rows the filters leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    shown: usize,
    on: usize,
    locked: usize,
}

impl Counts {
    fn words(self) -> String {
        if self.shown == 0 {
            return String::new();
        }
        let on = format!("{} of {} on", self.on, self.shown);
        if self.locked == 0 {
            on
        } else {
            format!("{on} · {} locked", self.locked)
        }
    }

    /// State of the three-state control, among the tools that can be switched at all.
    fn checked(self) -> &'static str {
        match (self.on, self.shown - self.locked) {
            (0, _) => "false",
            (on, free) if on == free => "true",
            _ => "mixed",
        }
    }
}

/// One group.
#[component]
pub fn ToolGroup(
    /// What its tools have in common.
    key: GroupKey,
) -> impl IntoView {
    let model = use_tools();
    let bulk = use_bulk();
    let heading = key.heading();
    let slug = key.slug();
    let name = StoredValue::new(slug.clone());
    let server = key.server().map(str::to_owned);
    let key = StoredValue::new(key);
    let places = Memo::new(move |_| {
        key.with_value(|key| {
            model.groups.with(|groups| {
                groups
                    .iter()
                    .find(|group| group.key == *key)
                    .map(|group| group.places.clone())
                    .unwrap_or_default()
            })
        })
    });
    let counts = Memo::new(move |_| {
        let places = places.get();
        model.standings.with(|standings| {
            let mut counts = Counts {
                shown: places.len(),
                ..Counts::default()
            };
            for standing in places.iter().filter_map(|place| standings.get(*place)) {
                counts.on += usize::from(standing.bucket == Bucket::On);
                counts.locked += usize::from(standing.switch == Position::Locked);
            }
            counts
        })
    });
    let open =
        Memo::new(move |_| name.with_value(|name| !model.collapsed.with(|all| all.contains(name))));
    let toggle = move |_| {
        name.with_value(|name| {
            model.collapsed.update(|all| {
                if !all.remove(name) {
                    all.insert(name.clone());
                }
            });
        });
    };
    let all_of = StoredValue::new(if server.is_some() {
        format!("All tools of {heading} that are shown")
    } else {
        format!("All {heading} that are shown")
    });
    let title = StoredValue::new(heading.clone());
    let switch_all = move |_| {
        bulk.ask(
            title.get_value(),
            &places.get_untracked(),
            counts.get_untracked().checked() != "true",
        );
    };
    let keep = Signal::derive(move || {
        let cursor = model.cursor.get()?;
        places
            .with(|places| places.contains(&cursor))
            .then_some(cursor)
    });
    let body = StoredValue::new(format!("group-{slug}"));
    let total_rows = move || {
        places.with(|places| {
            if places.len() > 150 {
                Some(places.len())
            } else {
                None
            }
        })
    };
    view! {
        <table class="tools" aria-rowcount=total_rows>
            <caption>
                <span class="group-head" data-group=slug.clone()>
                    <button
                        type="button"
                        class="group-toggle"
                        aria-expanded=move || open.get().to_string()
                        aria-controls=move || open.get().then(|| body.get_value())
                        id=format!("group-{slug}-toggle")
                        on:click=toggle
                    >
                        <Glyph icon=Icon::Chevron />
                        <bdi>{heading.clone()}</bdi>
                    </button>
                    {server.is_some().then(|| view! { <span class="kind">"MCP server"</span> })}
                    <span class="count">{move || counts.get().words()}</span>
                    {move || (counts.get().shown > 0).then(|| view! {
                    <button
                        type="button"
                        class="btn quiet tri"
                        role="checkbox"
                        aria-checked=move || counts.get().checked()
                        aria-label=all_of.get_value()
                        aria-disabled=move || (counts.get().shown == counts.get().locked).then_some("true")
                        title=move || if counts.get().shown == counts.get().locked { "Every shown tool is locked" } else { "Switch all shown tools" }
                        on:click=switch_all
                    ></button>
                    })}
                </span>
                {server.map(|server| view! { <ServerState server=server /> })}
            </caption>
            <colgroup>
                <col />
                <col class="why-column" />
                <col class="end-column" />
            </colgroup>
            <thead class="visually-hidden">
                <tr><th scope="col">"Tool"</th><th scope="col">"Why"</th><th scope="col">"Switch"</th></tr>
            </thead>
            {move || open.get().then(|| view! {
                <VirtualRows
                    id=body.get_value()
                    items=Signal::derive(move || -> Arc<Vec<usize>> { places.get() })
                    keep=keep
                    row=|place, index| view! { <ToolRow place=place row_index=index /> }
                />
            })}
        </table>
    }
}
