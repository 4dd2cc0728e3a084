//! Skills that MCP servers publish (skills contract section 1). Nothing here is asked for before an
//! operator asks: files least of all.

use contract::ids::ConnectionId;
use contract::mcp_skills::{
    DirectoryView, McpSkill, McpSkillAddress, McpSkillApprove, McpSkillFileAddress,
    McpSkillFileContent, McpSkillListing,
};
use gloo_net::http::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{ApiError, Call, Client, get, send};

fn path(connection: &ConnectionId, rest: &str) -> String {
    format!("api/mcp-connections/{connection}/skills{rest}")
}

async fn post<B: Serialize, T: DeserializeOwned>(
    client: &Client,
    connection: &ConnectionId,
    rest: &str,
    body: &B,
) -> Result<T, ApiError> {
    send(
        client,
        Call::new(Method::POST, &path(connection, rest)).body(body)?,
    )
    .await
}

/// What the server lists now.
pub async fn list(client: &Client, connection: &ConnectionId) -> Result<McpSkillListing, ApiError> {
    get(client, &path(connection, "")).await
}

/// One skill by its address, listed or not.
pub async fn by_address(
    client: &Client,
    connection: &ConnectionId,
    uri: &str,
) -> Result<McpSkill, ApiError> {
    let body = McpSkillAddress {
        uri: uri.to_owned(),
    };
    post(client, connection, "/get", &body).await
}

/// Fetches every file of a skill and compares it with the server's own list.
pub async fn verify(
    client: &Client,
    connection: &ConnectionId,
    uri: &str,
) -> Result<McpSkill, ApiError> {
    let body = McpSkillAddress {
        uri: uri.to_owned(),
    };
    post(client, connection, "/verify", &body).await
}

/// Fetches one file to be looked at.
pub async fn read(
    client: &Client,
    connection: &ConnectionId,
    skill: &str,
    uri: &str,
) -> Result<McpSkillFileContent, ApiError> {
    let body = McpSkillFileAddress {
        skill: skill.to_owned(),
        uri: uri.to_owned(),
    };
    post(client, connection, "/read", &body).await
}

/// What a directory of a skill holds now.
pub async fn directory(
    client: &Client,
    connection: &ConnectionId,
    skill: &str,
    uri: &str,
) -> Result<DirectoryView, ApiError> {
    let body = McpSkillFileAddress {
        skill: skill.to_owned(),
        uri: uri.to_owned(),
    };
    post(client, connection, "/directory", &body).await
}

/// Approves the content that was shown, by its fingerprint.
pub async fn approve(
    client: &Client,
    connection: &ConnectionId,
    uri: &str,
    fingerprint: &str,
) -> Result<McpSkill, ApiError> {
    let body = McpSkillApprove {
        uri: uri.to_owned(),
        fingerprint: Some(fingerprint.to_owned()),
    };
    let path = path(connection, "/approval");
    send(client, Call::new(Method::PUT, &path).body(&body)?).await
}

/// Withdraws the approval.
pub async fn withdraw(
    client: &Client,
    connection: &ConnectionId,
    uri: &str,
) -> Result<McpSkill, ApiError> {
    let body = McpSkillApprove {
        uri: uri.to_owned(),
        fingerprint: None,
    };
    let path = path(connection, "/approval");
    send(client, Call::new(Method::DELETE, &path).body(&body)?).await
}
