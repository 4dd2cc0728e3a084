//! The installed skills, with where each is bound.

use contract::skills::{Skill, SkillScope};
use leptos::prelude::*;

use super::state::{bound_words, use_skills};
use super::{NothingFits, counted};
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::each::Each;
use crate::components::icon::Icon;
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::pages::agent::skills::row::scope_word;
use crate::reactive::effect;
use crate::route::Route;

/// Rows drawn at first, and with each press for more.
const STEP: usize = 50;

/// The list.
#[component]
pub fn InstalledPanel() -> impl IntoView {
    let state = use_skills();
    view! {
        <section class="panel skills-panel" aria-labelledby="installed-skills">
            <Loaded remote=state.installed failed="The installed skills could not be loaded." rows=4 children=move |all| view! { <Rows all=all /> } />
        </section>
    }
}

#[component]
fn Rows(all: Memo<Vec<Skill>>) -> impl IntoView {
    let state = use_skills();
    let limit = RwSignal::new(STEP);
    let fitting = Memo::new(move |_| {
        all.with(|all| {
            all.iter()
                .filter(|skill| {
                    state.fits(&[
                        &skill.title,
                        &skill.slug,
                        &skill.description,
                        &skill.version,
                    ])
                })
                .cloned()
                .collect::<Vec<_>>()
        })
    });
    let count = Memo::new(move |_| fitting.with(Vec::len));
    let total = Memo::new(move |_| all.with(Vec::len));
    let shown =
        move || fitting.with(|all| all.iter().take(limit.get()).cloned().collect::<Vec<_>>());
    effect(move || {
        let ids = fitting.with(|all| {
            all.iter()
                .take(limit.get())
                .map(|one| one.id.clone())
                .collect()
        });
        state.want_bound(ids);
    });
    view! {
        <header>
            <div class="section-title">
                <h2 id="installed-skills" tabindex="-1">"Installed"</h2>
                <span class="note" role="status">{move || counted(count.get(), total.get())}</span>
            </div>
        </header>
        {move || (total.get() == 0).then(|| view! {
            <p class="empty">"No skill is installed yet. Install one from the catalog below, or write one."</p>
        })}
        {move || (total.get() > 0 && count.get() == 0).then(|| view! { <NothingFits what="No installed skill matches" /> })}
        <ul class="skill-list" aria-labelledby="installed-skills">
            <Each
                each=shown
                key=|one| format!("{} {} {}", one.id, one.updated_at, one.version)
                children=|one| view! { <Row skill=one /> }
            />
        </ul>
        {move || (count.get() > limit.get()).then(|| view! {
            <p class="more">
                <button type="button" class="btn" on:click=move |_| limit.update(|limit| *limit += STEP)>
                    {format!("Show {} more of {}", STEP.min(count.get() - limit.get()), count.get())}
                </button>
            </p>
        })}
    }
}

/// What owns a skill, in words.
pub fn owner_words(skill: &Skill, tenant: Option<String>) -> String {
    match (&skill.owner_type, tenant) {
        (SkillScope::Tenant, Some(name)) => format!("owned by {} (tenant)", revealed(&name)),
        (scope, _) => format!("owned by the {}", scope_word(scope)),
    }
}

#[component]
fn Row(skill: Skill) -> impl IntoView {
    let state = use_skills();
    let href = Route::installed_skill(&skill.id).href();
    let bound_href = format!("{href}#bound");
    let id = skill.id.clone();
    let bound = Memo::new(move |_| state.bound.with(|all| all.get(&id).cloned()));
    let again = skill.id.clone();
    let from_catalog = skill.source_catalog_slug.is_some();
    let owner = {
        let skill = skill.clone();
        move || owner_words(&skill, state.tenant_name())
    };
    view! {
        <li class="skill-row">
            <div class="skill-text">
                <p class="skill-name">
                    <a href=href><bdi>{revealed(&skill.title)}</bdi></a>
                    {from_catalog.then(|| view! { <Badge tone=Tone::Neutral icon=Icon::File text="From the catalog" /> })}
                </p>
                <p class="skill-about"><bdi>{revealed(&skill.description)}</bdi></p>
                <p class="skill-facts">
                    <bdi class="mono" dir="ltr">{revealed(&skill.slug)}</bdi>
                    <span>"v"<bdi>{revealed(&skill.version)}</bdi></span>
                    <span><bdi>{owner}</bdi></span>
                    <span>"changed "{browser::local_time(&skill.updated_at)}</span>
                </p>
            </div>
            <p class="skill-bound">
                {move || match bound.get() {
                    None => view! { <span class="note" aria-busy="true">"…"</span> }.into_any(),
                    Some(Ok(list)) => view! { <a href=bound_href.clone()>{bound_words(&list)}</a> }.into_any(),
                    Some(Err(error)) => {
                        let again = again.clone();
                        view! {
                            <span class="note" title=error.sentence()>"Where it is bound could not be loaded. "</span>
                            <button type="button" class="link" on:click=move |_| state.ask_again(vec![again.clone()])>"Retry"</button>
                        }
                        .into_any()
                    }
                }}
            </p>
        </li>
    }
}
