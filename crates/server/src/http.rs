//! The layers around all requests: ids, logging, cross-origin rules, conditional reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{OriginalUri, Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, CONTENT_LENGTH,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::{Failure, internal_error, no_route};
use crate::secrets::weak_tag;
use crate::state::AppState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// Gives each request an id of ours, logs how it ended, and finishes what inner layers leave
/// without a body.
pub(crate) async fn observe(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let id = format!(
        "{}-{:x}",
        state.process,
        REQUESTS.fetch_add(1, Ordering::Relaxed)
    );
    let method = request.method().clone();
    // The path only: queries and fragments never reach the log.
    let path = request.uri().path().to_owned();
    let begun = Instant::now();
    let mut response = next.run(request).await;
    if response.status() == StatusCode::GATEWAY_TIMEOUT
        && !response.headers().contains_key(CONTENT_TYPE)
    {
        let body = json!({"statusCode": 504, "message": "The request took too long"});
        response = (StatusCode::GATEWAY_TIMEOUT, Json(body)).into_response();
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let status = response.status().as_u16();
    let milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
    if let Some(Failure(cause)) = response.extensions_mut().remove::<Failure>() {
        tracing::error!(request = id, %method, path, status, cause, "request failed");
    } else if status >= 500 {
        tracing::error!(request = id, %method, path, status, "request failed");
    } else {
        tracing::debug!(request = id, %method, path, status, milliseconds, "request");
    }
    response
}

/// The answer after a handler panicked; the log gets the message.
#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature the panic layer wants"
)]
pub(crate) fn after_panic(panic: Box<dyn std::any::Any + Send>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message");
    let mut response = internal_error();
    response
        .extensions_mut()
        .insert(Failure(format!("panic: {message}")));
    response
}

/// 404 for paths and methods that do not exist.
pub(crate) async fn not_found(method: Method, OriginalUri(uri): OriginalUri) -> Response {
    no_route(&method, uri.path())
}

/// API answers are private, and caches must revalidate them.
pub(crate) async fn api_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("private, no-cache"));
    response
}

/// The cross-origin rules of contract section 2.2: listed origins are echoed with a fixed set of
/// methods and headers, others get no such headers and their preflights find no route.
pub(crate) async fn cors(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let allowed = &state.settings.allowed_origins;
    if allowed.is_empty() {
        return next.run(request).await;
    }
    let origin = request.headers().get(ORIGIN).cloned();
    let listed = origin.filter(|origin| {
        origin
            .to_str()
            .is_ok_and(|origin| allowed.iter().any(|one| one == origin))
    });
    let Some(origin) = listed else {
        let mut response = next.run(request).await;
        vary_by_origin(response.headers_mut());
        return response;
    };
    let preflight = request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if preflight {
        let headers = [
            (
                ACCESS_CONTROL_ALLOW_METHODS,
                "GET,POST,PUT,DELETE,PATCH,OPTIONS",
            ),
            (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type,Authorization"),
        ];
        (StatusCode::NO_CONTENT, headers).into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        ACCESS_CONTROL_ALLOW_CREDENTIALS,
        HeaderValue::from_static("true"),
    );
    vary_by_origin(headers);
    response
}

fn vary_by_origin(headers: &mut HeaderMap) {
    headers.append(VARY, HeaderValue::from_static("Origin"));
}

/// Gives JSON answers of GET a weak entity tag and answers 304 when the client has that version.
pub(crate) async fn conditional(request: Request, next: Next) -> Response {
    if request.method() != Method::GET {
        return next.run(request).await;
    }
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    if response.status() != StatusCode::OK || !is_json(response.headers()) {
        return response;
    }
    let response = match response.headers().get(ETAG) {
        Some(_) => response,
        None => match tagged(response).await {
            Ok(response) => response,
            Err(failed) => return failed,
        },
    };
    let current = response.headers().get(ETAG);
    let same = match (&known, current) {
        (Some(known), Some(current)) => names_tag(known, current),
        _ => false,
    };
    if !same {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.remove(axum::http::header::CONTENT_ENCODING);
    Response::from_parts(parts, Body::empty())
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}

async fn tagged(response: Response) -> Result<Response, Response> {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.map_err(|error| {
        let mut failed = internal_error();
        failed.extensions_mut().insert(Failure(error.to_string()));
        failed
    })?;
    if let Ok(tag) = HeaderValue::from_str(&weak_tag(&bytes)) {
        parts.headers.insert(ETAG, tag);
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

/// Whether `If-None-Match` names a tag, by weak comparison.
fn names_tag(header: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(header), Ok(tag)) = (header.to_str(), tag.to_str()) else {
        return false;
    };
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    header.trim() == "*" || header.split(',').any(|one| opaque(one) == opaque(tag))
}
