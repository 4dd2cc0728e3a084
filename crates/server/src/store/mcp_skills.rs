//! What is kept about skills that MCP servers publish: approvals, and what checks of files found.
//! Keyed by connection and address, never by a name or by what a server calls itself. Contents of
//! files are not stored.

use std::collections::{BTreeMap, HashMap};

use contract::mcp_skills::{FileCheck, ManifestChanges};
use contract::rules::skills::manifest::SkillResource;
use serde::{Deserialize, Serialize};

use super::{Connection, StoreError, from_json, to_json};

/// An approval, in force or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    /// The set it is bound to.
    pub files: Vec<SkillResource>,
    /// When it was given, in milliseconds.
    pub at: i64,
    /// The name of the account that gave it.
    pub by: String,
    /// How the set differed that ended it; `None` while it is in force.
    pub ended: Option<ManifestChanges>,
}

/// What a fetch of one file found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Digest of what the bytes were compared with; a result counts for nothing else.
    pub basis: String,
    /// The result.
    pub check: FileCheck,
    /// When, in milliseconds.
    pub at: i64,
    /// Digest of the bytes that came, when it differs.
    pub digest: Option<String>,
    /// Number of bytes that came, when it differs.
    pub size: Option<u64>,
    /// One sentence for people, unless the bytes match.
    pub said: Option<String>,
}

/// The results of one skill by address of the file.
pub type Checks = BTreeMap<String, Checked>;

#[derive(sqlx::FromRow)]
struct ApprovalRecord {
    uri: String,
    files: String,
    approved_at: i64,
    approved_by: String,
    revoked_at: Option<i64>,
    changes: Option<String>,
}

impl ApprovalRecord {
    fn read(self) -> Result<(String, Approved), StoreError> {
        let changes: Option<ManifestChanges> =
            self.changes.as_deref().map(from_json).transpose()?;
        let approved = Approved {
            files: from_json(&self.files)?,
            at: self.approved_at,
            by: self.approved_by,
            ended: self.revoked_at.map(|_| changes.unwrap_or_default()),
        };
        Ok((self.uri, approved))
    }
}

/// All approvals of a connection's skills by address, ended ones included.
pub async fn approvals(
    connection: &mut Connection,
    id: &str,
) -> Result<HashMap<String, Approved>, StoreError> {
    let records: Vec<ApprovalRecord> = sqlx::query_as(
        "SELECT uri, files, approved_at, approved_by, revoked_at, changes \
         FROM mcp_skill_approvals WHERE connection_id = $1",
    )
    .bind(id)
    .fetch_all(connection)
    .await?;
    records.into_iter().map(ApprovalRecord::read).collect()
}

/// Stores an approval in place of the one before.
pub async fn approve(
    connection: &mut Connection,
    id: &str,
    uri: &str,
    approved: &Approved,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO mcp_skill_approvals (connection_id, uri, files, approved_at, approved_by) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (connection_id, uri) DO UPDATE SET \
         files = excluded.files, approved_at = excluded.approved_at, \
         approved_by = excluded.approved_by, revoked_at = NULL, changes = NULL",
    )
    .bind(id)
    .bind(uri)
    .bind(to_json(&approved.files)?)
    .bind(approved.at)
    .bind(&approved.by)
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends an approval because another set was seen.
pub async fn revoke(
    connection: &mut Connection,
    id: &str,
    uri: &str,
    changes: &ManifestChanges,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE mcp_skill_approvals SET revoked_at = $3, changes = $4 \
         WHERE connection_id = $1 AND uri = $2 AND revoked_at IS NULL",
    )
    .bind(id)
    .bind(uri)
    .bind(now)
    .bind(to_json(changes)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes an approval with its history.
pub async fn withdraw(connection: &mut Connection, id: &str, uri: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM mcp_skill_approvals WHERE connection_id = $1 AND uri = $2")
        .bind(id)
        .bind(uri)
        .execute(connection)
        .await?;
    Ok(())
}

/// The results of all skills of a connection by address of the skill.
pub async fn checks(
    connection: &mut Connection,
    id: &str,
) -> Result<HashMap<String, Checks>, StoreError> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("SELECT uri, files FROM mcp_skill_checks WHERE connection_id = $1")
            .bind(id)
            .fetch_all(connection)
            .await?;
    rows.into_iter()
        .map(|(uri, files)| Ok((uri, from_json(&files)?)))
        .collect()
}

/// The results of one skill.
pub async fn checks_of(
    connection: &mut Connection,
    id: &str,
    uri: &str,
) -> Result<Checks, StoreError> {
    let files: Option<String> = sqlx::query_scalar(
        "SELECT files FROM mcp_skill_checks WHERE connection_id = $1 AND uri = $2",
    )
    .bind(id)
    .bind(uri)
    .fetch_optional(connection)
    .await?;
    files
        .as_deref()
        .map(from_json)
        .transpose()
        .map(Option::unwrap_or_default)
}

/// Stores the results of one skill in place of those before.
pub async fn save_checks(
    connection: &mut Connection,
    id: &str,
    uri: &str,
    checks: &Checks,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO mcp_skill_checks (connection_id, uri, files) VALUES ($1, $2, $3) \
         ON CONFLICT (connection_id, uri) DO UPDATE SET files = excluded.files",
    )
    .bind(id)
    .bind(uri)
    .bind(to_json(checks)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Forgets everything about the skills of a connection: at another address is another server.
pub async fn forget(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM mcp_skill_approvals WHERE connection_id = $1",
        "DELETE FROM mcp_skill_checks WHERE connection_id = $1",
    ] {
        sqlx::query(statement)
            .bind(id)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
