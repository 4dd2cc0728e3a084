//! Ready answers of the capabilities read, kept in memory within a byte budget.
//!
//! Safe because one process owns the database: an answer is tagged with the account's change
//! number read *before* its data, every commit raises that number, and an answer with an older
//! tag is never given out.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use contract::{AgentId, UserId};
use flate2::Compression;
use flate2::write::GzEncoder;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use crate::secrets::weak_tag;

/// A JSON answer, ready to send.
pub struct ReadyAnswer {
    generation: u64,
    /// The body.
    pub body: Bytes,
    /// Its weak entity tag.
    pub tag: String,
    compressed: OnceLock<Option<Bytes>>,
}

impl ReadyAnswer {
    /// Wraps a body computed from data read when the account was at `generation`.
    pub fn new(generation: u64, body: Vec<u8>) -> Self {
        Self {
            generation,
            tag: weak_tag(&body),
            body: body.into(),
            compressed: OnceLock::new(),
        }
    }

    /// The body in gzip, compressed once; `None` when that failed.
    pub fn gzip(&self) -> Option<Bytes> {
        self.compressed
            .get_or_init(|| {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(&self.body).ok()?;
                encoder.finish().ok().map(Bytes::from)
            })
            .clone()
    }
}

type Key = (UserId, AgentId);

#[derive(Clone)]
struct Bytewise;

impl Weighter<Key, Arc<ReadyAnswer>> for Bytewise {
    fn weight(&self, _: &Key, answer: &Arc<ReadyAnswer>) -> u64 {
        // The compressed copy comes later and is smaller than the body.
        u64::try_from(answer.body.len() * 3 / 2 + 512).unwrap_or(u64::MAX)
    }
}

/// The answers.
pub struct Answers(Cache<Key, Arc<ReadyAnswer>, Bytewise>);

/// Bytes the cache may hold.
const BUDGET: u64 = 12 * 1024 * 1024;
/// Answers expected in it.
const ANSWERS: usize = 1_000;

impl Default for Answers {
    fn default() -> Self {
        // One shard: with several, each had a part of the budget, and an answer larger than that
        // part was never kept.
        let options = OptionsBuilder::new()
            .estimated_items_capacity(ANSWERS)
            .weight_capacity(BUDGET)
            .shards(1)
            .build();
        Self(options.map_or_else(
            |_| Cache::with_weighter(ANSWERS, BUDGET, Bytewise),
            |options| {
                Cache::with_options(
                    options,
                    Bytewise,
                    DefaultHashBuilder::default(),
                    DefaultLifecycle::default(),
                )
            },
        ))
    }
}

impl Answers {
    /// The answer for an agent, if it is not older than `generation`.
    pub fn get(&self, user: &UserId, agent: &AgentId, generation: u64) -> Option<Arc<ReadyAnswer>> {
        self.0
            .get(&(user.clone(), agent.clone()))
            .filter(|answer| answer.generation == generation)
    }

    /// Keeps an answer.
    pub fn put(&self, user: UserId, agent: AgentId, answer: Arc<ReadyAnswer>) {
        self.0.insert((user, agent), answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(answers: &Answers, agent: &str, bytes: usize) -> bool {
        let (user, agent) = (UserId::from("u"), AgentId::from(agent));
        let answer = Arc::new(ReadyAnswer::new(7, vec![b'x'; bytes]));
        answers.put(user.clone(), agent.clone(), answer);
        answers.get(&user, &agent, 7).is_some()
    }

    #[test]
    fn large_answers_are_kept_within_the_budget() {
        let answers = Answers::default();
        assert!(keep(&answers, "a", 4_000_000));
        assert!(!keep(&answers, "b", 40_000_000));
        (0..100).for_each(|number| {
            keep(&answers, &number.to_string(), 1_000_000);
        });
        assert!(answers.0.weight() <= BUDGET);
    }

    #[test]
    fn an_older_answer_is_not_given_out() {
        let answers = Answers::default();
        assert!(keep(&answers, "a", 10));
        let (user, agent) = (UserId::from("u"), AgentId::from("a"));
        assert!(answers.get(&user, &agent, 8).is_none());
        let other = UserId::from("v");
        assert!(answers.get(&other, &agent, 7).is_none());
    }
}
