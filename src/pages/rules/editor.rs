//! The form of one rule: what the scope grants, what it denies, the note, and the bar with what is
//! unsaved.

use contract::grants::NOTE_MAX;
use contract::rules::edit::note_length;
use leptos::html;
use leptos::prelude::*;

use super::conflict::ConflictPanel;
use super::editing::{Asking, Surprise, use_editing};
use super::history::LastChange;
use super::reads::{Readiness, use_reads};
use super::state::use_rules;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::patterns::{ListName, PatternList};
use crate::components::section::Skeleton;
use crate::reactive::effect;

const ALLOW: ListName = ListName {
    id: "allow",
    words: "the allow list",
};
const DENY: ListName = ListName {
    id: "deny",
    words: "the deny list",
};

/// The id of the button that leads on.
const REVIEW: &str = "rule-review";

/// Moves focus to the button that is always there, for buttons that go away when pressed.
pub fn to_bar() {
    browser::focus(REVIEW);
}

/// The panel.
#[component]
pub fn EditorPanel() -> impl IntoView {
    let state = use_rules();
    let ready = Memo::new(move |_| state.base.with(Option::is_some));
    let failure = state.rows.failure();
    view! {
        <section class="panel" aria-labelledby="written">
            <header>
                <h2 id="written">"What is written here"</h2>
                {move || ready.get().then(|| view! { <RowState /> })}
            </header>
            {move || failure.get().map(|error| view! {
                <Failure
                    what="The stored rules could not be loaded."
                    error=error
                    on_retry=Callback::new(move |()| state.rows.reload())
                />
            })}
            <ConflictPanel />
            <Notices />
            {move || if ready.get() {
                view! { <Form /> }.into_any()
            } else {
                view! { <Skeleton hidden=Signal::derive(move || failure.with(Option::is_some)) rows=5 /> }.into_any()
            }}
        </section>
    }
}

/// In one badge: does the stored rule inherit, restrict, or grant nothing.
#[component]
fn RowState() -> impl IntoView {
    let state = use_rules();
    let stored = Memo::new(move |_| {
        state
            .base
            .with(|base| base.as_ref().map(super::state::Base::draft))
            .unwrap_or_default()
    });
    let denies = move || match stored.with(|stored| stored.deny.len()) {
        0 => None,
        1 => Some("Denies 1 pattern".to_owned()),
        many => Some(format!("Denies {many} patterns")),
    };
    move || {
        let stored = stored.get();
        let allow = match (stored.inherits, stored.allow.len()) {
            (true, _) => {
                view! { <Badge tone=Tone::Neutral icon=Icon::ArrowDown text="Inherits" /> }
            }
            (false, 0) => view! { <Badge tone=Tone::Deny icon=Icon::Ban text="Grants nothing" /> },
            (false, 1) => {
                view! { <Badge tone=Tone::Override icon=Icon::Pencil text="Grants only 1 pattern" /> }
            }
            (false, many) => {
                let text = format!("Grants only {many} patterns");
                view! { <Badge tone=Tone::Override icon=Icon::Pencil text=text /> }
            }
        };
        view! {
            {allow}
            {denies().map(|text| view! { <Badge tone=Tone::Deny icon=Icon::Lock text=text /> })}
        }
    }
}

/// What happened to the draft or to the last write.
#[component]
fn Notices() -> impl IntoView {
    let editing = use_editing();
    view! {
        {move || (editing.restored.get() && editing.dirty.get()).then(|| view! {
            <div class="notice" role="group" aria-label="Draft">
                <Glyph icon=Icon::Pencil />
                <p><strong>"Unsaved draft"</strong>" · What you wrote before this page was reloaded is back."</p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| { editing.discard(); to_bar(); }>"Discard draft"</button>
                </div>
            </div>
        })}
        {move || editing.unkept.get().then(|| view! {
            <div class="notice warn"><p>"The browser cannot keep this draft, so a reload would lose it."</p></div>
        })}
        {move || editing.refused.get().map(|said| view! {
            <div class="notice deny" role="group" aria-label="Problem">
                <Glyph icon=Icon::Warning />
                <p><strong>"Not stored."</strong>" "<bdi>{said}</bdi></p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| editing.asking.set(Asking::Review)>"Review again"</button>
                </div>
            </div>
        })}
        {move || surprise_words(&editing.surprise.get()).map(|(class, words)| view! {
            <div class=class role="group" aria-label="Check after storing">
                <Glyph icon=Icon::Warning />
                <p>{words}</p>
                <div class="actions">
                    <button
                        type="button"
                        class="btn quiet"
                        on:click=move |_| {
                            editing.surprise.set(Surprise::default());
                            to_bar();
                        }
                    >
                        "Dismiss"
                    </button>
                </div>
            </div>
        })}
    }
}

fn surprise_words(surprise: &Surprise) -> Option<(&'static str, String)> {
    let mut words = Vec::new();
    if !surprise.otherwise.is_empty() {
        words.push(format!(
            "The control plane resolves these agents differently than the preview said: {}.",
            surprise.otherwise.join(", ")
        ));
    }
    if !surprise.unasked.is_empty() {
        words.push(format!(
            "Whether it took effect could not be checked for: {}.",
            surprise.unasked.join(", ")
        ));
    }
    let class = if surprise.otherwise.is_empty() {
        "notice warn"
    } else {
        "notice deny"
    };
    (!words.is_empty()).then(|| (class, words.join(" ")))
}

