//! Published skills as they are answered: the entry judged by its shape, with what is known of
//! its files, its approval, its neighbours and its namesakes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use contract::mcp_skills::{
    ADDRESS_MAX, Approval, ApprovalState, FileCheck, ManifestChanges, McpSkill, McpSkillFile,
    McpSkillStatus,
};
use contract::rules::skills::entry::{SkillEntry, judge};
use contract::rules::skills::manifest::{
    self, BYTES_MAX, FILES_MAX, Resources, SkillResource, Weight,
};
use contract::rules::skills::place::{around, directory, path_below};
use contract::rules::skills::requested::requested_tools;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::clock::iso;
use crate::error::ApiError;
use crate::secrets::hex;
use crate::state::AppState;
use crate::store::connections::{self, Stored};
use crate::store::mcp_skills::{self, Approved, Checked, Checks};
use crate::store::skills;

/// Reasons told about one skill; the rest would say the same.
const REASONS_MAX: usize = 20;
/// Stands before the slug of a skill of the workspace, in place of a connection's name.
const WORKSPACE: &str = "Workspace";
/// Namesakes told of one skill.
const NAMESAKES_MAX: usize = 20;

/// One entry as it came.
pub(super) struct Seen {
    /// The address, or what stands in its place.
    pub(super) uri: String,
    raw: Value,
    /// The entry, or why it can never be loaded.
    pub(super) judged: Result<Arc<SkillEntry>, Vec<String>>,
}

impl Seen {
    /// An entry that was judged before.
    pub(super) fn held(entry: Arc<SkillEntry>) -> Self {
        Self {
            uri: entry.uri.clone(),
            raw: Value::Null,
            judged: Ok(entry),
        }
    }

    /// The files the entry lists, none if it is not valid.
    pub(super) fn resources(&self) -> Resources {
        match &self.judged {
            Ok(entry) => entry.resources.clone(),
            Err(_) => Resources::Listed(Vec::new()),
        }
    }
}

/// Judges entries one by one, away from the tasks that answer requests.
pub(super) async fn judge_all(entries: Vec<Value>) -> Result<Vec<Seen>, ApiError> {
    let judging = move || {
        let mut addresses = HashSet::new();
        let judged = entries.into_iter().map(|raw| {
            let seen = judge_one(raw);
            if addresses.insert(seen.uri.clone()) {
                return seen;
            }
            let why = vec!["The address is listed before; the first entry counts.".to_owned()];
            Seen {
                judged: Err(why),
                ..seen
            }
        });
        judged.collect()
    };
    tokio::task::spawn_blocking(judging)
        .await
        .map_err(ApiError::internal)
}

