//! The Dashboard card: how many MCP servers are on, and which are not reachable.

use contract::connections::{AgentConnection, ConnectionState};
use leptos::prelude::*;

use super::list::count_words;
use super::state::use_servers;
use crate::components::connection_health::state_of;
use crate::components::section::Loaded;
use crate::pages::agent::state::use_agent;
use crate::route::{Route, Tab};

/// The servers that are on and cannot be reached, by name.
fn unreachable(entries: &[AgentConnection]) -> String {
    let names: Vec<&str> = entries
        .iter()
        .filter(|entry| entry.effective_enabled)
        .filter(|entry| state_of(&entry.connection) == ConnectionState::Failed)
        .map(|entry| entry.connection.name.as_str())
        .collect();
    names.join(", ")
}

/// The card.
#[component]
pub fn ServersCard() -> impl IntoView {
    let state = use_agent();
    let servers = use_servers();
    let href = Route::Agent(state.id.get_value(), Tab::McpServers).href();
    let link = StoredValue::new(href.clone());
    let of = move |words: fn(&[AgentConnection]) -> String| {
        Memo::new(move |_| {
            servers
                .shown
                .with(|shown| shown.as_ref().map(|shown| words(shown)).unwrap_or_default())
        })
    };
    let total = Memo::new(move |_| {
        servers
            .shown
            .with(|shown| shown.as_ref().map_or(0, |shown| shown.len()))
    });
    let count = of(count_words);
    let down = of(unreachable);
    view! {
        <section class="panel" aria-labelledby="servers-card">
            <header>
                <h3 id="servers-card">"MCP servers"</h3>
                <span class="grow"></span>
                <a href=href>"All servers"</a>
            </header>
            <Loaded remote=state.servers failed="The MCP connections could not be loaded." rows=1 let(_servers)>
                <div class="inner">
                    {move || if total.get() == 0 {
                        view! { <p class="note">"No MCP servers are registered."</p> }.into_any()
                    } else {
                        view! { <p class="headline"><a href=link.get_value()>{count}</a></p> }.into_any()
                    }}
                    {move || (!down.with(String::is_empty)).then(|| view! {
                        <p class="note">"Not reachable: "<bdi>{down}</bdi></p>
                    })}
                </div>
            </Loaded>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::unreachable;

    #[test]
    fn nothing_is_unreachable_where_nothing_is_registered() {
        assert_eq!(unreachable(&[]), "");
    }
}
