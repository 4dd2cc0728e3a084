//! Tool-grant rows.

use contract::UserId;
use contract::grants::{GrantRow, Scope};

use super::{Connection, StoreError, count, from_json, to_json};
use crate::clock::{from_iso, iso};

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    user_id: String,
    scope_type: String,
    scope_id: String,
    allow_patterns: Option<String>,
    deny_patterns: Option<String>,
    note: Option<String>,
    tenant_id: Option<String>,
    organization_id: Option<String>,
    revision: i64,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<Record> for GrantRow {
    type Error = StoreError;

    fn try_from(record: Record) -> Result<Self, StoreError> {
        let patterns = |text: Option<String>| text.as_deref().map(from_json).transpose();
        Ok(Self {
            id: record.id.into(),
            user_id: record.user_id.into(),
            scope_type: record.scope_type.as_str().into(),
            scope_id: record.scope_id,
            allow: patterns(record.allow_patterns)?,
            deny: patterns(record.deny_patterns)?,
            note: record.note,
            tenant_id: record.tenant_id.map(Into::into),
            organization_id: record.organization_id.map(Into::into),
            created_at: iso(record.created_at),
            updated_at: iso(record.updated_at),
            revision: Some(count(record.revision)),
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, scope_type, scope_id, allow_patterns, deny_patterns, note, ",
            "tenant_id, organization_id, revision, created_at, updated_at FROM tool_grants ",
            $rest
        )
    };
}

/// All rows of an account, oldest first.
pub async fn list(connection: &mut Connection, user: &UserId) -> Result<Vec<GrantRow>, StoreError> {
    let records: Vec<Record> =
        sqlx::query_as(select!("WHERE user_id = $1 ORDER BY created_at, id"))
            .bind(user.as_str())
            .fetch_all(connection)
            .await?;
    records.into_iter().map(GrantRow::try_from).collect()
}

/// The row an account wrote at a scope.
pub async fn at_scope(
    connection: &mut Connection,
    user: &UserId,
    scope_type: &Scope,
    scope_id: &str,
) -> Result<Option<GrantRow>, StoreError> {
    let record: Option<Record> = sqlx::query_as(select!(
        "WHERE user_id = $1 AND scope_type = $2 AND scope_id = $3"
    ))
    .bind(user.as_str())
    .bind(scope_type.as_str())
    .bind(scope_id)
    .fetch_optional(connection)
    .await?;
    record.map(GrantRow::try_from).transpose()
}

/// A row of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<GrantRow>, StoreError> {
    let record: Option<Record> = sqlx::query_as(select!("WHERE user_id = $1 AND id = $2"))
        .bind(user.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    record.map(GrantRow::try_from).transpose()
}

/// Stores a new row, or the new content of the one at its scope.
pub async fn save(connection: &mut Connection, row: &GrantRow) -> Result<(), StoreError> {
    let patterns = |list: &Option<Vec<String>>| list.as_ref().map(to_json).transpose();
    let revision = i64::try_from(row.revision.unwrap_or(1)).unwrap_or(i64::MAX);
    sqlx::query(
        "INSERT INTO tool_grants (id, user_id, scope_type, scope_id, allow_patterns, \
         deny_patterns, note, tenant_id, organization_id, revision, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
         ON CONFLICT (user_id, scope_type, scope_id) DO UPDATE SET \
         allow_patterns = excluded.allow_patterns, deny_patterns = excluded.deny_patterns, \
         note = excluded.note, revision = excluded.revision, updated_at = excluded.updated_at",
    )
    .bind(row.id.as_str())
    .bind(row.user_id.as_str())
    .bind(row.scope_type.as_str())
    .bind(&row.scope_id)
    .bind(patterns(&row.allow)?)
    .bind(patterns(&row.deny)?)
    .bind(&row.note)
    .bind(row.tenant_id.as_ref().map(contract::TenantId::as_str))
    .bind(
        row.organization_id
            .as_ref()
            .map(contract::OrganizationId::as_str),
    )
    .bind(revision)
    .bind(from_iso(&row.created_at))
    .bind(from_iso(&row.updated_at))
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a row.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM tool_grants WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}
