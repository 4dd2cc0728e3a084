//! What the records of writes to registries (repositories, environments, skills) have in common.

use contract::events::{Actor, ChangeKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Entry;
use crate::error::ApiError;

/// A kind of thing kept in a registry.
pub(crate) struct Registry {
    /// `details.resourceType` of its records.
    pub(crate) resource_type: &'static str,
    /// What listeners are told.
    pub(crate) kind: ChangeKind,
}

/// A write to a thing of a registry: how it looked before (`None` when it was made) and after
/// (`None` when it was deleted).
pub(crate) fn entry<'a, T: Serialize>(
    registry: Registry,
    actor: &Actor,
    id: &'a str,
    change: (Option<&T>, Option<&T>),
    action_type: &'static str,
    summary: String,
    at: i64,
) -> Result<Entry<'a>, ApiError> {
    let (before, after) = (as_object(change.0)?, as_object(change.1)?);
    let (before, after) = changed_fields(before.as_ref(), after.as_ref());
    let details = json!({
        "resourceType": registry.resource_type, "resourceId": id, "actor": actor,
        "before": before, "after": after,
    });
    Ok(Entry {
        action_type,
        summary,
        details,
        work_id: None,
        agent_id: None,
        kind: registry.kind,
        resource_id: id,
        scope: None,
        at,
    })
}

fn as_object<T: Serialize>(value: Option<&T>) -> Result<Option<Map<String, Value>>, ApiError> {
    match value.map(serde_json::to_value).transpose() {
        Ok(None) => Ok(None),
        Ok(Some(Value::Object(object))) => Ok(Some(object)),
        Ok(Some(_)) => Err(ApiError::internal("a resource is not a JSON object")),
        Err(error) => Err(ApiError::internal(error)),
    }
}

/// Of a change the fields that differ; of a new or a deleted thing all.
fn changed_fields(
    before: Option<&Map<String, Value>>,
    after: Option<&Map<String, Value>>,
) -> (Value, Value) {
    let (Some(old), Some(new)) = (before, after) else {
        return (json!(before), json!(after));
    };
    let differing = |one: &Map<String, Value>, other: &Map<String, Value>| {
        let fields = one
            .iter()
            // Every write moves it; the record has a moment of its own.
            .filter(|(key, value)| *key != "updatedAt" && other.get(*key) != Some(value));
        Value::Object(
            fields
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        )
    };
    (differing(old, new), differing(new, old))
}
