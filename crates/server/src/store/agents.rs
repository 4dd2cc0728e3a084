//! Agents.

use contract::UserId;
use contract::agents::Agent;
use contract::requests::lists::AgentQuery;
use contract::rules::permissions::Permissions;

use super::{Connection, StoreError, count, from_json, to_json};
use crate::clock::{from_iso, iso};

/// A stored agent: the wire value and what is kept beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The agent as it is answered.
    pub agent: Agent,
    /// The tenant it was made in.
    pub tenant_id: Option<String>,
    /// The organization it was made in.
    pub organization_id: Option<String>,
    /// Kept, never answered.
    pub merge_policy: Option<serde_json::Value>,
}

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    user_id: String,
    scope: String,
    mission_id: Option<String>,
    idea_id: Option<String>,
    work_id: Option<String>,
    tenant_id: Option<String>,
    organization_id: Option<String>,
    name: String,
    slug: String,
    title: Option<String>,
    capabilities: Option<String>,
    ai_provider_id: Option<String>,
    model_id: Option<String>,
    environment_id: Option<String>,
    max_skill_context_tokens: i64,
    memory_recall_enabled: i64,
    status: String,
    permissions: String,
    targets: Option<String>,
    heartbeat_cadence: Option<String>,
    idle_behavior: String,
    next_heartbeat_at: Option<i64>,
    last_run_at: Option<i64>,
    last_run_status: Option<String>,
    error_count: i64,
    pause_after_failures: i64,
    avatar_mode: String,
    avatar_icon: Option<String>,
    avatar_image_upload_id: Option<String>,
    committer_name: Option<String>,
    committer_email: Option<String>,
    reports_to_agent_id: Option<String>,
    scorecard: Option<String>,
    merge_policy: Option<String>,
    init_script: Option<String>,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<Record> for Stored {
    type Error = StoreError;

    fn try_from(record: Record) -> Result<Self, StoreError> {
        let json = |text: Option<String>| text.as_deref().map(from_json).transpose();
        Ok(Self {
            tenant_id: record.tenant_id,
            organization_id: record.organization_id,
            merge_policy: json(record.merge_policy)?,
            agent: Agent {
                id: record.id.into(),
                user_id: record.user_id.into(),
                scope: record.scope.as_str().into(),
                mission_id: record.mission_id,
                idea_id: record.idea_id,
                work_id: record.work_id.map(Into::into),
                name: record.name,
                slug: record.slug,
                title: record.title,
                capabilities: record.capabilities,
                ai_provider_id: record.ai_provider_id,
                model_id: record.model_id,
                environment_id: record.environment_id,
                max_skill_context_tokens: record.max_skill_context_tokens,
                memory_recall_enabled: record.memory_recall_enabled != 0,
                status: record.status.as_str().into(),
                permissions: from_json::<Permissions>(&record.permissions)?.or_off(),
                targets: json(record.targets)?,
                guardrails: None,
                heartbeat_cadence: record.heartbeat_cadence,
                idle_behavior: record.idle_behavior.as_str().into(),
                next_heartbeat_at: record.next_heartbeat_at.map(iso),
                last_run_at: record.last_run_at.map(iso),
                last_run_status: record.last_run_status,
                error_count: record.error_count,
                pause_after_failures: record.pause_after_failures,
                avatar_mode: record.avatar_mode.as_str().into(),
                avatar_icon: record.avatar_icon,
                avatar_image_upload_id: record.avatar_image_upload_id,
                committer_name: record.committer_name,
                committer_email: record.committer_email,
                reports_to_agent_id: record.reports_to_agent_id.map(Into::into),
                scorecard: json(record.scorecard)?,
                init_script: record.init_script,
                has_inline_files: false,
                content_hash: None,
                created_at: iso(record.created_at),
                updated_at: iso(record.updated_at),
            },
        })
    }
}

/// The columns of [`Record`], as one literal so that statements stay constant texts.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, scope, mission_id, idea_id, work_id, tenant_id, ",
            "organization_id, name, slug, title, capabilities, ai_provider_id, model_id, ",
            "environment_id, max_skill_context_tokens, memory_recall_enabled, status, permissions, targets, ",
            "heartbeat_cadence, idle_behavior, next_heartbeat_at, last_run_at, ",
            "last_run_status, error_count, pause_after_failures, avatar_mode, avatar_icon, ",
            "avatar_image_upload_id, committer_name, committer_email, reports_to_agent_id, ",
            "scorecard, merge_policy, init_script, created_at, updated_at ",
            $rest
        )
    };
}

