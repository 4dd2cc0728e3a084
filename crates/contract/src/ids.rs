//! Identifiers: one type per kind of thing, so that they cannot be exchanged by accident.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The identifier as it travels.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    )+};
}

id! {
    /// An agent.
    AgentId,
    /// A registered MCP server.
    ConnectionId,
    /// A runtime recipe.
    EnvironmentId,
    /// A stored tool-grant row.
    GrantId,
    /// An organization.
    OrganizationId,
    /// A repository of the registry. Rows derived from a Work carry one that is no UUID.
    RepositoryId,
    /// A binding of a skill to a scope or an agent.
    SkillBindingId,
    /// An installed skill.
    SkillId,
    /// A tenant, the widest scope a grant can be written at.
    TenantId,
    /// A person with an account.
    UserId,
    /// A Work (a project agents work in).
    WorkId,
}

/// Whether `text` has the shape of a UUID: five groups of 8-4-4-4-12 hexadecimal digits, any
/// version (contract section 1, "Ids").
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
