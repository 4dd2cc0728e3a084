//! Tool-grant rows and what they resolve to.

use contract::grants::{Decision, GrantRow, GrantWrite, ResolvedGrants, Scope};
use contract::ids::{AgentId, GrantId};
use contract::rules::fold::{Layer, fold};
use contract::server::Deleted;
use gloo_net::http::Method;

use super::{ApiError, Call, Client, get, send};

/// Every row the account has stored, oldest first.
pub async fn rows(client: &Client) -> Result<Vec<GrantRow>, ApiError> {
    get(client, "api/tool-grants").await
}

/// What the chain of one agent resolves to.
pub async fn resolve(client: &Client, agent: &AgentId) -> Result<ResolvedGrants, ApiError> {
    get(client, &format!("api/tool-grants/resolve?agentId={agent}")).await
}

/// What the chain down to an organization, a Work or an agent resolves to. The endpoint knows no
/// other starting points: a tenant has nothing above it but the platform default.
pub async fn resolve_at(
    client: &Client,
    scope: &Scope,
    id: &str,
) -> Result<ResolvedGrants, ApiError> {
    let key = match scope {
        Scope::Organization => "organizationId",
        Scope::Work => "workId",
        Scope::Agent => "agentId",
        Scope::Default | Scope::Tenant | Scope::Unknown(_) => {
            return Ok(fold(&[Layer {
                scope: scope.clone(),
                id: Some(id.to_owned()),
                grant: None,
            }]));
        }
    };
    let id: String = js_sys::encode_uri_component(id).into();
    get(client, &format!("api/tool-grants/resolve?{key}={id}")).await
}

/// The server's own verdict on one tool of one agent.
pub async fn check(client: &Client, agent: &AgentId, tool: &str) -> Result<Decision, ApiError> {
    let tool: String = js_sys::encode_uri_component(tool).into();
    get(
        client,
        &format!("api/tool-grants/check?agentId={agent}&toolName={tool}"),
    )
    .await
}

/// What a write expects to find; only for servers that number the versions of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing in particular: the server has no versions.
    Anything,
    /// No row yet.
    Absent,
    /// This version.
    Version(String),
}

impl Expected {
    fn header(self) -> Option<(&'static str, String)> {
        match self {
            Self::Anything => None,
            Self::Absent => Some(("If-None-Match", "*".to_owned())),
            Self::Version(tag) => Some(("If-Match", tag)),
        }
    }
}

/// Stores one scope's row, replacing the whole of it.
pub async fn put(
    client: &Client,
    write: &GrantWrite,
    expected: Expected,
) -> Result<GrantRow, ApiError> {
    send(
        client,
        Call::new(Method::PUT, "api/tool-grants")
            .body(write)?
            .when(expected.header()),
    )
    .await
}

/// Deletes a row, so that its scope inherits again.
pub async fn delete(
    client: &Client,
    id: &GrantId,
    expected: Expected,
) -> Result<Deleted, ApiError> {
    send(
        client,
        Call::new(Method::DELETE, &format!("api/tool-grants/{id}")).when(expected.header()),
    )
    .await
}
