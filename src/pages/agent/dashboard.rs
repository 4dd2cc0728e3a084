//! Placeholder being written.
use leptos::prelude::*;

/// Being written.
#[component]
pub fn DashboardPage() -> impl IntoView {
    view! { <h2>"dashboard"</h2> }
}
