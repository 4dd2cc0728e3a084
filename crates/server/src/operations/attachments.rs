//! Which repositories an agent finds (contract section 8.2).

use contract::agents::Agent;
use contract::events::{Actor, ChangeKind};
use contract::grants::Scope;
use contract::repositories::{AgentRepository, Attachment, Repository};
use contract::{AgentId, UserId};
use serde_json::{Value, json};

use super::{Entry, account, record, repositories as registry};
use crate::clock;
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::{Connection, WriteTx, agents, repositories};

async fn agent_of(connection: &mut Connection, user: &UserId, id: &str) -> Result<Agent, ApiError> {
    let stored = agents::find(connection, user, id)
        .await?
        .ok_or_else(|| ApiError::NotFound("Agent not found.".to_owned()))?;
    Ok(stored.agent)
}

/// The caller's registry, by name, with what is attached to an agent.
pub async fn list(
    state: &AppState,
    user: &UserId,
    agent: &str,
) -> Result<Vec<AgentRepository>, ApiError> {
    let mut reading = state.store.read().await?;
    let agent = agent_of(&mut reading, user, agent).await?;
    let edges = repositories::attachments(&mut reading, &agent.id).await?;
    let rows = repositories::list(&mut reading, user).await?;
    let with_state = |repository: Repository| {
        let edge = edges.get(repository.id.as_str()).copied();
        AgentRepository {
            attached: edge.is_some(),
            attachment_enabled: edge.unwrap_or_default(),
            repository,
        }
    };
    Ok(rows.into_iter().map(with_state).collect())
}

/// Attaches a repository to an agent, or sets the switch of its attachment. Doing so again changes
/// nothing.
pub async fn put(
    state: &AppState,
    actor: &Actor,
    agent: &str,
    repository: &str,
    enabled: bool,
) -> Result<Attachment, ApiError> {
    let mut writing = state.store.write().await?;
    let agent = agent_of(&mut writing, &actor.user_id, agent).await?;
    let repository = registry::find(&mut writing, &actor.user_id, repository).await?;
    let before = edge(&mut writing, &agent.id, &repository).await?;
    let answer = Attachment {
        agent_id: agent.id.clone(),
        repo_connection_id: repository.id.clone(),
        enabled,
    };
    if before == Some(enabled) {
        return Ok(answer);
    }
    let at = clock::stamp();
    repositories::attach(&mut writing, &agent.id, repository.id.as_str(), enabled, at).await?;
    let change = (before, Some(enabled));
    log(&mut writing, actor, &agent, &repository, change, at).await?;
    state.commit(writing).await?;
    Ok(answer)
}

/// Detaches a repository from an agent.
pub async fn delete(
    state: &AppState,
    actor: &Actor,
    agent: &str,
    repository: &str,
) -> Result<(), ApiError> {
    let absent = || ApiError::NotFound("Repository attachment not found.".to_owned());
    let mut writing = state.store.write().await?;
    let agent = agent_of(&mut writing, &actor.user_id, agent).await?;
    let repository = repositories::find(&mut writing, &actor.user_id, repository)
        .await?
        .ok_or_else(absent)?;
    let before = edge(&mut writing, &agent.id, &repository).await?;
    if before.is_none() {
        return Err(absent());
    }
    let at = clock::stamp();
    repositories::detach(&mut writing, &agent.id, repository.id.as_str()).await?;
    log(&mut writing, actor, &agent, &repository, (before, None), at).await?;
    state.commit(writing).await
}

async fn edge(
    connection: &mut Connection,
    agent: &AgentId,
    repository: &Repository,
) -> Result<Option<bool>, ApiError> {
    let edges = repositories::attachments(connection, agent).await?;
    Ok(edges.get(repository.id.as_str()).copied())
}

async fn log(
    writing: &mut WriteTx,
    actor: &Actor,
    agent: &Agent,
    repository: &Repository,
    (before, after): (Option<bool>, Option<bool>),
    at: i64,
) -> Result<(), ApiError> {
    let user = account(writing, &actor.user_id).await?;
    let (action_type, verb) = match after {
        Some(true) => ("repo_attached_to_agent", "attached to"),
        Some(false) => ("repo_attached_to_agent", "attached, switched off, to"),
        None => ("repo_detached_from_agent", "detached from"),
    };
    let shown = |enabled: Option<bool>| enabled.map_or(Value::Null, |on| json!({"enabled": on}));
    let entry = Entry {
        action_type,
        summary: format!("Repository {} {verb} {}", repository.name, agent.name),
        details: json!({
            "resourceType": "repo_connection", "resourceId": repository.id,
            "agentId": agent.id, "actor": actor,
            "before": shown(before), "after": shown(after),
        }),
        work_id: agent.work_id.as_ref().map(|id| id.0.clone()),
        agent_id: Some(agent.id.clone()),
        kind: ChangeKind::RepositoryAttachment,
        resource_id: repository.id.as_str(),
        scope: Some((Scope::Agent, agent.id.0.clone())),
        at,
    };
    record(writing, &user, actor, entry).await
}
