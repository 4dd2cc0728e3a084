//! What the registries of the example hold: repositories, environments and skills, and which
//! agents are given them.

use std::collections::{BTreeMap, HashMap};

use contract::events::Actor;
use contract::requests;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{id_of, refused};
use crate::error::ApiError;
use crate::operations::{attachments, environments, repositories, skill_bindings, skills};
use crate::state::AppState;

const DATA: &str = include_str!("registries.json");

/// The contents.
#[derive(Deserialize)]
pub(super) struct Registries {
    environments: Vec<ExampleEnvironment>,
    repositories: Vec<ExampleRepository>,
    skills: Vec<ExampleSkill>,
}

#[derive(Deserialize)]
struct ExampleEnvironment {
    /// Body of the request that creates it.
    create: Map<String, Value>,
    publish: bool,
}

#[derive(Deserialize)]
struct ExampleRepository {
    /// Body of the request that registers it.
    create: Map<String, Value>,
    /// Names of agents, and whether the attachment is enabled.
    #[serde(default)]
    attached: BTreeMap<String, bool>,
}

#[derive(Deserialize)]
struct ExampleSkill {
    /// Slug of the catalog entry to install, instead of `create`.
    install: Option<String>,
    /// Body of the request that creates it, without its owner.
    create: Option<Map<String, Value>>,
    #[serde(default)]
    owner: Place,
    bindings: Vec<Binding>,
}

#[derive(Deserialize)]
struct Place {
    /// `tenant`, `work` or `agent`.
    at: String,
    /// Slug of the Work or name of the agent.
    of: Option<String>,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            at: "tenant".to_owned(),
            of: None,
        }
    }
}

#[derive(Deserialize)]
struct Binding {
    #[serde(flatten)]
    place: Place,
    priority: Option<u32>,
}

impl Registries {
    /// Reads the contents.
    pub(super) fn read() -> Result<Self, ApiError> {
        serde_json::from_str(DATA).map_err(ApiError::internal)
    }

    /// What there is, in a few words.
    pub(super) fn summary(&self) -> String {
        format!(
            "{} environments, {} repositories, {} skills",
            self.environments.len(),
            self.repositories.len(),
            self.skills.len()
        )
    }

    /// Makes the environments, which agents are given when they are made; notes their ids by name.
    pub(super) async fn load_environments(
        &self,
        state: &AppState,
        actor: &Actor,
        ids: &mut HashMap<String, String>,
    ) -> Result<(), ApiError> {
        for environment in &self.environments {
            let request = requests::environments::create(&environment.create)
                .map_err(refused("environment"))?;
            let made = environments::create(state, actor, request).await?;
            if environment.publish {
                environments::publish(state, actor, made.id.as_str()).await?;
            }
            ids.insert(made.name, made.id.0);
        }
        Ok(())
    }

    /// Makes repositories and skills, and gives them to the agents and Works in `ids`.
    pub(super) async fn load(
        self,
        state: &AppState,
        actor: &Actor,
        ids: &HashMap<String, String>,
    ) -> Result<(), ApiError> {
        for repository in self.repositories {
            load_repository(state, actor, ids, repository).await?;
        }
        for skill in self.skills {
            load_skill(state, actor, ids, skill).await?;
        }
        Ok(())
    }
}

async fn load_repository(
    state: &AppState,
    actor: &Actor,
    ids: &HashMap<String, String>,
    example: ExampleRepository,
) -> Result<(), ApiError> {
    let request = requests::repositories::create(&example.create).map_err(refused("repository"))?;
    let made = repositories::create(state, actor, request).await?;
    for (agent, enabled) in &example.attached {
        let agent = id_of(ids, agent)?;
        attachments::put(state, actor, &agent, made.id.as_str(), *enabled).await?;
    }
    Ok(())
}

/// The id of a place; the account's own for the tenant.
fn place_id(
    place: &Place,
    actor: &Actor,
    ids: &HashMap<String, String>,
) -> Result<String, ApiError> {
    match &place.of {
        Some(name) => id_of(ids, name),
        None => Ok(actor.user_id.0.clone()),
    }
}

