//! Approval of a published skill's content: bound to the set of addresses and digests that was
//! shown, ended by any other set that is seen, never given without a list.

use std::collections::HashMap;

use contract::events::{Actor, ChangeKind};
use contract::mcp_skills::{ManifestChanges, McpSkillStatus};
use contract::rules::skills::entry::SkillEntry;
use contract::rules::skills::manifest::Resources;
use serde_json::{Value, json};

use super::super::{Entry, account, record};
use super::judged::{Known, Seen, difference, fingerprint, over_limits};
use crate::clock;
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::WriteTx;
use crate::store::connections::{self, Stored};
use crate::store::mcp_skills::{self, Approved};
use crate::store::users::User;

/// Addresses of one kind of change that the activity log keeps.
const LOGGED_MAX: usize = 50;

/// Ends the approvals of skills that were just seen with another set of files. `actor` is who
/// asked for what showed it.
pub(super) async fn end_changed(
    state: &AppState,
    actor: &Actor,
    stored: &Stored,
    seen: &[Seen],
) -> Result<(), ApiError> {
    let id = stored.connection.id.as_str();
    let mut reading = state.store.read().await?;
    let approvals = mcp_skills::approvals(&mut reading, id).await?;
    drop(reading);
    if changed(&approvals, seen).is_empty() {
        return Ok(());
    }
    let mut writing = state.store.write().await?;
    let Some(user) = current(&mut writing, stored).await? else {
        return Ok(());
    };
    let approvals = mcp_skills::approvals(&mut writing, id).await?;
    let now = clock::stamp();
    for (uri, changes) in changed(&approvals, seen) {
        mcp_skills::revoke(&mut writing, id, uri, &changes, now).await?;
        let write = Write {
            action_type: "mcp_skill_approval_revoked",
            happened: "ended: the server's files changed",
            uri,
            before: approvals.get(uri).map(|approved| logged(&approved.files)),
            after: None,
            changes: Some(cut(changes)),
        };
        write
            .record(&mut writing, &user, actor, stored, now)
            .await?;
    }
    state.commit(writing).await
}

/// The approvals in force that do not fit what was seen, each once.
fn changed<'a>(
    approvals: &HashMap<String, Approved>,
    seen: &'a [Seen],
) -> HashMap<&'a str, ManifestChanges> {
    let mut ended = HashMap::new();
    for one in seen {
        let approved = approvals.get(&one.uri).filter(|one| one.ended.is_none());
        let differs = approved.and_then(|approved| difference(approved, &one.resources()));
        if let Some(changes) = differs {
            ended.insert(one.uri.as_str(), changes);
        }
    }
    ended
}

/// Whose connection this is, if its registration is still the one that was asked.
async fn current(writing: &mut WriteTx, stored: &Stored) -> Result<Option<User>, ApiError> {
    let id = stored.connection.id.as_str();
    let now = connections::find(writing, &stored.user_id, id).await?;
    if now.is_none_or(|now| now.registration != stored.registration) {
        return Ok(None);
    }
    account(writing, &stored.user_id).await.map(Some)
}

