//! Agents on the wire (contract section 3).

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::ids::{AgentId, UserId, WorkId};
use crate::open::{null_as_default, open_enum};
use crate::rules::permissions::{PermissionPatch, Permissions, null_as_left_out};

open_enum! {
    /// Where an agent belongs; fixed at creation.
    AgentScope {
        /// The whole tenant.
        Tenant = "tenant",
        /// One mission.
        Mission = "mission",
        /// One idea.
        Idea = "idea",
        /// One Work.
        Work = "work",
    }
}

open_enum! {
    /// Life-cycle state of an agent.
    AgentStatus {
        /// Made but never activated.
        Draft = "draft",
        /// May run.
        Active = "active",
        /// A run is in progress.
        Running = "running",
        /// Suspended by an operator.
        Paused = "paused",
        /// Stopped by failures.
        Error = "error",
        /// Put away; readable, not runnable.
        Archived = "archived",
    }
}

impl AgentStatus {
    /// Whether `POST …/pause` is accepted in this state (contract section 3.2).
    pub fn can_pause(&self) -> bool {
        matches!(self, Self::Active | Self::Error)
    }

    /// Whether `POST …/resume` is accepted in this state (contract section 3.2).
    pub fn can_resume(&self) -> bool {
        matches!(self, Self::Draft | Self::Paused | Self::Error)
    }
}

open_enum! {
    /// What an agent does when it has nothing to do.
    IdleBehavior {
        /// Propose work.
        Propose = "propose",
        /// Nothing.
        Noop = "noop",
        /// Watch.
        Observe = "observe",
    }
}

open_enum! {
    /// How an agent is pictured.
    AvatarMode {
        /// Letters of its name.
        Initials = "initials",
        /// A named icon.
        Icon = "icon",
        /// An uploaded image.
        Image = "image",
    }
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// The agent.
    pub id: AgentId,
    /// Who owns it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user_id: UserId,
    /// Where it belongs.
    pub scope: AgentScope,
    /// Set for mission agents only.
    #[serde(default)]
    pub mission_id: Option<String>,
    /// Set for idea agents only.
    #[serde(default)]
    pub idea_id: Option<String>,
    /// Set for Work agents only.
    #[serde(default)]
    pub work_id: Option<WorkId>,
    /// 1 to 120 characters.
    pub name: String,
    /// Derived from the name, unique in its scope.
    #[serde(default, deserialize_with = "null_as_default")]
    pub slug: String,
    /// At most 200 characters.
    #[serde(default)]
    pub title: Option<String>,
    /// Free text of at most 5000 characters; not the Capabilities tab.
    #[serde(default)]
    pub capabilities: Option<String>,
    /// Model provider.
    #[serde(default)]
    pub ai_provider_id: Option<String>,
    /// Model.
    #[serde(default)]
    pub model_id: Option<String>,
    /// Runtime; `None` is the platform default.
    #[serde(default)]
    pub environment_id: Option<String>,
    /// Prompt budget for skills, 0 to 20000 tokens.
    #[serde(default, deserialize_with = "null_as_default")]
    pub max_skill_context_tokens: i64,
    /// Whether memory is recalled.
    #[serde(default, deserialize_with = "null_as_default")]
    pub memory_recall_enabled: bool,
    /// Life-cycle state.
    pub status: AgentStatus,
    /// The eight flags.
    #[serde(
        default = "Permissions::left_out",
        deserialize_with = "null_as_left_out"
    )]
    pub permissions: Permissions,
    /// What it is pointed at.
    #[serde(default)]
    pub targets: Option<Value>,
    /// Approval rules.
    #[serde(default)]
    pub guardrails: Option<Value>,
    /// Five-field cron text or `manual`.
    #[serde(default)]
    pub heartbeat_cadence: Option<String>,
    /// What it does when idle.
    #[serde(default = "propose", deserialize_with = "idle_behavior")]
    pub idle_behavior: IdleBehavior,
    /// Next scheduled wake-up, ISO-8601 UTC.
    #[serde(default)]
    pub next_heartbeat_at: Option<String>,
    /// When it last ran, ISO-8601 UTC.
    #[serde(default)]
    pub last_run_at: Option<String>,
    /// Free token of the last run.
    #[serde(default)]
    pub last_run_status: Option<String>,
    /// Failures in a row.
    #[serde(default, deserialize_with = "null_as_default")]
    pub error_count: i64,
    /// Failures after which it pauses, 1 to 20.
    #[serde(default, deserialize_with = "null_as_default")]
    pub pause_after_failures: i64,
    /// How it is pictured.
    #[serde(default = "initials", deserialize_with = "avatar_mode")]
    pub avatar_mode: AvatarMode,
    /// Icon name, for `icon` only.
    #[serde(default)]
    pub avatar_icon: Option<String>,
    /// Upload, for `image` only.
    #[serde(default)]
    pub avatar_image_upload_id: Option<String>,
    /// Name on commits.
    #[serde(default)]
    pub committer_name: Option<String>,
    /// Address on commits.
    #[serde(default)]
    pub committer_email: Option<String>,
    /// Its lead.
    #[serde(default)]
    pub reports_to_agent_id: Option<AgentId>,
    /// Targets to measure it by.
    #[serde(default)]
    pub scorecard: Option<Value>,
    /// Bootstrap script, at most 16384 bytes of UTF-8.
    #[serde(default)]
    pub init_script: Option<String>,
    /// Whether any instruction file is non-empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub has_inline_files: bool,
    /// Hash over the instruction files.
    #[serde(default)]
    pub content_hash: Option<String>,
    /// When it was made, ISO-8601 UTC.
    #[serde(default, deserialize_with = "null_as_default")]
    pub created_at: String,
    /// When it last changed, ISO-8601 UTC.
    #[serde(default, deserialize_with = "null_as_default")]
    pub updated_at: String,
}

