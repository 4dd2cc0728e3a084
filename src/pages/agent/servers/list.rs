//! The list of MCP connections with this agent's state of each.

use contract::connections::AgentConnection;
use contract::rules::bindings::counts;
use contract::rules::permissions::Flag;
use leptos::prelude::*;

use super::row::{ServerRow, switch_id};
use super::state::use_servers;
use crate::browser;
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::pages::agent::settings::flag_writes::use_flags;
use crate::pages::agent::state::use_agent;
use crate::route::{Route, SettingsPage, Tab};

/// `2 on · 1 disabled`, over what is shown.
pub fn count_words(entries: &[AgentConnection]) -> String {
    let (on, disabled) = counts(entries);
    if disabled == 0 {
        format!("{on} on")
    } else {
        format!("{on} on · {disabled} disabled")
    }
}

/// The section; the same on the tab and on Capabilities.
#[component]
pub fn ServersSection(
    /// Id of the heading.
    id: &'static str,
    /// The heading.
    heading: &'static str,
) -> impl IntoView {
    let state = use_agent();
    let servers = use_servers();
    let flags = use_flags();
    let settings = Route::Settings(SettingsPage::Connections).href();
    let register = StoredValue::new(settings.clone());
    let count = Memo::new(move |_| {
        servers
            .shown
            .with(|shown| shown.as_ref().map(|shown| count_words(shown)))
    });
    let ids = move || {
        servers.shown.with(|shown| {
            let shown = shown.iter().flat_map(|shown| shown.iter());
            shown
                .map(|entry| entry.connection.id.clone())
                .collect::<Vec<_>>()
        })
    };
    let is_empty = Memo::new(move |_| {
        servers
            .shown
            .with(|shown| shown.as_ref().is_some_and(|all| all.is_empty()))
    });
    let flag_off = Memo::new(move |_| {
        flags.shown.with(|shown| {
            shown
                .as_ref()
                .is_some_and(|shown| shown.get(&Flag::CanCallExternalTools) == Some(false))
        })
    });
    view! {
        <section class="panel servers-section" aria-labelledby=id>
            <header>
                <div class="section-title">
                    <h3 id=id tabindex="-1">{heading}</h3>
                    <span class="note" id=format!("{id}-count")>{count}</span>
                </div>
                <div class="section-actions">
                    <a href=settings>"Connections"</a>
                </div>
            </header>
            {move || (flag_off.get() && !is_empty.get()).then(|| view! {
                <div class="notice warn">
                    <Glyph icon=Icon::KeyOff />
                    <p>{format!(
                        "{} is off for this agent, so no tool of an MCP server is assembled, whatever is on here.",
                        Flag::CanCallExternalTools.label()
                    )}</p>
                    <div class="actions">
                        <a class="btn" href=Route::Agent(state.id.get_value(), Tab::Settings).href()>"Turn it on in Settings"</a>
                    </div>
                </div>
            })}
            <Loaded remote=state.servers failed="The MCP connections could not be loaded." rows=3 let(_servers)>
                {move || is_empty.get().then(|| view! {
                    <div class="empty">
                        <p>"No MCP servers are registered."</p>
                        <a class="btn" href=register.get_value()>"Register one under Settings → Connections"</a>
                    </div>
                })}
                <ul class="servers" on:keydown=move |event| move_focus(&event)>
                    <Each each=ids key=|id| id.0.clone() children=|id| view! { <ServerRow id=id /> } />
                </ul>
            </Loaded>
        </section>
    }
}

/// Up, Down, Home and End move between the switches of the rows.
fn move_focus(event: &web_sys::KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let Some(focused) = browser::focused() else {
        return;
    };
    let id = focused.id();
    let Some(list) = browser::focused_within("ul.servers") else {
        return;
    };
    let rows = list.children();
    let ids: Vec<String> = (0..rows.length())
        .filter_map(|place| rows.item(place)?.get_attribute("data-server"))
        .map(|server| switch_id(&server))
        .collect();
    let Some(at) = ids.iter().position(|other| *other == id) else {
        return;
    };
    let next = match event.key().as_str() {
        "ArrowDown" => at + 1,
        "ArrowUp" => at.saturating_sub(1),
        "Home" => 0,
        "End" => ids.len().saturating_sub(1),
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = ids.get(next) {
        browser::focus(next);
    }
}

#[cfg(test)]
mod tests {
    use super::count_words;

    #[test]
    fn what_is_disabled_is_only_said_where_something_is() {
        assert_eq!(count_words(&[]), "0 on");
    }
}
