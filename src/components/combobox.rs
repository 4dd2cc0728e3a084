//! A text field that offers choices, before and while something is typed (the list-autocomplete
//! combobox of the ARIA patterns): arrows move, Enter chooses, Escape closes and keeps the text. It
//! holds what was chosen, or, in a [`Picker`], does something with it at once.

use leptos::prelude::*;

use crate::browser;
use crate::browser::lower;
use crate::reactive::effect;

/// One choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The value it stands for.
    pub value: String,
    /// The words on it.
    pub label: String,
    /// A second line; empty for none.
    pub about: String,
    /// What choosing it does besides, in a few words; empty for nothing.
    pub hint: String,
    /// Words it is found by as well.
    pub terms: String,
}

impl Choice {
    fn contains(&self, needle: &str) -> bool {
        [&self.label, &self.about, &self.terms]
            .iter()
            .any(|text| lower(text).contains(needle))
    }
}

/// The choices that contain every typed word, or all while the text is the label of the one that is
/// chosen: who opens the list then wants another.
fn matching(choices: &[Choice], text: &str, is_chosen: impl Fn(&Choice) -> bool) -> Vec<Choice> {
    let typed = lower(text.trim());
    if choices
        .iter()
        .any(|choice| choice.label == text && is_chosen(choice))
    {
        return choices.to_vec();
    }
    choices
        .iter()
        .filter(|choice| typed.split_whitespace().all(|word| choice.contains(word)))
        .cloned()
        .collect()
}

/// The place an arrow or a jump leads to in a list of `length`; `None` stands for no place yet.
pub fn moved(key: &str, from: Option<usize>, length: usize) -> Option<usize> {
    let last = length.checked_sub(1)?;
    Some(match (key, from) {
        ("ArrowDown", None) | ("Home", _) => 0,
        ("ArrowUp", None) | ("End", _) => last,
        ("ArrowDown", Some(at)) => {
            if at >= last {
                0
            } else {
                at + 1
            }
        }
        ("ArrowUp", Some(at)) => {
            if at == 0 {
                last
            } else {
                (at - 1).min(last)
            }
        }
        _ => return None,
    })
}

/// The field that holds what was chosen.
#[component]
pub fn Combobox(
    /// Id of the input; the ids of its parts are made from it.
    id: &'static str,
    /// The visible label.
    label: &'static str,
    /// What can be chosen.
    #[prop(into)]
    choices: Signal<Vec<Choice>>,
    /// The chosen value.
    chosen: RwSignal<Option<String>>,
    /// What is wrong with it.
    #[prop(into)]
    problem: Signal<Option<String>>,
    /// Told of a choice made with Enter or the pointer. With it, typing alone chooses nothing:
    /// `chosen` belongs to the caller, and its words come back when the field is left.
    #[prop(optional, into)]
    on_choose: Option<Callback<String>>,
    /// Whether the choice is being stored.
    #[prop(optional, into)]
    busy: Signal<bool>,
    /// Ids of elements that describe it; empty for none.
    #[prop(optional, into)]
    described_by: Signal<String>,
) -> impl IntoView {
    let label_of = move |value: &str| {
        choices.with_untracked(|choices| {
            let found = choices.iter().find(|choice| choice.value == value)?;
            Some(found.label.clone())
        })
    };
    let text = RwSignal::new(
        chosen
            .get_untracked()
            .and_then(|value| label_of(&value))
            .unwrap_or_default(),
    );
    let typing = RwSignal::new(false);
    if on_choose.is_some() {
        let label_now = Memo::new(move |_| {
            let value = chosen.get()?;
            choices.with(|choices| {
                let found = choices.iter().find(|choice| choice.value == value)?;
                Some(found.label.clone())
            })
        });
        effect(move || {
            let label = label_now.get().unwrap_or_default();
            if !typing.get() {
                text.set(label);
            }
        });
    }
    let choose = Callback::new(move |choice: Choice| {
        text.set(choice.label);
        match on_choose {
            Some(on_choose) => {
                on_choose.run(choice.value);
                typing.set(false);
            }
            None => chosen.set(Some(choice.value)),
        }
    });
    let typed = Callback::new(move |typed: String| {
        if on_choose.is_some() {
            typing.set(true);
            return;
        }
        // A whole label counts as chosen without pressing Enter.
        let found = choices.with_untracked(|choices| {
            choices
                .iter()
                .find(|choice| choice.label.eq_ignore_ascii_case(typed.trim()))
                .map(|choice| choice.value.clone())
        });
        chosen.set(found);
    });
    let wrong = Memo::new(move |_| problem.with(Option::is_some));
    let described = Signal::derive(move || {
        let wrong = wrong.get().then(|| format!("{id}-wrong"));
        let others = Some(described_by.get()).filter(|ids| !ids.is_empty());
        match (wrong, others) {
            (Some(wrong), Some(others)) => Some(format!("{wrong} {others}")),
            (wrong, others) => wrong.or(others),
        }
    });
    view! {
        <div class="form-field">
            <label for=id id=format!("{id}-label")>{label}</label>
            <Field
                id=id
                text=text
                choices=choices
                choose=choose
                typed=typed
                is_chosen=Callback::new(move |value: String| chosen.with(|chosen| chosen.as_ref() == Some(&value)))
                wrong=wrong
                described=described
                busy=busy
                placeholder=""
                waiting=false
                on_open=Callback::new(|()| ())
                on_leave=Callback::new(move |()| typing.set(false))
            />
            {move || problem.get().map(|problem| view! {
                <p class="wrong" id=format!("{id}-wrong")>{problem}</p>
            })}
        </div>
    }
}

