//! Skills, the catalog and bindings (contract section 10).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use contract::requests::skills as requests;
use contract::server::{Deleted, Page};
use contract::skills::{
    AgentSkillList, CatalogAnswer, CatalogPage, CatalogSkill, Skill, SkillBinding,
};

use crate::credentials::Caller;
use crate::error::ApiError;
use crate::operations::{skill_bindings, skills};
use crate::request::{Body, Id, NoQuery, Query, RawId};
use crate::skill_catalog;
use crate::state::AppState;

/// `GET /api/skills`.
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query,
) -> Result<Json<Page<Skill>>, ApiError> {
    let request = requests::list(&query).map_err(ApiError::Problems)?;
    Ok(Json(skills::list(&state, &caller.user_id, &request).await?))
}

/// `GET /api/skills/:id`.
pub(super) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Skill>, ApiError> {
    Ok(Json(skills::get(&state, &caller.user_id, &id).await?))
}

/// `POST /api/skills`.
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<Skill>), ApiError> {
    let request = requests::create(&body).map_err(ApiError::Problems)?;
    let made = skills::create(&state, &caller.actor(), request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `PATCH /api/skills/:id`.
pub(super) async fn change(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<Json<Skill>, ApiError> {
    let request = requests::patch(&body).map_err(ApiError::Problems)?;
    let changed = skills::patch(&state, &caller.actor(), &id, request).await?;
    Ok(Json(changed))
}

/// `DELETE /api/skills/:id`.
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Deleted>, ApiError> {
    skills::delete(&state, &caller.actor(), &id).await?;
    Ok(Json(Deleted { deleted: true }))
}

/// `GET /api/skills/catalog`: by slug.
pub(super) async fn catalog(_: Caller, Query(query): Query) -> Result<Json<CatalogPage>, ApiError> {
    let request = requests::catalog(&query).map_err(ApiError::Problems)?;
    let wanted: Vec<&CatalogSkill> = skill_catalog::entries()
        .iter()
        .filter(|entry| request.wants(entry))
        .collect();
    let place = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let page = wanted
        .iter()
        .skip(place(request.page.offset))
        .take(place(request.page.limit));
    Ok(Json(CatalogPage {
        entries: page.copied().cloned().collect(),
        total: u64::try_from(wanted.len()).unwrap_or(u64::MAX),
    }))
}

/// `GET /api/skills/catalog/:slug`.
pub(super) async fn catalog_entry(
    _: Caller,
    _: NoQuery,
    RawId(slug): RawId,
) -> Result<Json<CatalogAnswer>, ApiError> {
    Ok(Json(CatalogAnswer {
        entry: skills::catalog_entry(&slug)?.clone(),
        provider_id: skill_catalog::PROVIDER.to_owned(),
    }))
}

/// `POST /api/skills/install`.
pub(super) async fn install(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Body(body): Body,
) -> Result<(StatusCode, Json<Skill>), ApiError> {
    let request = requests::install(&body).map_err(ApiError::Problems)?;
    let made = skills::install(&state, &caller.actor(), request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `GET /api/skills/:id/bindings`.
pub(super) async fn bindings(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Vec<SkillBinding>>, ApiError> {
    let found = skill_bindings::of_skill(&state, &caller.user_id, &id).await?;
    Ok(Json(found))
}

/// `POST /api/skills/:id/bindings`.
pub(super) async fn bind(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
    Body(body): Body,
) -> Result<(StatusCode, Json<SkillBinding>), ApiError> {
    let request = requests::binding(&body).map_err(ApiError::Problems)?;
    let made = skill_bindings::create(&state, &caller.actor(), &id, request).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// `DELETE /api/skill-bindings/:id`.
pub(super) async fn unbind(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<Deleted>, ApiError> {
    skill_bindings::delete(&state, &caller.actor(), &id).await?;
    Ok(Json(Deleted { deleted: true }))
}

/// `GET /api/agents/:id/skills`.
pub(super) async fn of_agent(
    State(state): State<AppState>,
    caller: Caller,
    _: NoQuery,
    Id(id): Id,
) -> Result<Json<AgentSkillList>, ApiError> {
    let found = skill_bindings::of_agent(&state, &caller.user_id, &id).await?;
    Ok(Json(found))
}
