//! Placeholder being written.
use leptos::prelude::*;

/// Being written.
#[component]
pub fn CapabilitiesPage() -> impl IntoView {
    view! { <h2>"capabilities"</h2> }
}
