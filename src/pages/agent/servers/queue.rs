//! The queue of override changes of one agent, as a pure state machine. One change is on its way
//! at a time; what is shown is the stored truth with everything that waits carried out on it.

use std::collections::VecDeque;

use contract::connections::AgentConnection;
use contract::ids::ConnectionId;
use contract::rules::bindings::{override_of, with_override};

/// What is wanted of one connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The connection.
    pub connection: ConnectionId,
    /// The override to write; `None` removes it.
    pub wanted: Option<bool>,
}

impl Change {
    fn is_so(&self, truth: &[AgentConnection]) -> bool {
        entry_of(truth, &self.connection).is_some_and(|entry| override_of(entry) == self.wanted)
    }
}

/// The row of a connection.
pub fn entry_of<'a>(
    entries: &'a [AgentConnection],
    connection: &ConnectionId,
) -> Option<&'a AgentConnection> {
    entries
        .iter()
        .find(|entry| entry.connection.id == *connection)
}

/// A change that was refused. It stays until it is retried or dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was wanted.
    pub change: Change,
    /// Why it was refused, for people.
    pub said: String,
    /// Its answer was lost and nothing could be read since: it may be stored all the same.
    pub unsure: bool,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindingQueue {
    entries: VecDeque<Change>,
    writing: bool,
    refusals: Vec<Refusal>,
}

impl BindingQueue {
    /// Adds a change. What waits for the same connection is dropped; the change on its way is not
    /// touched. An earlier refusal about it is forgotten.
    pub fn push(&mut self, change: Change) {
        let on_its_way = self.writing.then(|| self.entries.pop_front()).flatten();
        self.entries
            .retain(|entry| entry.connection != change.connection);
        self.dismiss(&change.connection);
        self.entries.push_back(change);
        if let Some(entry) = on_its_way {
            self.entries.push_front(entry);
        }
    }

    /// Takes the next change to write, unless one is on its way. Changes the truth already holds
    /// are dropped.
    pub fn begin(&mut self, truth: &[AgentConnection]) -> Option<Change> {
        if self.writing {
            return None;
        }
        while let Some(change) = self.entries.front() {
            if !change.is_so(truth) {
                self.writing = true;
                return Some(change.clone());
            }
            self.entries.pop_front();
        }
        None
    }

    /// The change that was begun is stored.
    pub fn succeed(&mut self) {
        self.writing = false;
        self.entries.pop_front();
    }

    /// The change that was begun was refused; `unsure` when it may be stored all the same.
    pub fn refuse(&mut self, said: String, unsure: bool) {
        self.writing = false;
        if let Some(change) = self.entries.pop_front() {
            self.refusals.push(Refusal {
                change,
                said,
                unsure,
            });
        }
    }

    /// The change that was begun could not be made now (the session ended); it waits again.
    pub fn postpone(&mut self) {
        self.writing = false;
    }

    /// Takes the refused change of a connection back into the queue.
    pub fn retry(&mut self, connection: &ConnectionId) {
        if let Some(refusal) = self.refusal_of(connection).cloned() {
            self.push(refusal.change);
        }
    }

    /// Forgets the refusal of a connection.
    pub fn dismiss(&mut self, connection: &ConnectionId) {
        self.refusals
            .retain(|refusal| refusal.change.connection != *connection);
    }

    /// Whether a refusal asks for what the truth holds meanwhile.
    pub fn is_moot(&self, truth: &[AgentConnection]) -> bool {
        self.refusals
            .iter()
            .any(|refusal| refusal.change.is_so(truth))
    }

    /// Forgets refusals that ask for what the truth holds meanwhile.
    pub fn drop_moot(&mut self, truth: &[AgentConnection]) {
        self.refusals.retain(|refusal| !refusal.change.is_so(truth));
    }

    /// Whether a connection waits for its change.
    pub fn is_busy(&self, connection: &ConnectionId) -> bool {
        self.entries
            .iter()
            .any(|entry| entry.connection == *connection)
    }

    /// Whether anything waits or is being written.
    pub fn is_idle(&self) -> bool {
        self.entries.is_empty()
    }

    /// The refusal to show on a connection's row.
    pub fn refusal_of(&self, connection: &ConnectionId) -> Option<&Refusal> {
        self.refusals
            .iter()
            .find(|refusal| refusal.change.connection == *connection)
    }

    /// What to show: the truth with everything that waits carried out on it.
    pub fn shown(&self, truth: &[AgentConnection]) -> Vec<AgentConnection> {
        truth
            .iter()
            .map(|entry| {
                // The last wish for a connection is the one that counts.
                let last = self
                    .entries
                    .iter()
                    .rev()
                    .find(|change| change.connection == entry.connection.id);
                last.map_or_else(
                    || entry.clone(),
                    |change| with_override(entry, change.wanted),
                )
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn truth(own: Option<bool>) -> Vec<AgentConnection> {
        serde_json::from_value(json!([{
            "connection": {
                "id": "c1", "name": "docs", "url": "https://docs.example/mcp",
                "transport": "streamable-http", "enabled": true, "source": "manual",
                "createdAt": "2026-08-01T09:00:00.000Z", "updatedAt": "2026-08-01T09:00:00.000Z"
            },
            "effectiveEnabled": own.unwrap_or(true),
            "bindingSource": if own.is_some() { "agent" } else { "tenant" },
            "inheritedFromTenant": own.is_none(),
            "tenantEnabled": true,
            "overrideEnabled": own
        }]))
        .unwrap()
    }

    fn change(wanted: Option<bool>) -> Change {
        Change {
            connection: "c1".into(),
            wanted,
        }
    }

    #[test]
    fn one_change_at_a_time_and_the_last_wish_wins_without_flicker() {
        let mut queue = BindingQueue::default();
        queue.push(change(Some(false)));
        assert_eq!(queue.begin(&truth(None)), Some(change(Some(false))));
        queue.push(change(Some(true)));
        queue.push(change(None));
        assert_eq!(queue.begin(&truth(None)), None);
        assert_eq!(queue.shown(&truth(None)), truth(None));
        queue.succeed();
        assert_eq!(queue.shown(&truth(Some(false))), truth(None));
        assert_eq!(queue.begin(&truth(Some(false))), Some(change(None)));
        queue.succeed();
        assert!(queue.is_idle());
    }

    #[test]
    fn what_is_so_already_is_not_sent() {
        let mut queue = BindingQueue::default();
        queue.push(change(Some(true)));
        assert_eq!(queue.begin(&truth(Some(true))), None);
        assert!(!queue.is_busy(&"c1".into()));
        // An explicit ON is not the same as an inherited ON.
        queue.push(change(Some(true)));
        assert!(queue.begin(&truth(None)).is_some());
    }

    #[test]
    fn a_refusal_shows_the_truth_is_retried_and_ends_when_it_is_so() {
        let mut queue = BindingQueue::default();
        let id: ConnectionId = "c1".into();
        queue.push(change(Some(false)));
        queue.begin(&truth(None));
        queue.refuse("db down".to_owned(), false);
        assert_eq!(queue.shown(&truth(None)), truth(None));
        assert!(!queue.is_moot(&truth(None)));
        queue.retry(&id);
        assert_eq!(queue.refusal_of(&id), None);
        assert!(queue.begin(&truth(None)).is_some());
        queue.postpone();
        assert!(queue.begin(&truth(None)).is_some());
        queue.refuse("lost".to_owned(), true);
        assert!(queue.is_moot(&truth(Some(false))));
        queue.drop_moot(&truth(Some(false)));
        assert_eq!(queue.refusal_of(&id), None);
    }
}