async fn load_skill(
    state: &AppState,
    actor: &Actor,
    ids: &HashMap<String, String>,
    example: ExampleSkill,
) -> Result<(), ApiError> {
    let mut body = example.create.unwrap_or_default();
    body.insert("ownerType".to_owned(), json!(example.owner.at));
    let owner = place_id(&example.owner, actor, ids)?;
    body.insert("ownerId".to_owned(), json!(owner));
    let made = if let Some(slug) = example.install {
        body.insert("slug".to_owned(), json!(slug));
        let request = requests::skills::install(&body).map_err(refused("skill"))?;
        skills::install(state, actor, request).await?
    } else {
        let request = requests::skills::create(&body).map_err(refused("skill"))?;
        skills::create(state, actor, request).await?
    };
    for binding in example.bindings {
        let target = place_id(&binding.place, actor, ids)?;
        let mut body = Map::new();
        body.insert("targetType".to_owned(), json!(binding.place.at));
        body.insert("targetId".to_owned(), json!(target));
        body.insert("priority".to_owned(), json!(binding.priority));
        let request = requests::skills::binding(&body).map_err(refused("binding"))?;
        skill_bindings::create(state, actor, made.id.as_str(), request).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use contract::UserId;
    use contract::requests::lists::PageQuery;
    use contract::requests::skills::SkillQuery;

    use super::*;
    use crate::data_dir::DataDir;
    use crate::operations::agents;
    use crate::state::Settings;
    use crate::store::{Store, users};

    #[tokio::test]
    async fn the_example_shows_every_state_of_the_registries() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataDir::open(&folder.path().join("data")).unwrap();
        let store = Store::open(data.database()).await.unwrap();
        let state = AppState::new(store, Settings::default()).unwrap();
        let words = super::super::load(&state, None).await.unwrap();
        assert!(
            words.contains("3 environments, 4 repositories, 8 skills"),
            "{words}"
        );

        let mut reading = state.store.read().await.unwrap();
        let user: UserId = users::first(&mut reading).await.unwrap().unwrap().id.into();
        drop(reading);
        let kept = environments::list(&state, &user, None).await.unwrap().data;
        let published = kept.iter().filter(|one| one.status.as_str() == "published");
        assert_eq!((kept.len(), published.count()), (3, 2));
        let rows = repositories::list(&state, &user, true).await.unwrap();
        let with_files = rows.iter().filter(|row| !row.env_files.is_empty());
        let derived = rows.iter().filter(|row| row.readonly);
        let off = rows.iter().filter(|row| !row.enabled);
        assert_eq!(
            (with_files.count(), derived.count(), off.count()),
            (2, 6, 1)
        );

        let query = contract::requests::lists::AgentQuery::default();
        let all = agents::list(&state, &user, &query).await.unwrap().data;
        assert!(all.iter().any(|agent| agent.environment_id.is_some()));
        let agent = |name: &str| all.iter().find(|agent| agent.name == name).unwrap();
        let coder = agent("Coder");
        let found = skill_bindings::of_agent(&state, &user, coder.id.as_str())
            .await
            .unwrap()
            .data;
        let kinds: Vec<&str> = found.iter().map(|row| row.target_type.as_str()).collect();
        assert_eq!(kinds, ["tenant", "work", "agent", "work"]);
        let hidden = found
            .iter()
            .filter(|row| row.hidden_agent_binding_id.is_some());
        assert_eq!(hidden.count(), 1);
        let seen = attachments::list(&state, &user, agent("Reconciler").id.as_str())
            .await
            .unwrap();
        let attached = seen.iter().filter(|row| row.attached);
        let mounted = seen.iter().filter(|row| row.is_mounted());
        assert_eq!((attached.count(), mounted.count()), (2, 1));
        let query = SkillQuery {
            page: PageQuery::default(),
            ..SkillQuery::default()
        };
        let kept = skills::list(&state, &user, &query).await.unwrap().data;
        let installed = kept
            .iter()
            .filter(|skill| skill.source_catalog_slug.is_some());
        assert_eq!((kept.len(), installed.count()), (8, 6));
    }
}
