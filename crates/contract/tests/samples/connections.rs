//! Samples of MCP connections, their tools, and the skills MCP servers publish.

use contract::connections::{
    AffectedAgents, AgentConnectionList, AgentServerTools, ConnectionCreate, ConnectionList,
    ConnectionTest, ConnectionTools, Enabled,
};
use contract::mcp_skills::{
    DirectoryView, McpSkillAddress, McpSkillApprove, McpSkillFileAddress, McpSkillFileContent,
    McpSkillListing,
};
use serde_json::{Value, json};

use super::{DAY, ID, OTHER, WireType, decision, wire};

fn connection() -> Value {
    json!({
        "id": ID, "name": "docs-search", "url": "https://mcp.example.com/mcp",
        "transport": "streamable-http", "enabled": true, "source": "manual",
        "authHeaderNames": ["Authorization"], "lastConnectedAt": DAY,
        "lastError": "Request timed out.", "createdAt": DAY, "updatedAt": DAY,
        "health": {
            "state": "connected", "protocolVersion": "2026-07-28", "era": "discover",
            "serverName": "docs", "serverVersion": "1.2.3", "toolCount": 4, "toolsReadAt": DAY,
            "skills": true, "directoryRead": true
        }
    })
}

fn file() -> Value {
    json!({
        "uri": "skill://a/SKILL.md", "path": "SKILL.md", "digest": "sha256:00", "size": 149,
        "check": "digest", "checkedAt": DAY, "actualDigest": "sha256:11", "actualSize": 150
    })
}

pub(super) fn all() -> Vec<WireType> {
    [registry(), tools(), published()]
        .into_iter()
        .flatten()
        .collect()
}

fn registry() -> Vec<WireType> {
    vec![
        wire::<ConnectionList>(
            "ConnectionList",
            &[
                "/data/0/transport",
                "/data/0/health/state",
                "/data/0/health/era",
            ],
            &[],
            json!({"data": [connection()]}),
        ),
        wire::<ConnectionTest>(
            "ConnectionTest",
            &[],
            &[],
            json!({"ok": true, "toolCount": 1, "tools": ["search"], "error": "Request timed out."}),
        ),
        wire::<AgentConnectionList>(
            "AgentConnectionList",
            &["/data/0/bindingSource"],
            &[],
            json!({"data": [{
                "connection": connection(), "effectiveEnabled": true, "bindingSource": "agent",
                "inheritedFromTenant": true, "tenantEnabled": true, "overrideEnabled": true
            }]}),
        ),
        wire::<AffectedAgents>(
            "AffectedAgents",
            &["/data/0/status", "/data/0/bindingSource"],
            &[],
            json!({"data": [
                {"id": ID, "name": "Coder", "status": "active", "bindingSource": "tenant"}
            ]}),
        ),
        wire::<ConnectionCreate>(
            "ConnectionCreate",
            &["/transport"],
            &["authHeaders"],
            json!({
                "name": "docs", "url": "https://mcp.example.com/mcp", "transport": "stdio",
                "authHeaders": {"X-Team": "docs"}, "command": "node", "args": ["server.mjs"]
            }),
        ),
        wire::<Enabled>("Enabled", &[], &[], json!({"enabled": true})),
    ]
}

fn tools() -> Vec<WireType> {
    vec![
        wire::<AgentServerTools>(
            "AgentServerTools",
            &["/data/0/tools/0/source"],
            &[],
            json!({"data": [{
                "connectionId": ID, "server": "docs-search", "readAt": DAY, "truncated": true,
                "tools": [{
                    "name": "mcp__docs-search__search", "description": "Searches.",
                    "gatedByPermission": "canCallExternalTools", "source": "mcp",
                    "permissionEnabled": true, "decision": decision(), "effective": true
                }],
                "dropped": [{"name": "sendEmail", "reason": "A catalog tool has this name."}]
            }]}),
        ),
        wire::<ConnectionTools>(
            "ConnectionTools",
            &[],
            &[],
            json!({"readAt": DAY, "truncated": true, "data": [{
                "name": "search", "fullName": "mcp__docs__search", "description": "Searches.",
                "dropped": "Too long."
            }]}),
        ),
    ]
}

fn published() -> Vec<WireType> {
    let skill = json!({
        "uri": "skill://a/SKILL.md", "name": "a", "description": "What for.",
        "frontmatter": {"name": "a", "license": "MIT"}, "status": "mismatch",
        "reasons": ["Another digest."], "files": [file()], "totalSize": 149,
        "approval": {
            "state": "revoked", "fingerprint": "f00d", "approvedAt": DAY, "approvedBy": "Ada",
            "changes": {"added": ["b"], "removed": ["c"], "changed": ["d"]}
        },
        "sameName": ["docs · skill://b/a/SKILL.md"], "inside": "skill://b/SKILL.md",
        "requestedTools": ["Bash"]
    });
    vec![
        wire::<McpSkillListing>(
            "McpSkillListing",
            &[
                "/era",
                "/data/0/status",
                "/data/0/files/0/check",
                "/data/0/approval/state",
            ],
            &["frontmatter"],
            json!({
                "connectionId": OTHER, "server": "docs", "readAt": DAY,
                "protocolVersion": "2026-07-28", "era": "discover", "declared": true,
                "resourcesDeclared": true, "directoryRead": true, "pages": 2, "truncated": true,
                "ttlMs": 60_000, "cacheScope": "private", "findings": ["No resources declared."],
                "data": [skill]
            }),
        ),
        wire::<McpSkillAddress>(
            "McpSkillAddress",
            &[],
            &[],
            json!({"uri": "skill://a/SKILL.md"}),
        ),
        wire::<McpSkillFileAddress>(
            "McpSkillFileAddress",
            &[],
            &[],
            json!({"skill": "skill://a/SKILL.md", "uri": "skill://a/b.md"}),
        ),
        wire::<McpSkillFileContent>(
            "McpSkillFileContent",
            &["/file/check"],
            &[],
            json!({"file": file(), "text": "# A", "withheld": "It did not match."}),
        ),
        wire::<McpSkillApprove>(
            "McpSkillApprove",
            &[],
            &[],
            json!({"uri": "skill://a/SKILL.md", "fingerprint": "f00d"}),
        ),
        wire::<DirectoryView>(
            "DirectoryView",
            &[],
            &[],
            json!({"truncated": true, "data": [
                {"uri": "skill://a/b", "name": "b", "directory": true, "listed": true}
            ]}),
        ),
    ]
}
