//! The activity log and the numbered changes of an account. Both are written by [`record`], in
//! the transaction of the write they tell about.

use contract::events::{Activity, AgentEvent, ChangeEvent};
use contract::{AgentId, UserId};
use serde_json::Value;

use super::{Connection, StoreError, WriteTx, count, from_json, to_json};
use crate::clock::iso;

/// How many changes are kept per account at the least.
pub const CHANGES_KEPT: u64 = 1_000;
/// How often old changes are removed: once in this many.
const TRIM_EVERY: u64 = 64;

/// One write, as it is told to the activity log and to listeners.
pub struct Recorded {
    /// The entry's identifier.
    pub id: String,
    /// What happened, such as `agent_paused`.
    pub action_type: &'static str,
    /// One line for people.
    pub summary: String,
    /// Data of the event.
    pub details: Value,
    /// The Work concerned.
    pub work_id: Option<String>,
    /// The agent in whose feed the entry is shown.
    pub agent_id: Option<AgentId>,
    /// The tenant of the account.
    pub tenant_id: Option<String>,
    /// The organization of the account.
    pub organization_id: Option<String>,
    /// What listeners are told; its `sequence` is filled in here.
    pub change: ChangeEvent,
    /// Milliseconds since 1970.
    pub at: i64,
}

/// Gives the write the account's next number and stores its log entry and its change.
pub async fn record(
    transaction: &mut WriteTx,
    user: &UserId,
    entry: Recorded,
) -> Result<(), StoreError> {
    let number = announce(transaction, user, entry.change).await?;
    sqlx::query(
        "INSERT INTO activities (id, user_id, sequence, work_id, agent_id, action_type, \
         summary, details, tenant_id, organization_id, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(&entry.id)
    .bind(user.as_str())
    .bind(number)
    .bind(&entry.work_id)
    .bind(entry.agent_id.as_ref().map(AgentId::as_str))
    .bind(entry.action_type)
    .bind(&entry.summary)
    .bind(to_json(&entry.details)?)
    .bind(&entry.tenant_id)
    .bind(&entry.organization_id)
    .bind(entry.at)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Gives a change the account's next number, which it answers, and stores it for listeners.
pub async fn announce(
    transaction: &mut WriteTx,
    user: &UserId,
    mut change: ChangeEvent,
) -> Result<i64, StoreError> {
    let number: i64 = sqlx::query_scalar(
        "UPDATE users SET change_sequence = change_sequence + 1 WHERE id = $1 \
         RETURNING change_sequence",
    )
    .bind(user.as_str())
    .fetch_one(&mut **transaction)
    .await?;
    let sequence = count(number);
    change.sequence = sequence;
    sqlx::query("INSERT INTO changes (user_id, sequence, body) VALUES ($1, $2, $3)")
        .bind(user.as_str())
        .bind(number)
        .bind(to_json(&change)?)
        .execute(&mut **transaction)
        .await?;
    if sequence.is_multiple_of(TRIM_EVERY) {
        let oldest = number.saturating_sub_unsigned(CHANGES_KEPT);
        sqlx::query("DELETE FROM changes WHERE user_id = $1 AND sequence <= $2")
            .bind(user.as_str())
            .bind(oldest)
            .execute(&mut **transaction)
            .await?;
    }
    transaction.note_change(user.clone(), sequence);
    Ok(number)
}

/// The number of the account's latest change and of the oldest one still stored.
pub async fn sequences(
    connection: &mut Connection,
    user: &UserId,
) -> Result<(u64, Option<u64>), StoreError> {
    let latest: Option<i64> = sqlx::query_scalar("SELECT change_sequence FROM users WHERE id = $1")
        .bind(user.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    let oldest: Option<i64> =
        sqlx::query_scalar("SELECT MIN(sequence) FROM changes WHERE user_id = $1")
            .bind(user.as_str())
            .fetch_one(connection)
            .await?;
    Ok((count(latest.unwrap_or_default()), oldest.map(count)))
}

/// Changes after a number, oldest first, at most `limit`.
pub async fn changes_after(
    connection: &mut Connection,
    user: &UserId,
    after: u64,
    limit: u32,
) -> Result<Vec<ChangeEvent>, StoreError> {
    let bodies: Vec<String> = sqlx::query_scalar(
        "SELECT body FROM changes WHERE user_id = $1 AND sequence > $2 \
         ORDER BY sequence LIMIT $3",
    )
    .bind(user.as_str())
    .bind(i64::try_from(after).unwrap_or(i64::MAX))
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    bodies.iter().map(|body| from_json(body)).collect()
}

#[derive(sqlx::FromRow)]
struct EventRecord {
    id: String,
    action_type: String,
    details: String,
    created_at: i64,
}

/// One page of an agent's feed, newest first, and how many entries there are.
pub async fn agent_events(
    connection: &mut Connection,
    user: &UserId,
    agent: &str,
    limit: i64,
    offset: i64,
) -> Result<(Vec<AgentEvent>, u64), StoreError> {
    let records: Vec<EventRecord> = sqlx::query_as(
        "SELECT id, action_type, details, created_at FROM activities \
         WHERE agent_id = $1 AND user_id = $2 ORDER BY sequence DESC LIMIT $3 OFFSET $4",
    )
    .bind(agent)
    .bind(user.as_str())
    .bind(limit)
    .bind(offset)
    .fetch_all(&mut *connection)
    .await?;
    let total: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM activities WHERE agent_id = $1 AND user_id = $2")
            .bind(agent)
            .bind(user.as_str())
            .fetch_one(connection)
            .await?;
    let events: Result<Vec<AgentEvent>, StoreError> = records
        .into_iter()
        .map(|record| {
            Ok(AgentEvent {
                id: record.id,
                action_type: record.action_type,
                details: Some(from_json(&record.details)?),
                created_at: iso(record.created_at),
            })
        })
        .collect();
    Ok((events?, count(total)))
}

/// Filters of the account's log.
#[derive(Clone, Debug, Default)]
pub struct LogQuery {
    /// Only this type.
    pub action_type: Option<String>,
    /// Only this Work.
    pub work_id: Option<String>,
    /// Only this status; every stored entry is `completed`.
    pub status: Option<String>,
    /// Not before, milliseconds since 1970.
    pub from: Option<i64>,
    /// Not after, milliseconds since 1970.
    pub to: Option<i64>,
    /// A text the summary contains, in any case.
    pub search: Option<String>,
    /// Rows, 1 to 100.
    pub limit: i64,
    /// Rows to skip.
    pub offset: i64,
}

#[derive(sqlx::FromRow)]
struct LogRecord {
    id: String,
    user_id: String,
    work_id: Option<String>,
    action_type: String,
    summary: String,
    details: String,
    tenant_id: Option<String>,
    organization_id: Option<String>,
    created_at: i64,
}

impl TryFrom<LogRecord> for Activity {
    type Error = StoreError;

    fn try_from(record: LogRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: record.id,
            user_id: record.user_id.into(),
            work_id: record.work_id.map(Into::into),
            action: Some(record.action_type.clone()),
            action_type: record.action_type,
            status: "completed".to_owned(),
            summary: Some(record.summary),
            details: Some(from_json(&record.details)?),
            metadata: None,
            tenant_id: record.tenant_id.map(Into::into),
            organization_id: record.organization_id.map(Into::into),
            created_at: iso(record.created_at),
            updated_at: Some(iso(record.created_at)),
        })
    }
}

macro_rules! log_filtered {
    () => {
        "FROM activities WHERE user_id = $1 \
         AND ($2 IS NULL OR action_type = $2) \
         AND ($3 IS NULL OR work_id = $3) \
         AND ($4 IS NULL OR $4 = 'completed') \
         AND ($5 IS NULL OR created_at >= $5) \
         AND ($6 IS NULL OR created_at <= $6) \
         AND ($7 IS NULL OR LOWER(summary) LIKE $7 ESCAPE '\\')"
    };
}

const LOG: &str = concat!(
    "SELECT id, user_id, work_id, action_type, summary, details, tenant_id, organization_id, ",
    "created_at ",
    log_filtered!(),
    " ORDER BY sequence DESC LIMIT $8 OFFSET $9"
);
const LOG_COUNT: &str = concat!("SELECT COUNT(*) ", log_filtered!());

/// One page of the account's log, newest first, and how many entries there are.
pub async fn log(
    connection: &mut Connection,
    user: &UserId,
    query: &LogQuery,
) -> Result<(Vec<Activity>, u64), StoreError> {
    let search = query.search.as_deref().map(super::agents::contains_pattern);
    let records: Vec<LogRecord> = sqlx::query_as(LOG)
        .bind(user.as_str())
        .bind(&query.action_type)
        .bind(&query.work_id)
        .bind(&query.status)
        .bind(query.from)
        .bind(query.to)
        .bind(&search)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(&mut *connection)
        .await?;
    let total: i64 = sqlx::query_scalar(LOG_COUNT)
        .bind(user.as_str())
        .bind(&query.action_type)
        .bind(&query.work_id)
        .bind(&query.status)
        .bind(query.from)
        .bind(query.to)
        .bind(&search)
        .fetch_one(connection)
        .await?;
    let activities: Result<Vec<Activity>, StoreError> =
        records.into_iter().map(Activity::try_from).collect();
    Ok((activities?, count(total)))
}

/// One entry of the account's log.
pub async fn log_entry(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<Activity>, StoreError> {
    let record: Option<LogRecord> = sqlx::query_as(
        "SELECT id, user_id, work_id, action_type, summary, details, tenant_id, \
         organization_id, created_at FROM activities WHERE user_id = $1 AND id = $2",
    )
    .bind(user.as_str())
    .bind(id)
    .fetch_optional(connection)
    .await?;
    record.map(Activity::try_from).transpose()
}
