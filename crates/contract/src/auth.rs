//! Accounts, sessions and API keys (contract section 2).

use serde::{Deserialize, Serialize};

use crate::ids::{OrganizationId, TenantId, UserId};
use crate::open::null_as_default;

/// Body of `POST /api/auth/register`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    /// Shown name, 3 characters or more.
    pub username: String,
    /// Sign-in address.
    pub email: String,
    /// 8 characters or more with a lower-case letter and a digit or symbol.
    pub password: String,
}

/// Body of `POST /api/auth/login`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// Sign-in address.
    pub email: String,
    /// The password.
    pub password: String,
}

/// Body of `POST /api/auth/link` (Remit only): exchanges the one-time link for a session.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkLogin {
    /// The part of the link after `#token=`.
    pub token: String,
}

/// Who a token belongs to, as login and register answer it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUser {
    /// The account.
    pub id: UserId,
    /// Sign-in address; absent for anonymous accounts.
    pub email: Option<String>,
    /// Shown name.
    pub username: Option<String>,
}

/// Answer of register, login and link.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenResponse {
    /// Opaque bearer token, valid for 7 days. The dashboard ignores it and uses its cookie.
    pub access_token: String,
    /// Whose it is.
    pub user: TokenUser,
}

/// Answer of `GET /api/auth/profile`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The account.
    pub id: UserId,
    /// The same identifier once more, as the reference answers it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user_id: UserId,
    /// Sign-in address.
    pub email: Option<String>,
    /// Shown name.
    pub username: Option<String>,
    /// How the account signs in, `local` here.
    #[serde(default)]
    pub provider: Option<String>,
    /// Whether the address was verified.
    #[serde(default, deserialize_with = "null_as_default")]
    pub email_verified: bool,
    /// Whether the account may be used.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_active: bool,
    /// Picture, never set here.
    #[serde(default)]
    pub avatar: Option<String>,
    /// Present for sessions, absent for API keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_anonymous: Option<bool>,
}

/// Answer of `GET /api/auth/profile/fresh`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FreshProfile {
    /// The account.
    pub id: UserId,
    /// Shown name.
    pub username: Option<String>,
    /// Short name for URLs.
    #[serde(default)]
    pub slug: Option<String>,
    /// Sign-in address.
    pub email: Option<String>,
    /// The account's tenant; `null` until its first organization exists.
    #[serde(default)]
    pub tenant_id: Option<TenantId>,
    /// The tenant's name (Remit only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_name: Option<String>,
    /// The organization last worked in.
    #[serde(default)]
    pub last_scope_organization_id: Option<OrganizationId>,
    /// When the account was made, ISO-8601 UTC.
    #[serde(default)]
    pub created_at: Option<String>,
}

/// Answer of `GET /api/auth/session` (Remit only): what a browser signed in by cookie needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The signed-in account.
    pub user: FreshProfile,
    /// Must be sent as `X-CSRF-Token` with every write that is authorised by the cookie.
    pub csrf_token: String,
    /// When the session ends, ISO-8601 UTC.
    pub expires_at: String,
}

/// Body of `POST /api/auth/api-keys`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyCreate {
    /// 1 to 100 characters.
    pub name: String,
    /// ISO-8601; absent means it never expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

/// Answer of `POST /api/auth/api-keys`; the only time `key` is shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyCreated {
    /// The stored key's identifier.
    pub id: String,
    /// The name given.
    pub name: String,
    /// The secret itself, 72 characters, starting with `ew_live_`.
    pub key: String,
    /// Its first 12 characters.
    pub prefix: String,
    /// When it stops working.
    pub expires_at: Option<String>,
    /// When it was made.
    pub created_at: String,
}

/// One entry of `GET /api/auth/api-keys`, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// The stored key's identifier.
    pub id: String,
    /// The name given.
    pub name: String,
    /// First 12 characters of the secret.
    pub prefix: String,
    /// When it stops working.
    #[serde(default)]
    pub expires_at: Option<String>,
    /// When it was last accepted.
    #[serde(default)]
    pub last_used_at: Option<String>,
    /// Whether it may be used.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_active: bool,
    /// When it was made.
    pub created_at: String,
}

/// The most API keys one account may have.
pub const API_KEYS_MAX: usize = 10;
/// How long a session or bearer token lasts, in seconds: 7 days, not extended by use.
pub const SESSION_SECONDS: i64 = 7 * 24 * 60 * 60;
/// Prefix that marks an API key.
pub const API_KEY_PREFIX: &str = "ew_live_";
