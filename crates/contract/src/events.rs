//! Activity records (contract section 12.2) and the live stream of changes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::grants::{GrantContent, Scope};
use crate::ids::{AgentId, OrganizationId, TenantId, UserId, WorkId};
use crate::open::open_enum;

/// One entry of `GET /api/agents/:id/events`, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentEvent {
    /// The entry.
    pub id: String,
    /// What happened, such as `agent_paused` or `tool_grant_updated`.
    pub action_type: String,
    /// Data of the event.
    #[serde(default)]
    pub details: Option<Value>,
    /// When, ISO-8601 UTC.
    pub created_at: String,
}

/// One entry of `GET /api/activity-log`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The entry.
    pub id: String,
    /// Whose account.
    pub user_id: UserId,
    /// The Work concerned.
    #[serde(default)]
    pub work_id: Option<WorkId>,
    /// What happened.
    pub action_type: String,
    /// The same, as the reference sends it.
    #[serde(default)]
    pub action: Option<String>,
    /// `pending`, `in_progress`, `completed`, `failed` or `cancelled`.
    pub status: String,
    /// One line for people.
    #[serde(default)]
    pub summary: Option<String>,
    /// Data of the event.
    #[serde(default)]
    pub details: Option<Value>,
    /// Further data.
    #[serde(default)]
    pub metadata: Option<Value>,
    /// Context.
    #[serde(default)]
    pub tenant_id: Option<TenantId>,
    /// Context.
    #[serde(default)]
    pub organization_id: Option<OrganizationId>,
    /// When, ISO-8601 UTC.
    pub created_at: String,
    /// When it last changed, ISO-8601 UTC.
    #[serde(default)]
    pub updated_at: Option<String>,
}

/// Answer of `GET /api/activity-log`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActivityPage {
    /// Newest first.
    pub activities: Vec<Activity>,
    /// All entries that match the filters.
    pub total: u64,
}

/// Who did something, and with what credential.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// The account.
    pub user_id: UserId,
    /// Its name at the time.
    pub username: String,
    /// `browser`, `token`, `api key <name>` or `command line`.
    pub via: String,
}

/// `details` of a recorded grant write (Remit only): the whole row content before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantChangeDetails {
    /// `toolGrant`.
    pub resource_type: String,
    /// The row.
    pub resource_id: String,
    /// The scope written at.
    pub scope_type: Scope,
    /// The tenant, organization, Work or agent.
    pub scope_id: String,
    /// Who.
    pub actor: Actor,
    /// `None` when the row was made.
    pub before: Option<GrantContent>,
    /// `None` when the row was deleted.
    pub after: Option<GrantContent>,
}

open_enum! {
    /// What a change event is about.
    ChangeKind {
        /// An agent was made, changed or removed.
        Agent = "agent",
        /// A grant row was written or deleted.
        ToolGrant = "toolGrant",
        /// An organization was made.
        Organization = "organization",
        /// A Work was made.
        Work = "work",
        /// An MCP connection was registered, changed, removed, or its health or tools changed.
        McpConnection = "mcpConnection",
        /// An agent's override of an MCP connection was written or removed; `resource_id` is the
        /// connection, `scope_type` and `scope_id` name the agent.
        McpBinding = "mcpBinding",
        /// Approval of a skill that an MCP server publishes was given or ended; `resource_id` is
        /// the connection.
        McpSkill = "mcpSkill",
        /// A repository of the registry was added, changed or removed.
        Repository = "repository",
        /// A repository was attached to an agent or detached; `resource_id` is the repository,
        /// `scope_type` and `scope_id` name the agent.
        RepositoryAttachment = "repositoryAttachment",
        /// An environment was made, changed, published or removed.
        Environment = "environment",
        /// A skill was created, installed, changed or removed.
        Skill = "skill",
        /// A skill was bound or unbound; `resource_id` is the skill, `scope_type` and `scope_id`
        /// name the target, the account's tenant included.
        SkillBinding = "skillBinding",
        /// Events were lost; read everything again.
        Reset = "reset",
    }
}

/// `data` of one message of `GET /api/events` (Remit only). The message's `id` is `sequence`, its
/// `event` is `change`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeEvent {
    /// Increases with every change of the account.
    pub sequence: u64,
    /// What it is about.
    pub kind: ChangeKind,
    /// The agent, grant row, organization or Work.
    #[serde(default)]
    pub resource_id: Option<String>,
    /// For grant rows: the scope written at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_type: Option<Scope>,
    /// For grant rows: the tenant, organization, Work or agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<String>,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Actor>,
    /// When, ISO-8601 UTC.
    pub at: String,
}

impl ChangeEvent {
    /// Whether a page that shows `agent` must read its capabilities again.
    pub fn concerns_agent(&self, agent: &AgentId) -> bool {
        match self.kind {
            ChangeKind::Agent => self.resource_id.as_deref() == Some(agent.as_str()),
            ChangeKind::ToolGrant => match self.scope_type {
                Some(Scope::Agent) => self.scope_id.as_deref() == Some(agent.as_str()),
                _ => true,
            },
            // Their own sections read these again; the composed read does not hold them.
            ChangeKind::Organization
            | ChangeKind::Work
            | ChangeKind::McpConnection
            | ChangeKind::McpBinding
            | ChangeKind::McpSkill
            | ChangeKind::Repository
            | ChangeKind::RepositoryAttachment
            | ChangeKind::Environment
            | ChangeKind::Skill
            | ChangeKind::SkillBinding => false,
            ChangeKind::Reset | ChangeKind::Unknown(_) => true,
        }
    }
}
