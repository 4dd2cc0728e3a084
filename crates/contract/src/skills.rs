//! Installed skills, the catalog, and bindings to scopes and agents (contract section 10).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::{OrganizationId, SkillBindingId, SkillId, TenantId, UserId};
use crate::open::{null_as_default, open_enum};
use crate::server::Page;

/// The most characters (Unicode scalar values) of a title.
pub const TITLE_MAX: usize = 200;
/// The most characters (Unicode scalar values) of a description.
pub const DESCRIPTION_MAX: usize = 1_000;
/// The most characters (Unicode scalar values) of the instructions.
pub const INSTRUCTIONS_MAX: usize = 65_536;
/// The most characters of a slug.
pub const SLUG_MAX: usize = 80;
/// The most characters (Unicode scalar values) of a version.
pub const VERSION_MAX: usize = 40;

/// Whether a text is a slug: `^[a-z0-9-]{1,80}$` (contract section 10).
pub fn is_slug(text: &str) -> bool {
    (1..=SLUG_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

open_enum! {
    /// What owns a skill, or what it is bound to.
    SkillScope {
        /// The whole tenant. Owner id: the account's id; target id: none.
        Tenant = "tenant",
        /// A mission.
        Mission = "mission",
        /// An idea.
        Idea = "idea",
        /// A Work.
        Work = "work",
        /// One agent.
        Agent = "agent",
    }
}

/// An installed skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skill {
    /// The skill.
    pub id: SkillId,
    /// Whose it is.
    pub user_id: UserId,
    /// What owns it.
    pub owner_type: SkillScope,
    /// The owner; the account's id for the tenant.
    pub owner_id: String,
    /// `^[a-z0-9-]{1,80}$`, unique per owner.
    pub slug: String,
    /// Name it is called by, when another than the slug.
    #[serde(default)]
    pub invocation_slug: Option<String>,
    /// 1 to 200 characters.
    pub title: String,
    /// 1 to 1,000 characters.
    pub description: String,
    /// Fields of its frontmatter.
    #[serde(default, deserialize_with = "null_as_default")]
    pub frontmatter: Map<String, Value>,
    /// The body, at most 65,536 characters.
    pub instructions_md: String,
    /// SHA-256 of the body in hexadecimal.
    #[serde(default, deserialize_with = "null_as_default")]
    pub content_hash: String,
    /// Where it was read from.
    #[serde(default)]
    pub source_path: Option<String>,
    /// The catalog entry it was installed from.
    #[serde(default)]
    pub source_catalog_slug: Option<String>,
    /// The version of that entry.
    #[serde(default)]
    pub source_catalog_version: Option<String>,
    /// At most 40 characters.
    pub version: String,
    /// Context.
    #[serde(default)]
    pub tenant_id: Option<TenantId>,
    /// Context.
    #[serde(default)]
    pub organization_id: Option<OrganizationId>,
    /// When it was created, ISO-8601 UTC.
    pub created_at: String,
    /// When it last changed, ISO-8601 UTC.
    pub updated_at: String,
}

/// Answer of `GET /api/skills`, latest change first.
pub type SkillPage = Page<Skill>;

/// The skill of a binding, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundSkill {
    /// The skill.
    pub id: SkillId,
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its version.
    pub version: String,
}

/// One entry of `GET /api/agents/:id/skills`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentSkill {
    /// The binding that won.
    pub binding_id: SkillBindingId,
    /// 1 to 1,000; the lowest of several bindings of one skill wins.
    pub priority: u32,
    /// What it is bound to: `agent` is direct, everything else inherited.
    pub target_type: SkillScope,
    /// The skill.
    pub skill: BoundSkill,
    /// A direct binding that is hidden behind this inherited one (Remit only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_agent_binding_id: Option<SkillBindingId>,
}

/// Answer of `GET /api/agents/:id/skills`, lowest priority number first, one entry per skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSkillList {
    /// The skills the agent finds.
    pub data: Vec<AgentSkill>,
}

/// A binding of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillBinding {
    /// The binding.
    pub id: SkillBindingId,
    /// The skill.
    pub skill_id: SkillId,
    /// What it is bound to.
    pub target_type: SkillScope,
    /// The target; `None` for the tenant.
    #[serde(default)]
    pub target_id: Option<String>,
    /// Whose it is.
    pub user_id: UserId,
    /// Whether agents get it.
    pub inject_into_agent: bool,
    /// Whether generators get it.
    pub inject_into_generator: bool,
    /// 1 to 1,000.
    pub priority: u32,
    /// Context.
    #[serde(default)]
    pub tenant_id: Option<TenantId>,
    /// Context.
    #[serde(default)]
    pub organization_id: Option<OrganizationId>,
    /// When it was made, ISO-8601 UTC.
    pub created_at: String,
}

/// A skill of the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogSkill {
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// What it is for and when.
    pub description: String,
    /// Fields of its frontmatter.
    #[serde(default, deserialize_with = "null_as_default")]
    pub frontmatter: Map<String, Value>,
    /// The body.
    pub body: String,
    /// Its version.
    pub version: String,
    /// Words to find it by.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tags: Vec<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
}

/// Answer of `GET /api/skills/catalog`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogPage {
    /// The entries.
    pub entries: Vec<CatalogSkill>,
    /// All that match.
    pub total: u64,
}

/// Answer of `GET /api/skills/catalog/:slug`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogAnswer {
    /// The entry.
    pub entry: CatalogSkill,
    /// Who provides it.
    pub provider_id: String,
}

/// Body of `POST /api/skills/install`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillInstall {
    /// The catalog entry.
    pub slug: String,
    /// What shall own it.
    pub owner_type: SkillScope,
    /// The owner; the account's id for the tenant.
    pub owner_id: String,
}

/// Body of `POST /api/skills`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillCreate {
    /// What shall own it.
    pub owner_type: SkillScope,
    /// The owner; the account's id for the tenant.
    pub owner_id: String,
    /// 1 to 200 characters.
    pub title: String,
    /// 1 to 1,000 characters.
    pub description: String,
    /// At most 65,536 characters.
    pub instructions_md: String,
    /// Fields of the frontmatter; name and description when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frontmatter: Option<Map<String, Value>>,
    /// From the title when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// `1.0.0` when left out; at most 40 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Name it is called by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation_slug: Option<String>,
}

/// Body of `PATCH /api/skills/:id`: only what changes; `Some(None)` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    clippy::option_option,
    reason = "a field can be left alone, cleared or set"
)]
pub struct SkillPatch {
    /// A new title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A new description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A new body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_md: Option<String>,
    /// Replaces the frontmatter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frontmatter: Option<Map<String, Value>>,
    /// A new version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Another name to call it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation_slug: Option<Option<String>>,
}

/// Body of `POST /api/skills/:id/bindings`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillBindingCreate {
    /// What to bind to.
    pub target_type: SkillScope,
    /// The target; left out for the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_id: Option<String>,
    /// 1 to 1,000; 100 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// On when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inject_into_agent: Option<bool>,
    /// Off when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inject_into_generator: Option<bool>,
}
