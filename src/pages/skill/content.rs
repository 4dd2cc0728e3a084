//! The text of a skill: rendered, or raw with nothing hidden.

use leptos::prelude::*;

use super::markdown::draw;
use super::reveal::{hiding, marked};
use crate::components::icon::{Glyph, Icon};

/// The longest text drawn, in bytes: what any host reads of one file.
const DRAWN: usize = 512 * 1024;

/// A number with its thousands set apart.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The panel.
#[component]
pub fn ContentPanel(
    /// The text, Markdown.
    #[prop(into)]
    text: Signal<String>,
    /// The address of the skill, if it has one, for relative links.
    #[prop(optional, into)]
    uri: Signal<Option<String>>,
    /// The files of its list.
    #[prop(optional, into)]
    files: Signal<Vec<String>>,
) -> impl IntoView {
    let raw = RwSignal::new(false);
    let size = Memo::new(move |_| text.with(String::len));
    let hidden = Memo::new(move |_| text.with(|text| hiding(text)));
    let is_long = move || size.get() > DRAWN;
    let choice = move |label: &'static str, is_raw: bool| {
        view! {
            <button
                type="button"
                class="chip"
                aria-pressed=move || (raw.get() == is_raw).to_string()
                on:click=move |_| raw.set(is_raw)
            >
                {label}
            </button>
        }
    };
    view! {
        <section class="panel content" aria-labelledby="instructions">
            <header>
                <div class="section-title">
                    <h3 id="instructions" tabindex="-1">"Instructions"</h3>
                    <span class="note">{move || format!("{} bytes", grouped(size.get()))}</span>
                </div>
                <div class="chips" role="group" aria-label="How the text is shown">
                    {choice("Rendered", false)}
                    {choice("Raw", true)}
                </div>
            </header>
            {move || hidden.get().sentence().map(|sentence| view! {
                <div class="notice warn">
                    <Glyph icon=Icon::Warning />
                    <p>
                        {sentence}
                        " They are shown as marks. "
                        {(hidden.get().comments > 0).then_some("Coder removes comments before the model reads the text; MyCodeAgent keeps them.")}
                    </p>
                </div>
            })}
            {move || if is_long() {
                view! { <p class="empty">"The text is too long to be shown."</p> }.into_any()
            } else if size.get() == 0 {
                view! { <p class="empty">"There is no text below the frontmatter."</p> }.into_any()
            } else if raw.get() {
                view! {
                    <pre class="raw" dir="ltr" tabindex="0" aria-label="Raw text">{text.with(|text| marked(text))}</pre>
                }
                .into_any()
            } else {
                let drawn = text.with(|text| uri.with(|uri| files.with(|files| draw(text, uri.as_deref(), files))));
                view! {
                    {drawn.is_cut.then(|| view! { <p class="note md-cut">"The text is very long. Its end is in the raw view."</p> })}
                    <div class="md">{drawn.view}</div>
                }
                .into_any()
            }}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(65_536), "65,536");
        assert_eq!(grouped(16_777_216), "16,777,216");
    }
}
