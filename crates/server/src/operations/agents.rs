//! Agents: reading, making and changing them (contract section 3.2).

use contract::UserId;
use contract::agents::{Agent, AgentScope, AgentStatus, AvatarMode, IdleBehavior};
use contract::events::{Actor, ChangeKind};
use contract::requests::agents::{AgentChanges, AgentFields, NewAgent};
use contract::requests::lists::AgentQuery;
use contract::rules::permissions::Permissions;
use contract::server::{Page, PageMeta};
use serde_json::{Map, Value, json};

use super::{Entry, account, environments, new_id, record};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::slugs::slug;
use crate::state::AppState;
use crate::store::agents::Stored;
use crate::store::users::User;
use crate::store::{Connection, agents, count, works};

/// One page of the caller's agents, most recently changed first.
pub async fn list(
    state: &AppState,
    user: &UserId,
    query: &AgentQuery,
) -> Result<Page<Agent>, ApiError> {
    let mut reading = state.store.read().await?;
    let (data, total) = agents::list(&mut reading, user, query).await?;
    Ok(Page {
        data,
        meta: PageMeta {
            total,
            limit: count(query.page.limit),
            offset: count(query.page.offset),
        },
    })
}

/// One agent of the caller.
pub async fn get(state: &AppState, user: &UserId, id: &str) -> Result<Agent, ApiError> {
    let mut reading = state.store.read().await?;
    Ok(find(&mut reading, user, id).await?.agent)
}

pub(crate) async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Stored, ApiError> {
    agents::find(connection, user, id)
        .await?
        .ok_or_else(|| ApiError::no_agent(id))
}

/// Makes an agent, as a draft.
pub async fn create(state: &AppState, actor: &Actor, request: NewAgent) -> Result<Agent, ApiError> {
    request.check().map_err(ApiError::BadRequest)?;
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    check_parent(&mut writing, &actor.user_id, &request).await?;
    let now = clock::stamp();
    let mut stored = blank(&user, request.scope, now);
    stored.agent.mission_id = request.mission_id;
    stored.agent.idea_id = request.idea_id;
    stored.agent.work_id = request.work_id.map(Into::into);
    apply(&mut writing, &mut stored, request.fields).await?;
    agents::save(&mut writing, &stored).await?;
    let details = details(actor, &stored.agent, json!({"name": stored.agent.name}));
    let entry = entry("agent_created", "created", &stored.agent, details, now);
    record(&mut writing, &user, actor, entry).await?;
    state.commit(writing).await?;
    Ok(stored.agent)
}

fn blank(user: &User, scope: AgentScope, now: i64) -> Stored {
    let agent = Agent {
        id: new_id().into(),
        user_id: user.id.clone().into(),
        scope,
        mission_id: None,
        idea_id: None,
        work_id: None,
        name: String::new(),
        slug: String::new(),
        title: None,
        capabilities: None,
        ai_provider_id: None,
        model_id: None,
        environment_id: None,
        max_skill_context_tokens: 4000,
        memory_recall_enabled: true,
        status: AgentStatus::Draft,
        permissions: Permissions::default(),
        targets: None,
        guardrails: None,
        heartbeat_cadence: None,
        idle_behavior: IdleBehavior::Propose,
        next_heartbeat_at: None,
        last_run_at: None,
        last_run_status: None,
        error_count: 0,
        pause_after_failures: 3,
        avatar_mode: AvatarMode::Initials,
        avatar_icon: None,
        avatar_image_upload_id: None,
        committer_name: None,
        committer_email: None,
        reports_to_agent_id: None,
        scorecard: None,
        init_script: None,
        has_inline_files: false,
        content_hash: None,
        created_at: iso(now),
        updated_at: iso(now),
    };
    Stored {
        agent,
        tenant_id: user.tenant_id.clone(),
        organization_id: user.last_organization_id.clone(),
        merge_policy: None,
    }
}

async fn check_parent(
    connection: &mut Connection,
    user: &UserId,
    request: &NewAgent,
) -> Result<(), ApiError> {
    if let Some(id) = &request.work_id
        && works::find(connection, user, id).await?.is_none()
    {
        return Err(ApiError::NotFound(format!("Work {id} not found.")));
    }
    // This control plane keeps no missions or ideas, so no id of one can be the caller's.
    if let Some(id) = &request.mission_id {
        return Err(ApiError::NotFound(format!("Mission {id} not found.")));
    }
    if let Some(id) = &request.idea_id {
        return Err(ApiError::NotFound(format!("Idea {id} not found.")));
    }
    Ok(())
}

