//! R2: the fold of the scopes into one matrix, and the decision for one tool (contract 5.4).
//!
//! Every layer may only narrow what the layers before it granted: an `allow` pattern that no
//! earlier pattern covers is rejected, a `deny` is permanent for everything below.

use std::collections::HashSet;

use crate::grants::{ChainEntry, Decision, Grant, Matrix, RefusalCode, ResolvedGrants, Scope};
use crate::order::sorted_by;
use crate::rules::pattern::{matches, sanitize_grant, trim};
use crate::rules::trie::{List, Trie};

/// One scope of a chain with what is stored there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Which scope.
    pub scope: Scope,
    /// The tenant, organization, Work or agent.
    pub id: Option<String>,
    /// The stored lists; `None` when no row is stored.
    pub grant: Option<Grant>,
}

/// The patterns granted so far, ready for the question whether one of them covers another. To
/// cover a pattern is to match its text (see [`covers`](crate::rules::pattern::covers)), so the
/// trie answers for all of them at once.
pub(super) struct Granted(Trie);

impl Granted {
    /// The only layer of this trie.
    const LAYER: usize = 0;

    pub(super) fn new(patterns: &[String]) -> Self {
        let mut trie = Trie::new();
        trie.add(Self::LAYER, List::Allow, patterns);
        Self(trie)
    }

    /// Whether some granted pattern covers this one.
    pub(super) fn covers(&self, pattern: &str) -> bool {
        self.0.hits(pattern).allows(Self::LAYER)
    }
}

/// The answer when a lookup fails: the permissive default with an empty chain (contract 5.3,
/// step 7). The empty chain tells it apart from a fold without rows.
pub fn failed_open() -> ResolvedGrants {
    ResolvedGrants {
        matrix: Matrix {
            allow: vec!["*".to_owned()],
            deny: Vec::new(),
        },
        source: Scope::Default,
        chain: Vec::new(),
    }
}

/// Folds the layers, in whatever order they are given, from tenant to agent.
pub fn fold(layers: &[Layer]) -> ResolvedGrants {
    fold_declared(layers).0
}

/// The fold, and for every entry of its chain whether the layer declares an allow list: the chain
/// alone does not tell an absent list from an empty one.
pub(super) fn fold_declared(layers: &[Layer]) -> (ResolvedGrants, Vec<bool>) {
    let ordered = sorted_by(layers.iter().collect(), |left: &&Layer, right| {
        left.scope.rank().cmp(&right.scope.rank())
    });
    let mut resolved = failed_open();
    resolved.chain.push(ChainEntry {
        scope: Scope::Default,
        id: None,
        allow: resolved.matrix.allow.clone(),
        deny: Vec::new(),
        rejected: Vec::new(),
    });
    let mut declares = vec![true];
    for layer in ordered {
        declares.push(add_layer(&mut resolved, layer));
    }
    (resolved, declares)
}

/// Adds one layer to the fold; whether it declares an allow list.
fn add_layer(resolved: &mut ResolvedGrants, layer: &Layer) -> bool {
    let mut entry = ChainEntry {
        scope: layer.scope.clone(),
        id: layer.id.clone(),
        allow: Vec::new(),
        deny: Vec::new(),
        rejected: Vec::new(),
    };
    let Grant { allow, deny } = layer.grant.as_ref().map(sanitize_grant).unwrap_or_default();
    let declares = allow.is_some();
    if let Some(asked) = allow {
        let granted = Granted::new(&resolved.matrix.allow);
        let (kept, rejected) = asked
            .into_iter()
            .partition(|pattern| granted.covers(pattern));
        entry.allow = kept;
        entry.rejected = rejected;
        resolved.matrix.allow.clone_from(&entry.allow);
        resolved.source = layer.scope.clone();
    }
    if let Some(denied) = deny.filter(|list| !list.is_empty()) {
        let present: HashSet<&str> = resolved.matrix.deny.iter().map(String::as_str).collect();
        let added: Vec<String> = denied
            .iter()
            .filter(|item| !present.contains(item.as_str()))
            .cloned()
            .collect();
        resolved.matrix.deny.extend(added);
        entry.deny = denied;
        resolved.source = layer.scope.clone();
    }
    resolved.chain.push(entry);
    declares
}

/// The verdict on one tool, with the wording of the wire.
pub fn decide(resolved: &ResolvedGrants, tool: &str) -> Decision {
    let name = trim(tool);
    if name.is_empty() {
        return Decision {
            allowed: false,
            tool_name: tool.to_owned(),
            source: Scope::Default,
            code: Some(RefusalCode::ToolNameInvalid),
            reason: Some("A tool name is required to evaluate a grant.".to_owned()),
        };
    }
    let nearest = |list: fn(&ChainEntry) -> &[String]| {
        let entry = resolved
            .chain
            .iter()
            .rev()
            .find(|entry| list(entry).iter().any(|pattern| matches(pattern, name)));
        entry.map_or(Scope::Default, |entry| entry.scope.clone())
    };
    let refusal = |source, code, reason| Decision {
        allowed: false,
        tool_name: name.to_owned(),
        source,
        code: Some(code),
        reason: Some(reason),
    };
    if let Some(pattern) = resolved
        .matrix
        .deny
        .iter()
        .find(|pattern| matches(pattern, name))
    {
        return refusal(
            nearest(|entry| &entry.deny),
            RefusalCode::ToolDenied,
            format!(
                "Tool '{name}' is denied by the effective tool-grant matrix (pattern '{pattern}')."
            ),
        );
    }
    let granting = nearest(|entry| &entry.allow);
    if !resolved
        .matrix
        .allow
        .iter()
        .any(|pattern| matches(pattern, name))
    {
        let allowed = match resolved.matrix.allow.as_slice() {
            [] => "nothing".to_owned(),
            list => list.join(", "),
        };
        return refusal(
            granting,
            RefusalCode::ToolNotGranted,
            format!(
                "Tool '{name}' is not granted by the effective tool-grant matrix (allowed: {allowed})."
            ),
        );
    }
    Decision {
        allowed: true,
        tool_name: name.to_owned(),
        source: granting,
        code: None,
        reason: None,
    }
}
