//! Environments (contract section 9).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use contract::environments::{Environment, EnvironmentList};
use contract::requests::environments as requests;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::environments;
use crate::request::{Body, Id, NoQuery, Query};
use crate::state::AppState;

/// `GET /api/environments`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<EnvironmentList>, ApiError> {
    let status = requests::list(&query).map_err(ApiError::Problems)?;
    let found = environments::list(&state, &caller.user_id, status.as_ref()).await?;
    Ok(Json(found))
}

/// `GET /api/environments/:id`.
pub(super) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Environment>, ApiError> {
    Ok(Json(environments::get(&state, &caller.user_id, &id).await?))
}

/// `POST /api/environments`.
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<Environment>), ApiError> {
    let request = requests::create(&body).map_err(ApiError::Problems)?;
    let made = environments::create(&state, &caller.actor(), request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `PATCH /api/environments/:id`.
pub(super) async fn change(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<Environment>, ApiError> {
    let request = requests::patch(&body).map_err(ApiError::Problems)?;
    let changed = environments::patch(&state, &caller.actor(), &id, request).await?;
    Ok(Json(changed))
}

/// `POST /api/environments/:id/publish`.
pub(super) async fn publish(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Environment>, ApiError> {
    let published = environments::publish(&state, &caller.actor(), &id).await?;
    Ok(Json(published))
}

/// `DELETE /api/environments/:id`: 204 with nothing in it.
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<StatusCode, ApiError> {
    environments::delete(&state, &caller.actor(), &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
