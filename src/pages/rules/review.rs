//! The questions before a rule is stored or deleted: what differs and what it does, a second one
//! where agents are left without tools, and the one before deleting.

use leptos::prelude::*;

use super::draft::{Change, Draft};
use super::editing::{Asking, Editing, use_editing};
use super::editor::to_bar;
use super::effect::{Preview, agents_word};
use super::effect_view::PreviewList;
use super::reads::{Readiness, use_reads};
use super::state::use_rules;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::reactive::spawn;

/// What differs between two rules, as a table of words and patterns.
#[component]
pub fn ChangeTable(
    /// Before.
    before: Draft,
    /// After.
    after: Draft,
    /// Names the table.
    #[prop(into)]
    caption: String,
) -> impl IntoView {
    let rows = after
        .changes_since(&before)
        .into_iter()
        .map(change_row)
        .collect_view();
    view! {
        <table class="changes">
            <caption class="visually-hidden">{caption}</caption>
            <thead class="visually-hidden">
                <tr><th scope="col">"What"</th><th scope="col">"Change"</th><th scope="col">"Text"</th></tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn change_row(change: Change) -> impl IntoView {
    let (what, class, word, text) = match change {
        Change::Added(list, pattern) => (list.label(), "added", "added", code(pattern)),
        Change::Removed(list, pattern) => (list.label(), "removed", "removed", code(pattern)),
        Change::Restricts => (
            "Grants",
            "changed",
            "changed",
            "Only the patterns of the allow list, no longer everything granted above"
                .to_owned()
                .into_any(),
        ),
        Change::Inherits => (
            "Grants",
            "changed",
            "changed",
            "Everything granted above, no longer only the patterns of the allow list"
                .to_owned()
                .into_any(),
        ),
        Change::Note(before, after) => (
            "Note",
            "changed",
            "changed",
            view! { <del><bdi>{before}</bdi></del>" "<ins><bdi>{after}</bdi></ins> }.into_any(),
        ),
    };
    view! {
        <tr class=class>
            <th scope="row">{what}</th>
            <td class="word">{word}</td>
            <td>{text}</td>
        </tr>
    }
}

fn code(pattern: String) -> AnyView {
    view! { <code dir="ltr"><bdi>{pattern}</bdi></code> }.into_any()
}

/// What is known of the effect, inside a dialog.
fn effect(preview: impl Fn() -> Option<Preview> + Send + Sync + 'static) -> impl IntoView {
    let reads = use_reads();
    move || {
        match (reads.readiness(), preview()) {
        (Readiness::Failed(said), _) => view! {
            <p class="notice warn"><span><strong>"The effect is not known."</strong>" "{said}</span></p>
        }
        .into_any(),
        (Readiness::Ready(beyond), Some(preview)) => {
            let headline = format!("Preview: {}", preview.headline());
            view! {
                <h3>{headline}</h3>
                <PreviewList preview=preview beyond=beyond />
            }
            .into_any()
        }
        (Readiness::Ready(_) | Readiness::Reading(..), _) => {
            view! { <p class="note">"The effect is being worked out…"</p> }.into_any()
        }
    }
    }
}

fn apply(editing: Editing) {
    spawn(async move {
        if !editing.apply().await && editing.refused.try_get_untracked().flatten().is_some() {
            editing.asking.try_set(Asking::Nothing);
        }
    });
}

/// What differs and what it does, before it is stored.
#[component]
pub fn ReviewDialog() -> impl IntoView {
    let editing = use_editing();
    let state = use_rules();
    let close = move || editing.asking.set(Asking::Nothing);
    let go = move |_| {
        if editing.busy.get_untracked() {
            return;
        }
        if untrack(move || editing.is_drastic()) {
            editing.asking.set(Asking::Drastic);
        } else {
            apply(editing);
        }
    };
    view! {
        <Dialog
            open=Signal::derive(move || editing.asking.get() == Asking::Review)
            title="Review the change"
            on_close=Callback::new(move |()| close())
        >
            {move || state.base.get().map(|base| view! {
                <ChangeTable before=base.draft() after=state.draft() caption="What differs from the stored rule" />
            })}
            {effect(move || editing.preview())}
            <div class="dialog-actions">
                <button type="button" class="btn" autofocus on:click=move |_| close()>"Back to editing"</button>
                <button
                    type="button"
                    class="btn primary"
                    aria-busy=move || editing.busy.get().then_some("true")
                    on:click=go
                >
                    {move || if editing.busy.get() { "Applying…" } else { "Apply" }}
                </button>
            </div>
        </Dialog>
    }
}

/// The sentence of the second question; it names the number.
fn drastic_words(preview: Option<&Preview>) -> String {
    match preview.map(|preview| preview.emptied.len()) {
        Some(0) => {
            "The allow list grants nothing: 0 tools are left for every agent below that has none granted otherwise."
                .to_owned()
        }
        Some(count) => format!("{} left with 0 tools.", if count == 1 { "1 agent is".to_owned() } else { format!("{count} agents are") }),
        None => "The allow list grants nothing: agents below are left with 0 tools. How many is not known.".to_owned(),
    }
}

/// Asked where agents are left without tools, or the allow list grants nothing.
#[component]
pub fn DrasticDialog() -> impl IntoView {
    let editing = use_editing();
    let close = move || editing.asking.set(Asking::Nothing);
    let emptied = move || {
        editing
            .preview()
            .map(|preview| preview.emptied)
            .unwrap_or_default()
    };
    view! {
        <Dialog
            open=Signal::derive(move || editing.asking.get() == Asking::Drastic)
            title="Leave agents without tools?"
            on_close=Callback::new(move |()| close())
        >
            <p class="notice deny">
                <Glyph icon=Icon::Ban />
                <span>{move || drastic_words(editing.preview().as_ref())}</span>
            </p>
            {move || {
                let names = emptied();
                (!names.is_empty()).then(|| view! {
                    <ul class="names">{names.into_iter().map(|name| view! { <li><bdi>{name}</bdi></li> }).collect_view()}</ul>
                })
            }}
            <div class="dialog-actions">
                <button type="button" class="btn" autofocus on:click=move |_| close()>"Back to editing"</button>
                <button
                    type="button"
                    class="btn danger"
                    aria-busy=move || editing.busy.get().then_some("true")
                    on:click=move |_| apply(editing)
                >
                    {move || match emptied().len() {
                        0 => "Apply and grant nothing".to_owned(),
                        count => format!("Apply and leave {} with 0 tools", agents_word(count)),
                    }}
                </button>
            </div>
        </Dialog>
    }
}

/// Asked before a rule is deleted.
#[component]
pub fn DeleteDialog() -> impl IntoView {
    let editing = use_editing();
    let state = use_rules();
    let reads = use_reads();
    let close = move || editing.asking.set(Asking::Nothing);
    let remove = move |_| {
        spawn(async move {
            if editing.delete().await {
                // The button that asked is gone with the rule.
                request_animation_frame(to_bar);
            } else if editing.refused.try_get_untracked().flatten().is_some() {
                editing.asking.try_set(Asking::Nothing);
            }
        });
    };
    view! {
        <Dialog
            open=Signal::derive(move || editing.asking.get() == Asking::Delete)
            title="Delete this rule?"
            on_close=Callback::new(move |()| close())
        >
            <p>"The scope inherits everything granted above again. The note is deleted as well."</p>
            {move || editing.dirty.get().then(|| view! {
                <p class="notice warn"><span>"What you wrote here and did not store is given up."</span></p>
            })}
            {move || state.base.get().map(|base| view! {
                <ChangeTable before=base.draft() after=Draft::from_stored(None) caption="What is deleted" />
            })}
            {effect(move || reads.preview(None))}
            <div class="dialog-actions">
                <button type="button" class="btn" autofocus on:click=move |_| close()>"Keep it"</button>
                <button
                    type="button"
                    class="btn danger"
                    aria-busy=move || editing.busy.get().then_some("true")
                    on:click=remove
                >
                    {move || if editing.busy.get() { "Deleting…" } else { "Delete rule" }}
                </button>
            </div>
        </Dialog>
    }
}
