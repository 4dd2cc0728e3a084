//! Skills of the workspace: what is installed, the catalog, what the server's folders hold and
//! what MCP servers publish.

pub mod catalog;
pub mod installed;
pub mod state;

use leptos::prelude::*;

use self::catalog::CatalogPanel;
use self::installed::InstalledPanel;
use self::state::{SkillsState, use_skills};
use crate::components::icon::{Glyph, Icon};
use crate::route::{NEW, Route, SettingsPage};

/// The page.
#[component]
pub fn SkillsPage() -> impl IntoView {
    provide_context(SkillsState::start());
    view! {
        <div class="page skills-page">
            <div class="skills-top">
                <SearchField />
                <a class="btn primary" href=Route::SettingsItem(SettingsPage::Skills, NEW.to_owned()).href()>
                    <Glyph icon=Icon::Plus />
                    "New skill"
                </a>
            </div>
            <InstalledPanel />
            <CatalogPanel />
        </div>
    }
}

/// One field searches every list of the page.
#[component]
fn SearchField() -> impl IntoView {
    let state = use_skills();
    view! {
        <label class="field">
            <Glyph icon=Icon::Search />
            <span class="visually-hidden">"Search skills"</span>
            <input
                type="search"
                placeholder="Search skills"
                autocomplete="off"
                spellcheck="false"
                prop:value=state.search
                on:input:target=move |event| state.search.set(event.target().value())
                on:keydown=move |event| if event.key() == "Escape" {
                    state.search.set(String::new());
                }
            />
        </label>
    }
}

/// How many of how many are shown.
fn counted(shown: usize, all: usize) -> String {
    if shown == all {
        all.to_string()
    } else {
        format!("{shown} of {all}")
    }
}

/// In place of a list nothing of which fits what is searched for.
#[component]
fn NothingFits(
    /// "No installed skill matches"
    what: &'static str,
) -> impl IntoView {
    let state = use_skills();
    view! {
        <p class="empty">
            <span>{what}" “"<bdi>{move || state.search.get()}</bdi>"”."</span>
            <button type="button" class="link" on:click=move |_| state.search.set(String::new())>"Clear the search"</button>
        </p>
    }
}
