//! Who is told when an account's data changes: caches and event streams of this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use contract::UserId;
use tokio::sync::watch;

/// For each account the number of its latest change since the server started; 0 before the first.
#[derive(Default)]
pub struct Live {
    accounts: Mutex<HashMap<UserId, watch::Sender<u64>>>,
    streams: Mutex<HashMap<UserId, usize>>,
}

/// Most event streams one account may hold open.
pub(crate) const STREAMS_MAX: usize = 32;

impl Live {
    /// The account's number, to tag what was computed from data read afterwards.
    pub fn generation(&self, user: &UserId) -> u64 {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.get(user).map_or(0, |sender| *sender.borrow())
    }

    /// Says that a change of the account is committed.
    pub fn changed(&self, user: &UserId, sequence: u64) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = accounts
            .entry(user.clone())
            .or_insert_with(|| watch::Sender::new(0));
        // Commits happen in order, but their news may arrive out of order.
        sender.send_if_modified(|latest| {
            let newer = sequence > *latest;
            *latest = sequence.max(*latest);
            newer
        });
    }

    /// Wakes whenever the account changes.
    pub fn subscribe(&self, user: &UserId) -> watch::Receiver<u64> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts
            .entry(user.clone())
            .or_insert_with(|| watch::Sender::new(0))
            .subscribe()
    }

    /// Takes a place for one more stream of the account, if there is one.
    pub fn open_stream(self: &Arc<Self>, user: &UserId) -> Option<StreamPlace> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let open = streams.entry(user.clone()).or_default();
        if *open >= STREAMS_MAX {
            return None;
        }
        *open += 1;
        Some(StreamPlace {
            live: Arc::clone(self),
            user: user.clone(),
        })
    }
}

/// The place of one open stream; given back when dropped.
pub struct StreamPlace {
    live: Arc<Live>,
    user: UserId,
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut streams = self
            .live
            .streams
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = streams.get_mut(&self.user) {
            *open = open.saturating_sub(1);
            if *open == 0 {
                streams.remove(&self.user);
            }
        }
    }
}
