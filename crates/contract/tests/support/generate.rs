//! Generators of small worlds in which patterns and names often meet.

use std::collections::HashMap;

use contract::grants::{AgentGrantRow, ChainEntry, Grant, GrantContent, GrantRow, Scope};
use contract::ids::{GrantId, UserId};
use contract::rules::explain::AgentView;
use contract::rules::fold::{Layer, fold};
use contract::rules::permissions::{Flag, Permissions};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::oracle::strip;

/// A pattern or something that only looks like one.
pub fn pattern() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[abAB]{1,3}\\*?",
        2 => Just("*".to_owned()),
        1 => " ?[ab_]{1,2}\\*?[ \u{feff}]?",
        1 => select(vec!["", "a b", "a*b", "**", "a**", "ä", "a b*", "*a"]).prop_map(str::to_owned),
    ]
}

/// A pattern that the server would store.
pub fn stored_pattern() -> impl Strategy<Value = String> {
    prop_oneof![5 => "[abAB]{1,3}\\*?", 1 => Just("*".to_owned())]
}

/// A tool name, now and then an odd one.
pub fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => "[abAB]{1,4}",
        1 => " [ab]{1,2}\u{a0}",
        1 => select(vec!["", "  ", "a b", "aä", "a*"]).prop_map(str::to_owned),
    ]
}

/// A list as it may be stored.
pub fn list(
    pattern: impl Strategy<Value = String> + 'static,
) -> impl Strategy<Value = Option<Vec<String>>> {
    proptest::option::weighted(0.6, proptest::collection::vec(pattern, 0..5))
}

/// What a scope may have stored.
pub fn grant(
    pattern: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = Option<Grant>> {
    let row =
        (list(pattern.clone()), list(pattern)).prop_map(|(allow, deny)| Grant { allow, deny });
    proptest::option::weighted(0.8, row)
}

/// Some of the four scopes, in any order, each with what it stores.
pub fn layers() -> impl Strategy<Value = Vec<Layer>> {
    subsequence(Scope::WRITABLE.to_vec(), 0..=4)
        .prop_shuffle()
        .prop_flat_map(|scopes| {
            let count = scopes.len();
            (
                Just(scopes),
                proptest::collection::vec(grant(pattern().boxed()), count..=count),
            )
        })
        .prop_map(|(scopes, grants)| {
            scopes
                .into_iter()
                .zip(grants)
                .map(|(scope, grant)| layer(scope, grant))
                .collect()
        })
}

/// A layer whose identifier is named after its scope.
pub fn layer(scope: Scope, grant: Option<Grant>) -> Layer {
    Layer {
        id: Some(format!("{scope}-1")),
        scope,
        grant,
    }
}

/// One agent: what is stored above it and for it, its flags, and tools to ask about.
#[derive(Clone, Debug)]
pub struct World {
    pub layers: Vec<Layer>,
    pub note: Option<String>,
    pub permissions: Permissions,
    pub tools: Vec<(String, Option<Flag>)>,
}

impl World {
    /// The agent's own row.
    pub fn own(&self) -> Option<AgentGrantRow> {
        let layer = self
            .layers
            .iter()
            .find(|layer| layer.scope == Scope::Agent)?;
        let grant = layer.grant.clone()?;
        Some(AgentGrantRow {
            id: GrantId::from("row"),
            allow: grant.allow,
            deny: grant.deny,
            note: self.note.clone(),
            revision: None,
        })
    }

    /// The chain the server would answer.
    pub fn chain(&self) -> Vec<ChainEntry> {
        fold(&self.layers).chain
    }

    /// The exact view.
    pub fn view(&self) -> AgentView {
        let rows: Vec<GrantRow> = self
            .layers
            .iter()
            .filter_map(|layer| {
                let grant = layer.grant.clone()?;
                Some(GrantRow {
                    id: GrantId::from("row"),
                    user_id: UserId::default(),
                    scope_type: layer.scope.clone(),
                    scope_id: layer.id.clone()?,
                    allow: grant.allow,
                    deny: grant.deny,
                    note: None,
                    tenant_id: None,
                    organization_id: None,
                    created_at: String::new(),
                    updated_at: String::new(),
                    revision: None,
                })
            })
            .collect();
        AgentView::from_rows(&self.chain(), &rows, self.own().as_ref(), self.permissions)
    }

    /// The tools as the rules want them.
    pub fn asked(&self) -> Vec<(&str, Option<&Flag>)> {
        self.tools
            .iter()
            .map(|(name, gate)| (name.as_str(), gate.as_ref()))
            .collect()
    }
}

/// The layers as they would be with another row for the agent.
pub fn with_own(layers: &[Layer], content: &GrantContent) -> Vec<Layer> {
    let mut changed = layers.to_vec();
    for layer in changed
        .iter_mut()
        .filter(|layer| layer.scope == Scope::Agent)
    {
        layer.grant = Some(content.grant());
    }
    changed
}

/// Worlds with an agent, a few tools and one flag that is on and one that is off.
pub fn world() -> impl Strategy<Value = World> {
    let gate = prop_oneof![
        4 => Just(None),
        1 => Just(Some(Flag::CanSpend)),
        1 => Just(Some(Flag::CanAssignTasks)),
    ];
    (
        subsequence(vec![Scope::Tenant, Scope::Organization, Scope::Work], 0..=3),
        proptest::collection::vec(grant(pattern().boxed()), 3),
        grant(pattern().boxed()),
        proptest::option::of("[a-z ]{0,8}"),
        proptest::collection::vec((name(), gate), 1..12),
    )
        .prop_map(|(scopes, above, own, note, tools)| {
            let mut layers: Vec<Layer> = scopes
                .into_iter()
                .zip(above)
                .map(|(scope, grant)| layer(scope, grant))
                .collect();
            layers.push(layer(Scope::Agent, own));
            World {
                layers,
                note,
                permissions: Permissions {
                    can_assign_tasks: true,
                    ..Permissions::default()
                },
                tools: one_gate_each(tools),
            }
        })
}

/// A tool is gated by one flag, however often and in whatever case it is named.
fn one_gate_each(tools: Vec<(String, Option<Flag>)>) -> Vec<(String, Option<Flag>)> {
    let mut gates = HashMap::new();
    tools
        .into_iter()
        .map(|(name, gate)| {
            let key = strip(&name).to_ascii_lowercase();
            let gate = gates.entry(key).or_insert(gate).clone();
            (name, gate)
        })
        .collect()
}
