//! R11: what the repository registry accepts (contract section 8.1): addresses to clone from,
//! directory names, environment files, and the rows derived from a Work.

use crate::ids::WorkId;
use crate::organizations::Work;
use crate::repositories::{CredentialMode, EnvFileContent, Provider, Repository, SourceType};

/// Most characters of a repository's name.
pub const NAME_MAX: usize = 120;
/// Most characters of its address.
pub const URL_MAX: usize = 512;
/// Most characters of a branch name.
pub const BRANCH_MAX: usize = 120;
/// Most characters of a description.
pub const DESCRIPTION_MAX: usize = 2_000;
/// Most characters of a credential reference.
pub const CREDENTIAL_REF_MAX: usize = 200;
/// Most characters of a directory name or of the path of an environment file.
pub const PATH_MAX: usize = 200;
/// Most environment files of a repository.
pub const ENV_FILES_MAX: usize = 8;
/// Most bytes of UTF-8 in one environment file.
pub const ENV_FILE_BYTES_MAX: usize = 32 * 1024;

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlRefusal {
    /// Neither `https://host…` nor `ssh://host/path` nor `user@host:path`.
    Form,
    /// It holds a password or token, which everybody who sees the row would see.
    Credentials,
}

impl UrlRefusal {
    /// The server's sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Form => {
                "Repository URL must be an https:// URL or an ssh remote (git@host:owner/repo)."
            }
            Self::Credentials => {
                "Repository URL must not hold a user name or password. Name a stored credential under credentialRef instead."
            }
        }
    }
}

/// Judges an address; white space around it is not part of it.
pub fn check_url(url: &str) -> Result<(), UrlRefusal> {
    let url = url.trim();
    if url.chars().count() > URL_MAX || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(UrlRefusal::Form);
    }
    if let Some(rest) = url.strip_prefix("https://") {
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(UrlRefusal::Credentials);
        }
        return fitting(is_authority(authority));
    }
    if let Some(rest) = url.strip_prefix("ssh://") {
        let Some((authority, path)) = rest.split_once('/') else {
            return Err(UrlRefusal::Form);
        };
        let (user, host) = authority.rsplit_once('@').unwrap_or(("git", authority));
        if user.contains(':') {
            return Err(UrlRefusal::Credentials);
        }
        return fitting(is_user(user) && is_authority(host) && !path.is_empty());
    }
    let scp = url.split_once('@').and_then(|(user, rest)| {
        let (host, path) = rest.split_once(':')?;
        Some(is_user(user) && is_user(host) && !path.is_empty())
    });
    fitting(scp.unwrap_or_default())
}

fn fitting(fits: bool) -> Result<(), UrlRefusal> {
    if fits { Ok(()) } else { Err(UrlRefusal::Form) }
}

/// A user name or a host of the short ssh form. A leading dash would be read as an option.
fn is_user(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && is_segment_text(text)
}

/// A host with an optional port: a name, or an IPv6 address in brackets.
fn is_authority(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) => {
                let is_address = !address.is_empty()
                    && address
                        .bytes()
                        .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'));
                (is_address, port.strip_prefix(':'))
            }
            None => (false, None),
        },
        None => match text.split_once(':') {
            Some((host, port)) => (is_host(host), Some(port)),
            None => (is_host(text), None),
        },
    };
    let port_fits = port.is_none_or(|port| {
        port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok()
    });
    host && port_fits
}

fn is_host(text: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    !text.is_empty() && !text.starts_with(['-', '.']) && text.chars().all(fits)
}

