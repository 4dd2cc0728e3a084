//! The catalog: what can be installed.

use contract::skills::CatalogSkill;
use leptos::prelude::*;

use super::state::use_skills;
use super::{NothingFits, counted};
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::route::{Route, SkillPlace};

/// Rows drawn at first, and with each press for more.
const STEP: usize = 50;

/// The list.
#[component]
pub fn CatalogPanel() -> impl IntoView {
    let state = use_skills();
    view! {
        <section class="panel skills-panel" aria-labelledby="skill-catalog">
            <Loaded remote=state.catalog failed="The catalog could not be loaded." rows=4 children=move |all| view! { <Rows all=all /> } />
        </section>
    }
}

#[component]
fn Rows(all: Memo<Vec<CatalogSkill>>) -> impl IntoView {
    let state = use_skills();
    let limit = RwSignal::new(STEP);
    let fitting = Memo::new(move |_| {
        all.with(|all| {
            all.iter()
                .filter(|entry| {
                    let tags = entry.tags.join(" ");
                    state.fits(&[&entry.title, &entry.slug, &entry.description, &tags])
                })
                .cloned()
                .collect::<Vec<_>>()
        })
    });
    let count = Memo::new(move |_| fitting.with(Vec::len));
    let total = Memo::new(move |_| all.with(Vec::len));
    let shown =
        move || fitting.with(|all| all.iter().take(limit.get()).cloned().collect::<Vec<_>>());
    view! {
        <header>
            <div class="section-title">
                <h2 id="skill-catalog" tabindex="-1">"Catalog"</h2>
                <span class="note" role="status">{move || counted(count.get(), total.get())}</span>
            </div>
        </header>
        {move || (total.get() == 0).then(|| view! {
            <p class="empty">"The catalog of this control plane is empty."</p>
        })}
        {move || (total.get() > 0 && count.get() == 0).then(|| view! { <NothingFits what="No entry of the catalog matches" /> })}
        <ul class="skill-list" aria-labelledby="skill-catalog">
            <Each
                each=shown
                key=|one| format!("{} {}", one.slug, one.version)
                children=|one| view! { <Row entry=one /> }
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

#[component]
fn Row(entry: CatalogSkill) -> impl IntoView {
    let state = use_skills();
    let announcer = use_announcer();
    let slug = StoredValue::new(entry.slug.clone());
    let title = StoredValue::new(revealed(&entry.title));
    let installed = Memo::new(move |_| state.installed_as(&slug.get_value()));
    let busy = Memo::new(move |_| state.installing.with(|all| all.contains(&slug.get_value())));
    let refused = Memo::new(move |_| {
        state
            .refused
            .with(|all| all.get(&slug.get_value()).cloned())
    });
    // Without the list of installed skills it is not known whether this one is.
    let known = Memo::new(move |_| state.installed.value().with(Option::is_some));
    let name_id = format!("catalog-{}", entry.slug);
    let button_id = format!("install-{}", entry.slug);
    let named = format!("{button_id} {name_id}");
    view! {
        <li class="skill-row">
            <div class="skill-text">
                <p class="skill-name">
                    <a id=name_id href=Route::Skill(SkillPlace::Catalog(entry.slug.clone())).href()><bdi>{revealed(&entry.title)}</bdi></a>
                </p>
                <p class="skill-about"><bdi>{revealed(&entry.description)}</bdi></p>
                <p class="skill-facts">
                    <bdi class="mono" dir="ltr">{revealed(&entry.slug)}</bdi>
                    <span>"v"<bdi>{revealed(&entry.version)}</bdi></span>
                    {entry.tags.iter().map(|tag| view! { <bdi class="tag">{revealed(tag)}</bdi> }).collect_view()}
                </p>
                {move || refused.get().map(|error| view! {
                    <p class="row-refusal">
                        <Glyph icon=Icon::Warning />
                        <span><strong>"Not installed."</strong>" "<bdi>{revealed(&error.sentence())}</bdi></span>
                    </p>
                })}
            </div>
            <div class="skill-end">
                {move || match installed.get() {
                    Some(id) => view! {
                        <span class="installed">
                            <Badge tone=Tone::Ok icon=Icon::Check text="Installed" />
                            " "<a href=Route::installed_skill(&id).href()>"Open"</a>
                        </span>
                    }
                    .into_any(),
                    None if known.get() => view! {
                        <button
                            type="button"
                            class="btn"
                            id=button_id.clone()
                            aria-labelledby=named.clone()
                            aria-busy=move || busy.get().then_some("true")
                            on:click=move |_| state.install(announcer, slug.get_value(), title.get_value())
                        >
                            {move || if busy.get() { "Installing…" } else if refused.with(Option::is_some) { "Retry" } else { "Install" }}
                        </button>
                    }
                    .into_any(),
                    None => ().into_any(),
                }}
            </div>
        </li>
    }
}
