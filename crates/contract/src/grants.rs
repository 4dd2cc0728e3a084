//! Tool grants on the wire (contract sections 4 and 5).

use serde::{Deserialize, Serialize};

use crate::ids::{GrantId, OrganizationId, TenantId, UserId};
use crate::open::{null_as_default, open_enum};

open_enum! {
    /// A layer of the grant chain: the platform default or one of the four scopes.
    Scope {
        /// The platform default, `allow: ["*"]`; nobody edits it.
        Default = "default",
        /// Everything of one tenant.
        Tenant = "tenant",
        /// One organization.
        Organization = "organization",
        /// One Work.
        Work = "work",
        /// One agent.
        Agent = "agent",
    }
}

impl Scope {
    /// The four scopes a grant row can be written at, least specific first.
    pub const WRITABLE: [Self; 4] = [Self::Tenant, Self::Organization, Self::Work, Self::Agent];

    /// Place in the fold: 0 for the default, 1 for tenant … 4 for agent; unknown scopes sort last.
    pub fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::Tenant => 1,
            Self::Organization => 2,
            Self::Work => 3,
            Self::Agent => 4,
            Self::Unknown(_) => 5,
        }
    }

    /// The word used on screen (seed 004: "tenant, organization or Work").
    pub fn label(&self) -> &str {
        match self {
            Self::Default => "platform default",
            Self::Work => "Work",
            other => other.as_str(),
        }
    }
}

open_enum! {
    /// Stable refusal code of a tool-grant decision.
    RefusalCode {
        /// A deny pattern matches.
        ToolDenied = "tool-denied",
        /// No allow pattern matches.
        ToolNotGranted = "tool-not-granted",
        /// The name was empty.
        ToolNameInvalid = "tool-name-invalid",
    }
}

/// What one scope declares. An absent list means "inherit"; an empty `allow` means "grant nothing".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Grant {
    /// Patterns this scope keeps of what was granted above, or `None` to inherit.
    pub allow: Option<Vec<String>>,
    /// Patterns denied here and everywhere below, or `None`.
    pub deny: Option<Vec<String>>,
}

/// The effective lists at the end of the chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matrix {
    /// Granted patterns.
    #[serde(default, deserialize_with = "null_as_default")]
    pub allow: Vec<String>,
    /// Denied patterns, least specific scope first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub deny: Vec<String>,
}

/// What one layer contributed to the fold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEntry {
    /// Which layer.
    pub scope: Scope,
    /// The tenant, organization, Work or agent; `None` for the default.
    #[serde(default)]
    pub id: Option<String>,
    /// Allow patterns that were kept.
    #[serde(default, deserialize_with = "null_as_default")]
    pub allow: Vec<String>,
    /// Deny patterns added here.
    #[serde(default, deserialize_with = "null_as_default")]
    pub deny: Vec<String>,
    /// Allow patterns that no layer above granted; they have no effect.
    #[serde(default, deserialize_with = "null_as_default")]
    pub rejected: Vec<String>,
}

/// Answer of `GET /api/tool-grants/resolve` and `grants` of the capabilities read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolvedGrants {
    /// The effective lists.
    pub matrix: Matrix,
    /// The last layer that declared something.
    pub source: Scope,
    /// Least to most specific. Empty when the server failed open.
    #[serde(default, deserialize_with = "null_as_default")]
    pub chain: Vec<ChainEntry>,
}

/// Answer of `GET /api/tool-grants/check` and `decision` of a listed tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// Whether the matrix lets the tool through, the permission flag aside.
    pub allowed: bool,
    /// The name asked about, trimmed.
    pub tool_name: String,
    /// See contract section 5.4: not always the layer that decided.
    pub source: Scope,
    /// Why not; absent when allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<RefusalCode>,
    /// A sentence for people; absent when allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A stored row, as `GET /api/tool-grants` lists and PUT answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantRow {
    /// The row.
    pub id: GrantId,
    /// Whose row it is; grants act on their author's agents only.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user_id: UserId,
    /// The scope it is written at.
    pub scope_type: Scope,
    /// The tenant, organization, Work or agent.
    pub scope_id: String,
    /// Stored allow list; `None` inherits.
    #[serde(default)]
    pub allow: Option<Vec<String>>,
    /// Stored deny list.
    #[serde(default)]
    pub deny: Option<Vec<String>>,
    /// Free text for the next operator, at most 500 characters.
    #[serde(default)]
    pub note: Option<String>,
    /// Context the row was made in; says nothing about its scope.
    #[serde(default)]
    pub tenant_id: Option<TenantId>,
    /// Context the row was made in.
    #[serde(default)]
    pub organization_id: Option<OrganizationId>,
    /// When it was made, ISO-8601 UTC.
    #[serde(default, deserialize_with = "null_as_default")]
    pub created_at: String,
    /// When it last changed, ISO-8601 UTC.
    #[serde(default, deserialize_with = "null_as_default")]
    pub updated_at: String,
    /// Counts the row's writes from 1 (Remit only); `None` where the server has no versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

