//! A field that narrows a list to what contains the typed words, and says how many are left.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::browser::lower;

/// Whether every typed word is part of one of the texts; nothing typed fits everything.
pub fn fits(typed: &str, texts: &[&str]) -> bool {
    let texts: Vec<String> = texts.iter().map(|text| lower(text)).collect();
    lower(typed)
        .split_whitespace()
        .all(|word| texts.iter().any(|text| text.contains(word)))
}

/// The field.
#[component]
pub fn Filter(
    /// Its name.
    label: &'static str,
    /// What is typed.
    text: RwSignal<String>,
    /// Id of the list it narrows.
    list: &'static str,
    /// How many entries are left.
    found: Signal<usize>,
    /// How many there are.
    of: Signal<usize>,
) -> impl IntoView {
    let count = format!("{list}-count");
    view! {
        <div class="toolbar">
            <label class="field">
                <Glyph icon=Icon::Search />
                <input
                    type="search"
                    aria-label=label
                    placeholder=label
                    aria-controls=list
                    aria-describedby=count.clone()
                    spellcheck="false"
                    autocomplete="off"
                    prop:value=text
                    on:input:target=move |event| text.set(event.target().value())
                    on:keydown=move |event: web_sys::KeyboardEvent| {
                        if event.key() == "Escape" && !text.with_untracked(String::is_empty) {
                            event.prevent_default();
                            text.set(String::new());
                        }
                    }
                />
            </label>
            <span class="note" id=count role="status">
                {move || if found.get() == of.get() { String::new() } else { format!("{} of {} shown", found.get(), of.get()) }}
            </span>
        </div>
        {move || (found.get() == 0 && of.get() > 0).then(|| view! {
            <p class="empty">
                "Nothing matches what is typed. "
                <button type="button" class="btn" on:click=move |_| text.set(String::new())>"Clear filter"</button>
            </p>
        })}
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn every_word_must_be_found_somewhere() {
        let texts = ["payments-gateway-eu", "https://example.com/acme"];
        assert!(fits("", &texts));
        assert!(fits("Gateway acme", &texts));
        assert!(!fits("gateway us", &texts));
    }
}
