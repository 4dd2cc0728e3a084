//! One MCP connection on an agent page: which server it is, who decided whether it is on, how it
//! is doing, and its switch.

use contract::connections::{AgentConnection, BindingSource, Connection};
use contract::ids::ConnectionId;
use contract::rules::bindings::tenant_of;
use leptos::prelude::*;

use super::queue::entry_of;
use super::state::use_servers;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::connection_health::{ConnectionHealthLine, transport_label};
use crate::components::icon::{Glyph, Icon};
use crate::components::switch::{Saving, Switch, SwitchState};
use crate::components::words::revealed;
use crate::edits::refusal_heading;
use crate::pages::agent::state::use_agent;
use crate::route::{Route, SettingsPage, Tab, query};

/// The id of the switch of a connection.
pub fn switch_id(connection: &str) -> String {
    format!("server-{connection}-switch")
}

/// Who decided, as a badge.
fn badge_of(entry: &AgentConnection) -> (Tone, Icon, String) {
    match &entry.binding_source {
        BindingSource::Agent => (Tone::Override, Icon::Pencil, "Override".to_owned()),
        BindingSource::Tenant => (
            Tone::Neutral,
            Icon::ArrowDown,
            "Inherited from tenant".to_owned(),
        ),
        BindingSource::Unbound => (Tone::Neutral, Icon::Ban, "Not bound".to_owned()),
        BindingSource::Unknown(text) => (Tone::Neutral, Icon::Info, revealed(text)),
    }
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// What stays when the override goes, for a row that has one.
fn without_override(entry: &AgentConnection) -> Option<String> {
    if entry.binding_source != BindingSource::Agent {
        return None;
    }
    Some(match tenant_of(entry) {
        Some(on) => format!("Without this override: {} (tenant)", on_off(on)),
        None => {
            "Without this override: what the tenant says, which this control plane does not tell"
                .to_owned()
        }
    })
}

/// Why the switch stands as it does, as a sentence for its description.
fn reason(entry: &AgentConnection) -> String {
    if !entry.connection.enabled {
        return "The connection is disabled for the whole workspace under Settings → Connections, so it cannot be turned on for one agent.".to_owned();
    }
    match &entry.binding_source {
        BindingSource::Agent => "Set on this agent.".to_owned(),
        BindingSource::Tenant => "Value comes from tenant.".to_owned(),
        BindingSource::Unbound | BindingSource::Unknown(_) => {
            "Neither the tenant nor this agent says anything, so it is off.".to_owned()
        }
    }
}

/// The row of one connection. It stays the same element while its state changes.
#[component]
pub fn ServerRow(
    /// Which connection.
    id: ConnectionId,
) -> impl IntoView {
    let servers = use_servers();
    let announcer = use_announcer();
    let key = StoredValue::new(id.clone());
    let entry = Memo::new(move |before: Option<&Option<AgentConnection>>| {
        servers
            .shown
            .with(|shown| key.with_value(|id| entry_of(shown.as_ref()?, id).cloned()))
            .or_else(|| before.cloned().flatten())
    });
    let connection = Memo::new(move |_| {
        entry.with(|entry| entry.as_ref().map(|entry| entry.connection.clone()))
    });
    let of_connection = move |part: fn(&Connection) -> String| {
        Memo::new(move |_| connection.with(|found| found.as_ref().map(part).unwrap_or_default()))
    };
    let name = of_connection(|found| revealed(&found.name));
    let transport = of_connection(|found| transport_label(&found.transport).to_owned());
    let url = of_connection(|found| revealed(&found.url));
    let of_entry = move |part: fn(&AgentConnection) -> Option<String>| {
        Memo::new(move |_| entry.with(|entry| entry.as_ref().and_then(part)))
    };
    let without = of_entry(without_override);
    let why = of_entry(|entry| Some(reason(entry)));
    let is_disabled = Memo::new(move |_| {
        connection.with(|found| found.as_ref().is_some_and(|found| !found.enabled))
    });
    let has_override = Memo::new(move |_| {
        entry.with(|entry| {
            entry
                .as_ref()
                .is_some_and(|entry| entry.binding_source == BindingSource::Agent)
        })
    });
    let busy =
        Memo::new(move |_| key.with_value(|id| servers.queue.with(|queue| queue.is_busy(id))));
    let refusal = Memo::new(move |_| {
        key.with_value(|id| servers.queue.with(|queue| queue.refusal_of(id).cloned()))
    });
    let is_changed = Memo::new(move |_| {
        key.with_value(|id| {
            servers
                .recently_changed
                .with(|changed| changed.contains(id))
        })
    });
    let badge = Memo::new(move |_| entry.with(|entry| entry.as_ref().map(badge_of)));
    let shown = Signal::derive(move || SwitchState {
        on: entry.with(|entry| entry.as_ref().is_some_and(|entry| entry.effective_enabled)),
        locked: is_disabled.get(),
        busy: busy.get(),
    });
    let press = Callback::new(move |()| {
        if is_disabled.get_untracked() {
            announcer.alert(format!(
                "{} is locked. {}",
                name.get_untracked(),
                why.get_untracked().unwrap_or_default()
            ));
            return;
        }
        servers.set(key.get_value(), !shown.get_untracked().on);
    });
    let own = id.0.clone();
    let part = move |part: &str| format!("server-{own}-{part}");
    let switch = StoredValue::new(switch_id(id.as_str()));
    let reset = move |_| {
        servers.reset(key.get_value());
        // The button is gone as soon as the row follows the tenant.
        browser::focus(&switch.get_value());
    };
    let described = {
        let (badges, reason, without_id) = (part("badges"), part("reason"), part("without"));
        Signal::derive(move || {
            if without.with(Option::is_some) {
                format!("{badges} {reason} {without_id}")
            } else {
                format!("{badges} {reason}")
            }
        })
    };
    let settings =
        StoredValue::new(Route::SettingsItem(SettingsPage::Connections, id.0.clone()).href());
    let (reason_id, without_id, lock_id) = (part("reason"), part("without"), part("lock"));
    view! {
        <li class="server-row" data-server=id.0.clone() class:changed=is_changed>
            <div class="server-text">
                <div class="server-name">
                    <bdi class="mono" id=part("name")>{name}</bdi>
                    <span class="badges" id=part("badges")>
                        {move || badge.get().map(|(tone, icon, text)| view! { <Badge tone=tone icon=icon text=text /> })}
                        {move || is_disabled.get().then(|| view! {
                            " "<Badge tone=Tone::Deny icon=Icon::PlugOff text="Connection disabled" />
                        })}
                    </span>
                    {move || busy.get().then(|| view! { <Saving /> })}
                    {move || is_changed.get().then(|| view! {
                        <Badge tone=Tone::Info icon=Icon::Reset text="Changed elsewhere" />
                    })}
                </div>
                <p class="server-where">
                    <span>{transport}</span>
                    <bdi class="mono" dir="ltr">{url}</bdi>
                </p>
                <ConnectionHealthLine connection=connection />
                <ToolCount id=id.clone() connection=connection />
                {move || without.get().map(|words| view! { <p class="without" id=without_id.clone()>{words}</p> })}
                {move || is_disabled.get().then(|| view! {
                    <p class="locked" id=lock_id.clone()>
                        <Glyph icon=Icon::Lock />
                        <span>"Disabled for the whole workspace. "<a href=settings.get_value()>"Change it under Settings → Connections"</a></span>
                    </p>
                })}
                <span class="visually-hidden" id=reason_id>{move || why.get()}</span>
            </div>
            <div class="server-end">
                {move || has_override.get().then(|| view! {
                    <button
                        type="button"
                        class="btn quiet"
                        aria-label=move || format!("Reset to inherited: {}", name.get())
                        on:click=reset
                    >
                        <Glyph icon=Icon::Reset />
                        "Reset to inherited"
                    </button>
                })}
                <Switch
                    state=shown
                    id=switch.get_value()
                    named_by=part("name")
                    described_by=described
                    on_press=press
                />
            </div>
            {move || refusal.get().map(|refusal| view! {
                <div class="notice deny" role="group" aria-label="Not saved">
                    <Glyph icon=Icon::Warning />
                    <p><strong>{refusal_heading(refusal.unsure)}</strong>" "<bdi>{refusal.said.clone()}</bdi></p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            servers.retry(&key.get_value());
                            browser::focus(&switch.get_value());
                        }>"Retry"</button>
                        <button type="button" class="btn quiet" on:click=move |_| {
                            servers.queue.update(|queue| key.with_value(|id| queue.dismiss(id)));
                            browser::focus(&switch.get_value());
                        }>"Dismiss"</button>
                    </div>
                </div>
            })}
        </li>
    }
}

