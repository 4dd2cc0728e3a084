//! What the folders hold that the server was given with `--skills`.

use contract::skill_folders::{FolderSkill, HostUse, HostUseState, SkillFolder, SkillFolderList};
use leptos::prelude::*;

use super::state::use_skills;
use super::{NothingFits, counted};
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::{revealed, with_code};
use crate::pages::skill::lint::host_name;
use crate::route::{Route, SkillPlace};

/// Rows drawn of one folder at first, and with each press for more.
const STEP: usize = 50;

/// What becomes of a skill at a host, in a word with what supports it.
pub fn use_badge(place: &HostUse) -> (Tone, Icon, &'static str) {
    match place.state {
        HostUseState::Shown => (Tone::Ok, Icon::Check, "shown"),
        HostUseState::Suits => (Tone::Ok, Icon::Check, "suits"),
        HostUseState::Cut => (Tone::Warn, Icon::Ban, "cut by the budget"),
        HostUseState::Shadowed => (Tone::Warn, Icon::Copy, "shadowed"),
        HostUseState::Refused => (Tone::Deny, Icon::Ban, "refused"),
        HostUseState::Stopped => (Tone::Deny, Icon::Warning, "stopped"),
        HostUseState::NotScanned => (Tone::Neutral, Icon::Info, "not scanned"),
        HostUseState::Unknown(_) => (Tone::Neutral, Icon::Info, "not known"),
    }
}

/// The lists.
#[component]
pub fn FoldersPanel() -> impl IntoView {
    let state = use_skills();
    view! {
        <section class="panel skills-panel" aria-labelledby="skill-folders">
            <header>
                <div class="section-title">
                    <h2 id="skill-folders" tabindex="-1">"Folders of the server"</h2>
                </div>
                <button
                    type="button"
                    class="btn"
                    aria-busy=move || state.folders.pending().get().then_some("true")
                    on:click=move |_| state.folders.reload()
                >
                    <Glyph icon=Icon::Reset />
                    {move || if state.folders.pending().get() { "Reading…" } else { "Read again" }}
                </button>
            </header>
            <Loaded remote=state.folders failed="The folders of the server could not be loaded." rows=3 children=move |list| view! { <Folders list=list /> } />
        </section>
    }
}

#[component]
fn Folders(list: Memo<SkillFolderList>) -> impl IntoView {
    let is_empty = Memo::new(move |_| list.with(|list| list.data.is_empty()));
    view! {
        {move || is_empty.get().then(|| view! {
            <p class="empty">{with_code("The server was given no folder of skills. Start it with `--skills DIR` to see what the hosts would find there.")}</p>
        })}
        <Each
            each=move || list.with(|list| list.data.clone())
            key=|folder| format!("{} {}", folder.id, folder.read_at)
            children=|folder| view! { <Folder folder=folder /> }
        />
    }
}

#[component]
fn Folder(folder: SkillFolder) -> impl IntoView {
    let state = use_skills();
    let limit = RwSignal::new(STEP);
    let total = folder.skills.len();
    let id = format!("folder-{}", folder.id);
    let is_unknown = folder.error.is_some();
    let skills = StoredValue::new(folder.skills);
    let fitting = Memo::new(move |_| {
        skills.with_value(|skills| {
            let found = skills.iter().filter(|one| {
                let name = one.name.as_deref().unwrap_or_default();
                state.fits(&[
                    name,
                    &one.path,
                    one.description.as_deref().unwrap_or_default(),
                ])
            });
            found.cloned().collect::<Vec<_>>()
        })
    });
    let count = Memo::new(move |_| fitting.with(Vec::len));
    view! {
        <div class="folder-line">
            <h3 id=id.clone()><bdi class="mono" dir="ltr">{revealed(&folder.root)}</bdi></h3>
            <span class="note">{(!is_unknown).then_some(move || counted(count.get(), total))}</span>
            <span class="note">"read "{browser::local_time(&folder.read_at)}</span>
        </div>
        {folder.error.map(|error| view! {
            <p class="row-refusal folder-note"><Glyph icon=Icon::Warning /><span><strong>"The folder could not be read."</strong>" "<bdi>{revealed(&error)}</bdi></span></p>
        })}
        {(!folder.left_out.is_empty()).then(|| view! {
            <ul class="folder-note look-alikes note">{folder.left_out.into_iter().map(|said| view! { <li><bdi>{revealed(&said)}</bdi></li> }).collect_view()}</ul>
        })}
        {(total == 0 && !is_unknown).then(|| view! { <p class="group-empty">"It holds no SKILL.md."</p> })}
        {move || (total > 0 && count.get() == 0).then(|| view! { <NothingFits what="No skill of this folder matches" /> })}
        <ul class="skill-list" aria-labelledby=id>
            <Each
                each=move || fitting.with(|all| all.iter().take(limit.get()).cloned().collect::<Vec<_>>())
                key=|one| one.id.clone()
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

#[component]
fn Row(skill: FolderSkill) -> impl IntoView {
    let href = Route::Skill(SkillPlace::Folder(skill.id.clone())).href();
    let name = skill
        .name
        .as_deref()
        .map_or_else(|| "Without a name".to_owned(), revealed);
    view! {
        <li class="skill-row">
            <div class="skill-text">
                <p class="skill-name"><a href=href><bdi>{name}</bdi></a></p>
                {skill.description.as_deref().map(|text| view! { <p class="skill-about"><bdi>{revealed(text)}</bdi></p> })}
                <p class="skill-facts">
                    <bdi class="mono" dir="ltr">{revealed(&skill.path)}</bdi>
                    <span>{match skill.files.len() { 1 => "1 file".to_owned(), many => format!("{many} files") }}</span>
                    {skill.modified_at.as_deref().map(|at| view! { <span>"changed "{browser::local_time(at)}</span> })}
                </p>
            </div>
            <ul class="uses">
                {skill.uses.iter().map(|place| {
                    let (tone, icon, word) = use_badge(place);
                    view! { <li><span class="note">{host_name(&place.host)}</span><Badge tone=tone icon=icon text=word /></li> }
                }).collect_view()}
            </ul>
        </li>
    }
}
