//! The composed read of an agent's capabilities (contract section 4), and its summary.

use serde::{Deserialize, Serialize};

use crate::grants::{AgentGrantRow, Decision, ResolvedGrants};
use crate::ids::AgentId;
use crate::open::{null_as_default, open_enum};
use crate::rules::permissions::{Flag, Permissions, null_as_left_out};

open_enum! {
    /// Where a tool comes from; groups the tool list.
    ToolSource {
        /// Always assembled.
        Builtin = "builtin",
        /// From a platform facade: git, plugins, e-mail, notification channels.
        Facade = "facade",
        /// From a domain surface: tasks, digests, meetings, fleet, policy, workflows.
        Domain = "domain",
        /// From an MCP server that is bound to the agent (Remit only: other control planes list
        /// no such tools).
        Mcp = "mcp",
    }
}

impl ToolSource {
    /// Heading of the group (seed 004, "Reading the tools list").
    pub fn heading(&self) -> &str {
        match self {
            Self::Builtin => "Built-in tools",
            Self::Facade => "Platform tools",
            Self::Domain => "Domain tools",
            Self::Mcp => "MCP tools",
            Self::Unknown(text) => text,
        }
    }
}

/// One tool of the catalog with the server's verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its name; matched case-insensitively by grants.
    pub name: String,
    /// What it does.
    #[serde(default, deserialize_with = "null_as_default")]
    pub description: String,
    /// The flag without which it is never assembled.
    #[serde(default)]
    pub gated_by_permission: Option<Flag>,
    /// Where it comes from.
    pub source: ToolSource,
    /// Whether its flag is on; true when it has none.
    pub permission_enabled: bool,
    /// The matrix verdict, the flag aside.
    pub decision: Decision,
    /// Flag and matrix both say yes.
    pub effective: bool,
}

/// Answer of `GET /api/agents/:id/capabilities`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    /// The agent.
    pub agent_id: AgentId,
    /// Bootstrap script.
    #[serde(default)]
    pub init_script: Option<String>,
    /// The eight flags.
    #[serde(
        default = "Permissions::left_out",
        deserialize_with = "null_as_left_out"
    )]
    pub permissions: Permissions,
    /// The whole catalog in assembly order, whatever the flags.
    pub tools: Vec<Tool>,
    /// The fold.
    pub grants: ResolvedGrants,
    /// The agent's own stored row.
    #[serde(default)]
    pub agent_grant_row: Option<AgentGrantRow>,
}

/// How many tools are in which state; the four add up to the catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccessSummary {
    /// Usable now.
    #[serde(deserialize_with = "null_as_default")]
    pub on: u32,
    /// Off by this agent's own row.
    #[serde(deserialize_with = "null_as_default")]
    pub off_here: u32,
    /// Denied or not granted above the agent.
    #[serde(deserialize_with = "null_as_default")]
    pub denied_above: u32,
    /// Never assembled: the permission flag is off.
    #[serde(deserialize_with = "null_as_default")]
    pub permission_off: u32,
}

impl AccessSummary {
    /// All tools counted.
    pub fn total(&self) -> u32 {
        self.on + self.off_here + self.denied_above + self.permission_off
    }
}

/// One entry of `GET /api/access-summary?agentIds=…` (Remit only).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentAccess {
    /// The agent.
    pub agent_id: AgentId,
    /// Its counts.
    #[serde(flatten)]
    pub summary: AccessSummary,
}

/// Answer of `GET /api/access-summary` (Remit only). Agents that are unknown or not the caller's
/// are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessSummaries {
    /// One entry per agent asked for, in the order asked.
    pub data: Vec<AgentAccess>,
}

/// The most agents one access-summary request may name.
pub const ACCESS_SUMMARY_MAX: usize = 200;
