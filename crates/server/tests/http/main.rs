//! The control plane over HTTP: every test starts a server of its own on a real database file and
//! talks to it through a socket, as clients do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]
#![allow(clippy::similar_names, reason = "short names read best in short tests")]

mod agents;
mod auth;
mod authz;
mod browser;
mod capabilities;
mod connections;
mod environments;
mod events;
mod grants;
mod harness;
mod lifecycle;
mod limits;
mod organizations;
mod process;
mod recorded;
mod records;
mod repositories;
mod validation;
