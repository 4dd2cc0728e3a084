//! What is to be said about an MCP server above its tools: that it is down and since when its tools
//! are known, which of its tools were left out and why, and that the agent's permission is missing.

use contract::connections::{AgentConnection, ConnectionState, DroppedTool, ServerTools};
use contract::rules::permissions::Flag;
use leptos::prelude::*;

use super::use_tools;
use crate::browser;
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;
use crate::pages::agent::settings::flag_writes::use_flags;
use crate::route::{Route, SettingsPage, Tab};

/// What is wrong with the server, and what its list of tools is worth.
fn health_line(entry: Option<&AgentConnection>, tools: &ServerTools) -> Option<String> {
    let health = entry.and_then(|entry| entry.connection.health.as_ref());
    let error = entry.and_then(|entry| entry.connection.last_error.as_deref());
    let state = health.map(|health| &health.state);
    let down = matches!(state, Some(ConnectionState::Failed)) || error.is_some();
    let known = match &tools.read_at {
        Some(at) => format!("Its tools are known from {}.", browser::local_time(at)),
        None => "Its tools could not be read yet, so there may be some.".to_owned(),
    };
    if down {
        let why = error.map_or_else(
            || "The server cannot be reached.".to_owned(),
            |error| format!("The server cannot be reached: {}", revealed(error)),
        );
        return Some(format!("{why} {known}"));
    }
    match (state, &tools.read_at) {
        (Some(ConnectionState::Connecting), None) => {
            Some("Connecting. Its tools appear here once they are read.".to_owned())
        }
        (_, None) => {
            Some("Its tools were not read yet. Test the connection to read them.".to_owned())
        }
        (_, Some(_)) if tools.tools.is_empty() && tools.dropped.is_empty() => {
            Some("The server answered and offers no tool.".to_owned())
        }
        (_, Some(_)) => None,
    }
}

fn dropped_words(dropped: &[DroppedTool]) -> String {
    match dropped.len() {
        1 => "1 tool of this server was left out".to_owned(),
        many => format!("{many} tools of this server were left out"),
    }
}

/// What is said about one server.
#[component]
pub fn ServerState(
    /// Its name.
    server: String,
) -> impl IntoView {
    let model = use_tools();
    let flags = use_flags();
    let state = model.state;
    let name = StoredValue::new(server);
    let entry = Memo::new(move |_| {
        state.servers.value().with(|servers| {
            let found = servers.as_ref()?.iter();
            name.with_value(|name| {
                found
                    .clone()
                    .find(|entry| entry.connection.name == *name)
                    .cloned()
            })
        })
    });
    let line = Memo::new(move |_| {
        state.server_tools.value().with(|servers| {
            let found = servers.as_ref()?.data.iter();
            let tools =
                name.with_value(|name| found.clone().find(|tools| tools.server == *name))?;
            entry.with(|entry| health_line(entry.as_ref(), tools))
        })
    });
    let is_cut = Memo::new(move |_| {
        state.server_tools.value().with(|servers| {
            let found = servers.iter().flat_map(|servers| servers.data.iter());
            name.with_value(|name| {
                found
                    .clone()
                    .any(|tools| tools.server == *name && tools.truncated)
            })
        })
    });
    let dropped: Memo<Vec<DroppedTool>> = Memo::new(move |_| {
        state.server_tools.value().with(|servers| {
            let found = servers.iter().flat_map(|servers| servers.data.iter());
            name.with_value(|name| {
                found
                    .clone()
                    .find(|tools| tools.server == *name)
                    .map(|tools| tools.dropped.clone())
                    .unwrap_or_default()
            })
        })
    });
    let has_dropped = Memo::new(move |_| dropped.with(|dropped| !dropped.is_empty()));
    let flag_off = Memo::new(move |_| {
        flags.shown.with(|shown| {
            shown
                .as_ref()
                .is_some_and(|shown| shown.get(&Flag::CanCallExternalTools) == Some(false))
        })
    });
    let page = move || {
        entry.with(|entry| {
            entry.as_ref().map(|entry| {
                Route::SettingsItem(SettingsPage::Connections, entry.connection.id.0.clone()).href()
            })
        })
    };
    view! {
        {move || flag_off.get().then(|| view! {
            <p class="group-line warn">
                <Glyph icon=Icon::KeyOff />
                <span>
                    {format!("{} is off, so no MCP tool is assembled for this agent. ", Flag::CanCallExternalTools.label())}
                    <a href=Route::Agent(state.id.get_value(), Tab::Settings).href()>"Turn it on in Settings"</a>
                </span>
            </p>
        })}
        {move || line.get().map(|line| view! {
            <p class="group-line warn">
                <Glyph icon=Icon::Warning />
                <span>
                    <bdi>{line}</bdi>
                    " "
                    {page().map(|href| view! { <a href=href>"Open the connection"</a> })}
                </span>
            </p>
        })}
        {move || is_cut.get().then(|| view! {
            <p class="group-line warn">
                <Glyph icon=Icon::Warning />
                <span>"The server offers more tools than are read from one server, so this list is not complete."</span>
            </p>
        })}
        {move || has_dropped.get().then(|| view! {
            <details class="group-line warn">
                <summary><Glyph icon=Icon::Warning />{move || dropped.with(|dropped| dropped_words(dropped))}</summary>
                <ul>
                    <Each each=move || dropped.get() key=|tool| format!("{} {}", tool.name, tool.reason) let(tool)>
                        <li><bdi class="mono">{revealed(&tool.name)}</bdi>" "<bdi class="note">{revealed(&tool.reason)}</bdi></li>
                    </Each>
                </ul>
            </details>
        })}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(state: &str, error: Option<&str>) -> AgentConnection {
        serde_json::from_value(json!({
            "connection": {
                "id": "c1", "name": "docs", "url": "https://docs.example/mcp",
                "transport": "streamable-http", "enabled": true, "source": "manual",
                "createdAt": "", "updatedAt": "", "lastError": error,
                "health": {"state": state}
            },
            "effectiveEnabled": true, "bindingSource": "tenant", "inheritedFromTenant": true
        }))
        .unwrap()
    }

    fn tools(read_at: Option<&str>) -> ServerTools {
        serde_json::from_value(json!({
            "connectionId": "c1", "server": "docs", "readAt": read_at, "tools": []
        }))
        .unwrap()
    }

    #[test]
    fn a_server_that_was_never_read_is_not_said_to_have_no_tools() {
        let never = health_line(
            Some(&entry("failed", Some("Request timed out."))),
            &tools(None),
        );
        let never = never.unwrap_or_default();
        assert!(never.starts_with("The server cannot be reached: Request timed out."));
        assert!(never.ends_with("so there may be some."));
        assert!(health_line(Some(&entry("unknown", None)), &tools(None)).is_some());
    }
}
