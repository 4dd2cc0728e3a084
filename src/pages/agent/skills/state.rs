//! The skills of one agent as its Skills tab and the Skills section of Capabilities share them:
//! what it finds, what could be attached, what is being written and what was refused.

use std::collections::{BTreeMap, BTreeSet};

use contract::events::{ChangeEvent, ChangeKind};
use contract::grants::Scope;
use contract::ids::{SkillBindingId, SkillId};
use contract::skills::{AgentSkill, CatalogSkill, Skill, SkillScope};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::lasting::Lasting;
use crate::live::use_live;
use crate::pages::agent::state::AgentState;
use crate::remote::Remote;
use crate::session::{Account, SessionState, use_session};

/// What was asked for and not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To install an entry of the catalog and attach it.
    Install {
        /// The entry.
        slug: String,
    },
    /// To attach a skill that is installed.
    Attach {
        /// The skill.
        skill: SkillId,
        /// It was installed a moment ago by the same press.
        just_installed: bool,
    },
    /// To remove a binding of this agent.
    Remove {
        /// The skill.
        skill: SkillId,
        /// The binding.
        binding: SkillBindingId,
    },
}

/// A write that did not succeed; it stays until it is dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What was asked for.
    pub asked: Asked,
    /// Title of the skill.
    pub title: String,
    /// Why it failed.
    pub error: ApiError,
}

/// See the module.
#[derive(Clone, Copy)]
pub struct AgentSkills {
    /// The agent.
    pub agent: AgentState,
    /// What the agent finds, lowest priority number first.
    pub found: Remote<Vec<AgentSkill>>,
    /// Every installed skill; read when the picker is first used.
    pub installed: Remote<Vec<Skill>>,
    /// Every entry of the catalog; read when the picker is first used.
    pub catalog: Remote<Vec<CatalogSkill>>,
    /// What is being attached: the choice and its title.
    pub attaching: Lasting<RwSignal<BTreeMap<String, String>>>,
    /// Bindings that are being removed.
    pub removing: Lasting<RwSignal<BTreeSet<SkillBindingId>>>,
    /// Writes that failed, by the choice or binding they were about.
    pub troubles: Lasting<RwSignal<BTreeMap<String, Trouble>>>,
    session: SessionState,
}

impl AgentSkills {
    /// Describes the reads of one agent; nothing is asked before a page needs it.
    pub fn start(agent: AgentState) -> Self {
        let session = use_session();
        let state = Self {
            agent,
            found: Remote::on_demand(move || async move {
                api::skills::of_agent(&session.client(), &agent.id.get_value()).await
            }),
            installed: Remote::on_demand(move || async move {
                api::skills::installed(&session.client()).await
            }),
            catalog: Remote::on_demand(move || async move {
                api::skills::catalog(&session.client()).await
            }),
            attaching: RwSignal::new(BTreeMap::new()).into(),
            removing: RwSignal::new(BTreeSet::new()).into(),
            troubles: RwSignal::new(BTreeMap::new()).into(),
            session,
        };
        use_live().on_change(move |event| state.follow(event));
        state
    }

    /// Reads what could be attached, unless that was read before.
    pub fn want_choices(self) {
        self.installed.want();
        self.catalog.want();
    }

    fn refresh(self, offered: bool) {
        self.found.refresh();
        if offered {
            self.installed.refresh();
            self.catalog.refresh();
        }
    }

    fn follow(self, event: &ChangeEvent) {
        let agent = self.agent.id.get_value();
        match event.kind {
            ChangeKind::SkillBinding => {
                let elsewhere = event.scope_type == Some(Scope::Agent)
                    && event.scope_id.as_deref() != Some(agent.as_str());
                if !elsewhere {
                    self.refresh(false);
                }
            }
            ChangeKind::Skill | ChangeKind::Reset | ChangeKind::Unknown(_) => self.refresh(true),
            // Another Work brings other bindings.
            ChangeKind::Agent if event.resource_id.as_deref() == Some(agent.as_str()) => {
                self.refresh(false);
            }
            _ => {}
        }
    }

    /// The session, for calls.
    pub fn session(self) -> SessionState {
        self.session
    }

    /// The account new skills belong to; `None` while nobody is known to be signed in.
    pub fn owner(self) -> Option<String> {
        self.session
            .account()
            .with_untracked(|account| match account {
                Account::In(session) | Account::Expired(session) => Some(session.user.id.0.clone()),
                Account::Unknown | Account::Failed(_) | Account::Out => None,
            })
    }

    /// The name of what an inherited skill is bound to, where it is known.
    pub fn scope_name(self, scope: &SkillScope) -> Option<String> {
        match scope {
            SkillScope::Tenant => self.session.account().with(|account| match account {
                Account::In(session) | Account::Expired(session) => {
                    session.user.tenant_name.clone()
                }
                Account::Unknown | Account::Failed(_) | Account::Out => None,
            }),
            SkillScope::Work => {
                let work = self
                    .agent
                    .agent
                    .value()
                    .with(|agent| agent.as_ref()?.work_id.clone())?;
                self.agent.works.value().with(|list| {
                    let found = list.as_ref()?.works.iter().find(|one| one.id == work)?;
                    Some(found.name.clone())
                })
            }
            SkillScope::Mission | SkillScope::Idea | SkillScope::Agent | SkillScope::Unknown(_) => {
                None
            }
        }
    }

    /// Forgets a refusal.
    pub fn dismiss(self, key: &str) {
        self.troubles.try_update(|troubles| troubles.remove(key));
    }
}

/// The skills of the agent page around the caller.
pub fn use_agent_skills() -> AgentSkills {
    expect_context()
}

/// The skills bound to the agent itself, hidden ones included.
pub fn bound_here(found: &[AgentSkill]) -> BTreeSet<&SkillId> {
    found
        .iter()
        .filter(|one| one.target_type == SkillScope::Agent || one.hidden_agent_binding_id.is_some())
        .map(|one| &one.skill.id)
        .collect()
}
