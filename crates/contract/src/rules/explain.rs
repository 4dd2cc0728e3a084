//! R3: who really decided (contract section 18). Walking from the least specific layer, the first
//! one that denies a tool, or whose kept allow list no longer matches it, decided; a denial and a
//! missing grant are different answers. Layers below it that refuse as well are reported too.

use crate::capabilities::AccessSummary;
use crate::grants::{Decision, PATTERNS_MAX, Scope};
use crate::rules::compiled::{Hits, Verdict};
use crate::rules::fold::decide;
use crate::rules::pattern::{is_tool_name, matches, trim};
use crate::rules::permissions::Flag;

pub use crate::rules::standing::{Bucket, Cause, Standing, Switch};
pub use crate::rules::view::AgentView;

/// What a layer of the chain does to one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Declares nothing that concerns the tool.
    Silent,
    /// Its allow list matches the tool.
    Grants,
    /// It decided, by a denial.
    Denies,
    /// It decided, by an allow list that leaves the tool out.
    Excludes,
    /// Denies as well, below the layer that decided.
    AlsoDenies,
    /// Leaves it out as well, below the layer that decided.
    AlsoExcludes,
}

/// One layer of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerReport {
    /// Which layer.
    pub scope: Scope,
    /// The tenant, organization, Work or agent.
    pub id: Option<String>,
    /// The allow list as it was asked for, without malformed patterns; `None` when the layer
    /// inherits or what it asks is not known.
    pub declared_allow: Option<Vec<String>>,
    /// Allow patterns that were kept.
    pub kept: Vec<String>,
    /// Allow patterns that no layer above granted.
    pub rejected: Vec<String>,
    /// Deny patterns.
    pub deny: Vec<String>,
    /// Deny patterns that match the tool.
    pub matching_deny: Vec<String>,
    /// Kept allow patterns that match the tool.
    pub matching_allow: Vec<String>,
    /// What the layer does to the tool.
    pub role: Role,
    /// Whether the question was already decided by a layer before it.
    pub after_decision: bool,
}

/// The whole answer to "why".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// How the tool stands, the flag included.
    pub standing: Standing,
    /// The matrix verdict in the wording of the wire.
    pub decision: Decision,
    /// Every layer, least specific first; empty when the server failed open.
    pub layers: Vec<LayerReport>,
    /// The place in `layers` that decided a refusal; `None` when the matrix allows the tool, or
    /// when no layer did because the name is empty.
    pub deciding: Option<usize>,
}

impl AgentView {
    /// How a tool stands. `gate` is the flag without which it is never assembled.
    pub fn standing(&self, tool: &str, gate: Option<&Flag>) -> Standing {
        let name = trim(tool);
        let mut causes = Vec::new();
        if let Some(flag) = gate.filter(|flag| self.is_flag_off(flag)) {
            causes.push(Cause::PermissionOff(flag.clone()));
        }
        if name.is_empty() {
            causes.push(Cause::InvalidName);
        } else {
            let hits = self.folded.compiled.hits(name);
            causes.extend(self.refused_above(name, hits));
            self.refused_here(name, hits, &mut causes);
        }
        let switch = match causes.as_slice() {
            [] => Switch::On,
            all if all.iter().all(|cause| self.can_lift(cause, name)) => Switch::Off,
            _ => Switch::Locked,
        };
        Standing {
            bucket: causes.first().map_or(Bucket::On, Cause::bucket),
            switch,
            causes,
        }
    }

    /// Whether a tool is usable now; [`AgentView::standing`] without the reasons.
    pub fn is_on(&self, tool: &str, gate: Option<&Flag>) -> bool {
        !gate.is_some_and(|flag| self.is_flag_off(flag))
            && self.folded.compiled.verdict(tool) == Verdict::Allowed
    }

    /// The first layer above the agent that refuses a tool, if one does.
    fn refused_above(&self, name: &str, hits: Hits) -> Option<Cause> {
        let folded = &self.folded;
        folded
            .resolved
            .chain
            .iter()
            .enumerate()
            .filter(|(place, _)| Some(*place) != folded.agent_place)
            .find_map(|(layer, entry)| {
                if hits.denies(layer) {
                    let first = folded.compiled.first_denial(layer, name);
                    let pattern = first.and_then(|index| entry.deny.get(index));
                    return Some(Cause::Denied {
                        layer,
                        pattern: pattern.cloned().unwrap_or_default(),
                    });
                }
                (folded.declares(layer) && !hits.allows(layer))
                    .then_some(Cause::NotGranted { layer })
            })
    }