/// The field that does something with a choice at once and is empty again.
#[component]
pub fn Picker(
    /// Id of the input; the ids of its parts are made from it.
    id: &'static str,
    /// Its name, which stands in it while it is empty.
    label: &'static str,
    /// What can be chosen.
    #[prop(into)]
    choices: Signal<Vec<Choice>>,
    /// Whether the choices are still being read.
    #[prop(into)]
    waiting: Signal<bool>,
    /// Told when the list opens, before anything is typed.
    on_open: Callback<()>,
    /// Told what was chosen.
    on_pick: Callback<Choice>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let choose = Callback::new(move |choice: Choice| {
        text.set(String::new());
        on_pick.run(choice);
    });
    view! {
        <div class="picker">
            <label class="visually-hidden" for=id id=format!("{id}-label")>{label}</label>
            <Field
                id=id
                text=text
                choices=choices
                choose=choose
                typed=Callback::new(|_: String| ())
                is_chosen=Callback::new(|_: String| false)
                wrong=false
                described=Signal::stored(None::<String>)
                busy=false
                placeholder=label
                waiting=waiting
                on_open=on_open
                on_leave=Callback::new(|()| ())
            />
        </div>
    }
}

/// The input with its list.
#[component]
fn Field(
    id: &'static str,
    text: RwSignal<String>,
    choices: Signal<Vec<Choice>>,
    choose: Callback<Choice>,
    typed: Callback<String>,
    is_chosen: Callback<String, bool>,
    #[prop(into)] wrong: Signal<bool>,
    described: Signal<Option<String>>,
    #[prop(into)] busy: Signal<bool>,
    placeholder: &'static str,
    #[prop(into)] waiting: Signal<bool>,
    on_open: Callback<()>,
    on_leave: Callback<()>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let active = RwSignal::new(None::<usize>);
    let offered = Memo::new(move |_| {
        let is_chosen = |choice: &Choice| is_chosen.run(choice.value.clone());
        choices.with(|choices| text.with(|text| matching(choices, text, is_chosen)))
    });
    let show = move || {
        if !open.get_untracked() {
            open.set(true);
            on_open.run(());
        }
    };
    let pick = move |choice: Choice| {
        open.set(false);
        active.set(None);
        choose.run(choice);
    };
    let option_id = move |at: usize| format!("{id}-option-{at}");
    let on_key = move |event: web_sys::KeyboardEvent| {
        let key = event.key();
        match key.as_str() {
            "ArrowDown" | "ArrowUp" => {
                event.prevent_default();
                show();
                let length = offered.with_untracked(Vec::len);
                let next = moved(&key, active.get_untracked(), length);
                active.set(next);
                if let Some(next) = next {
                    request_animation_frame(move || browser::reveal(&option_id(next)));
                }
            }
            "Enter" if open.get_untracked() => {
                let picked = active
                    .get_untracked()
                    .and_then(|at| offered.with_untracked(|offered| offered.get(at).cloned()));
                if let Some(picked) = picked {
                    event.prevent_default();
                    pick(picked);
                }
            }
            "Escape" if open.get_untracked() => {
                event.prevent_default();
                event.stop_propagation();
                open.set(false);
                active.set(None);
            }
            _ => {}
        }
    };
    let shown = Memo::new(move |_| open.get() && offered.with(|offered| !offered.is_empty()));
    view! {
        <div class="combo">
            <input
                class="input"
                id=id
                type="text"
                role="combobox"
                autocomplete="off"
                spellcheck="false"
                placeholder=placeholder
                aria-autocomplete="list"
                aria-expanded=move || shown.get().to_string()
                aria-controls=format!("{id}-list")
                aria-activedescendant=move || shown.get().then(|| active.get().map(option_id)).flatten()
                aria-invalid=move || wrong.get().then_some("true")
                aria-describedby=move || described.get()
                aria-busy=move || busy.get().then_some("true")
                prop:value=text
                on:input:target=move |event| {
                    let value = event.target().value();
                    typed.run(value.clone());
                    text.set(value);
                    active.set(None);
                    show();
                }
                on:click=move |_| show()
                on:blur=move |_| {
                    // A field that is taken away while it has the focus is left as well, after
                    // its signals are gone.
                    open.try_set(false);
                    on_leave.try_run(());
                }
                on:keydown=on_key
            />
            <ul
                class="options"
                id=format!("{id}-list")
                role="listbox"
                aria-labelledby=format!("{id}-label")
                hidden=move || !shown.get()
            >
                {move || offered.get().into_iter().enumerate().map(|(at, choice)| {
                    let value = choice.value.clone();
                    let shown = choice.clone();
                    view! {
                        <li
                            role="option"
                            id=option_id(at)
                            aria-selected=move || is_chosen.run(value.clone()).to_string()
                            class:active=move || active.get() == Some(at)
                            // Focus stays in the field.
                            on:mousedown=|event| event.prevent_default()
                            on:click=move |_| pick(choice.clone())
                        >
                            <bdi>{shown.label}</bdi>
                            {(!shown.hint.is_empty()).then(|| view! { " "<span class="option-hint">{shown.hint}</span> })}
                            {(!shown.about.is_empty()).then(|| view! { " "<bdi class="option-about">{shown.about}</bdi> })}
                        </li>
                    }
                }).collect_view()}
            </ul>
        </div>
        {move || (open.get() && offered.with(Vec::is_empty)).then(|| view! {
            <p class="hint" role="status">
                {move || if waiting.get() { "Loading…" } else { "Nothing matches." }}
            </p>
        })}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_go_round_and_jumps_go_to_the_ends() {
        assert_eq!(moved("ArrowDown", None, 3), Some(0));
        assert_eq!(moved("ArrowDown", Some(2), 3), Some(0));
        assert_eq!(moved("ArrowUp", Some(0), 3), Some(2));
        assert_eq!(moved("ArrowUp", Some(9), 3), Some(2));
        assert_eq!(moved("End", Some(0), 3), Some(2));
        assert_eq!(moved("ArrowDown", None, 0), None);
        assert_eq!(moved("x", Some(1), 3), None);
    }

    #[test]
    fn the_label_of_what_is_chosen_offers_everything_and_a_part_what_contains_it() {
        let choice = |label: &str| Choice {
            value: label.to_owned(),
            label: label.to_owned(),
            terms: "money".to_owned(),
            ..Choice::default()
        };
        let choices = [choice("Acme › Payments"), choice("Acme › Docs")];
        let found = |text: &str| matching(&choices, text, |_| false).len();
        assert_eq!(found("pay"), 1);
        assert_eq!(found(""), 2);
        assert_eq!(found("Acme › Docs"), 1);
        assert_eq!(found("money docs"), 1);
        assert_eq!(found("zebra"), 0);
        let docs = |choice: &Choice| choice.label == "Acme › Docs";
        assert_eq!(matching(&choices, "Acme › Docs", docs).len(), 2);
    }
}
