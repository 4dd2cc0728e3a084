//! The registry of repositories and what is attached to an agent (contract section 8).

use contract::agents::{AgentUse, AgentUses};
use contract::ids::{AgentId, RepositoryId};
use contract::repositories::{
    AgentRepository, Attachment, EnvFileContents, EnvFiles, Repository, RepositoryCreate,
    RepositoryPatch,
};
use gloo_net::http::Method;
use serde_json::{Value, json};

use super::{ApiError, Call, Client, get, send};

/// The whole registry by name, with the rows that are computed from Works.
pub async fn registry(client: &Client) -> Result<Vec<Repository>, ApiError> {
    get(client, "api/repo-connections?includeDerived=true").await
}

/// One row.
pub async fn one(client: &Client, id: &RepositoryId) -> Result<Repository, ApiError> {
    get(client, &format!("api/repo-connections/{id}")).await
}

/// Registers a repository.
pub async fn create(client: &Client, row: &RepositoryCreate) -> Result<Repository, ApiError> {
    send(
        client,
        Call::new(Method::POST, "api/repo-connections").body(row)?,
    )
    .await
}

/// Changes the fields that are set.
pub async fn patch(
    client: &Client,
    id: &RepositoryId,
    patch: &RepositoryPatch,
) -> Result<Repository, ApiError> {
    let path = format!("api/repo-connections/{id}");
    send(client, Call::new(Method::PATCH, &path).body(patch)?).await
}

/// Takes a repository out of the registry and away from every agent.
pub async fn delete(client: &Client, id: &RepositoryId) -> Result<Value, ApiError> {
    let path = format!("api/repo-connections/{id}");
    send(client, Call::new(Method::DELETE, &path)).await
}

/// What is in its environment files: the only read that shows it.
pub async fn env_files(client: &Client, id: &RepositoryId) -> Result<EnvFileContents, ApiError> {
    get(client, &format!("api/repo-connections/{id}/env-files")).await
}

/// Replaces all of its environment files.
pub async fn set_env_files(
    client: &Client,
    id: &RepositoryId,
    files: &EnvFileContents,
) -> Result<EnvFiles, ApiError> {
    let path = format!("api/repo-connections/{id}/env-files");
    send(client, Call::new(Method::PUT, &path).body(files)?).await
}

/// The registry as one agent sees it, by name.
pub async fn of_agent(client: &Client, agent: &AgentId) -> Result<Vec<AgentRepository>, ApiError> {
    get(client, &format!("api/agents/{agent}/repos")).await
}

/// Attaches a repository to an agent.
pub async fn attach(
    client: &Client,
    agent: &AgentId,
    id: &RepositoryId,
    enabled: bool,
) -> Result<Attachment, ApiError> {
    let path = format!("api/agents/{agent}/repos/{id}");
    let body = json!({ "enabled": enabled });
    send(client, Call::new(Method::PUT, &path).body(&body)?).await
}

/// Detaches a repository from an agent. It answers 404 when it was not attached.
pub async fn detach(
    client: &Client,
    agent: &AgentId,
    id: &RepositoryId,
) -> Result<Value, ApiError> {
    let path = format!("api/agents/{agent}/repos/{id}");
    send(client, Call::new(Method::DELETE, &path)).await
}

/// The agents that have it (Remit only).
pub async fn agents(client: &Client, id: &RepositoryId) -> Result<Vec<AgentUse>, ApiError> {
    let list: AgentUses = get(client, &format!("api/repo-connections/{id}/agents")).await?;
    Ok(list.data)
}
