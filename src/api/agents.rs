//! Agents and their capabilities.

use contract::agents::{Agent, AgentCreate, AgentPatch, AgentRemoved};
use contract::capabilities::{AccessSummaries, Capabilities};
use contract::events::AgentEvent;
use contract::ids::AgentId;
use contract::server::Page;
use gloo_net::http::Method;

use super::{ApiError, Call, Client, get, send};

/// One page of the fleet. `query` is the encoded query text without `?`.
pub async fn list(client: &Client, query: &str) -> Result<Page<Agent>, ApiError> {
    get(client, &format!("api/agents?{query}")).await
}

/// One agent.
pub async fn one(client: &Client, id: &AgentId) -> Result<Agent, ApiError> {
    get(client, &format!("api/agents/{id}")).await
}

/// The composed read of tools, flags and init script.
pub async fn capabilities(client: &Client, id: &AgentId) -> Result<Capabilities, ApiError> {
    get(client, &format!("api/agents/{id}/capabilities")).await
}

/// Counts of tools by state, for many agents at once.
pub async fn access(client: &Client, ids: &[AgentId]) -> Result<AccessSummaries, ApiError> {
    let ids: Vec<&str> = ids.iter().map(AgentId::as_str).collect();
    get(
        client,
        &format!("api/access-summary?agentIds={}", ids.join(",")),
    )
    .await
}

/// What happened to an agent, newest first.
pub async fn events(
    client: &Client,
    id: &AgentId,
    limit: u32,
) -> Result<Page<AgentEvent>, ApiError> {
    get(client, &format!("api/agents/{id}/events?limit={limit}")).await
}

/// Makes an agent.
pub async fn create(client: &Client, agent: &AgentCreate) -> Result<Agent, ApiError> {
    send(client, Call::new(Method::POST, "api/agents").body(agent)?).await
}

/// Changes the fields that are set.
pub async fn patch(client: &Client, id: &AgentId, patch: &AgentPatch) -> Result<Agent, ApiError> {
    send(
        client,
        Call::new(Method::PATCH, &format!("api/agents/{id}")).body(patch)?,
    )
    .await
}

/// A step of the life cycle that answers with the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    /// Suspend it.
    Pause,
    /// Let it run.
    Resume,
    /// Take it back from the archive.
    Unarchive,
}

/// Carries out a step of the life cycle.
pub async fn transition(
    client: &Client,
    id: &AgentId,
    step: Transition,
) -> Result<Agent, ApiError> {
    let word = match step {
        Transition::Pause => "pause",
        Transition::Resume => "resume",
        Transition::Unarchive => "unarchive",
    };
    send(
        client,
        Call::new(Method::POST, &format!("api/agents/{id}/{word}")),
    )
    .await
}

/// Archives an agent, or deletes it for good.
pub async fn remove(
    client: &Client,
    id: &AgentId,
    for_good: bool,
) -> Result<AgentRemoved, ApiError> {
    let path = if for_good {
        format!("api/agents/{id}?hard=true")
    } else {
        format!("api/agents/{id}")
    };
    send(client, Call::new(Method::DELETE, &path)).await
}
