//! One tool: name, what it does, why it is as it is, and its switch.

use contract::capabilities::ToolSource;
use contract::rules::explain::{Standing, Switch as Position};
use leptos::prelude::*;

use super::causes::{badge_words, badges, remedies, sentences};
use super::{use_open_tool, use_tools};
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::switch::{Saving, Switch, SwitchState};
use crate::components::words::revealed;
use crate::edits::Intent;
use crate::pages::agent::catalog::{GroupKey, ToolInfo};
use crate::pages::agent::grant_writes;

/// The id of the switch of the tool at a place of the catalog.
pub fn switch_id(place: usize) -> String {
    format!("tool-{place}-switch")
}

/// The row of the tool at a place of the catalog.
#[component]
pub fn ToolRow(
    /// Place in the catalog.
    place: usize,
    /// Place among all rows of its group, from 1, for lists that show a part of them.
    #[prop(into)]
    row_index: Signal<Option<usize>>,
) -> impl IntoView {
    let model = use_tools();
    let open = use_open_tool();
    let announcer = use_announcer();
    let state = model.state;
    let info = Memo::new(move |_| {
        model.tool(place).unwrap_or_else(|| ToolInfo {
            name: String::new(),
            description: String::new(),
            gate: None,
            group: GroupKey::Source(ToolSource::Builtin),
        })
    });
    let standing: Memo<Option<Standing>> =
        Memo::new(move |_| model.standings.with(|all| all.get(place).cloned()));
    let busy =
        Memo::new(move |_| info.with(|info| state.queue.with(|queue| queue.is_busy(&info.name))));
    let refusal = Memo::new(move |_| {
        info.with(|info| {
            state
                .queue
                .with(|queue| queue.refusal_of(&info.name).cloned())
        })
    });
    let is_on = move || {
        standing.with(|standing| {
            standing
                .as_ref()
                .is_some_and(|one| one.switch == Position::On)
        })
    };
    let is_locked = move || {
        standing.with(|standing| {
            standing
                .as_ref()
                .is_none_or(|one| one.switch == Position::Locked)
        })
    };
    // What a row shows is compared before it is drawn: a change elsewhere touches only the rows
    // that it changes.
    let shown = Memo::new(move |_| SwitchState {
        on: is_on(),
        locked: is_locked(),
        busy: busy.get(),
    });
    let words = Memo::new(move |_| {
        standing.with(|standing| {
            model.view.with(|view| {
                let (standing, view) = (standing.as_ref()?, view.as_ref()?);
                let words = standing
                    .causes
                    .iter()
                    .filter_map(|cause| badge_words(view, cause));
                Some(words.collect::<Vec<_>>())
            })
        })
    });
    let is_changed = Memo::new(move |_| {
        state
            .recently_changed
            .with(|changed| info.with(|info| changed.contains(&info.name)))
    });
    let reason = Memo::new(move |_| {
        standing.with(|standing| {
            let standing = standing.as_ref()?;
            model
                .view
                .with(|view| Some(sentences(state, view.as_ref()?, &standing.causes)))
        })
    });
    let dismissed = RwSignal::new(false);
    let press = Callback::new(move |()| {
        let tool = info.get_untracked();
        if shown.get_untracked().locked {
            // A press that did not bring the focus shows the reason as well.
            dismissed.set(false);
            browser::focus(&switch_id(place));
            announcer.alert(format!(
                "{} is locked. {}",
                tool.name,
                reason.get_untracked().unwrap_or_default()
            ));
            return;
        }
        model.hold(&tool.name);
        let intent = Intent::Switch {
            tools: vec![tool.target()],
            on: !shown.get_untracked().on,
        };
        grant_writes::submit(state, announcer, intent);
    });
    let is_cursor = Memo::new(move |_| model.cursor.get() == Some(place));
    // Made for the row the keyboard is at, which is the one with the focus.
    let is_explained = Memo::new(move |_| is_cursor.get() && shown.get().locked);
    let is_told = Memo::new(move |_| is_explained.get() && !dismissed.get());
    let fixes = Memo::new(move |_| {
        standing.with(|standing| {
            model.view.with(|view| match (standing, view) {
                (Some(standing), Some(view)) => remedies(state, view, &standing.causes),
                _ => Vec::new(),
            })
        })
    });
    let stop = move || if is_cursor.get() { 0 } else { -1 };
    let is_open = Memo::new(move |_| {
        open.name.with(|name| {
            name.as_ref()
                .is_some_and(|name| info.with(|info| info.name == *name))
        })
    });
    let why = move |_| open.open(&info.get_untracked().name, format!("tool-{place}-why"));
    let described = Signal::derive(move || format!("tool-{place}-badges tool-{place}-reason"));
    view! {
        <tr
            id=format!("tool-{place}")
            class="tool-row"
            tabindex=stop
            data-place=place
            aria-rowindex=move || row_index.get()
            class:selected=is_open
            class:changed=is_changed
        >
            <th scope="row">
                <div class="tool">
                    <div class="tool-name">
                        <bdi class="mono" id=format!("tool-{place}-name")>{move || info.with(|info| revealed(&info.name))}</bdi>
                        {move || busy.get().then(|| view! { <Saving /> })}
                        {move || is_changed.get().then(|| view! {
                            <Badge tone=Tone::Info icon=Icon::Reset text="Changed elsewhere" />
                        })}
                    </div>
                    <p class="what"><bdi>{move || info.with(|info| revealed(&info.description))}</bdi></p>
                </div>
            </th>
            <td class="why" id=format!("tool-{place}-badges")>
                {move || words.get().map(badges)}
            </td>
            <td
                class="end"
                on:focusin=move |_| dismissed.set(false)
                on:keydown=move |event| {
                    if event.key() == "Escape" && is_told.get_untracked() {
                        event.prevent_default();
                        dismissed.set(true);
                        browser::focus(&switch_id(place));
                    }
                }
            >
                <span class="visually-hidden" id=format!("tool-{place}-reason")>{move || reason.get()}</span>
                <button
                    type="button"
                    class="btn quiet"
                    id=format!("tool-{place}-why")
                    tabindex=stop
                    aria-label=move || info.with(|info| format!("Why? {}", info.name))
                    on:click=why
                >
                    "Why?"
                </button>
                <Switch
                    state=shown
                    id=switch_id(place)
                    named_by=format!("tool-{place}-name")
                    described_by=described
                    tab_index=Signal::derive(move || Some(stop()))
                    on_press=press
                />
                // Shown by the style sheet while the switch or the link in it has the focus.
                {move || is_told.get().then(|| view! {
                    <div class="lock-reason">
                        // The switch's description says it already.
                        <p aria-hidden="true"><bdi>{reason}</bdi></p>
                        {move || fixes.get().into_iter().map(|(words, href)| view! {
                            <a href=href><bdi>{words}</bdi></a>
                        }).collect_view()}
                    </div>
                })}
            </td>
        </tr>
        {move || refusal.get().map(|refusal| view! {
            <tr class="refusal">
                <td colspan="3">
                    <div class="notice deny" role="group" aria-label="Not saved">
                        <Glyph icon=Icon::Warning />
                        <p><strong>{refusal.heading()}</strong>" "<bdi>{refusal.said.clone()}</bdi></p>
                        <div class="actions">
                            <button
                                type="button"
                                class="btn"
                                on:click=move |_| {
                                    state.queue.update(|queue| queue.retry(refusal.id));
                                    grant_writes::work(state, announcer);
                                    browser::focus(&switch_id(place));
                                }
                            >
                                "Retry"
                            </button>
                            <button
                                type="button"
                                class="btn quiet"
                                on:click=move |_| {
                                    state.queue.update(|queue| queue.dismiss(refusal.id));
                                    browser::focus(&switch_id(place));
                                }
                            >
                                "Dismiss"
                            </button>
                        </div>
                    </div>
                </td>
            </tr>
        })}
    }
}
