//! One skill an agent finds: bound to the agent, where it can be removed, or inherited, where it
//! cannot.

use contract::ids::SkillBindingId;
use contract::skills::{AgentSkill, SkillScope};
use leptos::prelude::*;

use super::state::use_agent_skills;
use super::writes;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;
use crate::route::Route;

/// The word for what a skill is bound to.
pub fn scope_word(scope: &SkillScope) -> String {
    match scope {
        SkillScope::Tenant => "tenant".to_owned(),
        SkillScope::Mission => "mission".to_owned(),
        SkillScope::Idea => "idea".to_owned(),
        SkillScope::Work => "Work".to_owned(),
        SkillScope::Agent => "agent".to_owned(),
        SkillScope::Unknown(text) => revealed(text),
    }
}

/// The id of the button that removes a binding.
fn remove_id(binding: &SkillBindingId) -> String {
    format!("skill-remove-{binding}")
}

/// Title with its link, slug, version and priority.
fn identity(one: &AgentSkill) -> AnyView {
    let title = revealed(&one.skill.title);
    let facts = format!(
        "v{} · priority {}",
        revealed(&one.skill.version),
        one.priority
    );
    let name_id = format!("skill-name-{}", one.binding_id);
    view! {
        <p class="skill-name">
            <a href=Route::installed_skill(&one.skill.id).href() id=name_id><bdi>{title}</bdi></a>
        </p>
        <p class="skill-facts">
            <bdi class="mono" dir="ltr">{revealed(&one.skill.slug)}</bdi>
            <span>{facts}</span>
        </p>
    }
    .into_any()
}

/// How many frames the row of a removed binding may stay: about a second.
const FRAMES: u32 = 60;

/// Moves the focus on once the button that had it has left the page with its row. The list may
/// still be on its way when the removal is answered.
fn focus_when_gone(gone: String, next: Option<String>, frames: u32) {
    request_animation_frame(move || {
        if frames > 0 && browser::top_of(&gone).is_some() {
            focus_when_gone(gone, next, frames - 1);
        } else if !browser::has_focus() && !next.is_some_and(|next| browser::focus(&next)) {
            browser::focus("skills");
        }
    });
}

/// The button that takes a binding of this agent away.
#[component]
fn Remove(
    one: AgentSkill,
    /// The binding: the one that is shown, or the one behind it.
    binding: SkillBindingId,
    label: &'static str,
) -> impl IntoView {
    let state = use_agent_skills();
    let announcer = use_announcer();
    let busy = {
        let binding = binding.clone();
        Memo::new(move |_| state.removing.with(|all| all.contains(&binding)))
    };
    let id = remove_id(&binding);
    let name = format!("skill-name-{}", one.binding_id);
    let skill = one.skill.id.clone();
    let title = revealed(&one.skill.title);
    let press = move |_| {
        // The row goes away: the focus goes to the row behind it, or before it, or to the heading.
        let next = state.found.now().and_then(|found| {
            let own: Vec<&AgentSkill> = found.iter().filter(|one| !one.is_inherited()).collect();
            let at = own.iter().position(|one| one.binding_id == binding)?;
            let beside = own.get(at + 1).or_else(|| own.get(at.checked_sub(1)?))?;
            Some(remove_id(&beside.binding_id))
        });
        let gone = remove_id(&binding);
        let then = move || focus_when_gone(gone, next, FRAMES);
        let (skill, binding, title) = (skill.clone(), binding.clone(), title.clone());
        writes::remove(state, announcer, skill, binding, title, then);
    };
    view! {
        <button
            type="button"
            class="btn"
            id=id.clone()
            aria-labelledby=format!("{id} {name}")
            aria-busy=move || busy.get().then_some("true")
            on:click=press
        >
            {move || if busy.get() { "Removing…" } else { label }}
        </button>
    }
}

/// A skill bound to the agent itself.
#[component]
pub fn OwnRow(
    /// The skill.
    skill: AgentSkill,
) -> impl IntoView {
    let binding = skill.binding_id.clone();
    view! {
        <li class="skill-row">
            <div class="skill-text">{identity(&skill)}</div>
            <Remove one=skill binding=binding label="Remove" />
        </li>
    }
}

/// A skill bound to a scope above. It offers nothing that would take it from other agents.
#[component]
pub fn InheritedRow(
    /// The skill.
    skill: AgentSkill,
) -> impl IntoView {
    let state = use_agent_skills();
    let scope = scope_word(&skill.target_type);
    let badge = format!("Inherited · {scope}");
    let kind = skill.target_type.clone();
    let word = scope.clone();
    let owner = move || match state.scope_name(&kind) {
        Some(name) => format!("{} ({word})", revealed(&name)),
        None => format!("the {word}"),
    };
    let hidden = skill.hidden_agent_binding_id.clone();
    let where_owned = owner.clone();
    let priority = skill.priority;
    view! {
        <li class="skill-row inherited">
            <div class="skill-text">
                {identity(&skill)}
                <p class="skill-owner">
                    "Bound at "<bdi>{owner}</bdi>", and changed there: "
                    <a href=format!("{}#bound", Route::installed_skill(&skill.skill.id).href())>"where it is bound"</a>
                </p>
                {hidden.clone().map(|_| view! {
                    <p class="skill-hidden">
                        <Glyph icon=Icon::Info />
                        <span>
                            "Also bound here, hidden by the binding at "<bdi>{where_owned}</bdi>
                            {format!(", whose priority {priority} comes first.")}
                        </span>
                    </p>
                })}
            </div>
            <div class="skill-end">
                <Badge tone=Tone::Neutral icon=Icon::ArrowDown text=badge />
                {hidden.map(|binding| view! { <Remove one=skill.clone() binding=binding label="Remove own binding" /> })}
            </div>
        </li>
    }
}
