//! Installed skills: creating, installing from the catalog, changing and removing them (contract
//! section 10).

use contract::UserId;
use contract::events::{Actor, ChangeKind};
use contract::requests::skills::{BODY_MAX, SLUG_MAX, SkillQuery, invocation_slug};
use contract::rules::{control_tokens, secrets};
use contract::server::{Page, PageMeta};
use contract::skills::{CatalogSkill, Skill, SkillCreate, SkillInstall, SkillPatch, SkillScope};
use serde_json::{Map, Value, json};

use super::resources::{self, Registry};
use super::{account, new_id, record};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::secrets::fingerprint;
use crate::skill_catalog;
use crate::slugs::slug;
use crate::state::AppState;
use crate::store::users::User;
use crate::store::{Connection, WriteTx, agents, count, skills, works};
use crate::unicode::UNICODE;

/// One page of the caller's skills, latest change first.
pub async fn list(
    state: &AppState,
    user: &UserId,
    query: &SkillQuery,
) -> Result<Page<Skill>, ApiError> {
    let mut reading = state.store.read().await?;
    let (data, total) = skills::list(&mut reading, user, query).await?;
    Ok(Page {
        data,
        meta: PageMeta {
            total,
            limit: count(query.page.limit),
            offset: count(query.page.offset),
        },
    })
}

/// One skill of the caller.
pub async fn get(state: &AppState, user: &UserId, id: &str) -> Result<Skill, ApiError> {
    let mut reading = state.store.read().await?;
    find(&mut reading, user, id).await
}

pub(super) async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Skill, ApiError> {
    skills::find(connection, user, id)
        .await?
        .ok_or_else(|| ApiError::NotFound(format!("Skill {id} not found.")))
}

/// Checks that a scope is the caller's and answers its name: for the tenant the id is the
/// account's own.
pub(super) async fn check_scope(
    connection: &mut Connection,
    user: &User,
    scope: &SkillScope,
    id: &str,
) -> Result<String, ApiError> {
    let owner = UserId::from(user.id.as_str());
    let name = match scope {
        SkillScope::Tenant => (id == user.id).then(|| "the tenant".to_owned()),
        SkillScope::Work => works::find(connection, &owner, id)
            .await?
            .map(|work| work.name),
        SkillScope::Agent => agents::find(connection, &owner, id)
            .await?
            .map(|stored| stored.agent.name),
        // This control plane keeps no missions or ideas, so no id of one can be the caller's.
        SkillScope::Mission | SkillScope::Idea | SkillScope::Unknown(_) => None,
    };
    name.ok_or_else(|| ApiError::NotFound("Skill target not found.".to_owned()))
}

/// What keeps the text of a skill from being stored: its size, a secret, or a control token.
fn check_body(text: &str) -> Result<(), ApiError> {
    const SUBJECT: &str = "Skill body";
    let refusal = if text.len() > BODY_MAX {
        let size = text.len().div_ceil(1024);
        Some(format!(
            "Skill body is {size} KB; max {} KB.",
            BODY_MAX / 1024
        ))
    } else if let Some(finding) = secrets::scan(text, UNICODE.nfkc) {
        Some(finding.server_message(SUBJECT))
    } else {
        control_tokens::find(text).map(|found| found.server_message(SUBJECT))
    };
    refusal.map_or(Ok(()), |sentence| Err(ApiError::BadRequest(sentence)))
}

/// The slug of a title: of its ASCII letters and digits, else from the id.
fn slug_of(title: &str, id: &str) -> Result<String, ApiError> {
    let mut short = slug(title).replace('_', "-");
    short.truncate(SLUG_MAX);
    let short = short.trim_matches('-');
    if !short.is_empty() {
        return Ok(short.to_owned());
    }
    if title.chars().any(char::is_alphanumeric) {
        return Ok(format!("skill-{}", id.get(..8).unwrap_or_default()));
    }
    Err(ApiError::BadRequest(
        "Skill title must contain at least one alphanumeric character.".to_owned(),
    ))
}

/// Creates a skill. It is bound to nothing yet, not even to its owner.
pub async fn create(
    state: &AppState,
    actor: &Actor,
    request: SkillCreate,
) -> Result<Skill, ApiError> {
    check_body(&request.instructions_md)?;
    let called = request.invocation_slug.as_deref();
    let called = called.map_or(Ok(None), invocation_slug);
    let id = new_id();
    let slug = match request.slug {
        Some(slug) => slug,
        None => slug_of(&request.title, &id)?,
    };
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let now = iso(clock::stamp());
    let mut frontmatter = Map::new();
    frontmatter.insert("name".to_owned(), json!(slug));
    frontmatter.insert("description".to_owned(), json!(request.description));
    let made = Skill {
        id: id.into(),
        user_id: actor.user_id.clone(),
        owner_type: request.owner_type,
        owner_id: request.owner_id,
        slug,
        invocation_slug: called.map_err(ApiError::BadRequest)?,
        title: request.title,
        description: request.description,
        frontmatter: request.frontmatter.unwrap_or(frontmatter),
        content_hash: fingerprint(&request.instructions_md),
        instructions_md: request.instructions_md,
        source_path: None,
        source_catalog_slug: None,
        source_catalog_version: None,
        version: request.version.unwrap_or_else(|| "1.0.0".to_owned()),
        tenant_id: user.tenant_id.clone().map(Into::into),
        organization_id: user.last_organization_id.clone().map(Into::into),
        created_at: now.clone(),
        updated_at: now,
    };
    check_scope(&mut writing, &user, &made.owner_type, &made.owner_id).await?;
    if skills::slug_taken(&mut writing, &made).await? {
        return Err(ApiError::Conflict(format!(
            "A Skill with slug \"{}\" already exists at {}:{}.",
            made.slug, made.owner_type, made.owner_id
        )));
    }
    check_call(&mut writing, &made).await?;
    skills::save(&mut writing, &made).await?;
    let action = ("skill_created", "created");
    log(&mut writing, &user, actor, (None, Some(&made)), action).await?;
    state.commit(writing).await?;
    Ok(made)
}

