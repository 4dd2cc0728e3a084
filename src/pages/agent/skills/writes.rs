//! Attaching skills to an agent and removing them: what is sent, what is checked before, and what
//! is told when only the first of two steps succeeded.

use contract::ids::{SkillBindingId, SkillId};
use contract::skills::{SkillBinding, SkillBindingCreate, SkillInstall, SkillScope};
use leptos::prelude::*;

use super::state::{AgentSkills, Asked, Trouble};
use crate::api::{self, ApiError};
use crate::components::announce::{Action, Announcer};
use crate::reactive::spawn;

/// What the picker offers, as the value of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A skill that is installed.
    Installed(SkillId),
    /// An entry of the catalog that is not.
    Catalog(String),
}

impl Pick {
    /// The value of the choice.
    pub fn value(&self) -> String {
        match self {
            Self::Installed(id) => format!("skill:{id}"),
            Self::Catalog(slug) => format!("catalog:{slug}"),
        }
    }

    /// What a value stands for.
    pub fn of(value: &str) -> Option<Self> {
        match value.split_once(':')? {
            ("skill", id) => Some(Self::Installed(id.into())),
            ("catalog", slug) => Some(Self::Catalog(slug.to_owned())),
            _ => None,
        }
    }
}

/// Attaches what was picked; an entry of the catalog is installed first.
pub fn attach(state: AgentSkills, announcer: Announcer, pick: Pick, title: String) {
    let key = pick.value();
    let is_new = state
        .attaching
        .try_update(|all| all.insert(key.clone(), title.clone()).is_none());
    if is_new != Some(true) {
        return;
    }
    state.dismiss(&key);
    spawn(async move {
        let outcome = match &pick {
            Pick::Installed(id) => bind_here(state, id)
                .await
                .map_err(|error| (asked_to_attach(id, false), error)),
            Pick::Catalog(slug) => install_and_bind(state, slug).await,
        };
        settle(state, announcer, key, title, outcome).await;
    });
}

/// Makes the second step again after the first had succeeded.
pub fn attach_again(
    state: AgentSkills,
    announcer: Announcer,
    key: String,
    skill: SkillId,
    title: String,
) {
    state.dismiss(&key);
    state
        .attaching
        .try_update(|all| all.insert(key.clone(), title.clone()));
    spawn(async move {
        let outcome = bind_here(state, &skill)
            .await
            .map_err(|error| (asked_to_attach(&skill, true), error));
        settle(state, announcer, key, title, outcome).await;
    });
}

fn asked_to_attach(skill: &SkillId, just_installed: bool) -> Asked {
    Asked::Attach {
        skill: skill.clone(),
        just_installed,
    }
}

async fn settle(
    state: AgentSkills,
    announcer: Announcer,
    key: String,
    title: String,
    outcome: Result<SkillBinding, (Asked, ApiError)>,
) {
    // Shown as waiting until the list says so: no state is shown that was not confirmed.
    state.found.read().await;
    state.attaching.try_update(|all| all.remove(&key));
    match outcome {
        Ok(binding) => {
            let undo = (binding.target_type == SkillScope::Agent)
                .then(|| undo_attach(state, announcer, &binding, &title));
            announcer.toast(format!("{title} attached"), undo);
        }
        Err((asked, error)) => {
            let half = matches!(
                asked,
                Asked::Attach {
                    just_installed: true,
                    ..
                }
            );
            let lead = if half {
                "installed, but not attached"
            } else {
                "not attached"
            };
            announcer.alert(format!("{title} was {lead}. {}", error.sentence()));
            let trouble = Trouble {
                asked,
                title,
                error,
            };
            state.troubles.try_update(|all| all.insert(key, trouble));
        }
    }
}

/// Binds a skill to the agent, unless it is bound already: the endpoint of the reference fails
/// where a binding is there, and a binding can be there that no list shows.
async fn bind_here(state: AgentSkills, skill: &SkillId) -> Result<SkillBinding, ApiError> {
    let client = state.agent.client();
    let agent = state.agent.id.try_get_value().unwrap_or_default();
    let is_ours = |one: &SkillBinding| {
        one.target_type == SkillScope::Agent && one.target_id.as_deref() == Some(agent.as_str())
    };
    let present = state
        .session()
        .watch(api::skills::bindings(&client, skill).await)?;
    if let Some(found) = present.into_iter().find(is_ours) {
        return Ok(found);
    }
    let request = SkillBindingCreate {
        target_type: SkillScope::Agent,
        target_id: Some(agent.0.clone()),
        priority: None,
        inject_into_agent: None,
        inject_into_generator: None,
    };
    match state
        .session()
        .watch(api::skills::bind(&client, skill, &request).await)
    {
        Ok(binding) => Ok(binding),
        // Bound by somebody else meanwhile, or by this very request whose answer was lost.
        Err(error) if is_taken(&error) || error.may_be_stored() => {
            let present = api::skills::bindings(&client, skill).await;
            present
                .ok()
                .and_then(|all| all.into_iter().find(is_ours))
                .ok_or(error)
        }
        Err(error) => Err(error),
    }
}

fn is_taken(error: &ApiError) -> bool {
    matches!(error, ApiError::Refused { status: 409, .. })
}

async fn install_and_bind(
    state: AgentSkills,
    slug: &str,
) -> Result<SkillBinding, (Asked, ApiError)> {
    let failed = |error| {
        let slug = slug.to_owned();
        (Asked::Install { slug }, error)
    };
    let skill = install(state, slug).await.map_err(failed)?;
    state.installed.reload();
    bind_here(state, &skill)
        .await
        .map_err(|error| (asked_to_attach(&skill, true), error))
}

