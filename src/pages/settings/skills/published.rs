//! Ways to the skills MCP servers publish. Nothing is asked of a server before its page is opened.

use contract::connections::{Connection, ConnectionState};
use leptos::prelude::*;

use super::NothingFits;
use super::state::use_skills;
use crate::components::badge::{Badge, Tone};
use crate::components::each::Each;
use crate::components::icon::Icon;
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::route::{Route, SettingsPage, SkillPlace};

/// The list of servers.
#[component]
pub fn PublishedPanel() -> impl IntoView {
    let state = use_skills();
    view! {
        <section class="panel skills-panel" aria-labelledby="published-skills">
            <header>
                <div class="section-title">
                    <h2 id="published-skills" tabindex="-1">"Published by MCP servers"</h2>
                </div>
                <a class="btn quiet" href=Route::Settings(SettingsPage::Connections).href()>"Connections"</a>
            </header>
            <Loaded remote=state.connections failed="The connections could not be loaded." rows=2 children=move |all| view! { <Rows all=all /> } />
        </section>
    }
}

#[component]
fn Rows(all: Memo<Vec<Connection>>) -> impl IntoView {
    let state = use_skills();
    let fitting = Memo::new(move |_| {
        all.with(|all| {
            all.iter()
                .filter(|one| state.fits(&[&one.name]))
                .cloned()
                .collect::<Vec<_>>()
        })
    });
    let is_empty = Memo::new(move |_| all.with(Vec::is_empty));
    let nothing = Memo::new(move |_| fitting.with(Vec::is_empty));
    view! {
        {move || is_empty.get().then(|| view! {
            <p class="empty">"No MCP server is registered, so none can publish skills."</p>
        })}
        {move || (!is_empty.get() && nothing.get()).then(|| view! { <NothingFits what="No connection matches" /> })}
        <ul class="skill-list" aria-labelledby="published-skills">
            <Each
                each=move || fitting.get()
                key=|one| format!("{} {} {}", one.id, one.name, one.enabled)
                children=|one| view! { <Row connection=one /> }
            />
        </ul>
    }
}

#[component]
fn Row(connection: Connection) -> impl IntoView {
    let id = connection.id.clone();
    let name_id = format!("server-{id}");
    let link_id = format!("server-skills-{id}");
    let href = Route::Skill(SkillPlace::Published(id, String::new())).href();
    let unreachable = connection
        .health
        .as_ref()
        .is_some_and(|health| health.state == ConnectionState::Failed);
    let declares = connection.health.as_ref().and_then(|health| health.skills);
    let said = match declares {
        Some(true) => "declares skills",
        Some(false) => "declares no skills",
        None => "not known whether it has skills",
    };
    view! {
        <li class="skill-row">
            <div class="skill-text">
                <p class="skill-name" id=name_id.clone()><bdi>{revealed(&connection.name)}</bdi></p>
                <p class="skill-facts">
                    <span>{said}</span>
                    {(!connection.enabled).then(|| view! { <Badge tone=Tone::Neutral icon=Icon::Ban text="Connection disabled" /> })}
                    {unreachable.then(|| view! { <Badge tone=Tone::Warn icon=Icon::Warning text="Not reached last time" /> })}
                </p>
            </div>
            <a class="btn" id=link_id.clone() aria-labelledby=format!("{link_id} {name_id}") href=href>"List its skills"</a>
        </li>
    }
}
