//! What the Skills page of the Settings area shows: the reads, what is searched for, where skills
//! are bound, and entries of the catalog that are being installed.

use std::collections::{BTreeMap, BTreeSet};

use contract::events::{ChangeEvent, ChangeKind};
use contract::ids::SkillId;
use contract::skills::{CatalogSkill, Skill, SkillBinding, SkillInstall, SkillScope};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::components::announce::Announcer;
use crate::live::use_live;
use crate::reactive::spawn;
use crate::remote::{Remote, together};
use crate::session::{Account, SessionState, use_session};

/// How many questions about bindings are asked at once.
const AT_ONCE: usize = 6;

/// What is known about where one skill is bound.
pub type Bound = Result<Vec<SkillBinding>, ApiError>;

/// See the module.
#[derive(Clone, Copy)]
pub struct SkillsState {
    /// Every installed skill, latest change first.
    pub installed: Remote<Vec<Skill>>,
    /// Every entry of the catalog.
    pub catalog: Remote<Vec<CatalogSkill>>,
    /// What is searched for.
    pub search: RwSignal<String>,
    /// Where the skills are bound, as far as it was asked.
    pub bound: RwSignal<BTreeMap<SkillId, Bound>>,
    /// Slugs of entries that are being installed.
    pub installing: RwSignal<BTreeSet<String>>,
    /// Why entries were not installed, by slug.
    pub refused: RwSignal<BTreeMap<String, ApiError>>,
    /// Skills about whose bindings a question is on its way.
    asked: StoredValue<BTreeSet<SkillId>>,
    session: SessionState,
}

impl SkillsState {
    /// Starts the reads.
    pub fn start() -> Self {
        let session = use_session();
        let state = Self {
            installed: Remote::new(move || async move {
                api::skills::installed(&session.client()).await
            }),
            catalog: Remote::new(
                move || async move { api::skills::catalog(&session.client()).await },
            ),
            search: RwSignal::new(String::new()),
            bound: RwSignal::new(BTreeMap::new()),
            installing: RwSignal::new(BTreeSet::new()),
            refused: RwSignal::new(BTreeMap::new()),
            asked: StoredValue::new(BTreeSet::new()),
            session,
        };
        use_live().on_change(move |event| state.follow(event));
        state
    }

    fn follow(self, event: &ChangeEvent) {
        match event.kind {
            ChangeKind::Skill => self.installed.reload(),
            ChangeKind::SkillBinding => {
                if let Some(id) = &event.resource_id {
                    self.ask_again(vec![id.as_str().into()]);
                }
            }
            // With an agent or a Work its bindings go.
            ChangeKind::Agent | ChangeKind::Work => self.ask_all_again(),
            ChangeKind::Reset | ChangeKind::Unknown(_) => {
                self.installed.reload();
                self.catalog.reload();
                self.ask_all_again();
            }
            _ => {}
        }
    }

