//! Sentences with code in them: what stands between backticks is set as code.

use leptos::prelude::*;

/// The sentence as text and code, in turns.
pub fn with_code(sentence: &str) -> AnyView {
    sentence
        .split('`')
        .enumerate()
        .map(|(place, part)| {
            let part = part.to_owned();
            if place % 2 == 1 {
                view! { <code dir="ltr">{part}</code> }.into_any()
            } else {
                part.into_any()
            }
        })
        .collect_view()
        .into_any()
}
