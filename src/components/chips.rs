//! Filter chips with counts: a row of toggle buttons that scrolls sideways where it is narrow.

use leptos::prelude::*;

use super::each::Each;

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// The value it stands for.
    pub value: String,
    /// The words on it.
    pub label: String,
    /// How many items it would leave; `None` while that is not known.
    pub count: Option<u64>,
    /// Class of its colour mark; empty for none.
    pub mark: &'static str,
}

/// A row of chips of which any number can be pressed.
#[component]
pub fn Chips(
    /// Names the group.
    label: &'static str,
    /// The choices; the first stands for "no filter" when its value is empty.
    #[prop(into)]
    chips: Signal<Vec<Chip>>,
    /// The pressed values.
    #[prop(into)]
    chosen: Signal<Vec<String>>,
    /// Called with the value of a pressed chip.
    on_press: Callback<String>,
) -> impl IntoView {
    let one = move |value: String| {
        let find = {
            let value = value.clone();
            move || chips.with(|chips| chips.iter().find(|chip| chip.value == value).cloned())
        };
        let chip = Memo::new(move |_| find());
        let pressed = {
            let value = value.clone();
            move || {
                chosen.with(|chosen| {
                    if value.is_empty() {
                        chosen.is_empty()
                    } else {
                        chosen.contains(&value)
                    }
                })
            }
        };
        view! {
            <button
                type="button"
                class="chip"
                aria-pressed=move || pressed().to_string()
                on:click=move |_| on_press.run(value.clone())
            >
                {move || chip.get().map(|chip| view! {
                    {(!chip.mark.is_empty()).then(|| view! { <i class=chip.mark></i> })}
                    <span>{chip.label}</span>
                    {chip.count.map(|count| view! { " "<b>{count}</b> })}
                })}
            </button>
        }
    };
    view! {
        <div class="chips" role="group" aria-label=label>
            <Each
                each=move || chips.with(|chips| chips.iter().map(|chip| chip.value.clone()).collect::<Vec<_>>())
                key=Clone::clone
                children=one
            />
        </div>
    }
}
