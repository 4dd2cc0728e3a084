//! The list of API routes with what each demands, and nothing else.

mod activity;
mod agents;
mod auth;
mod capabilities;
mod connections;
mod environments;
mod events;
mod grants;
mod mcp_servers;
mod mcp_skills;
mod organizations;
mod repositories;
mod site;
mod skill_folders;
mod skill_lint;
mod skills;

use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use crate::guard::{Access, Policy, guard};
use crate::http::{after_panic, api_headers, conditional, cors, not_found};
use crate::state::AppState;
use crate::throttle::Limits;

/// How long a handler may take before the client is answered 504. Event streams answer at once
/// and are not cut.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The same on routes that ask an MCP server: its own limit of 60 s comes first and says more.
const ASKING_TIMEOUT: Duration = Duration::from_secs(90);
/// Requests per minute on routes without a limit of their own.
const USUAL: u32 = 1_000;
/// Requests per minute on routes that write agents, environments and skills.
const WRITES: u32 = 30;
/// Requests per minute on routes that change an MCP connection or an agent's state of it.
const OVERRIDES: u32 = 60;
/// Requests per minute on routes that add or remove repositories or touch environment files.
const REPOSITORY_WRITES: u32 = 60;
/// Requests per minute on routes that change, install, bind or unbind skills.
const SKILL_CHANGES: u32 = 60;
/// Requests per minute on routes that change, attach or detach repositories.
const REPOSITORY_CHANGES: u32 = 120;
/// Requests per minute on routes that send an MCP server one request or a few.
const ASKS: u32 = 120;
/// Requests per minute on routes that open a session with an MCP server, or fetch many files.
const TESTS: u32 = 20;

