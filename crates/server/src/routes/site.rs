//! Health and public configuration (contract section 1, "Public probes").

use axum::Json;
use axum::extract::State;
use contract::server::{AuthConfig, Features, Health, Limits, PublicConfig};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::operations::accounts;
use crate::request::BODY_MAX;
use crate::state::AppState;

/// `GET /api/health`: the process answers.
pub(super) async fn health() -> Json<Health> {
    Json(Health {
        status: "success".to_owned(),
        message: "API is up and running".to_owned(),
    })
}

/// `GET /api/health/ready`: the database answers as well.
pub(super) async fn ready(State(state): State<AppState>) -> Result<Json<Value>, ApiError> {
    accounts::registration_is_open(&state).await?;
    let up = json!({"database": {"status": "up"}});
    Ok(Json(json!({
        "status": "ok",
        "info": up,
        "error": {},
        "details": up,
        "version": {"name": "remit", "version": env!("CARGO_PKG_VERSION")},
    })))
}

/// `GET /api/config`.
pub(super) async fn config(State(state): State<AppState>) -> Result<Json<PublicConfig>, ApiError> {
    Ok(Json(PublicConfig {
        features: Features {
            email_verification_required: false,
            magic_link_enabled: false,
            anonymous_auth_enabled: false,
            grant_revisions: true,
            events: true,
            stdio_mcp: state.settings.allow_stdio_mcp,
        },
        auth: AuthConfig {
            providers: Vec::new(),
            registration_open: accounts::registration_is_open(&state).await?,
        },
        limits: Limits {
            body_limit: u64::try_from(BODY_MAX).unwrap_or(u64::MAX),
        },
    }))
}
