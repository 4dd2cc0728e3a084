//! Environments: runtime recipes agents can be given (contract section 9).

use serde::{Deserialize, Serialize};

use crate::ids::{EnvironmentId, UserId};
use crate::open::{null_as_default, open_enum};

open_enum! {
    /// What an environment may reach.
    NetworkingMode {
        /// Everything.
        Unrestricted = "unrestricted",
        /// The allowed hosts only.
        Limited = "limited",
    }
}

open_enum! {
    /// Whether agents can be given it.
    EnvironmentStatus {
        /// Not yet; assigning it is refused.
        Draft = "draft",
        /// Yes. There is no way back.
        Published = "published",
    }
}

/// One entry of `GET /api/environments`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// The environment.
    pub id: EnvironmentId,
    /// Whose it is.
    pub user_id: UserId,
    /// 1 to 120 characters.
    pub name: String,
    /// From the name, unique per account.
    pub slug: String,
    /// At most 2,000 characters.
    #[serde(default)]
    pub description: Option<String>,
    /// Python packages.
    #[serde(default, deserialize_with = "null_as_default")]
    pub pip_packages: Vec<String>,
    /// Node packages.
    #[serde(default, deserialize_with = "null_as_default")]
    pub npm_packages: Vec<String>,
    /// What it may reach.
    pub networking_mode: NetworkingMode,
    /// Hosts, when limited.
    #[serde(default)]
    pub allowed_hosts: Option<Vec<String>>,
    /// Whether package managers may reach their registries.
    #[serde(default, deserialize_with = "null_as_default")]
    pub allow_package_managers: bool,
    /// Draft or published.
    pub status: EnvironmentStatus,
    /// Whether every project may use it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub available_in_all_projects: bool,
    /// When it was made, ISO-8601 UTC.
    pub created_at: String,
    /// When it last changed, ISO-8601 UTC.
    pub updated_at: String,
}

/// Answer of `GET /api/environments`, latest change first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentList {
    /// The environments.
    pub data: Vec<Environment>,
}

/// Body of `POST /api/environments`; all but the name may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentCreate {
    /// 1 to 120 characters.
    pub name: String,
    /// At most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// At most 100 of at most 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pip_packages: Option<Vec<String>>,
    /// At most 100 of at most 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub npm_packages: Option<Vec<String>>,
    /// `unrestricted` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networking_mode: Option<NetworkingMode>,
    /// At most 200 of at most 253 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_hosts: Option<Vec<String>>,
    /// On when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_package_managers: Option<bool>,
    /// On when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_in_all_projects: Option<bool>,
}

/// Body of `PATCH /api/environments/:id`: only what changes; `Some(None)` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    clippy::option_option,
    reason = "a field can be left alone, cleared or set"
)]
pub struct EnvironmentPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Option<String>>,
    /// Replaces all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pip_packages: Option<Vec<String>>,
    /// Replaces all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub npm_packages: Option<Vec<String>>,
    /// Another mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networking_mode: Option<NetworkingMode>,
    /// Replaces all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_hosts: Option<Option<Vec<String>>>,
    /// Whether package managers may reach their registries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_package_managers: Option<bool>,
    /// Whether every project may use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_in_all_projects: Option<bool>,
}
