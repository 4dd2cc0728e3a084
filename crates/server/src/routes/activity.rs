//! Records of what happened (contract section 12.2).

use axum::Json;
use axum::extract::State;
use contract::events::{ActivityPage, AgentEvent};
use contract::requests::lists::{LIMIT_DEFAULT, page};
use contract::server::{Page, PageMeta};
use serde_json::{Map, Value, json};

use crate::clock::from_iso;
use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::agents;
use crate::request::{Id, NoQuery, Query, RawId};
use crate::state::AppState;
use crate::store::activity::{self, LogQuery};
use crate::store::count;

/// Most rows one answer holds, whatever was asked for.
const ROWS_MAX: i64 = 100;
/// Rows of the account's log when the request names no number.
const LOG_DEFAULT: i64 = 25;
/// Longest text of a filter, in characters; more is cut off.
const FILTER_MAX: usize = 200;

/// `GET /api/agents/:id/events`. The answer echoes the requested limit, but holds 100 at most.
pub(super) async fn agent_events(
    State(state): State<AppState>,
    caller: Caller,
    Id(id): Id,
    Query(query): Query,
) -> Result<Json<Page<AgentEvent>>, ApiError> {
    let asked = page(&query, LIMIT_DEFAULT).map_err(ApiError::Problems)?;
    let mut reading = state.store.read().await?;
    agents::find(&mut reading, &caller.user_id, &id).await?;
    let (data, total) = activity::agent_events(
        &mut reading,
        &caller.user_id,
        &id,
        asked.limit.min(ROWS_MAX),
        asked.offset,
    )
    .await?;
    Ok(Json(Page {
        data,
        meta: PageMeta {
            total,
            limit: count(asked.limit),
            offset: count(asked.offset),
        },
    }))
}

/// `GET /api/activity-log`. This endpoint reads its query leniently: what it cannot read, it
/// ignores.
pub(super) async fn log(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<ActivityPage>, ApiError> {
    let mut reading = state.store.read().await?;
    let (activities, total) =
        activity::log(&mut reading, &caller.user_id, &log_query(&query)).await?;
    Ok(Json(ActivityPage { activities, total }))
}

fn log_query(query: &Map<String, Value>) -> LogQuery {
    let text = |key: &str| {
        let given = query.get(key).and_then(Value::as_str);
        given
            .filter(|text| !text.is_empty())
            .map(|text| text.chars().take(FILTER_MAX).collect::<String>())
    };
    let number = |key: &str| text(key).and_then(|text| text.parse::<i64>().ok());
    let moment = |key: &str| text(key).and_then(|text| from_iso(&text));
    LogQuery {
        action_type: text("actionType"),
        work_id: text("workId"),
        status: text("status"),
        from: moment("dateFrom"),
        to: moment("dateTo"),
        search: text("search"),
        limit: number("limit").unwrap_or(LOG_DEFAULT).clamp(1, ROWS_MAX),
        offset: number("offset").unwrap_or_default().max(0),
    }
}

/// `GET /api/activity-log/:id`.
pub(super) async fn log_entry(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    RawId(id): RawId,
) -> Result<Json<Value>, ApiError> {
    let mut reading = state.store.read().await?;
    let entry = activity::log_entry(&mut reading, &caller.user_id, &id)
        .await?
        .ok_or_else(|| ApiError::NotFound("Activity not found".to_owned()))?;
    Ok(Json(json!({"activity": entry})))
}
