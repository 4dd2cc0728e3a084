//! R3: who really decided (contract section 18). Walking from the least specific layer, the first
//! one that denies a tool, or whose kept allow list no longer matches it, decided; a denial and a
//! missing grant are different answers. Layers below it that refuse as well are reported too.

use crate::capabilities::AccessSummary;
use crate::grants::{
    AgentGrantRow, ChainEntry, Decision, Grant, GrantContent, GrantRow, ResolvedGrants, Scope,
};
use crate::rules::compiled::{Compiled, Hits};
use crate::rules::fold::{Layer, decide, failed_open, fold};
use crate::rules::pattern::{is_tool_name, matches, sanitize, trim};
use crate::rules::permissions::{Flag, Permissions};

/// In which of four states a tool is; every tool is in exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bucket {
    /// Usable now.
    On,
    /// Off by this agent's own row.
    OffHere,
    /// Denied or not granted above the agent.
    DeniedAbove,
    /// Never assembled: the permission flag is off.
    PermissionOff,
}

impl Bucket {
    /// All states, in the order they are shown.
    pub const KNOWN: [Self; 4] = [
        Self::On,
        Self::OffHere,
        Self::DeniedAbove,
        Self::PermissionOff,
    ];

    /// The state's name in addresses.
    pub fn slug(&self) -> &'static str {
        match self {
            Self::On => "on",
            Self::OffHere => "off-here",
            Self::DeniedAbove => "denied-above",
            Self::PermissionOff => "permission-off",
        }
    }

    /// The state with this name in addresses.
    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::KNOWN.into_iter().find(|bucket| bucket.slug() == slug)
    }

    /// The words on screen.
    pub fn label(&self) -> &'static str {
        match self {
            Self::On => "On",
            Self::OffHere => "Off here",
            Self::DeniedAbove => "Denied above",
            Self::PermissionOff => "Permission off",
        }
    }
}

/// What the switch of a tool can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// On; can be turned off.
    On,
    /// Off; can be turned on.
    Off,
    /// Off, and cannot be turned on from this agent's row.
    Locked,
}

/// One reason why a tool is off. A `layer` is a place in the resolved chain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The flag that gates it is off.
    PermissionOff(Flag),
    /// A layer above the agent denies it.
    Denied {
        /// The first such layer from the top.
        layer: usize,
        /// Its first matching pattern.
        pattern: String,
    },
    /// A layer above the agent leaves it out of its allow list.
    NotGranted {
        /// The first such layer from the top.
        layer: usize,
    },
    /// A wildcard deny on the agent's own row covers it.
    DeniedByOwnPattern {
        /// The first such pattern.
        pattern: String,
    },
    /// The agent's own row denies exactly this name.
    DeniedHere {
        /// The pattern as stored.
        pattern: String,
    },
    /// The agent's own allow list leaves it out, or was rejected above.
    NotGrantedHere,
    /// The name is empty or no pattern can name it.
    InvalidName,
}

/// How a tool stands for one agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Its state.
    pub bucket: Bucket,
    /// What its switch can do.
    pub switch: Switch,
    /// Every reason why it is off, in the order of badges: permission, above, own row.
    pub causes: Vec<Cause>,
}

impl Standing {
    /// Whether the agent can use the tool now.
    pub fn is_on(&self) -> bool {
        self.bucket == Bucket::On
    }
}

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
    /// The allow list as it was asked for; `None` when the layer inherits or is not known.
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
    /// Every layer, least specific first.
    pub layers: Vec<LayerReport>,
    /// The place in `layers` that decided a refusal; `None` when the matrix allows the tool.
    pub deciding: Option<usize>,
}

/// The rules' view of one agent: its layers folded and ready for questions.
#[derive(Clone, Debug)]
pub struct AgentView {
    layers: Vec<Layer>,
    resolved: ResolvedGrants,
    compiled: Compiled,
    declares: Vec<bool>,
    agent_place: Option<usize>,
    own: Option<GrantContent>,
    own_deny: Vec<String>,
    permissions: Permissions,
}

impl AgentView {
    /// The exact view: every stored row is known. `chain` names the layers, `rows` fills them; the
    /// agent's own layer comes from `agent_row`.
    pub fn from_rows(
        chain: &[ChainEntry],
        rows: &[GrantRow],
        agent_row: Option<&AgentGrantRow>,
        permissions: Permissions,
    ) -> Self {
        let stored = |entry: &ChainEntry| {
            let id = entry.id.as_deref()?;
            let row = rows
                .iter()
                .find(|row| row.scope_type == entry.scope && row.scope_id == id)?;
            Some(row.grant())
        };
        Self::from_layers(chain, stored, agent_row, permissions)
    }

