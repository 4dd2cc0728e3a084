//! Skills that MCP servers publish, from the operator's side (skills contract sections 1 and 5):
//! listing, opening by address, inspecting and verifying files, approving content. This control
//! plane runs no model and loads no skill; it decides what a host that does may load.
//!
//! The MUST list of hosts (skills contract section 1.9) and where each rule is kept:
//!
//! | Rule | Kept by |
//! |---|---|
//! | 1 ask only after the declaration | [`list`], [`declared`] and [`view_directory`] check the session's capabilities before a request is made |
//! | 2 loading by address alone | [`get`]: any address, listed or not; nothing here loads |
//! | 3 an empty list proves nothing | a finding says so; entries missing from a list stay held, and their approval stays in force |
//! | 4 the scheme proves nothing | only an entry that was listed or got is a skill: [`entry_of`]; schemes are never looked at |
//! | 5 no DNS for the authority | addresses are texts, sent to the server they came from and never resolved or opened |
//! | 6 key by (label, address) | tables, [`crate::mcp::Held`] and every request name the connection, whose name the operator gave, and the address; what a server calls itself is shown and never a key |
//! | 7 names are not unique | nothing is looked up by name; namesakes of all connections and of the workspace are told (`sameName`) |
//! | 8 refuse bad `resources` | `contract::rules::skills::entry::judge`: such an entry is invalid and neither read nor approved |
//! | 9 verify each read | [`files`]: size, then digest; bytes that fail leave that module only as a sentence |
//! | 10 frontmatter field by field | [`files`], on each read of a `SKILL.md`, dynamic ones included |
//! | 11 an unlisted read fails | [`read`] answers `unlisted` and sends nothing |
//! | 12 no prefetch | files are requested by [`read`] and [`verify`] only, each because an operator asked |
//! | 13 a digest is no seal | words: "matches the server's list", never trusted; approval is a decision of its own |
//! | 14 a read is not a load | there is no loading path: [`read`] grants nothing, approves nothing, opens nothing |
//! | 15 untrusted content | bounded, returned as text of one JSON field, never interpreted but for the frontmatter's YAML |
//! | 16 origin of content | answers are below the connection's address and name it; no model context exists here |
//! | 17 no code execution | nothing a skill says is run; tools it asks for are told as `requestedTools` |
//! | 18 reads stay with the origin | [`session_of`] takes the connection the skill is asked under; no argument names another |
//! | 19 `allowed-tools` grants nothing | grants and permissions never read published skills; see `requested` in the contract |
//! | 20 nested skills apart | approval is by address: approving the outer skill leaves the inner one unapproved; `inside` tells |
//! | 21 approval is the set | [`approval`]: the pairs are stored, and another set that is seen ends it for good |
//! | 22 dynamic is never approved | [`approval::approve`] answers 409; a skill that becomes dynamic loses its approval |
//! | 23 cached copies | there are none: contents are not stored, the protocol library's cache is off; results of checks count for the entry they were made against only |
//! | 24 skills are data | as 15 and 17; this control plane gives no context to a model |

mod approval;
mod files;
mod judged;

use std::sync::Arc;
use std::time::Duration;

use contract::UserId;
use contract::connections::ProtocolEra;
use contract::events::Actor;
use contract::mcp_skills::{
    DirectoryChild, DirectoryView, FileCheck, McpSkill, McpSkillApprove, McpSkillFile,
    McpSkillFileAddress, McpSkillFileContent, McpSkillListing,
};
use contract::rules::skills::SKILL_FILE;
use contract::rules::skills::entry::SkillEntry;
use contract::rules::skills::manifest::{Resources, SkillResource};
use contract::rules::skills::place::{is_same, path_below};
use contract::rules::skills::reference::{Target, resolve};
use futures_util::future::join_all;
use tokio::time::Instant;

use self::files::{Fetched, fetch};
use self::judged::{Known, Seen, is_failure, judge_all, listed, over_limits};
use super::connections;
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::mcp::skills::{self, Entries, Trouble};
use crate::mcp::{self, CALL, READS, Session};
use crate::state::AppState;
use crate::store::connections::Stored;
use crate::store::mcp_skills::Checked;
use crate::store::{connections as stored_connections, mcp_skills as store};

/// How long a session that is not open is waited for.
const OPENING: Duration = Duration::from_secs(25);

fn deadline() -> Instant {
    Instant::now() + CALL
}

