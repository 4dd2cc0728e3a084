//! Each agent's own state of an MCP connection.

use std::collections::HashMap;

use contract::UserId;
use contract::agents::AgentStatus;

use super::{Connection, StoreError};

/// The overrides of an agent by connection.
pub async fn of_agent(
    connection: &mut Connection,
    agent: &str,
) -> Result<HashMap<String, bool>, StoreError> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("SELECT connection_id, enabled FROM mcp_overrides WHERE agent_id = $1")
            .bind(agent)
            .fetch_all(connection)
            .await?;
    Ok(rows
        .into_iter()
        .map(|(id, enabled)| (id, enabled != 0))
        .collect())
}

/// Stores an override.
pub async fn save(
    connection: &mut Connection,
    id: &str,
    agent: &str,
    enabled: bool,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO mcp_overrides (connection_id, agent_id, enabled, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $4) ON CONFLICT (connection_id, agent_id) DO UPDATE SET \
         enabled = excluded.enabled, updated_at = excluded.updated_at",
    )
    .bind(id)
    .bind(agent)
    .bind(i64::from(enabled))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes an override.
pub async fn delete(connection: &mut Connection, id: &str, agent: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM mcp_overrides WHERE connection_id = $1 AND agent_id = $2")
        .bind(id)
        .bind(agent)
        .execute(connection)
        .await?;
    Ok(())
}

/// An agent with its override of one connection.
#[derive(sqlx::FromRow)]
pub struct AgentOverride {
    /// The agent.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its status.
    status: String,
    /// Its override, if any.
    enabled: Option<i64>,
}

impl AgentOverride {
    /// The agent's status.
    pub fn status(&self) -> AgentStatus {
        self.status.as_str().into()
    }

    /// What the override says.
    pub fn enabled(&self) -> Option<bool> {
        self.enabled.map(|enabled| enabled != 0)
    }
}

/// The account's agents that are not archived, by name, each with its override of a connection.
pub async fn agents(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Vec<AgentOverride>, StoreError> {
    sqlx::query_as(
        "SELECT agents.id, agents.name, agents.status, mcp_overrides.enabled FROM agents \
         LEFT JOIN mcp_overrides ON mcp_overrides.agent_id = agents.id \
         AND mcp_overrides.connection_id = $2 \
         WHERE agents.user_id = $1 AND agents.status <> 'archived' \
         ORDER BY LOWER(agents.name), agents.id",
    )
    .bind(user.as_str())
    .bind(id)
    .fetch_all(connection)
    .await
}
