//! What a control plane says about itself: health and public configuration.

use serde::{Deserialize, Serialize};

use crate::open::null_as_default;

/// Answer of `GET /api/health`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// `success`.
    pub status: String,
    /// A sentence for people.
    pub message: String,
}

/// Answer of `GET /api/config`, readable without signing in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PublicConfig {
    /// Which optional parts are on.
    #[serde(deserialize_with = "null_as_default")]
    pub features: Features,
    /// How people sign in.
    #[serde(deserialize_with = "null_as_default")]
    pub auth: AuthConfig,
    /// Limits of requests.
    #[serde(deserialize_with = "null_as_default")]
    pub limits: Limits,
}

/// Optional parts of a control plane. A missing flag means the part is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "the wire format is a set of independent flags"
)]
pub struct Features {
    /// New accounts must verify their address first.
    #[serde(deserialize_with = "null_as_default")]
    pub email_verification_required: bool,
    /// Sign-in by mailed link.
    #[serde(deserialize_with = "null_as_default")]
    pub magic_link_enabled: bool,
    /// Accounts without a sign-in.
    #[serde(deserialize_with = "null_as_default")]
    pub anonymous_auth_enabled: bool,
    /// Grant rows carry `revision`, and `If-Match` is honoured (Remit only).
    #[serde(deserialize_with = "null_as_default")]
    pub grant_revisions: bool,
    /// `GET /api/events` streams changes (Remit only).
    #[serde(deserialize_with = "null_as_default")]
    pub events: bool,
    /// MCP servers can be registered as child processes of the control plane (Remit only).
    #[serde(deserialize_with = "null_as_default")]
    pub stdio_mcp: bool,
}

/// How people sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct AuthConfig {
    /// Names of sign-in providers.
    #[serde(deserialize_with = "null_as_default")]
    pub providers: Vec<String>,
    /// Whether `POST /api/auth/register` would be accepted now (Remit only).
    #[serde(deserialize_with = "null_as_default")]
    pub registration_open: bool,
}

/// Limits of requests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Limits {
    /// Largest JSON body, in bytes.
    #[serde(deserialize_with = "null_as_default")]
    pub body_limit: u64,
}

/// Answer of deletions and similar acknowledgements such as `{"deleted":true}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Deleted {
    /// Whether something was deleted.
    #[serde(deserialize_with = "null_as_default")]
    pub deleted: bool,
}

/// Envelope of paged lists (contract section 1.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The rows of this page.
    pub data: Vec<T>,
    /// Where the page lies.
    pub meta: PageMeta,
}

/// Where a page lies. `limit` and `offset` echo the request; `total` counts all filtered rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageMeta {
    /// All rows that match the filters.
    pub total: u64,
    /// Rows asked for.
    pub limit: u64,
    /// Rows skipped.
    pub offset: u64,
}
