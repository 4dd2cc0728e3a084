//! Signing in and out, profiles and API keys (contract section 2.3).

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use contract::auth::{
    ApiKey, ApiKeyCreated, FreshProfile, Profile, SESSION_SECONDS, Session, TokenResponse,
};
use contract::requests::auth as requests;
use serde_json::{Value, json};

use crate::clock::iso;
use crate::credentials::{COOKIE_NAME, Caller};
use crate::error::ApiError;
use crate::guard::is_same_origin;
use crate::operations::accounts;
use crate::request::{Body, NoQuery, RawId};
use crate::state::AppState;

/// `GET /api/auth/providers`.
pub(super) async fn providers() -> Json<Value> {
    Json(json!({"emailPassword": true, "magicLink": false, "socialProviders": []}))
}

/// `POST /api/auth/register`.
pub(super) async fn register(
    State(state): State<AppState>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, ApiError> {
    let request = requests::register(&body).map_err(ApiError::Problems)?;
    let answer = accounts::register(&state, request).await?;
    signed_in(&state, &headers, StatusCode::CREATED, answer)
}

/// `POST /api/auth/login`.
pub(super) async fn login(
    State(state): State<AppState>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, ApiError> {
    let request = requests::login(&body).map_err(ApiError::Problems)?;
    let answer = accounts::login(&state, request).await?;
    signed_in(&state, &headers, StatusCode::OK, answer)
}

/// `POST /api/auth/link` (Remit only): exchanges the one-time link for a session.
pub(super) async fn link(
    State(state): State<AppState>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, ApiError> {
    let request = requests::link(&body).map_err(ApiError::Problems)?;
    let answer = accounts::login_by_link(&state, &request.token).await?;
    signed_in(&state, &headers, StatusCode::OK, answer)
}

/// Answers with the token and, unless another site's page asked, sets the session cookie.
fn signed_in(
    state: &AppState,
    headers: &HeaderMap,
    status: StatusCode,
    answer: TokenResponse,
) -> Result<Response, ApiError> {
    let cookie = cookie(state, &answer.access_token, SESSION_SECONDS)?;
    let mut response = (status, Json(answer)).into_response();
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if is_same_origin(headers) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

fn cookie(state: &AppState, token: &str, seconds: i64) -> Result<HeaderValue, ApiError> {
    let path = &state.settings.base_path;
    let secure = if state.settings.secure_cookie {
        "; Secure"
    } else {
        ""
    };
    HeaderValue::from_str(&format!(
        "{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path={path}; Max-Age={seconds}{secure}"
    ))
    .map_err(ApiError::internal)
}

/// `GET /api/auth/session` (Remit only). Sessions only; an API key has none.
pub(super) async fn session(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<Session>, ApiError> {
    let session = caller.session.ok_or(ApiError::Unauthorized)?;
    Ok(Json(Session {
        user: accounts::fresh_profile(&state, &caller.user_id).await?,
        csrf_token: session.csrf_token,
        expires_at: iso(session.expires_at),
    }))
}

/// `GET /api/auth/profile`.
pub(super) async fn profile(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<Profile>, ApiError> {
    let by_session = caller.session.is_some();
    Ok(Json(
        accounts::profile(&state, &caller.user_id, by_session).await?,
    ))
}

/// `GET /api/auth/profile/fresh`.
pub(super) async fn fresh_profile(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<FreshProfile>, ApiError> {
    Ok(Json(
        accounts::fresh_profile(&state, &caller.user_id).await?,
    ))
}

/// `POST /api/auth/logout`: ends the session that asks. An API key is not ended by it.
pub(super) async fn logout(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Response, ApiError> {
    if caller.session.is_some() {
        accounts::logout(&state, &caller.credential.fingerprint).await?;
    }
    signed_out(&state, "Logged out successfully")
}

/// `POST /api/auth/logout-all`: ends all sessions of the account.
pub(super) async fn logout_all(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Response, ApiError> {
    accounts::logout_all(&state, &caller.user_id).await?;
    signed_out(&state, "Logged out from all devices successfully")
}

fn signed_out(state: &AppState, message: &str) -> Result<Response, ApiError> {
    let mut response = Json(json!({"message": message})).into_response();
    let cookie = cookie(state, "", 0)?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

/// `GET /api/auth/api-keys`.
pub(super) async fn list_keys(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
) -> Result<Json<Vec<ApiKey>>, ApiError> {
    Ok(Json(accounts::list_keys(&state, &caller.user_id).await?))
}

/// `POST /api/auth/api-keys`.
pub(super) async fn create_key(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<ApiKeyCreated>), ApiError> {
    let request = requests::api_key(&body).map_err(ApiError::Problems)?;
    let made = accounts::create_key(&state, &caller.user_id, request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `DELETE /api/auth/api-keys/:id`.
pub(super) async fn delete_key(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    RawId(id): RawId,
) -> Result<Json<Value>, ApiError> {
    accounts::delete_key(&state, &caller.user_id, &id).await?;
    Ok(Json(json!({"message": "API key deleted successfully"})))
}
