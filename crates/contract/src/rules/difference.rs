//! R5: what a change changes: the tools that become usable or stop being so between two views.

use crate::rules::explain::{AgentView, Standing};
use crate::rules::permissions::Flag;

/// One tool whose verdict differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolChange {
    /// Its name.
    pub name: String,
    /// How it stands before.
    pub before: Standing,
    /// How it stands after.
    pub after: Standing,
}

/// The tools that turn on or off between two views, in the order given.
pub fn difference<'a>(
    before: &AgentView,
    after: &AgentView,
    tools: impl Iterator<Item = (&'a str, Option<&'a Flag>)>,
) -> Vec<ToolChange> {
    tools
        .filter(|&(name, gate)| before.is_on(name, gate) != after.is_on(name, gate))
        .map(|(name, gate)| ToolChange {
            name: name.to_owned(),
            before: before.standing(name, gate),
            after: after.standing(name, gate),
        })
        .collect()
}
