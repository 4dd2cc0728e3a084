//! Organizations and Works.

use contract::events::{Actor, ChangeKind};
use contract::organizations::{Organization, Work, WorkCreate};
use contract::requests::organizations::NewOrganization;
use contract::{OrganizationId, TenantId, UserId};
use serde_json::json;

use super::{Entry, account, new_id, record, tenant_of};
use crate::clock;
use crate::error::ApiError;
use crate::slugs::slug_or;
use crate::state::AppState;
use crate::store::{is_duplicate, organizations, users, works};

/// All organizations of the caller's tenant, newest first; none without a tenant.
pub async fn list(state: &AppState, user: &UserId) -> Result<Vec<Organization>, ApiError> {
    let mut reading = state.store.read().await?;
    let user = account(&mut reading, user).await?;
    match tenant_of(&user) {
        None => Ok(Vec::new()),
        Some(tenant) => Ok(organizations::list(&mut reading, &tenant).await?),
    }
}

/// Makes an organization; the first one of an account makes its tenant too.
pub async fn create(
    state: &AppState,
    actor: &Actor,
    request: NewOrganization,
) -> Result<Organization, ApiError> {
    let mut writing = state.store.write().await?;
    let mut user = account(&mut writing, &actor.user_id).await?;
    let now = clock::stamp();
    let tenant = if let Some(tenant) = tenant_of(&user) {
        tenant
    } else {
        let tenant = TenantId::from(new_id());
        let name = request.tenant_name.as_deref().unwrap_or(&request.name);
        users::create_tenant(&mut writing, &actor.user_id, &tenant, name, now).await?;
        user.tenant_id = Some(tenant.0.clone());
        tenant
    };
    let id = OrganizationId::from(new_id());
    let mut slug = slug_or(&request.name, "organization");
    if organizations::slug_taken(&mut writing, &tenant, &slug).await? {
        slug = format!("{slug}-{}", id.0.get(..8).unwrap_or_default());
    }
    organizations::insert(
        &mut writing,
        id.as_str(),
        &tenant,
        &slug,
        &request.name,
        now,
    )
    .await?;
    users::set_last_organization(&mut writing, &actor.user_id, &id).await?;
    user.last_organization_id = Some(id.0.clone());
    let entry = Entry {
        action_type: "organization_created",
        summary: format!("Organization {} created", request.name),
        details: json!({"resourceType": "organization", "resourceId": id, "actor": actor}),
        work_id: None,
        agent_id: None,
        kind: ChangeKind::Organization,
        resource_id: id.as_str(),
        scope: None,
        at: now,
    };
    record(&mut writing, &user, actor, entry).await?;
    let made = organizations::by_id(&mut writing, id.as_str())
        .await?
        .ok_or_else(|| ApiError::internal("the new organization is not there"))?;
    state.commit(writing).await?;
    Ok(made)
}

/// All Works of the caller, newest first.
pub async fn list_works(state: &AppState, user: &UserId) -> Result<Vec<Work>, ApiError> {
    let mut reading = state.store.read().await?;
    Ok(works::list(&mut reading, user).await?)
}

/// A Work of the caller.
pub async fn work(state: &AppState, user: &UserId, id: &str) -> Result<Work, ApiError> {
    let mut reading = state.store.read().await?;
    works::find(&mut reading, user, id)
        .await?
        .ok_or_else(|| ApiError::WorkNotFound(id.to_owned()))
}

/// Makes a Work in the caller's tenant and current organization.
pub async fn create_work(
    state: &AppState,
    actor: &Actor,
    request: WorkCreate,
) -> Result<Work, ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let now = clock::stamp();
    let stored = works::Record {
        id: new_id(),
        user_id: user.id.clone(),
        slug: request.slug,
        name: request.name,
        description: request.description,
        owner: request.owner,
        tenant_id: user.tenant_id.clone(),
        organization_id: user.last_organization_id.clone(),
        created_at: now,
        updated_at: now,
    };
    if let Err(error) = works::insert(&mut writing, &stored).await {
        if is_duplicate(&error) {
            return Err(ApiError::Conflict(format!(
                "A Work with slug \"{}\" already exists.",
                stored.slug
            )));
        }
        return Err(error.into());
    }
    let entry = Entry {
        action_type: "work_created",
        summary: format!("Work {} created", stored.name),
        details: json!({"resourceType": "work", "resourceId": stored.id, "actor": actor}),
        work_id: Some(stored.id.clone()),
        agent_id: None,
        kind: ChangeKind::Work,
        resource_id: &stored.id,
        scope: None,
        at: now,
    };
    record(&mut writing, &user, actor, entry).await?;
    state.commit(writing).await?;
    Ok(stored.into())
}
