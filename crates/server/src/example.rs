//! The example organisation: made-up, but complete enough that every state of the dashboard can
//! be seen. It is loaded through the operations the API uses, so it obeys the same rules.

mod registries;

use std::collections::HashMap;

use contract::agents::AgentStatus;
use contract::events::Actor;
use contract::grants::{GrantWrite, Scope};
use contract::requests;
use serde::Deserialize;
use serde_json::{Map, Value};

use self::registries::Registries;
use crate::clock;
use crate::error::ApiError;
use crate::operations::grants::Precondition;
use crate::operations::lifecycle::RunState;
use crate::operations::{accounts, agents, grants, lifecycle, organizations};
use crate::state::AppState;
use crate::store::users;

const DATA: &str = include_str!("example/organisation.json");
const MINUTE: i64 = 60_000;

#[derive(Deserialize)]
struct Example {
    owner: Owner,
    organization: Map<String, Value>,
    works: Vec<Map<String, Value>>,
    agents: Vec<ExampleAgent>,
    grants: Vec<ExampleGrant>,
}

#[derive(Deserialize)]
struct Owner {
    username: String,
    email: String,
}

#[derive(Deserialize)]
struct ExampleAgent {
    /// Slug of its Work.
    work: Option<String>,
    /// Name of its environment.
    environment: Option<String>,
    /// Body of the request that creates it.
    create: Map<String, Value>,
    /// Body of a request that changes it.
    patch: Option<Map<String, Value>>,
    #[serde(default)]
    steps: Vec<Step>,
    run: Option<Run>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    Resume,
    Pause,
    Archive,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    status: String,
    minutes_ago: i64,
    last_run_status: Option<String>,
    error_count: i64,
}

#[derive(Deserialize)]
struct ExampleGrant {
    scope: String,
    /// Slug of the Work or name of the agent.
    of: Option<String>,
    allow: Option<Vec<String>>,
    deny: Option<Vec<String>>,
    note: Option<String>,
}

/// Whether there is no account yet.
pub async fn is_empty(state: &AppState) -> Result<bool, ApiError> {
    let mut reading = state.store.read().await?;
    Ok(users::first(&mut reading).await?.is_none())
}

fn refused(what: &str) -> impl FnOnce(Vec<String>) -> ApiError {
    let what = what.to_owned();
    move |problems| {
        let problems = problems.join(", ");
        ApiError::internal(format!("the example's {what} is not valid: {problems}"))
    }
}

/// Loads the example into an empty store and says in a few words what was made. Without a password
/// its owner signs in by link only.
pub async fn load(state: &AppState, password: Option<String>) -> Result<String, ApiError> {
    let example: Example = serde_json::from_str(DATA).map_err(ApiError::internal)?;
    let hash = match password {
        None => None,
        Some(password) if requests::auth::is_strong_password(&password) => {
            Some(state.passwords.hash(password).await?)
        }
        Some(_) => {
            return Err(ApiError::Internal(
                "the example password must have 8 characters or more, with a lower-case letter and a digit or special character"
                    .to_owned(),
            ));
        }
    };
    let owner =
        accounts::create(state, &example.owner.username, &example.owner.email, hash).await?;
    let actor = Actor {
        user_id: owner.id.into(),
        username: owner.username,
        via: "command line".to_owned(),
    };
    let organization = requests::organizations::organization(&example.organization)
        .map_err(refused("organization"))?;
    let organization = organizations::create(state, &actor, organization).await?;
    // Ids by the names the data file uses.
    let mut ids = HashMap::new();
    ids.insert("tenant".to_owned(), organization.tenant_id.0.clone());
    ids.insert("organization".to_owned(), organization.id.0.clone());
    for body in &example.works {
        let request = requests::organizations::work(body).map_err(refused("Work"))?;
        let work = organizations::create_work(state, &actor, request).await?;
        ids.insert(work.slug, work.id.0);
    }
    let registries = Registries::read()?;
    let resources = registries.summary();
    registries
        .load_environments(state, &actor, &mut ids)
        .await?;
    let (works, number) = (example.works.len(), example.agents.len());
    for agent in example.agents {
        load_agent(state, &actor, &mut ids, agent).await?;
    }
    registries.load(state, &actor, &ids).await?;
    let rows = example.grants.len();
    for grant in example.grants {
        load_grant(state, &actor, &ids, grant).await?;
    }
    Ok(format!(
        "{works} Works, {number} agents, {rows} tool-grant rows, {resources}, owner {} <{}>",
        actor.username, example.owner.email
    ))
}

fn id_of(ids: &HashMap<String, String>, name: &str) -> Result<String, ApiError> {
    ids.get(name)
        .cloned()
        .ok_or_else(|| ApiError::internal(format!("the example names `{name}`, which it lacks")))
}

async fn load_agent(
    state: &AppState,
    actor: &Actor,
    ids: &mut HashMap<String, String>,
    example: ExampleAgent,
) -> Result<(), ApiError> {
    let mut body = example.create;
    if let Some(work) = &example.work {
        body.insert("workId".to_owned(), Value::String(id_of(ids, work)?));
    }
    if let Some(environment) = &example.environment {
        let id = id_of(ids, environment)?;
        body.insert("environmentId".to_owned(), Value::String(id));
    }
    let request = requests::agents::create(&body).map_err(refused("agent"))?;
    let agent = agents::create(state, actor, request).await?;
    let id = agent.id.as_str();
    if let Some(patch) = &example.patch {
        let changes = requests::agents::patch(patch).map_err(refused("change"))?;
        agents::patch(state, actor, id, changes).await?;
    }
    for step in example.steps {
        match step {
            Step::Resume => drop(lifecycle::resume(state, actor, id).await?),
            Step::Pause => drop(lifecycle::pause(state, actor, id).await?),
            Step::Archive => lifecycle::archive(state, actor, id).await?,
        }
    }
    if let Some(run) = example.run {
        let run = RunState {
            status: AgentStatus::from(run.status.as_str()),
            last_run_at: clock::now() - run.minutes_ago * MINUTE,
            last_run_status: run.last_run_status,
            error_count: run.error_count,
        };
        lifecycle::set_run_state(state, actor, &agent.id, run).await?;
    }
    ids.insert(agent.name, agent.id.0);
    Ok(())
}

async fn load_grant(
    state: &AppState,
    actor: &Actor,
    ids: &HashMap<String, String>,
    example: ExampleGrant,
) -> Result<(), ApiError> {
    let name = example.of.as_deref().unwrap_or(&example.scope);
    let write = GrantWrite {
        scope_type: Scope::from(example.scope.as_str()),
        scope_id: id_of(ids, name)?,
        allow: example.allow,
        deny: example.deny,
        note: example.note,
    };
    let body = match serde_json::to_value(&write) {
        Ok(Value::Object(body)) => body,
        Ok(_) => return Err(ApiError::internal("a grant write is not a JSON object")),
        Err(error) => return Err(ApiError::internal(error)),
    };
    let request = requests::grants::put(&body).map_err(refused("grant"))?;
    grants::put(state, actor, request.write, &Precondition::None).await?;
    Ok(())
}
