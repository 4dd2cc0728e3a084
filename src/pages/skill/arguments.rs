//! What the arguments of a call turn the text into, before any agent makes that call.

use contract::rules::skills::arguments::{Mode, content, expand, look_alikes};
use leptos::prelude::*;

use super::reveal::marked;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::words::with_code;

/// The most look-alikes named.
const NAMED: usize = 10;

/// The panel.
#[component]
pub fn ArgumentsPanel(
    /// The text of the skill.
    #[prop(into)]
    text: Signal<String>,
    /// The directory a host names above it.
    #[prop(into)]
    directory: Signal<String>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let expansion = Memo::new(move |_| text.with(|text| typed.with(|typed| expand(text, typed))));
    let words = move || {
        expansion.with(|found| match (found.mode, found.replacements) {
            (Mode::Replace, 1) => "Replaces $ARGUMENTS once".to_owned(),
            (Mode::Replace, many) => format!("Replaces $ARGUMENTS {many} times"),
            (Mode::Append, _) => "Appends at the end".to_owned(),
            (Mode::Unchanged, _) => "Leaves the text unchanged".to_owned(),
        })
    };
    let deceptive = Memo::new(move |_| {
        text.with(|text| {
            let found = look_alikes(text);
            let more = found.len().saturating_sub(NAMED);
            let named: Vec<String> = found
                .iter()
                .take(NAMED)
                .map(|one| format!("Line {}: {}", one.line, one.sentence()))
                .collect();
            (named, more)
        })
    });
    let erases = move || {
        expansion.with(|found| found.mode == Mode::Replace)
            && typed.with(|typed| typed.trim().is_empty())
    };
    view! {
        <section class="panel" aria-labelledby="arguments">
            <header>
                <h3 id="arguments">"Arguments"</h3>
                <span class="grow"></span>
                {move || view! { <Badge tone=Tone::Info icon=Icon::Pencil text=words() /> }}
            </header>
            <div class="inner">
                <div class="form-field">
                    <label for="skill-arguments">"Arguments of a call"</label>
                    <input
                        class="input"
                        id="skill-arguments"
                        type="text"
                        autocomplete="off"
                        spellcheck="false"
                        aria-describedby="skill-arguments-hint"
                        prop:value=typed
                        on:input:target=move |event| typed.set(event.target().value())
                    />
                    <p class="hint" id="skill-arguments-hint">
                        {move || if erases() {
                            "Without arguments the placeholder is erased."
                        } else {
                            "As MyCodeAgent hands the skill to a model."
                        }}
                    </p>
                </div>
                {move || {
                    let (named, more) = deceptive.get();
                    (!named.is_empty()).then(|| view! {
                        <div class="notice warn">
                            <Glyph icon=Icon::Warning />
                            <ul class="look-alikes">
                                {named.iter().map(|said| view! { <li>{with_code(said)}</li> }).collect_view()}
                                {(more > 0).then(|| view! { <li>{format!("{more} more like these.")}</li> })}
                            </ul>
                        </div>
                    })
                }}
                <details class="what-model-reads">
                    <summary>"What the model reads"</summary>
                    <pre class="raw" dir="ltr" tabindex="0" aria-label="What the model reads">
                        {move || directory.with(|directory| expansion.with(|found| marked(&content(directory, &found.expanded))))}
                    </pre>
                </details>
            </div>
        </section>
    }
}
