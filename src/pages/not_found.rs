//! An address that means nothing here.

use leptos::prelude::*;

use crate::browser;
use crate::route::Route;

/// Says so and leads on.
#[component]
pub fn NotFoundPage() -> impl IntoView {
    browser::set_title("Not found · Remit");
    view! {
        <main class="page lone" id="main" tabindex="-1">
            <h1>"Nothing is here"</h1>
            <p>"The address does not lead to a page of Remit."</p>
            <p><a href=Route::Agents.href()>"Go to the agents"</a></p>
        </main>
    }
}
