//! Request limits: three tiers per route and client in fixed windows (contract section 1.3).

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The limits of one route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests per minute, 1000 unless the route has its own.
    pub long: u32,
    /// Requests per hour instead of per minute, for routes that want it.
    pub window_long: i64,
}

impl Limits {
    /// `long` requests per minute.
    pub const fn per_minute(long: u32) -> Self {
        Self {
            long,
            window_long: 60_000,
        }
    }
}

/// Requests per second and per ten seconds, on every route.
const SHORT: (u32, i64) = (50, 1_000);
const MEDIUM: (u32, i64) = (300, 10_000);
/// Clients remembered; above this those whose windows ended are forgotten.
const CLIENTS_MAX: usize = 20_000;

#[derive(Clone, Copy, Default)]
struct Window {
    used: u32,
    ends_at: i64,
}

/// Counts requests.
pub struct Throttle {
    counters: Mutex<HashMap<u64, [Window; 3]>>,
    hasher: RandomState,
}

/// What the counters say about one request.
pub struct Verdict {
    tiers: [(u32, Window); 3],
    now: i64,
    /// Whether the request is within all limits.
    pub allowed: bool,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            counters: Mutex::new(HashMap::new()),
            hasher: RandomState::new(),
        }
    }
}

impl Throttle {
    /// Counts a request of `client` to `route`.
    pub fn count(
        &self,
        route: impl std::hash::Hash,
        client: &str,
        limits: Limits,
        now: i64,
    ) -> Verdict {
        let key = self.hasher.hash_one((route, client));
        let tiers = [SHORT, MEDIUM, (limits.long, limits.window_long)];
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if counters.len() >= CLIENTS_MAX && !counters.contains_key(&key) {
            counters.retain(|_, windows| windows.iter().any(|window| window.ends_at > now));
            if counters.len() >= CLIENTS_MAX {
                counters.clear();
            }
        }
        let windows = counters.entry(key).or_default();
        let mut allowed = true;
        for (window, (limit, length)) in windows.iter_mut().zip(tiers) {
            if window.ends_at <= now {
                *window = Window {
                    used: 0,
                    ends_at: now + length,
                };
            }
            window.used = window.used.saturating_add(1);
            allowed &= window.used <= limit;
        }
        let [short, medium, long] = *windows;
        Verdict {
            tiers: [(SHORT.0, short), (MEDIUM.0, medium), (limits.long, long)],
            now,
            allowed,
        }
    }
}

const NAMES: [[HeaderName; 4]; 3] = [
    [
        HeaderName::from_static("x-ratelimit-limit-short"),
        HeaderName::from_static("x-ratelimit-remaining-short"),
        HeaderName::from_static("x-ratelimit-reset-short"),
        HeaderName::from_static("retry-after-short"),
    ],
    [
        HeaderName::from_static("x-ratelimit-limit-medium"),
        HeaderName::from_static("x-ratelimit-remaining-medium"),
        HeaderName::from_static("x-ratelimit-reset-medium"),
        HeaderName::from_static("retry-after-medium"),
    ],
    [
        HeaderName::from_static("x-ratelimit-limit-long"),
        HeaderName::from_static("x-ratelimit-remaining-long"),
        HeaderName::from_static("x-ratelimit-reset-long"),
        HeaderName::from_static("retry-after-long"),
    ],
];

impl Verdict {
    /// Adds the limit headers of all tiers, and those saying when to retry for used-up tiers.
    pub fn describe(&self, headers: &mut HeaderMap) {
        for ([limit_name, remaining, reset, retry], (limit, window)) in
            NAMES.into_iter().zip(self.tiers)
        {
            let seconds = (window.ends_at - self.now + 999) / 1000;
            headers.insert(limit_name, HeaderValue::from(limit));
            headers.insert(
                remaining,
                HeaderValue::from(limit.saturating_sub(window.used)),
            );
            headers.insert(reset, HeaderValue::from(seconds));
            if window.used > limit {
                headers.insert(retry, HeaderValue::from(seconds));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tier_counts_per_route_and_client() {
        let throttle = Throttle::default();
        let limits = Limits::per_minute(2);
        let ask = |route: &str, client: &str, now| throttle.count(route, client, limits, now);
        assert!(ask("a", "x", 0).allowed);
        assert!(ask("a", "x", 1).allowed);
        let refused = ask("a", "x", 2);
        assert!(!refused.allowed);
        let mut headers = HeaderMap::new();
        refused.describe(&mut headers);
        assert_eq!(headers["x-ratelimit-limit-long"], "2");
        assert_eq!(headers["x-ratelimit-remaining-long"], "0");
        assert_eq!(headers["retry-after-long"], "60");
        assert!(!headers.contains_key("retry-after-short"));
        assert!(ask("b", "x", 2).allowed);
        assert!(ask("a", "y", 2).allowed);
        assert!(ask("a", "x", 60_000).allowed);
    }

    #[test]
    fn short_tier_bounds_bursts() {
        let throttle = Throttle::default();
        let limits = Limits::per_minute(1_000);
        let allowed = (0..60)
            .filter(|_| throttle.count("a", "x", limits, 5).allowed)
            .count();
        assert_eq!(allowed, 50);
    }
}
