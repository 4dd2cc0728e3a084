//! The skills an agent finds: a tab of its own, and a section of Capabilities. Both draw one state
//! with the same components, so that they always agree.

pub mod attach;
pub mod row;
pub mod state;
pub mod writes;

use contract::skills::{AgentSkill, SkillScope};
use leptos::prelude::*;

use self::attach::{AttachField, Troubles, Waiting};
use self::row::{InheritedRow, OwnRow};
use self::state::{AgentSkills, use_agent_skills};
use crate::components::each::Each;
use crate::components::section::Loaded;
use crate::route::{Route, SettingsPage, Tab};

/// The tab.
#[component]
pub fn SkillsPage() -> impl IntoView {
    let state = use_agent_skills();
    view! {
        <div class="page agent-skills">
            <h2 class="visually-hidden">"Skills"</h2>
            <div class="stack">
                {panel(state, Place::Tab)}
            </div>
        </div>
    }
}

/// The section of Capabilities.
#[component]
pub fn SkillsSection() -> impl IntoView {
    panel(use_agent_skills(), Place::Section)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Tab,
    Section,
}

/// How many skills an agent finds, in words.
fn summary(found: &[AgentSkill]) -> String {
    let own = found
        .iter()
        .filter(|one| one.target_type == SkillScope::Agent)
        .count();
    match found.len() {
        0 => String::new(),
        all => format!("{own} bound here · {} inherited", all - own),
    }
}

fn panel(state: AgentSkills, place: Place) -> AnyView {
    state.found.want();
    let counts = move || {
        state
            .found
            .value()
            .with(|found| found.as_deref().map(summary).unwrap_or_default())
    };
    view! {
        <section class="panel skills" aria-labelledby="skills">
            <header>
                <div class="section-title">
                    <h3 id="skills" tabindex="-1">"Skills"</h3>
                    <span class="note">{counts}</span>
                </div>
                <div class="section-actions">
                    {(place == Place::Section).then(|| view! {
                        <a class="btn quiet" href=Route::Agent(state.agent.id.get_value(), Tab::Skills).href()>"Open the tab"</a>
                    })}
                    <a class="btn quiet" href=Route::Settings(SettingsPage::Skills).href()>"All skills"</a>
                </div>
            </header>
            <AttachField />
            <Troubles />
            <Loaded remote=state.found failed="The skills of this agent could not be loaded." rows=3 children=move |found| view! { <Lists found=found /> } />
        </section>
    }
    .into_any()
}

/// Both groups, once they were read.
#[component]
fn Lists(found: Memo<Vec<AgentSkill>>) -> impl IntoView {
    let state = use_agent_skills();
    let of_kind = move |own: bool| {
        found.with(|found| {
            found
                .iter()
                .filter(|one| (one.target_type == SkillScope::Agent) == own)
                .cloned()
                .collect::<Vec<_>>()
        })
    };
    let own = Memo::new(move |_| of_kind(true));
    let inherited = Memo::new(move |_| of_kind(false));
    let has_inherited = Memo::new(move |_| inherited.with(|list| !list.is_empty()));
    let is_bare =
        Memo::new(move |_| own.with(Vec::is_empty) && state.attaching.with(|all| all.is_empty()));
    view! {
        <h4 class="group-line" id="skills-own">"Bound to this agent"</h4>
        <ul class="skill-list" aria-labelledby="skills-own">
            <Each
                each=move || own.get()
                key=|one| row_key(one)
                children=|one| view! { <OwnRow skill=one /> }
            />
            <Waiting />
        </ul>
        {move || is_bare.get().then(|| view! {
            <p class="group-empty">"No skill is bound to this agent. Attach one above."</p>
        })}
        <h4 class="group-line" id="skills-inherited">"Inherited"</h4>
        <ul class="skill-list" aria-labelledby="skills-inherited">
            <Each
                each=move || inherited.get()
                key=|one| row_key(one)
                children=|one| view! { <InheritedRow skill=one /> }
            />
        </ul>
        {move || (!has_inherited.get()).then(|| view! {
            <p class="group-empty">"Nothing is inherited: no skill is bound to a scope above this agent."</p>
        })}
    }
}

/// A row is drawn anew when anything it shows has changed.
fn row_key(one: &AgentSkill) -> String {
    format!(
        "{} {} {} {} {} {}",
        one.binding_id,
        one.priority,
        one.skill.slug,
        one.skill.version,
        one.hidden_agent_binding_id
            .as_ref()
            .map_or("", |id| id.as_str()),
        one.skill.title,
    )
}
