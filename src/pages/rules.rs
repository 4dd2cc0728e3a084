//! The rules page: what is written at one scope, what it does to the agents below, and changing it
//! safely. The scopes of the account stand beside it, so that an operator finds where.

pub mod conflict;
pub mod draft;
pub mod editing;
pub mod editor;
pub mod effect;
pub mod effect_view;
pub mod history;
pub mod reads;
pub mod review;
pub mod scopes;
pub mod state;
pub mod writing;

use contract::grants::{ChainEntry, Scope};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use self::editing::Editing;
use self::editor::EditorPanel;
use self::effect_view::{EffectPanel, TesterPanel};
use self::reads::EffectReads;
use self::review::{DeleteDialog, DrasticDialog, ReviewDialog};
use self::scopes::{ScopesPanel, rules_text};
use self::state::{RulesState, use_rules};
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::each::Each;
use crate::components::icon::Icon;
use crate::pages::not_found::MissingPage;
use crate::reactive::effect;
use crate::route::{Route, Tab};
use crate::shell::rail::initials;

/// The page. Another scope in the address makes a new one.
#[component]
pub fn RulesPage() -> impl IntoView {
    let params = use_params_map();
    let place = Memo::new(move |_| {
        params.with(|params| {
            (
                params.get("scope").unwrap_or_default(),
                params.get("id").unwrap_or_default(),
            )
        })
    });
    move || {
        let (scope, id) = place.get();
        view! { <ScopeRules scope=Scope::from(scope.as_str()) id=id /> }
    }
}

#[component]
fn ScopeRules(scope: Scope, id: String) -> impl IntoView {
    let state = RulesState::start(scope, id);
    provide_context(state);
    let reads = EffectReads::start(state);
    provide_context(reads);
    let editing = Editing::start(state, reads);
    provide_context(editing);
    let missing = Memo::new(move |_| state.is_missing());
    effect(move || {
        let mark = if editing.dirty.get() { "● " } else { "" };
        let name = state.shown_name(&state.scope.get_value(), &state.id.get_value());
        browser::set_title(&format!("{mark}Rules of {name} · Remit"));
    });
    move || {
        if missing.get() {
            view! { <MissingPage heading="Scope not found or not yours" /> }.into_any()
        } else {
            view! {
                <main id="main" tabindex="-1">
                    <RulesHeader />
                    <div class="page rules-page">
                        <EditorPanel />
                        <div class="stack">
                            <EffectPanel />
                            <ScopesPanel />
                            <TesterPanel />
                        </div>
                    </div>
                    <ReviewDialog />
                    <DrasticDialog />
                    <DeleteDialog />
                </main>
            }
            .into_any()
        }
    }
}

/// The icon of a kind of scope.
fn scope_icon(scope: &Scope) -> Icon {
    match scope {
        Scope::Agent => Icon::Agents,
        Scope::Work => Icon::File,
        _ => Icon::Lock,
    }
}

/// Name and kind of the scope, and the scopes above it.
#[component]
fn RulesHeader() -> impl IntoView {
    let state = use_rules();
    let (scope, id) = (state.scope.get_value(), state.id.get_value());
    let name = {
        let (scope, id) = (scope.clone(), id.clone());
        Memo::new(move |_| state.shown_name(&scope, &id))
    };
    let steps = move || -> Vec<ChainEntry> {
        state.here.value().with(|here| {
            here.as_ref()
                .map(|here| {
                    here.chain
                        .iter()
                        .filter(|entry| entry.scope != Scope::Default)
                        .cloned()
                        .collect()
                })
                .unwrap_or_default()
        })
    };
    let agent =
        (scope == Scope::Agent).then(|| Route::Agent(id.as_str().into(), Tab::Capabilities).href());
    view! {
        <header class="head plain">
            <div class="row">
                <span class="avatar" aria-hidden="true">{move || initials(&name.get())}</span>
                <div class="identity">
                    <div class="name">
                        <h1><span class="visually-hidden">"Grant rules of "</span><bdi>{name}</bdi></h1>
                        <Badge tone=Tone::Neutral icon=scope_icon(&scope) text=scope.label().to_owned() />
                        {agent.map(|href| view! { <a href=href>"Open the agent"</a> })}
                    </div>
                    <nav aria-label="Scopes this one inherits from">
                        <ol class="scope">
                            <Each each=steps key=|entry| format!("{} {}", entry.scope.as_str(), entry.id.as_deref().unwrap_or_default()) let(entry)>
                                <Step entry=entry />
                            </Each>
                        </ol>
                    </nav>
                </div>
            </div>
        </header>
    }
}

#[component]
fn Step(entry: ChainEntry) -> impl IntoView {
    let state = use_rules();
    let id = entry.id.clone().unwrap_or_default();
    let href = Route::Rules(entry.scope.clone(), id.clone()).href();
    let kind = entry.scope.label().to_owned();
    let is_here = entry.scope == state.scope.get_value() && id == state.id.get_value();
    let count = {
        let (scope, id) = (entry.scope.clone(), id.clone());
        Memo::new(move |_| state.rule_count(&scope, &id))
    };
    let scope = entry.scope;
    view! {
        <li>
            <a href=href aria-current=is_here.then_some("page")>
                <bdi>{move || state.shown_name(&scope, &id)}</bdi>
                <span class="visually-hidden">{format!(" ({kind})")}</span>
                {move || count.get().map(|count| view! { <span class="rules">{rules_text(count)}</span> })}
            </a>
        </li>
    }
}
