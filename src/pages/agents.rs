//! Placeholder being written.
use leptos::prelude::*;

/// Being written.
#[component]
pub fn AgentsPage() -> impl IntoView {
    view! { <main class="page" id="main" tabindex="-1"><h1>"agents"</h1></main> }
}
