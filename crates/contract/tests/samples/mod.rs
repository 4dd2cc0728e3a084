//! One complete value of every wire type, with nothing in it that is also the type's default.

mod connections;
mod resources;
mod skills;

use contract::agents::{Agent, AgentRemoved};
use contract::auth::{
    ApiKey, ApiKeyCreate, ApiKeyCreated, FreshProfile, LinkLogin, Login, Profile, Register,
    Session, TokenResponse,
};
use contract::capabilities::{AccessSummaries, Capabilities};
use contract::error::ErrorBody;
use contract::events::{Activity, ActivityPage, AgentEvent, ChangeEvent, GrantChangeDetails};
use contract::grants::{
    AgentGrantRow, Decision, Grant, GrantConflict, GrantContent, GrantRow, GrantWrite,
    ResolvedGrants,
};
use contract::organizations::{
    Organization, OrganizationCreate, Work, WorkAnswer, WorkCreate, WorkList,
};
use contract::rules::permissions::Permissions;
use contract::server::{Deleted, Health, Page, PublicConfig};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

/// A wire type with a value of it.
pub(crate) struct WireType {
    pub(crate) name: &'static str,
    pub(crate) sample: Value,
    /// Where the sample holds words of open enumerations, as JSON pointers.
    pub(crate) words: &'static [&'static str],
    /// Keys under which any JSON may stand, kept as it is.
    free: &'static [&'static str],
    echo: fn(&Value) -> Result<Value, String>,
    is_stable: fn(&Value) -> bool,
}

impl WireType {
    /// The value after being read and written, or why it could not be read.
    pub(crate) fn echo(&self, value: &Value) -> Result<Value, String> {
        (self.echo)(value)
    }

    /// Whether reading, writing and reading again changes nothing, or nothing could be read.
    pub(crate) fn is_stable(&self, value: &Value) -> bool {
        (self.is_stable)(value)
    }

    /// Whether the type keeps whatever stands at this way of keys.
    pub(crate) fn is_free(&self, way: &str) -> bool {
        let parts: Vec<&str> = way.split('.').collect();
        parts.iter().any(|part| self.free.contains(part))
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    from_value(value.clone()).map_err(|error| error.to_string())
}

fn write<T: Serialize>(value: &T) -> Result<Value, String> {
    to_value(value).map_err(|error| error.to_string())
}

fn wire<T: DeserializeOwned + Serialize + PartialEq>(
    name: &'static str,
    words: &'static [&'static str],
    free: &'static [&'static str],
    sample: Value,
) -> WireType {
    WireType {
        name,
        sample,
        words,
        free,
        echo: |value| write(&read::<T>(value)?),
        is_stable: |value| {
            let Ok(first) = read::<T>(value) else {
                return true;
            };
            // Through text as well: that is how it travels.
            let again = serde_json::to_string(&first)
                .ok()
                .and_then(|text| serde_json::from_str::<T>(&text).ok());
            let direct = write(&first).and_then(|value| read::<T>(&value)).ok();
            again.as_ref() == Some(&first) && direct.as_ref() == Some(&first)
        },
    }
}

const ID: &str = "5e8d1c3a-7b24-4f9e-9c61-0a1b2c3d4e14";
const OTHER: &str = "c2a6b8d4-1e9f-4c77-8f35-6d4b3a2c1e13";
const DAY: &str = "2026-08-22T16:04:56.000Z";

fn flags() -> Value {
    json!({
        "canCreateAgents": true, "canAssignTasks": true, "canEditSkills": true,
        "canEditAgentFiles": true, "canSpend": true, "canCommitToRepo": true,
        "canOpenPullRequests": true, "canCallExternalTools": true
    })
}

fn agent() -> Value {
    json!({
        "id": ID, "userId": OTHER, "scope": "work", "missionId": OTHER, "ideaId": OTHER,
        "workId": OTHER, "name": "Coder", "slug": "coder", "title": "Keeper",
        "capabilities": "free text", "aiProviderId": "provider", "modelId": "model",
        "environmentId": OTHER, "maxSkillContextTokens": 4000, "memoryRecallEnabled": true,
        "status": "active", "permissions": flags(),
        "targets": [{"type": "work", "id": OTHER}], "guardrails": {"mode": "autonomous"},
        "heartbeatCadence": "0 9 * * 1", "idleBehavior": "observe", "nextHeartbeatAt": DAY,
        "lastRunAt": DAY, "lastRunStatus": "completed", "errorCount": 2, "pauseAfterFailures": 3,
        "avatarMode": "icon", "avatarIcon": "star", "avatarImageUploadId": OTHER,
        "committerName": "Coder", "committerEmail": "coder@example.org",
        "reportsToAgentId": OTHER, "scorecard": [{"key": "k"}], "initScript": "#!/bin/sh\n",
        "hasInlineFiles": true, "contentHash": "9f2c", "createdAt": DAY, "updatedAt": DAY
    })
}

