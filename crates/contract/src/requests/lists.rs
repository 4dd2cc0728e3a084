//! Queries of lists: agents, pages, summaries (contract sections 1.2 and 3.2).

use serde_json::{Map, Value};

use super::Problems;
use super::agents::SCOPES;
use super::reader::{Reader, Text};
use crate::agents::{AgentScope, AgentStatus};
use crate::capabilities::ACCESS_SUMMARY_MAX;
use crate::ids::is_uuid;

/// Rows of a page when the request names no limit.
pub const LIMIT_DEFAULT: i64 = 50;
/// Most rows of a page.
pub const LIMIT_MAX: i64 = 200;
const SEARCH_MAX: usize = 80;
const STATUSES: [&str; 6] = ["draft", "active", "running", "paused", "error", "archived"];

/// Query of `GET /api/agents`. The filters are joined by AND.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentQuery {
    /// Only agents of this scope.
    pub scope: Option<AgentScope>,
    /// Only agents in this state; without it archived agents are left out.
    pub status: Option<AgentStatus>,
    /// Only agents of this mission.
    pub mission_id: Option<String>,
    /// Only agents of this idea.
    pub idea_id: Option<String>,
    /// Only agents of this Work.
    pub work_id: Option<String>,
    /// Only agents with this Work among their targets.
    pub assigned_work_id: Option<String>,
    /// Only agents with this idea among their targets.
    pub assigned_idea_id: Option<String>,
    /// A text that name, slug or title contains, in any case; at most 80 characters.
    pub search: Option<String>,
    /// Which part of the list.
    pub page: PageQuery,
}

/// The part of a list asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageQuery {
    /// Rows, 1 to 200.
    pub limit: i64,
    /// Rows to skip.
    pub offset: i64,
}

impl Default for PageQuery {
    fn default() -> Self {
        Self {
            limit: LIMIT_DEFAULT,
            offset: 0,
        }
    }
}

pub(super) fn page_fields(fields: &mut Reader<'_>, default_limit: i64) -> PageQuery {
    PageQuery {
        limit: fields
            .optional_integer("limit", 1, LIMIT_MAX)
            .unwrap_or(default_limit),
        offset: fields
            .optional_integer("offset", 0, i64::MAX)
            .unwrap_or_default(),
    }
}

/// Reads a query that holds these keys at most. An endpoint that takes no query names none: a
/// mistyped key must not be taken for the plain request, which may delete something.
pub fn only(query: &Map<String, Value>, known: &[&str]) -> Result<(), Problems> {
    Reader::new(query, known).finish(())
}

/// Reads a query that holds `limit` and `offset` only.
pub fn page(query: &Map<String, Value>, default_limit: i64) -> Result<PageQuery, Problems> {
    let mut fields = Reader::new(query, &["limit", "offset"]);
    let page = page_fields(&mut fields, default_limit);
    fields.finish(page)
}

/// Reads the query of `GET /api/access-summary` (Remit only): `agentIds`, UUIDs separated by
/// commas, 1 to 200 of them.
pub fn summaries(query: &Map<String, Value>) -> Result<Vec<String>, Problems> {
    let mut fields = Reader::new(query, &["agentIds"]);
    let text = fields.text("agentIds", Text::default());
    let ids: Vec<String> = text.split(',').map(str::to_ascii_lowercase).collect();
    if !text.is_empty() && ids.len() > ACCESS_SUMMARY_MAX {
        let rest = format!("must contain no more than {ACCESS_SUMMARY_MAX} elements");
        fields.problem("agentIds", &rest);
    } else if query.contains_key("agentIds") && !ids.iter().all(|id| is_uuid(id)) {
        fields.sentence("each value in agentIds must be a UUID");
    }
    fields.finish(ids)
}

/// Reads the query of `GET /api/agents`.
pub fn list(query: &Map<String, Value>) -> Result<AgentQuery, Problems> {
    let mut fields = Reader::new(
        query,
        &[
            "scope",
            "status",
            "missionId",
            "ideaId",
            "workId",
            "assignedWorkId",
            "assignedIdeaId",
            "search",
            "limit",
            "offset",
        ],
    );
    let request = AgentQuery {
        scope: fields
            .optional_choice("scope", &SCOPES)
            .map(|text| AgentScope::from(text.as_str())),
        status: fields
            .optional_choice("status", &STATUSES)
            .map(|text| AgentStatus::from(text.as_str())),
        mission_id: fields.optional_uuid("missionId"),
        idea_id: fields.optional_uuid("ideaId"),
        work_id: fields.optional_uuid("workId"),
        assigned_work_id: fields.optional_uuid("assignedWorkId"),
        assigned_idea_id: fields.optional_uuid("assignedIdeaId"),
        search: fields.optional_text("search", Text::up_to(SEARCH_MAX)),
        page: page_fields(&mut fields, LIMIT_DEFAULT),
    };
    fields.finish(request)
}