/// Everything under `/api`.
pub(crate) fn api(state: &AppState) -> Router {
    let routed = |access, long, route: MethodRouter<AppState>| {
        let policy = Policy {
            access,
            limits: Limits::per_minute(long),
        };
        route.route_layer(from_fn_with_state((state.clone(), policy), guard))
    };
    let open = |long, route| routed(Access::Public, long, route);
    let own = |long, route| routed(Access::Account, long, route);

    let site = Router::new()
        .route("/health", open(USUAL, get(site::health)))
        .route("/health/ready", open(USUAL, get(site::ready)))
        .route("/config", open(USUAL, get(site::config)));
    let auth = Router::new()
        .route("/auth/providers", open(USUAL, get(auth::providers)))
        .route("/auth/register", open(5, post(auth::register)))
        .route("/auth/login", open(10, post(auth::login)))
        .route("/auth/link", open(10, post(auth::link)))
        .route("/auth/session", own(USUAL, get(auth::session)))
        .route("/auth/profile", own(USUAL, get(auth::profile)))
        .route("/auth/profile/fresh", own(USUAL, get(auth::fresh_profile)))
        .route("/auth/logout", own(USUAL, post(auth::logout)))
        .route("/auth/logout-all", own(USUAL, post(auth::logout_all)))
        .route(
            "/auth/api-keys",
            own(USUAL, get(auth::list_keys)).merge(own(USUAL, post(auth::create_key))),
        )
        .route("/auth/api-keys/{id}", own(USUAL, delete(auth::delete_key)));
    let places = Router::new()
        .route(
            "/organizations",
            own(USUAL, get(organizations::list)).merge(own(USUAL, post(organizations::create))),
        )
        .route(
            "/works",
            own(USUAL, get(organizations::list_works))
                .merge(own(USUAL, post(organizations::create_work))),
        )
        .route("/works/{id}", own(USUAL, get(organizations::work)));
    let agents = Router::new()
        .route(
            "/agents",
            own(USUAL, get(agents::list)).merge(own(WRITES, post(agents::create))),
        )
        .route(
            "/agents/{id}",
            own(USUAL, get(agents::read))
                .merge(own(WRITES, patch(agents::change)))
                .merge(own(WRITES, delete(agents::remove))),
        )
        .route("/agents/{id}/pause", own(WRITES, post(agents::pause)))
        .route("/agents/{id}/resume", own(WRITES, post(agents::resume)))
        .route(
            "/agents/{id}/unarchive",
            own(WRITES, post(agents::unarchive)),
        )
        .route(
            "/agents/{id}/capabilities",
            own(USUAL, get(capabilities::read)),
        )
        .route("/access-summary", own(USUAL, get(capabilities::summaries)))
        .route(
            "/agents/{id}/events",
            own(USUAL, get(activity::agent_events)),
        );
    let grants = Router::new()
        .route(
            "/tool-grants",
            own(USUAL, get(grants::list)).merge(own(USUAL, put(grants::write))),
        )
        .route("/tool-grants/resolve", own(USUAL, get(grants::resolve)))
        .route("/tool-grants/check", own(USUAL, get(grants::check)))
        .route("/tool-grants/{id}", own(USUAL, delete(grants::remove)));
    let servers = Router::new()
        .route(
            "/mcp-connections",
            own(USUAL, get(connections::list)).merge(own(WRITES, post(connections::create))),
        )
        .route(
            "/mcp-connections/{id}",
            own(USUAL, get(connections::read))
                .merge(own(OVERRIDES, patch(connections::change)))
                .merge(own(WRITES, delete(connections::remove))),
        )
        .route(
            "/mcp-connections/{id}/test",
            own(TESTS, post(connections::test)),
        )
        .route(
            "/mcp-connections/{id}/refresh",
            own(TESTS, post(connections::refresh)),
        )
        .route(
            "/mcp-connections/{id}/tools",
            own(USUAL, get(connections::tools)),
        )
        .route(
            "/mcp-connections/{id}/agents",
            own(USUAL, get(connections::agents)),
        )
        .route(
            "/agents/{id}/mcp-servers",
            own(USUAL, get(mcp_servers::list)),
        )
        .route(
            "/agents/{id}/mcp-tools",
            own(USUAL, get(mcp_servers::tools)),
        )
        .route(
            "/agents/{id}/mcp-servers/{other}",
            own(OVERRIDES, put(mcp_servers::write))
                .merge(own(OVERRIDES, delete(mcp_servers::remove))),
        );
    let environments = Router::new()
        .route(
            "/environments",
            own(USUAL, get(environments::list)).merge(own(WRITES, post(environments::create))),
        )
        .route(
            "/environments/{id}",
            own(USUAL, get(environments::read))
                .merge(own(WRITES, patch(environments::change)))
                .merge(own(WRITES, delete(environments::remove))),
        )
        .route(
            "/environments/{id}/agents",
            own(USUAL, get(environments::agents)),
        )
        .route(
            "/environments/{id}/publish",
            own(WRITES, post(environments::publish)),
        );
    let repositories = Router::new()
        .route(
            "/repo-connections",
            own(USUAL, get(repositories::list))
                .merge(own(REPOSITORY_WRITES, post(repositories::create))),
        )
        .route(
            "/repo-connections/import/github-app/{id}",
            own(REPOSITORY_WRITES, post(repositories::import)),
        )
        .route(
            "/repo-connections/{id}",
            own(USUAL, get(repositories::read))
                .merge(own(REPOSITORY_CHANGES, patch(repositories::change)))
                .merge(own(REPOSITORY_WRITES, delete(repositories::remove))),
        )
        .route(
            "/repo-connections/{id}/agents",
            own(USUAL, get(repositories::agents)),
        )
        .route(
            "/repo-connections/{id}/env-files",
            own(REPOSITORY_WRITES, get(repositories::env_files))
                .merge(own(REPOSITORY_WRITES, put(repositories::put_env_files))),
        )
        .route(
            "/agents/{id}/repos",
            own(USUAL, get(repositories::of_agent)),
        )
        .route(
            "/agents/{id}/repos/{repository}",
            own(REPOSITORY_CHANGES, put(repositories::attach))
                .merge(own(REPOSITORY_CHANGES, delete(repositories::detach))),
        );
    let skill_lint = Router::new().route("/skill-lint", own(USUAL, post(skill_lint::lint)));
    let skills = Router::new()
        .route(
            "/skills",
            own(USUAL, get(skills::list)).merge(own(WRITES, post(skills::create))),
        )
        .route("/skills/catalog", own(USUAL, get(skills::catalog)))
        .route(
            "/skills/catalog/{slug}",
            own(USUAL, get(skills::catalog_entry)),
        )
        .route("/skills/install", own(SKILL_CHANGES, post(skills::install)))
        .route(
            "/skills/{id}",
            own(USUAL, get(skills::read))
                .merge(own(SKILL_CHANGES, patch(skills::change)))
                .merge(own(WRITES, delete(skills::remove))),
        )
        .route(
            "/skills/{id}/bindings",
            own(USUAL, get(skills::bindings)).merge(own(SKILL_CHANGES, post(skills::bind))),
        )
        .route(
            "/skill-bindings/{id}",
            own(SKILL_CHANGES, delete(skills::unbind)),
        )
        .route("/agents/{id}/skills", own(USUAL, get(skills::of_agent)));
    let skill_folders = Router::new()
        .route("/skill-folders", own(USUAL, get(skill_folders::list)))
        .route("/skill-folders/{id}", own(USUAL, get(skill_folders::read)))
        .route("/skill-prompts", own(USUAL, post(skill_folders::prompt)));
    let records = Router::new()
        .route("/activity-log", own(USUAL, get(activity::log)))
        .route("/activity-log/{id}", own(USUAL, get(activity::log_entry)))
        .route("/events", own(USUAL, get(events::stream)));

    // Each asks a server, within a limit of its own.
    let below = "/mcp-connections/{id}/skills";
    let published = Router::new()
        .route(below, own(ASKS, get(mcp_skills::list)))
        .route(&format!("{below}/get"), own(ASKS, post(mcp_skills::get)))
        .route(&format!("{below}/read"), own(ASKS, post(mcp_skills::read)))
        .route(
            &format!("{below}/verify"),
            own(TESTS, post(mcp_skills::verify)),
        )
        .route(
            &format!("{below}/directory"),
            own(ASKS, post(mcp_skills::directory)),
        )
        .route(
            &format!("{below}/approval"),
            own(OVERRIDES, put(mcp_skills::approve))
                .merge(own(OVERRIDES, delete(mcp_skills::withdraw))),
        )
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            ASKING_TIMEOUT,
        ));

    Router::new()
        .merge(site)
        .merge(auth)
        .merge(places)
        .merge(agents)
        .merge(grants)
        .merge(skill_lint)
        .merge(skill_folders)
        .merge(servers)
        .merge(environments)
        .merge(repositories)
        .merge(skills)
        .merge(records)
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            REQUEST_TIMEOUT,
        ))
        .merge(published)
        .fallback(not_found)
        .method_not_allowed_fallback(not_found)
        .layer(from_fn(conditional))
        // Level 1 halves the bytes of these answers at a fraction of the default's cost.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(CatchPanicLayer::custom(after_panic))
        .layer(from_fn(api_headers))
        .layer(from_fn_with_state(state.clone(), cors))
        .with_state(state.clone())
}
