//! MCP connections: the registry, each agent's state of a connection, and the tools of servers.

use contract::connections::{
    AffectedAgents, AgentConnection, AgentConnectionList, AgentServerTools, Connection,
    ConnectionCreate, ConnectionList, ConnectionPatch, ConnectionTest, ConnectionTools, Enabled,
};
use contract::ids::{AgentId, ConnectionId};
use contract::server::Deleted;
use gloo_net::http::Method;

use super::{ApiError, Call, Client, get, send};

/// Every connection of the account with one agent's state of it.
pub async fn of_agent(client: &Client, agent: &AgentId) -> Result<Vec<AgentConnection>, ApiError> {
    let list: AgentConnectionList = get(client, &format!("api/agents/{agent}/mcp-servers")).await?;
    Ok(list.data)
}

/// Writes an agent's override.
pub async fn set_override(
    client: &Client,
    agent: &AgentId,
    connection: &ConnectionId,
    enabled: bool,
) -> Result<AgentConnection, ApiError> {
    let path = format!("api/agents/{agent}/mcp-servers/{connection}");
    send(
        client,
        Call::new(Method::PUT, &path).body(&Enabled { enabled })?,
    )
    .await
}

/// Removes an agent's override.
pub async fn drop_override(
    client: &Client,
    agent: &AgentId,
    connection: &ConnectionId,
) -> Result<AgentConnection, ApiError> {
    let path = format!("api/agents/{agent}/mcp-servers/{connection}");
    send(client, Call::new(Method::DELETE, &path)).await
}

/// The known tools of the servers that are on for an agent. A control plane that does not offer
/// the question lists none.
pub async fn tools_of_agent(
    client: &Client,
    agent: &AgentId,
) -> Result<AgentServerTools, ApiError> {
    match get(client, &format!("api/agents/{agent}/mcp-tools")).await {
        Err(ApiError::Missing(said)) if said.starts_with("Cannot GET") => {
            Ok(AgentServerTools { data: Vec::new() })
        }
        answer => answer,
    }
}

/// The registry, oldest first.
pub async fn list(client: &Client) -> Result<Vec<Connection>, ApiError> {
    let list: ConnectionList = get(client, "api/mcp-connections").await?;
    Ok(list.data)
}

/// One connection.
pub async fn one(client: &Client, id: &ConnectionId) -> Result<Connection, ApiError> {
    get(client, &format!("api/mcp-connections/{id}")).await
}

/// Registers a server.
pub async fn create(
    client: &Client,
    connection: &ConnectionCreate,
) -> Result<Connection, ApiError> {
    send(
        client,
        Call::new(Method::POST, "api/mcp-connections").body(connection)?,
    )
    .await
}

/// Changes the fields that are set.
pub async fn patch(
    client: &Client,
    id: &ConnectionId,
    patch: &ConnectionPatch,
) -> Result<Connection, ApiError> {
    send(
        client,
        Call::new(Method::PATCH, &format!("api/mcp-connections/{id}")).body(patch)?,
    )
    .await
}

/// Removes a connection and every override of it.
pub async fn remove(client: &Client, id: &ConnectionId) -> Result<Deleted, ApiError> {
    send(
        client,
        Call::new(Method::DELETE, &format!("api/mcp-connections/{id}")),
    )
    .await
}

/// Connects and asks for the tools, for this answer only. The outcome is in the answer.
pub async fn test(client: &Client, id: &ConnectionId) -> Result<ConnectionTest, ApiError> {
    send(
        client,
        Call::new(Method::POST, &format!("api/mcp-connections/{id}/test")),
    )
    .await
}

/// Connects anew and reads the tools again.
pub async fn refresh(client: &Client, id: &ConnectionId) -> Result<Connection, ApiError> {
    send(
        client,
        Call::new(Method::POST, &format!("api/mcp-connections/{id}/refresh")),
    )
    .await
}

/// The last listing of a server, with what was left out.
pub async fn tools(client: &Client, id: &ConnectionId) -> Result<ConnectionTools, ApiError> {
    get(client, &format!("api/mcp-connections/{id}/tools")).await
}

/// The agents that disabling or removing a connection reaches.
pub async fn agents(client: &Client, id: &ConnectionId) -> Result<AffectedAgents, ApiError> {
    get(client, &format!("api/mcp-connections/{id}/agents")).await
}