fn resolved() -> Value {
    json!({
        "matrix": {"allow": ["git_*"], "deny": ["git_push"]},
        "source": "agent",
        "chain": [
            {"scope": "default", "id": "x", "allow": ["*"], "deny": ["a"], "rejected": ["b"]},
            {"scope": "agent", "id": ID, "allow": ["git_*"], "deny": ["git_push"], "rejected": ["*"]}
        ]
    })
}

fn decision() -> Value {
    json!({
        "allowed": false, "toolName": "git_push", "source": "agent", "code": "tool-denied",
        "reason": "because"
    })
}

fn content() -> Value {
    json!({"allow": ["git_*"], "deny": ["git_push"], "note": "why"})
}

fn grant_row() -> Value {
    json!({
        "id": ID, "userId": OTHER, "scopeType": "organization", "scopeId": OTHER,
        "allow": ["git_*"], "deny": ["git_push"], "note": "why", "tenantId": OTHER,
        "organizationId": OTHER, "createdAt": DAY, "updatedAt": DAY, "revision": 7
    })
}

fn own_row() -> Value {
    json!({"id": ID, "allow": ["git_*"], "deny": ["git_push"], "note": "why", "revision": 7})
}

fn work() -> Value {
    json!({
        "id": OTHER, "name": "Site", "slug": "site", "userId": ID, "owner": "acme",
        "status": "active", "description": "A site", "tenantId": OTHER, "organizationId": OTHER,
        "createdAt": DAY, "updatedAt": DAY
    })
}

fn user() -> Value {
    json!({
        "id": ID, "username": "Ada", "slug": "ada", "email": "ada@example.org",
        "tenantId": OTHER, "tenantName": "Example", "lastScopeOrganizationId": OTHER,
        "createdAt": DAY
    })
}

fn actor() -> Value {
    json!({"userId": ID, "username": "Ada", "via": "browser"})
}

fn activity() -> Value {
    json!({
        "id": ID, "userId": OTHER, "workId": OTHER, "actionType": "agent_paused",
        "action": "paused", "status": "completed", "summary": "Paused", "details": {"a": [1]},
        "metadata": {"b": "c"}, "tenantId": OTHER, "organizationId": OTHER, "createdAt": DAY,
        "updatedAt": DAY
    })
}

