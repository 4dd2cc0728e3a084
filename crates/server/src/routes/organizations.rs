//! Organizations and Works (contract section 2.4).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use contract::organizations::{Organization, WorkAnswer};
use contract::requests::organizations as requests;
use serde_json::{Value, json};

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::organizations;
use crate::request::{Body, NoQuery, RawId};
use crate::state::AppState;

/// `GET /api/organizations`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<Vec<Organization>>, ApiError> {
    Ok(Json(organizations::list(&state, &caller.user_id).await?))
}

/// `POST /api/organizations`.
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<Organization>), ApiError> {
    let request = requests::organization(&body).map_err(ApiError::Problems)?;
    let made = organizations::create(&state, &caller.actor(), request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `GET /api/works`: all of them; `total`, `limit` and `offset` say so.
pub(super) async fn list_works(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<Value>, ApiError> {
    let works = organizations::list_works(&state, &caller.user_id).await?;
    let total = works.len();
    Ok(Json(json!({
        "status": "success", "works": works, "total": total, "limit": total, "offset": 0,
    })))
}

/// `GET /api/works/:id`.
pub(super) async fn work(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    RawId(id): RawId,
) -> Result<Json<WorkAnswer>, ApiError> {
    let work = organizations::work(&state, &caller.user_id, &id).await?;
    Ok(Json(answer(work)))
}

/// `POST /api/works`, which answers 200.
pub(super) async fn create_work(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<Json<WorkAnswer>, ApiError> {
    let request = requests::work(&body).map_err(ApiError::Problems)?;
    let work = organizations::create_work(&state, &caller.actor(), request).await?;
    Ok(Json(answer(work)))
}

fn answer(work: contract::organizations::Work) -> WorkAnswer {
    WorkAnswer {
        status: "success".to_owned(),
        work,
    }
}
