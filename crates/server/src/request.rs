//! Taking requests apart: JSON bodies, queries and ids in paths, with the contract's answers for
//! what cannot be read (sections 1 and 1.1).

use axum::body::{Bytes, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use contract::ids::is_uuid;
use contract::requests::lists::only;
use contract::requests::query_object;
use serde_json::{Map, Value};

use crate::error::ApiError;

/// Largest body, in bytes.
pub(crate) const BODY_MAX: usize = 1024 * 1024;
/// Most pairs of a query.
const QUERY_PAIRS_MAX: usize = 100;

/// A JSON body as an object. Another content type, an empty body or a list count as `{}`.
pub(crate) struct Body(pub Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let announced = request
            .headers()
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok())
            .and_then(|length| length.parse::<usize>().ok());
        if announced.is_some_and(|length| length > BODY_MAX) {
            return Err(ApiError::TooLarge);
        }
        let is_json = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .and_then(|kind| kind.split(';').next())
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        let bytes = read(request).await?;
        if !is_json || bytes.is_empty() {
            return Ok(Self(Map::new()));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(object)) => Ok(Self(object)),
            Ok(Value::Array(_)) => Ok(Self(Map::new())),
            Ok(_) => Err(ApiError::BadRequest(
                "The body must be a JSON object.".to_owned(),
            )),
            Err(error) => Err(ApiError::BadRequest(format!(
                "The body is not valid JSON: {error}"
            ))),
        }
    }
}

async fn read(request: Request) -> Result<Bytes, ApiError> {
    to_bytes(request.into_body(), BODY_MAX)
        .await
        .map_err(|error| {
            let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
            while let Some(inner) = cause {
                if inner.is::<http_body_util::LengthLimitError>() {
                    return ApiError::TooLarge;
                }
                cause = inner.source();
            }
            ApiError::BadRequest("The body could not be read.".to_owned())
        })
}

/// A query as an object of texts.
pub(crate) struct Query(pub Map<String, Value>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let text = parts.uri.query().unwrap_or_default();
        let pairs: Vec<(String, String)> = form_urlencoded::parse(text.as_bytes())
            .take(QUERY_PAIRS_MAX)
            .map(|(key, value)| (key.into_owned(), value.into_owned()))
            .collect();
        Ok(Self(query_object(&pairs)))
    }
}

/// An empty query: a key is refused by its name.
pub(crate) struct NoQuery;

impl<S: Send + Sync> FromRequestParts<S> for NoQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Query(query) = Query::from_request_parts(parts, state).await?;
        only(&query, &[]).map_err(ApiError::Problems)?;
        Ok(Self)
    }
}

/// The id in a path, checked to be a UUID.
pub(crate) struct Id(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let RawId(id) = RawId::from_request_parts(parts, state).await?;
        if is_uuid(&id) {
            return Ok(Self(id.to_ascii_lowercase()));
        }
        Err(ApiError::BadRequest(
            "Validation failed (uuid is expected)".to_owned(),
        ))
    }
}

/// Both ids in a path such as `/agents/:id/repos/:id`, checked to be UUIDs.
pub(crate) struct TwoIds(pub String, pub String);

impl<S: Send + Sync> FromRequestParts<S> for TwoIds {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path: Result<Path<(String, String)>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        match path {
            Ok(Path((first, second))) if is_uuid(&first) && is_uuid(&second) => Ok(Self(
                first.to_ascii_lowercase(),
                second.to_ascii_lowercase(),
            )),
            Ok(_) | Err(_) => Err(ApiError::BadRequest(
                "Validation failed (uuid is expected)".to_owned(),
            )),
        }
    }
}

/// The id in a path as it came, for the routes that answer 404 to anything unknown.
pub(crate) struct RawId(pub String);

impl<S: Send + Sync> FromRequestParts<S> for RawId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path: Result<Path<String>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        match path {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(ApiError::BadRequest(
                "Validation failed (uuid is expected)".to_owned(),
            )),
        }
    }
}
