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
use crate::pages::agent::servers::McpServersPage;
use crate::pages::agent::settings::SettingsPage;
use crate::pages::agent::skills::SkillsPage;
use crate::pages::agents::AgentsPage;
use crate::pages::not_found::NotFoundPage;
use crate::pages::rules::RulesPage;
use crate::pages::settings::SettingsArea;
use crate::pages::settings::connections::{ConnectionPage, ConnectionsPage};
use crate::pages::settings::environments::EnvironmentsPage;
use crate::pages::settings::environments::form::EnvironmentFormPage;
use crate::pages::settings::repositories::RepositoriesPage;
use crate::pages::settings::repositories::form::RepositoryFormPage;
use crate::pages::settings::skills::SkillsPage as SkillRegistryPage;
use crate::pages::sign_in::SignInPage;
use crate::pages::skill::{
    CatalogSkillPage, FolderSkillPage, InstalledSkillPage, NewSkillPage, PublishedSkillsPage,
};
use crate::route::{Route as Place, SettingsPage as Area};
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
                    <ParentRoute path=path!("/settings") view=lazy!(settings: SettingsArea)>
                        <Route path=path!("") view=|| view! { <Redirect path=Place::Settings(Area::FIRST).href() /> } />
                        <Route path=path!("/connections") view=lazy!(settings_connections: ConnectionsPage) />
                        <Route path=path!("/connections/:id") view=lazy!(settings_connections: ConnectionPage) />
                        <Route path=path!("/connections/:id/skills") view=lazy!(settings_skills: PublishedSkillsPage) />
                        <Route path=path!("/repositories") view=lazy!(settings_repositories: RepositoriesPage) />
                        <Route path=path!("/repositories/:id") view=lazy!(settings_repositories: RepositoryFormPage) />
                        <Route path=path!("/environments") view=lazy!(settings_environments: EnvironmentsPage) />
                        <Route path=path!("/environments/:id") view=lazy!(settings_environments: EnvironmentFormPage) />
                        <Route path=path!("/skills") view=lazy!(settings_skills: SkillRegistryPage) />
                        <Route path=path!("/skills/new") view=lazy!(settings_skills: NewSkillPage) />
                        <Route path=path!("/skills/:id") view=lazy!(settings_skills: InstalledSkillPage) />
                        <Route path=path!("/skills/catalog/:slug") view=lazy!(settings_skills: CatalogSkillPage) />
                        <Route path=path!("/skills/folders/:id") view=lazy!(settings_skills: FolderSkillPage) />
                    </ParentRoute>
                    <ParentRoute path=path!("/agents/:id") view=lazy!(agent: AgentPage)>
                        <Route path=path!("") view=lazy!(agent_dashboard: DashboardPage) />
                        <Route path=path!("/skills") view=lazy!(agent_skills: SkillsPage) />
                        <Route path=path!("/capabilities") view=lazy!(agent_capabilities: CapabilitiesPage) />
                        <Route path=path!("/mcp-servers") view=lazy!(agent_mcp_servers: McpServersPage) />
                        <Route path=path!("/settings") view=lazy!(agent_settings: SettingsPage) />
                    </ParentRoute>
                </ParentRoute>
            </Routes>
        </Router>
        <Announcements />
    }
}
