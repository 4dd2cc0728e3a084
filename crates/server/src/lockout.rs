//! Failed sign-ins: five in a row lock an address for a quarter of an hour (contract section
//! 2.3). Unknown addresses lock as well, so that a lock says nothing about which accounts exist.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Failures after which an address is locked.
pub(crate) const FAILURES_MAX: u32 = 5;
/// How long, in milliseconds.
pub(crate) const LOCKED_FOR: i64 = 15 * 60 * 1000;
/// Addresses remembered.
const ADDRESSES_MAX: usize = 20_000;

#[derive(Clone, Copy, Default)]
struct Record {
    failures: u32,
    /// When the failures are forgotten, or the lock ends.
    until: i64,
}

/// Counts failures per address.
#[derive(Default)]
pub struct Lockout(Mutex<HashMap<String, Record>>);

impl Lockout {
    /// Whether the address may not sign in now, whatever the password.
    pub fn is_locked(&self, address: &str, now: i64) -> bool {
        let records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        records
            .get(address)
            .is_some_and(|record| record.failures >= FAILURES_MAX && record.until > now)
    }

    /// Notes a failure.
    pub fn failed(&self, address: &str, now: i64) {
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if records.len() >= ADDRESSES_MAX {
            records.retain(|_, record| record.until > now);
        }
        if records.len() >= ADDRESSES_MAX && !records.contains_key(address) {
            return;
        }
        let record = records.entry(address.to_owned()).or_default();
        if record.until <= now {
            record.failures = 0;
        }
        record.failures += 1;
        record.until = now + LOCKED_FOR;
    }

    /// Forgets the failures of an address that signed in.
    pub fn succeeded(&self, address: &str) {
        let mut records = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        records.remove(address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_after_five_failures_for_fifteen_minutes() {
        let lockout = Lockout::default();
        for moment in 0..4 {
            lockout.failed("a", moment);
            assert!(!lockout.is_locked("a", moment));
        }
        lockout.failed("a", 4);
        assert!(lockout.is_locked("a", 5));
        assert!(!lockout.is_locked("b", 5));
        assert!(lockout.is_locked("a", 4 + LOCKED_FOR - 1));
        assert!(!lockout.is_locked("a", 4 + LOCKED_FOR));
    }

    #[test]
    fn success_forgets() {
        let lockout = Lockout::default();
        (0..4).for_each(|moment| lockout.failed("a", moment));
        lockout.succeeded("a");
        lockout.failed("a", 9);
        assert!(!lockout.is_locked("a", 10));
    }
}
