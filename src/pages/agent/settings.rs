//! The Settings tab: the eight permission flags, repositories, environment, name and title, and the
//! life cycle.

pub mod delete;
pub mod flag_queue;
pub mod flag_row;
pub mod flag_writes;
pub mod identity;
pub mod life_cycle;

use contract::rules::permissions::Flag;
use leptos::prelude::*;

use self::flag_row::FlagRow;
use self::flag_writes::use_flags;
use self::identity::Identity;
use self::life_cycle::LifeCycle;
use crate::components::section::Loaded;
use crate::pages::agent::environment::section::EnvironmentSection;
use crate::pages::agent::repositories::section::RepositoriesSection;
use crate::pages::agent::state::use_agent;

/// The tab.
#[component]
pub fn SettingsPage() -> impl IntoView {
    view! {
        <div class="page settings">
            <h2 class="visually-hidden">"Settings"</h2>
            <div class="stack">
                <Flags />
                <RepositoriesSection />
                <EnvironmentSection />
                <Identity />
                <LifeCycle />
            </div>
        </div>
    }
}

/// The flags as switches.
#[component]
fn Flags() -> impl IntoView {
    let state = use_agent();
    let flags = use_flags();
    let on = move || {
        flags.shown.with(|shown| {
            let shown = shown.as_ref()?;
            let on = Flag::KNOWN
                .iter()
                .filter(|flag| shown.get(flag) == Some(true));
            Some(format!("{} of {} on", on.count(), Flag::KNOWN.len()))
        })
    };
    view! {
        <section class="panel" aria-labelledby="flags-heading">
            <header>
                <h3 id="flags-heading">"Permissions"</h3>
                <span class="note">{on}</span>
            </header>
            <p class="lead">
                "Each permission decides whether its tools are assembled at all. A tool that is assembled still needs a grant. Changes apply from the next run."
            </p>
            <Loaded remote=state.agent failed="The permissions could not be loaded." rows=8 let(_agent)>
                <ul class="flag-list">
                    {Flag::KNOWN.iter().map(|flag| view! { <FlagRow flag=flag.clone() /> }).collect_view()}
                </ul>
            </Loaded>
        </section>
    }
}
