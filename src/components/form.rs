//! Parts of forms: a labelled text field that says what is wrong with it, and a button that shows
//! a request is on its way without losing focus.

use leptos::prelude::*;

use crate::browser;

/// A form sent with Enter or its button, and not again while its request is on its way.
#[component]
pub fn SendForm(
    /// Whether the request is on its way.
    busy: RwSignal<bool>,
    /// Sends it.
    #[prop(into)]
    on_send: Callback<()>,
    /// Its classes.
    #[prop(default = "form")]
    class: &'static str,
    /// Its fields and its button.
    children: Children,
) -> impl IntoView {
    view! {
        <form
            class=class
            novalidate
            on:submit=move |event| {
                event.prevent_default();
                if !busy.get_untracked() {
                    on_send.run(());
                }
            }
        >
            {children()}
        </form>
    }
}

/// One line of text with its label, a hint and what is wrong with it.
#[component]
pub fn TextField(
    /// Id of the input; the ids of hint and problem are made from it.
    id: &'static str,
    /// The visible label.
    label: &'static str,
    /// What is typed.
    value: RwSignal<String>,
    /// What is wrong with it.
    #[prop(into)]
    problem: Signal<Option<String>>,
    /// Explains what to type; empty for nothing.
    #[prop(optional, into)]
    hint: Signal<String>,
    /// Type of the input.
    #[prop(default = "text")]
    kind: &'static str,
    /// What password managers may fill in.
    #[prop(default = "off")]
    autocomplete: &'static str,
    /// Told on every change by typing.
    #[prop(optional, into)]
    on_typed: Option<Callback<()>>,
) -> impl IntoView {
    let has_hint = Memo::new(move |_| hint.with(|hint| !hint.is_empty()));
    let wrong = Memo::new(move |_| problem.with(Option::is_some));
    let described = move || {
        let ids: Vec<String> = [(has_hint.get(), "hint"), (wrong.get(), "wrong")]
            .into_iter()
            .filter(|(there, _)| *there)
            .map(|(_, part)| format!("{id}-{part}"))
            .collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    };
    view! {
        <div class="form-field">
            <label for=id>{label}</label>
            <input
                class="input"
                id=id
                type=kind
                autocomplete=autocomplete
                autocapitalize="off"
                spellcheck="false"
                prop:value=value
                aria-invalid=move || wrong.get().then_some("true")
                aria-describedby=described
                on:input:target=move |event| {
                    value.set(event.target().value());
                    if let Some(on_typed) = on_typed {
                        on_typed.run(());
                    }
                }
            />
            {move || has_hint.get().then(|| view! { <p class="hint" id=format!("{id}-hint")>{hint}</p> })}
            {move || problem.get().map(|problem| view! {
                <p class="wrong" id=format!("{id}-wrong")><bdi>{problem}</bdi></p>
            })}
        </div>
    }
}

/// The button that sends a form. While the request is on its way it keeps focus and says so.
#[component]
pub fn SendButton(
    /// What it does.
    #[prop(into)]
    label: Signal<String>,
    /// What it says meanwhile.
    busy_label: &'static str,
    /// Whether the request is on its way.
    #[prop(into)]
    busy: Signal<bool>,
) -> impl IntoView {
    view! {
        <button
            type="submit"
            class="btn primary"
            aria-busy=move || busy.get().then_some("true")
        >
            {move || if busy.get() { busy_label.to_owned() } else { label.get() }}
        </button>
    }
}

/// Moves focus to the first field that is wrong, once its state is on the page.
pub fn focus_wrong() {
    request_animation_frame(|| {
        let place = if browser::dialog_open() {
            "dialog[open] [aria-invalid=true]"
        } else {
            "main [aria-invalid=true]"
        };
        browser::focus_first(place);
    });
}
