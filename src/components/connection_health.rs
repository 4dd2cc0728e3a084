//! How an MCP connection is doing, in words: reachable or not, by which protocol, since when.

use contract::connections::{
    Connection, ConnectionHealth, ConnectionState, ProtocolEra, Transport,
};
use leptos::prelude::*;

use super::words::revealed;
use crate::browser;

/// How a server is reached, in words.
pub fn transport_label(transport: &Transport) -> &str {
    match transport {
        Transport::StreamableHttp => "Streamable HTTP",
        Transport::Sse => "HTTP with SSE",
        Transport::Stdio => "Command (stdio)",
        Transport::Unknown(text) => text,
    }
}

/// The state of a connection, also where the control plane tells no health.
pub fn state_of(connection: &Connection) -> ConnectionState {
    if !connection.enabled {
        return ConnectionState::Disabled;
    }
    match &connection.health {
        Some(health) => health.state.clone(),
        None if connection.last_error.is_some() => ConnectionState::Failed,
        None => ConnectionState::NotTried,
    }
}

/// The word for a state.
pub fn state_label(state: &ConnectionState) -> &str {
    match state {
        ConnectionState::NotTried => "Not tried yet",
        ConnectionState::Connecting => "Connecting…",
        ConnectionState::Connected => "Connected",
        ConnectionState::Failed => "Not reachable",
        ConnectionState::Disabled => "Disabled",
        ConnectionState::Unknown(text) => text,
    }
}

/// The class that colours the mark of a state.
fn state_class(state: &ConnectionState) -> &'static str {
    match state {
        ConnectionState::Connected => "status on",
        ConnectionState::Connecting => "status running",
        ConnectionState::Failed => "status error",
        ConnectionState::NotTried | ConnectionState::Disabled | ConnectionState::Unknown(_) => {
            "status idle"
        }
    }
}

/// The protocol that was negotiated, and how.
pub fn protocol_words(health: &ConnectionHealth) -> Option<String> {
    let version = health.protocol_version.as_deref()?;
    let how = match &health.era {
        Some(ProtocolEra::Discover) => " by discovery",
        Some(ProtocolEra::Initialize) => " by handshake",
        Some(ProtocolEra::Unknown(_)) | None => "",
    };
    Some(format!("MCP {}{how}", revealed(version)))
}

/// What is known apart from the state, as short phrases: protocol, last contact.
fn phrases(connection: &Connection) -> Vec<String> {
    let protocol = connection.health.as_ref().and_then(protocol_words);
    let last = connection
        .last_connected_at
        .as_deref()
        .map(|at| format!("last connected {}", browser::local_time(at)));
    protocol.into_iter().chain(last).collect()
}

/// One line: state, protocol, last contact; below it the last error.
#[component]
pub fn ConnectionHealthLine(
    /// The connection.
    connection: Memo<Option<Connection>>,
) -> impl IntoView {
    let state = Memo::new(move |_| connection.with(|found| found.as_ref().map(state_of)));
    let rest = Memo::new(move |_| {
        connection.with(|found| found.as_ref().map(phrases).unwrap_or_default())
    });
    let error = Memo::new(move |_| {
        connection.with(|found| found.as_ref().and_then(|found| found.last_error.clone()))
    });
    view! {
        <p class="health">
            {move || state.get().map(|state| view! {
                <span class=state_class(&state)>{state_label(&state).to_owned()}</span>
            })}
            {move || rest.get().into_iter().map(|phrase| view! { <span class="phrase">{phrase}</span> }).collect_view()}
        </p>
        {move || error.get().map(|error| view! {
            <p class="health-error"><span>"Last error: "</span><bdi>{revealed(&error)}</bdi></p>
        })}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn connection(value: serde_json::Value) -> Connection {
        let mut base = json!({
            "id": "c1", "name": "docs", "url": "https://docs.example/mcp",
            "transport": "streamable-http", "enabled": true, "source": "manual",
            "createdAt": "", "updatedAt": ""
        });
        for (key, part) in value.as_object().into_iter().flatten() {
            base[key] = part.clone();
        }
        serde_json::from_value(base).unwrap()
    }

    #[test]
    fn a_state_is_told_also_where_the_control_plane_tells_no_health() {
        let of = |value| state_of(&connection(value));
        assert_eq!(of(json!({})), ConnectionState::NotTried);
        assert_eq!(of(json!({"lastError": "x"})), ConnectionState::Failed);
        assert_eq!(
            of(json!({"enabled": false, "health": {"state": "connected"}})),
            ConnectionState::Disabled
        );
    }

    #[test]
    fn the_protocol_says_how_it_was_negotiated() {
        let health = |era: &str| {
            serde_json::from_value::<ConnectionHealth>(json!({
                "state": "connected", "protocolVersion": "2026-07-28", "era": era
            }))
            .unwrap()
        };
        assert_eq!(
            protocol_words(&health("discover")).as_deref(),
            Some("MCP 2026-07-28 by discovery")
        );
        assert_eq!(
            protocol_words(&health("initialize")).as_deref(),
            Some("MCP 2026-07-28 by handshake")
        );
    }
}
