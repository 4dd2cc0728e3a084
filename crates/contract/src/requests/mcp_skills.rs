//! Requests about skills that MCP servers publish (Remit only): which skill, which of its files,
//! which content is approved.

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::mcp_skills::{ADDRESS_MAX, McpSkillAddress, McpSkillApprove, McpSkillFileAddress};
use crate::rules::skills::manifest::is_digest;

const ADDRESS: Text = Text {
    not_empty: true,
    ..Text::up_to(ADDRESS_MAX)
};

/// Reads the body of `POST /api/mcp-connections/:id/skills/{get,verify}` and of
/// `DELETE …/skills/approval`.
pub fn address(body: &Map<String, Value>) -> Result<McpSkillAddress, Problems> {
    let mut fields = Reader::new(body, &["uri"]);
    let uri = fields.text("uri", ADDRESS);
    fields.finish(McpSkillAddress { uri })
}

/// Reads the body of `POST /api/mcp-connections/:id/skills/{read,directory}`.
pub fn file(body: &Map<String, Value>) -> Result<McpSkillFileAddress, Problems> {
    let mut fields = Reader::new(body, &["skill", "uri"]);
    let skill = fields.text("skill", ADDRESS);
    let uri = fields.text("uri", ADDRESS);
    fields.finish(McpSkillFileAddress { skill, uri })
}

/// Reads the body of `PUT /api/mcp-connections/:id/skills/approval`: the fingerprint that was
/// shown is required, as nothing else says what was approved.
pub fn approve(body: &Map<String, Value>) -> Result<McpSkillApprove, Problems> {
    let mut fields = Reader::new(body, &["uri", "fingerprint"]);
    let uri = fields.text("uri", ADDRESS);
    let fingerprint = fields.text("fingerprint", Text::up_to(80));
    if !is_digest(&fingerprint) {
        fields.problem(
            "fingerprint",
            "must be `sha256:` and 64 lowercase hexadecimal digits",
        );
    }
    fields.finish(McpSkillApprove {
        uri,
        fingerprint: Some(fingerprint),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn addresses_are_texts_within_their_limit() {
        let read = |body: Value| address(&object(&body));
        assert!(read(json!({"uri": "skill://a/SKILL.md"})).is_ok());
        assert!(read(json!({"uri": "é".repeat(ADDRESS_MAX)})).is_ok());
        for wrong in [
            json!({}),
            json!({"uri": ""}),
            json!({"uri": 1}),
            json!({"uri": "a".repeat(ADDRESS_MAX + 1)}),
            json!({"uri": "a", "name": "b"}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
        assert!(file(&object(&json!({"skill": "a", "uri": "b"}))).is_ok());
        assert!(file(&object(&json!({"uri": "b"}))).is_err());
    }

    #[test]
    fn approval_names_what_was_shown() {
        let read = |body: Value| approve(&object(&body));
        let fingerprint = format!("sha256:{}", "0a".repeat(32));
        assert!(read(json!({"uri": "a", "fingerprint": fingerprint})).is_ok());
        for wrong in [
            json!({"uri": "a"}),
            json!({"uri": "a", "fingerprint": ""}),
            json!({"uri": "a", "fingerprint": fingerprint.to_uppercase()}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