/// The filters of the list. A parameter that is NULL filters nothing.
macro_rules! filtered {
    () => {
        "FROM agents WHERE user_id = $1 \
         AND ($2 IS NULL OR scope = $2) \
         AND (status = $3 OR ($3 IS NULL AND status <> 'archived')) \
         AND ($4 IS NULL OR mission_id = $4) \
         AND ($5 IS NULL OR idea_id = $5) \
         AND ($6 IS NULL OR work_id = $6) \
         AND ($7 IS NULL OR EXISTS (SELECT 1 FROM agent_targets WHERE agent_id = agents.id \
              AND target_type = 'work' AND target_id = $7)) \
         AND ($8 IS NULL OR EXISTS (SELECT 1 FROM agent_targets WHERE agent_id = agents.id \
              AND target_type = 'idea' AND target_id = $8)) \
         AND ($9 IS NULL OR search_text LIKE $9 ESCAPE '\\')"
    };
}

const LIST: &str = concat!(
    select!(""),
    filtered!(),
    " ORDER BY updated_at DESC, id LIMIT $10 OFFSET $11"
);
const COUNT: &str = concat!("SELECT COUNT(*) ", filtered!());

/// The pattern that finds a text literally inside another.
pub(super) fn contains_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// One page of an account's agents, most recently changed first, and how many there are.
pub async fn list(
    connection: &mut Connection,
    user: &UserId,
    query: &AgentQuery,
) -> Result<(Vec<Agent>, u64), StoreError> {
    let scope = query.scope.as_ref().map(|scope| scope.as_str().to_owned());
    let status = query
        .status
        .as_ref()
        .map(|status| status.as_str().to_owned());
    let search = query.search.as_deref().map(contains_pattern);
    let records: Vec<Record> = sqlx::query_as(LIST)
        .bind(user.as_str())
        .bind(&scope)
        .bind(&status)
        .bind(&query.mission_id)
        .bind(&query.idea_id)
        .bind(&query.work_id)
        .bind(&query.assigned_work_id)
        .bind(&query.assigned_idea_id)
        .bind(&search)
        .bind(query.page.limit)
        .bind(query.page.offset)
        .fetch_all(&mut *connection)
        .await?;
    let total: i64 = sqlx::query_scalar(COUNT)
        .bind(user.as_str())
        .bind(&scope)
        .bind(&status)
        .bind(&query.mission_id)
        .bind(&query.idea_id)
        .bind(&query.work_id)
        .bind(&query.assigned_work_id)
        .bind(&query.assigned_idea_id)
        .bind(&search)
        .fetch_one(connection)
        .await?;
    let agents: Result<Vec<Agent>, StoreError> = records
        .into_iter()
        .map(|record| Stored::try_from(record).map(|stored| stored.agent))
        .collect();
    Ok((agents?, count(total)))
}

/// An agent of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<Stored>, StoreError> {
    let record: Option<Record> =
        sqlx::query_as(select!("FROM agents WHERE user_id = $1 AND id = $2"))
            .bind(user.as_str())
            .bind(id)
            .fetch_optional(connection)
            .await?;
    record.map(Stored::try_from).transpose()
}

/// Whether another agent of the account has the slug in the same scope.
pub async fn slug_taken(
    connection: &mut Connection,
    agent: &Agent,
    slug: &str,
) -> Result<bool, StoreError> {
    let number: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM agents \
         WHERE user_id = $1 AND scope = $2 AND parent_key = $3 AND slug = $4 AND id <> $5",
    )
    .bind(agent.user_id.as_str())
    .bind(agent.scope.as_str())
    .bind(parent_key(agent))
    .bind(slug)
    .bind(agent.id.as_str())
    .fetch_one(connection)
    .await?;
    Ok(number > 0)
}

fn parent_key(agent: &Agent) -> &str {
    agent
        .work_id
        .as_ref()
        .map(contract::WorkId::as_str)
        .or(agent.mission_id.as_deref())
        .or(agent.idea_id.as_deref())
        .unwrap_or_default()
}

fn search_text(agent: &Agent) -> String {
    let title = agent.title.as_deref().unwrap_or_default();
    format!("{}\n{}\n{title}", agent.name, agent.slug).to_lowercase()
}

