//! Skills that MCP servers publish (Remit only). Reading a file here is not loading a skill.

use axum::Json;
use axum::extract::State;
use contract::mcp_skills::{DirectoryView, McpSkill, McpSkillFileContent, McpSkillListing};
use contract::requests::mcp_skills as requests;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::mcp_skills;
use crate::request::{Body, Id, NoQuery};
use crate::state::AppState;

/// `GET /api/mcp-connections/:id/skills`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<McpSkillListing>, ApiError> {
    let listing = mcp_skills::list(&state, &caller.actor(), &id).await?;
    Ok(Json(listing))
}

/// `POST /api/mcp-connections/:id/skills/get`.
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<McpSkill>, ApiError> {
    let request = requests::address(&body).map_err(ApiError::Problems)?;
    let skill = mcp_skills::get(&state, &caller.actor(), &id, &request.uri).await?;
    Ok(Json(skill))
}

/// `POST /api/mcp-connections/:id/skills/read`.
pub(super) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<McpSkillFileContent>, ApiError> {
    let request = requests::file(&body).map_err(ApiError::Problems)?;
    let content = mcp_skills::read(&state, &caller.actor(), &id, &request).await?;
    Ok(Json(content))
}

/// `POST /api/mcp-connections/:id/skills/verify`.
pub(super) async fn verify(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<McpSkill>, ApiError> {
    let request = requests::address(&body).map_err(ApiError::Problems)?;
    let skill = mcp_skills::verify(&state, &caller.actor(), &id, &request.uri).await?;
    Ok(Json(skill))
}

/// `POST /api/mcp-connections/:id/skills/directory`.
pub(super) async fn directory(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<DirectoryView>, ApiError> {
    let request = requests::file(&body).map_err(ApiError::Problems)?;
    let view = mcp_skills::view_directory(&state, &caller.actor(), &id, &request).await?;
    Ok(Json(view))
}

/// `PUT /api/mcp-connections/:id/skills/approval`.
pub(super) async fn approve(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<McpSkill>, ApiError> {
    let request = requests::approve(&body).map_err(ApiError::Problems)?;
    let skill = mcp_skills::approve(&state, &caller.actor(), &id, request).await?;
    Ok(Json(skill))
}

/// `DELETE /api/mcp-connections/:id/skills/approval`.
pub(super) async fn withdraw(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<McpSkill>, ApiError> {
    let request = requests::address(&body).map_err(ApiError::Problems)?;
    let skill = mcp_skills::withdraw(&state, &caller.actor(), &id, &request.uri).await?;
    Ok(Json(skill))
}