/// Applies the fields create and PATCH share, after checking what they refer to.
async fn apply(
    connection: &mut Connection,
    stored: &mut Stored,
    fields: AgentFields,
) -> Result<(), ApiError> {
    let agent = &mut stored.agent;
    if let Some(environment) = fields.environment_id {
        if let Some(id) = &environment {
            environments::check_assignable(connection, &agent.user_id, id).await?;
        }
        agent.environment_id = environment;
    }
    if let Some(targets) = fields.targets {
        check_targets(connection, &agent.user_id, targets.as_ref()).await?;
        agent.targets = targets;
    }
    if let Some(name) = fields.name
        && name != agent.name
    {
        rename(connection, agent, name).await?;
    }
    set(&mut agent.title, fields.title);
    set(&mut agent.capabilities, fields.capabilities);
    set(&mut agent.ai_provider_id, fields.ai_provider_id);
    set(&mut agent.model_id, fields.model_id);
    set(
        &mut agent.max_skill_context_tokens,
        fields.max_skill_context_tokens,
    );
    set(&mut agent.heartbeat_cadence, fields.heartbeat_cadence);
    set(&mut agent.idle_behavior, fields.idle_behavior);
    set(&mut agent.pause_after_failures, fields.pause_after_failures);
    set(&mut agent.committer_name, fields.committer_name);
    set(&mut agent.committer_email, fields.committer_email);
    if let Some(patch) = fields.permissions {
        agent.permissions = agent.permissions.merged(&patch);
    }
    set(&mut agent.avatar_mode, fields.avatar_mode);
    set(&mut agent.avatar_icon, fields.avatar_icon);
    set(
        &mut agent.avatar_image_upload_id,
        fields.avatar_image_upload_id,
    );
    check_avatar(agent)
}

fn set<T>(slot: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *slot = value;
    }
}

/// Icon and image belong to their mode: the right one must be there, the others are dropped.
fn check_avatar(agent: &mut Agent) -> Result<(), ApiError> {
    if agent.avatar_mode != AvatarMode::Icon {
        agent.avatar_icon = None;
    }
    if agent.avatar_mode != AvatarMode::Image {
        agent.avatar_image_upload_id = None;
    }
    let missing = match agent.avatar_mode {
        AvatarMode::Icon if agent.avatar_icon.is_none() => "avatarMode icon requires avatarIcon.",
        AvatarMode::Image if agent.avatar_image_upload_id.is_none() => {
            "avatarMode image requires avatarImageUploadId."
        }
        _ => return Ok(()),
    };
    Err(ApiError::BadRequest(missing.to_owned()))
}

async fn rename(
    connection: &mut Connection,
    agent: &mut Agent,
    name: String,
) -> Result<(), ApiError> {
    let mut short = slug(&name);
    if short.is_empty() {
        // A name without ASCII letters; the id keeps such names apart.
        short = format!("agent-{}", agent.id.0.get(..8).unwrap_or_default());
    }
    if agents::slug_taken(connection, agent, &short).await? {
        return Err(ApiError::Conflict(format!(
            "An Agent named \"{name}\" already exists in this scope."
        )));
    }
    agent.name = name;
    agent.slug = short;
    Ok(())
}

async fn check_targets(
    connection: &mut Connection,
    user: &UserId,
    targets: Option<&Value>,
) -> Result<(), ApiError> {
    for target in targets.and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| target.get(key).and_then(Value::as_str);
        match (text("type"), text("id")) {
            (Some("wildcard"), _) => {}
            (Some(kind), None) => {
                return Err(ApiError::BadRequest(format!(
                    "A target of type {kind} needs an id."
                )));
            }
            (Some("work"), Some(id)) => {
                if works::find(connection, user, id).await?.is_none() {
                    return Err(ApiError::NotFound(format!("Work {id} not found.")));
                }
            }
            (Some("mission"), Some(id)) => {
                return Err(ApiError::NotFound(format!("Mission {id} not found.")));
            }
            (_, id) => {
                let id = id.unwrap_or_default();
                return Err(ApiError::NotFound(format!("Idea {id} not found.")));
            }
        }
    }
    Ok(())
}

