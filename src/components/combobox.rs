//! A text field that offers choices while something is typed (the list-autocomplete combobox of
//! the ARIA patterns): arrows move, Enter chooses, Escape closes and keeps the text.

use leptos::prelude::*;

use crate::browser;
use crate::reactive::effect;

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value it stands for.
    pub value: String,
    /// The words on it.
    pub label: String,
}

/// The choices whose label contains the text, or all while the text is a whole label.
fn matching(choices: &[Choice], text: &str) -> Vec<Choice> {
    let needle = text.trim().to_lowercase();
    if choices.iter().any(|choice| choice.label == text) {
        return choices.to_vec();
    }
    choices
        .iter()
        .filter(|choice| choice.label.to_lowercase().contains(&needle))
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

/// The field.
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
    let open = RwSignal::new(false);
    let active = RwSignal::new(None::<usize>);
    let offered =
        Memo::new(move |_| choices.with(|choices| text.with(|text| matching(choices, text))));
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
    let choose = move |choice: Choice| {
        text.set(choice.label);
        open.set(false);
        active.set(None);
        match on_choose {
            Some(on_choose) => {
                on_choose.run(choice.value);
                typing.set(false);
            }
            None => chosen.set(Some(choice.value)),
        }
    };
    let typed = move |typed: String| {
        if on_choose.is_some() {
            typing.set(true);
            text.set(typed);
            active.set(None);
            open.set(true);
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
        text.set(typed);
        active.set(None);
        open.set(true);
    };
    let option_id = move |at: usize| format!("{id}-option-{at}");
    let on_key = move |event: web_sys::KeyboardEvent| {
        let key = event.key();
        match key.as_str() {
            "ArrowDown" | "ArrowUp" => {
                event.prevent_default();
                open.set(true);
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
                    choose(picked);
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
    let wrong = Memo::new(move |_| problem.with(Option::is_some));
    let described = move || {
        let wrong = wrong.get().then(|| format!("{id}-wrong"));
        let others = Some(described_by.get()).filter(|ids| !ids.is_empty());
        match (wrong, others) {
            (Some(wrong), Some(others)) => Some(format!("{wrong} {others}")),
            (wrong, others) => wrong.or(others),
        }
    };
    view! {
        <div class="form-field">
            <label for=id id=format!("{id}-label")>{label}</label>
            <div class="combo">
                <input
                    class="input"
                    id=id
                    type="text"
                    role="combobox"
                    autocomplete="off"
                    spellcheck="false"
                    aria-autocomplete="list"
                    aria-expanded=move || shown.get().to_string()
                    aria-controls=format!("{id}-list")
                    aria-activedescendant=move || shown.get().then(|| active.get().map(option_id)).flatten()
                    aria-invalid=move || wrong.get().then_some("true")
                    aria-describedby=described
                    aria-busy=move || busy.get().then_some("true")
                    prop:value=text
                    on:input:target=move |event| typed(event.target().value())
                    on:click=move |_| open.set(true)
                    on:blur=move |_| {
                        open.set(false);
                        typing.set(false);
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
                        let is_chosen = {
                            let value = choice.value.clone();
                            move || chosen.with(|chosen| chosen.as_ref() == Some(&value))
                        };
                        let label = choice.label.clone();
                        view! {
                            <li
                                role="option"
                                id=option_id(at)
                                aria-selected=move || is_chosen().to_string()
                                class:active=move || active.get() == Some(at)
                                // Focus stays in the field.
                                on:mousedown=|event| event.prevent_default()
                                on:click=move |_| choose(choice.clone())
                            >
                                <bdi>{label}</bdi>
                            </li>
                        }
                    }).collect_view()}
                </ul>
            </div>
            {move || (open.get() && offered.with(Vec::is_empty)).then(|| view! {
                <p class="hint" role="status">"Nothing matches."</p>
            })}
            {move || problem.get().map(|problem| view! {
                <p class="wrong" id=format!("{id}-wrong")>{problem}</p>
            })}
        </div>
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
    fn a_whole_label_offers_everything_and_a_part_what_contains_it() {
        let choice = |label: &str| Choice {
            value: label.to_owned(),
            label: label.to_owned(),
        };
        let choices = [choice("Acme › Payments"), choice("Acme › Docs")];
        assert_eq!(matching(&choices, "pay").len(), 1);
        assert_eq!(matching(&choices, "").len(), 2);
        assert_eq!(matching(&choices, "Acme › Docs").len(), 2);
        assert!(matching(&choices, "zebra").is_empty());
    }
}
