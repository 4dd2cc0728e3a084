//! Organizations and Works: the scopes between a tenant and an agent (contract section 2.4).

use serde::{Deserialize, Serialize};

use crate::ids::{OrganizationId, TenantId, UserId, WorkId};
use crate::open::null_as_default;

/// One entry of `GET /api/organizations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// The organization.
    pub id: OrganizationId,
    /// The tenant it belongs to.
    pub tenant_id: TenantId,
    /// Short name for URLs.
    pub slug: String,
    /// Registered name.
    #[serde(default)]
    pub legal_name: Option<String>,
    /// Shown name.
    #[serde(default)]
    pub display_name: Option<String>,
    /// Two-letter country.
    #[serde(default)]
    pub country_code: Option<String>,
    /// Where it was registered.
    #[serde(default)]
    pub registration_provider: Option<String>,
    /// State of the registration, such as `draft`.
    #[serde(default)]
    pub registration_status: Option<String>,
    /// A Work linked to the organization itself.
    #[serde(default)]
    pub linked_work_id: Option<WorkId>,
    /// Free text.
    #[serde(default)]
    pub vision: Option<String>,
    /// When `vision` changed.
    #[serde(default)]
    pub vision_updated_at: Option<String>,
    /// When it was made, ISO-8601 UTC.
    pub created_at: String,
    /// When it last changed, ISO-8601 UTC.
    pub updated_at: String,
}

impl Organization {
    /// The name to show: the display name, else the short name.
    pub fn shown_name(&self) -> &str {
        self.display_name.as_deref().unwrap_or(&self.slug)
    }
}

/// Body of `POST /api/organizations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrganizationCreate {
    /// Shown name.
    pub name: String,
}

/// A Work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Work {
    /// The Work.
    pub id: WorkId,
    /// Shown name.
    pub name: String,
    /// Short name for URLs.
    #[serde(default, deserialize_with = "null_as_default")]
    pub slug: String,
    /// Who made it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user_id: UserId,
    /// Owner of its repository at the git provider.
    #[serde(default)]
    pub owner: Option<String>,
    /// State, such as `active`.
    #[serde(default)]
    pub status: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub description: Option<String>,
    /// The tenant it belongs to.
    #[serde(default)]
    pub tenant_id: Option<TenantId>,
    /// The organization it belongs to.
    #[serde(default)]
    pub organization_id: Option<OrganizationId>,
    /// When it was made, ISO-8601 UTC.
    #[serde(default)]
    pub created_at: Option<String>,
    /// When it last changed, ISO-8601 UTC.
    #[serde(default)]
    pub updated_at: Option<String>,
}

/// Answer of `GET /api/works`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkList {
    /// `success`.
    pub status: String,
    /// The Works.
    pub works: Vec<Work>,
}

/// Answer of `POST /api/works` (status 200) and `GET /api/works/:id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkAnswer {
    /// `success`.
    pub status: String,
    /// The Work.
    pub work: Work,
}

/// Body of `POST /api/works`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkCreate {
    /// Shown name.
    pub name: String,
    /// Short name for URLs.
    pub slug: String,
    /// What it is for.
    pub description: String,
    /// Whether `owner` is an organization at the git provider.
    pub organization: bool,
    /// Owner of its repository at the git provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}
