//! Everything an endpoint can answer instead of success, as the status table of contract
//! section 1.1. Details of unexpected failures go to the log only.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use contract::grants::GrantConflict;
use serde_json::{Value, json};

use crate::store::StoreError;

/// A refused or failed request.
#[derive(Debug)]
pub enum ApiError {
    /// 400 with a list: fields broke rules.
    Problems(Vec<String>),
    /// 400 with one sentence.
    BadRequest(String),
    /// 401: no session, or one that ended.
    Unauthorized,
    /// 401: an API key was presented and is not valid.
    BadApiKey,
    /// 401 with a sentence: signing in was refused.
    SignInRefused(String),
    /// 403.
    Forbidden(String),
    /// 404 with a sentence.
    NotFound(String),
    /// 404 in the form Works answer it.
    WorkNotFound(String),
    /// 409.
    Conflict(String),
    /// 422.
    Unprocessable(String),
    /// 412: the grant row is not the one the client saw.
    Changed(Box<GrantConflict>),
    /// 413.
    TooLarge,
    /// 429.
    TooManyRequests,
    /// 500; the text is for the log.
    Internal(String),
}

impl ApiError {
    /// An unexpected failure.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "used as a function in map_err"
    )]
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::Internal(cause.to_string())
    }

    /// 404 for an agent, as the agent endpoints say it.
    pub fn no_agent(id: &str) -> Self {
        Self::NotFound(format!("Agent {id} not found."))
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::Internal(format!("the store failed: {error}"))
    }
}

/// Marks a response as an internal failure for the request log.
#[derive(Clone, Debug)]
pub struct Failure(pub String);

fn named(status: StatusCode, message: impl Into<Value>) -> (StatusCode, Value) {
    let error = status.canonical_reason().unwrap_or_default();
    let body = json!({
        "message": message.into(), "error": error, "statusCode": status.as_u16(),
    });
    (status, body)
}

fn plain(status: StatusCode, message: &str) -> (StatusCode, Value) {
    (
        status,
        json!({"statusCode": status.as_u16(), "message": message}),
    )
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, body) = match self {
            Self::Problems(problems) => named(StatusCode::BAD_REQUEST, problems),
            Self::BadRequest(text) => named(StatusCode::BAD_REQUEST, text),
            Self::Unauthorized => plain(StatusCode::UNAUTHORIZED, "Unauthorized"),
            Self::BadApiKey => named(StatusCode::UNAUTHORIZED, "Invalid or expired API key"),
            Self::SignInRefused(text) => plain(StatusCode::UNAUTHORIZED, &text),
            Self::Forbidden(text) => named(StatusCode::FORBIDDEN, text),
            Self::NotFound(text) => named(StatusCode::NOT_FOUND, text),
            Self::WorkNotFound(id) => (
                StatusCode::NOT_FOUND,
                json!({"status": "error", "message": format!("Work with id '{id}' not found")}),
            ),
            Self::Conflict(text) => named(StatusCode::CONFLICT, text),
            Self::Unprocessable(text) => named(StatusCode::UNPROCESSABLE_ENTITY, text),
            Self::Changed(conflict) => {
                return (StatusCode::PRECONDITION_FAILED, Json(*conflict)).into_response();
            }
            Self::TooLarge => plain(StatusCode::PAYLOAD_TOO_LARGE, "request entity too large"),
            Self::TooManyRequests => plain(
                StatusCode::TOO_MANY_REQUESTS,
                "ThrottlerException: Too Many Requests",
            ),
            Self::Internal(cause) => {
                let mut response = internal_error();
                response.extensions_mut().insert(Failure(cause));
                return response;
            }
        };
        (status, Json(body)).into_response()
    }
}

/// The answer to a request that failed for a reason the client cannot know.
pub fn internal_error() -> Response {
    let (status, body) = plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error");
    (status, Json(body)).into_response()
}

/// The answer to a path or method that is not there.
pub fn no_route(method: &axum::http::Method, path: &str) -> Response {
    ApiError::NotFound(format!("Cannot {method} {path}")).into_response()
}
