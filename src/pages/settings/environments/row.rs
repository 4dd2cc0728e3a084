//! One environment of the list: what it holds, whether agents can be given it, and what can be done.

use contract::environments::{Environment, EnvironmentStatus};
use leptos::prelude::*;

use super::state::{Step, use_recipes};
use crate::components::badge::{Badge, Tone};
use crate::components::environment::EnvironmentFacts;
use crate::components::icon::Icon;
use crate::components::words::revealed;
use crate::route::{Route, SettingsPage};

/// Draft or published, as a badge.
pub fn status_badge(status: &EnvironmentStatus) -> AnyView {
    let (tone, icon, text) = match status {
        EnvironmentStatus::Draft => (Tone::Warn, Icon::Pencil, "Draft".to_owned()),
        EnvironmentStatus::Published => (Tone::Ok, Icon::Check, "Published".to_owned()),
        EnvironmentStatus::Unknown(word) => (Tone::Neutral, Icon::Info, word.clone()),
    };
    view! { <Badge tone=tone icon=icon text=text /> }.into_any()
}

/// The row.
#[component]
pub fn EnvironmentRow(
    /// The entry the row began with.
    start: Environment,
    /// The present entries.
    list: Memo<Vec<Environment>>,
) -> impl IntoView {
    let recipes = use_recipes();
    let key = StoredValue::new(start.id.as_str().to_owned());
    // The entry leaves the list before the row leaves the page.
    let row = Memo::new(move |before: Option<&Environment>| {
        let found = list.with(|list| {
            key.with_value(|id| list.iter().find(|row| row.id.as_str() == id).cloned())
        });
        found
            .or_else(|| before.cloned())
            .unwrap_or_else(|| start.clone())
    });
    let name = move || row.with(|row| revealed(&row.name));
    let is_draft = Memo::new(move |_| row.with(|row| row.status == EnvironmentStatus::Draft));
    let href =
        key.with_value(|id| Route::SettingsItem(SettingsPage::Environments, id.clone()).href());
    let ask = move |step: Step| recipes.ask(step, row.get_untracked());
    view! {
        <li class="item">
            <div class="item-text">
                <p class="item-name">
                    <bdi>{name}</bdi>
                    {move || row.with(|row| status_badge(&row.status))}
                </p>
                <EnvironmentFacts environment=Signal::derive(move || Some(row.get())) />
                {move || is_draft.get().then(|| view! {
                    <p class="note">"No agent can be given it before it is published."</p>
                })}
            </div>
            <div class="item-end">
                {move || is_draft.get().then(|| view! {
                    <button type="button" class="btn" aria-label=move || format!("Publish {}", name()) on:click=move |_| ask(Step::Publish)>"Publish"</button>
                })}
                <a class="btn" href=href aria-label=move || format!("Edit {}", name())>"Edit"</a>
                <button type="button" class="btn quiet" aria-label=move || format!("Delete {}", name()) on:click=move |_| ask(Step::Delete)>"Delete"</button>
            </div>
        </li>
    }
}
