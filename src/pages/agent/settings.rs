//! Placeholder being written.
use leptos::prelude::*;

/// Being written.
#[component]
pub fn SettingsPage() -> impl IntoView {
    view! { <h2>"settings"</h2> }
}
