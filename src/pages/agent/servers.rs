//! The MCP servers of an agent: the tab, the section of Capabilities and the Dashboard card. All
//! three show one state.

pub mod card;
pub mod list;
pub mod queue;
pub mod row;
pub mod state;

use leptos::prelude::*;

use self::list::ServersSection;

/// The tab.
#[component]
pub fn McpServersPage() -> impl IntoView {
    view! {
        <div class="page">
            <h2 class="visually-hidden">"MCP Servers"</h2>
            <div class="stack">
                <ServersSection id="mcp-servers" heading="MCP Servers" />
            </div>
        </div>
    }
}