async fn find(state: &AppState, user: &UserId, id: &str) -> Result<Stored, ApiError> {
    let mut reading = state.store.read().await?;
    connections::find(&mut reading, user, id).await
}

/// The open session of a connection, opened now if need be.
async fn session_of(state: &AppState, stored: &Stored) -> Result<Arc<Session>, ApiError> {
    let row = &stored.connection;
    if !row.enabled {
        return Err(ApiError::Conflict(
            "The connection is disabled for the whole workspace, so its server is not asked."
                .to_owned(),
        ));
    }
    if let Some(session) = state.mcp.session(&row.id) {
        return Ok(session);
    }
    mcp::refresh(state, stored, OPENING).await;
    if let Some(session) = state.mcp.session(&row.id) {
        return Ok(session);
    }
    let now = find(state, &stored.user_id, row.id.as_str()).await?;
    let why = now.connection.last_error;
    Err(ApiError::Upstream(why.unwrap_or_else(|| {
        "The server has not answered yet.".to_owned()
    })))
}

/// The session, if the server declares skills; nothing is asked before.
async fn declared(state: &AppState, stored: &Stored) -> Result<Arc<Session>, ApiError> {
    let session = session_of(state, stored).await?;
    if session.info.capabilities.supports_skills() {
        return Ok(session);
    }
    Err(ApiError::Conflict(
        "The server does not declare the skills extension on this connection, so it was not asked."
            .to_owned(),
    ))
}

/// Notes entries that were just seen: they are held from now on, and approvals of other sets end.
async fn note(
    state: &AppState,
    actor: &Actor,
    stored: &Stored,
    seen: &[Seen],
) -> Result<(), ApiError> {
    let mut held: Vec<_> = Vec::with_capacity(seen.len());
    // Of an address that is listed twice the first entry counts.
    for one in seen.iter().rev() {
        held.push((one.uri.clone(), one.judged.as_ref().ok().cloned()));
    }
    state
        .held
        .see(&stored.connection.id, stored.registration, held);
    approval::end_changed(state, actor, stored, seen).await
}

/// Asks for an entry and notes it.
async fn ask(
    state: &AppState,
    actor: &Actor,
    stored: &Stored,
    uri: &str,
    until: Instant,
) -> Result<Seen, ApiError> {
    let session = declared(state, stored).await?;
    let entry = match skills::get(&session, uri, until).await {
        Ok(entry) => entry,
        Err(Trouble::Unknown) => {
            return Err(ApiError::NotFound(
                "The server knows no skill at this address.".to_owned(),
            ));
        }
        Err(trouble) => return Err(ApiError::Upstream(trouble.sentence())),
    };
    let seen = judge_all(vec![entry]).await?;
    note(state, actor, stored, &seen).await?;
    let seen = seen.into_iter().next();
    seen.ok_or_else(|| ApiError::internal("an entry was judged and is gone"))
}

/// The valid entry of an address: the one held, or else asked for now.
async fn entry_of(
    state: &AppState,
    actor: &Actor,
    stored: &Stored,
    uri: &str,
    until: Instant,
) -> Result<Arc<SkillEntry>, ApiError> {
    let id = &stored.connection.id;
    if let Some(entry) = state.held.entry(id, stored.registration, uri) {
        return Ok(entry);
    }
    let seen = ask(state, actor, stored, uri, until).await?;
    seen.judged.map_err(|reasons| {
        let first = reasons.into_iter().next().unwrap_or_default();
        ApiError::Conflict(format!(
            "The server's entry is invalid, so nothing of it is used. {first}"
        ))
    })
}

async fn view(state: &AppState, stored: &Stored, seen: Seen) -> Result<McpSkill, ApiError> {
    let known = Known::load(state, stored).await?;
    tokio::task::spawn_blocking(move || known.view(&seen))
        .await
        .map_err(ApiError::internal)
}

