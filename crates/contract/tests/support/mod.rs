//! Helpers of the test programs: a slow oracle of the grant rules, and generators.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "every test program includes these helpers and uses another part of them"
)]

pub mod cases;
pub mod generate;
pub mod oracle;
