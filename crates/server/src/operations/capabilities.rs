//! The composed read of what an agent may use (contract section 4).

use std::sync::Arc;

use contract::agents::Agent;
use contract::capabilities::{AgentAccess, Capabilities, Tool};
use contract::grants::{AgentGrantRow, GrantRow, Scope};
use contract::rules::explain::AgentView;
use contract::rules::fold::{Layer, decide, fold};
use contract::{AgentId, UserId};

use super::chain::{chain_of, layers, rows_of};
use crate::cache::ReadyAnswer;
use crate::catalog::CatalogEntry;
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::{agents, grants};

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
    let chain = chain_of(&mut reading, user, &stored).await?;
    let rows = rows_of(&mut reading, user, &chain).await?;
    drop(reading);
    let view = compose(&state.catalog, &stored.agent, &layers(&chain, &rows), &rows);
    let body = serde_json::to_vec(&view).map_err(ApiError::internal)?;
    let ready = Arc::new(ReadyAnswer::new(generation, body));
    state.answers.put(user.clone(), agent, Arc::clone(&ready));
    Ok(ready)
}

/// Computes the capabilities of an agent from stored rows.
fn compose(
    catalog: &[CatalogEntry],
    agent: &Agent,
    layers: &[Layer],
    rows: &[GrantRow],
) -> Capabilities {
    let resolved = fold(layers);
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
    Capabilities {
        agent_id: agent.id.clone(),
        init_script: agent.init_script.clone(),
        permissions: agent.permissions,
        tools,
        grants: resolved,
        agent_grant_row: own_row(agent, rows),
    }
}

fn own_row(agent: &Agent, rows: &[GrantRow]) -> Option<AgentGrantRow> {
    let own = rows
        .iter()
        .find(|row| row.scope_type == Scope::Agent && row.scope_id == agent.id.0)?;
    Some(AgentGrantRow {
        id: own.id.clone(),
        allow: own.allow.clone(),
        deny: own.deny.clone(),
        note: own.note.clone(),
        revision: own.revision,
    })
}

/// Counts the tools of many agents by state, in the order asked; agents that are not the user's
/// are left out.
pub async fn summaries(
    state: &AppState,
    user: &UserId,
    ids: &[String],
) -> Result<Vec<AgentAccess>, ApiError> {
    let mut reading = state.store.read().await?;
    let rows = grants::list(&mut reading, user).await?;
    let mut views: Vec<(Agent, Vec<Layer>)> = Vec::new();
    for id in ids {
        if let Some(stored) = agents::find(&mut reading, user, id).await? {
            let chain = chain_of(&mut reading, user, &stored).await?;
            views.push((stored.agent, layers(&chain, &rows)));
        }
    }
    drop(reading);
    let state = state.clone();
    // Large catalogs make this costly; requests of others go on meanwhile.
    tokio::task::spawn_blocking(move || {
        views
            .into_iter()
            .map(|(agent, layers)| summary(&state.catalog, agent, &layers, &rows))
            .collect()
    })
    .await
    .map_err(ApiError::internal)
}

fn summary(
    catalog: &[CatalogEntry],
    agent: Agent,
    layers: &[Layer],
    rows: &[GrantRow],
) -> AgentAccess {
    let own = own_row(&agent, rows);
    let chain = fold(layers).chain;
    let view = AgentView::from_rows(&chain, rows, own.as_ref(), agent.permissions);
    let tools = catalog
        .iter()
        .map(|tool| (tool.name.as_str(), tool.gated_by.as_ref()));
    AgentAccess {
        summary: view.summary(tools),
        agent_id: agent.id,
    }
}
