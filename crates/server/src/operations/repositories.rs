//! The repository registry (contract section 8.1). Contents of environment files go in and come
//! out by their own read only; records name their paths and sizes.

use contract::UserId;
use contract::events::{Actor, ChangeKind};
use contract::repositories::{
    CredentialMode, EnvFile, EnvFileContent, EnvFileContents, EnvFiles, Provider, Repository,
    RepositoryCreate, RepositoryPatch, SourceType,
};
use contract::rules::repositories::{derived_from, mount_dir};
use contract::rules::secrets;
use unicode_normalization::UnicodeNormalization;

use super::resources::{self, Registry};
use super::{account, new_id, record};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::{Connection, StoreError, WriteTx, is_duplicate, repositories, works};

/// The caller's rows by name; with `derived` the ones computed from Works behind them.
pub async fn list(
    state: &AppState,
    user: &UserId,
    derived: bool,
) -> Result<Vec<Repository>, ApiError> {
    let mut reading = state.store.read().await?;
    let mut rows = repositories::list(&mut reading, user).await?;
    if derived {
        let works = works::list(&mut reading, user).await?;
        rows.extend(works.iter().flat_map(derived_from));
    }
    Ok(rows)
}

/// One row of the caller.
pub async fn get(state: &AppState, user: &UserId, id: &str) -> Result<Repository, ApiError> {
    let mut reading = state.store.read().await?;
    find(&mut reading, user, id).await
}

pub(super) async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Repository, ApiError> {
    repositories::find(connection, user, id)
        .await?
        .ok_or_else(|| ApiError::NotFound("Repository not found.".to_owned()))
}

/// Refuses a token where a pointer or an address belongs: both are shown to everybody who reads
/// the row.
fn check_secrets(url: Option<&str>, reference: Option<&str>) -> Result<(), ApiError> {
    let nfkc = |text: &str| text.nfkc().collect::<String>();
    for (text, subject) in [(url, "Repository URL"), (reference, "Credential reference")] {
        if let Some(finding) = text.and_then(|text| secrets::scan(text, &nfkc)) {
            return Err(ApiError::BadRequest(finding.server_message(subject)));
        }
    }
    Ok(())
}

/// A text without white space around it; nothing left counts as not given.
fn trimmed(text: Option<String>) -> Option<String> {
    let text = text?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn masked(files: &[EnvFileContent]) -> Vec<EnvFile> {
    files.iter().map(EnvFileContent::masked).collect()
}

/// Registers a repository.
pub async fn create(
    state: &AppState,
    actor: &Actor,
    request: RepositoryCreate,
) -> Result<Repository, ApiError> {
    request.check().map_err(ApiError::BadRequest)?;
    check_secrets(Some(&request.url), request.credential_ref.as_deref())?;
    let now = clock::stamp();
    let files = request.env_files.unwrap_or_default();
    let name = request.name.trim().to_owned();
    let mount_path = trimmed(request.mount_path);
    let made = Repository {
        id: new_id().into(),
        url: request.url.trim().to_owned(),
        provider: request.provider.unwrap_or(Provider::Github),
        default_branch: trimmed(request.default_branch),
        mount_dir: mount_dir(mount_path.as_deref(), &name),
        mount_path,
        name,
        description: request.description,
        credential_mode: request.credential_mode.unwrap_or(CredentialMode::Inherit),
        credential_ref: trimmed(request.credential_ref),
        env_files: masked(&files),
        available_in_all_projects: request.available_in_all_projects.unwrap_or(true),
        source_type: SourceType::Manual,
        source_work_id: None,
        source_installation_repo_id: None,
        enabled: request.enabled.unwrap_or(true),
        readonly: false,
        created_at: Some(iso(now)),
        updated_at: Some(iso(now)),
    };
    let mut writing = state.store.write().await?;
    save(&mut writing, &actor.user_id, &made).await?;
    repositories::replace_env_files(&mut writing, made.id.as_str(), &files).await?;
    let change = (None, Some(&made));
    let action = ("repo_connection_created", "registered");
    log(&mut writing, actor, change, action).await?;
    state.commit(writing).await?;
    Ok(made)
}

async fn save(
    connection: &mut Connection,
    user: &UserId,
    repository: &Repository,
) -> Result<(), ApiError> {
    let taken = |error: StoreError| {
        if is_duplicate(&error) {
            return ApiError::Conflict(format!(
                "A repository named \"{}\" already exists in your registry.",
                repository.name
            ));
        }
        error.into()
    };
    repositories::save(connection, user, repository)
        .await
        .map_err(taken)
}

/// Changes a row.
pub async fn patch(
    state: &AppState,
    actor: &Actor,
    id: &str,
    request: RepositoryPatch,
) -> Result<Repository, ApiError> {
    request.check().map_err(ApiError::BadRequest)?;
    let reference = request.credential_ref.as_ref().and_then(Option::as_deref);
    check_secrets(request.url.as_deref(), reference)?;
    let mut writing = state.store.write().await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    let mut after = before.clone();
    let files = request.env_files.clone();
    apply(&mut after, request);
    update(state, writing, actor, (before, after), files).await
}

fn apply(repository: &mut Repository, request: RepositoryPatch) {
    set(
        &mut repository.name,
        request.name.map(|name| name.trim().to_owned()),
    );
    set(
        &mut repository.url,
        request.url.map(|url| url.trim().to_owned()),
    );
    set(&mut repository.provider, request.provider);
    set(
        &mut repository.default_branch,
        request.default_branch.map(trimmed),
    );
    set(&mut repository.mount_path, request.mount_path.map(trimmed));
    set(&mut repository.description, request.description);
    set(&mut repository.credential_mode, request.credential_mode);
    set(
        &mut repository.credential_ref,
        request.credential_ref.map(trimmed),
    );
    set(
        &mut repository.available_in_all_projects,
        request.available_in_all_projects,
    );
    set(&mut repository.enabled, request.enabled);
    if let Some(files) = &request.env_files {
        repository.env_files = masked(files);
    }
    repository.mount_dir = mount_dir(repository.mount_path.as_deref(), &repository.name);
}

fn set<T>(slot: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *slot = value;
    }
}

