//! MCP servers as this control plane meets them: one session per enabled connection, each in a
//! task of its own, so that a server that hangs or floods delays nothing else.
//!
//! [`client`] opens sessions, [`listing`] reads what a server offers within bounds, [`supervisor`]
//! keeps a session open and stores what it learns, [`failure`] turns errors into the sentences of
//! contract section 7.2.

mod client;
mod failure;
mod held;
mod listing;
mod probe;
pub(crate) mod skills;
mod supervisor;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contract::ConnectionId;
use contract::connections::ConnectionState;
use tokio::sync::Semaphore;

pub(crate) use client::{READS, Session};
pub(crate) use failure::Failure;
pub(crate) use held::Held;
pub(crate) use listing::ListedTool;
pub(crate) use probe::probe;
pub(crate) use supervisor::{Outcome, store, target};

use crate::error::ApiError;
use crate::state::AppState;
use crate::store::connections::{self, Stored};
use supervisor::Supervised;

/// How long opening a session may take.
const CONNECT: Duration = Duration::from_secs(30);
/// How long one request to a server, or one whole listing, may take.
pub(crate) const CALL: Duration = Duration::from_mins(1);
/// How long each of the two steps of a test may take (contract section 7.2).
const PROBE: Duration = Duration::from_secs(10);
/// Sessions that may be opening at the same time.
const OPENING: usize = 8;
/// How long stopping all sessions may take when the server ends.
const STOPPING: Duration = Duration::from_secs(3);

/// The live sessions by connection.
pub struct Mcp {
    supervised: Mutex<HashMap<ConnectionId, Supervised>>,
    opening: Arc<Semaphore>,
}

impl Default for Mcp {
    fn default() -> Self {
        Self {
            supervised: Mutex::default(),
            opening: Arc::new(Semaphore::new(OPENING)),
        }
    }
}

impl Mcp {
    fn with<T>(&self, id: &ConnectionId, read: impl FnOnce(&Supervised) -> T) -> Option<T> {
        let supervised = self
            .supervised
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        supervised.get(id).map(read)
    }

    /// Where the session of a connection stands; `None` without one.
    pub(crate) fn state_of(&self, id: &ConnectionId) -> Option<ConnectionState> {
        self.with(id, Supervised::state)
    }

    /// The open session of a connection.
    pub(crate) fn session(&self, id: &ConnectionId) -> Option<Arc<Session>> {
        self.with(id, Supervised::session).flatten()
    }

    /// Ends the session of a connection, if there is one.
    pub(crate) fn stop(&self, id: &ConnectionId) {
        let removed = self
            .supervised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(id);
        drop(removed);
    }

    /// Ends all sessions, waiting a short while for child processes to end.
    pub async fn stop_all(&self) {
        let all: Vec<Supervised> = self
            .supervised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain()
            .map(|(_, supervised)| supervised)
            .collect();
        let ending = futures_util::future::join_all(all.into_iter().map(Supervised::end));
        // What is left is ended by the drop of its task.
        let _ = tokio::time::timeout(STOPPING, ending).await;
    }
}

/// Brings the session of a connection in line with its registration: a new session when it is
/// enabled, none otherwise.
pub(crate) fn sync(state: &AppState, stored: &Stored) {
    let id = stored.connection.id.clone();
    let started = stored
        .connection
        .enabled
        .then(|| Supervised::start(state.clone(), stored.clone(), state.mcp.opening.clone()));
    let mut supervised = state
        .mcp
        .supervised
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    // The one before is dropped, which ends it.
    match started {
        Some(started) => supervised.insert(id, started),
        None => supervised.remove(&id),
    };
}

/// Opens the sessions of all enabled connections, in the background.
pub(crate) async fn start(state: &AppState) -> Result<(), ApiError> {
    let mut reading = state.store.read().await?;
    let enabled = connections::enabled(&mut reading).await?;
    drop(reading);
    for stored in &enabled {
        sync(state, stored);
    }
    Ok(())
}

/// Asks for a new session without waiting for it.
pub(crate) fn again(state: &AppState, id: &ConnectionId) {
    drop(state.mcp.with(id, Supervised::again));
}

/// Opens the session of an enabled connection anew and reads its tools again; waits for the
/// outcome for a while at most. Out of time, the state says that the attempt goes on.
pub(crate) async fn refresh(state: &AppState, stored: &Stored, wait: Duration) {
    let id = &stored.connection.id;
    let done = state.mcp.with(id, Supervised::again);
    let done = done.or_else(|| {
        sync(state, stored);
        state.mcp.with(id, Supervised::again)
    });
    if let Some(done) = done {
        let _ = tokio::time::timeout(wait, done).await;
    }
}
