//! What the hosts make of a `SKILL.md` that is being written (Remit only). Nothing is stored.

use axum::Json;
use contract::requests::skill_lint as requests;
use contract::rules::skills::lint::{Content, lint as judge};
use contract::rules::skills::name::Unicode;
use contract::skill_lint::SkillLint;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::request::{Body, NoQuery};

/// `POST /api/skill-lint`.
pub(super) async fn lint(
    _: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<Json<SkillLint>, ApiError> {
    let request = requests::lint(&body).map_err(ApiError::Problems)?;
    let unicode = Unicode {
        nfkc: &|text| text.nfkc().collect(),
        is_mark: &is_combining_mark,
    };
    Ok(Json(judge(
        &request.directory,
        Content::Bytes(request.text.as_bytes()),
        &unicode,
    )))
}