/// Stores a new agent, or the new state of one that exists.
pub async fn save(connection: &mut Connection, stored: &Stored) -> Result<(), StoreError> {
    let agent = &stored.agent;
    let json = |value: &Option<serde_json::Value>| value.as_ref().map(to_json).transpose();
    let moment = |text: &Option<String>| text.as_deref().and_then(from_iso);
    sqlx::query(
        "INSERT INTO agents (id, user_id, scope, mission_id, idea_id, work_id, parent_key, \
         tenant_id, organization_id, name, slug, title, search_text, capabilities, \
         ai_provider_id, model_id, max_skill_context_tokens, memory_recall_enabled, status, \
         permissions, targets, heartbeat_cadence, idle_behavior, next_heartbeat_at, \
         last_run_at, last_run_status, error_count, pause_after_failures, avatar_mode, \
         avatar_icon, avatar_image_upload_id, committer_name, committer_email, \
         reports_to_agent_id, scorecard, merge_policy, init_script, created_at, updated_at, environment_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, \
         $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, \
         $35, $36, $37, $38, $39, $40) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, slug = excluded.slug, \
         title = excluded.title, search_text = excluded.search_text, \
         capabilities = excluded.capabilities, ai_provider_id = excluded.ai_provider_id, \
         model_id = excluded.model_id, environment_id = excluded.environment_id, \
         max_skill_context_tokens = excluded.max_skill_context_tokens, \
         memory_recall_enabled = excluded.memory_recall_enabled, status = excluded.status, \
         permissions = excluded.permissions, targets = excluded.targets, \
         heartbeat_cadence = excluded.heartbeat_cadence, \
         idle_behavior = excluded.idle_behavior, \
         next_heartbeat_at = excluded.next_heartbeat_at, last_run_at = excluded.last_run_at, \
         last_run_status = excluded.last_run_status, error_count = excluded.error_count, \
         pause_after_failures = excluded.pause_after_failures, \
         avatar_mode = excluded.avatar_mode, avatar_icon = excluded.avatar_icon, \
         avatar_image_upload_id = excluded.avatar_image_upload_id, \
         committer_name = excluded.committer_name, \
         committer_email = excluded.committer_email, \
         reports_to_agent_id = excluded.reports_to_agent_id, \
         scorecard = excluded.scorecard, merge_policy = excluded.merge_policy, \
         init_script = excluded.init_script, updated_at = excluded.updated_at",
    )
    .bind(agent.id.as_str())
    .bind(agent.user_id.as_str())
    .bind(agent.scope.as_str())
    .bind(&agent.mission_id)
    .bind(&agent.idea_id)
    .bind(agent.work_id.as_ref().map(contract::WorkId::as_str))
    .bind(parent_key(agent))
    .bind(&stored.tenant_id)
    .bind(&stored.organization_id)
    .bind(&agent.name)
    .bind(&agent.slug)
    .bind(&agent.title)
    .bind(search_text(agent))
    .bind(&agent.capabilities)
    .bind(&agent.ai_provider_id)
    .bind(&agent.model_id)
    .bind(agent.max_skill_context_tokens)
    .bind(i64::from(agent.memory_recall_enabled))
    .bind(agent.status.as_str())
    .bind(to_json(&agent.permissions)?)
    .bind(json(&agent.targets)?)
    .bind(&agent.heartbeat_cadence)
    .bind(agent.idle_behavior.as_str())
    .bind(moment(&agent.next_heartbeat_at))
    .bind(moment(&agent.last_run_at))
    .bind(&agent.last_run_status)
    .bind(agent.error_count)
    .bind(agent.pause_after_failures)
    .bind(agent.avatar_mode.as_str())
    .bind(&agent.avatar_icon)
    .bind(&agent.avatar_image_upload_id)
    .bind(&agent.committer_name)
    .bind(&agent.committer_email)
    .bind(
        agent
            .reports_to_agent_id
            .as_ref()
            .map(contract::AgentId::as_str),
    )
    .bind(json(&agent.scorecard)?)
    .bind(json(&stored.merge_policy)?)
    .bind(&agent.init_script)
    .bind(from_iso(&agent.created_at))
    .bind(from_iso(&agent.updated_at))
    .bind(&agent.environment_id)
    .execute(&mut *connection)
    .await?;
    save_targets(connection, agent).await
}

async fn save_targets(connection: &mut Connection, agent: &Agent) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM agent_targets WHERE agent_id = $1")
        .bind(agent.id.as_str())
        .execute(&mut *connection)
        .await?;
    let list = agent.targets.as_ref().and_then(serde_json::Value::as_array);
    for target in list.into_iter().flatten() {
        let text = |key: &str| target.get(key).and_then(serde_json::Value::as_str);
        if let (Some(kind), Some(id)) = (text("type"), text("id")) {
            sqlx::query(
                "INSERT INTO agent_targets (agent_id, target_type, target_id) \
                 VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            )
            .bind(agent.id.as_str())
            .bind(kind)
            .bind(id)
            .execute(&mut *connection)
            .await?;
        }
    }
    Ok(())
}

/// Deletes an agent for good.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM agents WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The lead of an agent of the account.
pub async fn lead_of(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<String>, StoreError> {
    let lead: Option<Option<String>> =
        sqlx::query_scalar("SELECT reports_to_agent_id FROM agents WHERE user_id = $1 AND id = $2")
            .bind(user.as_str())
            .bind(id)
            .fetch_optional(connection)
            .await?;
    Ok(lead.flatten())
}
