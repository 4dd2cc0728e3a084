//! Moments: milliseconds since 1970-01-01 UTC inside, ISO-8601 text with milliseconds outside.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::well_known::{Iso8601, Rfc3339};

static LAST: AtomicI64 = AtomicI64::new(0);

/// The wall clock.
pub fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|age| i64::try_from(age.as_millis()).ok())
        .unwrap_or_default()
}

/// A moment to store: the wall clock, but later than every moment stored before it by this
/// process, so that lists ordered by time have one order and a change always changes `updatedAt`.
pub fn stamp() -> i64 {
    let wall = now();
    let previous = LAST
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
            Some(wall.max(last + 1))
        })
        .unwrap_or_default();
    wall.max(previous + 1)
}

/// The wire form, such as `2026-08-22T16:04:56.000Z`.
pub fn iso(milliseconds: i64) -> String {
    let moment = OffsetDateTime::from_unix_timestamp(milliseconds.div_euclid(1000))
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        moment.year(),
        u8::from(moment.month()),
        moment.day(),
        moment.hour(),
        moment.minute(),
        moment.second(),
        milliseconds.rem_euclid(1000)
    )
}

/// Reads the wire form back; `None` for anything that is not a moment. A date without a time is
/// midnight UTC.
pub fn from_iso(text: &str) -> Option<i64> {
    let midnight;
    let full = if text.len() == 10 {
        midnight = format!("{text}T00:00:00Z");
        &midnight
    } else {
        text
    };
    let moment = OffsetDateTime::parse(full, &Rfc3339)
        .or_else(|_| OffsetDateTime::parse(full, &Iso8601::DEFAULT))
        .ok()?;
    i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_form_reads_back() {
        for moment in [0, 1, 999, 1_790_000_000_123] {
            assert_eq!(from_iso(&iso(moment)), Some(moment));
        }
        assert_eq!(iso(1_790_000_000_123), "2026-09-21T14:13:20.123Z");
        assert_eq!(from_iso("1970-01-02"), Some(86_400_000));
        assert_eq!(from_iso("1970-01-01T01:00:00+01:00"), Some(0));
        assert_eq!(from_iso("soon"), None);
    }

    #[test]
    fn stamps_only_grow() {
        let stamps: Vec<i64> = (0..100).map(|_| stamp()).collect();
        assert!(stamps.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
