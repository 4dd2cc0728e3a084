//! The list of connections: which server each is, how it is doing, and how many agents it reaches.

use std::collections::BTreeMap;
use std::sync::Arc;

use contract::connections::Connection;
use contract::events::ChangeKind;
use contract::ids::ConnectionId;
use leptos::prelude::*;

use crate::api;
use crate::browser::timer::Timer;
use crate::components::badge::{Badge, Tone};
use crate::components::connection_health::{ConnectionHealthLine, transport_label};
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::live::use_live;
use crate::reactive::{follow, spawn};
use crate::remote::Remote;
use crate::route::{NEW, Route, SettingsPage};
use crate::session::use_session;

/// Changes that come this close together are answered by one read, in milliseconds.
const GATHER: u64 = 200;

/// How many agents each connection reaches, as far as that is known.
type Reach = BTreeMap<ConnectionId, usize>;

/// `1 agent`, `3 agents`.
pub fn agents_word(count: usize) -> String {
    match count {
        1 => "1 agent".to_owned(),
        many => format!("{many} agents"),
    }
}

fn count_words(all: &[Connection]) -> String {
    let disabled = all.iter().filter(|one| !one.enabled).count();
    let servers = match all.len() {
        1 => "1 server".to_owned(),
        many => format!("{many} servers"),
    };
    if disabled == 0 {
        servers
    } else {
        format!("{servers} · {disabled} disabled")
    }
}

/// The page.
#[component]
pub fn ConnectionsPage() -> impl IntoView {
    let session = use_session();
    let registry: Remote<Arc<Vec<Connection>>> = Remote::new(move || async move {
        let read = api::mcp::list(&session.client()).await;
        read.map(Arc::new)
    });
    let reach = RwSignal::new(Reach::new());
    let count_reach = move || {
        let Some(all) = registry.now() else { return };
        spawn(async move {
            // One question after the other: the list is there already, and many servers must not
            // hold up what else the page asks.
            for one in all.iter() {
                if let Ok(agents) = api::mcp::agents(&session.client(), &one.id).await {
                    let count = agents.data.len();
                    reach.try_update(|reach| reach.insert(one.id.clone(), count));
                }
            }
        });
    };
    let ids = Memo::new(move |_| {
        registry.value().with(|all| {
            let all = all.iter().flat_map(|all| all.iter());
            all.map(|one| (one.id.clone(), one.enabled))
                .collect::<Vec<_>>()
        })
    });
    follow(move |_: Option<()>| {
        // Reading it, since a memo that nobody has read yet follows nothing.
        ids.with(|_| ());
        count_reach();
    });
    let (gather, recount) = (Timer::new(), Timer::new());
    use_live().on_change(move |event| match event.kind {
        ChangeKind::McpConnection | ChangeKind::Reset if !gather.is_waiting() => {
            gather.start(GATHER, move || registry.reload());
        }
        ChangeKind::McpBinding | ChangeKind::Agent if !recount.is_waiting() => {
            recount.start(GATHER, count_reach);
        }
        _ => {}
    });
    let new = Route::SettingsItem(SettingsPage::Connections, NEW.to_owned()).href();
    let first = StoredValue::new(new.clone());
    view! {
        <div class="page settings">
            <section class="panel servers-section" aria-labelledby="connections-heading">
                <header>
                    <div class="section-title">
                        <h2 id="connections-heading" tabindex="-1">"Connections"</h2>
                        <span class="note">
                            {move || registry.value().with(|all| all.as_ref().map(|all| count_words(all)))}
                        </span>
                    </div>
                    <div class="section-actions">
                        <a class="btn primary" href=new><Glyph icon=Icon::Plus />"Add a connection"</a>
                    </div>
                </header>
                <p class="lead">"MCP servers are registered here once. Every agent inherits a new one until the agent’s own page says otherwise; its tools obey the same grant rules as all others."</p>
                <Loaded remote=registry failed="The connections could not be loaded." rows=4 let(all)>
                    {move || all.with(|all| all.is_empty()).then(|| view! {
                        <div class="empty">
                            <p>"No MCP servers are registered."</p>
                            <a class="btn" href=first.get_value()>"Add the first connection"</a>
                        </div>
                    })}
                    <ul class="servers">
                        <Each
                            each=move || all.with(|all| all.iter().map(|one| one.id.clone()).collect::<Vec<_>>())
                            key=|id| id.0.clone()
                            children=move |id| view! { <Row id=id all=all reach=reach /> }
                        />
                    </ul>
                </Loaded>
            </section>
        </div>
    }
}

/// One connection. It stays the same element while its state changes.
#[component]
fn Row(id: ConnectionId, all: Memo<Arc<Vec<Connection>>>, reach: RwSignal<Reach>) -> impl IntoView {
    let key = StoredValue::new(id.clone());
    let connection = Memo::new(move |before: Option<&Option<Connection>>| {
        let found =
            all.with(|all| key.with_value(|id| all.iter().find(|one| one.id == *id).cloned()));
        found.or_else(|| before.cloned().flatten())
    });
    let of = move |part: fn(&Connection) -> String| {
        Memo::new(move |_| connection.with(|found| found.as_ref().map(part).unwrap_or_default()))
    };
    let name = of(|one| revealed(&one.name));
    let transport = of(|one| transport_label(&one.transport).to_owned());
    let url = of(|one| revealed(&one.url));
    let is_disabled =
        Memo::new(move |_| connection.with(|found| found.as_ref().is_some_and(|one| !one.enabled)));
    let tools = Memo::new(move |_| {
        let count = connection.with(|found| found.as_ref()?.health.as_ref()?.tool_count);
        match count {
            Some(1) => "1 tool".to_owned(),
            Some(many) => format!("{many} tools"),
            None => "Tools not read yet".to_owned(),
        }
    });
    let agents = Memo::new(move |_| {
        let count = reach.with(|reach| key.with_value(|id| reach.get(id).copied()))?;
        Some(if is_disabled.get() {
            format!("would be on for {}", agents_word(count))
        } else {
            format!("on for {}", agents_word(count))
        })
    });
    view! {
        <li class="server-row">
            <div class="server-text">
                <div class="server-name">
                    <a class="mono" href=Route::SettingsItem(SettingsPage::Connections, id.0).href()><bdi>{name}</bdi></a>
                    {move || is_disabled.get().then(|| view! {
                        <Badge tone=Tone::Deny icon=Icon::PlugOff text="Connection disabled" />
                    })}
                </div>
                <p class="server-where">
                    <span>{transport}</span>
                    <bdi class="mono" dir="ltr">{url}</bdi>
                </p>
                <ConnectionHealthLine connection=connection>
                    <span class="phrase">{tools}</span>
                    {move || agents.get().map(|words| view! { <span class="phrase">{words}</span> })}
                </ConnectionHealthLine>
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_words() {
        assert_eq!(agents_word(1), "1 agent");
        assert_eq!(agents_word(0), "0 agents");
        assert_eq!(count_words(&[]), "0 servers");
    }
}
