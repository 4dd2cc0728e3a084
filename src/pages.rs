//! One page per address.

pub mod agent;
pub mod agents;
pub mod not_found;
pub mod rules;
pub mod settings;
pub mod sign_in;
pub mod skill;
