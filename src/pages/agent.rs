//! The agent page: header, scope breadcrumb, navigation between its tabs, and the tab itself.

pub mod capabilities;
pub mod catalog;
pub mod dashboard;
pub mod elsewhere;
pub mod environment;
pub mod grant_writes;
pub mod header;
pub mod repositories;
pub mod servers;
pub mod settings;
pub mod skills;
pub mod state;

use leptos::prelude::*;
use leptos_router::components::Outlet;
use leptos_router::hooks::use_params_map;

use crate::api::ApiError;
use crate::pages::agent::elsewhere::mark_changes;
use crate::pages::agent::environment::Environments;
use crate::pages::agent::header::{AgentHeader, AgentTabs};
use crate::pages::agent::repositories::Repositories;
use crate::pages::agent::servers::state::Servers;
use crate::pages::agent::settings::flag_writes::Flags;
use crate::pages::agent::settings::life_cycle::ArchivedBanner;
use crate::pages::agent::skills::state::AgentSkills;
use crate::pages::agent::state::AgentState;
use crate::pages::not_found::MissingPage;

/// The frame of one agent. Another id in the address makes a new one.
#[component]
pub fn AgentPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    move || {
        let id = id.get();
        view! { <Agent id=id /> }
    }
}

#[component]
fn Agent(id: String) -> impl IntoView {
    let state = AgentState::start(id.into());
    provide_context(state);
    let flags = Flags::start(state);
    provide_context(flags);
    provide_context(Repositories::start(state));
    provide_context(Environments::start(state));
    provide_context(AgentSkills::start(state));
    provide_context(Servers::start(state));
    mark_changes(state, flags);
    let missing = Memo::new(move |_| {
        state.agent.failure().with(|error| match error {
            Some(ApiError::Missing(_)) => true,
            Some(ApiError::Refused { status: 400, .. }) => {
                state.agent.value().with(Option::is_none)
            }
            _ => false,
        })
    });
    move || {
        if missing.get() {
            view! { <MissingPage heading="Agent not found or not yours" /> }.into_any()
        } else {
            view! {
                <main id="main" tabindex="-1">
                    <header class="head">
                        <AgentHeader />
                        <AgentTabs />
                    </header>
                    <ArchivedBanner />
                    <Outlet />
                </main>
            }
            .into_any()
        }
    }
}