    /// What the agent's own row says against a tool.
    fn refused_here(&self, name: &str, hits: Hits, causes: &mut Vec<Cause>) {
        let folded = &self.folded;
        let Some(place) = folded.agent_place else {
            return;
        };
        let Some(entry) = folded.resolved.chain.get(place) else {
            return;
        };
        if hits.denies(place) {
            let pattern = |index: Option<usize>| entry.deny.get(index?).cloned();
            let wildcard = folded.compiled.first_prefix_denial(place, name);
            if let Some(pattern) = pattern(wildcard) {
                causes.push(Cause::DeniedByOwnPattern { pattern });
            } else if let Some(pattern) = pattern(folded.compiled.first_denial(place, name)) {
                causes.push(Cause::DeniedHere { pattern });
            }
        }
        if folded.declares(place) && !hits.allows(place) {
            // A rejected pattern that asks for the tool is the agent's own mistake only if the
            // layers above grant the tool; else they are the cause, reported already.
            let granted_above = (0..folded.resolved.chain.len())
                .all(|above| above == place || !folded.declares(above) || hits.allows(above));
            if granted_above || !entry.rejected.iter().any(|asked| matches(asked, name)) {
                causes.push(Cause::NotGrantedHere);
            }
        }
    }

    /// Whether a write to the agent's own row can take a cause away from this tool alone.
    fn can_lift(&self, cause: &Cause, name: &str) -> bool {
        match cause {
            Cause::DeniedHere { .. } => true,
            Cause::NotGrantedHere => is_tool_name(name) && self.has_room_to_allow(),
            Cause::PermissionOff(_)
            | Cause::Denied { .. }
            | Cause::NotGranted { .. }
            | Cause::DeniedByOwnPattern { .. }
            | Cause::InvalidName => false,
        }
    }

    fn has_room_to_allow(&self) -> bool {
        self.agent_content()
            .and_then(|own| own.allow.as_ref())
            .is_none_or(|list| list.len() < PATTERNS_MAX)
    }

    /// Whether a kept pattern of the agent's own allow list matches a tool; true without a list.
    pub(super) fn own_list_grants(&self, name: &str) -> bool {
        let folded = &self.folded;
        folded
            .agent_place
            .is_none_or(|place| !folded.declares(place) || folded.compiled.hits(name).allows(place))
    }

    /// The whole answer to "why" for one tool.
    pub fn explain(&self, tool: &str, gate: Option<&Flag>) -> Explanation {
        let name = trim(tool);
        let folded = &self.folded;
        let hits = folded.compiled.hits(name);
        let mut deciding = None;
        let layers = folded
            .resolved
            .chain
            .iter()
            .enumerate()
            .map(|(place, entry)| {
                let after_decision = deciding.is_some();
                let excludes = !name.is_empty() && folded.declares(place) && !hits.allows(place);
                let role = match (hits.denies(place), excludes, after_decision) {
                    (true, _, false) => Role::Denies,
                    (true, _, true) => Role::AlsoDenies,
                    (false, true, false) => Role::Excludes,
                    (false, true, true) => Role::AlsoExcludes,
                    (false, false, _) if hits.allows(place) => Role::Grants,
                    (false, false, _) => Role::Silent,
                };
                if matches!(role, Role::Denies | Role::Excludes) {
                    deciding = Some(place);
                }
                let matching = |list: &[String]| {
                    list.iter()
                        .filter(|pattern| matches(pattern, name))
                        .cloned()
                        .collect()
                };
                LayerReport {
                    scope: entry.scope.clone(),
                    id: entry.id.clone(),
                    declared_allow: folded.declared_allow(place),
                    kept: entry.allow.clone(),
                    rejected: entry.rejected.clone(),
                    deny: entry.deny.clone(),
                    matching_deny: matching(&entry.deny),
                    matching_allow: matching(&entry.allow),
                    role,
                    after_decision,
                }
            })
            .collect();
        Explanation {
            standing: self.standing(tool, gate),
            decision: decide(&folded.resolved, tool),
            layers,
            deciding,
        }
    }

    /// Counts tools by state.
    pub fn summary<'a>(
        &self,
        tools: impl Iterator<Item = (&'a str, Option<&'a Flag>)>,
    ) -> AccessSummary {
        let mut summary = AccessSummary::default();
        for (name, gate) in tools {
            match self.standing(name, gate).bucket {
                Bucket::On => summary.on += 1,
                Bucket::OffHere => summary.off_here += 1,
                Bucket::DeniedAbove => summary.denied_above += 1,
                Bucket::PermissionOff => summary.permission_off += 1,
            }
        }
        summary
    }
}
