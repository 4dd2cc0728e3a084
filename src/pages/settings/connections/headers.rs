//! The headers of a connection's form: pairs that can be typed and never come back. Of stored ones
//! only the names are known.

use contract::connections::HEADERS_MAX;
use leptos::prelude::*;

use super::draft::{Draft, Header, HeaderEdit};
use crate::browser;
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;

/// Adds an empty pair and moves to it.
fn add(draft: RwSignal<Draft>, next: StoredValue<u64>) {
    let key = next.try_update_value(|next| {
        *next += 1;
        *next
    });
    let key = key.unwrap_or_default();
    draft.update(|draft| {
        draft.header_edit = HeaderEdit::Replace;
        draft.headers.push(Header {
            key,
            ..Header::default()
        });
    });
    request_animation_frame(move || {
        browser::focus(&format!("header-{key}-name"));
    });
}

/// The part of the form about headers.
#[component]
pub fn HeaderFields(
    /// The form.
    draft: RwSignal<Draft>,
    /// Names of the headers that are stored; none for a new connection.
    stored: Memo<Vec<String>>,
    /// What is wrong with them.
    #[prop(into)]
    problem: Signal<Option<String>>,
) -> impl IntoView {
    let next = StoredValue::new(0_u64);
    let has_stored = Memo::new(move |_| stored.with(|stored| !stored.is_empty()));
    let edit = Memo::new(move |_| draft.with(|draft| draft.header_edit));
    let choose = move |wanted: HeaderEdit| {
        draft.update(|draft| draft.header_edit = wanted);
        let is_empty = draft.with_untracked(|draft| draft.headers.is_empty());
        if wanted == HeaderEdit::Replace && is_empty {
            add(draft, next);
        }
    };
    let typing = Memo::new(move |_| !has_stored.get() || edit.get() == HeaderEdit::Replace);
    let is_full = Memo::new(move |_| draft.with(|draft| draft.headers.len() >= HEADERS_MAX));
    let names = move || {
        stored.with(|stored| {
            stored
                .iter()
                .map(|name| revealed(name))
                .collect::<Vec<_>>()
                .join(", ")
        })
    };
    let is_wrong = Memo::new(move |_| problem.with(Option::is_some));
    view! {
        <fieldset class="headers" aria-describedby=move || is_wrong.get().then_some("headers-wrong")>
            <legend>"Headers sent along"</legend>
            <p class="hint">"For example Authorization. Values are written once: they stay on the control plane, are never shown again and never logged."</p>
            {move || has_stored.get().then(|| view! {
                <p class="stored-headers">
                    <Glyph icon=Icon::Lock />
                    <span>"Stored: "<bdi class="mono">{names}</bdi></span>
                </p>
                <div class="choices">
                    {[
                        (HeaderEdit::Keep, "Keep the stored headers"),
                        (HeaderEdit::Replace, "Replace all of them"),
                        (HeaderEdit::Clear, "Remove all of them"),
                    ].map(|(value, label)| view! {
                        <label class="check">
                            <input
                                type="radio"
                                name="header-edit"
                                prop:checked=move || edit.get() == value
                                on:change=move |_| choose(value)
                            />
                            {label}
                        </label>
                    }).collect_view()}
                </div>
            })}
            {move || typing.get().then(|| view! {
                <ul class="header-pairs">
                    <Each
                        each=move || draft.with(|draft| draft.headers.iter().map(|header| header.key).collect::<Vec<_>>())
                        key=|key| *key
                        children=move |key| view! { <Pair draft=draft id=key is_wrong=is_wrong /> }
                    />
                </ul>
                <button
                    type="button"
                    class="btn"
                    aria-disabled=move || is_full.get().then_some("true")
                    title=move || is_full.get().then(|| format!("At most {HEADERS_MAX} headers are supported."))
                    on:click=move |_| if !is_full.get_untracked() { add(draft, next) }
                >
                    <Glyph icon=Icon::Plus />
                    "Add a header"
                </button>
            })}
            {move || problem.get().map(|problem| view! {
                <p class="wrong" id="headers-wrong"><bdi>{problem}</bdi></p>
            })}
        </fieldset>
    }
}

/// One pair.
#[component]
fn Pair(draft: RwSignal<Draft>, id: u64, is_wrong: Memo<bool>) -> impl IntoView {
    let of = move |part: fn(&Header) -> String| {
        Memo::new(move |_| {
            draft.with(|draft| {
                let found = draft.headers.iter().find(|header| header.key == id);
                found.map(part).unwrap_or_default()
            })
        })
    };
    let change = move |set: &dyn Fn(&mut Header)| {
        draft.update(|draft| {
            draft
                .headers
                .iter_mut()
                .filter(|header| header.key == id)
                .for_each(set);
        });
    };
    let (name, value) = (
        of(|header| header.name.clone()),
        of(|header| header.value.clone()),
    );
    let remove = move |_| {
        draft.update(|draft| draft.headers.retain(|header| header.key != id));
        if !browser::focus_first(".header-pairs input") {
            browser::focus_first(".headers > .btn");
        }
    };
    let shown_name = move || {
        name.with(|name| {
            if name.is_empty() {
                "new header".to_owned()
            } else {
                name.clone()
            }
        })
    };
    view! {
        <li>
            <div class="form-field">
                <label for=format!("header-{id}-name")>"Name"</label>
                <input
                    class="input mono"
                    id=format!("header-{id}-name")
                    type="text"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    dir="ltr"
                    prop:value=name
                    aria-invalid=move || is_wrong.get().then_some("true")
                    on:input:target=move |event| { let text = event.target().value(); change(&|header| header.name.clone_from(&text)); }
                />
            </div>
            <div class="form-field">
                <label for=format!("header-{id}-value")>"Value"</label>
                <input
                    class="input mono"
                    id=format!("header-{id}-value")
                    type="password"
                    autocomplete="off"
                    spellcheck="false"
                    dir="ltr"
                    prop:value=value
                    on:input:target=move |event| { let text = event.target().value(); change(&|header| header.value.clone_from(&text)); }
                />
            </div>
            <button type="button" class="btn quiet icon" aria-label=move || format!("Remove {}", shown_name()) on:click=remove>
                <Glyph icon=Icon::Close />
            </button>
        </li>
    }
}
