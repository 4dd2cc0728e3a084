//! What happened to the agent lately: rules before and after, settings, life cycle.

use contract::events::AgentEvent;
use leptos::prelude::*;

use super::facts::Instant;
use super::words::{Part, tell};
use crate::api;
use crate::components::each::Each;
use crate::components::section::Loaded;
use crate::live::use_live;
use crate::pages::agent::state::use_agent;
use crate::remote::Remote;

/// How many events are shown.
const SHOWN: u32 = 10;

/// The card.
#[component]
pub fn RecentChanges() -> impl IntoView {
    let state = use_agent();
    let events = Remote::new(move || async move {
        let id = state.id.get_value();
        let page = api::agents::events(&state.client(), &id, SHOWN).await?;
        Ok((page.data, page.meta.total))
    });
    use_live().on_change(move |event| {
        let concerns = state.id.try_with_value(|id| event.concerns_agent(id));
        if concerns == Some(true) {
            events.reload();
        }
    });
    view! {
        <section class="panel" aria-labelledby="changes-card">
            <header>
                <h3 id="changes-card">"Recent changes"</h3>
                <span class="note">
                    {move || events.value().with(|events| events.as_ref().and_then(|(shown, total)| {
                        let shown = shown.len() as u64;
                        (shown < *total).then(|| format!("latest {shown} of {total}"))
                    }))}
                </span>
            </header>
            <Loaded remote=events failed="The changes could not be loaded." rows=4 let(events)>
                {move || events.with(|(events, _)| events.is_empty()).then(|| view! {
                    <p class="empty">"Nothing was changed yet."</p>
                })}
                <ol class="changes">
                    <Each
                        each=move || events.with(|(events, _)| events.clone())
                        key=|event| event.id.clone()
                        let(event)
                    >
                        <Event event=event />
                    </Each>
                </ol>
            </Loaded>
        </section>
    }
}

#[component]
fn Event(event: AgentEvent) -> impl IntoView {
    let story = tell(&event);
    let parts = story.parts.into_iter().map(part).collect_view();
    view! {
        <li class="change">
            <p class="change-head">
                <strong>{story.title}</strong>
                <span class="grow"></span>
                <span class="note">
                    {story.actor.map(|actor| view! { <bdi>{actor}</bdi>" · " })}
                    <Instant at=event.created_at />
                </span>
            </p>
            <ul>{parts}</ul>
        </li>
    }
}

/// More patterns than this are folded away.
const UNFOLDED: usize = 6;

fn part(part: Part) -> impl IntoView {
    match part {
        Part::Added(list, patterns) => {
            listed("added", "added", format!("to {list}"), patterns).into_any()
        }
        Part::Removed(list, patterns) => {
            listed("removed", "removed", format!("from {list}"), patterns).into_any()
        }
        Part::Became(what, before, after) => view! {
            <li>{what}": "<bdi>{before}</bdi>" → "<bdi>{after}</bdi></li>
        }
        .into_any(),
        Part::Said(text) => view! { <li>{text}</li> }.into_any(),
    }
}

/// Patterns that were added or removed; many of them stay folded until they are asked for.
fn listed(
    word: &'static str,
    class: &'static str,
    place: String,
    patterns: Vec<String>,
) -> impl IntoView {
    let count = patterns.len();
    let all = patterns.join(", ");
    let lead = view! { <b class=class>{word}</b>" "{place} };
    if count <= UNFOLDED {
        view! { <li>{lead}": "<bdi class="mono">{all}</bdi></li> }.into_any()
    } else {
        view! {
            <li>
                <details>
                    <summary>{lead}": "{count}" patterns"</summary>
                    <bdi class="mono">{all}</bdi>
                </details>
            </li>
        }
        .into_any()
    }
}
