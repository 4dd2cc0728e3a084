//! An agent's state of each MCP server (contract section 7.3).

use axum::Json;
use axum::extract::State;
use contract::connections::{AgentConnection, AgentConnectionList};
use contract::requests::connections as requests;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::mcp_servers;
use crate::request::{Body, Id, NoQuery, TwoIds};
use crate::state::AppState;

/// `GET /api/agents/:agentId/mcp-servers`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(agent): Id,
) -> Result<Json<AgentConnectionList>, ApiError> {
    let data = mcp_servers::list(&state, &caller.user_id, &agent).await?;
    Ok(Json(AgentConnectionList { data }))
}

/// `PUT /api/agents/:agentId/mcp-servers/:connectionId`.
pub(super) async fn write(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    TwoIds(agent, id): TwoIds,
    Body(body): Body,
) -> Result<Json<AgentConnection>, ApiError> {
    let request = requests::enabled(&body).map_err(ApiError::Problems)?;
    let row = mcp_servers::put(&state, &caller.actor(), &agent, &id, request).await?;
    Ok(Json(row))
}

/// `DELETE /api/agents/:agentId/mcp-servers/:connectionId`.
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    TwoIds(agent, id): TwoIds,
) -> Result<Json<AgentConnection>, ApiError> {
    let row = mcp_servers::delete(&state, &caller.actor(), &agent, &id).await?;
    Ok(Json(row))
}
