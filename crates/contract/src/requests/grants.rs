//! Requests about tool grants (contract section 5.2).

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::grants::{GrantWrite, NOTE_MAX, PATTERNS_MAX, Scope, TOOL_NAME_MAX};
use crate::rules::pattern::check_pattern;

/// Which chain to resolve: the ids of `GET /api/tool-grants/resolve` and `check`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainQuery {
    /// A Work.
    pub work_id: Option<String>,
    /// An agent.
    pub agent_id: Option<String>,
    /// An organization.
    pub organization_id: Option<String>,
}

impl ChainQuery {
    /// The sentence to refuse with when no id is given at all (contract section 5.2).
    pub fn check(&self) -> Result<(), String> {
        if self.work_id.is_none() && self.agent_id.is_none() && self.organization_id.is_none() {
            return Err("Provide workId, agentId and/or organizationId.".to_owned());
        }
        Ok(())
    }
}

fn chain(fields: &mut Reader<'_>) -> ChainQuery {
    ChainQuery {
        work_id: fields.optional_uuid("workId"),
        agent_id: fields.optional_uuid("agentId"),
        organization_id: fields.optional_uuid("organizationId"),
    }
}

/// Reads the query of `GET /api/tool-grants/resolve`.
pub fn resolve(query: &Map<String, Value>) -> Result<ChainQuery, Problems> {
    let mut fields = Reader::new(query, &["workId", "agentId", "organizationId"]);
    let ids = chain(&mut fields);
    fields.finish(ids)
}

/// Reads the query of `GET /api/tool-grants/check`: the chain and the tool asked about, which may
/// be empty but not missing.
pub fn check(query: &Map<String, Value>) -> Result<(ChainQuery, String), Problems> {
    let mut fields = Reader::new(query, &["workId", "agentId", "organizationId", "toolName"]);
    let ids = chain(&mut fields);
    let tool = fields.text("toolName", Text::up_to(TOOL_NAME_MAX));
    fields.finish((ids, tool))
}

fn patterns(fields: &mut Reader<'_>, key: &str) -> Option<Vec<String>> {
    let value = fields.raw(key).filter(|value| !value.is_null())?;
    let list = value.as_array();
    let texts: Option<Vec<String>> = list.and_then(|list| {
        list.iter()
            .map(|item| {
                item.as_str()
                    .filter(|text| check_pattern(text).is_ok())
                    .map(str::to_owned)
            })
            .collect()
    });
    if texts.is_none() {
        fields.sentence(&format!(
            "each value in {key} must match /^(\\*|[A-Za-z0-9_.:-]{{1,120}}\\*?)$/ regular expression"
        ));
    }
    if list.is_none_or(|list| list.len() > PATTERNS_MAX) {
        fields.problem(
            key,
            &format!("must contain no more than {PATTERNS_MAX} elements"),
        );
    }
    if list.is_none() {
        fields.problem(key, "must be an array");
    }
    texts
}

/// A grant write with the one difference that matters between an absent and a `null` list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantPut {
    /// The row to store.
    pub write: GrantWrite,
    /// Whether `allow` or `deny` was present at all, be it as `null`.
    pub names_a_list: bool,
}

impl GrantPut {
    /// The sentence to refuse with when neither list was named (contract section 5.2).
    pub fn check(&self) -> Result<(), String> {
        if self.names_a_list {
            return Ok(());
        }
        Err("Provide allow and/or deny. To clear a grant, DELETE the row instead.".to_owned())
    }
}

/// Reads the body of `PUT /api/tool-grants`.
pub fn put(body: &Map<String, Value>) -> Result<GrantPut, Problems> {
    let mut fields = Reader::new(body, &["scopeType", "scopeId", "allow", "deny", "note"]);
    let scopes: Vec<&str> = Scope::WRITABLE.iter().map(Scope::as_str).collect();
    let scope_type = Scope::from(fields.choice("scopeType", &scopes).as_str());
    let scope_id = fields.uuid("scopeId");
    let allow = patterns(&mut fields, "allow");
    let deny = patterns(&mut fields, "deny");
    let note = fields.optional_text("note", Text::up_to(NOTE_MAX));
    let names_a_list = body.contains_key("allow") || body.contains_key("deny");
    fields.finish(GrantPut {
        write: GrantWrite {
            scope_type,
            scope_id,
            allow,
            deny,
            note,
        },
        names_a_list,
    })
}