impl GrantRow {
    /// The strong entity tag of this version of the row, quoted as HTTP wants it.
    pub fn etag(&self) -> Option<String> {
        self.revision.map(|revision| entity_tag(&self.id, revision))
    }

    /// What the row declares, without note and identity.
    pub fn grant(&self) -> Grant {
        Grant {
            allow: self.allow.clone(),
            deny: self.deny.clone(),
        }
    }

    /// Everything an operator wrote in the row.
    pub fn content(&self) -> GrantContent {
        GrantContent {
            allow: self.allow.clone(),
            deny: self.deny.clone(),
            note: self.note.clone(),
        }
    }
}

/// The strong entity tag of one version of a grant row.
pub fn entity_tag(id: &GrantId, revision: u64) -> String {
    format!("\"{id}.{revision}\"")
}

/// The agent's own row inside the capabilities read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentGrantRow {
    /// The row.
    pub id: GrantId,
    /// Stored allow list; `None` inherits.
    #[serde(default)]
    pub allow: Option<Vec<String>>,
    /// Stored deny list.
    #[serde(default)]
    pub deny: Option<Vec<String>>,
    /// Free text for the next operator.
    #[serde(default)]
    pub note: Option<String>,
    /// See [`GrantRow::revision`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

impl AgentGrantRow {
    /// Everything an operator wrote in the row.
    pub fn content(&self) -> GrantContent {
        GrantContent {
            allow: self.allow.clone(),
            deny: self.deny.clone(),
            note: self.note.clone(),
        }
    }

    /// The strong entity tag of this version of the row.
    pub fn etag(&self) -> Option<String> {
        self.revision.map(|revision| entity_tag(&self.id, revision))
    }
}

/// Everything an operator can write in a row, apart from where it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GrantContent {
    /// Allow patterns; `None` inherits, an empty list grants nothing.
    pub allow: Option<Vec<String>>,
    /// Deny patterns.
    pub deny: Option<Vec<String>>,
    /// Free text for the next operator.
    pub note: Option<String>,
}

impl GrantContent {
    /// The two lists without the note.
    pub fn grant(&self) -> Grant {
        Grant {
            allow: self.allow.clone(),
            deny: self.deny.clone(),
        }
    }

    /// The request body that stores this content at a scope. PUT replaces the whole row, so what
    /// is `None` here is cleared there.
    pub fn write_to(&self, scope_type: Scope, scope_id: &str) -> GrantWrite {
        GrantWrite {
            scope_type,
            scope_id: scope_id.to_owned(),
            allow: self.allow.clone(),
            deny: self.deny.clone(),
            note: self.note.clone().filter(|note| !note.is_empty()),
        }
    }
}

/// Body of `PUT /api/tool-grants`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantWrite {
    /// The scope to write at.
    pub scope_type: Scope,
    /// The tenant, organization, Work or agent.
    pub scope_id: String,
    /// Allow patterns; left out to inherit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<String>>,
    /// Deny patterns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deny: Option<Vec<String>>,
    /// Free text; left out it is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Body of a 412: the row changed since it was read (Remit only).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantConflict {
    /// 412.
    pub status_code: u16,
    /// `Precondition Failed`.
    pub error: String,
    /// A sentence for people.
    pub message: String,
    /// The row as it is now, `null` when it was deleted.
    #[serde(default)]
    pub current: Option<GrantRow>,
}

/// The most patterns one list may hold.
pub const PATTERNS_MAX: usize = 200;
/// The longest note, in characters (Unicode scalar values, as every field is counted).
pub const NOTE_MAX: usize = 500;
/// The longest tool name or pattern text, a trailing star apart.
pub const TOOL_NAME_MAX: usize = 120;
