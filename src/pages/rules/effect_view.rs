//! Draws what a rule would change, agent by agent and tool by tool.

use leptos::prelude::*;

use super::editing::use_editing;
use super::effect::{AgentEffect, LayerId, Preview, ToolEffect, agents_word};
use super::reads::{AGENTS_MAX, Readiness, use_reads};
use super::state::{RulesState, use_rules};
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::pattern_test::PatternTester;
use crate::components::section::Skeleton;
use crate::route::{Route, Tab};

/// Agents whose changes are open from the start, at most.
const OPEN_AT_MOST: usize = 3;

/// The panel beside the form.
#[component]
pub fn EffectPanel() -> impl IntoView {
    let editing = use_editing();
    let reads = use_reads();
    let preview = Memo::new(move |_| editing.dirty.get().then(|| editing.preview()).flatten());
    let tools = Signal::derive(move || {
        reads.tools.value().with(|tools| {
            tools
                .iter()
                .flatten()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        })
    });
    view! {
        <section class="panel" aria-labelledby="effect">
            <header>
                <h2 id="effect">"Preview"</h2>
                <span class="note">
                    {move || if editing.dirty.get() {
                        preview.with(|preview| preview.as_ref().map(Preview::headline).unwrap_or_default())
                    } else {
                        "Nothing was changed yet".to_owned()
                    }}
                </span>
            </header>
            {move || match (editing.dirty.get(), reads.readiness()) {
                (_, Readiness::Failed(said)) => view! {
                    <div class="notice deny" role="group" aria-label="Problem">
                        <Glyph icon=Icon::Warning />
                        <p><strong>"The effect is not known."</strong>" "{said}</p>
                        <div class="actions">
                            <button type="button" class="btn" on:click=move |_| reads.retry()>"Retry"</button>
                        </div>
                    </div>
                }.into_any(),
                (true, Readiness::Reading(have, of)) => view! {
                    <div class="inner"><p class="note">{format!("Reading what {have} of {} resolve to…", agents_word(of))}</p></div>
                    <Skeleton hidden=false rows=2 />
                }.into_any(),
                (false, _) => view! {
                    <div class="inner"><p class="note">"As soon as something is changed, this shows which agents and tools it would affect."</p></div>
                }.into_any(),
                (true, Readiness::Ready(beyond)) => view! {
                    <div class="inner">
                        {move || preview.get().map(|preview| view! { <PreviewList preview=preview beyond=beyond /> })}
                    </div>
                }.into_any(),
            }}
        </section>
        <section class="panel" aria-labelledby="tester">
            <header><h2 id="tester">"Test a pattern"</h2></header>
            <div class="inner"><PatternTester tools=tools /></div>
        </section>
    }
}

/// The whole of a preview.
#[component]
pub fn PreviewList(
    /// What to draw.
    preview: Preview,
    /// How many agents below the scope were not looked at.
    beyond: usize,
) -> impl IntoView {
    let reads = use_reads();
    let open = preview.agents.len() <= OPEN_AT_MOST;
    let is_quiet = preview.agents.is_empty() && preview.unknown.is_empty();
    let checked = agents_word(preview.checked);
    let unknown = preview.unknown.clone();
    view! {
        {is_quiet.then(|| view! {
            <p class="note">{format!("No tool turns on or off. Looked at: {checked}.")}</p>
        })}
        {preview.fully_rejected.then(|| view! {
            <p class="notice warn">
                <Glyph icon=Icon::Ban />
                <span><strong>"Every pattern of the allow list is rejected."</strong>" None of them is granted above, so this scope would grant nothing."</span>
            </p>
        })}
        <ul class="effects">
            {preview.agents.into_iter().map(|effect| view! {
                <li><AgentChange effect=effect open=open /></li>
            }).collect_view()}
        </ul>
        {(!unknown.is_empty()).then(|| view! {
            <div class="notice warn" role="group" aria-label="Not known">
                <Glyph icon=Icon::Warning />
                <div class="grow">
                    <p><strong>{format!("Not known for {}", agents_word(unknown.len()))}</strong></p>
                    <ul>
                        {unknown.into_iter().map(|(name, why)| view! { <li><bdi>{name}</bdi>": "{why}</li> }).collect_view()}
                    </ul>
                </div>
                <button type="button" class="btn" on:click=move |_| reads.retry()>"Retry"</button>
            </div>
        })}
        {(beyond > 0).then(|| view! {
            <p class="note">{format!("The first {AGENTS_MAX} agents were looked at; {} more may change as well.", agents_word(beyond))}</p>
        })}
    }
}

