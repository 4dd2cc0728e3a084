//! Works.

use contract::UserId;
use contract::organizations::Work;

use super::{Connection, StoreError};
use crate::clock::iso;

/// A stored Work.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Record {
    /// The Work.
    pub id: String,
    /// Who made it.
    pub user_id: String,
    /// Short name for URLs.
    pub slug: String,
    /// Shown name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Owner of its repository.
    pub owner: Option<String>,
    /// Its tenant.
    pub tenant_id: Option<String>,
    /// Its organization.
    pub organization_id: Option<String>,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

impl From<Record> for Work {
    fn from(record: Record) -> Self {
        Self {
            id: record.id.into(),
            name: record.name,
            slug: record.slug,
            user_id: record.user_id.into(),
            owner: record.owner,
            status: Some("active".to_owned()),
            description: Some(record.description),
            tenant_id: record.tenant_id.map(Into::into),
            organization_id: record.organization_id.map(Into::into),
            created_at: Some(iso(record.created_at)),
            updated_at: Some(iso(record.updated_at)),
        }
    }
}

/// All Works of an account, newest first.
pub async fn list(connection: &mut Connection, user: &UserId) -> Result<Vec<Work>, StoreError> {
    let records: Vec<Record> = sqlx::query_as(
        "SELECT id, user_id, slug, name, description, owner, tenant_id, organization_id, \
         created_at, updated_at FROM works WHERE user_id = $1 ORDER BY created_at DESC, id",
    )
    .bind(user.as_str())
    .fetch_all(connection)
    .await?;
    Ok(records.into_iter().map(Work::from).collect())
}

/// A Work of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<Work>, StoreError> {
    let record: Option<Record> = sqlx::query_as(
        "SELECT id, user_id, slug, name, description, owner, tenant_id, organization_id, \
         created_at, updated_at FROM works WHERE user_id = $1 AND id = $2",
    )
    .bind(user.as_str())
    .bind(id)
    .fetch_optional(connection)
    .await?;
    Ok(record.map(Work::from))
}

/// Stores a Work; its slug must be new for the account.
pub async fn insert(connection: &mut Connection, work: &Record) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO works (id, user_id, slug, name, description, owner, tenant_id, \
         organization_id, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(&work.id)
    .bind(&work.user_id)
    .bind(&work.slug)
    .bind(&work.name)
    .bind(&work.description)
    .bind(&work.owner)
    .bind(&work.tenant_id)
    .bind(&work.organization_id)
    .bind(work.created_at)
    .bind(work.updated_at)
    .execute(connection)
    .await?;
    Ok(())
}
