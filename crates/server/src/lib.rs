//! The embedded control plane of Remit: an HTTP API over a `SQLite` file, and the dashboard.
//!
//! `routes` list what can be asked and take requests apart, `operations` carry them out in one
//! transaction each, `store` is the only place with SQL. The policy itself is in the `contract`
//! crate, shared with the dashboard.

pub mod cli;
pub mod clock;
pub mod data_dir;
pub mod error;
pub mod example;
pub mod operations;
pub mod serve;
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

use axum::Router;
use axum::middleware::from_fn_with_state;

use crate::http::{not_found, observe};
use crate::state::AppState;

/// The whole server as a value: the API under `/api`, everything else the fallback, both under
/// the base path.
pub fn app(state: AppState) -> Router {
    let site = Router::new()
        .nest("/api", routes::api(&state))
        .fallback(not_found);
    let base = state.settings.base_path.trim_end_matches('/');
    let mounted = if base.is_empty() {
        site
    } else {
        Router::new().nest(base, site).fallback(not_found)
    };
    mounted.layer(from_fn_with_state(state, observe))
}