    /// Whether a text fits what is searched for: it holds every word.
    pub fn fits(self, texts: &[&str]) -> bool {
        self.search.with(|search| {
            let search = search.to_lowercase();
            search
                .split_whitespace()
                .all(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
        })
    }

    /// The name of what owns or is bound at a scope of the account itself.
    pub fn tenant_name(self) -> Option<String> {
        self.session.account().with(|account| match account {
            Account::In(session) | Account::Expired(session) => session.user.tenant_name.clone(),
            Account::Unknown | Account::Failed(_) | Account::Out => None,
        })
    }

    /// Asks where skills are bound, as far as that is not known.
    pub fn want_bound(self, skills: Vec<SkillId>) {
        let unknown = self.bound.with_untracked(|bound| {
            let unknown = skills.into_iter().filter(|id| !bound.contains_key(id));
            unknown.collect::<Vec<_>>()
        });
        self.ask_again(unknown);
    }

    fn ask_all_again(self) {
        let known = self
            .bound
            .with_untracked(|bound| bound.keys().cloned().collect());
        self.ask_again(known);
    }

    /// Asks where skills are bound.
    pub fn ask_again(self, skills: Vec<SkillId>) {
        let fresh: Vec<SkillId> = skills
            .into_iter()
            .filter(|id| {
                self.asked
                    .try_update_value(|asked| asked.insert(id.clone()))
                    == Some(true)
            })
            .collect();
        if fresh.is_empty() {
            return;
        }
        spawn(async move {
            for some in fresh.chunks(AT_ONCE) {
                let client = self.session.client();
                let answers =
                    together(some.iter().map(|id| api::skills::bindings(&client, id))).await;
                for (id, answer) in some.iter().zip(answers) {
                    let answer = self.session.watch(answer);
                    self.asked.try_update_value(|asked| asked.remove(id));
                    self.bound
                        .try_update(|bound| bound.insert(id.clone(), answer));
                }
            }
        });
    }

    /// The installed skill that came from an entry of the catalog, or has its slug.
    pub fn installed_as(self, slug: &str) -> Option<SkillId> {
        self.installed.value().with(|all| {
            let found = all.as_ref()?.iter().find(|skill| {
                skill.source_catalog_slug.as_deref() == Some(slug) || skill.slug == slug
            })?;
            Some(found.id.clone())
        })
    }

    /// Installs an entry of the catalog for the whole account.
    pub fn install(self, announcer: Announcer, slug: String, title: String) {
        if self.installing.try_update(|all| all.insert(slug.clone())) != Some(true) {
            return;
        }
        self.refused.try_update(|all| all.remove(&slug));
        spawn(async move {
            let answer = install(self.session, &slug).await;
            self.installed.read().await;
            self.installing.try_update(|all| all.remove(&slug));
            match answer {
                Ok(()) => {
                    announcer.toast(format!("{title} installed"), None);
                }
                Err(error) => {
                    announcer.alert(format!("{title} was not installed. {}", error.sentence()));
                    self.refused.try_update(|all| all.insert(slug, error));
                }
            }
        });
    }
}

/// Installs an entry for the whole account.
pub async fn install(session: SessionState, slug: &str) -> Result<(), ApiError> {
    let owner = session.account().with_untracked(|account| match account {
        Account::In(session) | Account::Expired(session) => Some(session.user.id.0.clone()),
        Account::Unknown | Account::Failed(_) | Account::Out => None,
    });
    let request = SkillInstall {
        slug: slug.to_owned(),
        owner_type: SkillScope::Tenant,
        owner_id: owner.ok_or(ApiError::SignedOut)?,
    };
    let answer = api::skills::install(&session.client(), &request).await;
    session.watch(answer).map(|_| ())
}

/// The state of the page around the caller.
pub fn use_skills() -> SkillsState {
    expect_context()
}

/// What a skill is bound to, in words: `the tenant, 2 agents`.
pub fn bound_words(bindings: &[SkillBinding]) -> String {
    if bindings.is_empty() {
        return "not bound".to_owned();
    }
    let kinds = [
        (SkillScope::Mission, "mission"),
        (SkillScope::Idea, "idea"),
        (SkillScope::Work, "Work"),
        (SkillScope::Agent, "agent"),
    ];
    let of = |kind: &SkillScope| {
        bindings
            .iter()
            .filter(|one| one.target_type == *kind)
            .count()
    };
    let mut parts: Vec<String> = Vec::new();
    if of(&SkillScope::Tenant) > 0 {
        parts.push("the tenant".to_owned());
    }
    for (kind, word) in kinds {
        match of(&kind) {
            0 => {}
            1 => parts.push(format!("1 {word}")),
            many => parts.push(format!("{many} {word}s")),
        }
    }
    format!("bound to {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding(target: &str) -> SkillBinding {
        let text = format!(
            r#"{{"id":"b","skillId":"s","targetType":"{target}","userId":"u","injectIntoAgent":true,"injectIntoGenerator":false,"priority":100,"createdAt":""}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn where_a_skill_is_bound_is_counted_by_kind() {
        assert_eq!(bound_words(&[]), "not bound");
        let some = [
            binding("agent"),
            binding("tenant"),
            binding("agent"),
            binding("work"),
        ];
        assert_eq!(bound_words(&some), "bound to the tenant, 1 Work, 2 agents");
    }
}
