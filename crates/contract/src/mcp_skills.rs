//! Skills that MCP servers publish, as this host sees them (Remit only; the extension itself is
//! described in the skills contract, section 1). Identity of a skill is the connection and the
//! address of its `SKILL.md`, never its name.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::connections::ProtocolEra;
use crate::ids::ConnectionId;
use crate::open::{null_as_default, open_enum};

open_enum! {
    /// What this host found out about a published skill.
    McpSkillStatus {
        /// The entry breaks a rule and can never be loaded; the reasons say which.
        Invalid = "invalid",
        /// More files or bytes than a host must support; not loaded.
        OverLimits = "over-limits",
        /// The server publishes no list of files: nothing can be checked.
        Dynamic = "dynamic",
        /// Listed; no file was fetched. The normal resting state.
        Unverified = "unverified",
        /// The files fetched last matched the server's own list.
        Consistent = "consistent",
        /// A file fetched last did not match.
        Mismatch = "mismatch",
    }
}

open_enum! {
    /// Which check a file failed, or why it was not checked.
    FileCheck {
        /// Nobody asked for it yet.
        Unread = "unread",
        /// Size and digest match the server's list, and for `SKILL.md` the frontmatter too.
        Matches = "matches",
        /// Not in the list of the entry that is held.
        Unlisted = "unlisted",
        /// Another number of bytes.
        Size = "size",
        /// Another digest.
        Digest = "digest",
        /// The frontmatter differs from the entry's.
        Frontmatter = "frontmatter",
        /// The server did not hand it out.
        Unreadable = "unreadable",
        /// Published without a list, so there is nothing to compare with.
        Unverifiable = "unverifiable",
    }
}

open_enum! {
    /// Whether an operator approved the content of a skill.
    ApprovalState {
        /// Never asked, or withdrawn.
        NotGiven = "none",
        /// Approved, and the set of addresses and digests is still the same.
        Approved = "approved",
        /// It was approved, and the set has changed since: approval ended.
        Revoked = "revoked",
        /// Content without a list cannot be approved.
        Impossible = "impossible",
    }
}

/// One file of a published skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct McpSkillFile {
    /// Its address in the server's spelling.
    pub uri: String,
    /// Its path below the skill's directory, for people.
    pub path: String,
    /// `sha256:` and 64 lowercase hexadecimal digits, as the server publishes it.
    #[serde(default)]
    pub digest: Option<String>,
    /// Bytes, as the server publishes it.
    #[serde(default)]
    pub size: Option<u64>,
    /// What a fetch found.
    pub check: FileCheck,
    /// When it was fetched, ISO-8601 UTC.
    #[serde(default)]
    pub checked_at: Option<String>,
    /// Digest of the bytes that came, when it differs.
    #[serde(default)]
    pub actual_digest: Option<String>,
    /// Number of bytes that came, when it differs.
    #[serde(default)]
    pub actual_size: Option<u64>,
}

/// What changed between the approved set of files and the present one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestChanges {
    /// Addresses that are new.
    pub added: Vec<String>,
    /// Addresses that are gone.
    pub removed: Vec<String>,
    /// Addresses with another digest.
    pub changed: Vec<String>,
}

/// Approval of a skill's content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Whether it holds.
    pub state: ApprovalState,
    /// Fingerprint of the present set of addresses and digests, to approve with; `None` without
    /// a list.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// When the set in force or the one before was approved, ISO-8601 UTC.
    #[serde(default)]
    pub approved_at: Option<String>,
    /// Who approved it.
    #[serde(default)]
    pub approved_by: Option<String>,
    /// Why it ended.
    #[serde(default)]
    pub changes: Option<ManifestChanges>,
}