    /// The view when the stored rows could not be read: what the layers above declare is taken
    /// from the chain. There an empty allow list without rejected patterns is ambiguous, and is
    /// taken for "declares nothing" (contract section 4).
    pub fn from_chain(
        chain: &[ChainEntry],
        agent_row: Option<&AgentGrantRow>,
        permissions: Permissions,
    ) -> Self {
        let declared = |entry: &ChainEntry| {
            let asked: Vec<String> = entry.allow.iter().chain(&entry.rejected).cloned().collect();
            Some(Grant {
                allow: (!asked.is_empty()).then_some(asked),
                deny: (!entry.deny.is_empty()).then(|| entry.deny.clone()),
            })
        };
        Self::from_layers(chain, declared, agent_row, permissions)
    }

    fn from_layers(
        chain: &[ChainEntry],
        grant: impl Fn(&ChainEntry) -> Option<Grant>,
        agent_row: Option<&AgentGrantRow>,
        permissions: Permissions,
    ) -> Self {
        let own = agent_row.map(AgentGrantRow::content);
        let layers = chain
            .iter()
            .filter(|entry| entry.scope != Scope::Default)
            .map(|entry| Layer {
                scope: entry.scope.clone(),
                id: entry.id.clone(),
                grant: match entry.scope {
                    Scope::Agent => own.as_ref().map(GrantContent::grant),
                    _ => grant(entry),
                },
            })
            .collect();
        Self::build(layers, chain.is_empty(), own, permissions)
    }

    fn build(
        layers: Vec<Layer>,
        open: bool,
        own: Option<GrantContent>,
        permissions: Permissions,
    ) -> Self {
        let resolved = if open { failed_open() } else { fold(&layers) };
        let mut ordered: Vec<&Layer> = layers.iter().collect();
        ordered.sort_by_key(|layer| layer.scope.rank());
        let declares = std::iter::once(true)
            .chain(ordered.iter().map(|layer| {
                layer
                    .grant
                    .as_ref()
                    .is_some_and(|grant| sanitize(grant.allow.as_deref()).is_some())
            }))
            .collect();
        let own_deny = own
            .as_ref()
            .and_then(|own| sanitize(own.deny.as_deref()))
            .unwrap_or_default();
        Self {
            compiled: Compiled::new(&resolved),
            agent_place: resolved
                .chain
                .iter()
                .position(|entry| entry.scope == Scope::Agent),
            layers,
            resolved,
            declares,
            own,
            own_deny,
            permissions,
        }
    }

    /// The view if the agent's row had this content, or none.
    #[must_use]
    pub fn with_agent_row(&self, content: Option<&GrantContent>) -> Self {
        let own = content.cloned();
        let mut layers = self.layers.clone();
        for layer in layers
            .iter_mut()
            .filter(|layer| layer.scope == Scope::Agent)
        {
            layer.grant = own.as_ref().map(GrantContent::grant);
        }
        Self::build(layers, self.failed_open(), own, self.permissions)
    }

    /// The view if the row stored at one scope had this content, or none. Other scopes than the
    /// agent's chain are no concern of it and change nothing.
    #[must_use]
    pub fn with_row(&self, scope: &Scope, id: &str, content: Option<&GrantContent>) -> Self {
        if *scope == Scope::Agent {
            let is_own = self
                .layers
                .iter()
                .any(|layer| layer.scope == Scope::Agent && layer.id.as_deref() == Some(id));
            return if is_own {
                self.with_agent_row(content)
            } else {
                self.clone()
            };
        }
        let mut layers = self.layers.clone();
        for layer in layers
            .iter_mut()
            .filter(|layer| layer.scope == *scope && layer.id.as_deref() == Some(id))
        {
            layer.grant = content.map(GrantContent::grant);
        }
        Self::build(
            layers,
            self.failed_open(),
            self.own.clone(),
            self.permissions,
        )
    }

    /// The view if the flags were these.
    #[must_use]
    pub fn with_permissions(&self, permissions: Permissions) -> Self {
        Self {
            permissions,
            ..self.clone()
        }
    }

    /// The fold.
    pub fn resolved(&self) -> &ResolvedGrants {
        &self.resolved
    }

    /// The layers the fold was made of, the platform default apart.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// What the agent's own row holds; `None` when there is no row.
    pub fn agent_content(&self) -> Option<&GrantContent> {
        self.own.as_ref()
    }

    /// The eight flags.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Whether the server answered without a chain because its lookup failed (contract 5.3).
    pub fn failed_open(&self) -> bool {
        self.resolved.chain.is_empty()
    }

    /// The first layer above the agent that refuses a tool, if one does.
    fn refused_above(&self, name: &str, hits: Hits) -> Option<Cause> {
        let above = self
            .resolved
            .chain
            .iter()
            .enumerate()
            .filter(|(place, _)| Some(*place) != self.agent_place);
        for (place, entry) in above {
            if hits.denies(place) {
                let pattern = entry
                    .deny
                    .iter()
                    .find(|pattern| matches(pattern, name))
                    .cloned()
                    .unwrap_or_default();
                return Some(Cause::Denied {
                    layer: place,
                    pattern,
                });
            }
            if self.declares(place) && !hits.allows(place) {
                return Some(Cause::NotGranted { layer: place });
            }
        }
        None
    }

