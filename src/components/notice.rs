//! Messages that stand in the page: a failure with what can be done about it, or a remark.

use leptos::prelude::*;

use super::announce::use_announcer;
use super::icon::{Glyph, Icon};
use crate::api::ApiError;
use crate::browser;
use crate::reactive::spawn;

/// A failure that stays until it is dealt with.
#[component]
pub fn Failure(
    /// What was being done, such as "The tools could not be loaded."
    #[prop(into)]
    what: String,
    /// Why it failed.
    error: ApiError,
    /// Tries again.
    on_retry: Callback<()>,
) -> impl IntoView {
    let announcer = use_announcer();
    let details = format!("{what} {}", error.details());
    let copy = move |_| {
        let details = details.clone();
        spawn(async move {
            let done = browser::copy(&details).await;
            announcer.say(if done {
                "Details copied"
            } else {
                "The browser did not allow copying"
            });
        });
    };
    view! {
        <div class="notice deny" role="group" aria-label="Problem">
            <Glyph icon=Icon::Warning />
            <p><strong>{what}</strong>" "<bdi>{error.sentence()}</bdi></p>
            <div class="actions">
                <button type="button" class="btn" on:click=move |_| on_retry.run(())>"Retry"</button>
                <button type="button" class="btn quiet" on:click=copy>"Copy details"</button>
            </div>
        </div>
    }
}
