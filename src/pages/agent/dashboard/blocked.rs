//! The rules above the agent that block most of its tools, with a way to each of them.

use contract::grants::ChainEntry;
use contract::order::sorted_by;
use contract::rules::explain::{AgentView, Cause};
use leptos::prelude::*;

use crate::components::badge::{Badge, Tone};
use crate::components::icon::Icon;
use crate::components::section::Loaded;
use crate::pages::agent::catalog::ToolInfo;
use crate::pages::agent::state::use_agent;
use crate::route::{Route, Tab, query};

/// How many rules are listed.
const LISTED: usize = 5;
/// How many tools of a rule are named.
const NAMED: usize = 6;

/// One rule above the agent, and the tools it blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Blocker {
    /// Its layer in the chain.
    layer: usize,
    /// The deny pattern; `None` when the allow list leaves the tools out.
    pattern: Option<String>,
    /// The tools, in the order of the catalog.
    tools: Vec<String>,
}

/// Every rule above the agent that blocks a tool, the one that blocks most first.
fn blockers(view: &AgentView, tools: &[ToolInfo]) -> Vec<Blocker> {
    let mut found: Vec<Blocker> = Vec::new();
    for tool in tools {
        let standing = view.standing(&tool.name, tool.gate.as_ref());
        for cause in standing.causes {
            let (layer, pattern) = match cause {
                Cause::Denied { layer, pattern } => (layer, Some(pattern)),
                Cause::NotGranted { layer } => (layer, None),
                Cause::PermissionOff(_)
                | Cause::DeniedByOwnPattern { .. }
                | Cause::DeniedHere { .. }
                | Cause::NotGrantedHere
                | Cause::InvalidName => continue,
            };
            let known = found
                .iter_mut()
                .find(|one| one.layer == layer && one.pattern == pattern);
            match known {
                Some(blocker) => blocker.tools.push(tool.name.clone()),
                None => found.push(Blocker {
                    layer,
                    pattern,
                    tools: vec![tool.name.clone()],
                }),
            }
        }
    }
    sorted_by(found, |left, right| {
        let most = right.tools.len().cmp(&left.tools.len());
        most.then(left.layer.cmp(&right.layer))
    })
}

fn tools_word(count: usize) -> String {
    if count == 1 {
        "1 tool".to_owned()
    } else {
        format!("{count} tools")
    }
}

/// The card.
#[component]
pub fn BlockedFromAbove() -> impl IntoView {
    let state = use_agent();
    let found = Memo::new(move |before: Option<&Vec<(Blocker, ChainEntry)>>| {
        let now = state.truth.with(|view| {
            let view = view.as_ref()?;
            state.catalog.with(|tools| {
                let chain = &view.resolved().chain;
                let found = blockers(view, tools);
                let named = found
                    .into_iter()
                    .filter_map(|one| Some((one.clone(), chain.get(one.layer)?.clone())));
                Some(named.collect::<Vec<_>>())
            })
        });
        now.or_else(|| before.cloned()).unwrap_or_default()
    });
    let total = Memo::new(move |_| found.with(Vec::len));
    let top = move || found.with(|found| found.iter().take(LISTED).cloned().collect::<Vec<_>>());
    let all = StoredValue::new(format!(
        "{}?state=denied-above",
        Route::Agent(state.id.get_value(), Tab::Capabilities).href()
    ));
    view! {
        <section class="panel" aria-labelledby="blocked-card">
            <header>
                <h3 id="blocked-card">"Blocked from above"</h3>
                <span class="note">
                    {move || match total.get() {
                        0 => String::new(),
                        1 => "1 rule".to_owned(),
                        many => format!("{many} rules"),
                    }}
                </span>
                <span class="grow"></span>
                {move || (total.get() > 0).then(|| view! { <a href=all.get_value()>"All blocked tools"</a> })}
            </header>
            <Loaded remote=state.capabilities failed="What is blocked could not be loaded." rows=3 let(_capabilities)>
                {move || if total.get() == 0 {
                    view! { <p class="empty">"No scope above this agent blocks a tool."</p> }.into_any()
                } else {
                    view! {
                        <ul class="blockers">
                            {top().into_iter().map(|(blocker, layer)| view! { <Row blocker=blocker layer=layer /> }).collect_view()}
                        </ul>
                    }.into_any()
                }}
                {move || (total.get() > LISTED).then(|| view! {
                    <p class="more"><a href=all.get_value()>{move || match total.get() - LISTED {
                        1 => "1 more rule".to_owned(),
                        many => format!("{many} more rules"),
                    }}</a></p>
                })}
            </Loaded>
        </section>
    }
}

