//! The eight permission flags, read-only here; they are edited on the Settings tab.

use contract::rules::permissions::Flag;
use leptos::prelude::*;

use crate::components::badge::{Badge, Tone};
use crate::components::flag_state::FlagState;
use crate::components::icon::Icon;
use crate::components::section::Loaded;
use crate::pages::agent::state::use_agent;
use crate::route::{Route, Tab};

/// The section.
#[component]
pub fn PermissionsSection() -> impl IntoView {
    let state = use_agent();
    view! {
        <section class="panel" aria-labelledby="permissions">
            <header>
                <h3 id="permissions" tabindex="-1">"Permissions"</h3>
                <span class="grow"></span>
                <a href=Route::Agent(state.id.get_value(), Tab::Settings).href()>"Edit in Settings"</a>
            </header>
            <Loaded remote=state.agent failed="The permissions could not be loaded." rows=4 let(agent)>
                <dl class="flags">
                    {Flag::KNOWN.iter().map(|flag| {
                        let on = Memo::new(move |_| agent.with(|agent| agent.permissions.get(flag)));
                        let gated = flag.gated_tools().count();
                        view! {
                            <div>
                                <dt>
                                    {flag.label().to_owned()}
                                    {flag.is_reserved().then(|| view! {
                                        " "<Badge tone=Tone::Info icon=Icon::Info text="Reserved" />
                                    })}
                                </dt>
                                <dd>
                                    <FlagState on=on />
                                    <span class="note">
                                        {match gated { 0 => String::new(), 1 => "1 tool".to_owned(), many => format!("{many} tools") }}
                                    </span>
                                </dd>
                            </div>
                        }
                    }).collect_view()}
                </dl>
            </Loaded>
        </section>
    }
}
