//! Requests about skill folders (Remit only).

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::skill_folders::{PromptRequest, PromptVariant};
use crate::skill_lint::SkillHost;

/// The largest budget that can be asked about, in characters; also the smallest, negated.
pub const BUDGET_MAX: i64 = 1_000_000;

/// Length of an id, in characters.
const ID_MAX: usize = 64;

/// Reads the body of `POST /api/skill-prompts`.
pub fn prompt(body: &Map<String, Value>) -> Result<PromptRequest, Problems> {
    let mut fields = Reader::new(body, &["folderId", "host", "budget", "variant"]);
    let request = PromptRequest {
        folder_id: fields.text("folderId", Text::up_to(ID_MAX)),
        host: fields
            .optional_choice("host", &["myCodeAgent", "coder"])
            .map(|text| SkillHost::from(text.as_str())),
        budget: fields.optional_integer("budget", -BUDGET_MAX, BUDGET_MAX),
        variant: fields
            .optional_choice("variant", &["code", "article"])
            .map(|text| PromptVariant::from(text.as_str())),
    };
    fields.finish(request)
}