fn change_words(tools: &[ToolEffect]) -> String {
    let on = tools.iter().filter(|tool| tool.on).count();
    let word = |count: usize| if count == 1 { "turns" } else { "turn" };
    match (tools.len() - on, on) {
        (off, 0) => format!("{off} {} off", word(off)),
        (0, on) => format!("{on} {} on", word(on)),
        (off, on) => format!("{off} {} off, {on} {} on", word(off), word(on)),
    }
}

#[component]
fn AgentChange(effect: AgentEffect, open: bool) -> impl IntoView {
    let state = use_rules();
    let href = Route::Agent(effect.id.as_str().into(), Tab::Capabilities).href();
    let caption = format!("Tools of {} that change", effect.name);
    view! {
        <details open=open>
            <summary>
                <Glyph icon=Icon::Chevron />
                <bdi class="who">{effect.name.clone()}</bdi>
                <span class="note">{change_words(&effect.tools)}</span>
                <span class="note">{format!("{} → {} on", effect.before, effect.after)}</span>
                {(effect.after == 0).then(|| view! { <Badge tone=Tone::Deny icon=Icon::Ban text="0 tools" /> })}
            </summary>
            <table>
                <caption class="visually-hidden">{caption}</caption>
                <thead class="visually-hidden">
                    <tr><th scope="col">"Tool"</th><th scope="col">"Change"</th><th scope="col">"Decided by"</th></tr>
                </thead>
                <tbody>
                    {effect.tools.into_iter().map(|tool| view! { <ToolChange tool=tool state=state /> }).collect_view()}
                </tbody>
            </table>
            <p><a href=href>"Open the agent"</a></p>
        </details>
    }
}

#[component]
fn ToolChange(tool: ToolEffect, state: RulesState) -> impl IntoView {
    let words = if tool.on { "off → on" } else { "on → off" };
    let tone = if tool.on { Tone::Ok } else { Tone::Deny };
    let icon = if tool.on { Icon::Check } else { Icon::Ban };
    let decided = tool.layer.map(|layer| {
        let lead = if tool.on { "was refused by " } else { "by " };
        view! { {lead}<LayerName layer=layer state=state /> }
    });
    view! {
        <tr>
            <th scope="row"><code dir="ltr"><bdi>{tool.tool}</bdi></code></th>
            <td><Badge tone=tone icon=icon text=words /></td>
            <td class="note">{decided}</td>
        </tr>
    }
}

#[component]
fn LayerName(layer: LayerId, state: RulesState) -> impl IntoView {
    let (scope, id) = layer;
    let kind = scope.label().to_owned();
    let id = id.unwrap_or_default();
    view! { <bdi>{move || state.shown_name(&scope, &id)}</bdi>{format!(" ({kind})")} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_as_sentences() {
        let tool = |on| ToolEffect {
            tool: "t".to_owned(),
            on,
            layer: None,
        };
        assert_eq!(change_words(&[tool(false)]), "1 turns off");
        assert_eq!(change_words(&[tool(true), tool(true)]), "2 turn on");
        assert_eq!(
            change_words(&[tool(false), tool(false), tool(true)]),
            "2 turn off, 1 turns on"
        );
    }
}
