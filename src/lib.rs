//! The Remit dashboard: a client-side application over a control plane.
//!
//! Data flows one way: `api` fetches and sends, `session`, `live` and the pages' state hold what
//! was answered, `pages` draw it with `components`. What is allowed and why is never decided
//! here: that is `contract::rules`, the code the server itself runs.

pub mod api;
pub mod app;
pub mod browser;
pub mod components;
pub mod drafts;
pub mod edits;
pub mod lasting;
pub mod lazy;
pub mod live;
pub mod pages;
pub mod reactive;
pub mod remote;
pub mod route;
pub mod session;
pub mod shell;
pub mod wishes;

/// Replaces the plain HTML skeleton by the application.
pub fn mount() {
    if let Some(root) = browser::application_root() {
        leptos::mount::mount_to(root, app::App).forget();
    }
}
