//! Environments: making, changing, publishing and removing them (contract section 9).

use contract::UserId;
use contract::environments::{
    Environment, EnvironmentCreate, EnvironmentList, EnvironmentPatch, EnvironmentStatus,
    NetworkingMode,
};
use contract::events::{Actor, ChangeKind};

use super::resources::{self, Registry};
use super::{account, new_id, record};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::slugs::slug;
use crate::state::AppState;
use crate::store::{Connection, StoreError, WriteTx, environments, is_duplicate};

/// The caller's environments, latest change first.
pub async fn list(
    state: &AppState,
    user: &UserId,
    status: Option<&EnvironmentStatus>,
) -> Result<EnvironmentList, ApiError> {
    let mut reading = state.store.read().await?;
    let data = environments::list(&mut reading, user, status).await?;
    Ok(EnvironmentList { data })
}

/// One environment of the caller.
pub async fn get(state: &AppState, user: &UserId, id: &str) -> Result<Environment, ApiError> {
    let mut reading = state.store.read().await?;
    find(&mut reading, user, id).await
}

async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Environment, ApiError> {
    environments::find(connection, user, id)
        .await?
        .ok_or_else(|| ApiError::NotFound("Environment not found".to_owned()))
}

/// Checks that an agent of the caller can be given an environment.
pub(super) async fn check_assignable(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<(), ApiError> {
    match find(connection, user, id).await?.status {
        EnvironmentStatus::Published => Ok(()),
        EnvironmentStatus::Draft | EnvironmentStatus::Unknown(_) => Err(ApiError::Unprocessable(
            "Only published Environments can be assigned to an Agent. Publish the Environment first."
                .to_owned(),
        )),
    }
}

/// Makes an environment, as a draft.
pub async fn create(
    state: &AppState,
    actor: &Actor,
    request: EnvironmentCreate,
) -> Result<Environment, ApiError> {
    request.check().map_err(ApiError::BadRequest)?;
    let now = clock::stamp();
    let id = new_id();
    let mut made = Environment {
        slug: slug_of(&request.name, &id),
        id: id.into(),
        user_id: actor.user_id.clone(),
        name: request.name,
        description: request.description,
        pip_packages: distinct(request.pip_packages.unwrap_or_default()),
        npm_packages: distinct(request.npm_packages.unwrap_or_default()),
        networking_mode: request
            .networking_mode
            .unwrap_or(NetworkingMode::Unrestricted),
        allowed_hosts: request.allowed_hosts,
        allow_package_managers: request.allow_package_managers.unwrap_or(true),
        status: EnvironmentStatus::Draft,
        available_in_all_projects: request.available_in_all_projects.unwrap_or(true),
        created_at: iso(now),
        updated_at: iso(now),
    };
    fit_hosts(&mut made);
    let mut writing = state.store.write().await?;
    save(&mut writing, &made).await?;
    let change = (None, Some(&made));
    log(
        &mut writing,
        actor,
        change,
        "environment_created",
        "created",
    )
    .await?;
    state.commit(writing).await?;
    Ok(made)
}

/// A slug that names with no ASCII letter or digit do not share.
fn slug_of(name: &str, id: &str) -> String {
    let short = slug(name);
    if short.is_empty() {
        return format!("environment-{}", id.get(..8).unwrap_or_default());
    }
    short
}

/// Hosts are kept only where they limit something; a limited environment without any reaches none.
fn fit_hosts(environment: &mut Environment) {
    environment.allowed_hosts = match environment.networking_mode {
        NetworkingMode::Limited => Some(distinct(
            environment.allowed_hosts.take().unwrap_or_default(),
        )),
        NetworkingMode::Unrestricted | NetworkingMode::Unknown(_) => None,
    };
}

/// The entries without exact repeats, in their order.
fn distinct(list: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(list.len());
    for entry in list {
        if !kept.contains(&entry) {
            kept.push(entry);
        }
    }
    kept
}

async fn save(connection: &mut Connection, environment: &Environment) -> Result<(), ApiError> {
    let taken = |error: StoreError| {
        if is_duplicate(&error) {
            return ApiError::Conflict(format!(
                "An Environment named \"{}\" already exists.",
                environment.name
            ));
        }
        error.into()
    };
    environments::save(connection, environment)
        .await
        .map_err(taken)
}

/// Changes an environment. A published one stays published.
pub async fn patch(
    state: &AppState,
    actor: &Actor,
    id: &str,
    request: EnvironmentPatch,
) -> Result<Environment, ApiError> {
    request.check().map_err(ApiError::BadRequest)?;
    let mut writing = state.store.write().await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    let mut after = before.clone();
    if let Some(name) = request.name
        && name != after.name
    {
        after.slug = slug_of(&name, id);
        after.name = name;
    }
    set(&mut after.description, request.description);
    set(&mut after.pip_packages, request.pip_packages.map(distinct));
    set(&mut after.npm_packages, request.npm_packages.map(distinct));
    set(&mut after.networking_mode, request.networking_mode);
    set(&mut after.allowed_hosts, request.allowed_hosts);
    set(
        &mut after.allow_package_managers,
        request.allow_package_managers,
    );
    set(
        &mut after.available_in_all_projects,
        request.available_in_all_projects,
    );
    fit_hosts(&mut after);
    update(
        state,
        writing,
        actor,
        &before,
        after,
        ("environment_updated", "updated"),
    )
    .await
}

fn set<T>(slot: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *slot = value;
    }
}

