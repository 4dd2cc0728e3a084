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

/// Several lines of text with their label, a hint and what is wrong with them.
#[component]
pub fn TextArea(
    /// Id of the field; the ids of hint and problem are made from it.
    #[prop(into)]
    id: String,
    /// The visible label.
    label: &'static str,
    /// What is typed.
    value: RwSignal<String>,
    /// What is wrong with it, one problem per line.
    #[prop(into)]
    problem: Signal<Option<String>>,
    /// Explains what to type, or counts it.
    #[prop(optional, into)]
    hint: Signal<String>,
    /// How many lines are shown at first; it grows with what is typed.
    #[prop(default = 3)]
    rows: u32,
    /// Code, which is never checked for spelling and always runs from left to right.
    #[prop(optional)]
    code: bool,
    /// Told on every change by typing.
    #[prop(optional, into)]
    on_typed: Option<Callback<()>>,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let part = move |part: &str| id.with_value(|id| format!("{id}-{part}"));
    let has_hint = Memo::new(move |_| hint.with(|hint| !hint.is_empty()));
    let wrong = Memo::new(move |_| problem.with(Option::is_some));
    let described = move || {
        let parts = [(wrong.get(), "wrong"), (has_hint.get(), "hint")];
        let ids: Vec<String> = parts
            .into_iter()
            .filter(|(there, _)| *there)
            .map(|(_, name)| part(name))
            .collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    };
    view! {
        <div class="form-field">
            <label for=id.get_value()>{label}</label>
            <textarea
                id=id.get_value()
                class:mono=code
                rows=rows
                dir=code.then_some("ltr")
                autocomplete="off"
                autocapitalize="off"
                spellcheck=if code { "false" } else { "true" }
                prop:value=value
                aria-invalid=move || wrong.get().then_some("true")
                aria-describedby=described
                on:input:target=move |event| {
                    value.set(event.target().value());
                    if let Some(on_typed) = on_typed {
                        on_typed.run(());
                    }
                }
            ></textarea>
            {move || has_hint.get().then(|| view! { <p class="hint" id=part("hint")>{hint}</p> })}
            {move || problem.get().map(|problem| view! {
                <p class="wrong lines" id=part("wrong")><bdi>{problem}</bdi></p>
            })}
        </div>
    }
}

/// One choice of a few, as radio buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RadioChoice {
    /// The word it stands for.
    pub value: &'static str,
    /// The words on it.
    pub label: &'static str,
    /// What it means.
    pub hint: &'static str,
}

/// A choice of a few.
#[component]
pub fn Radios(
    /// Name of the group on the page.
    name: &'static str,
    /// What is chosen.
    legend: &'static str,
    /// What can be chosen.
    choices: &'static [RadioChoice],
    /// The word of the present choice.
    value: RwSignal<String>,
) -> impl IntoView {
    view! {
        <fieldset class="choices">
            <legend>{legend}</legend>
            {choices.iter().map(|choice| view! {
                <label class="check">
                    <input
                        type="radio"
                        name=name
                        prop:checked=move || value.with(|value| value == choice.value)
                        on:change=move |_| value.set(choice.value.to_owned())
                    />
                    <span>{choice.label}" "<span class="hint">{choice.hint}</span></span>
                </label>
            }).collect_view()}
        </fieldset>
    }
}

/// The words a check box stands for in a draft: [`ON`] and [`OFF`].
pub const ON: &str = "on";
/// See [`ON`].
pub const OFF: &str = "off";

/// A check box over a draft of [`ON`] and [`OFF`].
#[component]
pub fn CheckBox(
    /// The words beside it.
    label: &'static str,
    /// What it means.
    hint: &'static str,
    /// [`ON`] or [`OFF`].
    value: RwSignal<String>,
) -> impl IntoView {
    view! {
        <label class="check top">
            <input
                type="checkbox"
                prop:checked=move || value.with(|value| value == ON)
                on:change:target=move |event| {
                    value.set(if event.target().checked() { ON } else { OFF }.to_owned());
                }
            />
            <span>{label}" "<span class="hint">{hint}</span></span>
        </label>
    }
}

/// How far a text is over its longest length in characters, in words; `None` within it.
pub fn over(text: &str, limit: usize) -> Option<String> {
    match text.chars().count().saturating_sub(limit) {
        0 => None,
        1 => Some("1 character too long.".to_owned()),
        many => Some(format!("{many} characters too long.")),
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

#[cfg(test)]
mod tests {
    use super::over;

    #[test]
    fn lengths_count_characters_and_not_bytes() {
        assert_eq!(over("äöü", 3), None);
        assert_eq!(over("äöüß", 3).as_deref(), Some("1 character too long."));
        assert_eq!(
            over("😀😀😀😀😀", 3).as_deref(),
            Some("2 characters too long.")
        );
    }
}
