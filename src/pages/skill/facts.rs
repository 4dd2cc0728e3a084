//! What identifies a skill and where it comes from, as a list of facts; and the check of what the
//! browser itself read against the digest that was stored.

use leptos::prelude::*;

use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::icon::{Glyph, Icon};
use crate::reactive::{effect, spawn};

/// Digits of a digest that are shown; the whole is copied.
const SHORT: usize = 12;

/// The beginning of a digest.
pub fn short_digest(digest: &str) -> String {
    let hex = digest.strip_prefix("sha256:").unwrap_or(digest);
    if hex.chars().count() <= SHORT {
        return hex.to_owned();
    }
    hex.chars().take(SHORT).chain(['…']).collect()
}

/// One fact.
#[component]
pub fn Fact(
    /// What it is about.
    label: &'static str,
    /// What is the case.
    children: Children,
) -> impl IntoView {
    view! { <div><dt>{label}</dt><dd>{children()}</dd></div> }
}

/// A text that can be copied, such as an address or a digest.
#[component]
pub fn Copyable(
    /// What is copied.
    #[prop(into)]
    text: String,
    /// What is shown; the text itself when empty.
    #[prop(optional, into)]
    shown: String,
    /// What is copied, in words: "the address".
    what: &'static str,
) -> impl IntoView {
    let announcer = use_announcer();
    let shown = if shown.is_empty() {
        crate::components::words::revealed(&text)
    } else {
        shown
    };
    let copy = move |_| {
        let text = text.clone();
        spawn(async move {
            announcer.say(if browser::copy(&text).await {
                format!("Copied {what}")
            } else {
                "The browser did not allow copying".to_owned()
            });
        });
    };
    view! {
        <span class="copyable">
            <bdi class="mono" dir="ltr">{shown}</bdi>
            <button type="button" class="btn quiet icon" aria-label=format!("Copy {what}") on:click=copy>
                <Glyph icon=Icon::Copy />
            </button>
        </span>
    }
}

/// What the browser found about a text it read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Not done yet.
    Waiting,
    /// The browser computes no digests here.
    Impossible,
    /// The digest of the text, in hexadecimal.
    Digest(String),
}

/// The digest of a text, by the browser.
pub fn digest_of(text: Memo<String>) -> RwSignal<Checked> {
    let checked = RwSignal::new(Checked::Waiting);
    effect(move || {
        let bytes = text.with(|text| text.clone().into_bytes());
        spawn(async move {
            let found = browser::digest::sha256(&bytes).await;
            // A later text has its own check.
            if text.try_with_untracked(|text| text.as_bytes() == bytes) == Some(true) {
                checked.try_set(found.map_or(Checked::Impossible, Checked::Digest));
            }
        });
    });
    checked
}

#[cfg(test)]
mod tests {
    use super::short_digest;

    #[test]
    fn digests_are_shown_by_their_beginning() {
        assert_eq!(short_digest("sha256:0123456789abcdef"), "0123456789ab…");
        assert_eq!(short_digest("0123"), "0123");
    }
}