/// Stores the new state, and the files if there are new ones, with its record, unless nothing
/// changed.
async fn update(
    state: &AppState,
    mut writing: WriteTx,
    actor: &Actor,
    (before, mut after): (Repository, Repository),
    files: Option<Vec<EnvFileContent>>,
) -> Result<Repository, ApiError> {
    let id = before.id.as_str();
    let new_files = match files {
        Some(files) if repositories::env_files(&mut writing, id).await? != files => Some(files),
        _ => None,
    };
    if before == after && new_files.is_none() {
        return Ok(before);
    }
    after.updated_at = Some(iso(clock::stamp()));
    save(&mut writing, &actor.user_id, &after).await?;
    if let Some(files) = &new_files {
        repositories::replace_env_files(&mut writing, id, files).await?;
    }
    let verb = match new_files {
        Some(_) => "updated, its environment files replaced",
        None => "updated",
    };
    let action = ("repo_connection_updated", verb);
    log(&mut writing, actor, (Some(&before), Some(&after)), action).await?;
    state.commit(writing).await?;
    Ok(after)
}

/// Removes a row; it is detached from every agent.
pub async fn delete(state: &AppState, actor: &Actor, id: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    repositories::delete(&mut writing, id).await?;
    let action = ("repo_connection_deleted", "removed");
    log(&mut writing, actor, (Some(&before), None), action).await?;
    state.commit(writing).await
}

/// The environment files of a row with their contents: the only read that shows them.
pub async fn env_files(
    state: &AppState,
    user: &UserId,
    id: &str,
) -> Result<EnvFileContents, ApiError> {
    let mut reading = state.store.read().await?;
    find(&mut reading, user, id).await?;
    let files = repositories::env_files(&mut reading, id).await?;
    Ok(EnvFileContents { files })
}

/// Replaces all environment files of a row; answers their paths and sizes.
pub async fn put_env_files(
    state: &AppState,
    actor: &Actor,
    id: &str,
    request: EnvFileContents,
) -> Result<EnvFiles, ApiError> {
    let request = RepositoryPatch {
        env_files: Some(request.files),
        ..RepositoryPatch::default()
    };
    let changed = patch(state, actor, id, request).await?;
    Ok(EnvFiles {
        files: changed.env_files,
    })
}

/// Imports a repository of an installed GitHub App. None can be installed on this control plane,
/// so no id of one can be the caller's.
pub fn import() -> Result<Repository, ApiError> {
    Err(ApiError::NotFound(
        "GitHub App repository not found.".to_owned(),
    ))
}

async fn log(
    writing: &mut WriteTx,
    actor: &Actor,
    change: (Option<&Repository>, Option<&Repository>),
    (action_type, verb): (&'static str, &str),
) -> Result<(), ApiError> {
    let user = account(writing, &actor.user_id).await?;
    let shown = change.1.or(change.0);
    let (id, name) = shown.map_or(("", ""), |shown| (shown.id.as_str(), shown.name.as_str()));
    let registry = Registry {
        resource_type: "repo_connection",
        kind: ChangeKind::Repository,
    };
    let summary = format!("Repository {name} {verb}");
    let at = clock::stamp();
    let entry = resources::entry(registry, actor, id, change, action_type, summary, at)?;
    record(writing, &user, actor, entry).await
}
