//! Installed skills, the catalog, and what skills are bound to (contract section 10).

use std::collections::BTreeSet;

use contract::ids::{AgentId, SkillBindingId, SkillId};
use contract::server::Deleted;
use contract::skill_lint::{SkillLint, SkillLintRequest};
use contract::skills::{
    AgentSkill, AgentSkillList, CatalogAnswer, CatalogPage, CatalogSkill, Skill, SkillBinding,
    SkillBindingCreate, SkillCreate, SkillInstall, SkillPage, SkillPatch,
};
use gloo_net::http::Method;

use super::{ApiError, Call, Client, get, send};
use crate::route::encode;

/// Rows asked for at once: the most the endpoints hand out (contract section 10).
const PAGE: usize = 200;
/// Pages read of one list. A server that never comes to an end is left there.
const PAGES: usize = 50;

/// Every installed skill, latest change first. A skill that moved to another page while the pages
/// were read is there once.
pub async fn installed(client: &Client) -> Result<Vec<Skill>, ApiError> {
    let mut all: Vec<Skill> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut offset = 0_usize;
    for _ in 0..PAGES {
        let path = format!("api/skills?limit={PAGE}&offset={offset}");
        let page: SkillPage = get(client, &path).await?;
        let count = page.data.len();
        offset = offset.saturating_add(count);
        all.extend(
            page.data
                .into_iter()
                .filter(|one| seen.insert(one.id.clone())),
        );
        if count == 0 || offset as u64 >= page.meta.total {
            break;
        }
    }
    Ok(all)
}

/// Every entry of the catalog, in its own order.
pub async fn catalog(client: &Client) -> Result<Vec<CatalogSkill>, ApiError> {
    let mut all: Vec<CatalogSkill> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut offset = 0_usize;
    for _ in 0..PAGES {
        let path = format!("api/skills/catalog?limit={PAGE}&offset={offset}");
        let page: CatalogPage = get(client, &path).await?;
        let count = page.entries.len();
        offset = offset.saturating_add(count);
        all.extend(
            page.entries
                .into_iter()
                .filter(|one| seen.insert(one.slug.clone())),
        );
        if count == 0 || offset as u64 >= page.total {
            break;
        }
    }
    Ok(all)
}

/// One installed skill.
pub async fn one(client: &Client, id: &SkillId) -> Result<Skill, ApiError> {
    get(client, &format!("api/skills/{}", encode(id.as_str()))).await
}

/// One entry of the catalog.
pub async fn catalog_entry(client: &Client, slug: &str) -> Result<CatalogAnswer, ApiError> {
    get(client, &format!("api/skills/catalog/{}", encode(slug))).await
}

/// Makes a skill.
pub async fn create(client: &Client, skill: &SkillCreate) -> Result<Skill, ApiError> {
    send(client, Call::new(Method::POST, "api/skills").body(skill)?).await
}

/// Changes the fields that are set.
pub async fn patch(client: &Client, id: &SkillId, patch: &SkillPatch) -> Result<Skill, ApiError> {
    let address = format!("api/skills/{}", encode(id.as_str()));
    send(client, Call::new(Method::PATCH, &address).body(patch)?).await
}

/// Deletes a skill and every binding of it.
pub async fn delete(client: &Client, id: &SkillId) -> Result<Deleted, ApiError> {
    let path = format!("api/skills/{}", encode(id.as_str()));
    send(client, Call::new(Method::DELETE, &path)).await
}

/// Installs an entry of the catalog.
pub async fn install(client: &Client, install: &SkillInstall) -> Result<Skill, ApiError> {
    let call = Call::new(Method::POST, "api/skills/install").body(install)?;
    send(client, call).await
}

/// The skills one agent finds: its own bindings and those of the scopes above it.
pub async fn of_agent(client: &Client, agent: &AgentId) -> Result<Vec<AgentSkill>, ApiError> {
    let list: AgentSkillList = get(client, &format!("api/agents/{agent}/skills")).await?;
    Ok(list.data)
}

/// Everything a skill is bound to.
pub async fn bindings(client: &Client, skill: &SkillId) -> Result<Vec<SkillBinding>, ApiError> {
    let path = format!("api/skills/{}/bindings", encode(skill.as_str()));
    get(client, &path).await
}

/// Binds a skill.
pub async fn bind(
    client: &Client,
    skill: &SkillId,
    binding: &SkillBindingCreate,
) -> Result<SkillBinding, ApiError> {
    let path = format!("api/skills/{}/bindings", encode(skill.as_str()));
    send(client, Call::new(Method::POST, &path).body(binding)?).await
}

/// Removes a binding. The endpoint takes bindings of every scope: whoever calls this has made sure
/// which one it is.
pub async fn unbind(client: &Client, binding: &SkillBindingId) -> Result<Deleted, ApiError> {
    let path = format!("api/skill-bindings/{}", encode(binding.as_str()));
    send(client, Call::new(Method::DELETE, &path)).await
}

/// What the hosts make of a `SKILL.md` that need not be stored.
pub async fn lint(client: &Client, file: &SkillLintRequest) -> Result<SkillLint, ApiError> {
    send(
        client,
        Call::new(Method::POST, "api/skill-lint").body(file)?,
    )
    .await
}