fn is_segment_text(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// Whether a text is one directory name that leads nowhere else: letters, digits, `.`, `_`, `-`,
/// 1 to 200 of them, and neither `.` nor `..`.
pub fn is_directory_name(text: &str) -> bool {
    (1..=PATH_MAX).contains(&text.len()) && is_segment_text(text) && !matches!(text, "." | "..")
}

/// The server's sentence about a text that is no [directory name](is_directory_name).
pub const MOUNT_PATH_MESSAGE: &str =
    "Mount path must be a single directory name (letters, digits, \".\", \"_\", \"-\").";

/// The directory a repository is mounted at: the one asked for, else its name made into one.
pub fn mount_dir(mount_path: Option<&str>, name: &str) -> String {
    match mount_path.map(str::trim) {
        Some(path) if is_directory_name(path) => path.to_owned(),
        Some(path) if !path.is_empty() => directory_from(path),
        _ => directory_from(name),
    }
}

/// A directory name from any text: other characters become one dash, dots and dashes at both ends
/// go, and nothing left is `repo`.
fn directory_from(text: &str) -> String {
    let at_ends = |c: char| matches!(c, '.' | '-');
    let mut name = String::new();
    for character in text.trim().chars() {
        if character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-') {
            name.push(character);
        } else if !name.ends_with('\u{0}') {
            // Stands for a run of other characters until the run is over.
            name.push('\u{0}');
        }
    }
    let name = name.replace('\u{0}', "-");
    let start = name.trim_start_matches(at_ends);
    let cut = start.get(..PATH_MAX).unwrap_or(start);
    match cut.trim_end_matches(at_ends) {
        "" => "repo".to_owned(),
        name => name.to_owned(),
    }
}

/// Whether an environment file may be put at a path: directory names joined by `/`, at most 200
/// characters, and none of them `.git`, where files are run.
pub fn is_env_file_path(path: &str) -> bool {
    path.len() <= PATH_MAX
        && path
            .split('/')
            .all(|segment| is_directory_name(segment) && !segment.eq_ignore_ascii_case(".git"))
}

/// The first thing that keeps environment files from being stored, in the server's words. Contents
/// are never part of it.
pub fn env_files_refusal(files: &[EnvFileContent]) -> Option<String> {
    if files.len() > ENV_FILES_MAX {
        return Some(format!(
            "At most {ENV_FILES_MAX} env files are allowed per repository."
        ));
    }
    for (place, file) in files.iter().enumerate() {
        let path = &file.path;
        if !is_env_file_path(path) {
            return Some(format!("Invalid env file path: \"{path}\"."));
        }
        if files.iter().take(place).any(|other| other.path == *path) {
            return Some(format!("Duplicate env file path: \"{path}\"."));
        }
        if file.content.len() > ENV_FILE_BYTES_MAX {
            return Some(format!(
                "Env file \"{path}\" exceeds the {}KB limit.",
                ENV_FILE_BYTES_MAX / 1024
            ));
        }
    }
    None
}

/// The roles a Work's repositories have, with what their names end in.
const ROLES: [(&str, &str); 3] = [("work", ""), ("website", "-website"), ("data", "-data")];

/// The rows computed from a Work: one per role, read-only, none without an owner (recorded answer
/// 184).
pub fn derived_from(work: &Work) -> Vec<Repository> {
    let owner = work
        .owner
        .as_deref()
        .filter(|owner| is_directory_name(owner));
    let rows = owner.into_iter().flat_map(|owner| {
        ROLES.iter().map(move |(role, ending)| {
            let name = format!("{}{ending}", work.slug);
            derived(&work.id, &work.name, role, owner, &name)
        })
    });
    rows.collect()
}

fn derived(work: &WorkId, title: &str, role: &str, owner: &str, name: &str) -> Repository {
    Repository {
        id: format!("work:{work}:{role}").into(),
        name: format!("{title} ({role})"),
        url: format!("https://github.com/{owner}/{name}"),
        provider: Provider::Github,
        default_branch: None,
        mount_path: None,
        mount_dir: directory_from(name),
        description: None,
        credential_mode: CredentialMode::Inherit,
        credential_ref: None,
        env_files: Vec::new(),
        available_in_all_projects: false,
        source_type: SourceType::Work,
        source_work_id: Some(work.clone()),
        source_installation_repo_id: None,
        enabled: true,
        readonly: true,
        created_at: None,
        updated_at: None,
    }
}
