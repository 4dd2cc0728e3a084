//! What an agent's override of an MCP connection comes to (contract section 7.3): the state of the
//! row with another override, and what each side of it says.

use crate::connections::{AgentConnection, BindingSource};

/// What the agent's own override says; `None` without one.
pub fn override_of(entry: &AgentConnection) -> Option<bool> {
    match entry.binding_source {
        // A control plane that does not tell the override tells at least what it comes to.
        BindingSource::Agent => Some(entry.override_enabled.unwrap_or(entry.effective_enabled)),
        BindingSource::Tenant | BindingSource::Unbound | BindingSource::Unknown(_) => None,
    }
}

/// What the tenant binding says, whatever the override; `None` when there is none or when it is
/// not known.
pub fn tenant_of(entry: &AgentConnection) -> Option<bool> {
    entry.tenant_enabled.or_else(|| {
        // Of a connection that is switched off the answer says nothing about the binding.
        (entry.inherited_from_tenant && entry.connection.enabled).then_some(entry.effective_enabled)
    })
}

/// The row as it is with this override, or without one.
///
/// Whether a control plane that does not tell the tenant binding has one is not known while an
/// override covers it; the server is then taken to stay as it is, until the answer says more.
pub fn with_override(entry: &AgentConnection, wanted: Option<bool>) -> AgentConnection {
    let tenant = tenant_of(entry);
    let (source, says) = match (wanted, tenant) {
        (Some(on), _) => (BindingSource::Agent, on),
        (None, Some(on)) => (BindingSource::Tenant, on),
        (None, None) if entry.inherited_from_tenant => {
            (BindingSource::Tenant, entry.effective_enabled)
        }
        (None, None) => (BindingSource::Unbound, false),
    };
    AgentConnection {
        connection: entry.connection.clone(),
        effective_enabled: entry.connection.enabled && says,
        inherited_from_tenant: source == BindingSource::Tenant,
        binding_source: source,
        tenant_enabled: tenant,
        override_enabled: wanted,
    }
}

/// How many servers an agent finds, and how many it cannot because their connection is switched
/// off for the whole workspace.
pub fn counts<'a>(entries: impl IntoIterator<Item = &'a AgentConnection>) -> (usize, usize) {
    entries.into_iter().fold((0, 0), |(on, disabled), entry| {
        (
            on + usize::from(entry.effective_enabled),
            disabled + usize::from(!entry.connection.enabled),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(enabled: bool, tenant: Option<bool>, own: Option<bool>) -> AgentConnection {
        let source = match (own, tenant) {
            (Some(_), _) => "agent",
            (None, Some(_)) => "tenant",
            (None, None) => "none",
        };
        serde_json::from_value(json!({
            "connection": {
                "id": "c1", "name": "docs", "url": "https://docs.example/mcp",
                "transport": "streamable-http", "enabled": enabled, "source": "manual",
                "createdAt": "2026-08-01T09:00:00.000Z", "updatedAt": "2026-08-01T09:00:00.000Z"
            },
            "effectiveEnabled": enabled && own.or(tenant).unwrap_or(false),
            "bindingSource": source,
            "inheritedFromTenant": own.is_none() && tenant.is_some(),
            "tenantEnabled": tenant,
            "overrideEnabled": own
        }))
        .unwrap()
    }

    #[test]
    fn every_override_on_every_row_is_what_the_server_would_answer() {
        let maybe = [None, Some(true), Some(false)];
        for enabled in [true, false] {
            for tenant in maybe {
                for own in maybe {
                    for wanted in maybe {
                        let before = entry(enabled, tenant, own);
                        assert_eq!(
                            with_override(&before, wanted),
                            entry(enabled, tenant, wanted),
                            "{enabled} {tenant:?} {own:?} to {wanted:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn an_explicit_on_is_not_an_inherited_on() {
        let inherited = entry(true, Some(true), None);
        let explicit = with_override(&inherited, Some(true));
        assert_eq!(override_of(&inherited), None);
        assert_eq!(override_of(&explicit), Some(true));
        assert!(inherited.effective_enabled && explicit.effective_enabled);
        assert_ne!(inherited, explicit);
    }

    #[test]
    fn a_control_plane_that_tells_neither_side_is_read_from_what_they_come_to() {
        let mut seen = entry(true, Some(true), None);
        seen.tenant_enabled = None;
        assert_eq!(tenant_of(&seen), Some(true));
        let off = with_override(&seen, Some(false));
        assert_eq!(with_override(&off, None), entry(true, Some(true), None));
        let mut own = entry(true, None, Some(false));
        own.override_enabled = None;
        assert_eq!(override_of(&own), Some(false));
    }

    #[test]
    fn a_disabled_connection_counts_as_disabled_and_never_as_on() {
        let all = [
            entry(true, Some(true), None),
            entry(false, Some(true), Some(true)),
            entry(true, None, None),
        ];
        assert_eq!(counts(&all), (1, 1));
    }
}