/// One listing, made now. A server that does not declare the extension is not asked.
pub async fn list(state: &AppState, actor: &Actor, id: &str) -> Result<McpSkillListing, ApiError> {
    let until = deadline();
    let stored = find(state, &actor.user_id, id).await?;
    let session = session_of(state, &stored).await?;
    let capabilities = &session.info.capabilities;
    let is_declared = capabilities.supports_skills();
    let found = if is_declared {
        let listing = skills::list(&session, until).await;
        listing.map_err(|trouble| ApiError::Upstream(trouble.sentence()))?
    } else {
        Entries::default()
    };
    let read_at = iso(clock::now());
    let findings = findings(&session, is_declared, &found);
    let seen = judge_all(found.skills).await?;
    note(state, actor, &stored, &seen).await?;
    let known = Known::load(state, &stored).await?;
    let judging = move || seen.iter().map(|one| known.view(one)).collect();
    let data = tokio::task::spawn_blocking(judging)
        .await
        .map_err(ApiError::internal)?;
    let version: String = session.info.protocol_version.to_string();
    Ok(McpSkillListing {
        connection_id: stored.connection.id,
        server: stored.connection.name,
        read_at,
        protocol_version: Some(version.chars().take(40).collect()),
        era: Some(session.era()),
        declared: is_declared,
        resources_declared: capabilities.resources.is_some(),
        directory_read: is_declared && capabilities.supports_directory_read(),
        pages: found.pages,
        truncated: found.stopped.is_some(),
        ttl_ms: found.ttl_ms,
        cache_scope: found.cache_scope,
        findings,
        data,
    })
}

fn findings(session: &Session, is_declared: bool, found: &Entries) -> Vec<String> {
    let mut said = Vec::new();
    if !is_declared {
        said.push(match session.era() {
            ProtocolEra::Initialize | ProtocolEra::Unknown(_) => "The connection speaks an older protocol: skills may exist, but this connection cannot list them.".to_owned(),
            ProtocolEra::Discover => "The server does not declare the skills extension, so it was not asked for skills.".to_owned(),
        });
        return said;
    }
    if session.info.capabilities.resources.is_none() {
        said.push(
            "The server declares skills but not resources, as it must: files may not be readable."
                .to_owned(),
        );
    }
    if found.skills.is_empty() {
        said.push("The server listed none. It may still serve some by address.".to_owned());
    }
    said.extend(found.stopped.clone());
    said
}

/// One skill by its address, listed or not, as the server has it now.
pub async fn get(
    state: &AppState,
    actor: &Actor,
    id: &str,
    uri: &str,
) -> Result<McpSkill, ApiError> {
    let stored = find(state, &actor.user_id, id).await?;
    let seen = ask(state, actor, &stored, uri, deadline()).await?;
    view(state, &stored, seen).await
}

/// Writes down what fetches found, for the entry they were compared with.
async fn save(
    state: &AppState,
    stored: &Stored,
    entry: &SkillEntry,
    found: Vec<(String, Checked)>,
) -> Result<(), ApiError> {
    let Resources::Listed(listed) = &entry.resources else {
        return Ok(());
    };
    let id = stored.connection.id.as_str();
    let mut writing = state.store.write().await?;
    let now = stored_connections::find(&mut writing, &stored.user_id, id).await?;
    if now.is_none_or(|now| now.registration != stored.registration) {
        return Ok(());
    }
    let mut checks = store::checks_of(&mut writing, id, &entry.uri).await?;
    checks.extend(found);
    let is_listed = |uri: &String| listed.iter().any(|file| file.uri == *uri);
    checks.retain(|uri, _| is_listed(uri));
    store::save_checks(&mut writing, id, &entry.uri, &checks).await?;
    state.commit(writing).await
}

/// Asks for the entry anew after a check failed, as the extension wants it; answers whether the
/// server has other files now. That the server cannot be asked changes nothing.
async fn ask_again(
    state: &AppState,
    actor: &Actor,
    stored: &Stored,
    entry: &SkillEntry,
    until: Instant,
) -> bool {
    match ask(state, actor, stored, &entry.uri, until).await {
        Ok(seen) => seen.resources() != entry.resources,
        Err(_) => false,
    }
}

fn refuse_over_limits(entry: &SkillEntry) -> Result<(), ApiError> {
    match over_limits(entry).into_iter().next() {
        None => Ok(()),
        Some(why) => Err(ApiError::Conflict(format!(
            "{why} Nothing of it is fetched."
        ))),
    }
}

