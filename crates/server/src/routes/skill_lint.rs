//! What the hosts make of a `SKILL.md` that is being written (Remit only). Nothing is stored.

use axum::Json;
use contract::requests::skill_lint as requests;
use contract::rules::skills::lint::{Content, lint as judge};
use contract::skill_lint::SkillLint;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::request::{Body, NoQuery};
use crate::unicode::UNICODE;

/// `POST /api/skill-lint`.
pub(super) async fn lint(
    _: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<Json<SkillLint>, ApiError> {
    let request = requests::lint(&body).map_err(ApiError::Problems)?;
    Ok(Json(judge(
        &request.directory,
        Content::Bytes(request.text.as_bytes()),
        &UNICODE,
    )))
}
