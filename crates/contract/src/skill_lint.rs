//! What the hosts make of one `SKILL.md`, side by side, as it goes over the wire (skills contract
//! sections 3 to 5; the endpoints that carry it are ours).

use serde::{Deserialize, Serialize};

use crate::open::{null_as_default, open_enum};

/// The most characters (Unicode scalar values) of a directory's name in a question.
pub const LINT_DIRECTORY_MAX: usize = 255;
/// The most characters (Unicode scalar values) of a text in a question: twice what any host loads.
pub const LINT_TEXT_MAX: usize = 131_072;

/// Body of `POST /api/skill-lint`: a `SKILL.md` that need not be stored anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillLintRequest {
    /// The name of the directory it would be in.
    pub directory: String,
    /// The whole file.
    pub text: String,
}

open_enum! {
    /// A program that reads skills from files.
    SkillHost {
        /// The reference validator of the Agent Skills specification.
        AgentSkills = "agentSkills",
        /// Coder's workspace agent.
        Coder = "coder",
        /// `MyCodeAgent`'s skill loader.
        MyCodeAgent = "myCodeAgent",
    }
}

open_enum! {
    /// What a host makes of a file, in the host's own word; the last two are ours.
    HostStatus {
        /// Agent Skills: nothing is wrong.
        Valid = "valid",
        /// Agent Skills and Coder: something is wrong.
        Invalid = "invalid",
        /// Coder: loaded.
        Ok = "ok",
        /// Coder: too large, listed all the same.
        Oversize = "oversize",
        /// Coder: could not be read.
        Unreadable = "unreadable",
        /// Coder: beyond what all skills together may take.
        Excluded = "excluded",
        /// `MyCodeAgent`: in its list.
        Listed = "listed",
        /// `MyCodeAgent`: left out without a word.
        Dropped = "dropped",
        /// The host does not look where the file is.
        NotScanned = "notScanned",
        /// The host would read the file, Remit does not; so there is no verdict.
        Unjudged = "unjudged",
    }
}

impl HostStatus {
    /// Whether the host uses the skill.
    pub fn is_usable(&self) -> bool {
        match self {
            Self::Valid | Self::Ok | Self::Listed => true,
            Self::Invalid
            | Self::Oversize
            | Self::Unreadable
            | Self::Excluded
            | Self::Dropped
            | Self::NotScanned
            | Self::Unjudged
            | Self::Unknown(_) => false,
        }
    }
}

/// One reason or remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LintNote {
    /// A short stable name: `dir-mismatch`.
    pub code: String,
    /// What is the matter and what to do, in a sentence.
    pub message: String,
    /// The line of the file, from 1, where known.
    #[serde(default)]
    pub line: Option<usize>,
}

/// What one host makes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostVerdict {
    /// The host.
    pub host: SkillHost,
    /// Its word.
    pub status: HostStatus,
    /// The name it uses or refuses; absent if it sees none.
    #[serde(default)]
    pub name: Option<String>,
    /// The description it uses; absent if it sees none.
    #[serde(default)]
    pub description: Option<String>,
    /// Why it does not use the file; empty if it does.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reasons: Vec<LintNote>,
}

/// What the hosts make of a file, and what is worth knowing about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillLint {
    /// One verdict for each host, in the order of [`SkillHost::KNOWN`].
    #[serde(default, deserialize_with = "null_as_default")]
    pub hosts: Vec<HostVerdict>,
    /// Remarks that decide nothing: what one host overlooks, or reads otherwise than it looks.
    #[serde(default, deserialize_with = "null_as_default")]
    pub findings: Vec<LintNote>,
}

impl SkillLint {
    /// The verdict of a host.
    pub fn of(&self, host: &SkillHost) -> Option<&HostVerdict> {
        self.hosts.iter().find(|verdict| &verdict.host == host)
    }

    /// Whether every host uses the file.
    pub fn is_clean(&self) -> bool {
        !self.hosts.is_empty() && self.hosts.iter().all(|verdict| verdict.status.is_usable())
    }
}
