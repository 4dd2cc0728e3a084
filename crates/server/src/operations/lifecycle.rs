//! The life of an agent: pausing, resuming, archiving, deleting (contract section 3.2).

use contract::AgentId;
use contract::agents::{Agent, AgentStatus};
use contract::events::Actor;
use contract::requests::cadence;
use contract::skills::SkillScope;
use serde_json::json;

use super::agents::{details, entry, find};
use super::{account, record};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::agents::Stored;
use crate::store::users::User;
use crate::store::{WriteTx, agents, grants, skill_bindings};

/// Suspends an agent.
pub async fn pause(state: &AppState, actor: &Actor, id: &str) -> Result<Agent, ApiError> {
    transition(state, actor, id, AgentStatus::Paused, "agent_paused").await
}

/// Activates an agent, a draft included; a cron cadence sets its next heartbeat.
pub async fn resume(state: &AppState, actor: &Actor, id: &str) -> Result<Agent, ApiError> {
    transition(state, actor, id, AgentStatus::Active, "agent_resumed").await
}

/// Takes an archived agent back, paused.
pub async fn unarchive(state: &AppState, actor: &Actor, id: &str) -> Result<Agent, ApiError> {
    transition(state, actor, id, AgentStatus::Paused, "agent_unarchived").await
}

async fn transition(
    state: &AppState,
    actor: &Actor,
    id: &str,
    to: AgentStatus,
    action_type: &'static str,
) -> Result<Agent, ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let stored = find(&mut writing, &actor.user_id, id).await?;
    let from = stored.agent.status.clone();
    let fits = match action_type {
        "agent_paused" => from.can_pause(),
        "agent_resumed" => from.can_resume(),
        _ if from == AgentStatus::Archived => true,
        _ => {
            return Err(ApiError::BadRequest(
                "Only archived Agents can be unarchived.".to_owned(),
            ));
        }
    };
    if !fits {
        return Err(ApiError::BadRequest(format!(
            "Cannot transition Agent from {from} to {to}."
        )));
    }
    move_to(state, writing, &user, actor, stored, to, action_type).await
}

fn next_heartbeat(agent: &Agent, now: i64) -> Option<String> {
    let cadence = cadence::parse(agent.heartbeat_cadence.as_deref()?)?;
    let slot = cadence.next_after(now.div_euclid(60_000))?;
    Some(iso(slot * 60_000))
}

/// Stores the new status with its record, and commits.
async fn move_to(
    state: &AppState,
    mut writing: WriteTx,
    user: &User,
    actor: &Actor,
    mut stored: Stored,
    to: AgentStatus,
    action_type: &'static str,
) -> Result<Agent, ApiError> {
    let now = clock::stamp();
    if to == AgentStatus::Active {
        stored.agent.next_heartbeat_at = next_heartbeat(&stored.agent, now);
    }
    let from = std::mem::replace(&mut stored.agent.status, to);
    stored.agent.updated_at = iso(now);
    agents::save(&mut writing, &stored).await?;
    let agent = &stored.agent;
    let details = details(
        actor,
        agent,
        json!({"status": agent.status, "previousStatus": from}),
    );
    let verb = action_type.strip_prefix("agent_").unwrap_or(action_type);
    let entry = entry(action_type, verb, agent, details, now);
    record(&mut writing, user, actor, entry).await?;
    state.commit(writing).await?;
    Ok(stored.agent)
}

/// Puts an agent away; doing so again changes nothing.
pub async fn archive(state: &AppState, actor: &Actor, id: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let stored = find(&mut writing, &actor.user_id, id).await?;
    if stored.agent.status == AgentStatus::Archived {
        return Ok(());
    }
    let to = AgentStatus::Archived;
    move_to(state, writing, &user, actor, stored, to, "agent_archived").await?;
    Ok(())
}

/// Deletes an agent for good, and with it the caller's grant row at its scope and the bindings
/// of skills to it.
pub async fn delete(state: &AppState, actor: &Actor, id: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let stored = find(&mut writing, &actor.user_id, id).await?;
    let scope = contract::grants::Scope::Agent;
    let row = grants::at_scope(&mut writing, &actor.user_id, &scope, id).await?;
    if let Some(row) = &row {
        grants::delete(&mut writing, row.id.as_str()).await?;
    }
    skill_bindings::delete_at(&mut writing, &SkillScope::Agent, id).await?;
    agents::delete(&mut writing, id).await?;
    let agent = &stored.agent;
    let data = json!({"name": agent.name, "toolGrant": row.map(|row| row.content())});
    let details = details(actor, agent, data);
    let entry = entry("agent_deleted", "deleted", agent, details, clock::stamp());
    record(&mut writing, &user, actor, entry).await?;
    state.commit(writing).await
}

/// What a run leaves on an agent. There is no run engine here yet; the example data sets it.
pub(crate) struct RunState {
    /// `running` or `error`.
    pub(crate) status: AgentStatus,
    /// Milliseconds since 1970.
    pub(crate) last_run_at: i64,
    /// Free token.
    pub(crate) last_run_status: Option<String>,
    /// Failures in a row.
    pub(crate) error_count: i64,
}

/// Stores what a run leaves on an agent.
pub(crate) async fn set_run_state(
    state: &AppState,
    actor: &Actor,
    id: &AgentId,
    run: RunState,
) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let mut stored = find(&mut writing, &actor.user_id, id.as_str()).await?;
    stored.agent.status = run.status;
    stored.agent.last_run_at = Some(iso(run.last_run_at));
    stored.agent.last_run_status = run.last_run_status;
    stored.agent.error_count = run.error_count;
    stored.agent.updated_at = iso(clock::stamp());
    agents::save(&mut writing, &stored).await?;
    state.commit(writing).await
}