/// The name a skill is called by is unique for the account.
async fn check_call(connection: &mut Connection, skill: &Skill) -> Result<(), ApiError> {
    let Some(called) = &skill.invocation_slug else {
        return Ok(());
    };
    match skills::called_alike(connection, skill).await? {
        None => Ok(()),
        Some(title) => Err(ApiError::Conflict(format!(
            "Invocation slug \"/{called}\" is already used by skill \"{title}\"."
        ))),
    }
}

/// An entry of the catalog.
pub fn catalog_entry(slug: &str) -> Result<&'static CatalogSkill, ApiError> {
    skill_catalog::find(slug)
        .ok_or_else(|| ApiError::NotFound(format!("Catalog skill \"{slug}\" not found.")))
}

/// Installs a skill of the catalog as it is now; later versions of the entry do not change it.
pub async fn install(
    state: &AppState,
    actor: &Actor,
    request: SkillInstall,
) -> Result<Skill, ApiError> {
    let entry = catalog_entry(&request.slug)?;
    check_body(&entry.body)?;
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let now = iso(clock::stamp());
    let made = Skill {
        id: new_id().into(),
        user_id: actor.user_id.clone(),
        owner_type: request.owner_type,
        owner_id: request.owner_id,
        slug: entry.slug.clone(),
        invocation_slug: None,
        title: entry.title.clone(),
        description: entry.description.clone(),
        frontmatter: entry.frontmatter.clone(),
        instructions_md: entry.body.clone(),
        content_hash: fingerprint(&entry.body),
        source_path: Some(skill_catalog::PROVIDER.to_owned()),
        source_catalog_slug: Some(entry.slug.clone()),
        source_catalog_version: Some(entry.version.clone()),
        version: entry.version.clone(),
        tenant_id: user.tenant_id.clone().map(Into::into),
        organization_id: user.last_organization_id.clone().map(Into::into),
        created_at: now.clone(),
        updated_at: now,
    };
    check_scope(&mut writing, &user, &made.owner_type, &made.owner_id).await?;
    if skills::slug_taken(&mut writing, &made).await? {
        return Err(ApiError::Conflict(format!(
            "Catalog skill \"{}\" is already installed at {}:{}.",
            made.slug, made.owner_type, made.owner_id
        )));
    }
    skills::save(&mut writing, &made).await?;
    let action = ("skill_installed", "installed");
    log(&mut writing, &user, actor, (None, Some(&made)), action).await?;
    state.commit(writing).await?;
    Ok(made)
}

/// Changes a skill; owner and slug stay.
pub async fn patch(
    state: &AppState,
    actor: &Actor,
    id: &str,
    request: SkillPatch,
) -> Result<Skill, ApiError> {
    request
        .instructions_md
        .as_deref()
        .map_or(Ok(()), check_body)?;
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    let mut after = before.clone();
    set(&mut after.title, request.title);
    set(&mut after.description, request.description);
    set(&mut after.frontmatter, request.frontmatter);
    set(&mut after.version, request.version);
    if let Some(text) = request.instructions_md {
        after.content_hash = fingerprint(&text);
        after.instructions_md = text;
    }
    if let Some(called) = request.invocation_slug {
        let called = called.as_deref().map_or(Ok(None), invocation_slug);
        after.invocation_slug = called.map_err(ApiError::BadRequest)?;
        check_call(&mut writing, &after).await?;
    }
    if before == after {
        return Ok(after);
    }
    after.updated_at = iso(clock::stamp());
    skills::save(&mut writing, &after).await?;
    let change = (Some(&before), Some(&after));
    let action = ("skill_updated", "updated");
    log(&mut writing, &user, actor, change, action).await?;
    state.commit(writing).await?;
    Ok(after)
}

fn set<T>(slot: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *slot = value;
    }
}

/// Removes a skill with all its bindings.
pub async fn delete(state: &AppState, actor: &Actor, id: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    skills::delete(&mut writing, id).await?;
    let action = ("skill_deleted", "removed");
    log(&mut writing, &user, actor, (Some(&before), None), action).await?;
    state.commit(writing).await
}

/// What a record holds of a skill: everything but its text, whose hash tells whether it changed.
fn recorded(skill: &Skill) -> Result<Map<String, Value>, ApiError> {
    match serde_json::to_value(skill) {
        Ok(Value::Object(mut object)) => {
            object.remove("instructionsMd");
            Ok(object)
        }
        Ok(_) => Err(ApiError::internal("a skill is not a JSON object")),
        Err(error) => Err(ApiError::internal(error)),
    }
}

async fn log(
    writing: &mut WriteTx,
    user: &User,
    actor: &Actor,
    (before, after): (Option<&Skill>, Option<&Skill>),
    (action_type, verb): (&'static str, &str),
) -> Result<(), ApiError> {
    let shown = after.or(before);
    let (id, title) = shown.map_or(("", ""), |shown| (shown.id.as_str(), shown.title.as_str()));
    let registry = Registry {
        resource_type: "skill",
        kind: ChangeKind::Skill,
    };
    let before = before.map(recorded).transpose()?;
    let after = after.map(recorded).transpose()?;
    let change = (before.as_ref(), after.as_ref());
    let summary = format!("Skill {title} {verb}");
    let at = clock::stamp();
    let entry = resources::entry(registry, actor, id, change, action_type, summary, at)?;
    record(writing, user, actor, entry).await
}
