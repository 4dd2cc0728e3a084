//! Requests about repositories and their attachments (contract section 8).

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::repositories::{
    CredentialMode, EnvFileContent, EnvFileContents, Provider, RepositoryCreate, RepositoryPatch,
};
use crate::rules::repositories::{
    BRANCH_MAX, CREDENTIAL_REF_MAX, DESCRIPTION_MAX, ENV_FILES_MAX, MOUNT_PATH_MESSAGE, NAME_MAX,
    PATH_MAX, URL_MAX, check_url, env_files_refusal, is_directory_name,
};

const PROVIDERS: [&str; 2] = ["github", "git"];
const MODES: [&str; 3] = ["inherit", "github-app", "secret-ref"];
/// Most characters of an environment file that are looked at; its bytes are counted afterwards.
const CONTENT_MAX: usize = 64 * 1024;
const FIELDS: [&str; 11] = [
    "name",
    "url",
    "provider",
    "defaultBranch",
    "mountPath",
    "description",
    "credentialMode",
    "credentialRef",
    "envFiles",
    "availableInAllProjects",
    "enabled",
];

const fn required(max: usize) -> Text {
    Text {
        min: 1,
        max,
        not_empty: false,
    }
}

/// Reads the query of `GET /api/repo-connections`: whether derived rows are wanted. Any value but
/// `true` means no.
pub fn list(query: &Map<String, Value>) -> Result<bool, Problems> {
    let fields = Reader::new(query, &["includeDerived"]);
    let wanted = query.get("includeDerived").and_then(Value::as_str) == Some("true");
    fields.finish(wanted)
}

fn provider(fields: &mut Reader<'_>) -> Option<Provider> {
    fields
        .optional_choice("provider", &PROVIDERS)
        .map(|text| Provider::from(text.as_str()))
}

fn credential_mode(fields: &mut Reader<'_>) -> Option<CredentialMode> {
    fields
        .optional_choice("credentialMode", &MODES)
        .map(|text| CredentialMode::from(text.as_str()))
}

fn mount_path(fields: &mut Reader<'_>) -> Option<Option<String>> {
    let given = fields.text_or_null("mountPath", Text::default())?;
    let fits = |text: &String| {
        (1..=PATH_MAX).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    };
    if given.as_ref().is_some_and(|text| !fits(text)) {
        fields.sentence(
            "mountPath must be a single directory name (letters, digits, \".\", \"_\", \"-\")",
        );
    }
    Some(given)
}

fn env_files(fields: &mut Reader<'_>, key: &str) -> Option<Vec<EnvFileContent>> {
    let mut files = Vec::new();
    let given = fields.objects_or_null(key, ENV_FILES_MAX, &["path", "content"], |file| {
        files.push(EnvFileContent {
            path: file.text("path", required(PATH_MAX)),
            content: file.text("content", Text::up_to(CONTENT_MAX)),
        });
    });
    given.flatten().map(|_| files)
}

/// Reads the body of `POST /api/repo-connections`.
pub fn create(body: &Map<String, Value>) -> Result<RepositoryCreate, Problems> {
    let mut fields = Reader::new(body, &FIELDS);
    let name = fields.text("name", required(NAME_MAX));
    let url = fields.text("url", required(URL_MAX));
    let request = RepositoryCreate {
        name,
        url,
        provider: provider(&mut fields),
        default_branch: fields.optional_text("defaultBranch", Text::up_to(BRANCH_MAX)),
        mount_path: mount_path(&mut fields).flatten(),
        description: fields.optional_text("description", Text::up_to(DESCRIPTION_MAX)),
        credential_mode: credential_mode(&mut fields),
        credential_ref: fields.optional_text("credentialRef", Text::up_to(CREDENTIAL_REF_MAX)),
        env_files: env_files(&mut fields, "envFiles"),
        available_in_all_projects: fields.optional_boolean("availableInAllProjects"),
        enabled: fields.optional_boolean("enabled"),
    };
    fields.finish(request)
}

/// Reads the body of `PATCH /api/repo-connections/:id`.
pub fn patch(body: &Map<String, Value>) -> Result<RepositoryPatch, Problems> {
    let mut fields = Reader::new(body, &FIELDS);
    let request = RepositoryPatch {
        name: fields.optional_text("name", required(NAME_MAX)),
        url: fields.optional_text("url", required(URL_MAX)),
        provider: provider(&mut fields),
        default_branch: fields.text_or_null("defaultBranch", Text::up_to(BRANCH_MAX)),
        mount_path: mount_path(&mut fields),
        description: fields.text_or_null("description", Text::up_to(DESCRIPTION_MAX)),
        credential_mode: credential_mode(&mut fields),
        credential_ref: fields.text_or_null("credentialRef", Text::up_to(CREDENTIAL_REF_MAX)),
        env_files: env_files(&mut fields, "envFiles"),
        available_in_all_projects: fields.optional_boolean("availableInAllProjects"),
        enabled: fields.optional_boolean("enabled"),
    };
    fields.finish(request)
}

/// Reads the body of `PUT /api/repo-connections/:id/env-files`, which replaces all files.
pub fn env_files_put(body: &Map<String, Value>) -> Result<EnvFileContents, Problems> {
    let mut fields = Reader::new(body, &["files"]);
    let files = env_files(&mut fields, "files");
    if files.is_none() {
        let most = format!("must contain no more than {ENV_FILES_MAX} elements");
        fields.problem("files", &most);
        fields.problem("files", "must be an array");
    }
    fields.finish(EnvFileContents {
        files: files.unwrap_or_default(),
    })
}

/// Reads the body of `PUT /api/agents/:agentId/repos/:repoConnectionId`.
pub fn attachment(body: &Map<String, Value>) -> Result<bool, Problems> {
    let mut fields = Reader::new(body, &["enabled"]);
    let enabled = fields.boolean("enabled");
    fields.finish(enabled)
}

impl RepositoryCreate {
    /// The rules that speak in one sentence: name, address, directory, environment files.
    pub fn check(&self) -> Result<(), String> {
        check(
            Some(&self.name),
            Some(&self.url),
            self.mount_path.as_deref(),
            self.env_files.as_deref(),
        )
    }
}

impl RepositoryPatch {
    /// See [`RepositoryCreate::check`].
    pub fn check(&self) -> Result<(), String> {
        check(
            self.name.as_deref(),
            self.url.as_deref(),
            self.mount_path.as_ref().and_then(Option::as_deref),
            self.env_files.as_deref(),
        )
    }
}

fn check(
    name: Option<&str>,
    url: Option<&str>,
    mount_path: Option<&str>,
    env_files: Option<&[EnvFileContent]>,
) -> Result<(), String> {
    if name.is_some_and(|name| name.trim().is_empty()) {
        return Err(format!(
            "Repository name is required (max {NAME_MAX} characters)."
        ));
    }
    if let Some(Err(refusal)) = url.map(check_url) {
        return Err(refusal.sentence().to_owned());
    }
    if mount_path.is_some_and(|path| !is_directory_name(path)) {
        return Err(MOUNT_PATH_MESSAGE.to_owned());
    }
    env_files.and_then(env_files_refusal).map_or(Ok(()), Err)
}
