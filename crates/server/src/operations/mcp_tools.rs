//! The tools of MCP servers: their names in grants, and what an agent may do with them.

use std::sync::Arc;

use contract::capabilities::{Tool, ToolSource};
use contract::connections::{AgentServerTools, DroppedTool, ServerTools};
use contract::grants::ResolvedGrants;
use contract::rules::fold::{decide, fold};
use contract::rules::permissions::Flag;
use contract::rules::tool_names::{Naming, name_all};
use contract::{AgentId, UserId};

use super::chain::{chain_of, layers, rows_of};
use super::mcp_servers::binding;
use crate::cache::ReadyAnswer;
use crate::error::ApiError;
use crate::mcp::ListedTool;
use crate::state::AppState;
use crate::store::connections::Stored;
use crate::store::{connections, mcp_overrides};

/// Without this flag no tool of a server is ever assembled (contract section 7.3).
const GATE: Flag = Flag::CanCallExternalTools;

/// What each tool of a listing is called in grants, or why it is left out.
pub(super) fn names(state: &AppState, stored: &Stored, listed: &[ListedTool]) -> Vec<Naming> {
    let tools = listed.iter().map(|tool| tool.name.as_str());
    let catalog = state.catalog.iter().map(|tool| tool.name.as_str());
    name_all(&stored.connection.name, tools, catalog)
}

/// The answer for one agent, from memory when nothing of the account changed since.
pub async fn answer(
    state: &AppState,
    user: &UserId,
    id: &str,
) -> Result<Arc<ReadyAnswer>, ApiError> {
    let agent = AgentId::from(id);
    // Read before the data: see the cache for why.
    let generation = state.live.generation(user);
    if let Some(ready) = state.tool_answers.get(user, &agent, generation) {
        return Ok(ready);
    }
    let mut reading = state.store.read().await?;
    let stored = super::agents::find(&mut reading, user, id).await?;
    let chain = chain_of(&mut reading, user, &stored).await?;
    let rows = rows_of(&mut reading, user, &chain).await?;
    let own = mcp_overrides::of_agent(&mut reading, id).await?;
    let mut servers = Vec::new();
    for server in connections::list(&mut reading, user).await? {
        let id = server.connection.id.as_str();
        let (_, on) = binding(server.tenant_binding, own.get(id).copied());
        if server.connection.enabled && on {
            let listed = connections::tools(&mut reading, id).await?;
            servers.push((server, listed));
        }
    }
    drop(reading);
    let resolved = fold(&layers(&chain, &rows));
    let permitted = stored.agent.permissions.get(&GATE).unwrap_or_default();
    let shared = state.clone();
    // Thousands of tools take a while to judge; requests of others go on meanwhile.
    let body = tokio::task::spawn_blocking(move || {
        let data = servers
            .into_iter()
            .map(|(server, listed)| judged(&shared, server, listed, &resolved, permitted))
            .collect();
        serde_json::to_vec(&AgentServerTools { data })
    })
    .await
    .map_err(ApiError::internal)?
    .map_err(ApiError::internal)?;
    let ready = Arc::new(ReadyAnswer::new(generation, body));
    state
        .tool_answers
        .put(user.clone(), agent, Arc::clone(&ready));
    Ok(ready)
}

/// The tools of one server with the verdict on each.
fn judged(
    state: &AppState,
    server: Stored,
    listed: Vec<ListedTool>,
    resolved: &ResolvedGrants,
    permitted: bool,
) -> ServerTools {
    let mut tools = Vec::new();
    let mut dropped = Vec::new();
    let names = names(state, &server, &listed);
    for (tool, naming) in listed.into_iter().zip(names) {
        match naming {
            Naming::Dropped(reason) => dropped.push(DroppedTool {
                name: tool.name,
                reason,
            }),
            Naming::Named(name) => {
                let decision = decide(resolved, &name);
                tools.push(Tool {
                    name,
                    description: tool.description,
                    gated_by_permission: Some(GATE),
                    source: ToolSource::Mcp,
                    permission_enabled: permitted,
                    effective: permitted && decision.allowed,
                    decision,
                });
            }
        }
    }
    let health = server.connection.health;
    ServerTools {
        connection_id: server.connection.id,
        server: server.connection.name,
        truncated: health.as_ref().is_some_and(|health| health.tools_truncated),
        read_at: health.and_then(|health| health.tools_read_at),
        tools,
        dropped,
    }
}
