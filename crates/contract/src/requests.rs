//! Reading request bodies and queries: validation with the contract's wording (section 1.1), as
//! pure functions from JSON to a typed request or the list of problems.
//!
//! A body or query with an unknown key is refused whole. Optional fields may be `null`. Every
//! text has a longest length; lengths count characters (Unicode scalar values).

#![allow(
    clippy::option_option,
    reason = "a field can be absent, null or given, and PATCH treats all three differently"
)]

mod reader;

pub mod agents;
pub mod auth;
pub mod cadence;
pub mod connections;
pub mod environments;
pub mod grants;
pub mod lists;
pub mod organizations;
pub mod repositories;
pub mod skill_lint;

use serde_json::{Map, Value};

/// What was wrong with a request, one entry per broken rule, in the order of the fields.
pub type Problems = Vec<String>;

/// Turns decoded query pairs into one object: a key given once becomes a text, a repeated key a
/// list of texts (which no field accepts).
pub fn query_object(pairs: &[(String, String)]) -> Map<String, Value> {
    let mut object = Map::new();
    for (key, text) in pairs {
        let text = Value::String(text.clone());
        match object.get_mut(key) {
            None => {
                object.insert(key.clone(), text);
            }
            Some(Value::Array(list)) => list.push(text),
            Some(present) => {
                let first = present.take();
                *present = Value::Array(vec![first, text]);
            }
        }
    }
    object
}
