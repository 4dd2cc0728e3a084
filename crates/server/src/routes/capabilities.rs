//! The composed capabilities read (contract section 4).

use axum::Json;
use axum::extract::State;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use contract::capabilities::AccessSummaries;
use contract::requests::lists::summaries as summaries_request;

use crate::cache::ReadyAnswer;
use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::capabilities;
use crate::request::{Id, NoQuery, Query};
use crate::state::AppState;

/// Bodies below this many bytes are sent as they are.
const COMPRESS_FROM: usize = 1_024;

/// `GET /api/agents/:id/capabilities`.
pub(super) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = capabilities::answer(&state, &caller.user_id, &id).await?;
    ready(&answer, &headers)
}

/// A ready answer as a response, compressed for who takes that.
pub(super) fn ready(answer: &ReadyAnswer, headers: &HeaderMap) -> Result<Response, ApiError> {
    let wants_gzip = headers
        .get(ACCEPT_ENCODING)
        .and_then(|accepted| accepted.to_str().ok())
        .is_some_and(|accepted| accepted.split(',').any(accepts_gzip));
    let compressed = (wants_gzip && answer.body.len() >= COMPRESS_FROM)
        .then(|| answer.gzip())
        .flatten();
    let mut response = match compressed {
        None => answer.body.clone().into_response(),
        Some(bytes) => ([(CONTENT_ENCODING, "gzip")], bytes).into_response(),
    };
    let set = response.headers_mut();
    set.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    set.insert(VARY, HeaderValue::from_static("accept-encoding"));
    let tag = HeaderValue::from_str(&answer.tag).map_err(ApiError::internal)?;
    set.insert(ETAG, tag);
    Ok(response)
}

/// `GET /api/access-summary` (Remit only): how many tools are on, off or locked, for many agents.
pub(super) async fn summaries(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<AccessSummaries>, ApiError> {
    let ids = summaries_request(&query).map_err(ApiError::Problems)?;
    let data = capabilities::summaries(&state, &caller.user_id, &ids).await?;
    Ok(Json(AccessSummaries { data }))
}

/// Whether one entry of `Accept-Encoding` takes gzip, that is, does not give it weight zero.
fn accepts_gzip(entry: &str) -> bool {
    let mut parts = entry.split(';').map(str::trim);
    parts.next() == Some("gzip")
        && !parts.any(|part| {
            part.strip_prefix("q=")
                .is_some_and(|q| q.parse() == Ok(0.0))
        })
}