fn judge_one(raw: Value) -> Seen {
    let uri = match raw.get("uri") {
        Some(Value::String(uri)) => uri.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let judged = match judge(&raw) {
        Ok(_) if uri.chars().count() > ADDRESS_MAX => Err(vec![format!(
            "The address has more than {ADDRESS_MAX} characters, the most this host takes."
        )]),
        Ok(entry) => Ok(Arc::new(entry)),
        Err(problems) => Err(problems
            .into_iter()
            .map(|problem| {
                if problem.at.is_empty() {
                    problem.message.to_owned()
                } else {
                    format!("{}: {}", problem.at, problem.message)
                }
            })
            .collect()),
    };
    Seen { uri, raw, judged }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The name of the set of files, as it is shown and approved; `None` without a list.
pub(super) fn fingerprint(entry: &SkillEntry) -> Option<String> {
    match &entry.resources {
        Resources::Listed(files) => Some(manifest::fingerprint(files, &sha256)),
        Resources::Dynamic => None,
    }
}

/// Why an entry is over the limits of this host; empty if it is not.
pub(super) fn over_limits(entry: &SkillEntry) -> Vec<String> {
    let Some(weight) = Weight::of(&entry.resources) else {
        return Vec::new();
    };
    let files = weight.is_over_files().then(|| {
        format!(
            "The skill has {} files; this host takes up to {FILES_MAX}.",
            weight.files
        )
    });
    let bytes = weight.is_over_bytes().then(|| {
        format!(
            "The skill has {} bytes; this host takes up to {BYTES_MAX}.",
            weight.bytes
        )
    });
    files.into_iter().chain(bytes).collect()
}

/// A digest of what the bytes of a file are compared with. A result counts for this and nothing
/// else.
pub(super) fn basis(entry: &SkillEntry, file: &SkillResource) -> String {
    let head = (file.uri == entry.uri).then_some(&entry.frontmatter);
    let compared = json!([file.uri, file.digest, file.size, head]);
    sha256(compared.to_string().as_bytes())
}

/// How an approved set and the present one differ; `None` if they do not.
pub(super) fn difference(approved: &Approved, present: &Resources) -> Option<ManifestChanges> {
    match manifest::approval(&approved.files, present) {
        manifest::Approval::Valid => None,
        manifest::Approval::Revoked {
            added,
            removed,
            changed,
        } => Some(ManifestChanges {
            added,
            removed,
            changed,
        }),
        manifest::Approval::NeverPersistable => Some(ManifestChanges {
            removed: approved.files.iter().map(|file| file.uri.clone()).collect(),
            ..ManifestChanges::default()
        }),
    }
}

/// What is known around the skills of one connection.
pub(super) struct Known {
    approvals: HashMap<String, Approved>,
    checks: HashMap<String, Checks>,
    /// `connection · address` by name, of all connections of the account, and its own skills.
    names: HashMap<String, Vec<String>>,
    /// Addresses of skills by their directory.
    directories: HashMap<String, String>,
    server: String,
}

impl Known {
    /// Reads it. Entries of a listing that were just seen are held by now.
    pub(super) async fn load(state: &AppState, stored: &Stored) -> Result<Self, ApiError> {
        let id = &stored.connection.id;
        let mut reading = state.store.read().await?;
        let approvals = mcp_skills::approvals(&mut reading, id.as_str()).await?;
        let checks = mcp_skills::checks(&mut reading, id.as_str()).await?;
        let all = connections::list(&mut reading, &stored.user_id).await?;
        let own = skills::slugs(&mut reading, &stored.user_id).await?;
        drop(reading);
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        for slug in own {
            let place = place(WORKSPACE, &slug);
            names.entry(slug).or_default().push(place);
        }
        let mut directories = HashMap::new();
        for other in &all {
            let row = &other.connection;
            for (name, uri) in state.held.names(&row.id, other.registration) {
                if row.id == *id
                    && let Some(directory) = directory(&uri)
                {
                    directories.insert(directory, uri.clone());
                }
                names.entry(name).or_default().push(place(&row.name, &uri));
            }
        }
        for list in names.values_mut() {
            list.sort_unstable();
        }
        Ok(Self {
            approvals,
            checks,
            names,
            directories,
            server: stored.connection.name.clone(),
        })
    }

    /// What was found out about a valid entry.
    pub(super) fn status(&self, entry: &SkillEntry) -> McpSkillStatus {
        self.valid(entry).status
    }

    /// What is kept of an approval.
    pub(super) fn approved(&self, uri: &str) -> Option<&Approved> {
        self.approvals.get(uri)
    }

    /// The skill as it is answered.
    pub(super) fn view(&self, seen: &Seen) -> McpSkill {
        match &seen.judged {
            Ok(entry) => self.valid(entry),
            Err(reasons) => self.invalid(seen, reasons.clone()),
        }
    }

    fn invalid(&self, seen: &Seen, reasons: Vec<String>) -> McpSkill {
        let frontmatter = seen.raw.get("frontmatter").and_then(Value::as_object);
        let frontmatter = frontmatter.cloned().unwrap_or_default();
        let approved = self.approvals.get(&seen.uri);
        McpSkill {
            status: McpSkillStatus::Invalid,
            approval: approval(None, approved),
            reasons,
            ..self.bare(&seen.uri, frontmatter)
        }
    }

    fn valid(&self, entry: &SkillEntry) -> McpSkill {
        let none = Checks::new();
        let checks = self.checks.get(&entry.uri).unwrap_or(&none);
        let files: Vec<McpSkillFile> = match &entry.resources {
            Resources::Dynamic => Vec::new(),
            Resources::Listed(files) => files
                .iter()
                .map(|file| listed(entry, file, current(entry, file, checks)))
                .collect(),
        };
        let (status, reasons) = status(entry, &files, checks);
        McpSkill {
            status,
            reasons,
            total_size: Weight::of(&entry.resources).map_or(0, |weight| weight.bytes),
            approval: approval(Some(entry), self.approvals.get(&entry.uri)),
            files,
            ..self.bare(&entry.uri, entry.frontmatter.clone())
        }
    }

    /// What is told of any entry, valid or not.
    fn bare(&self, uri: &str, frontmatter: Map<String, Value>) -> McpSkill {
        let text = |key: &str| frontmatter.get(key).and_then(Value::as_str);
        let name = text("name").map(str::to_owned);
        let own = place(&self.server, uri);
        let namesakes = name.as_ref().and_then(|name| self.names.get(name));
        let same_name = namesakes
            .into_iter()
            .flatten()
            .filter(|other| **other != own)
            .take(NAMESAKES_MAX)
            .cloned()
            .collect();
        let inside = directory(uri).and_then(|directory| {
            around(&directory).find_map(|outer| self.directories.get(outer).cloned())
        });
        McpSkill {
            uri: uri.to_owned(),
            description: text("description").map(str::to_owned),
            name,
            status: McpSkillStatus::Unverified,
            reasons: Vec::new(),
            files: Vec::new(),
            total_size: 0,
            approval: approval(None, None),
            same_name,
            inside,
            requested_tools: requested_tools(&frontmatter),
            frontmatter,
        }
    }

    /// An approved skill whose entry cannot be had: what is known of it without its server.
    pub(super) fn without_entry(&self, uri: &str) -> McpSkill {
        let files = self
            .approvals
            .get(uri)
            .map(|approved| approved.files.as_slice());
        let files = files.unwrap_or_default().iter().map(|file| McpSkillFile {
            check: FileCheck::Unread,
            ..told(uri, file, None)
        });
        McpSkill {
            files: files.collect(),
            approval: approval(None, self.approvals.get(uri)),
            reasons: vec!["The server could not be asked for the present entry.".to_owned()],
            ..self.bare(uri, Map::new())
        }
    }
}

fn place(server: &str, uri: &str) -> String {
    format!("{server} · {uri}")
}

fn current<'a>(
    entry: &SkillEntry,
    file: &SkillResource,
    checks: &'a Checks,
) -> Option<&'a Checked> {
    let checked = checks.get(&file.uri)?;
    (checked.basis == basis(entry, file)).then_some(checked)
}

