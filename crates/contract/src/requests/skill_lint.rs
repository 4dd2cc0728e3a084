//! The question what the hosts make of a `SKILL.md` that is not stored (Remit only).

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::skill_lint::{LINT_DIRECTORY_MAX, LINT_TEXT_MAX, SkillLintRequest};

/// Reads the body of `POST /api/skill-lint`.
pub fn lint(body: &Map<String, Value>) -> Result<SkillLintRequest, Problems> {
    let mut fields = Reader::new(body, &["directory", "text"]);
    let directory = fields.text("directory", Text::up_to(LINT_DIRECTORY_MAX));
    let text = fields.text("text", Text::up_to(LINT_TEXT_MAX));
    fields.finish(SkillLintRequest { directory, text })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_fields_are_texts_within_their_limits() {
        let read = |body: Value| lint(body.as_object().unwrap_or(&Map::new()));
        assert!(read(json!({"directory": "a", "text": ""})).is_ok());
        assert!(read(json!({"directory": "a"})).is_err());
        assert!(read(json!({"directory": "a".repeat(256), "text": ""})).is_err());
        assert!(read(json!({"directory": "a", "text": "", "other": 1})).is_err());
    }
}
