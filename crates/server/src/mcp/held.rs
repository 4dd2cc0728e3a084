//! The entries of published skills that are held: as last seen, in memory, within a byte budget.
//! Reads are judged by them. What is not held any more is asked for again, never guessed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use contract::ConnectionId;
use contract::rules::skills::entry::SkillEntry;
use contract::rules::skills::manifest::Resources;

/// Most bytes held of one server; beyond them only the entries seen last stay.
const SERVER_MAX: usize = 32 * 1024 * 1024;
/// Most bytes held of all servers; beyond them the server asked longest ago is forgotten.
const ALL_MAX: usize = 128 * 1024 * 1024;
/// What an entry or a file takes beside its texts, in bytes, about.
const OVERHEAD: usize = 100;

/// Entries by connection. A connection's entries count for one registration of it only.
#[derive(Default)]
pub(crate) struct Held(Mutex<All>);

#[derive(Default)]
struct All {
    servers: HashMap<ConnectionId, OfServer>,
    /// Counts uses, to tell which was last.
    clock: u64,
}

#[derive(Default)]
struct OfServer {
    registration: i64,
    entries: HashMap<String, Arc<SkillEntry>>,
    bytes: usize,
    used: u64,
}

impl OfServer {
    fn insert(&mut self, uri: String, entry: Arc<SkillEntry>) {
        self.bytes += weight(&entry);
        if let Some(before) = self.entries.insert(uri, entry) {
            self.bytes = self.bytes.saturating_sub(weight(&before));
        }
    }

    fn remove(&mut self, uri: &str) {
        if let Some(before) = self.entries.remove(uri) {
            self.bytes = self.bytes.saturating_sub(weight(&before));
        }
    }
}

impl Held {
    fn with<T>(&self, work: impl FnOnce(&mut All) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The entry held of an address.
    pub(crate) fn entry(
        &self,
        id: &ConnectionId,
        registration: i64,
        uri: &str,
    ) -> Option<Arc<SkillEntry>> {
        self.with(|all| {
            all.clock += 1;
            let now = all.clock;
            let server = all.servers.get_mut(id)?;
            server.used = now;
            let is_current = server.registration == registration;
            server.entries.get(uri).filter(|_| is_current).cloned()
        })
    }

    /// Notes entries just seen; `None` for one that is not valid any more. What was not seen
    /// stays: a list that lacks a skill says nothing about it.
    pub(crate) fn see(
        &self,
        id: &ConnectionId,
        registration: i64,
        seen: Vec<(String, Option<Arc<SkillEntry>>)>,
    ) {
        self.with(|all| {
            all.clock += 1;
            let now = all.clock;
            let server = all.servers.entry(id.clone()).or_default();
            if server.registration > registration {
                return;
            }
            if server.registration < registration {
                *server = OfServer::default();
            }
            server.registration = registration;
            server.used = now;
            let addresses: HashSet<String> = seen.iter().map(|(uri, _)| uri.clone()).collect();
            for (uri, entry) in seen {
                match entry {
                    Some(entry) => server.insert(uri, entry),
                    None => server.remove(&uri),
                }
            }
            if server.bytes > SERVER_MAX {
                server.entries.retain(|uri, _| addresses.contains(uri));
                server.bytes = server.entries.values().map(|entry| weight(entry)).sum();
            }
            all.shrink();
        });
    }

    /// Forgets a connection.
    pub(crate) fn forget(&self, id: &ConnectionId) {
        self.with(|all| drop(all.servers.remove(id)));
    }

    /// Name and address of everything held of a connection.
    pub(crate) fn names(&self, id: &ConnectionId, registration: i64) -> Vec<(String, String)> {
        self.with(|all| {
            let server = all.servers.get(id);
            let server = server.filter(|server| server.registration == registration);
            let entries = server
                .into_iter()
                .flat_map(|server| server.entries.values());
            entries
                .map(|entry| (entry.name.clone(), entry.uri.clone()))
                .collect()
        })
    }
}

impl All {
    fn shrink(&mut self) {
        let mut bytes: usize = self.servers.values().map(|server| server.bytes).sum();
        while bytes > ALL_MAX && self.servers.len() > 1 {
            let oldest = self.servers.iter().min_by_key(|(_, server)| server.used);
            let Some((id, _)) = oldest else { return };
            let id = id.clone();
            if let Some(server) = self.servers.remove(&id) {
                bytes = bytes.saturating_sub(server.bytes);
            }
        }
    }
}

/// About how many bytes an entry takes.
fn weight(entry: &SkillEntry) -> usize {
    let head: usize = entry
        .frontmatter
        .iter()
        .chain(
            entry
                .meta
                .iter()
                .filter_map(|meta| meta.as_object())
                .flatten(),
        )
        .map(|(key, value)| key.len() + value.to_string().len() + OVERHEAD)
        .sum();
    let files: usize = match &entry.resources {
        Resources::Dynamic => 0,
        Resources::Listed(files) => files
            .iter()
            .map(|file| file.uri.len() + file.digest.len() + OVERHEAD)
            .sum(),
    };
    2 * entry.uri.len() + entry.name.len() + entry.description.len() + head + files + OVERHEAD
}

#[cfg(test)]
mod tests {
    use contract::rules::skills::manifest::SkillResource;

