//! Which agents something reaches, named before a change that all of them feel.

use contract::agents::AgentUse;
use leptos::prelude::*;

use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::remote::Remote;
use crate::route::{Route, Tab};

/// How many agents are named.
const NAMED: usize = 12;

/// A number of agents in words.
pub fn agents_words(count: usize) -> String {
    match count {
        0 => "No agent".to_owned(),
        1 => "1 agent".to_owned(),
        many => format!("{many} agents"),
    }
}

/// The agents, each with a link to where it can be changed.
#[component]
pub fn AgentsReached(
    /// The read.
    agents: Remote<Vec<AgentUse>>,
    /// The sentence over the names, for their number.
    sentence: fn(usize) -> String,
    /// The sentence when there is none.
    none: &'static str,
) -> impl IntoView {
    view! {
        <Loaded remote=agents failed="It could not be read which agents this reaches." rows=1 let(agents)>
            {move || agents.with(|agents| {
                if agents.is_empty() {
                    return view! { <p>{none}</p> }.into_any();
                }
                let links = agents.iter().take(NAMED).map(|agent| {
                    let href = Route::Agent(agent.id.clone(), Tab::Capabilities).href();
                    view! { <li><a href=href><bdi>{revealed(&agent.name)}</bdi></a></li> }
                });
                let more = agents.len().saturating_sub(NAMED);
                view! {
                    <p>{sentence(agents.len())}</p>
                    <ul class="tags agents-reached">
                        {links.collect_view()}
                        {(more > 0).then(|| view! { <li>{format!("and {more} more")}</li> })}
                    </ul>
                }.into_any()
            })}
        </Loaded>
    }
}
