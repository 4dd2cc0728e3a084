//! R12: which skills an agent finds (contract section 10): bindings on the agent itself, its Work
//! and the tenant, one per skill; and what "Attach a skill…" offers. The server answers with
//! [`compose`], the dashboard fills its combobox with [`offered`].

use std::collections::HashSet;

use crate::ids::{SkillBindingId, SkillId};
use crate::skills::{AgentSkill, BoundSkill, CatalogSkill, Skill, SkillScope};

/// Priority of a binding that names none.
pub const PRIORITY_DEFAULT: u32 = 100;
/// The last priority; 1 is the first.
pub const PRIORITY_MAX: u32 = 1_000;

/// A binding that reaches an agent, with its skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaching {
    /// The binding.
    pub binding_id: SkillBindingId,
    /// 1 to 1,000; the lowest wins.
    pub priority: u32,
    /// What it is bound to.
    pub target_type: SkillScope,
    /// When it was made, ISO-8601 UTC; of equal priorities the earliest wins.
    pub created_at: String,
    /// The skill.
    pub skill: BoundSkill,
}

/// The skills an agent finds: by priority, then by the age of the binding, one entry per skill.
/// Where a direct binding loses to an inherited one, the entry names it, so that it can still be
/// removed and is not offered again.
pub fn compose(mut bindings: Vec<Reaching>) -> Vec<AgentSkill> {
    bindings.sort_by(|a, b| {
        let order = |one: &Reaching| (one.priority, one.created_at.clone(), one.binding_id.clone());
        order(a).cmp(&order(b))
    });
    let mut rows: Vec<AgentSkill> = Vec::new();
    for binding in bindings {
        let direct = binding.target_type == SkillScope::Agent;
        match rows.iter_mut().find(|row| row.skill.id == binding.skill.id) {
            None => rows.push(AgentSkill {
                binding_id: binding.binding_id,
                priority: binding.priority,
                target_type: binding.target_type,
                skill: binding.skill,
                hidden_agent_binding_id: None,
            }),
            Some(row) if direct && row.is_inherited() => {
                row.hidden_agent_binding_id = Some(binding.binding_id);
            }
            Some(_) => {}
        }
    }
    rows
}

impl AgentSkill {
    /// Whether the entry comes from above the agent and can only be changed there.
    pub fn is_inherited(&self) -> bool {
        self.target_type != SkillScope::Agent
    }

    /// The binding on the agent itself: the entry's own, or one hidden behind an inherited one.
    pub fn direct_binding(&self) -> Option<&SkillBindingId> {
        if self.is_inherited() {
            self.hidden_agent_binding_id.as_ref()
        } else {
            Some(&self.binding_id)
        }
    }
}

/// Something that can be attached to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer<'a> {
    /// A skill that is installed: attaching it is one step.
    Installed(&'a Skill),
    /// A skill of the catalog: it is installed first, then attached.
    Catalog(&'a CatalogSkill),
}

/// What can be attached to an agent that finds `rows`: installed skills without a direct binding,
/// be it hidden, then catalog skills whose slug no installed skill has. `installed` and `catalog`
/// keep their orders.
pub fn offered<'a>(
    rows: &[AgentSkill],
    installed: &'a [Skill],
    catalog: &'a [CatalogSkill],
) -> Vec<Offer<'a>> {
    let attached: HashSet<&SkillId> = rows
        .iter()
        .filter(|row| row.direct_binding().is_some())
        .map(|row| &row.skill.id)
        .collect();
    let slugs: HashSet<&str> = installed.iter().map(|skill| skill.slug.as_str()).collect();
    let skills = installed
        .iter()
        .filter(|skill| !attached.contains(&skill.id))
        .map(Offer::Installed);
    let entries = catalog
        .iter()
        .filter(|entry| !slugs.contains(entry.slug.as_str()))
        .map(Offer::Catalog);
    skills.chain(entries).collect()
}
