//! Sign-in, sign-out and who is signed in.

use contract::auth::{LinkLogin, Login, Register, Session, TokenResponse};
use contract::organizations::{Organization, WorkList};
use contract::server::PublicConfig;
use gloo_net::http::Method;

use super::{ApiError, Call, Client, get, send};

/// Who is signed in by cookie.
pub async fn session(client: &Client) -> Result<Session, ApiError> {
    get(client, "api/auth/session").await
}

/// What the control plane offers; readable without signing in.
pub async fn config(client: &Client) -> Result<PublicConfig, ApiError> {
    get(client, "api/config").await
}

/// Signs in with a password; the answer sets the cookie.
pub async fn login(client: &Client, login: &Login) -> Result<TokenResponse, ApiError> {
    send(
        client,
        Call::new(Method::POST, "api/auth/login")
            .body(login)?
            .proves_identity(),
    )
    .await
}

/// Makes the first account.
pub async fn register(client: &Client, register: &Register) -> Result<TokenResponse, ApiError> {
    send(
        client,
        Call::new(Method::POST, "api/auth/register")
            .body(register)?
            .proves_identity(),
    )
    .await
}

/// Signs in with the one-time link the server printed.
pub async fn link(client: &Client, link: &LinkLogin) -> Result<TokenResponse, ApiError> {
    send(
        client,
        Call::new(Method::POST, "api/auth/link")
            .body(link)?
            .proves_identity(),
    )
    .await
}

/// Ends the session.
pub async fn logout(client: &Client) -> Result<serde_json::Value, ApiError> {
    send(client, Call::new(Method::POST, "api/auth/logout")).await
}

/// The organizations of the account, newest first.
pub async fn organizations(client: &Client) -> Result<Vec<Organization>, ApiError> {
    get(client, "api/organizations").await
}

/// The Works of the account.
pub async fn works(client: &Client) -> Result<WorkList, ApiError> {
    get(client, "api/works").await
}
