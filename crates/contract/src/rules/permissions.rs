//! R6: the eight permission flags (contract section 6.2, seed 004 "Permissions").

use serde::{Deserialize, Serialize};

use crate::catalog::{CATALOG, UNLISTED};
use crate::open::open_enum;

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

/// The eight flags of one agent. Never partial on the wire; should an answer leave flags out all
/// the same, whether they are on is not known, which is not the same as off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Received")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "the wire format is eight independent booleans"
)]
pub struct Permissions {
    /// See [`Flag::CanCreateAgents`].
    pub can_create_agents: bool,
    /// See [`Flag::CanAssignTasks`].
    pub can_assign_tasks: bool,
    /// See [`Flag::CanEditSkills`].
    pub can_edit_skills: bool,
    /// See [`Flag::CanEditAgentFiles`].
    pub can_edit_agent_files: bool,
    /// See [`Flag::CanSpend`].
    pub can_spend: bool,
    /// See [`Flag::CanCommitToRepo`].
    pub can_commit_to_repo: bool,
    /// See [`Flag::CanOpenPullRequests`].
    pub can_open_pull_requests: bool,
    /// See [`Flag::CanCallExternalTools`].
    pub can_call_external_tools: bool,
    /// The flags an answer left out. What stands in their fields means nothing.
    pub left_out: LeftOut,
}

/// Flags that an answer left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut(u8);

impl LeftOut {
    fn bit(flag: &Flag) -> u8 {
        let place = Flag::KNOWN.iter().position(|known| known == flag);
        place.map_or(0, |place| 1 << place)
    }

    fn holds(self, flag: &Flag) -> bool {
        self.0 != 0 && self.0 & Self::bit(flag) != 0
    }
}

/// The flags as they are received: each there, `null` or absent.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(
    clippy::struct_field_names,
    reason = "the wire format begins every name alike"
)]
struct Received {
    can_create_agents: Option<bool>,
    can_assign_tasks: Option<bool>,
    can_edit_skills: Option<bool>,
    can_edit_agent_files: Option<bool>,
    can_spend: Option<bool>,
    can_commit_to_repo: Option<bool>,
    can_open_pull_requests: Option<bool>,
    can_call_external_tools: Option<bool>,
}

impl From<Received> for Permissions {
    fn from(received: Received) -> Self {
        let values = [
            received.can_create_agents,
            received.can_assign_tasks,
            received.can_edit_skills,
            received.can_edit_agent_files,
            received.can_spend,
            received.can_commit_to_repo,
            received.can_open_pull_requests,
            received.can_call_external_tools,
        ];
        let mut permissions = Self::default();
        for (flag, value) in Flag::KNOWN.iter().zip(values) {
            match (value, permissions.slot(flag)) {
                (Some(value), Some(slot)) => *slot = value,
                _ => permissions.left_out.0 |= LeftOut::bit(flag),
            }
        }
        permissions
    }
}

impl Serialize for Permissions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = Flag::KNOWN
            .iter()
            .filter_map(|flag| Some((flag.as_str(), self.get(flag)?)));
        serializer.collect_map(known)
    }
}

/// Reads the flags of an answer; of none is anything known when they are `null`.
pub(crate) fn null_as_left_out<'de, D>(deserializer: D) -> Result<Permissions, D::Error>
where
    D: serde::Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_else(Permissions::left_out))
}

impl Permissions {
    /// The flags of which nothing is known.
    pub fn left_out() -> Self {
        Received::default().into()
    }

    /// The flags with those left out off, which is how stored flags are read.
    #[must_use]
    pub fn or_off(self) -> Self {
        Self {
            left_out: LeftOut::default(),
            ..self
        }
    }

    /// Whether a flag is on; `None` for a flag this version does not know, or that the answer left
    /// out.
    pub fn get(&self, flag: &Flag) -> Option<bool> {
        if self.left_out.holds(flag) {
            return None;
        }
        let mut copy = *self;
        copy.slot(flag).map(|slot| *slot)
    }

    /// The flags after a patch, merged flag by flag, and after the implication: open pull
    /// requests always brings commit to repo.
    #[must_use]
    pub fn merged(mut self, patch: &PermissionPatch) -> Self {
        for (flag, on) in patch.entries() {
            self.put(flag, on);
        }
        self.with_implications()
    }

    /// The flags after the implication alone, as applied when an agent is created.
    #[must_use]
    pub fn with_implications(mut self) -> Self {
        if self.get(&Flag::CanOpenPullRequests) == Some(true) {
            self.put(&Flag::CanCommitToRepo, true);
        }
        self
    }

    /// Which other flag keeps `flag` on, if any: commit to repo cannot be turned off while open
    /// pull requests is on.
    pub fn kept_on_by(&self, flag: &Flag) -> Option<Flag> {
        let other = Flag::CanOpenPullRequests;
        (*flag == Flag::CanCommitToRepo && self.get(&other) == Some(true)).then_some(other)
    }

    fn put(&mut self, flag: &Flag, on: bool) {
        if let Some(slot) = self.slot(flag) {
            *slot = on;
            self.left_out.0 &= !LeftOut::bit(flag);
        }
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