#[component]
fn Form() -> impl IntoView {
    let state = use_rules();
    let editing = use_editing();
    let is_stored = Memo::new(move |_| {
        state
            .base
            .with(|base| base.as_ref().is_some_and(|base| base.row.is_some()))
    });
    let reads = use_reads();
    let known = Signal::derive(move || {
        reads.tools.value().with(|tools| {
            let tools = tools.as_ref().filter(|tools| !tools.is_empty())?;
            Some(
                tools
                    .iter()
                    .map(|(name, _)| name.clone())
                    .collect::<Vec<_>>(),
            )
        })
    });
    let rejected = Memo::new(move |_| state.rejected().unwrap_or_default());
    let none = Signal::derive(Vec::new);
    let grants_nothing = move || state.allow.with(Vec::is_empty);
    view! {
        <div class="rule-form">
            <fieldset>
                <legend>"What this scope grants"</legend>
                <label class="choice">
                    <input
                        type="radio"
                        name="grants"
                        prop:checked=state.inherits
                        on:change=move |_| state.inherits.set(true)
                    />
                    <span>
                        <strong>"Inherit everything granted above"</strong>
                        <span class="note">"Nothing is taken away here, apart from the deny list."</span>
                    </span>
                </label>
                <label class="choice">
                    <input
                        type="radio"
                        name="grants"
                        prop:checked=move || !state.inherits.get()
                        on:change=move |_| state.inherits.set(false)
                    />
                    <span>
                        <strong>"Only these patterns"</strong>
                        <span class="note">"Everything else is taken away here and below. It cannot grant more than the scopes above do."</span>
                    </span>
                </label>
                <div class="under-choice" hidden=state.inherits>
                    {move || grants_nothing().then(|| view! {
                        <p class="notice deny">
                            <Glyph icon=Icon::Ban />
                            <span><strong>"Grants nothing."</strong>" With an empty list no tool is granted here or below."</span>
                        </p>
                    })}
                    <PatternList name=ALLOW patterns=state.allow known=known rejected=rejected />
                </div>
            </fieldset>
            <fieldset>
                <legend>"What this scope denies"</legend>
                <p class="note">"A denial is permanent for everything below; no scope can lift it."</p>
                <PatternList name=DENY patterns=state.deny known=known rejected=none />
            </fieldset>
            <Note />
            <div class="rule-end">
                <LastChange />
                {move || is_stored.get().then(|| view! {
                    <button type="button" class="btn danger" on:click=move |_| editing.asking.set(Asking::Delete)>
                        "Delete this rule"
                    </button>
                })}
            </div>
        </div>
        <ActionBar />
    }
}

#[component]
fn Note() -> impl IntoView {
    let state = use_rules();
    let area = NodeRef::<html::Textarea>::new();
    effect(move || {
        state.note_replaced.track();
        if let Some(area) = area.get() {
            browser::field::replace(&area, &state.note.get_untracked());
        }
    });
    let length = Memo::new(move |_| state.note.with(|note| note_length(note)));
    let is_over = move || length.get() > NOTE_MAX;
    view! {
        <div class="rule-note">
            <label for="rule-note">"Note for the next operator"</label>
            <textarea
                id="rule-note"
                rows="3"
                dir="auto"
                node_ref=area
                aria-describedby="rule-note-count"
                aria-invalid=move || is_over().then_some("true")
                on:input:target=move |event| state.note.set(event.target().value())
            ></textarea>
            <p class=move || if is_over() { "wrong" } else { "note" } id="rule-note-count">
                {move || match length.get().checked_sub(NOTE_MAX) {
                    None | Some(0) => format!("{} of {NOTE_MAX} characters", length.get()),
                    Some(1) => "1 character over".to_owned(),
                    Some(over) => format!("{over} characters over"),
                }}
            </p>
        </div>
    }
}

/// What is unsaved, what it would do, and the way on. It stays in view while the form scrolls.
#[component]
fn ActionBar() -> impl IntoView {
    let editing = use_editing();
    let reads = use_reads();
    let announcer = use_announcer();
    let blocked = move || {
        if !editing.dirty.get() {
            return Some("Nothing was changed.".to_owned());
        }
        if editing.conflict.with(Option::is_some) {
            return Some("It was changed elsewhere; decide that first.".to_owned());
        }
        editing.problem.get()
    };
    let words = move || match (blocked(), reads.readiness()) {
        (Some(reason), _) => reason,
        (None, Readiness::Reading(..)) => "The effect is being worked out…".to_owned(),
        (None, Readiness::Failed(_)) => "The effect is not known.".to_owned(),
        (None, Readiness::Ready(_)) => editing.preview().map_or_else(String::new, |preview| {
            format!("Preview: {}", preview.headline())
        }),
    };
    let review = move |_| match blocked() {
        Some(reason) => announcer.alert(reason),
        None => editing.asking.set(Asking::Review),
    };
    view! {
        <div class="action-bar" class:floats=editing.dirty>
            <p id="rule-bar">
                {move || editing.dirty.get().then(|| view! {
                    <Badge tone=Tone::Info icon=Icon::Pencil text="Unsaved" />
                })}
                <span>{words}</span>
            </p>
            {move || editing.dirty.get().then(|| view! {
                <button type="button" class="btn" on:click=move |_| { editing.discard(); to_bar(); }>"Discard"</button>
            })}
            <button
                type="button"
                class="btn primary"
                id=REVIEW
                aria-disabled=move || blocked().is_some().then_some("true")
                aria-describedby="rule-bar"
                on:click=review
            >
                "Review"
            </button>
        </div>
    }
}