/// A file of the list with what a fetch found.
pub(super) fn listed(
    entry: &SkillEntry,
    file: &SkillResource,
    checked: Option<&Checked>,
) -> McpSkillFile {
    told(&entry.uri, file, checked)
}

fn told(skill: &str, file: &SkillResource, checked: Option<&Checked>) -> McpSkillFile {
    McpSkillFile {
        path: path_below(skill, &file.uri).unwrap_or_else(|| file.uri.clone()),
        uri: file.uri.clone(),
        digest: Some(file.digest.clone()),
        size: Some(file.size),
        check: checked.map_or(FileCheck::Unread, |checked| checked.check.clone()),
        checked_at: checked.map(|checked| iso(checked.at)),
        actual_digest: checked.and_then(|checked| checked.digest.clone()),
        actual_size: checked.and_then(|checked| checked.size),
    }
}

fn status(
    entry: &SkillEntry,
    files: &[McpSkillFile],
    checks: &Checks,
) -> (McpSkillStatus, Vec<String>) {
    let over = over_limits(entry);
    if !over.is_empty() {
        return (McpSkillStatus::OverLimits, over);
    }
    if entry.resources == Resources::Dynamic {
        return (McpSkillStatus::Dynamic, Vec::new());
    }
    let said = |file: &McpSkillFile| {
        let said = checks
            .get(&file.uri)
            .and_then(|checked| checked.said.as_deref());
        Some(format!("{}: {}", file.path, said?))
    };
    let reasons = files
        .iter()
        .filter(|file| !matches!(file.check, FileCheck::Unread | FileCheck::Matches))
        .filter_map(said);
    let mut reasons: Vec<String> = reasons.take(REASONS_MAX).collect();
    if files.iter().any(|file| is_failure(&file.check)) {
        return (McpSkillStatus::Mismatch, reasons);
    }
    let matching = files.iter().filter(|file| file.check == FileCheck::Matches);
    let matching = matching.count();
    if matching == 0 {
        return (McpSkillStatus::Unverified, reasons);
    }
    if matching < files.len() {
        reasons.push(format!("{matching} of {} files were fetched.", files.len()));
    }
    (McpSkillStatus::Consistent, reasons)
}

/// Whether a result says that the bytes are not those of the entry.
pub(super) fn is_failure(check: &FileCheck) -> bool {
    match check {
        FileCheck::Unlisted | FileCheck::Size | FileCheck::Digest | FileCheck::Frontmatter => true,
        FileCheck::Unread
        | FileCheck::Matches
        | FileCheck::Unreadable
        | FileCheck::Unverifiable
        | FileCheck::Unknown(_) => false,
    }
}

fn approval(entry: Option<&SkillEntry>, approved: Option<&Approved>) -> Approval {
    let present = entry.map(|entry| &entry.resources);
    let differs = approved.and_then(|approved| {
        let none = Resources::Listed(Vec::new());
        difference(approved, present.unwrap_or(&none))
    });
    let (state, changes) = match (present, approved) {
        (Some(Resources::Dynamic), _) => (ApprovalState::Impossible, differs),
        (_, None) => (ApprovalState::NotGiven, None),
        // Once ended it stays ended, even if the server goes back.
        (_, Some(approved)) => match (&approved.ended, differs) {
            (None, Some(differs)) if entry.is_some() => (ApprovalState::Revoked, Some(differs)),
            (None, _) => (ApprovalState::Approved, None),
            (Some(ended), differs) => (
                ApprovalState::Revoked,
                Some(match (entry, differs) {
                    (Some(_), Some(differs)) => differs,
                    _ => ended.clone(),
                }),
            ),
        },
    };
    Approval {
        state,
        fingerprint: entry.and_then(fingerprint),
        approved_at: approved.map(|approved| iso(approved.at)),
        approved_by: approved.map(|approved| approved.by.clone()),
        changes,
    }
}
