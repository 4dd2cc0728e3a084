//! Tool grants (contract section 5.2).

use axum::Json;
use axum::extract::State;
use axum::http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use contract::grants::{Decision, GrantRow, ResolvedGrants};
use contract::requests::grants as requests;
use contract::server::Deleted;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::grants::{self, Precondition};
use crate::request::{Body, NoQuery, Query, RawId};
use crate::state::AppState;

/// `GET /api/tool-grants`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<Vec<GrantRow>>, ApiError> {
    Ok(Json(grants::list(&state, &caller.user_id).await?))
}

/// `GET /api/tool-grants/resolve`.
pub(super) async fn resolve(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<ResolvedGrants>, ApiError> {
    let request = requests::resolve(&query).map_err(ApiError::Problems)?;
    Ok(Json(
        grants::resolve(&state, &caller.user_id, &request).await?,
    ))
}

/// `GET /api/tool-grants/check`: a refusal is still 200.
pub(super) async fn check(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<Decision>, ApiError> {
    let (request, tool) = requests::check(&query).map_err(ApiError::Problems)?;
    Ok(Json(
        grants::check(&state, &caller.user_id, &request, &tool).await?,
    ))
}

/// `PUT /api/tool-grants`, with the row's entity tag.
pub(super) async fn write(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, ApiError> {
    let request = requests::put(&body).map_err(ApiError::Problems)?;
    request.check().map_err(ApiError::BadRequest)?;
    let row = grants::put(
        &state,
        &caller.actor(),
        request.write,
        &precondition(&headers),
    )
    .await?;
    let tag = row.etag().and_then(|tag| HeaderValue::from_str(&tag).ok());
    let mut response = Json(row).into_response();
    if let Some(tag) = tag {
        response.headers_mut().insert(ETAG, tag);
    }
    Ok(response)
}

/// `DELETE /api/tool-grants/:id`.
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    headers: HeaderMap,
    RawId(id): RawId,
) -> Result<Json<Deleted>, ApiError> {
    grants::delete(&state, &caller.actor(), &id, &precondition(&headers)).await?;
    Ok(Json(Deleted { deleted: true }))
}

/// Reads the conditional headers. `If-Match` compares strongly, so weak tags match nothing.
fn precondition(headers: &HeaderMap) -> Precondition {
    let text = |name| {
        let values = headers.get_all(&name).iter();
        let texts: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
        headers.contains_key(name).then(|| texts.join(","))
    };
    if let Some(wanted) = text(IF_MATCH) {
        if wanted.trim() == "*" {
            return Precondition::Matches(Vec::new());
        }
        // One entry always stays, so that an unreadable header matches nothing instead of all.
        let tags = wanted.split(',').map(|tag| tag.trim().to_owned()).collect();
        return Precondition::Matches(tags);
    }
    match text(IF_NONE_MATCH) {
        Some(wanted) if wanted.trim() == "*" => Precondition::Absent,
        _ => Precondition::None,
    }
}
