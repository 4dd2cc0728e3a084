//! Bindings of skills to tenants, Works and agents.

use contract::agents::Agent;
use contract::rules::skill_bindings::Reaching;
use contract::skills::{BoundSkill, SkillBinding, SkillScope};
use contract::{UserId, WorkId};

use super::{Connection, StoreError};
use crate::clock::{from_iso, iso};

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    skill_id: String,
    user_id: String,
    target_type: String,
    target_key: String,
    inject_into_agent: i64,
    inject_into_generator: i64,
    priority: i64,
    tenant_id: Option<String>,
    organization_id: Option<String>,
    created_at: i64,
}

impl From<Record> for SkillBinding {
    fn from(record: Record) -> Self {
        Self {
            id: record.id.into(),
            skill_id: record.skill_id.into(),
            target_type: record.target_type.as_str().into(),
            target_id: (!record.target_key.is_empty()).then_some(record.target_key),
            user_id: record.user_id.into(),
            inject_into_agent: record.inject_into_agent != 0,
            inject_into_generator: record.inject_into_generator != 0,
            priority: priority(record.priority),
            tenant_id: record.tenant_id.map(Into::into),
            organization_id: record.organization_id.map(Into::into),
            created_at: iso(record.created_at),
        }
    }
}

fn priority(stored: i64) -> u32 {
    u32::try_from(stored).unwrap_or(u32::MAX)
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, skill_id, user_id, target_type, target_key, inject_into_agent, ",
            "inject_into_generator, priority, tenant_id, organization_id, created_at ",
            "FROM skill_bindings ",
            $rest
        )
    };
}

/// All bindings of a skill, oldest first.
pub async fn of_skill(
    connection: &mut Connection,
    skill: &str,
) -> Result<Vec<SkillBinding>, StoreError> {
    let records: Vec<Record> =
        sqlx::query_as(select!("WHERE skill_id = $1 ORDER BY created_at, id"))
            .bind(skill)
            .fetch_all(connection)
            .await?;
    Ok(records.into_iter().map(SkillBinding::from).collect())
}

/// A binding of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<SkillBinding>, StoreError> {
    let record: Option<Record> = sqlx::query_as(select!("WHERE user_id = $1 AND id = $2"))
        .bind(user.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    Ok(record.map(SkillBinding::from))
}

#[derive(sqlx::FromRow)]
struct ReachingRecord {
    binding_id: String,
    priority: i64,
    target_type: String,
    created_at: i64,
    skill_id: String,
    slug: String,
    title: String,
    version: String,
}

/// The bindings that reach an agent: on itself, on its Work and on the tenant, unless they are for
/// generators only.
pub async fn reaching(
    connection: &mut Connection,
    agent: &Agent,
) -> Result<Vec<Reaching>, StoreError> {
    let records: Vec<ReachingRecord> = sqlx::query_as(
        "SELECT b.id AS binding_id, b.priority, b.target_type, b.created_at, b.skill_id, \
         s.slug, s.title, s.version \
         FROM skill_bindings AS b JOIN skills AS s ON s.id = b.skill_id \
         WHERE b.user_id = $1 AND b.inject_into_agent <> 0 AND ( \
         (b.target_type = 'tenant' AND b.target_key = '') \
         OR (b.target_type = 'agent' AND b.target_key = $2) \
         OR (b.target_type = 'work' AND b.target_key = $3))",
    )
    .bind(agent.user_id.as_str())
    .bind(agent.id.as_str())
    .bind(agent.work_id.as_ref().map(WorkId::as_str))
    .fetch_all(connection)
    .await?;
    let reaching = records.into_iter().map(|record| Reaching {
        binding_id: record.binding_id.into(),
        priority: priority(record.priority),
        target_type: record.target_type.as_str().into(),
        created_at: iso(record.created_at),
        skill: BoundSkill {
            id: record.skill_id.into(),
            slug: record.slug,
            title: record.title,
            version: record.version,
        },
    });
    Ok(reaching.collect())
}

/// Stores a new binding; its skill must not be bound to its target yet.
pub async fn insert(connection: &mut Connection, binding: &SkillBinding) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO skill_bindings (id, skill_id, user_id, target_type, target_key, \
         inject_into_agent, inject_into_generator, priority, tenant_id, organization_id, \
         created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(binding.id.as_str())
    .bind(binding.skill_id.as_str())
    .bind(binding.user_id.as_str())
    .bind(binding.target_type.as_str())
    .bind(binding.target_id.as_deref().unwrap_or_default())
    .bind(i64::from(binding.inject_into_agent))
    .bind(i64::from(binding.inject_into_generator))
    .bind(i64::from(binding.priority))
    .bind(binding.tenant_id.as_ref().map(contract::TenantId::as_str))
    .bind(
        binding
            .organization_id
            .as_ref()
            .map(contract::OrganizationId::as_str),
    )
    .bind(from_iso(&binding.created_at))
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a binding.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM skill_bindings WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes all bindings to a target that goes away.
pub async fn delete_at(
    connection: &mut Connection,
    target_type: &SkillScope,
    target: &str,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM skill_bindings WHERE target_type = $1 AND target_key = $2")
        .bind(target_type.as_str())
        .bind(target)
        .execute(connection)
        .await?;
    Ok(())
}