/// Changes an agent. All fields are checked before the single write.
pub async fn patch(
    state: &AppState,
    actor: &Actor,
    id: &str,
    request: AgentChanges,
) -> Result<Agent, ApiError> {
    request.fields.check().map_err(ApiError::BadRequest)?;
    let init_script = request
        .init_script
        .map(|script| super::scripts::checked(script.as_deref()))
        .transpose()?;
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    let mut stored = before.clone();
    apply(&mut writing, &mut stored, request.fields).await?;
    if let Some(lead) = request.reports_to_agent_id {
        check_lead(&mut writing, &actor.user_id, id, lead.as_deref()).await?;
        stored.agent.reports_to_agent_id = lead.map(Into::into);
    }
    set(
        &mut stored.agent.memory_recall_enabled,
        request.memory_recall_enabled,
    );
    set(&mut stored.agent.scorecard, request.scorecard);
    set(&mut stored.merge_policy, request.merge_policy);
    set(&mut stored.agent.init_script, init_script);
    let changes = differences(&before.agent, &stored.agent)?;
    let differs = !changes.is_empty() || before.merge_policy != stored.merge_policy;
    let now = clock::stamp();
    stored.agent.updated_at = iso(now);
    agents::save(&mut writing, &stored).await?;
    if differs {
        let details = details(actor, &stored.agent, json!({"changes": changes}));
        let entry = entry("agent_updated", "updated", &stored.agent, details, now);
        record(&mut writing, &user, actor, entry).await?;
    }
    state.commit(writing).await?;
    Ok(stored.agent)
}

/// The fields that differ, with their values before and after.
fn differences(before: &Agent, after: &Agent) -> Result<Map<String, Value>, ApiError> {
    let as_object = |agent: &Agent| match serde_json::to_value(agent) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(ApiError::internal("an agent is not a JSON object")),
        Err(error) => Err(ApiError::internal(error)),
    };
    let (mut before, after) = (as_object(before)?, as_object(after)?);
    Ok(after
        .into_iter()
        .filter_map(|(field, new)| {
            let old = before.remove(&field).unwrap_or_default();
            (old != new).then(|| (field, json!({"before": old, "after": new})))
        })
        .collect())
}

async fn check_lead(
    connection: &mut Connection,
    user: &UserId,
    agent: &str,
    lead: Option<&str>,
) -> Result<(), ApiError> {
    /// Longest chain of leads followed; a longer one is taken for a cycle.
    const DEPTH_MAX: usize = 100;
    let Some(lead) = lead else { return Ok(()) };
    if lead == agent {
        return Err(ApiError::Conflict(
            "An Agent cannot report to itself.".to_owned(),
        ));
    }
    find(connection, user, lead).await?;
    let mut next = Some(lead.to_owned());
    for _ in 0..DEPTH_MAX {
        match next {
            None => return Ok(()),
            Some(current) if current == agent => break,
            Some(current) => next = agents::lead_of(connection, user, &current).await?,
        }
    }
    Err(ApiError::Conflict(
        "This reporting line would form a cycle.".to_owned(),
    ))
}

/// `details` of an entry about an agent: the documented keys, the actor, and `data` beside them.
pub(super) fn details(actor: &Actor, agent: &Agent, data: Value) -> Value {
    let mut details = Map::new();
    details.insert("resourceType".to_owned(), json!("agent"));
    details.insert("resourceId".to_owned(), json!(agent.id));
    details.insert("actor".to_owned(), json!(actor));
    if let Value::Object(data) = data {
        details.extend(data);
    }
    Value::Object(details)
}

pub(super) fn entry<'a>(
    action_type: &'static str,
    verb: &str,
    agent: &'a Agent,
    details: Value,
    at: i64,
) -> Entry<'a> {
    Entry {
        action_type,
        summary: format!("Agent {} {verb}", agent.name),
        details,
        work_id: agent.work_id.as_ref().map(|id| id.0.clone()),
        agent_id: Some(agent.id.clone()),
        kind: ChangeKind::Agent,
        resource_id: agent.id.as_str(),
        scope: None,
        at,
    }
}