/// Fetches one file because an operator wants to look at it. This is not a load.
pub async fn read(
    state: &AppState,
    actor: &Actor,
    id: &str,
    address: &McpSkillFileAddress,
) -> Result<McpSkillFileContent, ApiError> {
    let until = deadline();
    let stored = find(state, &actor.user_id, id).await?;
    let entry = entry_of(state, actor, &stored, &address.skill, until).await?;
    refuse_over_limits(&entry)?;
    let file = match (&entry.resources, files::find(&entry, &address.uri)) {
        (_, Some(file)) => Some(file.clone()),
        (Resources::Dynamic, None) if is_inside(&entry.uri, &address.uri) => None,
        (Resources::Dynamic | Resources::Listed(_), None) => {
            ask_again(state, actor, &stored, &entry, until).await;
            return Ok(unlisted(&entry, &address.uri));
        }
    };
    let session = declared(state, &stored).await?;
    let uri = file.as_ref().map_or(address.uri.as_str(), |file| &file.uri);
    let fetched = fetch(&session, &entry, file.as_ref(), uri, until).await?;
    let Fetched {
        checked,
        text,
        withheld,
    } = fetched;
    let shown = match &file {
        Some(file) => listed(&entry, file, Some(&checked)),
        None => without_list(&entry, uri, &checked),
    };
    // Bytes of another entry that the server has by now say nothing against the one held before.
    let changed =
        is_failure(&checked.check) && ask_again(state, actor, &stored, &entry, until).await;
    if let Some(file) = file.filter(|_| !changed) {
        save(state, &stored, &entry, vec![(file.uri, checked)]).await?;
    }
    Ok(McpSkillFileContent {
        file: shown,
        text,
        withheld,
    })
}

/// Whether an address is that of a file below the skill's directory.
fn is_inside(skill: &str, uri: &str) -> bool {
    match resolve(skill, uri, None) {
        Target::File(place) | Target::Itself(place) => is_same(&place, uri),
        Target::Directory(_) | Target::Unlisted(_) | Target::Rejected(_) => false,
    }
}

fn unlisted(entry: &SkillEntry, uri: &str) -> McpSkillFileContent {
    let file = McpSkillFile {
        path: path_below(&entry.uri, uri).unwrap_or_else(|| uri.to_owned()),
        uri: uri.to_owned(),
        digest: None,
        size: None,
        check: FileCheck::Unlisted,
        checked_at: None,
        actual_digest: None,
        actual_size: None,
    };
    McpSkillFileContent {
        file,
        text: None,
        withheld: Some(
            "The entry that is held does not list this file, so it was not fetched.".to_owned(),
        ),
    }
}

fn without_list(entry: &SkillEntry, uri: &str, checked: &Checked) -> McpSkillFile {
    McpSkillFile {
        path: path_below(&entry.uri, uri).unwrap_or_else(|| uri.to_owned()),
        uri: uri.to_owned(),
        digest: None,
        size: None,
        check: checked.check.clone(),
        checked_at: Some(iso(checked.at)),
        actual_digest: None,
        actual_size: None,
    }
}

/// Fetches all files of one skill because an operator asked to compare them. This is not a load.
pub async fn verify(
    state: &AppState,
    actor: &Actor,
    id: &str,
    uri: &str,
) -> Result<McpSkill, ApiError> {
    let until = deadline();
    let stored = find(state, &actor.user_id, id).await?;
    let entry = entry_of(state, actor, &stored, uri, until).await?;
    refuse_over_limits(&entry)?;
    let Resources::Listed(all) = &entry.resources else {
        return Err(ApiError::Conflict(
            "The server publishes no list of files for this skill, so nothing can be verified."
                .to_owned(),
        ));
    };
    let session = declared(state, &stored).await?;
    let mut found: Vec<(String, Checked)> = Vec::new();
    let mut stopped = None;
    for some in all.chunks(READS) {
        let fetched = join_all(
            some.iter()
                .map(|file: &SkillResource| fetch(&session, &entry, Some(file), &file.uri, until)),
        );
        for (file, fetched) in some.iter().zip(fetched.await) {
            match fetched {
                Ok(fetched) => found.push((file.uri.clone(), fetched.checked)),
                Err(error) => stopped = Some(error),
            }
        }
        if stopped.is_some() {
            break;
        }
    }
    let count = found.len();
    let stopped = match stopped {
        Some(error) if count == 0 => return Err(error),
        Some(ApiError::Upstream(why)) => Some(why),
        Some(error) => return Err(error),
        None => None,
    };
    let failed = found
        .iter()
        .filter(|(_, checked)| is_failure(&checked.check))
        .count();
    let changed = failed > 0 && ask_again(state, actor, &stored, &entry, until).await;
    if !changed {
        save(state, &stored, &entry, found).await?;
    }
    let latest = state
        .held
        .entry(&stored.connection.id, stored.registration, uri);
    let seen = Seen::held(latest.unwrap_or_else(|| Arc::clone(&entry)));
    let mut skill = view(state, &stored, seen).await?;
    if changed {
        let files = if failed == 1 { "file" } else { "files" };
        skill.reasons.push(format!(
            "{failed} {files} did not match the entry that was held. The server has another entry now, which is shown; nothing of it was fetched."
        ));
    }
    if let Some(why) = stopped {
        let total = all.len();
        skill
            .reasons
            .push(format!("Stopped after {count} of {total} files: {why}"));
    }
    Ok(skill)
}

