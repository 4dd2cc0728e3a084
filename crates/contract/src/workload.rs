//! Benchmark data: a large but plausible set of layers and tools, the same on every run. Nothing
//! of the product uses it.

use crate::grants::{Grant, PATTERNS_MAX, Scope};
use crate::rules::fold::Layer;

/// Layers to fold and tools to judge.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Tenant, organization, Work and agent, each with full lists.
    pub layers: Vec<Layer>,
    /// Names of tools, no two alike.
    pub tools: Vec<String>,
}

const VERBS: [&str; 10] = [
    "create", "list", "get", "update", "delete", "search", "move", "comment", "assign", "export",
];

/// The name of the tool at a place: `mcp__server017__create_item_3`.
fn tool_name(place: usize) -> String {
    let verb = VERBS.get(place % VERBS.len()).copied().unwrap_or_default();
    let server = place / VERBS.len() % PATTERNS_MAX;
    let item = place / VERBS.len() / PATTERNS_MAX;
    format!("mcp__server{server:03}__{verb}_item_{item}")
}

/// Builds the work: four layers whose allow and deny lists hold `patterns` each (200 are the most
/// that can be stored), and `tools` tools. Every layer grants a little less than the one above;
/// about three quarters of the tools end up usable.
pub fn workload(patterns: usize, tools: usize) -> Workload {
    let layers = Scope::WRITABLE
        .into_iter()
        .enumerate()
        .map(|(depth, scope)| {
            let allow = (0..patterns).map(|server| match server % 20 {
                // Left out from here on; something that nothing above covers in its place.
                rest if rest >= 20 - depth => format!("other{server:03}_*"),
                _ => format!("mcp__server{:03}__*", server % PATTERNS_MAX),
            });
            let deny = (0..patterns).map(|place| match place % 10 {
                0 => format!(
                    "mcp__server{:03}__export_*",
                    (place * 7 + depth) % PATTERNS_MAX
                ),
                _ => tool_name(place * 31 + depth * 13),
            });
            Layer {
                id: Some(format!("00000000-0000-4000-8000-{depth:012}")),
                scope,
                grant: Some(Grant {
                    allow: Some(allow.collect()),
                    deny: Some(deny.collect()),
                }),
            }
        })
        .collect();
    Workload {
        layers,
        tools: (0..tools).map(tool_name).collect(),
    }
}
