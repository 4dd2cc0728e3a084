//! Words and pictures for the causes the rules find: badges, one sentence each.

use contract::grants::{ChainEntry, Scope};
use contract::rules::explain::{AgentView, Cause};
use contract::rules::permissions::Flag;
use leptos::prelude::*;

use crate::components::badge::{Badge, Tone};
use crate::components::icon::Icon;
use crate::pages::agent::state::AgentState;
use crate::route::{Route, Tab};

/// The layer a cause points at.
fn layer(view: &AgentView, place: usize) -> Option<&ChainEntry> {
    view.resolved().chain.get(place)
}

fn scope_word(view: &AgentView, place: usize) -> String {
    layer(view, place).map_or_else(
        || "a scope above".to_owned(),
        |entry| entry.scope.label().to_owned(),
    )
}

/// The words of a cause's badge; `None` for a cause that has none.
pub fn badge_words(view: &AgentView, cause: &Cause) -> Option<(Tone, Icon, String)> {
    Some(match cause {
        Cause::PermissionOff(_) => (Tone::Warn, Icon::KeyOff, "Permission off".to_owned()),
        Cause::Denied { layer, .. } => (
            Tone::Deny,
            Icon::Lock,
            format!("Denied by {}", scope_word(view, *layer)),
        ),
        Cause::NotGranted { layer } => (
            Tone::Deny,
            Icon::Lock,
            format!("Not granted by {}", scope_word(view, *layer)),
        ),
        Cause::DeniedByOwnPattern { .. } => (
            Tone::Deny,
            Icon::Asterisk,
            "Denied by a pattern on this agent".to_owned(),
        ),
        Cause::NotGrantedHere => (
            Tone::Override,
            Icon::Pencil,
            "Not in this agent’s allow list".to_owned(),
        ),
        Cause::DeniedHere { .. } => (Tone::Override, Icon::Pencil, "Override".to_owned()),
        Cause::InvalidName => return None,
    })
}

/// The badges of a tool.
pub fn badges(all: Vec<(Tone, Icon, String)>) -> impl IntoView {
    all.into_iter()
        .map(|(tone, icon, text)| view! { <Badge tone=tone icon=icon text=text /> })
        .collect_view()
}

/// Where the causes of a locked tool can be taken away: words of a link, and where it leads.
pub fn remedies(state: AgentState, view: &AgentView, causes: &[Cause]) -> Vec<(String, String)> {
    let agent = state.id.get_value();
    causes
        .iter()
        .filter_map(|cause| match cause {
            Cause::PermissionOff(flag) => Some((
                format!("Turn on {} in Settings", flag.label()),
                Route::Agent(agent.clone(), Tab::Settings).href(),
            )),
            Cause::Denied { layer: place, .. } | Cause::NotGranted { layer: place } => {
                let entry = layer(view, *place).filter(|entry| entry.scope != Scope::Default)?;
                let id = entry.id.clone().unwrap_or_default();
                Some((
                    format!("Change it at {}", state.layer_name(entry)),
                    Route::Rules(entry.scope.clone(), id).href(),
                ))
            }
            Cause::DeniedByOwnPattern { .. } => Some((
                "Edit the rules of this agent".to_owned(),
                Route::Rules(Scope::Agent, agent.0.clone()).href(),
            )),
            Cause::DeniedHere { .. } | Cause::NotGrantedHere | Cause::InvalidName => None,
        })
        .collect()
}

fn listed(patterns: &[String]) -> String {
    match patterns {
        [] => "nothing".to_owned(),
        few if few.len() <= 4 => few.join(", "),
        many => format!(
            "{} and {} more",
            many.iter().take(3).cloned().collect::<Vec<_>>().join(", "),
            many.len() - 3
        ),
    }
}

/// One sentence: who said it, by which rule, and what can be done.
pub fn sentence(state: AgentState, view: &AgentView, cause: &Cause) -> String {
    let named = |place: usize| {
        layer(view, place).map_or_else(
            || "A scope above".to_owned(),
            |entry| state.layer_name(entry),
        )
    };
    match cause {
        Cause::PermissionOff(flag) => flag_off(flag),
        Cause::Denied { layer, pattern } => format!(
            "{} denies {pattern}. A denial is permanent below the scope that made it: this agent can only narrow.",
            named(*layer)
        ),
        Cause::NotGranted { layer: place } => {
            let kept = layer(view, *place)
                .map(|entry| listed(&entry.allow))
                .unwrap_or_default();
            format!(
                "{} allows only {kept}. What is left out there cannot be granted below.",
                named(*place)
            )
        }
        Cause::DeniedByOwnPattern { pattern } => format!(
            "{pattern} on this agent covers it. Use Reset to inherited, then deny exact names, or edit the rules of this agent."
        ),
        Cause::DeniedHere { .. } => "Set on this agent: turned off here.".to_owned(),
        Cause::NotGrantedHere => {
            "The allow list of this agent leaves it out. Turning it on adds its name to that list."
                .to_owned()
        }
        Cause::InvalidName => {
            "The tool has no usable name, so no grant can let it through.".to_owned()
        }
    }
}

fn flag_off(flag: &Flag) -> String {
    format!(
        "{} is off, so this tool is never assembled. Turn it on in Settings.",
        flag.label()
    )
}

/// All sentences of a tool as one text, for the switch's description.
pub fn sentences(state: AgentState, view: &AgentView, causes: &[Cause]) -> String {
    let all: Vec<String> = causes
        .iter()
        .map(|cause| sentence(state, view, cause))
        .collect();
    let without = matches!(causes, [Cause::DeniedHere { .. }]);
    let all = all.join(" ");
    if without {
        format!("{all} Without it: on.")
    } else {
        all
    }
}

/// What a layer is, after its name: `tenant`, `organization`, `Work`, `this agent`.
pub fn kind_of(scope: &Scope) -> String {
    match scope {
        Scope::Default => String::new(),
        Scope::Agent => "this agent".to_owned(),
        other => other.label().to_owned(),
    }
}
