//! Placeholder being written.
use leptos::prelude::*;

/// Being written.
#[component]
pub fn RulesPage() -> impl IntoView {
    view! { <main class="page" id="main" tabindex="-1"><h1>"rules"</h1></main> }
}