#[component]
fn Row(blocker: Blocker, layer: ChainEntry) -> impl IntoView {
    let state = use_agent();
    let scope = layer.scope.label().to_owned();
    let badge = if blocker.pattern.is_some() {
        format!("Denied by {scope}")
    } else {
        format!("Not granted by {scope}")
    };
    let rules = Route::Rules(layer.scope.clone(), layer.id.clone().unwrap_or_default()).href();
    let name = Memo::new(move |_| state.layer_name(&layer));
    let count = blocker.tools.len();
    let more = count.saturating_sub(NAMED);
    let list = Route::Agent(state.id.get_value(), Tab::Capabilities).href();
    let named = blocker
        .tools
        .iter()
        .take(NAMED)
        .enumerate()
        .map(|(place, tool)| {
            let address = format!("{list}?{}", query(&[("tool", tool)]));
            view! {
                {(place > 0).then_some(", ")}
                <a href=address title=format!("Why? {tool}")><bdi class="mono">{tool.clone()}</bdi></a>
            }
        })
        .collect_view();
    let rule = match blocker.pattern {
        Some(pattern) => view! { "denies "<code>{pattern}</code> }.into_any(),
        None => view! { "does not grant" }.into_any(),
    };
    view! {
        <li class="blocker">
            <div class="blocker-head">
                <a href=rules><bdi>{name}</bdi></a>
                <span>{rule}</span>
                <span class="grow"></span>
                <Badge tone=Tone::Deny icon=Icon::Lock text=badge />
            </div>
            <p class="note">
                {format!("{}: ", tools_word(count))}
                {named}
                {(more > 0).then(|| format!(" and {more} more"))}
            </p>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::agent::catalog::GroupKey;
    use contract::capabilities::ToolSource;
    use contract::grants::{GrantRow, Scope};
    use contract::rules::permissions::Permissions;
    use serde_json::json;

    fn tool(name: &str) -> ToolInfo {
        ToolInfo {
            name: name.to_owned(),
            description: String::new(),
            gate: None,
            group: GroupKey::Source(ToolSource::Builtin),
        }
    }

    fn row(scope: &str, allow: serde_json::Value, deny: serde_json::Value) -> GrantRow {
        serde_json::from_value(json!({
            "id": scope, "scopeType": scope, "scopeId": scope, "allow": allow, "deny": deny
        }))
        .unwrap()
    }

    #[test]
    fn rules_are_listed_by_how_much_they_block() {
        let layer = |scope: Scope| ChainEntry {
            id: Some(scope.as_str().to_owned()),
            scope,
            allow: Vec::new(),
            deny: Vec::new(),
            rejected: Vec::new(),
        };
        let chain = [
            ChainEntry {
                scope: Scope::Default,
                id: None,
                allow: vec!["*".to_owned()],
                deny: Vec::new(),
                rejected: Vec::new(),
            },
            layer(Scope::Tenant),
            layer(Scope::Organization),
        ];
        let rows = [
            row("tenant", json!(["git_*", "send*", "ask"]), json!(null)),
            row("organization", json!(null), json!(["git_*"])),
        ];
        let view = AgentView::from_rows(&chain, &rows, None, Permissions::default());
        let tools = ["git_a", "git_b", "send_x", "other"].map(tool);
        let found = blockers(&view, &tools);
        let shape: Vec<(usize, Option<&str>, usize)> = found
            .iter()
            .map(|one| (one.layer, one.pattern.as_deref(), one.tools.len()))
            .collect();
        assert_eq!(shape, [(2, Some("git_*"), 2), (1, None, 1)]);
    }
}
