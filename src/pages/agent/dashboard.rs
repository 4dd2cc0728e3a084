//! The Dashboard tab: what the agent may use and why not more, its facts, and what changed.

pub mod access;
pub mod blocked;
pub mod changes;
pub mod facts;
pub mod words;

use contract::rules::permissions::Flag;
use leptos::prelude::*;

use self::access::EffectiveAccess;
use self::blocked::BlockedFromAbove;
use self::changes::RecentChanges;
use self::facts::Facts;
use crate::components::flag_state::FlagState;
use crate::components::section::Loaded;
use crate::pages::agent::servers::card::ServersCard;
use crate::pages::agent::settings::flag_writes::use_flags;
use crate::pages::agent::state::use_agent;
use crate::route::{Route, Tab};

/// The tab.
#[component]
pub fn DashboardPage() -> impl IntoView {
    view! {
        <div class="page dashboard">
            <h2 class="visually-hidden">"Dashboard"</h2>
            <div class="stack">
                <EffectiveAccess />
                <BlockedFromAbove />
                <RecentChanges />
            </div>
            <div class="stack">
                <ServersCard />
                <PermissionSummary />
                <Facts />
            </div>
        </div>
    }
}

/// The eight flags at a glance.
#[component]
fn PermissionSummary() -> impl IntoView {
    let state = use_agent();
    let flags = use_flags();
    let state_of = move |flag: &'static Flag| {
        flags
            .shown
            .with(|shown| shown.as_ref().and_then(|shown| shown.get(flag)))
    };
    let count = move || {
        let known = flags.shown.with(Option::is_some);
        let on = Flag::KNOWN
            .iter()
            .filter(|flag| state_of(flag) == Some(true))
            .count();
        known.then(|| format!("{on} of {} on", Flag::KNOWN.len()))
    };
    view! {
        <section class="panel" aria-labelledby="flags-card">
            <header>
                <h3 id="flags-card">"Permissions"</h3>
                <span class="note">{count}</span>
                <span class="grow"></span>
                <a href=Route::Agent(state.id.get_value(), Tab::Settings).href()>"Edit in Settings"</a>
            </header>
            <Loaded remote=state.agent failed="The permissions could not be loaded." rows=4 let(_agent)>
                <dl class="facts">
                    {Flag::KNOWN.iter().map(|flag| view! {
                        <div>
                            <dt>{flag.label().to_owned()}</dt>
                            <dd>
                                <FlagState on=Signal::derive(move || state_of(flag)) />
                            </dd>
                        </div>
                    }).collect_view()}
                </dl>
            </Loaded>
        </section>
    }
}