/// How many tools the server offers, with the way to them when they are on the list of this agent.
#[component]
fn ToolCount(id: ConnectionId, connection: Memo<Option<Connection>>) -> impl IntoView {
    let state = use_agent();
    let key = StoredValue::new(id);
    // Of the tools this agent gets; else what the server offered when it was last read.
    let listed = Memo::new(move |_| {
        state.server_tools.value().with(|servers| {
            let servers = servers.as_ref()?.data.iter();
            key.with_value(|id| {
                let mine = servers.clone().find(|server| server.connection_id == *id)?;
                mine.read_at.as_ref().map(|_| mine.tools.len())
            })
        })
    });
    let offered =
        Memo::new(move |_| connection.with(|found| found.as_ref()?.health.as_ref()?.tool_count));
    let address = move || {
        let name = connection.with(|found| found.as_ref().map(|found| found.name.clone()));
        let list = Route::Agent(state.id.get_value(), Tab::Capabilities).href();
        let text = format!("mcp__{}__", name.unwrap_or_default());
        format!("{list}?{}", query(&[("q", &text)]))
    };
    let words = |count: usize| match count {
        1 => "1 tool".to_owned(),
        many => format!("{many} tools"),
    };
    view! {
        <p class="health">
            {move || match (listed.get(), offered.get()) {
                (Some(0), _) => view! { <span>"No tools"</span> }.into_any(),
                (Some(count), _) => view! { <a href=address>{words(count)}</a> }.into_any(),
                (None, Some(count)) => view! { <span>{format!("{}, not for this agent while it is off", words(count as usize))}</span> }.into_any(),
                (None, None) => view! { <span>"Tools not read yet"</span> }.into_any(),
            }}
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(source: &str, tenant: Option<bool>, enabled: bool) -> AgentConnection {
        serde_json::from_value(json!({
            "connection": {
                "id": "c1", "name": "docs", "url": "https://docs.example/mcp",
                "transport": "streamable-http", "enabled": enabled, "source": "manual",
                "createdAt": "", "updatedAt": ""
            },
            "effectiveEnabled": enabled, "bindingSource": source,
            "inheritedFromTenant": source == "tenant", "tenantEnabled": tenant
        }))
        .unwrap()
    }

    #[test]
    fn only_an_override_says_what_stays_without_it() {
        assert_eq!(without_override(&entry("tenant", Some(true), true)), None);
        assert_eq!(
            without_override(&entry("agent", Some(false), true)).as_deref(),
            Some("Without this override: off (tenant)")
        );
        assert!(
            without_override(&entry("agent", None, true))
                .is_some_and(|words| words.contains("does not tell"))
        );
    }

    #[test]
    fn a_disabled_connection_is_the_reason_whatever_the_binding() {
        assert!(reason(&entry("agent", Some(true), false)).contains("Settings → Connections"));
        assert_eq!(
            reason(&entry("agent", Some(true), true)),
            "Set on this agent."
        );
    }
}
