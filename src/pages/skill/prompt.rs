//! The list of skills a model is shown, and whether this one is in it for a given budget.

use contract::rules::skills::prompt::{
    AvailableSkills, DEFAULT_BUDGET, ListedSkill, Variant, available_skills,
};
use leptos::prelude::*;

use super::content::grouped;
use super::reveal::marked;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;

/// The largest budget the slider reaches, in characters.
const SLIDER_MAX: i64 = 30_000;
/// Names of cut skills shown.
const NAMED: usize = 20;

/// A skill in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
}

/// The list for a budget.
fn listed(skills: &[Listed], budget: i64) -> AvailableSkills {
    let skills: Vec<ListedSkill<'_>> = skills
        .iter()
        .map(|one| ListedSkill {
            name: &one.name,
            description: &one.description,
        })
        .collect();
    available_skills(&skills, budget, Variant::Code)
}

/// By how many characters the first skill that is cut misses the budget.
fn missed_by(skills: &[Listed], list: &AvailableSkills, budget: i64) -> Option<usize> {
    let first = list.omitted.first()?;
    let skill = skills.iter().find(|one| one.name == *first)?;
    let cost = format!("- {}: {}", skill.name, skill.description)
        .chars()
        .count()
        + 1;
    let budget = usize::try_from(budget).unwrap_or(0);
    (list.used + cost).checked_sub(budget)
}

/// The panel.
#[component]
pub fn PromptPanel(
    /// Every skill that would be in the list.
    #[prop(into)]
    skills: Signal<Vec<Listed>>,
    /// The name of the skill of the page.
    #[prop(into)]
    name: Signal<String>,
    /// What the list is made of: "all installed skills".
    #[prop(into)]
    made_of: Signal<String>,
) -> impl IntoView {
    let budget = RwSignal::new(DEFAULT_BUDGET);
    let list = Memo::new(move |_| skills.with(|skills| listed(skills, budget.get())));
    let missed = Memo::new(move |_| {
        skills.with(|skills| list.with(|list| missed_by(skills, list, budget.get())))
    });
    let is_in = move || name.with(|name| list.with(|list| list.included.contains(name)));
    let is_cut = move || name.with(|name| list.with(|list| list.omitted.contains(name)));
    let used = move || {
        format!(
            "{} of {} characters",
            grouped(list.with(|list| list.used)),
            grouped(usize::try_from(budget.get()).unwrap_or(0))
        )
    };
    let set = move |text: String| {
        if let Ok(number) = text.parse::<i64>() {
            budget.set(number.clamp(0, 1_000_000));
        }
    };
    view! {
        <section class="panel prompt" aria-labelledby="prompt">
            <header>
                <h3 id="prompt">"In the prompt"</h3>
                <span class="grow"></span>
                {move || if is_in() {
                    view! { <Badge tone=Tone::Ok icon=Icon::Check text="In the list" /> }.into_any()
                } else if is_cut() {
                    view! { <Badge tone=Tone::Warn icon=Icon::Ban text="Cut by the budget" /> }.into_any()
                } else {
                    view! { <Badge tone=Tone::Neutral icon=Icon::Info text="Not in the list" /> }.into_any()
                }}
            </header>
            <div class="inner">
                <p class="note">
                    "What MyCodeAgent tells a model about "<bdi>{made_of}</bdi>", by name, until the budget is used up. Coder keeps no budget."
                </p>
                <div class="budget">
                    <div class="form-field">
                        <label for="prompt-budget">"What-if budget, in characters"</label>
                        <input class="input" id="prompt-budget" type="number" min="0" max="1000000" step="1" prop:value=move || budget.get().to_string() on:input:target=move |event| set(event.target().value()) />
                    </div>
                    <input
                        type="range"
                        aria-label="Budget"
                        min="0"
                        max=SLIDER_MAX.to_string()
                        step="100"
                        prop:value=move || budget.get().to_string()
                        on:input:target=move |event| set(event.target().value())
                    />
                </div>
                <div class="meter-line">
                    <svg
                        class="bar"
                        viewBox="0 0 1000 8"
                        preserveAspectRatio="none"
                        role="meter"
                        aria-label="Budget used"
                        aria-valuemin="0"
                        aria-valuemax=move || budget.get().max(1).to_string()
                        aria-valuenow=move || list.with(|list| list.used).to_string()
                        aria-valuetext=used
                    >
                        <rect class="off" x="0" y="0" width="1000" height="8" />
                        <rect class="on" x="0" y="0" width=move || share(list.with(|list| list.used), budget.get()) height="8" />
                    </svg>
                    <span class="note">{used}" · "{move || counts(&list.get())}</span>
                </div>
                {move || list.with(|list| list.first_exceeds).then(|| view! {
                    <div class="notice warn">
                        <Glyph icon=Icon::Warning />
                        <p><strong>"The model sees none."</strong>" The first line alone exceeds the budget, and what follows is not tried."</p>
                    </div>
                })}
                {move || missed.get().map(|by| view! {
                    <p class="note">
                        {move || list.with(|list| list.omitted.first().map(|name| view! { <bdi class="mono">{revealed(name)}</bdi> }))}
                        {if by == 1 { " misses the budget by 1 character.".to_owned() } else { format!(" misses the budget by {} characters.", grouped(by)) }}
                    </p>
                })}
                <details class="what-model-reads">
                    <summary>"The text, and where it is cut"</summary>
                    <pre class="raw" dir="ltr" tabindex="0" aria-label="Skills in the prompt">
                        {move || list.with(|list| marked(&list.text))}
                    </pre>
                    {move || list.with(|list| (!list.omitted.is_empty()).then(|| cut(&list.omitted)))}
                </details>
            </div>
        </section>
    }
}

/// The width of the used part, of 1,000.
fn share(used: usize, budget: i64) -> String {
    let budget = usize::try_from(budget).unwrap_or(0).max(1);
    (used.saturating_mul(1_000) / budget).min(1_000).to_string()
}

fn counts(list: &AvailableSkills) -> String {
    format!("{} listed, {} cut", list.included.len(), list.omitted.len())
}

/// The names behind the line where the list is cut.
fn cut(names: &[String]) -> AnyView {
    let more = names.len().saturating_sub(NAMED);
    view! {
        <div class="cut-line" role="group" aria-label="Cut">
            <p class="note">"Cut here. The model does not learn of:"</p>
            <p>
                {names.iter().take(NAMED).map(|name| view! { <bdi class="mono">{revealed(name)}</bdi>" " }).collect_view()}
                {(more > 0).then(|| format!("and {more} more"))}
            </p>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str, length: usize) -> Listed {
        Listed {
            name: name.to_owned(),
            description: "d".repeat(length),
        }
    }

    #[test]
    fn a_near_miss_is_told_in_characters() {
        let skills = [skill("a", 10), skill("b", 10)];
        // Each line costs 2 + 1 + 2 + 10 + 1 = 16.
        let list = listed(&skills, 31);
        assert_eq!(list.omitted, ["b"]);
        assert_eq!(missed_by(&skills, &list, 31), Some(1));
        let all = listed(&skills, 32);
        assert_eq!(missed_by(&skills, &all, 32), None);
        assert_eq!(share(31, 62), "500");
        assert_eq!(share(5, 0), "1000");
    }
}