    use super::*;

    fn entry(uri: &str, files: usize) -> Arc<SkillEntry> {
        let file = |number| SkillResource {
            uri: format!("{uri}/{number}"),
            digest: "x".repeat(71),
            size: 1,
        };
        Arc::new(SkillEntry {
            uri: uri.to_owned(),
            name: "a".to_owned(),
            description: String::new(),
            frontmatter: serde_json::Map::new(),
            resources: Resources::Listed((0..files).map(file).collect()),
            meta: None,
        })
    }

    #[test]
    fn entries_count_for_one_registration_and_one_connection() {
        let held = Held::default();
        let (one, other) = (ConnectionId::from("1"), ConnectionId::from("2"));
        held.see(&one, 1, vec![("a".to_owned(), Some(entry("a", 1)))]);
        assert!(held.entry(&one, 1, "a").is_some());
        assert!(held.entry(&other, 1, "a").is_none());
        assert!(held.entry(&one, 2, "a").is_none());
        held.see(&one, 2, vec![("b".to_owned(), Some(entry("b", 1)))]);
        assert!(
            held.entry(&one, 2, "a").is_none(),
            "of the registration before"
        );
        held.see(&one, 1, vec![("a".to_owned(), Some(entry("a", 1)))]);
        assert!(
            held.entry(&one, 2, "b").is_some(),
            "a late answer changes nothing"
        );
        held.see(&one, 2, vec![("b".to_owned(), None)]);
        assert!(held.entry(&one, 2, "b").is_none(), "not valid any more");
        held.forget(&one);
        assert!(held.names(&one, 2).is_empty());
    }

    #[test]
    fn what_is_held_is_bounded() {
        let held = Held::default();
        let one = ConnectionId::from("1");
        // Each about 2 MiB.
        for number in 0..40 {
            let uri = format!("skill-{number}");
            held.see(&one, 1, vec![(uri.clone(), Some(entry(&uri, 10_000)))]);
        }
        assert!(held.entry(&one, 1, "skill-39").is_some());
        assert!(held.entry(&one, 1, "skill-0").is_none());
        assert!(held.with(|all| {
            all.servers
                .values()
                .all(|server| server.bytes <= SERVER_MAX)
        }));
        for number in 2..12 {
            let id = ConnectionId::from(number.to_string().as_str());
            let uri = format!("skill-{number}");
            held.see(&id, 1, vec![(uri.clone(), Some(entry(&uri, 120_000)))]);
        }
        let bytes = held.with(|all| all.servers.values().map(|one| one.bytes).sum::<usize>());
        assert!(bytes <= ALL_MAX, "{bytes}");
        assert!(
            held.entry(&ConnectionId::from("11"), 1, "skill-11")
                .is_some()
        );
        assert!(held.names(&one, 1).is_empty(), "asked longest ago");
    }
}
