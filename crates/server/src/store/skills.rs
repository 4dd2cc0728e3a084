//! Installed skills.

use contract::UserId;
use contract::requests::skills::SkillQuery;
use contract::skills::{Skill, SkillScope};

use super::agents::contains_pattern;
use super::{Connection, StoreError, count, from_json, to_json};
use crate::clock::{from_iso, iso};

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    user_id: String,
    owner_type: String,
    owner_id: String,
    slug: String,
    invocation_slug: Option<String>,
    title: String,
    description: String,
    frontmatter: String,
    instructions_md: String,
    content_hash: String,
    source_path: Option<String>,
    source_catalog_slug: Option<String>,
    source_catalog_version: Option<String>,
    version: String,
    tenant_id: Option<String>,
    organization_id: Option<String>,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<Record> for Skill {
    type Error = StoreError;

    fn try_from(record: Record) -> Result<Self, StoreError> {
        Ok(Self {
            id: record.id.into(),
            user_id: record.user_id.into(),
            owner_type: record.owner_type.as_str().into(),
            owner_id: record.owner_id,
            slug: record.slug,
            invocation_slug: record.invocation_slug,
            title: record.title,
            description: record.description,
            frontmatter: from_json(&record.frontmatter)?,
            instructions_md: record.instructions_md,
            content_hash: record.content_hash,
            source_path: record.source_path,
            source_catalog_slug: record.source_catalog_slug,
            source_catalog_version: record.source_catalog_version,
            version: record.version,
            tenant_id: record.tenant_id.map(Into::into),
            organization_id: record.organization_id.map(Into::into),
            created_at: iso(record.created_at),
            updated_at: iso(record.updated_at),
        })
    }
}

macro_rules! select {
    ($rest:expr) => {
        concat!(
            "SELECT id, user_id, owner_type, owner_id, slug, invocation_slug, title, ",
            "description, frontmatter, instructions_md, content_hash, source_path, ",
            "source_catalog_slug, source_catalog_version, version, tenant_id, ",
            "organization_id, created_at, updated_at FROM skills ",
            $rest
        )
    };
}

/// The filters of the list. A parameter that is NULL filters nothing.
macro_rules! filtered {
    () => {
        "WHERE user_id = $1 AND ($2 IS NULL OR owner_type = $2) \
         AND ($3 IS NULL OR owner_id = $3) \
         AND ($4 IS NULL OR search_text LIKE $4 ESCAPE '\\')"
    };
}

const LIST: &str = concat!(
    select!(""),
    filtered!(),
    " ORDER BY updated_at DESC, id LIMIT $5 OFFSET $6"
);
const COUNT: &str = concat!("SELECT COUNT(*) FROM skills ", filtered!());

/// One page of an account's skills, latest change first, and how many there are.
pub async fn list(
    connection: &mut Connection,
    user: &UserId,
    query: &SkillQuery,
) -> Result<(Vec<Skill>, u64), StoreError> {
    let owner_type = query.owner_type.as_ref().map(SkillScope::as_str);
    let search = query.search.as_deref().map(contains_pattern);
    let records: Vec<Record> = sqlx::query_as(LIST)
        .bind(user.as_str())
        .bind(owner_type)
        .bind(&query.owner_id)
        .bind(&search)
        .bind(query.page.limit)
        .bind(query.page.offset)
        .fetch_all(&mut *connection)
        .await?;
    let total: i64 = sqlx::query_scalar(COUNT)
        .bind(user.as_str())
        .bind(owner_type)
        .bind(&query.owner_id)
        .bind(&search)
        .fetch_one(connection)
        .await?;
    let skills: Result<Vec<Skill>, StoreError> = records.into_iter().map(Skill::try_from).collect();
    Ok((skills?, count(total)))
}

/// The slugs of all skills of an account.
pub async fn slugs(connection: &mut Connection, user: &UserId) -> Result<Vec<String>, StoreError> {
    sqlx::query_scalar("SELECT slug FROM skills WHERE user_id = $1")
        .bind(user.as_str())
        .fetch_all(connection)
        .await
}

/// A skill of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<Skill>, StoreError> {
    let record: Option<Record> = sqlx::query_as(select!("WHERE user_id = $1 AND id = $2"))
        .bind(user.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    record.map(Skill::try_from).transpose()
}

/// Whether the owner of `skill` has another one with its slug.
pub async fn slug_taken(connection: &mut Connection, skill: &Skill) -> Result<bool, StoreError> {
    let number: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM skills WHERE user_id = $1 AND owner_type = $2 AND owner_id = $3 \
         AND slug = $4 AND id <> $5",
    )
    .bind(skill.user_id.as_str())
    .bind(skill.owner_type.as_str())
    .bind(&skill.owner_id)
    .bind(&skill.slug)
    .bind(skill.id.as_str())
    .fetch_one(connection)
    .await?;
    Ok(number > 0)
}

/// The title of another skill of the account that is called by the same name as `skill`.
pub async fn called_alike(
    connection: &mut Connection,
    skill: &Skill,
) -> Result<Option<String>, StoreError> {
    sqlx::query_scalar(
        "SELECT title FROM skills WHERE user_id = $1 AND invocation_slug = $2 AND id <> $3",
    )
    .bind(skill.user_id.as_str())
    .bind(&skill.invocation_slug)
    .bind(skill.id.as_str())
    .fetch_optional(connection)
    .await
}

/// Stores a new skill, or the new state of one that exists.
pub async fn save(connection: &mut Connection, skill: &Skill) -> Result<(), StoreError> {
    let searched = format!("{}\n{}\n{}", skill.title, skill.slug, skill.description).to_lowercase();
    sqlx::query(
        "INSERT INTO skills (id, user_id, owner_type, owner_id, slug, invocation_slug, title, \
         description, frontmatter, instructions_md, content_hash, source_path, \
         source_catalog_slug, source_catalog_version, version, tenant_id, organization_id, \
         search_text, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, \
         $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) \
         ON CONFLICT (id) DO UPDATE SET invocation_slug = excluded.invocation_slug, \
         title = excluded.title, description = excluded.description, \
         frontmatter = excluded.frontmatter, instructions_md = excluded.instructions_md, \
         content_hash = excluded.content_hash, version = excluded.version, \
         search_text = excluded.search_text, updated_at = excluded.updated_at",
    )
    .bind(skill.id.as_str())
    .bind(skill.user_id.as_str())
    .bind(skill.owner_type.as_str())
    .bind(&skill.owner_id)
    .bind(&skill.slug)
    .bind(&skill.invocation_slug)
    .bind(&skill.title)
    .bind(&skill.description)
    .bind(to_json(&skill.frontmatter)?)
    .bind(&skill.instructions_md)
    .bind(&skill.content_hash)
    .bind(&skill.source_path)
    .bind(&skill.source_catalog_slug)
    .bind(&skill.source_catalog_version)
    .bind(&skill.version)
    .bind(skill.tenant_id.as_ref().map(contract::TenantId::as_str))
    .bind(
        skill
            .organization_id
            .as_ref()
            .map(contract::OrganizationId::as_str),
    )
    .bind(searched)
    .bind(from_iso(&skill.created_at))
    .bind(from_iso(&skill.updated_at))
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a skill with its bindings.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM skills WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}
