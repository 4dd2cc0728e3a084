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

/// The panel beside the form; there as soon as something is changed, or when the effect could not
/// be told.
#[component]
pub fn EffectPanel() -> impl IntoView {
    let editing = use_editing();
    let reads = use_reads();
    let preview = Memo::new(move |_| editing.dirty.get().then(|| editing.preview()).flatten());
    let failed = Memo::new(move |_| match reads.readiness() {
        Readiness::Failed(said) => Some(said),
        Readiness::Reading(..) | Readiness::Ready(_) => None,
    });
    let shown = Memo::new(move |_| editing.dirty.get() || failed.with(Option::is_some));
    let headline = move || {
        preview
            .with(|preview| preview.as_ref().map(Preview::headline))
            .unwrap_or_default()
    };
    let content = move || {
        match (failed.get(), reads.readiness()) {
        (Some(said), _) => view! {
            <div class="notice deny" role="group" aria-label="Problem">
                <Glyph icon=Icon::Warning />
                <p><strong>"The effect is not known."</strong>" "{said}</p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| reads.retry()>"Retry"</button>
                </div>
            </div>
        }
        .into_any(),
        (None, Readiness::Ready(beyond)) => view! {
            <div class="inner">
                {move || preview.get().map(|preview| view! { <PreviewList preview=preview beyond=beyond /> })}
            </div>
        }
        .into_any(),
        (None, Readiness::Reading(have, of)) => view! {
            <div class="inner">
                <p class="note">{format!("Read what {have} of {} resolve to…", agents_word(of))}</p>
            </div>
            <Skeleton hidden=false rows=2 />
        }
        .into_any(),
        (None, Readiness::Failed(_)) => ().into_any(),
    }
    };
    move || {
        shown.get().then(|| {
            view! {
                <section class="panel" aria-labelledby="effect">
                    <header>
                        <h2 id="effect">"Preview"</h2>
                        <span class="note">{headline}</span>
                    </header>
                    {content}
                </section>
            }
        })
    }
}

/// The panel for trying a pattern.
#[component]
pub fn TesterPanel() -> impl IntoView {
    let reads = use_reads();
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

/// How many tools are named instead of counted.
const NAMED: usize = 3;

/// What changes for one agent, in a few words: the tools by name where they are few.
fn change_words(tools: &[ToolEffect]) -> String {
    let side = |on: bool| {
        let names: Vec<&str> = tools
            .iter()
            .filter(|tool| tool.on == on)
            .map(|tool| tool.tool.as_str())
            .collect();
        let word = if on { "on" } else { "off" };
        match names.len() {
            0 => None,
            1..=NAMED => Some(format!("{word}: {}", names.join(", "))),
            many => Some(format!("{many} turn {word}")),
        }
    };
    let sides: Vec<String> = [side(false), side(true)].into_iter().flatten().collect();
    sides.join(" · ")
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
                <span class="note">{format!("{} → {} on", effect.before, effect.after)}</span>
                <span class="note what">{change_words(&effect.tools)}</span>
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
    fn few_tools_are_named_and_many_counted() {
        let tool = |on| ToolEffect {
            tool: "t".to_owned(),
            on,
            layer: None,
        };
        assert_eq!(change_words(&[tool(false)]), "off: t");
        assert_eq!(change_words(&[tool(true), tool(false)]), "off: t · on: t");
        assert_eq!(
            change_words(&[const { 0 }; 4].map(|_| tool(false))),
            "4 turn off"
        );
    }
}
