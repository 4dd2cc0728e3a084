//! Agents (contract section 3.2).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use contract::agents::{Agent, AgentRemoved};
use contract::requests::{agents as requests, lists};
use contract::server::Page;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::{agents, lifecycle};
use crate::request::{Body, Id, NoQuery, Query};
use crate::state::AppState;

/// `GET /api/agents`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<Page<Agent>>, ApiError> {
    let request = lists::list(&query).map_err(ApiError::Problems)?;
    Ok(Json(agents::list(&state, &caller.user_id, &request).await?))
}

/// `GET /api/agents/:id`.
pub(super) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Agent>, ApiError> {
    Ok(Json(agents::get(&state, &caller.user_id, &id).await?))
}

/// `POST /api/agents`.
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<Agent>), ApiError> {
    let request = requests::create(&body).map_err(ApiError::Problems)?;
    let made = agents::create(&state, &caller.actor(), request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `PATCH /api/agents/:id`.
pub(super) async fn change(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<Agent>, ApiError> {
    let request = requests::patch(&body).map_err(ApiError::Problems)?;
    Ok(Json(
        agents::patch(&state, &caller.actor(), &id, request).await?,
    ))
}

/// `DELETE /api/agents/:id`: archives, or with `?hard=true` deletes for good.
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    Id(id): Id,
    Query(query): Query,
) -> Result<Json<AgentRemoved>, ApiError> {
    lists::only(&query, &["hard"]).map_err(ApiError::Problems)?;
    let hard = query.get("hard").is_some_and(|hard| hard == "true");
    if hard {
        lifecycle::delete(&state, &caller.actor(), &id).await?;
    } else {
        lifecycle::archive(&state, &caller.actor(), &id).await?;
    }
    Ok(Json(AgentRemoved {
        archived: !hard,
        deleted: hard,
    }))
}

/// `POST /api/agents/:id/pause`.
pub(super) async fn pause(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Agent>, ApiError> {
    Ok(Json(lifecycle::pause(&state, &caller.actor(), &id).await?))
}

/// `POST /api/agents/:id/resume`.
pub(super) async fn resume(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Agent>, ApiError> {
    Ok(Json(lifecycle::resume(&state, &caller.actor(), &id).await?))
}

/// `POST /api/agents/:id/unarchive`.
pub(super) async fn unarchive(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Agent>, ApiError> {
    Ok(Json(
        lifecycle::unarchive(&state, &caller.actor(), &id).await?,
    ))
}
