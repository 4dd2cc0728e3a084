//! Environments: runtime recipes agents can be given (contract section 9).

use contract::agents::{AgentUse, AgentUses};
use contract::environments::{Environment, EnvironmentCreate, EnvironmentList, EnvironmentPatch};
use contract::ids::EnvironmentId;
use gloo_net::http::Method;
use serde_json::Value;

use super::{ApiError, Call, Client, get, send};

/// All of the account, drafts included, latest change first.
pub async fn all(client: &Client) -> Result<Vec<Environment>, ApiError> {
    let list: EnvironmentList = get(client, "api/environments").await?;
    Ok(list.data)
}

/// One environment.
pub async fn one(client: &Client, id: &EnvironmentId) -> Result<Environment, ApiError> {
    get(client, &format!("api/environments/{id}")).await
}

/// Makes an environment, as a draft.
pub async fn create(client: &Client, row: &EnvironmentCreate) -> Result<Environment, ApiError> {
    send(
        client,
        Call::new(Method::POST, "api/environments").body(row)?,
    )
    .await
}

/// Changes the fields that are set.
pub async fn patch(
    client: &Client,
    id: &EnvironmentId,
    patch: &EnvironmentPatch,
) -> Result<Environment, ApiError> {
    let path = format!("api/environments/{id}");
    send(client, Call::new(Method::PATCH, &path).body(patch)?).await
}

/// Lets agents be given it. There is no way back.
pub async fn publish(client: &Client, id: &EnvironmentId) -> Result<Environment, ApiError> {
    let path = format!("api/environments/{id}/publish");
    send(client, Call::new(Method::POST, &path)).await
}

/// Deletes an environment that no agent uses.
pub async fn delete(client: &Client, id: &EnvironmentId) -> Result<Value, ApiError> {
    send(
        client,
        Call::new(Method::DELETE, &format!("api/environments/{id}")),
    )
    .await
}

/// The agents that have it (Remit only).
pub async fn agents(client: &Client, id: &EnvironmentId) -> Result<Vec<AgentUse>, ApiError> {
    let list: AgentUses = get(client, &format!("api/environments/{id}/agents")).await?;
    Ok(list.data)
}
