//! Whether a permission flag is on, in a word.

use leptos::prelude::*;

/// The word and its mark; what the control plane did not say is not "off".
#[component]
pub fn FlagState(
    /// Whether it is on; `None` where that is not known.
    #[prop(into)]
    on: Signal<Option<bool>>,
) -> impl IntoView {
    let class = move || match on.get() {
        Some(true) => "status on",
        Some(false) => "status idle",
        None => "status lost",
    };
    let word = move || match on.get() {
        Some(true) => "On",
        Some(false) => "Off",
        None => "Not known",
    };
    view! { <span class=class>{word}</span> }
}
