//! R6: the eight permission flags (contract section 6.2, seed 004 "Permissions").

use serde::{Deserialize, Serialize};

use crate::catalog::{CATALOG, UNLISTED};
use crate::open::{null_as_default, open_enum};

open_enum! {
    /// A permission flag. Every flag is off by default.
    Flag {
        /// Create agents.
        CanCreateAgents = "canCreateAgents",
        /// Assign tasks.
        CanAssignTasks = "canAssignTasks",
        /// Edit skills.
        CanEditSkills = "canEditSkills",
        /// Edit instructions.
        CanEditAgentFiles = "canEditAgentFiles",
        /// Spend budget.
        CanSpend = "canSpend",
        /// Commit to repo.
        CanCommitToRepo = "canCommitToRepo",
        /// Open pull requests.
        CanOpenPullRequests = "canOpenPullRequests",
        /// Call external tools.
        CanCallExternalTools = "canCallExternalTools",
    }
}

impl Flag {
    /// The label on screen (seed 004).
    pub fn label(&self) -> &str {
        match self {
            Self::CanCreateAgents => "Create agents",
            Self::CanAssignTasks => "Assign tasks",
            Self::CanEditSkills => "Edit skills",
            Self::CanEditAgentFiles => "Edit instructions",
            Self::CanSpend => "Spend budget",
            Self::CanCommitToRepo => "Commit to repo",
            Self::CanOpenPullRequests => "Open pull requests",
            Self::CanCallExternalTools => "Call external tools",
            Self::Unknown(text) => text,
        }
    }

    /// What turning the flag on means, in one or two sentences.
    pub fn consequence(&self) -> &str {
        match self {
            Self::CanCreateAgents => {
                "The agent may create further agents. They start as drafts with every permission off."
            }
            Self::CanAssignTasks => {
                "The agent may create and move tasks, run workflow graphs and delegate to its collaborators."
            }
            Self::CanEditSkills => {
                "The agent may edit skills. No tool is gated by this flag today."
            }
            Self::CanEditAgentFiles => {
                "The agent may rewrite its own instruction files, one edit per file and run."
            }
            Self::CanSpend => {
                "Reserved. Spending is limited by the agent’s budget, not by this flag today."
            }
            Self::CanCommitToRepo => {
                "The agent may commit to its Work’s repository. Agents outside a Work are refused when they call it."
            }
            Self::CanOpenPullRequests => {
                "The agent may open pull requests. Turning it on also turns on Commit to repo."
            }
            Self::CanCallExternalTools => {
                "The agent may reach the outside: web search, pages, e-mail, messages, channels, reviews and every MCP tool."
            }
            Self::Unknown(_) => "This version does not know what the flag does.",
        }
    }

    /// Whether the flag is stored but not enforced today.
    pub fn is_reserved(&self) -> bool {
        matches!(self, Self::CanSpend)
    }

    /// Names of the tools that are never assembled while the flag is off. MCP tools
    /// (`mcp__…`) are gated by [`Flag::CanCallExternalTools`] as well.
    pub fn gated_tools(&self) -> impl Iterator<Item = &'static str> {
        let listed = CATALOG
            .iter()
            .map(|tool| (tool.name, tool.gated_by.as_ref()));
        let unlisted = UNLISTED.iter().map(|(name, gate)| (*name, gate.as_ref()));
        listed
            .chain(unlisted)
            .filter(move |(_, gate)| *gate == Some(self))
            .map(|(name, _)| name)
    }
}

/// The eight flags of one agent. Never partial on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "the wire format is eight independent booleans"
)]
pub struct Permissions {
    /// See [`Flag::CanCreateAgents`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_create_agents: bool,
    /// See [`Flag::CanAssignTasks`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_assign_tasks: bool,
    /// See [`Flag::CanEditSkills`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_edit_skills: bool,
    /// See [`Flag::CanEditAgentFiles`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_edit_agent_files: bool,
    /// See [`Flag::CanSpend`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_spend: bool,
    /// See [`Flag::CanCommitToRepo`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_commit_to_repo: bool,
    /// See [`Flag::CanOpenPullRequests`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_open_pull_requests: bool,
    /// See [`Flag::CanCallExternalTools`].
    #[serde(deserialize_with = "null_as_default")]
    pub can_call_external_tools: bool,
}

impl Permissions {
    /// Whether a flag is on; `None` for a flag this version does not know.
    pub fn get(&self, flag: &Flag) -> Option<bool> {
        let mut copy = *self;
        copy.slot(flag).map(|slot| *slot)
    }

    /// The flags after a patch, merged flag by flag, and after the implication: open pull
    /// requests always brings commit to repo.
    #[must_use]
    pub fn merged(mut self, patch: &PermissionPatch) -> Self {
        for (flag, on) in patch.entries() {
            if let Some(slot) = self.slot(flag) {
                *slot = on;
            }
        }
        self.with_implications()
    }

    /// The flags after the implication alone, as applied when an agent is created.
    #[must_use]
    pub fn with_implications(mut self) -> Self {
        self.can_commit_to_repo |= self.can_open_pull_requests;
        self
    }

    /// Which other flag keeps `flag` on, if any: commit to repo cannot be turned off while open
    /// pull requests is on.
    pub fn kept_on_by(&self, flag: &Flag) -> Option<Flag> {
        (*flag == Flag::CanCommitToRepo && self.can_open_pull_requests)
            .then_some(Flag::CanOpenPullRequests)
    }

    fn slot(&mut self, flag: &Flag) -> Option<&mut bool> {
        Some(match flag {
            Flag::CanCreateAgents => &mut self.can_create_agents,
            Flag::CanAssignTasks => &mut self.can_assign_tasks,
            Flag::CanEditSkills => &mut self.can_edit_skills,
            Flag::CanEditAgentFiles => &mut self.can_edit_agent_files,
            Flag::CanSpend => &mut self.can_spend,
            Flag::CanCommitToRepo => &mut self.can_commit_to_repo,
            Flag::CanOpenPullRequests => &mut self.can_open_pull_requests,
            Flag::CanCallExternalTools => &mut self.can_call_external_tools,
            Flag::Unknown(_) => return None,
        })
    }
}

/// Flags to change, as PATCH and create accept them: any subset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermissionPatch(Vec<(Flag, bool)>);

impl PermissionPatch {
    /// A patch of one flag.
    pub fn one(flag: Flag, on: bool) -> Self {
        Self(vec![(flag, on)])
    }

    /// Adds a flag; a later entry for the same flag wins.
    pub fn set(&mut self, flag: Flag, on: bool) {
        self.0.retain(|(present, _)| *present != flag);
        self.0.push((flag, on));
    }

    /// The flags and their wanted values.
    pub fn entries(&self) -> impl Iterator<Item = (&Flag, bool)> {
        self.0.iter().map(|(flag, on)| (flag, *on))
    }
}

impl Serialize for PermissionPatch {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries().map(|(flag, on)| (flag.as_str(), on)))
    }
}
