//! The composed read of what an agent may use (contract section 4).

use std::sync::Arc;

use contract::capabilities::{Capabilities, Tool};
use contract::grants::{AgentGrantRow, GrantRow, Scope};
use contract::rules::fold::{decide, fold};
use contract::{AgentId, UserId};

use super::grants::{chain_of, layers};
use crate::cache::ReadyAnswer;
use crate::catalog::CatalogEntry;
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::agents::Stored;
use crate::store::{Connection, grants};

/// The answer for one agent, from memory when nothing of the account changed since.
pub async fn answer(
    state: &AppState,
    user: &UserId,
    id: &str,
) -> Result<Arc<ReadyAnswer>, ApiError> {
    let agent = AgentId::from(id);
    // Read before the data: see the cache for why.
    let generation = state.live.generation(user);
    if let Some(ready) = state.answers.get(user, &agent, generation) {
        return Ok(ready);
    }
    let mut reading = state.store.read().await?;
    let stored = super::agents::find(&mut reading, user, id).await?;
    let rows = grants::list(&mut reading, user).await?;
    let view = compose(&mut reading, &state.catalog, user, &stored, &rows).await?;
    drop(reading);
    let body = serde_json::to_vec(&view).map_err(ApiError::internal)?;
    let ready = Arc::new(ReadyAnswer::new(generation, body));
    state.answers.put(user.clone(), agent, Arc::clone(&ready));
    Ok(ready)
}

/// Computes the capabilities of an agent from stored rows.
pub(crate) async fn compose(
    connection: &mut Connection,
    catalog: &[CatalogEntry],
    user: &UserId,
    stored: &Stored,
    rows: &[GrantRow],
) -> Result<Capabilities, ApiError> {
    let chain = chain_of(connection, user, stored).await?;
    let resolved = fold(&layers(&chain, rows));
    let agent = &stored.agent;
    let tools = catalog
        .iter()
        .map(|tool| {
            let decision = decide(&resolved, &tool.name);
            let permission_enabled = match &tool.gated_by {
                None => true,
                Some(flag) => agent.permissions.get(flag).unwrap_or_default(),
            };
            Tool {
                name: tool.name.clone(),
                description: tool.description.clone(),
                gated_by_permission: tool.gated_by.clone(),
                source: tool.source.clone(),
                permission_enabled,
                effective: permission_enabled && decision.allowed,
                decision,
            }
        })
        .collect();
    let own = rows
        .iter()
        .find(|row| row.scope_type == Scope::Agent && row.scope_id == agent.id.0);
    Ok(Capabilities {
        agent_id: agent.id.clone(),
        init_script: agent.init_script.clone(),
        permissions: agent.permissions,
        tools,
        grants: resolved,
        agent_grant_row: own.map(|row| AgentGrantRow {
            id: row.id.clone(),
            allow: row.allow.clone(),
            deny: row.deny.clone(),
            note: row.note.clone(),
            revision: row.revision,
        }),
    })
}
