//! Shown when somebody else stored the same rule while one is being written: theirs, yours and what
//! both together would be. Nothing is lost whichever is chosen.

use leptos::prelude::*;

use super::draft::Draft;
use super::editing::{Asking, use_editing};
use super::editor::to_bar;
use super::review::ChangeTable;
use super::state::use_rules;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::Icon;
use crate::reactive::spawn;

/// The panel; absent while there is no conflict.
#[component]
pub fn ConflictPanel() -> impl IntoView {
    let editing = use_editing();
    let state = use_rules();
    let apply = move |_| {
        editing.rebase();
        to_bar();
        if untrack(move || editing.is_drastic()) {
            editing.asking.set(Asking::Drastic);
        } else if editing.dirty.get_untracked() {
            spawn(async move {
                editing.apply().await;
            });
        }
    };
    let shown = Memo::new(move |_| {
        let theirs = editing.conflict.get()?;
        let base = state.base.get()?;
        Some((
            base.draft(),
            theirs.draft(),
            state.draft(),
            editing.rebased()?,
        ))
    });
    move || {
        shown.get().map(|(base, theirs, mine, result)| view! {
            <div class="conflict" role="group" aria-labelledby="conflict">
                <div class="conflict-head">
                    <Badge tone=Tone::Warn icon=Icon::Reset text="Changed elsewhere" />
                    <p id="conflict">"Somebody stored another version of this rule while you were writing. What you wrote is kept."</p>
                </div>
                <div class="conflict-sides">
                    <section>
                        <h3>"Theirs"</h3>
                        <Differences before=base.clone() after=theirs.clone() caption="What they changed" />
                    </section>
                    <section>
                        <h3>"Yours"</h3>
                        <Differences before=base after=mine caption="What you changed" />
                    </section>
                    <section>
                        <h3>"Result"</h3>
                        <p class="note">"Yours on top of theirs, compared with what is stored now:"</p>
                        <Differences before=theirs after=result caption="What would be stored on top of theirs" />
                    </section>
                </div>
                <div class="actions">
                    <button
                        type="button"
                        class="btn primary"
                        aria-busy=move || editing.busy.get().then_some("true")
                        on:click=apply
                    >
                        "Apply mine on top"
                    </button>
                    <button type="button" class="btn" on:click=move |_| { editing.rebase(); to_bar(); }>"Put mine on top and keep editing"</button>
                    <button type="button" class="btn" on:click=move |_| { editing.take_theirs(); to_bar(); }>"Take theirs"</button>
                </div>
            </div>
        })
    }
}

#[component]
fn Differences(before: Draft, after: Draft, caption: &'static str) -> impl IntoView {
    if after.changes_since(&before).is_empty() {
        view! { <p class="note">"No difference"</p> }.into_any()
    } else {
        view! { <ChangeTable before=before after=after caption=caption /> }.into_any()
    }
}
