//! Addresses that mean nothing, or nothing to the caller.

use leptos::prelude::*;

use crate::browser;
use crate::route::Route;

/// Says so and leads on.
#[component]
pub fn NotFoundPage() -> impl IntoView {
    browser::set_title("Not found · Remit");
    lone(
        "Nothing is here",
        "The address does not lead to a page of Remit.",
    )
}

/// In place of a page whose subject is not there, or belongs to somebody else: nobody learns which.
#[component]
pub fn MissingPage(
    /// "Agent not found or not yours"
    heading: &'static str,
) -> impl IntoView {
    lone(
        heading,
        "It may have been deleted, or the address may be wrong.",
    )
}

fn lone(heading: &'static str, said: &'static str) -> impl IntoView {
    view! {
        <main class="page lone" id="main" tabindex="-1">
            <h1>{heading}</h1>
            <p>{said}</p>
            <p><a href=Route::Agents.href()>"Go to the agents"</a></p>
        </main>
    }
}
