//! Switching many tools at once: always reviewed before it is written, in one write.

use contract::rules::edit::{self, Obstacle};
use contract::rules::permissions::Flag;
use leptos::prelude::*;

use super::model::ToolModel;
use super::use_tools;
use crate::components::announce::use_announcer;
use crate::components::dialog::Dialog;
use crate::edits::{Intent, Target};
use crate::pages::agent::grant_writes;

/// What is being asked for.
#[derive(Clone, Debug, PartialEq)]
struct Request {
    title: String,
    tools: Vec<Target>,
}

/// The one review dialog of the list.
#[derive(Clone, Copy)]
pub struct Bulk {
    model: ToolModel,
    request: RwSignal<Option<Request>>,
    on: RwSignal<bool>,
}

/// Puts the review in reach of the groups; called by the list.
pub fn provide_bulk(model: ToolModel) -> Bulk {
    let bulk = Bulk {
        model,
        request: RwSignal::new(None),
        on: RwSignal::new(false),
    };
    provide_context(bulk);
    bulk
}

/// The review of the list around the caller.
pub fn use_bulk() -> Bulk {
    expect_context()
}

impl Bulk {
    /// Opens the review for the tools at these places of the catalog.
    pub fn ask(self, title: String, places: &[usize], on: bool) {
        let tools: Vec<Target> = places
            .iter()
            .filter_map(|place| self.model.tool(*place))
            .map(|tool| tool.target())
            .collect();
        self.on.set(on);
        self.request.set(Some(Request { title, tools }));
    }
}

/// What the request would do, as text for the dialog.
#[derive(Clone, Debug, Default, PartialEq)]
struct Review {
    changed: Vec<String>,
    skipped: Vec<(String, String)>,
    leaves_nothing: bool,
}

fn review(model: ToolModel, tools: &[Target], on: bool) -> Review {
    let named: Vec<(&str, Option<&Flag>)> = tools
        .iter()
        .map(|tool| (tool.name.as_str(), tool.gate.as_ref()))
        .collect();
    model.view.with(|view| {
        let Some(view) = view else {
            return Review::default();
        };
        let edit = edit::toggle(view, &named, on);
        let after = view.with_agent_row(Some(&edit.content));
        let catalog = model.catalog.get();
        let all: Vec<(&str, Option<&Flag>)> = catalog
            .iter()
            .map(|tool| (tool.name.as_str(), tool.gate.as_ref()))
            .collect();
        Review {
            changed: edit.changed,
            skipped: edit
                .skipped
                .into_iter()
                .map(|(name, obstacle): (String, Obstacle)| (name, obstacle.sentence(view)))
                .collect(),
            leaves_nothing: !on && edit::blocks_everything(&after, &all),
        }
    })
}

fn tools_word(count: usize) -> String {
    if count == 1 {
        "1 tool".to_owned()
    } else {
        format!("{count} tools")
    }
}

/// The review dialog.
#[component]
pub fn BulkReview() -> impl IntoView {
    let model = use_tools();
    let bulk = use_bulk();
    let announcer = use_announcer();
    let sure = RwSignal::new(false);
    let open = Memo::new(move |_| bulk.request.with(Option::is_some));
    let outcome = Memo::new(move |_| {
        let on = bulk.on.get();
        bulk.request.with(|request| {
            request
                .as_ref()
                .map(|request| review(model, &request.tools, on))
                .unwrap_or_default()
        })
    });
    let close = Callback::new(move |()| {
        sure.set(false);
        bulk.request.set(None);
    });
    let blocked = move || {
        outcome.with(|outcome| {
            if outcome.changed.is_empty() {
                Some("Nothing would change.")
            } else if outcome.leaves_nothing && !sure.get() {
                Some("Confirm first that no tool may stay on.")
            } else {
                None
            }
        })
    };
    let apply = move |_| {
        if let Some(reason) = blocked() {
            announcer.alert(reason);
            return;
        }
        let on = bulk.on.get_untracked();
        let names = outcome.get_untracked().changed;
        let tools = bulk.request.with_untracked(|request| {
            request
                .as_ref()
                .map(|request| request.tools.clone())
                .unwrap_or_default()
        });
        let tools: Vec<Target> = tools
            .into_iter()
            .filter(|tool| names.contains(&tool.name))
            .collect();
        for tool in &tools {
            model.hold(&tool.name);
        }
        close.run(());
        grant_writes::submit(model.state, announcer, Intent::Switch { tools, on });
    };
    let title = Signal::derive(move || {
        bulk.request.with(|request| {
            request
                .as_ref()
                .map(|request| format!("Review: {}", request.title))
                .unwrap_or_default()
        })
    });
    view! {
        <Dialog open=open title=title on_close=close>
            <fieldset class="directions">
                <legend class="visually-hidden">"What to do"</legend>
                {[(false, "Turn off"), (true, "Turn on")].map(|(value, label)| view! {
                    <label class="check">
                        <input
                            type="radio"
                            name="bulk-direction"
                            prop:checked=move || bulk.on.get() == value
                            on:change=move |_| bulk.on.set(value)
                        />
                        {label}
                    </label>
                }).collect_view()}
            </fieldset>
            <p role="status">
                {move || outcome.with(|outcome| {
                    let word = if bulk.on.get() { "on" } else { "off" };
                    match (outcome.changed.len(), outcome.skipped.len()) {
                        (0, 0) => format!("Every shown tool is {word} already."),
                        (0, locked) => format!("Nothing to turn {word}: {locked} locked."),
                        (changed, 0) => format!("{} shown will be turned {word}, in one write.", tools_word(changed)),
                        (changed, locked) => format!("{} shown will be turned {word}, in one write; {locked} locked are skipped.", tools_word(changed)),
                    }
                })}
            </p>
            <div class="review-lists">
                {move || outcome.with(|outcome| (!outcome.changed.is_empty()).then(|| view! {
                    <ul class="plain-list" tabindex="0" aria-label="Tools that change">
                        {outcome.changed.iter().map(|name| view! { <li><bdi class="mono">{name.clone()}</bdi></li> }).collect_view()}
                    </ul>
                }))}
                {move || outcome.with(|outcome| (!outcome.skipped.is_empty()).then(|| view! {
                    <details>
                        <summary>{format!("Skipped: {}", outcome.skipped.len())}</summary>
                        <ul class="plain-list">
                            {outcome.skipped.iter().map(|(name, why)| view! {
                                <li><bdi class="mono">{name.clone()}</bdi>" "<span class="note">{why.clone()}</span></li>
                            }).collect_view()}
                        </ul>
                    </details>
                }))}
            </div>
            {move || outcome.with(|outcome| outcome.leaves_nothing.then(|| view! {
                <label class="check notice warn">
                    <input type="checkbox" prop:checked=sure on:change=move |_| sure.update(|sure| *sure = !*sure) />
                    "0 tools stay on. I want this agent to have no tool at all."
                </label>
            }))}
            <div class="dialog-actions">
                <button type="button" class="btn" autofocus=true on:click=move |_| close.run(())>"Discard"</button>
                <button
                    type="button"
                    class="btn primary"
                    aria-disabled=move || blocked().map(|_| "true")
                    aria-describedby="bulk-blocked"
                    on:click=apply
                >
                    "Apply"
                </button>
            </div>
            <p class="note" id="bulk-blocked">{blocked}</p>
        </Dialog>
    }
}
