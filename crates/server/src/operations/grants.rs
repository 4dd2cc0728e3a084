//! Tool grants: which layers a resolution sees, and writes with preconditions (contract
//! section 5).

use contract::events::{Actor, ChangeKind, GrantChangeDetails};
use contract::grants::{
    Decision, GrantConflict, GrantContent, GrantRow, GrantWrite, ResolvedGrants, Scope, entity_tag,
};
use contract::requests::grants::ChainQuery;
use contract::rules::fold::{decide, fold};
use contract::rules::pattern::distinct;
use contract::{GrantId, UserId};

use super::chain::{layers, owned_chain, rows_of};
use super::{Entry, account, new_id, record, tenant_of};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::users::User;
use crate::store::{Connection, WriteTx, agents, grants, organizations, works};

/// What a write demands of the row it replaces (HTTP `If-Match` and `If-None-Match`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing.
    #[default]
    None,
    /// The row exists, in one of these versions; an empty list means any.
    Matches(Vec<String>),
    /// No row exists.
    Absent,
}

impl Precondition {
    fn check(&self, current: Option<&GrantRow>) -> Result<(), ApiError> {
        let holds = match self {
            Self::None => true,
            Self::Absent => current.is_none(),
            Self::Matches(tags) => current.is_some_and(|row| {
                let tag = entity_tag(&row.id, row.revision.unwrap_or_default());
                tags.is_empty() || tags.contains(&tag)
            }),
        };
        if holds {
            return Ok(());
        }
        let message = match current {
            Some(_) => "The tool grant was changed by someone else since it was read.",
            None => "The tool grant was deleted by someone else since it was read.",
        };
        Err(ApiError::Changed(Box::new(GrantConflict {
            status_code: 412,
            error: "Precondition Failed".to_owned(),
            message: message.to_owned(),
            current: current.cloned(),
        })))
    }
}

/// All rows of the caller, oldest first.
pub async fn list(state: &AppState, user: &UserId) -> Result<Vec<GrantRow>, ApiError> {
    let mut reading = state.store.read().await?;
    Ok(grants::list(&mut reading, user).await?)
}

/// The fold of the caller's rows over the chain asked for. A store failure is an error, not the
/// permissive default: this control plane does not fail open.
pub async fn resolve(
    state: &AppState,
    user: &UserId,
    query: &ChainQuery,
) -> Result<ResolvedGrants, ApiError> {
    query.check().map_err(ApiError::BadRequest)?;
    let mut reading = state.store.read().await?;
    let chain = owned_chain(&mut reading, user, query).await?;
    let rows = rows_of(&mut reading, user, &chain).await?;
    Ok(fold(&layers(&chain, &rows)))
}

/// The verdict on one tool.
pub async fn check(
    state: &AppState,
    user: &UserId,
    query: &ChainQuery,
    tool: &str,
) -> Result<Decision, ApiError> {
    Ok(decide(&resolve(state, user, query).await?, tool))
}

pub(super) fn missing(what: &str, id: &str) -> ApiError {
    ApiError::NotFound(format!("{what} with id '{id}' not found"))
}

pub(super) async fn own_organization(
    connection: &mut Connection,
    user: &User,
    id: &str,
) -> Result<String, ApiError> {
    let found = organizations::by_id(connection, id).await?;
    match (found, tenant_of(user)) {
        (Some(organization), Some(tenant)) if organization.tenant_id == tenant => {
            Ok(organization.shown_name().to_owned())
        }
        _ => Err(missing("Organization", id)),
    }
}

/// A scope the caller may write at: its name for people, and where the write shows up.
struct Target {
    name: String,
    work_id: Option<String>,
    agent_id: Option<contract::AgentId>,
}

async fn target(
    connection: &mut Connection,
    user: &User,
    scope: &Scope,
    id: &str,
) -> Result<Target, ApiError> {
    let owner = UserId::from(user.id.as_str());
    let plain = |name: String| Target {
        name,
        work_id: None,
        agent_id: None,
    };
    match scope {
        Scope::Tenant if user.tenant_id.as_deref() == Some(id) => {
            Ok(plain(user.tenant_name.clone().unwrap_or_default()))
        }
        Scope::Tenant => Err(missing("Tenant", id)),
        Scope::Organization => Ok(plain(own_organization(connection, user, id).await?)),
        Scope::Work => {
            let work = works::find(connection, &owner, id)
                .await?
                .ok_or_else(|| ApiError::WorkNotFound(id.to_owned()))?;
            Ok(Target {
                name: work.name,
                work_id: Some(work.id.0),
                agent_id: None,
            })
        }
        Scope::Agent => {
            let agent = agents::find(connection, &owner, id)
                .await?
                .ok_or_else(|| missing("Agent", id))?
                .agent;
            Ok(Target {
                name: agent.name,
                work_id: agent.work_id.map(|id| id.0),
                agent_id: Some(agent.id),
            })
        }
        Scope::Default | Scope::Unknown(_) => Err(missing("Scope", id)),
    }
}

