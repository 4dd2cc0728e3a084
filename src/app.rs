//! The shell and the only route table.

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::path;

use crate::browser;
use crate::browser::address::HistorySteps;
use crate::components::announce::{Announcements, Announcer};
use crate::lazy;
use crate::live::Live;
use crate::pages::agent::AgentPage;
use crate::pages::agent::capabilities::CapabilitiesPage;
use crate::pages::agent::dashboard::DashboardPage;
use crate::pages::agent::settings::SettingsPage;
use crate::pages::agents::AgentsPage;
use crate::pages::not_found::NotFoundPage;
use crate::pages::rules::RulesPage;
use crate::pages::sign_in::SignInPage;
use crate::route::Route as Place;
use crate::session::SessionState;
use crate::shell::Shell;

/// The whole dashboard.
#[component]
pub fn App() -> impl IntoView {
    let session = SessionState::start();
    provide_context(session);
    provide_context(Announcer::default());
    provide_context(Live::start(session));
    // Before the router, which would otherwise hear of Back and Forward first.
    provide_context(HistorySteps::start());
    // The router wants its base without the last slash.
    let base = browser::base_path().trim_end_matches('/').to_owned();
    view! {
        <Router base=base>
            <Routes fallback=NotFoundPage>
                <Route path=path!("/sign-in") view=lazy!(sign_in: SignInPage) />
                <ParentRoute path=path!("") view=Shell>
                    <Route path=path!("") view=|| view! { <Redirect path=Place::Agents.href() /> } />
                    <Route path=path!("/agents") view=lazy!(agents: AgentsPage) />
                    <Route path=path!("/rules/:scope/:id") view=lazy!(rules: RulesPage) />
                    <ParentRoute path=path!("/agents/:id") view=lazy!(agent: AgentPage)>
                        <Route path=path!("") view=lazy!(agent_dashboard: DashboardPage) />
                        <Route path=path!("/capabilities") view=lazy!(agent_capabilities: CapabilitiesPage) />
                        <Route path=path!("/settings") view=lazy!(agent_settings: SettingsPage) />
                    </ParentRoute>
                </ParentRoute>
            </Routes>
        </Router>
        <Announcements />
    }
}
