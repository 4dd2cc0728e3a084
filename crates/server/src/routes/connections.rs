//! The registry of MCP servers (contract section 7.2).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use contract::connections::{AffectedAgents, Connection, ConnectionList};
use contract::requests::connections as requests;
use contract::server::Deleted;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::connections;
use crate::request::{Body, Id, NoQuery};
use crate::state::AppState;

/// `GET /api/mcp-connections`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<ConnectionList>, ApiError> {
    let data = connections::list(&state, &caller.user_id).await?;
    Ok(Json(ConnectionList { data }))
}

/// `GET /api/mcp-connections/:id`.
pub(super) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Connection>, ApiError> {
    Ok(Json(connections::get(&state, &caller.user_id, &id).await?))
}

/// `POST /api/mcp-connections`.
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<Connection>), ApiError> {
    let stdio = state.settings.allow_stdio_mcp;
    let request = requests::create(&body, stdio).map_err(ApiError::Problems)?;
    let made = connections::create(&state, &caller.actor(), request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `PATCH /api/mcp-connections/:id`.
pub(super) async fn change(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<Connection>, ApiError> {
    let stdio = state.settings.allow_stdio_mcp;
    let request = requests::patch(&body, stdio).map_err(ApiError::Problems)?;
    let changed = connections::patch(&state, &caller.actor(), &id, request).await?;
    Ok(Json(changed))
}

/// `DELETE /api/mcp-connections/:id`.
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Deleted>, ApiError> {
    connections::delete(&state, &caller.actor(), &id).await?;
    Ok(Json(Deleted { deleted: true }))
}

/// `GET /api/mcp-connections/:id/agents` (Remit only).
pub(super) async fn agents(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<AffectedAgents>, ApiError> {
    let data = connections::affected(&state, &caller.user_id, &id).await?;
    Ok(Json(AffectedAgents { data }))
}
