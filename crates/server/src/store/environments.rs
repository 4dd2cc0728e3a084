//! Environments.

use contract::UserId;
use contract::environments::{Environment, EnvironmentStatus};

use super::{Connection, StoreError, count, from_json, to_json};
use crate::clock::{from_iso, iso};

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    user_id: String,
    name: String,
    slug: String,
    description: Option<String>,
    pip_packages: String,
    npm_packages: String,
    networking_mode: String,
    allowed_hosts: Option<String>,
    allow_package_managers: i64,
    status: String,
    available_in_all_projects: i64,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<Record> for Environment {
    type Error = StoreError;

    fn try_from(record: Record) -> Result<Self, StoreError> {
        let hosts = record.allowed_hosts.as_deref();
        Ok(Self {
            id: record.id.into(),
            user_id: record.user_id.into(),
            name: record.name,
            slug: record.slug,
            description: record.description,
            pip_packages: from_json(&record.pip_packages)?,
            npm_packages: from_json(&record.npm_packages)?,
            networking_mode: record.networking_mode.as_str().into(),
            allowed_hosts: hosts.map(from_json).transpose()?,
            allow_package_managers: record.allow_package_managers != 0,
            status: record.status.as_str().into(),
            available_in_all_projects: record.available_in_all_projects != 0,
            created_at: iso(record.created_at),
            updated_at: iso(record.updated_at),
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, name, slug, description, pip_packages, npm_packages, ",
            "networking_mode, allowed_hosts, allow_package_managers, status, ",
            "available_in_all_projects, created_at, updated_at FROM environments ",
            $rest
        )
    };
}

/// All environments of an account, or those of one status, latest change first.
pub async fn list(
    connection: &mut Connection,
    user: &UserId,
    status: Option<&EnvironmentStatus>,
) -> Result<Vec<Environment>, StoreError> {
    let records: Vec<Record> = sqlx::query_as(select!(
        "WHERE user_id = $1 AND ($2 IS NULL OR status = $2) ORDER BY updated_at DESC, id"
    ))
    .bind(user.as_str())
    .bind(status.map(EnvironmentStatus::as_str))
    .fetch_all(connection)
    .await?;
    records.into_iter().map(Environment::try_from).collect()
}

/// An environment of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<Environment>, StoreError> {
    let record: Option<Record> = sqlx::query_as(select!("WHERE user_id = $1 AND id = $2"))
        .bind(user.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    record.map(Environment::try_from).transpose()
}

/// Stores a new environment, or the new state of one that exists. Its slug must be new for the
/// account.
pub async fn save(
    connection: &mut Connection,
    environment: &Environment,
) -> Result<(), StoreError> {
    let hosts = environment.allowed_hosts.as_ref();
    sqlx::query(
        "INSERT INTO environments (id, user_id, name, slug, description, pip_packages, \
         npm_packages, networking_mode, allowed_hosts, allow_package_managers, status, \
         available_in_all_projects, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, slug = excluded.slug, \
         description = excluded.description, pip_packages = excluded.pip_packages, \
         npm_packages = excluded.npm_packages, networking_mode = excluded.networking_mode, \
         allowed_hosts = excluded.allowed_hosts, \
         allow_package_managers = excluded.allow_package_managers, status = excluded.status, \
         available_in_all_projects = excluded.available_in_all_projects, \
         updated_at = excluded.updated_at",
    )
    .bind(environment.id.as_str())
    .bind(environment.user_id.as_str())
    .bind(&environment.name)
    .bind(&environment.slug)
    .bind(&environment.description)
    .bind(to_json(&environment.pip_packages)?)
    .bind(to_json(&environment.npm_packages)?)
    .bind(environment.networking_mode.as_str())
    .bind(hosts.map(to_json).transpose()?)
    .bind(i64::from(environment.allow_package_managers))
    .bind(environment.status.as_str())
    .bind(i64::from(environment.available_in_all_projects))
    .bind(from_iso(&environment.created_at))
    .bind(from_iso(&environment.updated_at))
    .execute(connection)
    .await?;
    Ok(())
}

/// How many agents are given an environment, archived ones included.
pub async fn agents_with(connection: &mut Connection, id: &str) -> Result<u64, StoreError> {
    let number: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM agents WHERE environment_id = $1")
        .bind(id)
        .fetch_one(connection)
        .await?;
    Ok(count(number))
}

/// Deletes an environment no agent is given.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM environments WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}
