//! The tools of one agent as the pages list them: the control plane's own, then those of each MCP
//! server, each in a group of its own.

use std::sync::Arc;

use contract::capabilities::{Capabilities, Tool, ToolSource};
use contract::connections::AgentServerTools;
use contract::rules::permissions::Flag;

use crate::edits::Target;

/// What a group of tools has in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKey {
    /// They come from one part of the control plane.
    Source(ToolSource),
    /// They come from the MCP server of this name.
    Server(Arc<str>),
}

impl GroupKey {
    /// Names the group in addresses and element ids.
    pub fn slug(&self) -> String {
        match self {
            Self::Source(source) => source.as_str().to_owned(),
            Self::Server(name) => format!("mcp-{name}"),
        }
    }

    /// The heading on screen.
    pub fn heading(&self) -> String {
        match self {
            Self::Source(source) => source.heading().to_owned(),
            Self::Server(name) => name.to_string(),
        }
    }

    /// The MCP server it is about.
    pub fn server(&self) -> Option<&str> {
        match self {
            Self::Source(_) => None,
            Self::Server(name) => Some(name),
        }
    }
}

/// One tool, apart from how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolInfo {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The flag without which it is never assembled.
    pub gate: Option<Flag>,
    /// Where it stands in the list.
    pub group: GroupKey,
}

impl ToolInfo {
    fn of(tool: &Tool, group: GroupKey) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.description.clone(),
            gate: tool.gated_by_permission.clone(),
            group,
        }
    }

    /// As edits name it.
    pub fn target(&self) -> Target {
        Target {
            name: self.name.clone(),
            gate: self.gate.clone(),
        }
    }
}

/// The whole list, from what is known so far.
pub fn catalog_of(
    found: Option<&Capabilities>,
    servers: Option<&AgentServerTools>,
) -> Vec<ToolInfo> {
    // Without the control plane's own tools the list would look complete and not be.
    let Some(found) = found else {
        return Vec::new();
    };
    let mut all: Vec<ToolInfo> = found
        .tools
        .iter()
        .map(|tool| ToolInfo::of(tool, GroupKey::Source(tool.source.clone())))
        .collect();
    for server in servers
        .map(|servers| servers.data.as_slice())
        .unwrap_or_default()
    {
        let group = GroupKey::Server(server.server.as_str().into());
        let tools = server.tools.iter();
        all.extend(tools.map(|tool| ToolInfo::of(tool, group.clone())));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tools_of_servers_follow_the_control_planes_own_and_wait_for_them() {
        let tool = |name: &str, source: &str| {
            json!({
                "name": name, "source": source, "permissionEnabled": true, "effective": true,
                "decision": {"allowed": true, "toolName": name, "source": "default"}
            })
        };
        let found: Capabilities = serde_json::from_value(json!({
            "agentId": "a1", "tools": [tool("searchWeb", "builtin")],
            "grants": {"matrix": {"allow": ["*"], "deny": []}, "source": "default", "chain": []}
        }))
        .unwrap();
        let servers: AgentServerTools = serde_json::from_value(json!({"data": [{
            "connectionId": "c1", "server": "docs", "tools": [tool("mcp__docs__search", "mcp")]
        }]}))
        .unwrap();
        let all = catalog_of(Some(&found), Some(&servers));
        let groups: Vec<String> = all.iter().map(|tool| tool.group.slug()).collect();
        assert_eq!(groups, ["builtin", "mcp-docs"]);
        assert_eq!(catalog_of(Some(&found), None).len(), 1);
        assert!(catalog_of(None, Some(&servers)).is_empty());
    }
}
