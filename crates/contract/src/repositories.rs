//! Repositories: the registry and what is attached to an agent (contract section 8).

use serde::{Deserialize, Serialize};

use crate::ids::{AgentId, RepositoryId, WorkId};
use crate::open::{null_as_default, open_enum};

open_enum! {
    /// Who hosts a repository.
    Provider {
        /// GitHub.
        Github = "github",
        /// Any git server.
        Git = "git",
    }
}

open_enum! {
    /// How access to a repository is obtained.
    CredentialMode {
        /// As the workspace does.
        Inherit = "inherit",
        /// Through the installed GitHub App.
        GithubApp = "github-app",
        /// Through a pointer such as `env:NAME`, never a token.
        SecretRef = "secret-ref",
    }
}

open_enum! {
    /// Where a row of the registry comes from.
    SourceType {
        /// Registered by hand.
        Manual = "manual",
        /// Computed from a Work; read-only.
        Work = "work",
        /// Imported through the GitHub App.
        GithubApp = "github-app",
    }
}

/// An environment file of a repository, without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvFile {
    /// Where it is put, relative to the repository.
    pub path: String,
    /// Bytes of UTF-8.
    pub size: u64,
}

/// One row of `GET /api/repo-connections` (contract section 8.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repository {
    /// A UUID, or `work:<workId>:<role>` for derived rows.
    pub id: RepositoryId,
    /// 1 to 120 characters, unique per account.
    pub name: String,
    /// Where it is cloned from.
    pub url: String,
    /// Who hosts it.
    pub provider: Provider,
    /// Branch to start from; the provider's default without one.
    #[serde(default)]
    pub default_branch: Option<String>,
    /// Directory name that was asked for.
    #[serde(default)]
    pub mount_path: Option<String>,
    /// Directory name that is used.
    #[serde(default, deserialize_with = "null_as_default")]
    pub mount_dir: String,
    /// What it is.
    #[serde(default)]
    pub description: Option<String>,
    /// How access is obtained.
    pub credential_mode: CredentialMode,
    /// A pointer such as `env:NAME`.
    #[serde(default)]
    pub credential_ref: Option<String>,
    /// Names and sizes of its environment files.
    #[serde(default, deserialize_with = "null_as_default")]
    pub env_files: Vec<EnvFile>,
    /// Whether every project may use it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub available_in_all_projects: bool,
    /// Where the row comes from.
    pub source_type: SourceType,
    /// The Work a derived row comes from.
    #[serde(default)]
    pub source_work_id: Option<WorkId>,
    /// The installation row an import comes from.
    #[serde(default)]
    pub source_installation_repo_id: Option<String>,
    /// The registry's own switch: off keeps it from every agent.
    pub enabled: bool,
    /// Follows its source; cannot be changed here.
    #[serde(default, deserialize_with = "null_as_default")]
    pub readonly: bool,
    /// When it was registered, ISO-8601 UTC; `None` for derived rows.
    #[serde(default)]
    pub created_at: Option<String>,
    /// When it last changed, ISO-8601 UTC; `None` for derived rows.
    #[serde(default)]
    pub updated_at: Option<String>,
}

/// One entry of `GET /api/agents/:id/repos`, by name (contract section 8.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentRepository {
    /// The registry row.
    #[serde(flatten)]
    pub repository: Repository,
    /// Whether an attachment exists, enabled or not.
    pub attached: bool,
    /// Whether the attachment is enabled.
    pub attachment_enabled: bool,
}

impl AgentRepository {
    /// Whether the agent finds the repository mounted: attached, enabled, and the registry's own
    /// switch on.
    pub fn is_mounted(&self) -> bool {
        self.attached && self.attachment_enabled && self.repository.enabled
    }

    /// Whether its attachment follows its source and cannot be switched here (contract
    /// section 15).
    pub fn follows_source(&self) -> bool {
        self.repository.readonly || self.repository.source_type == SourceType::Work
    }
}

/// Answer of `PUT /api/agents/:id/repos/:repoConnectionId`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// The agent.
    pub agent_id: AgentId,
    /// The repository.
    pub repo_connection_id: RepositoryId,
    /// Whether the attachment is enabled.
    pub enabled: bool,
}

/// An environment file with its content: the only unmasked form. Its debug form leaves the content
/// out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvFileContent {
    /// Where it is put, at most 200 characters.
    pub path: String,
    /// At most 32 KiB of UTF-8.
    pub content: String,
}

impl EnvFileContent {
    /// What may be shown of it.
    pub fn masked(&self) -> EnvFile {
        EnvFile {
            path: self.path.clone(),
            size: u64::try_from(self.content.len()).unwrap_or(u64::MAX),
        }
    }
}

impl std::fmt::Debug for EnvFileContent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.masked().fmt(formatter)
    }
}

/// Answer of `GET /api/repo-connections/:id/env-files` and body of its PUT.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvFileContents {
    /// At most 8.
    pub files: Vec<EnvFileContent>,
}

/// Answer of `PUT /api/repo-connections/:id/env-files`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvFiles {
    /// Names and sizes.
    pub files: Vec<EnvFile>,
}

/// Body of `POST /api/repo-connections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepositoryCreate {
    /// 1 to 120 characters.
    pub name: String,
    /// `https://host…`, `ssh://host/path` or `user@host:path`, at most 512 characters.
    pub url: String,
    /// `github` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// At most 120 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<String>,
    /// `^[A-Za-z0-9._-]{1,200}$`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount_path: Option<String>,
    /// At most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `inherit` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential_mode: Option<CredentialMode>,
    /// At most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential_ref: Option<String>,
    /// At most 8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env_files: Option<Vec<EnvFileContent>>,
    /// On when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_in_all_projects: Option<bool>,
    /// On when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// Body of `PATCH /api/repo-connections/:id`: only what changes; `Some(None)` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    clippy::option_option,
    reason = "a field can be left alone, cleared or set"
)]
pub struct RepositoryPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A new address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Another host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// Another branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<Option<String>>,
    /// Another directory name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount_path: Option<Option<String>>,
    /// Another description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Option<String>>,
    /// Another way of access.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential_mode: Option<CredentialMode>,
    /// Another pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential_ref: Option<Option<String>>,
    /// Replaces all environment files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env_files: Option<Vec<EnvFileContent>>,
    /// Whether every project may use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_in_all_projects: Option<bool>,
    /// The registry's own switch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}