/// Approves the content that was shown.
pub async fn approve(
    state: &AppState,
    actor: &Actor,
    id: &str,
    request: McpSkillApprove,
) -> Result<McpSkill, ApiError> {
    let stored = find(state, &actor.user_id, id).await?;
    let entry = entry_of(state, actor, &stored, &request.uri, deadline()).await?;
    let shown = request.fingerprint.unwrap_or_default();
    approval::approve(state, actor, &stored, &entry, &shown).await?;
    view(state, &stored, Seen::held(entry)).await
}

/// Withdraws an approval, whether or not the server can be asked.
pub async fn withdraw(
    state: &AppState,
    actor: &Actor,
    id: &str,
    uri: &str,
) -> Result<McpSkill, ApiError> {
    let stored = find(state, &actor.user_id, id).await?;
    approval::withdraw(state, actor, &stored, uri).await?;
    let held = state
        .held
        .entry(&stored.connection.id, stored.registration, uri);
    if let Some(entry) = held {
        return view(state, &stored, Seen::held(entry)).await;
    }
    let known = Known::load(state, &stored).await?;
    Ok(known.without_entry(uri))
}

/// What a directory of a skill holds now, where the server declares that it tells. It adds
/// nothing to the list; a child that is not listed makes the entry be asked for again.
pub async fn view_directory(
    state: &AppState,
    actor: &Actor,
    id: &str,
    address: &McpSkillFileAddress,
) -> Result<DirectoryView, ApiError> {
    let until = deadline();
    let stored = find(state, &actor.user_id, id).await?;
    let session = declared(state, &stored).await?;
    if !session.info.capabilities.supports_directory_read() {
        return Err(ApiError::Conflict(
            "The server does not declare directory reads, so it was not asked.".to_owned(),
        ));
    }
    let entry = entry_of(state, actor, &stored, &address.skill, until).await?;
    let Some(uri) = directory_inside(&entry.uri, &address.uri) else {
        return Err(ApiError::BadRequest(
            "The address is not that of a directory of the skill.".to_owned(),
        ));
    };
    let (children, truncated) = match skills::directory(&session, &uri, until).await {
        Ok(found) => found,
        Err(Trouble::Unknown) => {
            return Err(ApiError::NotFound(
                "The server knows no directory at this address.".to_owned(),
            ));
        }
        Err(trouble) => return Err(ApiError::Upstream(trouble.sentence())),
    };
    let manifest: Option<Vec<&str>> = match &entry.resources {
        Resources::Listed(files) => Some(files.iter().map(|file| file.uri.as_str()).collect()),
        Resources::Dynamic => None,
    };
    let is_listed = |uri: &str, is_directory: bool| {
        let Some(manifest) = manifest.as_deref() else {
            return false;
        };
        match resolve(&entry.uri, uri, Some(manifest)) {
            Target::File(_) | Target::Itself(_) => !is_directory,
            Target::Directory(_) => is_directory,
            Target::Unlisted(_) | Target::Rejected(_) => false,
        }
    };
    let data: Vec<DirectoryChild> = children
        .into_iter()
        .map(|child| DirectoryChild {
            listed: is_listed(&child.uri, child.is_directory),
            uri: child.uri,
            name: child.name,
            directory: child.is_directory,
        })
        .collect();
    if manifest.is_some() && data.iter().any(|child| !child.listed) {
        ask_again(state, actor, &stored, &entry, until).await;
    }
    Ok(DirectoryView { data, truncated })
}

/// The directory at an address, without a final slash, if it is the skill's own or below it.
fn directory_inside(skill: &str, uri: &str) -> Option<String> {
    let uri = uri.strip_suffix('/').unwrap_or(uri);
    let root = skill.strip_suffix(SKILL_FILE)?.strip_suffix('/')?;
    if is_same(root, uri) {
        return Some(root.to_owned());
    }
    is_inside(skill, uri).then(|| uri.to_owned())
}
