//! Requests about organizations and Works (contract section 2.4).

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::organizations::WorkCreate;

/// Most characters of an organization's, tenant's or Work's name.
pub const NAME_MAX: usize = 120;

/// `POST /api/organizations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrganization {
    /// Shown name, 1 to 120 characters.
    pub name: String,
    /// Name of the tenant, used when this first organization creates it (Remit only); the
    /// organization's name when absent.
    pub tenant_name: Option<String>,
}

/// Reads the body of `POST /api/organizations`.
pub fn organization(body: &Map<String, Value>) -> Result<NewOrganization, Problems> {
    let named = Text {
        min: 1,
        ..Text::default()
    };
    let mut fields = Reader::new(body, &["name", "tenantName"]);
    let name = fields.text("name", named);
    if name.chars().count() > NAME_MAX {
        fields.problem(
            "name",
            &format!("must be shorter than or equal to {NAME_MAX} characters"),
        );
    }
    let tenant_name = fields.optional_text(
        "tenantName",
        Text {
            min: 1,
            ..Text::up_to(NAME_MAX)
        },
    );
    fields.finish(NewOrganization { name, tenant_name })
}

/// Reads the body of `POST /api/works`.
pub fn work(body: &Map<String, Value>) -> Result<WorkCreate, Problems> {
    let mut fields = Reader::new(
        body,
        &["slug", "name", "description", "organization", "owner"],
    );
    let slug = fields.text(
        "slug",
        Text {
            not_empty: true,
            ..Text::up_to(100)
        },
    );
    let slug_ok = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    if !slug.is_empty() && !slug_ok(&slug) {
        fields.problem("slug", "must match /^[a-z0-9-]+$/ regular expression");
    }
    let name = fields.text(
        "name",
        Text {
            not_empty: true,
            ..Text::up_to(NAME_MAX)
        },
    );
    let description = fields.text("description", Text::up_to(2000));
    let organization = fields.boolean("organization");
    let owner = fields.optional_text("owner", Text::up_to(100));
    fields.finish(WorkCreate {
        name,
        slug,
        description,
        organization,
        owner,
    })
}
