//! The rules' view of one agent: its layers folded and ready for questions, and the same view as
//! it would be after a change.

use std::sync::Arc;

use crate::capabilities::Tool;
use crate::grants::{
    AgentGrantRow, ChainEntry, Grant, GrantContent, GrantRow, ResolvedGrants, Scope,
};
use crate::order::sorted_by;
use crate::rules::compiled::Compiled;
use crate::rules::fold::{Granted, Layer, failed_open, fold_declared};
use crate::rules::pattern::sanitize;
use crate::rules::permissions::{Flag, Permissions};

/// The rules' view of one agent. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AgentView {
    pub(super) folded: Arc<Folded>,
    permissions: Permissions,
    /// Flags the server says are off; asked only about flags that `permissions` does not hold.
    said_off: Vec<Flag>,
}

/// Two views are alike when they answer every question alike. What is derived is not compared.
impl PartialEq for AgentView {
    fn eq(&self, other: &Self) -> bool {
        let (left, right) = (&self.folded, &other.folded);
        let same_rows = Arc::ptr_eq(left, right)
            || (left.layers == right.layers
                && left.own == right.own
                && left.resolved == right.resolved);
        same_rows && self.permissions == other.permissions && self.said_off == other.said_off
    }
}

impl Eq for AgentView {}

/// What follows from the rows alone.
#[derive(Debug)]
pub(super) struct Folded {
    /// In the order of the chain, which has the platform default in front of them.
    layers: Vec<Layer>,
    pub(super) resolved: ResolvedGrants,
    pub(super) compiled: Compiled,
    /// For every entry of the chain, whether the layer declares an allow list.
    declares: Vec<bool>,
    pub(super) agent_place: Option<usize>,
    pub(super) own: Option<GrantContent>,
}

impl Folded {
    fn new(layers: Vec<Layer>, open: bool, own: Option<GrantContent>) -> Self {
        let layers = sorted_by(layers, |left, right| {
            left.scope.rank().cmp(&right.scope.rank())
        });
        let (resolved, declares) = if open {
            (failed_open(), Vec::new())
        } else {
            fold_declared(&layers)
        };
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
        }
    }

    pub(super) fn declares(&self, place: usize) -> bool {
        self.declares.get(place).copied().unwrap_or(false)
    }

    /// The allow list a layer asks for; `None` when it inherits or what it asks is not known.
    pub(super) fn declared_allow(&self, place: usize) -> Option<Vec<String>> {
        let entry = self.resolved.chain.get(place)?;
        let Some(layer) = place
            .checked_sub(1)
            .and_then(|place| self.layers.get(place))
        else {
            return Some(entry.allow.clone());
        };
        sanitize(layer.grant.as_ref()?.allow.as_deref())
    }
}

impl AgentView {
    /// The exact view: every stored row is known. `chain` names the layers, `rows` fills them; the
    /// agent's own layer comes from `agent_row` and from nowhere else. An empty chain is the
    /// answer of a failed lookup, see [`AgentView::failed_open`].
    pub fn from_rows(
        chain: &[ChainEntry],
        rows: &[GrantRow],
        agent_row: Option<&AgentGrantRow>,
        permissions: Permissions,
    ) -> Self {
        let stored = |_: usize, entry: &ChainEntry| {
            let id = entry.id.as_deref()?;
            let row = rows
                .iter()
                .find(|row| row.scope_type == entry.scope && row.scope_id == id)?;
            Some(row.grant())
        };
        Self::from_layers(chain, stored, agent_row, permissions)
    }

    /// The view when the stored rows could not be read: what the layers above declare is taken
    /// from the fold the server answered. An empty allow list without rejected patterns is
    /// ambiguous there (contract section 4): it is taken for "declares nothing", unless that
    /// contradicts what the layers below or the matrix kept. Then one layer above declares an
    /// empty list; should several be possible, the most specific of them is taken for it, so the
    /// verdicts are right and the blame may be one layer off.
    pub fn from_resolved(
        resolved: &ResolvedGrants,
        agent_row: Option<&AgentGrantRow>,
        permissions: Permissions,
    ) -> Self {
        let own_list = agent_row.and_then(|row| sanitize(row.allow.as_deref()));
        let own_grants_nothing = own_list.is_some_and(|list| list.is_empty());
        let chain = &resolved.chain;
        let nothing_left = resolved.matrix.allow.is_empty() && !own_grants_nothing;
        let hidden = hidden_empty_list(chain, nothing_left);
        let declared = |place: usize, entry: &ChainEntry| {
            let asked: Vec<String> = entry.allow.iter().chain(&entry.rejected).cloned().collect();
            Some(Grant {
                allow: (!asked.is_empty() || hidden == Some(place)).then_some(asked),
                deny: (!entry.deny.is_empty()).then(|| entry.deny.clone()),
            })
        };
        Self::from_layers(chain, declared, agent_row, permissions)
    }

