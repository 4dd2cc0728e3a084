//! The switch: always focusable, its name is the thing it switches, and a locked one says why.

use leptos::prelude::*;

use crate::browser::timer::Timer;

/// After how long a write is put in words, and after how long it is called slow, in milliseconds.
const WORDS: u64 = 300;
const SLOW: u64 = 10_000;

/// The words beside a switch whose write is on its way. A write that is quick shows none.
#[component]
pub fn Saving() -> impl IntoView {
    let words = RwSignal::new("");
    for (text, wait) in [("Saving…", WORDS), ("Taking longer than usual…", SLOW)] {
        Timer::new().start(wait, move || {
            words.try_set(text);
        });
    }
    view! { <span class="saving">{words}</span> }
}

/// What a switch shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchState {
    /// On or off.
    pub on: bool,
    /// It cannot be changed here; pressing it announces the reason.
    pub locked: bool,
    /// A write is on its way; the intended value is shown.
    pub busy: bool,
}

/// A switch. `named_by` and `described_by` are element ids: the visible name, and the badge and
/// sentence that explain the state.
#[component]
pub fn Switch(
    /// What it shows.
    #[prop(into)]
    state: Signal<SwitchState>,
    /// Id of the switch itself, for returning focus.
    #[prop(into)]
    id: String,
    /// Id of the element that names it.
    #[prop(into)]
    named_by: String,
    /// Ids of the elements that describe it; empty for none.
    #[prop(into)]
    described_by: Signal<String>,
    /// Place in the tab order.
    #[prop(optional, into)]
    tab_index: MaybeProp<i32>,
    /// Called when it is pressed, locked or not.
    on_press: Callback<()>,
) -> impl IntoView {
    let described_by = move || Some(described_by.get()).filter(|ids| !ids.is_empty());
    view! {
        <button
            type="button"
            class="switch"
            role="switch"
            id=id
            aria-checked=move || state.get().on.to_string()
            aria-disabled=move || state.get().locked.then_some("true")
            aria-busy=move || state.get().busy.then_some("true")
            aria-labelledby=named_by
            aria-describedby=described_by
            tabindex=move || tab_index.get()
            on:click=move |_| on_press.run(())
        ></button>
    }
}