/// Creates or replaces the caller's row at a scope. Patterns are trimmed and exact repeats
/// dropped; nothing is narrowed here.
pub async fn put(
    state: &AppState,
    actor: &Actor,
    write: GrantWrite,
    precondition: &Precondition,
) -> Result<GrantRow, ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let at = target(&mut writing, &user, &write.scope_type, &write.scope_id).await?;
    let current = grants::at_scope(
        &mut writing,
        &actor.user_id,
        &write.scope_type,
        &write.scope_id,
    )
    .await?;
    precondition.check(current.as_ref())?;
    let now = clock::stamp();
    let tidy =
        |list: Option<Vec<String>>| list.map(|list| distinct(list.iter().map(String::as_str)));
    let mut row = current.clone().unwrap_or_else(|| GrantRow {
        id: GrantId::from(new_id()),
        user_id: actor.user_id.clone(),
        scope_type: write.scope_type,
        scope_id: write.scope_id,
        allow: None,
        deny: None,
        note: None,
        tenant_id: user.tenant_id.clone().map(Into::into),
        organization_id: user.last_organization_id.clone().map(Into::into),
        created_at: iso(now),
        updated_at: String::new(),
        revision: None,
    });
    row.allow = tidy(write.allow);
    row.deny = tidy(write.deny);
    row.note = write.note;
    row.updated_at = iso(now);
    row.revision = Some(row.revision.unwrap_or_default() + 1);
    grants::save(&mut writing, &row).await?;
    let before = current.map(|row| row.content());
    let action_type = match before {
        None => "tool_grant_created",
        Some(_) => "tool_grant_updated",
    };
    let after = Some(row.content());
    record_change(
        &mut writing,
        &user,
        actor,
        &row,
        at,
        action_type,
        (before, after),
        now,
    )
    .await?;
    state.commit(writing).await?;
    Ok(row)
}

/// Deletes a row of the caller.
pub async fn delete(
    state: &AppState,
    actor: &Actor,
    id: &str,
    precondition: &Precondition,
) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let row = grants::find(&mut writing, &actor.user_id, id)
        .await?
        .ok_or_else(|| missing("Tool grant", id))?;
    precondition.check(Some(&row))?;
    let at = match target(&mut writing, &user, &row.scope_type, &row.scope_id).await {
        Ok(at) => at,
        // The thing the row was written at is gone; the row can still be cleared.
        Err(ApiError::NotFound(_) | ApiError::WorkNotFound(_)) => Target {
            name: row.scope_id.clone(),
            work_id: None,
            agent_id: None,
        },
        Err(error) => return Err(error),
    };
    grants::delete(&mut writing, row.id.as_str()).await?;
    let now = clock::stamp();
    let content = (Some(row.content()), None);
    record_change(
        &mut writing,
        &user,
        actor,
        &row,
        at,
        "tool_grant_deleted",
        content,
        now,
    )
    .await?;
    state.commit(writing).await
}

#[allow(
    clippy::too_many_arguments,
    reason = "one record of one write, called from two places"
)]
async fn record_change(
    writing: &mut WriteTx,
    user: &User,
    actor: &Actor,
    row: &GrantRow,
    at: Target,
    action_type: &'static str,
    (before, after): (Option<GrantContent>, Option<GrantContent>),
    now: i64,
) -> Result<(), ApiError> {
    let details = GrantChangeDetails {
        resource_type: "toolGrant".to_owned(),
        resource_id: row.id.0.clone(),
        scope_type: row.scope_type.clone(),
        scope_id: row.scope_id.clone(),
        actor: actor.clone(),
        before,
        after,
    };
    let verb = action_type.rsplit('_').next().unwrap_or(action_type);
    let entry = Entry {
        action_type,
        summary: format!(
            "Tool grant of {} {} {verb}",
            row.scope_type.label(),
            at.name
        ),
        details: serde_json::to_value(details).map_err(ApiError::internal)?,
        work_id: at.work_id,
        agent_id: at.agent_id,
        kind: ChangeKind::ToolGrant,
        resource_id: row.id.as_str(),
        scope: Some((row.scope_type.clone(), row.scope_id.clone())),
        at: now,
    };
    record(writing, user, actor, entry).await
}