    fn from_layers(
        chain: &[ChainEntry],
        grant: impl Fn(usize, &ChainEntry) -> Option<Grant>,
        agent_row: Option<&AgentGrantRow>,
        permissions: Permissions,
    ) -> Self {
        let own = agent_row.map(AgentGrantRow::content);
        let layers = chain
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.scope != Scope::Default)
            .map(|(place, entry)| Layer {
                scope: entry.scope.clone(),
                id: entry.id.clone(),
                grant: match entry.scope {
                    Scope::Agent => own.as_ref().map(GrantContent::grant),
                    _ => grant(place, entry),
                },
            })
            .collect();
        Self {
            folded: Arc::new(Folded::new(layers, chain.is_empty(), own)),
            permissions,
            said_off: Vec::new(),
        }
    }

    /// The view if the agent's row had this content, or none. Without a layer for the agent, as
    /// when the server failed open, no verdict changes.
    #[must_use]
    pub fn with_agent_row(&self, content: Option<&GrantContent>) -> Self {
        self.with_layers(
            |layer| layer.scope == Scope::Agent,
            content,
            content.cloned(),
        )
    }

    /// The view if the row stored at one scope had this content, or none. Other scopes than the
    /// agent's chain are no concern of it and change nothing.
    #[must_use]
    pub fn with_row(&self, scope: &Scope, id: &str, content: Option<&GrantContent>) -> Self {
        let is_meant = |layer: &Layer| layer.scope == *scope && layer.id.as_deref() == Some(id);
        if !self.layers().iter().any(is_meant) {
            return self.clone();
        }
        let own = match scope {
            Scope::Agent => content.cloned(),
            _ => self.folded.own.clone(),
        };
        self.with_layers(is_meant, content, own)
    }

    fn with_layers(
        &self,
        is_meant: impl Fn(&Layer) -> bool,
        content: Option<&GrantContent>,
        own: Option<GrantContent>,
    ) -> Self {
        let mut layers = self.folded.layers.clone();
        for layer in layers.iter_mut().filter(|layer| is_meant(layer)) {
            layer.grant = content.map(GrantContent::grant);
        }
        Self {
            folded: Arc::new(Folded::new(layers, self.failed_open(), own)),
            permissions: self.permissions,
            said_off: self.said_off.clone(),
        }
    }

    /// The view if the flags were these.
    #[must_use]
    pub fn with_permissions(&self, permissions: Permissions) -> Self {
        Self {
            permissions,
            ..self.clone()
        }
    }

    /// The view that believes the server about flags this version does not know, and about flags
    /// the answer left out: a tool gated by one is off when the server says that its flag is.
    #[must_use]
    pub fn with_unknown_flags(&self, tools: &[Tool]) -> Self {
        let said_off = tools
            .iter()
            .filter(|tool| !tool.permission_enabled)
            .filter_map(|tool| tool.gated_by_permission.clone())
            .collect();
        Self {
            said_off,
            ..self.clone()
        }
    }

    /// The fold.
    pub fn resolved(&self) -> &ResolvedGrants {
        &self.folded.resolved
    }

    /// The layers the fold was made of, least specific first, the platform default apart.
    pub fn layers(&self) -> &[Layer] {
        &self.folded.layers
    }

    /// What the agent's own row holds; `None` when there is no row.
    pub fn agent_content(&self) -> Option<&GrantContent> {
        self.folded.own.as_ref()
    }

    /// The eight flags.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Whether the server answered without a chain because its lookup failed (contract section
    /// 5.3): it lets everything through until the lookup works again, whatever is stored.
    pub fn failed_open(&self) -> bool {
        self.folded.resolved.chain.is_empty()
    }

    /// The matrix verdict on many names at once.
    pub fn compiled(&self) -> &Compiled {
        &self.folded.compiled
    }

    /// Whether a flag keeps the tools it gates from being assembled.
    pub(super) fn is_flag_off(&self, flag: &Flag) -> bool {
        match self.permissions.get(flag) {
            Some(on) => !on,
            None => self.said_off.contains(flag),
        }
    }
}

/// The place of a layer above the agent that must have declared an empty allow list, although the
/// chain does not show it: below it something was rejected, or nothing is left in the matrix,
/// that the layers shown would have granted.
fn hidden_empty_list(chain: &[ChainEntry], nothing_left: bool) -> Option<usize> {
    let everything = ["*".to_owned()];
    let mut granted: &[String] = &everything;
    let mut suspect = None;
    let above = chain
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.scope != Scope::Default);
    for (place, entry) in above {
        if entry.allow.is_empty() && entry.rejected.is_empty() {
            if entry.scope != Scope::Agent {
                suspect = Some(place);
            }
            continue;
        }
        let shown = Granted::new(granted);
        if suspect.is_some() && entry.rejected.iter().any(|pattern| shown.covers(pattern)) {
            return suspect;
        }
        granted = &entry.allow;
        suspect = None;
    }
    suspect.filter(|_| nothing_left && !granted.is_empty())
}
