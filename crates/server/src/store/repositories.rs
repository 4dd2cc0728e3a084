//! The repository registry, the environment files of its rows, and what is attached to agents.

use std::collections::HashMap;

use contract::repositories::{EnvFile, EnvFileContent, Repository, SourceType};
use contract::rules::repositories::mount_dir;
use contract::{AgentId, UserId};

use super::{Connection, StoreError, count};
use crate::clock::{from_iso, iso};

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    name: String,
    url: String,
    provider: String,
    default_branch: Option<String>,
    mount_path: Option<String>,
    description: Option<String>,
    credential_mode: String,
    credential_ref: Option<String>,
    available_in_all_projects: i64,
    enabled: i64,
    created_at: i64,
    updated_at: i64,
}

impl Record {
    fn with(self, env_files: Vec<EnvFile>) -> Repository {
        Repository {
            id: self.id.into(),
            mount_dir: mount_dir(self.mount_path.as_deref(), &self.name),
            name: self.name,
            url: self.url,
            provider: self.provider.as_str().into(),
            default_branch: self.default_branch,
            mount_path: self.mount_path,
            description: self.description,
            credential_mode: self.credential_mode.as_str().into(),
            credential_ref: self.credential_ref,
            env_files,
            available_in_all_projects: self.available_in_all_projects != 0,
            source_type: SourceType::Manual,
            source_work_id: None,
            source_installation_repo_id: None,
            enabled: self.enabled != 0,
            readonly: false,
            created_at: Some(iso(self.created_at)),
            updated_at: Some(iso(self.updated_at)),
        }
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, url, provider, default_branch, mount_path, description, ",
            "credential_mode, credential_ref, available_in_all_projects, enabled, ",
            "created_at, updated_at FROM repositories ",
            $rest
        )
    };
}

#[derive(sqlx::FromRow)]
struct FileRecord {
    repository_id: String,
    path: String,
    size: i64,
}

/// All rows of an account, by name, with names and sizes of their environment files.
pub async fn list(
    connection: &mut Connection,
    user: &UserId,
) -> Result<Vec<Repository>, StoreError> {
    let records: Vec<Record> = sqlx::query_as(select!(
        "WHERE user_id = $1 ORDER BY name COLLATE NOCASE, name"
    ))
    .bind(user.as_str())
    .fetch_all(&mut *connection)
    .await?;
    let files: Vec<FileRecord> = sqlx::query_as(
        "SELECT repository_id, path, size FROM repository_env_files \
         JOIN repositories ON repositories.id = repository_id \
         WHERE user_id = $1 ORDER BY position",
    )
    .bind(user.as_str())
    .fetch_all(connection)
    .await?;
    let mut by_repository: HashMap<String, Vec<EnvFile>> = HashMap::new();
    for file in files {
        let shown = EnvFile {
            path: file.path,
            size: count(file.size),
        };
        by_repository
            .entry(file.repository_id)
            .or_default()
            .push(shown);
    }
    let rows = records.into_iter().map(|record| {
        let files = by_repository.remove(&record.id).unwrap_or_default();
        record.with(files)
    });
    Ok(rows.collect())
}

/// A row of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<Repository>, StoreError> {
    let record: Option<Record> = sqlx::query_as(select!("WHERE user_id = $1 AND id = $2"))
        .bind(user.as_str())
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(record) = record else {
        return Ok(None);
    };
    let files: Vec<(String, i64)> = sqlx::query_as(
        "SELECT path, size FROM repository_env_files WHERE repository_id = $1 ORDER BY position",
    )
    .bind(id)
    .fetch_all(connection)
    .await?;
    let shown = |(path, size)| EnvFile {
        path,
        size: count(size),
    };
    Ok(Some(record.with(files.into_iter().map(shown).collect())))
}