/// Installs an entry for the whole account, or finds it installed already.
async fn install(state: AgentSkills, slug: &str) -> Result<SkillId, ApiError> {
    let client = state.agent.client();
    let owner_id = state.owner().ok_or(ApiError::SignedOut)?;
    let request = SkillInstall {
        slug: slug.to_owned(),
        owner_type: SkillScope::Tenant,
        owner_id: owner_id.clone(),
    };
    let answer = api::skills::install(&client, &request).await;
    match state.session().watch(answer) {
        Ok(skill) => Ok(skill.id),
        Err(error) if is_taken(&error) || error.may_be_stored() => {
            let all = api::skills::installed(&client).await.unwrap_or_default();
            let found = all.into_iter().find(|one| {
                one.source_catalog_slug.as_deref() == Some(slug)
                    && one.owner_type == SkillScope::Tenant
            });
            found.map(|skill| skill.id).ok_or(error)
        }
        Err(error) => Err(error),
    }
}

/// Removes a binding of this agent, after making sure that it is one: a binding of a scope above
/// would be taken from every agent below it.
pub fn remove(
    state: AgentSkills,
    announcer: Announcer,
    skill: SkillId,
    binding: SkillBindingId,
    title: String,
    then: impl FnOnce() + 'static,
) {
    let is_new = state.removing.try_update(|all| all.insert(binding.clone()));
    if is_new != Some(true) {
        return;
    }
    let key = binding.0.clone();
    state.dismiss(&key);
    spawn(async move {
        let outcome = unbind(state, &skill, &binding).await;
        state.found.read().await;
        state.removing.try_update(|all| all.remove(&binding));
        match outcome {
            Ok(removed) => {
                let undo = removed.map(|removed| undo_remove(state, announcer, removed, &title));
                announcer.toast(format!("{title} removed from this agent"), undo);
                then();
            }
            Err(error) => {
                announcer.alert(format!("{title} was not removed. {}", error.sentence()));
                let asked = Asked::Remove { skill, binding };
                let trouble = Trouble {
                    asked,
                    title,
                    error,
                };
                state.troubles.try_update(|all| all.insert(key, trouble));
            }
        }
    });
}

/// The binding that was removed; `None` when it was gone already.
async fn unbind(
    state: AgentSkills,
    skill: &SkillId,
    binding: &SkillBindingId,
) -> Result<Option<SkillBinding>, ApiError> {
    let client = state.agent.client();
    let agent = state.agent.id.try_get_value().unwrap_or_default();
    let present = match state
        .session()
        .watch(api::skills::bindings(&client, skill).await)
    {
        Err(ApiError::Missing(_)) => return Ok(None),
        other => other?,
    };
    let Some(found) = present.into_iter().find(|one| one.id == *binding) else {
        return Ok(None);
    };
    if found.target_type != SkillScope::Agent || found.target_id.as_deref() != Some(agent.as_str())
    {
        return Err(ApiError::Refused {
            status: 409,
            said: "This binding does not belong to this agent, so it is not removed here."
                .to_owned(),
            problems: Vec::new(),
            request_id: None,
        });
    }
    match state
        .session()
        .watch(api::skills::unbind(&client, binding).await)
    {
        Ok(_) | Err(ApiError::Missing(_)) => Ok(Some(found)),
        Err(error) => Err(error),
    }
}

/// Binds again what was removed, as it was.
fn undo_remove(
    state: AgentSkills,
    announcer: Announcer,
    removed: SkillBinding,
    title: &str,
) -> (String, Action) {
    let title = title.to_owned();
    let session = state.session();
    let again = move || {
        let (title, removed) = (title.clone(), removed.clone());
        spawn(async move {
            let request = SkillBindingCreate {
                target_type: removed.target_type,
                target_id: removed.target_id,
                priority: Some(removed.priority),
                inject_into_agent: Some(removed.inject_into_agent),
                inject_into_generator: Some(removed.inject_into_generator),
            };
            let answer = api::skills::bind(&session.client(), &removed.skill_id, &request).await;
            match session.watch(answer) {
                Ok(_) => announcer.say(format!("{title} is attached again")),
                Err(error) if is_taken(&error) => {
                    announcer.say(format!("{title} is attached already"));
                }
                Err(error) => {
                    let said = format!("{title} was not attached again. {}", error.sentence());
                    announcer.alert(said.clone());
                    announcer.toast(said, None);
                }
            }
            state.found.reload();
        });
    };
    ("Undo".to_owned(), std::sync::Arc::new(again))
}

/// Removes again what was attached.
fn undo_attach(
    state: AgentSkills,
    announcer: Announcer,
    binding: &SkillBinding,
    title: &str,
) -> (String, Action) {
    let (title, binding) = (title.to_owned(), binding.id.clone());
    let session = state.session();
    let back = move || {
        let (title, binding) = (title.clone(), binding.clone());
        spawn(async move {
            // Made by this page a moment ago, and for this agent.
            let answer = api::skills::unbind(&session.client(), &binding).await;
            match session.watch(answer) {
                Ok(_) | Err(ApiError::Missing(_)) => {
                    announcer.say(format!("{title} is no longer attached"));
                }
                Err(error) => {
                    let said = format!("{title} was not removed. {}", error.sentence());
                    announcer.alert(said.clone());
                    announcer.toast(said, None);
                }
            }
            state.found.reload();
        });
    };
    ("Undo".to_owned(), std::sync::Arc::new(back))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_as_it_was_written() {
        for pick in [
            Pick::Installed("s:1".into()),
            Pick::Catalog("code-review".into()),
        ] {
            assert_eq!(Pick::of(&pick.value()), Some(pick));
        }
        assert_eq!(Pick::of("other:x"), None);
        assert_eq!(Pick::of("skill"), None);
    }
}
