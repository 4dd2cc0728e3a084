//! Sign in: with a password, with the one-time link the server printed, or by making the first
//! account.

use leptos::prelude::*;

/// Placeholder being written.
#[component]
pub fn SignInPage() -> impl IntoView {
    view! { <main class="page lone" id="main" tabindex="-1"><h1>"Sign in"</h1></main> }
}

/// Address and password.
#[component]
pub fn PasswordForm(
    /// Called once the session cookie is set.
    on_done: Callback<()>,
) -> impl IntoView {
    view! { <button type="button" class="btn primary" on:click=move |_| on_done.run(())>"Sign in"</button> }
}