/// Approves the files of the entry that is held, if they are those that were shown.
pub(super) async fn approve(
    state: &AppState,
    actor: &Actor,
    stored: &Stored,
    entry: &SkillEntry,
    shown: &str,
) -> Result<(), ApiError> {
    let refused = |why: &str| Err(ApiError::Conflict(why.to_owned()));
    let Resources::Listed(files) = &entry.resources else {
        return refused(
            "The server publishes no list of files for this skill, so there is nothing an approval could be bound to.",
        );
    };
    if let Some(why) = over_limits(entry).into_iter().next() {
        return Err(ApiError::Conflict(format!("{why} It cannot be approved.")));
    }
    if fingerprint(entry).as_deref() != Some(shown) {
        return refused(
            "The files are not those that were shown: the server's list has changed. Look at the skill again before you approve it.",
        );
    }
    let id = stored.connection.id.as_str();
    let known = Known::load(state, stored).await?;
    if known.status(entry) == McpSkillStatus::Mismatch {
        return refused(
            "A file that was fetched does not match the server's list. Ask for the entry again, or verify the files again.",
        );
    }
    let in_force = known
        .approved(&entry.uri)
        .filter(|one| one.ended.is_none() && difference(one, &entry.resources).is_none());
    if in_force.is_some() {
        return Ok(());
    }
    let mut writing = state.store.write().await?;
    let Some(user) = current(&mut writing, stored).await? else {
        return refused("The connection was changed meanwhile. Look at the skill again.");
    };
    let approvals = mcp_skills::approvals(&mut writing, id).await?;
    let now = clock::stamp();
    let approved = Approved {
        files: files.clone(),
        at: now,
        by: actor.username.clone(),
        ended: None,
    };
    mcp_skills::approve(&mut writing, id, &entry.uri, &approved).await?;
    let write = Write {
        action_type: "mcp_skill_approved",
        happened: "given",
        uri: &entry.uri,
        before: approvals
            .get(&entry.uri)
            .filter(|before| before.ended.is_none())
            .map(|before| logged(&before.files)),
        after: Some(logged(files)),
        changes: None,
    };
    write
        .record(&mut writing, &user, actor, stored, now)
        .await?;
    state.commit(writing).await
}

/// Withdraws an approval; without one nothing happens.
pub(super) async fn withdraw(
    state: &AppState,
    actor: &Actor,
    stored: &Stored,
    uri: &str,
) -> Result<(), ApiError> {
    let id = stored.connection.id.as_str();
    let mut writing = state.store.write().await?;
    // Withdrawing holds whatever the registration says by now.
    let user = account(&mut writing, &stored.user_id).await?;
    let approvals = mcp_skills::approvals(&mut writing, id).await?;
    let Some(before) = approvals.get(uri) else {
        return Ok(());
    };
    mcp_skills::withdraw(&mut writing, id, uri).await?;
    let write = Write {
        action_type: "mcp_skill_approval_withdrawn",
        happened: "withdrawn",
        uri,
        before: Some(logged(&before.files)),
        after: None,
        changes: None,
    };
    let now = clock::stamp();
    write
        .record(&mut writing, &user, actor, stored, now)
        .await?;
    state.commit(writing).await
}

/// What the activity log keeps of a set: enough to tell sets apart.
fn logged(files: &[contract::rules::skills::manifest::SkillResource]) -> Value {
    let fingerprint = contract::rules::skills::manifest::fingerprint(files, &super::judged::sha256);
    json!({"fingerprint": fingerprint, "files": files.len()})
}

fn cut(mut changes: ManifestChanges) -> ManifestChanges {
    for list in [
        &mut changes.added,
        &mut changes.removed,
        &mut changes.changed,
    ] {
        list.truncate(LOGGED_MAX);
    }
    changes
}

struct Write<'a> {
    action_type: &'static str,
    happened: &'static str,
    uri: &'a str,
    before: Option<Value>,
    after: Option<Value>,
    changes: Option<ManifestChanges>,
}

impl Write<'_> {
    async fn record(
        self,
        writing: &mut WriteTx,
        user: &User,
        actor: &Actor,
        stored: &Stored,
        now: i64,
    ) -> Result<(), ApiError> {
        let row = &stored.connection;
        let entry = Entry {
            action_type: self.action_type,
            summary: format!("Approval of {} on {} {}", self.uri, row.name, self.happened),
            details: json!({
                "resourceType": "mcpSkill",
                "resourceId": row.id,
                "uri": self.uri,
                "actor": actor,
                "before": self.before,
                "after": self.after,
                "changes": self.changes,
            }),
            work_id: None,
            agent_id: None,
            kind: ChangeKind::McpSkill,
            resource_id: row.id.as_str(),
            scope: None,
            at: now,
        };
        record(writing, user, actor, entry).await
    }
}
