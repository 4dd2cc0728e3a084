//! Organizations.

use contract::TenantId;
use contract::organizations::Organization;

use super::{Connection, StoreError};
use crate::clock::iso;

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    tenant_id: String,
    slug: String,
    display_name: String,
    created_at: i64,
    updated_at: i64,
}

impl From<Record> for Organization {
    fn from(record: Record) -> Self {
        Self {
            id: record.id.into(),
            tenant_id: record.tenant_id.into(),
            slug: record.slug,
            legal_name: None,
            display_name: Some(record.display_name),
            country_code: None,
            registration_provider: None,
            registration_status: Some("draft".to_owned()),
            linked_work_id: None,
            vision: None,
            vision_updated_at: None,
            created_at: iso(record.created_at),
            updated_at: iso(record.updated_at),
        }
    }
}

/// All organizations of a tenant, newest first.
pub async fn list(
    connection: &mut Connection,
    tenant: &TenantId,
) -> Result<Vec<Organization>, StoreError> {
    let records: Vec<Record> = sqlx::query_as(
        "SELECT id, tenant_id, slug, display_name, created_at, updated_at FROM organizations \
         WHERE tenant_id = $1 ORDER BY created_at DESC, id",
    )
    .bind(tenant.as_str())
    .fetch_all(connection)
    .await?;
    Ok(records.into_iter().map(Organization::from).collect())
}

/// One organization, whoever owns it.
pub async fn by_id(
    connection: &mut Connection,
    id: &str,
) -> Result<Option<Organization>, StoreError> {
    let record: Option<Record> = sqlx::query_as(
        "SELECT id, tenant_id, slug, display_name, created_at, updated_at FROM organizations \
         WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?;
    Ok(record.map(Organization::from))
}

/// Whether the tenant has an organization with the slug.
pub async fn slug_taken(
    connection: &mut Connection,
    tenant: &TenantId,
    slug: &str,
) -> Result<bool, StoreError> {
    let count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM organizations WHERE tenant_id = $1 AND slug = $2")
            .bind(tenant.as_str())
            .bind(slug)
            .fetch_one(connection)
            .await?;
    Ok(count > 0)
}

/// Stores an organization.
pub async fn insert(
    connection: &mut Connection,
    id: &str,
    tenant: &TenantId,
    slug: &str,
    display_name: &str,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO organizations (id, tenant_id, slug, display_name, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $5)",
    )
    .bind(id)
    .bind(tenant.as_str())
    .bind(slug)
    .bind(display_name)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}
