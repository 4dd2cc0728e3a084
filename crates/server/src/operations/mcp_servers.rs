//! An agent's state of each MCP server (contract section 7.3).

use contract::UserId;
use contract::connections::{AgentConnection, BindingSource, Enabled};
use contract::events::{Actor, ChangeKind};
use contract::grants::Scope;
use serde_json::json;

use super::connections::find as find_connection;
use super::{Entry, account, record};
use crate::clock;
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::agents::Stored as StoredAgent;
use crate::store::connections::Stored;
use crate::store::users::User;
use crate::store::{WriteTx, connections, mcp_overrides};

/// Who decides about a server for an agent, and whether it would be on if the connection is
/// enabled.
pub(super) fn binding(tenant: Option<bool>, own: Option<bool>) -> (BindingSource, bool) {
    match (own, tenant) {
        (Some(enabled), _) => (BindingSource::Agent, enabled),
        (None, Some(enabled)) => (BindingSource::Tenant, enabled),
        (None, None) => (BindingSource::Unbound, false),
    }
}

/// The state of a connection for an agent with that override.
pub(super) fn row(stored: Stored, own: Option<bool>) -> AgentConnection {
    let (binding_source, on) = binding(stored.tenant_binding, own);
    AgentConnection {
        effective_enabled: stored.connection.enabled && on,
        inherited_from_tenant: binding_source == BindingSource::Tenant,
        binding_source,
        tenant_enabled: stored.tenant_binding,
        override_enabled: own,
        connection: stored.connection,
    }
}

/// One entry per connection of the caller, oldest first.
pub async fn list(
    state: &AppState,
    user: &UserId,
    agent: &str,
) -> Result<Vec<AgentConnection>, ApiError> {
    let mut reading = state.store.read().await?;
    super::agents::find(&mut reading, user, agent).await?;
    let own = mcp_overrides::of_agent(&mut reading, agent).await?;
    let stored = connections::list(&mut reading, user).await?;
    let rows = stored.into_iter().map(|stored| {
        let own = own.get(stored.connection.id.as_str()).copied();
        row(stored, own)
    });
    Ok(rows.collect())
}

/// Stores the agent's override. A connection that is disabled for the whole workspace takes it
/// as well; it stays without effect until the connection is enabled.
pub async fn put(
    state: &AppState,
    actor: &Actor,
    agent: &str,
    id: &str,
    request: Enabled,
) -> Result<AgentConnection, ApiError> {
    let (mut writing, write) = Write::begin(state, actor, agent, id).await?;
    let after = Some(request.enabled);
    // An equal override is no change and leaves no trace.
    if write.before != after {
        let now = clock::stamp();
        mcp_overrides::save(&mut writing, id, agent, request.enabled, now).await?;
        write.record(&mut writing, actor, after, now).await?;
        state.commit(writing).await?;
    }
    Ok(row(write.stored, after))
}

/// Removes the agent's override; without one nothing happens.
pub async fn delete(
    state: &AppState,
    actor: &Actor,
    agent: &str,
    id: &str,
) -> Result<AgentConnection, ApiError> {
    let (mut writing, write) = Write::begin(state, actor, agent, id).await?;
    if write.before.is_some() {
        mcp_overrides::delete(&mut writing, id, agent).await?;
        write
            .record(&mut writing, actor, None, clock::stamp())
            .await?;
        state.commit(writing).await?;
    }
    Ok(row(write.stored, None))
}

/// What a write of an override is about.
struct Write {
    user: User,
    agent: StoredAgent,
    stored: Stored,
    before: Option<bool>,
}

impl Write {
    async fn begin(
        state: &AppState,
        actor: &Actor,
        agent: &str,
        id: &str,
    ) -> Result<(WriteTx, Self), ApiError> {
        let mut writing = state.store.write().await?;
        let user = account(&mut writing, &actor.user_id).await?;
        let agent = super::agents::find(&mut writing, &actor.user_id, agent).await?;
        let stored = find_connection(&mut writing, &actor.user_id, id).await?;
        let own = mcp_overrides::of_agent(&mut writing, agent.agent.id.as_str()).await?;
        let before = own.get(id).copied();
        let write = Self {
            user,
            agent,
            stored,
            before,
        };
        Ok((writing, write))
    }

    async fn record(
        &self,
        writing: &mut WriteTx,
        actor: &Actor,
        after: Option<bool>,
        now: i64,
    ) -> Result<(), ApiError> {
        let agent = &self.agent.agent;
        let name = &self.stored.connection.name;
        let (action_type, verb) = match after {
            Some(true) => ("mcp_server_override_set", "switched on"),
            Some(false) => ("mcp_server_override_set", "switched off"),
            None => ("mcp_server_override_removed", "reset to inherited"),
        };
        let content = |enabled: Option<bool>| enabled.map(|enabled| json!({"enabled": enabled}));
        let entry = Entry {
            action_type,
            summary: format!("MCP server {name} {verb} for agent {}", agent.name),
            details: json!({
                "resourceType": "mcpBinding",
                "resourceId": self.stored.connection.id,
                "agentId": agent.id,
                "connectionName": name,
                "actor": actor,
                "before": content(self.before),
                "after": content(after),
            }),
            work_id: agent.work_id.as_ref().map(|id| id.0.clone()),
            agent_id: Some(agent.id.clone()),
            kind: ChangeKind::McpBinding,
            resource_id: self.stored.connection.id.as_str(),
            scope: Some((Scope::Agent, agent.id.0.clone())),
            at: now,
        };
        record(writing, &self.user, actor, entry).await
    }
}