    fn declares(&self, place: usize) -> bool {
        self.declares.get(place).copied().unwrap_or(false)
    }

    /// What the agent's own row says against a tool that nothing above refuses.
    fn refused_here(&self, name: &str, hits: Hits) -> Vec<Cause> {
        let mut causes = Vec::new();
        let Some(place) = self.agent_place else {
            return causes;
        };
        if hits.denies(place) {
            let matching = || {
                self.own_deny
                    .iter()
                    .filter(|pattern| matches(pattern, name))
            };
            let wildcard = matching().find(|pattern| pattern.ends_with('*')).cloned();
            match (wildcard, matching().next()) {
                (Some(pattern), _) => causes.push(Cause::DeniedByOwnPattern { pattern }),
                (None, Some(pattern)) => causes.push(Cause::DeniedHere {
                    pattern: pattern.clone(),
                }),
                (None, None) => {}
            }
        }
        if self.declares(place) && !hits.allows(place) {
            causes.push(Cause::NotGrantedHere);
        }
        causes
    }

    /// How a tool stands. `gate` is the flag without which it is never assembled.
    pub fn standing(&self, tool: &str, gate: Option<&Flag>) -> Standing {
        let name = trim(tool);
        let mut causes = Vec::new();
        if let Some(flag) = gate
            && self.permissions.get(flag) == Some(false)
        {
            causes.push(Cause::PermissionOff(flag.clone()));
        }
        if name.is_empty() {
            causes.push(Cause::InvalidName);
        } else {
            let hits = self.compiled.hits(name);
            match self.refused_above(name, hits) {
                Some(cause) => causes.push(cause),
                None => causes.extend(self.refused_here(name, hits)),
            }
        }
        let bucket = causes.first().map_or(Bucket::On, |cause| match cause {
            Cause::PermissionOff(_) => Bucket::PermissionOff,
            Cause::Denied { .. } | Cause::NotGranted { .. } | Cause::InvalidName => {
                Bucket::DeniedAbove
            }
            Cause::DeniedByOwnPattern { .. } | Cause::DeniedHere { .. } | Cause::NotGrantedHere => {
                Bucket::OffHere
            }
        });
        let can_turn_on = causes.iter().all(|cause| match cause {
            Cause::DeniedHere { .. } => true,
            Cause::NotGrantedHere => is_tool_name(name),
            Cause::PermissionOff(_)
            | Cause::Denied { .. }
            | Cause::NotGranted { .. }
            | Cause::DeniedByOwnPattern { .. }
            | Cause::InvalidName => false,
        });
        let switch = match (causes.is_empty(), can_turn_on) {
            (true, _) => Switch::On,
            (false, true) => Switch::Off,
            (false, false) => Switch::Locked,
        };
        Standing {
            bucket,
            switch,
            causes,
        }
    }

    /// Whether a kept pattern of the agent's own allow list matches a tool; true without a list.
    pub(crate) fn own_list_grants(&self, name: &str) -> bool {
        self.agent_place
            .is_none_or(|place| !self.declares(place) || self.compiled.hits(name).allows(place))
    }

    /// The whole answer to "why" for one tool.
    pub fn explain(&self, tool: &str, gate: Option<&Flag>) -> Explanation {
        let name = trim(tool);
        let hits = self.compiled.hits(name);
        let mut deciding = None;
        let layers = self
            .resolved
            .chain
            .iter()
            .enumerate()
            .map(|(place, entry)| {
                let after_decision = deciding.is_some();
                let excludes = self.declares(place) && !hits.allows(place);
                let role = match (hits.denies(place), excludes, after_decision) {
                    (true, _, false) => Role::Denies,
                    (true, _, true) => Role::AlsoDenies,
                    (false, true, false) => Role::Excludes,
                    (false, true, true) => Role::AlsoExcludes,
                    (false, false, _) if hits.allows(place) => Role::Grants,
                    (false, false, _) => Role::Silent,
                };
                if matches!(role, Role::Denies | Role::Excludes) && !name.is_empty() {
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
                    declared_allow: self.declared_allow(entry),
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
            decision: decide(&self.resolved, tool),
            layers,
            deciding,
        }
    }

    fn declared_allow(&self, entry: &ChainEntry) -> Option<Vec<String>> {
        if entry.scope == Scope::Default {
            return Some(entry.allow.clone());
        }
        let layer = self
            .layers
            .iter()
            .find(|layer| layer.scope == entry.scope && layer.id == entry.id)?;
        sanitize(layer.grant.as_ref()?.allow.as_deref())
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
