//! One repository of an agent: what it is, whether it is attached, and why that cannot be changed
//! here where it cannot.

use contract::repositories::AgentRepository;
use leptos::prelude::*;

use super::use_repositories;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::repository::RepositoryFacts;
use crate::components::switch::{Saving, Switch, SwitchState};
use crate::components::words::revealed;
use crate::edits::refusal_heading;
use crate::route::{Route, SettingsPage};

/// The row.
#[component]
pub fn RepositoryRow(
    /// The entry the row began with.
    start: AgentRepository,
    /// The present entries.
    list: Memo<Vec<AgentRepository>>,
) -> impl IntoView {
    let repositories = use_repositories();
    let announcer = use_announcer();
    let key = StoredValue::new(start.repository.id.clone());
    // The entry leaves the list before the row leaves the page.
    let row = Memo::new(move |before: Option<&AgentRepository>| {
        let found = list.with(|list| {
            key.with_value(|id| list.iter().find(|row| row.repository.id == *id).cloned())
        });
        found
            .or_else(|| before.cloned())
            .unwrap_or_else(|| start.clone())
    });
    let part = move |part: &str| key.with_value(|id| format!("repository-{id}-{part}"));
    let shown = Memo::new(move |_| row.with(|row| repositories.shown(row)));
    let follows = Memo::new(move |_| row.with(AgentRepository::follows_source));
    let disabled = Memo::new(move |_| row.with(|row| !row.repository.enabled));
    let busy = Memo::new(move |_| {
        repositories
            .wishes
            .with(|wishes| key.with_value(|id| wishes.is_busy(id.as_str())))
    });
    let refusal = Memo::new(move |_| {
        repositories
            .wishes
            .with(|wishes| key.with_value(|id| wishes.refusal_of(id.as_str()).cloned()))
    });
    let press = Callback::new(move |()| {
        if disabled.get_untracked() {
            let name = row.with_untracked(|row| row.repository.name.clone());
            announcer.alert(format!("{name} is locked. {DISABLED}"));
            return;
        }
        let on = shown.get_untracked() == Some(true);
        key.with_value(|id| repositories.set(id, !on));
    });
    let state = Signal::derive(move || SwitchState {
        on: shown.get() == Some(true) && !disabled.get(),
        locked: disabled.get(),
        busy: busy.get(),
    });
    let described = Signal::derive(move || {
        let facts = part("facts");
        if disabled.get() {
            format!("{} {facts}", part("lock"))
        } else {
            facts
        }
    });
    let edge_words = move || match shown.get() {
        Some(true) => "Attached",
        Some(false) => "Attached, switched off",
        None => "Not attached",
    };
    let registry_row = move || {
        key.with_value(|id| {
            Route::SettingsItem(SettingsPage::Repositories, id.as_str().to_owned()).href()
        })
    };
    view! {
        <li class="item">
            <div class="item-text">
                <p class="item-name">
                    <bdi id=part("name")>{move || row.with(|row| revealed(&row.repository.name))}</bdi>
                    {move || follows.get().then(|| view! {
                        <Badge tone=Tone::Neutral icon=Icon::Link text="From source" />
                    })}
                    {move || (disabled.get() || follows.get()).then(|| view! {
                        <Badge tone=Tone::Neutral icon=Icon::Info text=Signal::derive(move || edge_words().to_owned()) />
                    })}
                    {move || disabled.get().then(|| view! {
                        <Badge tone=Tone::Deny icon=Icon::Ban text="Disabled in the registry" />
                    })}
                    {move || busy.get().then(|| view! { <Saving /> })}
                </p>
                <RepositoryFacts id=part("facts") repository=Signal::derive(move || row.with(|row| row.repository.clone())) />
                {move || disabled.get().then(|| view! {
                    <p class="locked" id=part("lock")>
                        <Glyph icon=Icon::Lock />
                        <span>{DISABLED}" "<a href=registry_row()>"Open it in the registry"</a></span>
                    </p>
                })}
                {move || follows.get().then(|| view! {
                    <p class="note" id=part("source")>"Follows the Work assignment."</p>
                })}
            </div>
            {move || if follows.get() { ().into_any() } else { view! {
                <div class="item-end">
                    {move || (disabled.get() && shown.get().is_some()).then(|| view! {
                        <button
                            type="button"
                            class="btn"
                            aria-describedby=part("name")
                            on:click=move |_| {
                                key.with_value(|id| repositories.set(id, false));
                                browser::focus(&part("switch"));
                            }
                        >"Detach"</button>
                    })}
                    <Switch
                        state=state
                        id=part("switch")
                        named_by=part("name")
                        described_by=described
                        on_press=press
                    />
                </div>
            }.into_any() }}
            {move || refusal.get().map(|refusal| view! {
                <div class="notice deny" role="group" aria-label="Not saved">
                    <Glyph icon=Icon::Warning />
                    <p><strong>{refusal_heading(refusal.unsure)}</strong>" "<bdi>{refusal.said.clone()}</bdi></p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            key.with_value(|id| repositories.retry(id.as_str()));
                            browser::focus(&part("switch"));
                        }>"Retry"</button>
                        <button type="button" class="btn quiet" on:click=move |_| {
                            key.with_value(|id| {
                                repositories.wishes.update(|wishes| wishes.dismiss(id.as_str()));
                            });
                            browser::focus(&part("switch"));
                        }>"Dismiss"</button>
                    </div>
                </div>
            })}
        </li>
    }
}

/// Why a row of a disabled repository is locked.
const DISABLED: &str = "No agent finds it while it is disabled in the registry, attached or not.";
