//! The embedded control plane of Remit: an HTTP API over a `SQLite` file, and the dashboard.
//!
//! `routes` list what can be asked and take requests apart, `operations` carry them out in one
//! transaction each, `store` is the only place with SQL. The policy itself is in the `contract`
//! crate, shared with the dashboard.

pub mod assets;
pub mod cli;
pub mod clock;
pub mod data_dir;
pub mod error;
pub mod example;
pub mod operations;
pub mod serve;
pub mod skill_catalog;
pub mod state;
pub mod store;

mod cache;
mod catalog;
mod credentials;
mod guard;
mod http;
mod live;
mod lockout;
mod passwords;
mod request;
mod routes;
mod secrets;
mod slugs;
mod throttle;
mod unicode;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};

use crate::http::observe;
use crate::state::AppState;

/// The whole server as a value: the API under `api/` of the base path, the dashboard as the
/// fallback for everything else.
pub fn app(state: AppState) -> Router {
    let base = &state.settings.base_path;
    Router::new()
        .nest(&format!("{base}api"), routes::api(&state))
        .fallback_service(assets::router(state.assets.clone(), base))
        .layer(from_fn(assets::security_headers))
        .layer(from_fn_with_state(state, observe))
}