/// Every type that travels in both directions or is read by one side and written by the other.
pub(crate) fn all() -> Vec<WireType> {
    [
        accounts(),
        grants(),
        agents(),
        rest(),
        connections::all(),
        resources::all(),
        skills::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn accounts() -> Vec<WireType> {
    vec![
        wire::<Register>(
            "Register",
            &[],
            &[],
            json!({"username": "Ada", "email": "ada@example.org", "password": "secret 1"}),
        ),
        wire::<Login>(
            "Login",
            &[],
            &[],
            json!({"email": "ada@example.org", "password": "secret 1"}),
        ),
        wire::<LinkLogin>("LinkLogin", &[], &[], json!({"token": "t"})),
        wire::<TokenResponse>(
            "TokenResponse",
            &[],
            &[],
            json!({
                "access_token": "t",
                "user": {"id": ID, "email": "ada@example.org", "username": "Ada"}
            }),
        ),
        wire::<Profile>(
            "Profile",
            &[],
            &[],
            json!({
                "id": ID, "userId": ID, "email": "ada@example.org", "username": "Ada",
                "provider": "local", "emailVerified": true, "isActive": true, "avatar": "a.png",
                "isAnonymous": true
            }),
        ),
        wire::<FreshProfile>("FreshProfile", &[], &[], user()),
        wire::<Session>(
            "Session",
            &[],
            &[],
            json!({"user": user(), "csrfToken": "t", "expiresAt": DAY}),
        ),
        wire::<ApiKeyCreate>(
            "ApiKeyCreate",
            &[],
            &[],
            json!({"name": "ci", "expiresAt": DAY}),
        ),
        wire::<ApiKeyCreated>(
            "ApiKeyCreated",
            &[],
            &[],
            json!({
                "id": ID, "name": "ci", "key": "ew_live_x", "prefix": "ew_live_abcd",
                "expiresAt": DAY, "createdAt": DAY
            }),
        ),
        wire::<ApiKey>(
            "ApiKey",
            &[],
            &[],
            json!({
                "id": ID, "name": "ci", "prefix": "ew_live_abcd", "expiresAt": DAY,
                "lastUsedAt": DAY, "isActive": true, "createdAt": DAY
            }),
        ),
    ]
}

fn grants() -> Vec<WireType> {
    vec![
        wire::<Grant>(
            "Grant",
            &[],
            &[],
            json!({"allow": ["git_*"], "deny": ["a"]}),
        ),
        wire::<GrantContent>("GrantContent", &[], &[], content()),
        wire::<ResolvedGrants>(
            "ResolvedGrants",
            &["/source", "/chain/0/scope"],
            &[],
            resolved(),
        ),
        wire::<Decision>("Decision", &["/source", "/code"], &[], decision()),
        wire::<GrantRow>("GrantRow", &["/scopeType"], &[], grant_row()),
        wire::<AgentGrantRow>("AgentGrantRow", &[], &[], own_row()),
        wire::<GrantWrite>(
            "GrantWrite",
            &["/scopeType"],
            &[],
            json!({
                "scopeType": "agent", "scopeId": ID, "allow": ["git_*"], "deny": ["a"],
                "note": "why"
            }),
        ),
        wire::<GrantConflict>(
            "GrantConflict",
            &[],
            &[],
            json!({
                "statusCode": 412, "error": "Precondition Failed", "message": "It changed.",
                "current": grant_row()
            }),
        ),
        wire::<GrantChangeDetails>(
            "GrantChangeDetails",
            &["/scopeType"],
            &[],
            json!({
                "resourceType": "toolGrant", "resourceId": ID, "scopeType": "work",
                "scopeId": OTHER, "actor": actor(), "before": content(), "after": content()
            }),
        ),
    ]
}

fn agents() -> Vec<WireType> {
    vec![
        wire::<Permissions>("Permissions", &[], &[], flags()),
        wire::<Agent>(
            "Agent",
            &["/scope", "/status", "/idleBehavior", "/avatarMode"],
            &["targets", "guardrails", "scorecard"],
            agent(),
        ),
        wire::<Page<Agent>>(
            "Page<Agent>",
            &["/data/0/status"],
            &["targets", "guardrails", "scorecard"],
            json!({"data": [agent()], "meta": {"total": 9, "limit": 1, "offset": 3}}),
        ),
        wire::<AgentRemoved>(
            "AgentRemoved",
            &[],
            &[],
            json!({"archived": true, "deleted": true}),
        ),
        wire::<Capabilities>(
            "Capabilities",
            &["/tools/0/source", "/tools/0/gatedByPermission"],
            &[],
            json!({
                "agentId": ID, "initScript": "#!/bin/sh\n", "permissions": flags(),
                "tools": [{
                    "name": "git_push", "description": "Pushes.",
                    "gatedByPermission": "canCommitToRepo", "source": "facade",
                    "permissionEnabled": true, "decision": decision(), "effective": true
                }],
                "grants": resolved(), "agentGrantRow": own_row()
            }),
        ),
        wire::<AccessSummaries>(
            "AccessSummaries",
            &[],
            &[],
            json!({"data": [{
                "agentId": ID, "on": 1, "offHere": 2, "deniedAbove": 3, "permissionOff": 4
            }]}),
        ),
    ]
}

fn rest() -> Vec<WireType> {
    vec![
        wire::<Organization>(
            "Organization",
            &[],
            &[],
            json!({
                "id": ID, "tenantId": OTHER, "slug": "acme", "legalName": "Acme Ltd",
                "displayName": "Acme", "countryCode": "DE", "registrationProvider": "none",
                "registrationStatus": "draft", "linkedWorkId": OTHER, "vision": "v",
                "visionUpdatedAt": DAY, "createdAt": DAY, "updatedAt": DAY
            }),
        ),
        wire::<OrganizationCreate>("OrganizationCreate", &[], &[], json!({"name": "Acme"})),
        wire::<Work>("Work", &[], &[], work()),
        wire::<WorkList>(
            "WorkList",
            &[],
            &[],
            json!({"status": "success", "works": [work()]}),
        ),
        wire::<WorkAnswer>(
            "WorkAnswer",
            &[],
            &[],
            json!({"status": "success", "work": work()}),
        ),
        wire::<WorkCreate>(
            "WorkCreate",
            &[],
            &[],
            json!({
                "name": "Site", "slug": "site", "description": "A site", "organization": true,
                "owner": "acme"
            }),
        ),
        wire::<Activity>("Activity", &[], &["details", "metadata"], activity()),
        wire::<ActivityPage>(
            "ActivityPage",
            &[],
            &["details", "metadata"],
            json!({"activities": [activity()], "total": 1}),
        ),
        wire::<AgentEvent>(
            "AgentEvent",
            &[],
            &["details"],
            json!({"id": ID, "actionType": "agent_paused", "details": {"a": 1}, "createdAt": DAY}),
        ),
        wire::<ChangeEvent>(
            "ChangeEvent",
            &["/kind", "/scopeType"],
            &[],
            json!({
                "sequence": 3, "kind": "toolGrant", "resourceId": ID, "scopeType": "work",
                "scopeId": OTHER, "actor": actor(), "at": DAY
            }),
        ),
        wire::<ErrorBody>(
            "ErrorBody",
            &[],
            &[],
            json!({"message": ["a", "b"], "error": "Bad Request", "statusCode": 400}),
        ),
        wire::<Health>(
            "Health",
            &[],
            &[],
            json!({"status": "success", "message": "up"}),
        ),
        wire::<PublicConfig>(
            "PublicConfig",
            &[],
            &[],
            json!({
                "features": {
                    "emailVerificationRequired": true, "magicLinkEnabled": true,
                    "anonymousAuthEnabled": true, "grantRevisions": true, "events": true, "stdioMcp": true
                },
                "auth": {"providers": ["local"], "registrationOpen": true},
                "limits": {"bodyLimit": 1_048_576}
            }),
        ),
        wire::<Deleted>("Deleted", &[], &[], json!({"deleted": true})),
    ]
}
