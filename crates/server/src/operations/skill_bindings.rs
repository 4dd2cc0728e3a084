//! Binding skills to the tenant, to Works and to agents, and what an agent finds of it (contract
//! section 10).

use contract::UserId;
use contract::events::{Actor, ChangeKind};
use contract::grants::Scope;
use contract::rules::skill_bindings::{PRIORITY_DEFAULT, compose};
use contract::skills::{AgentSkillList, Skill, SkillBinding, SkillBindingCreate, SkillScope};
use serde_json::json;

use super::skills::{check_scope, find};
use super::{Entry, account, new_id, record};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::users::User;
use crate::store::{StoreError, WriteTx, agents, is_duplicate, skill_bindings, skills};

/// The skills an agent of the caller finds.
pub async fn of_agent(
    state: &AppState,
    user: &UserId,
    agent: &str,
) -> Result<AgentSkillList, ApiError> {
    let mut reading = state.store.read().await?;
    let stored = super::agents::find(&mut reading, user, agent).await?;
    let reaching = skill_bindings::reaching(&mut reading, &stored.agent).await?;
    Ok(AgentSkillList {
        data: compose(reaching),
    })
}

/// The bindings of a skill of the caller, oldest first.
pub async fn of_skill(
    state: &AppState,
    user: &UserId,
    skill: &str,
) -> Result<Vec<SkillBinding>, ApiError> {
    let mut reading = state.store.read().await?;
    find(&mut reading, user, skill).await?;
    Ok(skill_bindings::of_skill(&mut reading, skill).await?)
}

/// Binds a skill. Binding it to the same target twice is refused: the first binding stays.
pub async fn create(
    state: &AppState,
    actor: &Actor,
    skill: &str,
    request: SkillBindingCreate,
) -> Result<SkillBinding, ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let skill = find(&mut writing, &actor.user_id, skill).await?;
    let target = match (&request.target_type, &request.target_id) {
        (_, Some(id)) => id.clone(),
        (SkillScope::Tenant, None) => user.id.clone(),
        (other, None) => {
            return Err(ApiError::BadRequest(format!(
                "targetId is required when targetType={other}."
            )));
        }
    };
    let name = check_scope(&mut writing, &user, &request.target_type, &target).await?;
    let at = clock::stamp();
    let made = SkillBinding {
        id: new_id().into(),
        skill_id: skill.id.clone(),
        target_id: (request.target_type != SkillScope::Tenant).then_some(target),
        target_type: request.target_type,
        user_id: actor.user_id.clone(),
        inject_into_agent: request.inject_into_agent.unwrap_or(true),
        inject_into_generator: request.inject_into_generator.unwrap_or_default(),
        priority: request.priority.unwrap_or(PRIORITY_DEFAULT),
        tenant_id: user.tenant_id.clone().map(Into::into),
        organization_id: user.last_organization_id.clone().map(Into::into),
        created_at: iso(at),
    };
    let taken = |error: StoreError| {
        if is_duplicate(&error) {
            return ApiError::Conflict(format!(
                "Skill \"{}\" is already bound to {name}.",
                skill.slug
            ));
        }
        error.into()
    };
    skill_bindings::insert(&mut writing, &made)
        .await
        .map_err(taken)?;
    let change = (None, Some(&made));
    log(&mut writing, &user, actor, &skill, &name, change, at).await?;
    state.commit(writing).await?;
    Ok(made)
}

/// Removes a binding of the caller, whatever it is bound to.
pub async fn delete(state: &AppState, actor: &Actor, id: &str) -> Result<(), ApiError> {
    let absent = || ApiError::NotFound(format!("Skill binding {id} not found."));
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let binding = skill_bindings::find(&mut writing, &actor.user_id, id)
        .await?
        .ok_or_else(absent)?;
    let skill = skills::find(&mut writing, &actor.user_id, binding.skill_id.as_str())
        .await?
        .ok_or_else(absent)?;
    let target = binding.target_id.as_deref().unwrap_or(&user.id);
    let name = match check_scope(&mut writing, &user, &binding.target_type, target).await {
        Ok(name) => name,
        // The target is gone; the binding can still be cleared.
        Err(ApiError::NotFound(_)) => target.to_owned(),
        Err(error) => return Err(error),
    };
    skill_bindings::delete(&mut writing, id).await?;
    let change = (Some(&binding), None);
    let at = clock::stamp();
    log(&mut writing, &user, actor, &skill, &name, change, at).await?;
    state.commit(writing).await
}

async fn log(
    writing: &mut WriteTx,
    user: &User,
    actor: &Actor,
    skill: &Skill,
    target: &str,
    (before, after): (Option<&SkillBinding>, Option<&SkillBinding>),
    at: i64,
) -> Result<(), ApiError> {
    let Some(binding) = after.or(before) else {
        return Ok(());
    };
    let id = binding.target_id.clone().unwrap_or_default();
    let to_agent = binding.target_type == SkillScope::Agent;
    let (work_id, agent_id) = match binding.target_type {
        SkillScope::Work => (Some(id.clone()), None),
        SkillScope::Agent => {
            let stored = agents::find(writing, &actor.user_id, &id).await?;
            let work = stored.and_then(|stored| stored.agent.work_id);
            (work.map(|work| work.0), Some(id.as_str().into()))
        }
        _ => (None, None),
    };
    let (action_type, verb) = match (after, to_agent) {
        (Some(_), true) => ("skill_attached_to_agent", "attached to"),
        (Some(_), false) => ("skill_bound", "bound to"),
        (None, true) => ("skill_detached_from_agent", "detached from"),
        (None, false) => ("skill_unbound", "unbound from"),
    };
    let scope = match binding.target_type {
        SkillScope::Work => Scope::Work,
        SkillScope::Agent => Scope::Agent,
        _ => Scope::Tenant,
    };
    let told = match scope {
        // Without a tenant the account stands for it, as in ownership.
        Scope::Tenant => user.tenant_id.clone().unwrap_or_else(|| user.id.clone()),
        _ => id,
    };
    let entry = Entry {
        action_type,
        summary: format!("Skill {} {verb} {target}", skill.title),
        details: json!({
            "resourceType": "skill", "resourceId": skill.id, "actor": actor,
            "before": before, "after": after,
        }),
        work_id,
        agent_id,
        kind: ChangeKind::SkillBinding,
        resource_id: skill.id.as_str(),
        scope: Some((scope, told)),
        at,
    };
    record(writing, user, actor, entry).await
}
