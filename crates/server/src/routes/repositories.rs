//! The repository registry and what is attached to agents (contract section 8).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use contract::repositories::{AgentRepository, Attachment, EnvFileContents, EnvFiles, Repository};
use contract::requests::repositories as requests;
use contract::server::Deleted;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::{attachments, repositories};
use crate::request::{Body, Id, NoQuery, Query, TwoIds};
use crate::state::AppState;

/// `GET /api/repo-connections`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<Vec<Repository>>, ApiError> {
    let derived = requests::list(&query).map_err(ApiError::Problems)?;
    let rows = repositories::list(&state, &caller.user_id, derived).await?;
    Ok(Json(rows))
}

/// `GET /api/repo-connections/:id`.
pub(super) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Repository>, ApiError> {
    Ok(Json(repositories::get(&state, &caller.user_id, &id).await?))
}

/// `POST /api/repo-connections`.
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<Repository>), ApiError> {
    let request = requests::create(&body).map_err(ApiError::Problems)?;
    let made = repositories::create(&state, &caller.actor(), request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `PATCH /api/repo-connections/:id`.
pub(super) async fn change(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<Repository>, ApiError> {
    let request = requests::patch(&body).map_err(ApiError::Problems)?;
    let changed = repositories::patch(&state, &caller.actor(), &id, request).await?;
    Ok(Json(changed))
}

/// `DELETE /api/repo-connections/:id`.
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Deleted>, ApiError> {
    repositories::delete(&state, &caller.actor(), &id).await?;
    Ok(Json(Deleted { deleted: true }))
}

/// `GET /api/repo-connections/:id/env-files`.
pub(super) async fn env_files(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<EnvFileContents>, ApiError> {
    let files = repositories::env_files(&state, &caller.user_id, &id).await?;
    Ok(Json(files))
}

/// `PUT /api/repo-connections/:id/env-files`.
pub(super) async fn put_env_files(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<EnvFiles>, ApiError> {
    let request = requests::env_files_put(&body).map_err(ApiError::Problems)?;
    let files = repositories::put_env_files(&state, &caller.actor(), &id, request).await?;
    Ok(Json(files))
}

/// `POST /api/repo-connections/import/github-app/:installationRepoId`.
pub(super) async fn import(_: Caller, _: NoQuery, _: Id) -> Result<Json<Repository>, ApiError> {
    repositories::import().map(Json)
}

/// `GET /api/agents/:agentId/repos`.
pub(super) async fn of_agent(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(agent): Id,
) -> Result<Json<Vec<AgentRepository>>, ApiError> {
    let rows = attachments::list(&state, &caller.user_id, &agent).await?;
    Ok(Json(rows))
}

/// `PUT /api/agents/:agentId/repos/:repoConnectionId`.
pub(super) async fn attach(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    TwoIds(agent, repository): TwoIds,
    Body(body): Body,
) -> Result<Json<Attachment>, ApiError> {
    let enabled = requests::attachment(&body).map_err(ApiError::Problems)?;
    let actor = caller.actor();
    let done = attachments::put(&state, &actor, &agent, &repository, enabled).await?;
    Ok(Json(done))
}

/// `DELETE /api/agents/:agentId/repos/:repoConnectionId`.
pub(super) async fn detach(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    TwoIds(agent, repository): TwoIds,
) -> Result<Json<Deleted>, ApiError> {
    attachments::delete(&state, &caller.actor(), &agent, &repository).await?;
    Ok(Json(Deleted { deleted: true }))
}