/// A published skill as judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct McpSkill {
    /// Address of its `SKILL.md` as the server spells it; a text of any kind when the entry is
    /// invalid.
    pub uri: String,
    /// The frontmatter's `name`, if it is a text. A label: two skills may share it.
    #[serde(default)]
    pub name: Option<String>,
    /// The frontmatter's `description`, if it is a text.
    #[serde(default)]
    pub description: Option<String>,
    /// All fields as the server published them.
    #[serde(default, deserialize_with = "null_as_default")]
    pub frontmatter: Map<String, Value>,
    /// What was found out.
    pub status: McpSkillStatus,
    /// Why, one sentence each.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reasons: Vec<String>,
    /// The files of the list; empty without one.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files: Vec<McpSkillFile>,
    /// Sum of the published sizes in bytes.
    #[serde(default, deserialize_with = "null_as_default")]
    pub total_size: u64,
    /// Approval of this content.
    pub approval: Approval,
    /// Other skills of the same name: `connection name · address`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub same_name: Vec<String>,
    /// The skill whose directory holds this one; loading this one needs a consent of its own.
    #[serde(default)]
    pub inside: Option<String>,
    /// Tools the frontmatter asks for. Requested, never granted.
    #[serde(default, deserialize_with = "null_as_default")]
    pub requested_tools: Vec<String>,
}

/// Answer of `GET /api/mcp-connections/:id/skills`: one listing, made when asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an independent fact about the server"
)]
pub struct McpSkillListing {
    /// The connection.
    pub connection_id: ConnectionId,
    /// Its name: the label under which skills are kept apart.
    pub server: String,
    /// When the server answered, ISO-8601 UTC.
    pub read_at: String,
    /// Negotiated protocol version.
    #[serde(default)]
    pub protocol_version: Option<String>,
    /// How it was negotiated.
    #[serde(default)]
    pub era: Option<ProtocolEra>,
    /// Whether the server declares the extension. Without it nothing was asked.
    pub declared: bool,
    /// Whether it declares `resources`, as it must.
    pub resources_declared: bool,
    /// Whether it answers directory reads.
    pub directory_read: bool,
    /// Pages that were read.
    pub pages: u32,
    /// Whether the host stopped at its own bounds.
    pub truncated: bool,
    /// How long the server says the listing stays fresh, in milliseconds.
    #[serde(default)]
    pub ttl_ms: Option<u64>,
    /// `public` or `private`.
    #[serde(default)]
    pub cache_scope: Option<String>,
    /// Findings about the server itself, one sentence each.
    #[serde(default, deserialize_with = "null_as_default")]
    pub findings: Vec<String>,
    /// The entries in the server's order, invalid ones included.
    pub data: Vec<McpSkill>,
}

/// Body of `POST /api/mcp-connections/:id/skills/{get,verify}`: one skill by address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpSkillAddress {
    /// Address of its `SKILL.md`, at most 2,048 characters.
    pub uri: String,
}

/// Body of `POST /api/mcp-connections/:id/skills/read`: one file of one skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpSkillFileAddress {
    /// Address of the `SKILL.md` of the skill that is read.
    pub skill: String,
    /// Address of the file.
    pub uri: String,
}

/// Answer of `POST …/skills/read`: what an operator asked to inspect. Reading is not loading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct McpSkillFileContent {
    /// The file and what the check found.
    pub file: McpSkillFile,
    /// Its text; `None` when it is no UTF-8, larger than 64 KiB, or failed the check.
    #[serde(default)]
    pub text: Option<String>,
    /// Why there is no text.
    #[serde(default)]
    pub withheld: Option<String>,
}

/// Body of `PUT` and `DELETE /api/mcp-connections/:id/skills/approval`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpSkillApprove {
    /// Address of the `SKILL.md`.
    pub uri: String,
    /// The fingerprint that was shown: approval of another set is refused with 409. Left out when
    /// approval is withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// One child of a directory, `POST …/skills/directory`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DirectoryChild {
    /// Its address.
    pub uri: String,
    /// Its name as the server gives it.
    pub name: String,
    /// Whether it is a directory.
    pub directory: bool,
    /// Whether the held entry lists it, or lists files below it. What is not listed is no part of
    /// the skill.
    pub listed: bool,
}

/// Answer of `POST …/skills/directory`: a live view, never an extension of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectoryView {
    /// The children.
    pub data: Vec<DirectoryChild>,
    /// Whether the host stopped at its own bounds.
    pub truncated: bool,
}
