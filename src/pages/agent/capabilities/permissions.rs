//! The eight permission flags, read-only here; they are edited on the Settings tab.

use contract::rules::permissions::Flag;
use leptos::prelude::*;

use crate::components::badge::{Badge, Tone};
use crate::components::flag_state::FlagState;
use crate::components::icon::Icon;
use crate::components::notice::Failure;
use crate::components::section::Skeleton;
use crate::pages::agent::state::use_agent;
use crate::route::{Route, Tab};

/// The section.
#[component]
pub fn PermissionsSection() -> impl IntoView {
    let state = use_agent();
    // Both answers carry the flags, so that either of them will do.
    let known = Memo::new(move |_| {
        let agent = state.agent.value();
        let found = state.capabilities.value();
        agent
            .with(|agent| agent.as_ref().map(|agent| agent.permissions))
            .or_else(|| found.with(|found| found.as_ref().map(|found| found.permissions)))
    });
    let is_known = Memo::new(move |_| known.with(Option::is_some));
    let missing = Memo::new(move |_| {
        let error = state.agent.failure().get()?;
        let waits = state.capabilities.failure().with(Option::is_none);
        (!is_known.get() && !waits).then_some(error)
    });
    view! {
        <section class="panel" aria-labelledby="permissions">
            <header>
                <h3 id="permissions" tabindex="-1">"Permissions"</h3>
                <span class="grow"></span>
                <a href=Route::Agent(state.id.get_value(), Tab::Settings).href()>"Edit in Settings"</a>
            </header>
            {move || missing.get().map(|error| view! {
                <Failure
                    what="The permissions could not be loaded."
                    error=error
                    on_retry=Callback::new(move |()| {
                        state.agent.reload();
                        state.capabilities.reload();
                    })
                />
            })}
            {move || if is_known.get() { view! {
                <dl class="flags">
                    {Flag::KNOWN.iter().map(|flag| {
                        let on = Memo::new(move |_| known.with(|known| known.as_ref()?.get(flag)));
                        let gated = flag.gated_tools().count();
                        let and_mcp = if *flag == Flag::CanCallExternalTools { " and every MCP tool" } else { "" };
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
                                        {match gated { 0 => String::new(), 1 => "1 tool".to_owned(), many => format!("{many} tools{and_mcp}") }}
                                    </span>
                                </dd>
                            </div>
                        }
                    }).collect_view()}
                </dl>
            }.into_any() } else { view! {
                <Skeleton hidden=Signal::derive(move || missing.with(Option::is_some)) rows=4 />
            }.into_any() }}
        </section>
    }
}
