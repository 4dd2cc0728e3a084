//! Skills in folders of the server's machine (Remit only).

use axum::Json;
use axum::extract::State;
use contract::requests::skill_folders::prompt as prompt_request;
use contract::skill_folders::{FolderSkillDetail, PromptAnswer, SkillFolderList};

use crate::error::ApiError;
use crate::request::{Body, NoQuery, RawId};
use crate::state::AppState;

/// `GET /api/skill-folders`.
pub(super) async fn list(
    State(state): State<AppState>,
    _: NoQuery,
) -> Result<Json<SkillFolderList>, ApiError> {
    state.skill_folders.list().await.map(Json)
}

/// `GET /api/skill-folders/:id`.
pub(super) async fn read(
    State(state): State<AppState>,
    _: NoQuery,
    RawId(id): RawId,
) -> Result<Json<FolderSkillDetail>, ApiError> {
    match state.skill_folders.skill(&id).await? {
        Some(detail) => Ok(Json(detail)),
        None => Err(ApiError::NotFound(format!("Skill {id} not found."))),
    }
}

/// `POST /api/skill-prompts`. It reads and changes nothing.
pub(super) async fn prompt(
    State(state): State<AppState>,
    _: NoQuery,
    Body(body): Body,
) -> Result<Json<PromptAnswer>, ApiError> {
    let request = prompt_request(&body).map_err(ApiError::Problems)?;
    let id = request.folder_id.clone();
    match state.skill_folders.prompt(request).await? {
        Some(answer) => Ok(Json(answer)),
        None => Err(ApiError::NotFound(format!("Skill folder {id} not found."))),
    }
}
