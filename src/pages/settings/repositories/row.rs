//! One row of the registry: what it is, how access is obtained, its own switch, and the ways to
//! change it. Rows computed from a Work are read-only.

use contract::repositories::{CredentialMode, Repository, SourceType};
use leptos::prelude::*;

use super::state::{Step, use_registry};
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::repository::RepositoryFacts;
use crate::components::switch::{Saving, Switch, SwitchState};
use crate::components::words::revealed;
use crate::edits::refusal_heading;
use crate::route::{Route, SettingsPage};

/// How access is obtained, in words.
fn access_words(row: &Repository) -> String {
    match (&row.credential_mode, &row.credential_ref) {
        (CredentialMode::Inherit, _) => "access as the workspace has it".to_owned(),
        (CredentialMode::GithubApp, _) => "access through the GitHub App".to_owned(),
        (CredentialMode::SecretRef, Some(pointer)) => {
            format!("access through {}", revealed(pointer))
        }
        (CredentialMode::SecretRef, None) => {
            "access through a secret that is not named yet".to_owned()
        }
        (CredentialMode::Unknown(word), _) => word.clone(),
    }
}

/// The row.
#[component]
pub fn RegistryRow(
    /// The entry the row began with.
    start: Repository,
    /// The present entries.
    list: Memo<Vec<Repository>>,
) -> impl IntoView {
    let registry = use_registry();
    let key = StoredValue::new(start.id.as_str().to_owned());
    let is_derived = start.readonly || start.source_type == SourceType::Work;
    let is_import = start.source_type == SourceType::GithubApp;
    // The entry leaves the list before the row leaves the page.
    let row = Memo::new(move |before: Option<&Repository>| {
        let found = list.with(|list| {
            key.with_value(|id| list.iter().find(|row| row.id.as_str() == id).cloned())
        });
        found
            .or_else(|| before.cloned())
            .unwrap_or_else(|| start.clone())
    });
    let part = move |part: &str| key.with_value(|id| format!("registry-{id}-{part}"));
    let on = Memo::new(move |_| row.with(|row| registry.shown(row)));
    let busy = Memo::new(move |_| {
        registry
            .wishes
            .with(|wishes| key.with_value(|id| wishes.is_busy(id)))
    });
    let refusal = Memo::new(move |_| {
        registry
            .wishes
            .with(|wishes| key.with_value(|id| wishes.refusal_of(id).cloned()))
    });
    let press = Callback::new(move |()| {
        if on.get_untracked() {
            registry.ask(Step::Disable, row.get_untracked());
        } else {
            key.with_value(|id| registry.set(id, true));
        }
    });
    let name = move || row.with(|row| revealed(&row.name));
    let href =
        key.with_value(|id| Route::SettingsItem(SettingsPage::Repositories, id.clone()).href());
    view! {
        <li class="item">
            <div class="item-text">
                <p class="item-name">
                    <bdi id=part("name")>{name}</bdi>
                    {is_derived.then(|| view! { <Badge tone=Tone::Neutral icon=Icon::Link text="From source" /> })}
                    {is_import.then(|| view! { <Badge tone=Tone::Neutral icon=Icon::Link text="Imported through the GitHub App" /> })}
                    {move || (!on.get()).then(|| view! { <Badge tone=Tone::Deny icon=Icon::Ban text="Disabled" /> })}
                    {move || busy.get().then(|| view! { <Saving /> })}
                </p>
                <RepositoryFacts id=part("facts") repository=row.into() />
                {if is_derived { view! {
                    <p class="note">"Follows the Work assignment, so it is not changed here."</p>
                }.into_any() } else { view! {
                    <p class="note">
                        {move || row.with(access_words)}
                        {move || row.with(|row| if row.available_in_all_projects { " · every project may use it" } else { " · not for every project" })}
                    </p>
                    <p class="note" id=part("state")>
                        {move || if on.get() { "Enabled: agents it is attached to find it." } else { "Disabled: no agent finds it, attached or not." }}
                    </p>
                }.into_any() }}
            </div>
            {(!is_derived).then(|| view! {
                <div class="item-end">
                    <a class="btn" href=href.clone() id=part("edit") aria-label=move || format!("Edit {}", name())>"Edit"</a>
                    <button
                        type="button"
                        class="btn quiet"
                        aria-label=move || format!("Delete {}", name())
                        on:click=move |_| registry.ask(Step::Delete, row.get_untracked())
                    >"Delete"</button>
                    <Switch
                        state=Signal::derive(move || SwitchState { on: on.get(), locked: false, busy: busy.get() })
                        id=part("switch")
                        named_by=part("name")
                        described_by=Signal::stored(format!("{} {}", part("state"), part("facts")))
                        on_press=press
                    />
                </div>
            })}
            {move || refusal.get().map(|refusal| view! {
                <div class="notice deny" role="group" aria-label="Not saved">
                    <Glyph icon=Icon::Warning />
                    <p><strong>{refusal_heading(refusal.unsure)}</strong>" "<bdi>{refusal.said.clone()}</bdi></p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            key.with_value(|id| registry.retry(id));
                            browser::focus(&part("switch"));
                        }>"Retry"</button>
                        <button type="button" class="btn quiet" on:click=move |_| {
                            key.with_value(|id| registry.wishes.update(|wishes| wishes.dismiss(id)));
                            browser::focus(&part("switch"));
                        }>"Dismiss"</button>
                    </div>
                </div>
            })}
        </li>
    }
}