fn propose() -> IdleBehavior {
    IdleBehavior::Propose
}

fn initials() -> AvatarMode {
    AvatarMode::Initials
}

fn idle_behavior<'de, D: Deserializer<'de>>(deserializer: D) -> Result<IdleBehavior, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_else(propose))
}

fn avatar_mode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AvatarMode, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_else(initials))
}

/// Body of `POST /api/agents`, the part the dashboard writes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentCreate {
    /// Where it belongs.
    pub scope: AgentScope,
    /// For Work agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_id: Option<WorkId>,
    /// 1 to 120 characters.
    pub name: String,
    /// At most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Body of `PATCH /api/agents/:id`, the part the dashboard writes. An outer `None` leaves a field
/// alone, an inner `None` clears it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentPatch {
    /// New name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// New title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Option<String>>,
    /// Flags to change; the server merges them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<PermissionPatch>,
    /// New bootstrap script.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init_script: Option<Option<String>>,
    /// Another environment; `Some(None)` returns to the platform's default runtime.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment_id: Option<Option<String>>,
}

/// Answer of `DELETE /api/agents/:id`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentRemoved {
    /// Put away, can be taken back.
    #[serde(
        deserialize_with = "null_as_default",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub archived: bool,
    /// Gone.
    #[serde(
        deserialize_with = "null_as_default",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub deleted: bool,
}

/// An agent that something of the workspace reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentUse {
    /// The agent.
    pub id: AgentId,
    /// Its name.
    pub name: String,
}

/// Answer of `GET /api/repo-connections/:id/agents` and `GET /api/environments/:id/agents` (Remit
/// only): the agents that have it, archived ones included, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentUses {
    /// The agents.
    pub data: Vec<AgentUse>,
}

/// Longest agent name, in characters.
pub const NAME_MAX: usize = 120;
/// Longest agent title, in characters.
pub const TITLE_MAX: usize = 200;