/// Publishes an environment; doing so again changes nothing.
pub async fn publish(state: &AppState, actor: &Actor, id: &str) -> Result<Environment, ApiError> {
    let mut writing = state.store.write().await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    let after = Environment {
        status: EnvironmentStatus::Published,
        ..before.clone()
    };
    let action = ("environment_published", "published");
    update(state, writing, actor, &before, after, action).await
}

/// Stores the new state with its record, unless nothing changed.
async fn update(
    state: &AppState,
    mut writing: WriteTx,
    actor: &Actor,
    before: &Environment,
    mut after: Environment,
    (action_type, verb): (&'static str, &str),
) -> Result<Environment, ApiError> {
    if *before == after {
        return Ok(after);
    }
    after.updated_at = iso(clock::stamp());
    save(&mut writing, &after).await?;
    let change = (Some(before), Some(&after));
    log(&mut writing, actor, change, action_type, verb).await?;
    state.commit(writing).await?;
    Ok(after)
}

/// Deletes an environment that no agent is given.
pub async fn delete(state: &AppState, actor: &Actor, id: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    let agents = environments::agents_with(&mut writing, id).await?;
    if agents > 0 {
        return Err(ApiError::Conflict(format!(
            "Environment is assigned to {agents} agent(s). Unassign it before deleting."
        )));
    }
    environments::delete(&mut writing, id).await?;
    let change = (Some(&before), None);
    log(
        &mut writing,
        actor,
        change,
        "environment_deleted",
        "deleted",
    )
    .await?;
    state.commit(writing).await
}

async fn log(
    writing: &mut WriteTx,
    actor: &Actor,
    change: (Option<&Environment>, Option<&Environment>),
    action_type: &'static str,
    verb: &str,
) -> Result<(), ApiError> {
    let user = account(writing, &actor.user_id).await?;
    let shown = change.1.or(change.0);
    let (id, name) = shown.map_or(("", ""), |shown| (shown.id.as_str(), shown.name.as_str()));
    let registry = Registry {
        resource_type: "environment",
        kind: ChangeKind::Environment,
    };
    let summary = format!("Environment {name} {verb}");
    let at = clock::stamp();
    let entry = resources::entry(registry, actor, id, change, action_type, summary, at)?;
    record(writing, &user, actor, entry).await
}