/// Stores a new row, or the new state of one that exists; environment files are left alone. Its
/// name must be new for the account.
pub async fn save(
    connection: &mut Connection,
    user: &UserId,
    repository: &Repository,
) -> Result<(), StoreError> {
    let moment = |text: &Option<String>| text.as_deref().and_then(from_iso).unwrap_or_default();
    sqlx::query(
        "INSERT INTO repositories (id, user_id, name, url, provider, default_branch, \
         mount_path, description, credential_mode, credential_ref, \
         available_in_all_projects, enabled, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url, \
         provider = excluded.provider, default_branch = excluded.default_branch, \
         mount_path = excluded.mount_path, description = excluded.description, \
         credential_mode = excluded.credential_mode, \
         credential_ref = excluded.credential_ref, \
         available_in_all_projects = excluded.available_in_all_projects, \
         enabled = excluded.enabled, updated_at = excluded.updated_at",
    )
    .bind(repository.id.as_str())
    .bind(user.as_str())
    .bind(&repository.name)
    .bind(&repository.url)
    .bind(repository.provider.as_str())
    .bind(&repository.default_branch)
    .bind(&repository.mount_path)
    .bind(&repository.description)
    .bind(repository.credential_mode.as_str())
    .bind(&repository.credential_ref)
    .bind(i64::from(repository.available_in_all_projects))
    .bind(i64::from(repository.enabled))
    .bind(moment(&repository.created_at))
    .bind(moment(&repository.updated_at))
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a row with its environment files; it is detached from every agent.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM repositories WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The environment files of a row with their contents.
pub async fn env_files(
    connection: &mut Connection,
    id: &str,
) -> Result<Vec<EnvFileContent>, StoreError> {
    let files: Vec<(String, String)> = sqlx::query_as(
        "SELECT path, content FROM repository_env_files WHERE repository_id = $1 \
         ORDER BY position",
    )
    .bind(id)
    .fetch_all(connection)
    .await?;
    let whole = |(path, content)| EnvFileContent { path, content };
    Ok(files.into_iter().map(whole).collect())
}

/// Replaces all environment files of a row.
pub async fn replace_env_files(
    connection: &mut Connection,
    id: &str,
    files: &[EnvFileContent],
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM repository_env_files WHERE repository_id = $1")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    for (position, file) in files.iter().enumerate() {
        sqlx::query(
            "INSERT INTO repository_env_files (repository_id, position, path, content, size) \
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(id)
        .bind(i64::try_from(position).unwrap_or(i64::MAX))
        .bind(&file.path)
        .bind(&file.content)
        .bind(i64::try_from(file.content.len()).unwrap_or(i64::MAX))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// The repositories attached to an agent, and whether each attachment is enabled.
pub async fn attachments(
    connection: &mut Connection,
    agent: &AgentId,
) -> Result<HashMap<String, bool>, StoreError> {
    let edges: Vec<(String, i64)> =
        sqlx::query_as("SELECT repository_id, enabled FROM agent_repositories WHERE agent_id = $1")
            .bind(agent.as_str())
            .fetch_all(connection)
            .await?;
    let read = |(id, enabled)| (id, enabled != 0);
    Ok(edges.into_iter().map(read).collect())
}

/// Attaches a repository to an agent, or sets the switch of an attachment that exists.
pub async fn attach(
    connection: &mut Connection,
    agent: &AgentId,
    repository: &str,
    enabled: bool,
    at: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO agent_repositories (agent_id, repository_id, enabled, created_at) \
         VALUES ($1, $2, $3, $4) \
         ON CONFLICT (agent_id, repository_id) DO UPDATE SET enabled = excluded.enabled",
    )
    .bind(agent.as_str())
    .bind(repository)
    .bind(i64::from(enabled))
    .bind(at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Detaches a repository from an agent.
pub async fn detach(
    connection: &mut Connection,
    agent: &AgentId,
    repository: &str,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM agent_repositories WHERE agent_id = $1 AND repository_id = $2")
        .bind(agent.as_str())
        .bind(repository)
        .execute(connection)
        .await?;
    Ok(())
}
