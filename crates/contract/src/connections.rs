//! MCP connections: the registry, each agent's state of a connection, the tools a server offers
//! and the health of a connection (contract section 7; health, tools and stdio are Remit's own).

use serde::{Deserialize, Serialize};

use crate::agents::AgentStatus;
use crate::capabilities::Tool;
use crate::ids::{AgentId, ConnectionId};
use crate::open::{null_as_default, open_enum};

/// Most characters of a connection's name.
pub const NAME_MAX: usize = 80;
/// Most headers sent along (contract section 7.2).
pub const HEADERS_MAX: usize = 10;
/// Most characters of a header's name.
pub const HEADER_NAME_MAX: usize = 128;
/// Most characters of a header's value.
pub const HEADER_VALUE_MAX: usize = 4096;
/// Most characters of a stdio server's command and of each of its arguments (Remit only).
pub const STDIO_TEXT_MAX: usize = 1024;
/// Most arguments of a stdio server (Remit only).
pub const STDIO_ARGS_MAX: usize = 64;
/// Most MCP connections one account may register (Remit only).
pub const CONNECTIONS_MAX: usize = 200;

open_enum! {
    /// How a server is reached.
    Transport {
        /// Streamable HTTP.
        StreamableHttp = "streamable-http",
        /// The older HTTP with server-sent events. Kept in the registry as the reference does;
        /// this control plane cannot open it and says so.
        Sse = "sse",
        /// A child process of this server (Remit only, registered by the server's own operator).
        Stdio = "stdio",
    }
}

open_enum! {
    /// How a connection was negotiated.
    ProtocolEra {
        /// `server/discover`, protocol 2026-07-28 or newer.
        Discover = "discover",
        /// `initialize`, protocol 2025-11-25 or older.
        Initialize = "initialize",
    }
}

open_enum! {
    /// Whether a server can be reached, as far as this control plane knows.
    ConnectionState {
        /// Nobody has tried since the connection was registered or last changed.
        NotTried = "unknown",
        /// An attempt is on its way.
        Connecting = "connecting",
        /// A session is open.
        Connected = "connected",
        /// The last attempt failed, or the session ended with an error.
        Failed = "failed",
        /// Switched off for the whole workspace.
        Disabled = "disabled",
    }
}

/// One row of the registry, `GET /api/mcp-connections` (contract section 7.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// The connection.
    pub id: ConnectionId,
    /// `^[a-z0-9][a-z0-9-]{0,79}$`, unique per account; its tools are named `mcp__<name>__…`.
    pub name: String,
    /// Where the server is; for stdio the command line, shown only.
    pub url: String,
    /// How it is reached.
    pub transport: Transport,
    /// The switch for the whole workspace.
    pub enabled: bool,
    /// `manual` today.
    pub source: String,
    /// Names of the headers that are sent along. Their values never leave the server.
    #[serde(default, deserialize_with = "null_as_default")]
    pub auth_header_names: Vec<String>,
    /// When a server last answered, ISO-8601 UTC.
    #[serde(default)]
    pub last_connected_at: Option<String>,
    /// Why the last attempt failed; cleared by a success.
    #[serde(default)]
    pub last_error: Option<String>,
    /// When it was registered, ISO-8601 UTC.
    pub created_at: String,
    /// When it last changed, ISO-8601 UTC.
    pub updated_at: String,
    /// What is known of the server (Remit only). `None` from control planes that do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<ConnectionHealth>,
}

/// What this control plane knows of a server (Remit only).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionHealth {
    /// Reachable or not.
    pub state: ConnectionState,
    /// Negotiated protocol version, such as `2026-07-28`.
    #[serde(default)]
    pub protocol_version: Option<String>,
    /// How it was negotiated.
    #[serde(default)]
    pub era: Option<ProtocolEra>,
    /// The name the server gives itself. A label for people; identity is the connection.
    #[serde(default)]
    pub server_name: Option<String>,
    /// The version the server gives itself.
    #[serde(default)]
    pub server_version: Option<String>,
    /// How many tools it offered when last read; `None` when never read.
    #[serde(default)]
    pub tool_count: Option<u32>,
    /// Whether that listing was cut at the limit of tools per server.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tools_truncated: bool,
    /// When the tool list was last read, ISO-8601 UTC.
    #[serde(default)]
    pub tools_read_at: Option<String>,
    /// Whether it declares the skills extension; `None` when never connected.
    #[serde(default)]
    pub skills: Option<bool>,
    /// Whether it declares directory reads for skills.
    #[serde(default, deserialize_with = "null_as_default")]
    pub directory_read: bool,
}

/// Answer of `GET /api/mcp-connections`, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionList {
    /// The registry.
    pub data: Vec<Connection>,
}

/// Answer of `DELETE /api/mcp-connections/:id` and of the like is [`crate::server::Deleted`];
/// this is the answer of `POST /api/mcp-connections/:id/test`, status 200 whatever the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionTest {
    /// Whether the server answered with its tools.
    pub ok: bool,
    /// How many tools.
    pub tool_count: u32,
    /// Their names as the server spells them.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tools: Vec<String>,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

open_enum! {
    /// Where an agent's state of a connection comes from.
    BindingSource {
        /// An override of the agent's own.
        Agent = "agent",
        /// The tenant-wide binding.
        Tenant = "tenant",
        /// No binding: off.
        Unbound = "none",
    }
}

/// One entry of `GET /api/agents/:id/mcp-servers`, and the answer of its PUT and DELETE (contract
/// section 7.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentConnection {
    /// The registry row.
    pub connection: Connection,
    /// Whether the agent finds this server on its next run: the connection is enabled, and the
    /// override, or else the tenant binding, says so.
    pub effective_enabled: bool,
    /// Who decided.
    pub binding_source: BindingSource,
    /// No override, and the tenant binding applies.
    pub inherited_from_tenant: bool,
    /// What the tenant binding says, whatever the override (Remit only); `None` when there is no
    /// tenant binding or the control plane does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_enabled: Option<bool>,
    /// What the override says, whatever the connection (Remit only); `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub override_enabled: Option<bool>,
}

/// Answer of `GET /api/agents/:id/mcp-servers`, oldest connection first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentConnectionList {
    /// One entry per connection of the account.
    pub data: Vec<AgentConnection>,
}

/// A tool that was left out of the list an agent gets, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DroppedTool {
    /// The name as the server spells it.
    pub name: String,
    /// One sentence: a clash with a catalog tool or another tool of the server, a name too long.
    pub reason: String,
}

/// The known tools of one server that is bound to an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerTools {
    /// The connection.
    pub connection_id: ConnectionId,
    /// Its name.
    pub server: String,
    /// When the list was read, ISO-8601 UTC; `None` when it never was, and `tools` then says
    /// nothing.
    #[serde(default)]
    pub read_at: Option<String>,
    /// Whether the list was cut at the limit of tools per server.
    #[serde(default, deserialize_with = "null_as_default")]
    pub truncated: bool,
    /// The tools under their full names, each with the server's verdict for this agent.
    pub tools: Vec<Tool>,
    /// What was left out.
    #[serde(default, deserialize_with = "null_as_default")]
    pub dropped: Vec<DroppedTool>,
}

/// Answer of `GET /api/agents/:id/mcp-tools` (Remit only): the tools of the servers that are on
/// for the agent, known from their last listing even while a server is down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentServerTools {
    /// One entry per bound server, in the registry's order.
    pub data: Vec<ServerTools>,
}

/// One tool of a registered server, whatever any agent may do with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownTool {
    /// The name as the server spells it.
    pub name: String,
    /// `mcp__<server>__<tool>`, under which grants decide; `None` when it was left out.
    #[serde(default)]
    pub full_name: Option<String>,
    /// What it does, in the server's words.
    #[serde(default, deserialize_with = "null_as_default")]
    pub description: String,
    /// Why it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

/// Answer of `GET /api/mcp-connections/:id/tools` (Remit only): the last listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionTools {
    /// When the list was read, ISO-8601 UTC; `None` when it never was.
    #[serde(default)]
    pub read_at: Option<String>,
    /// Whether it was cut at the limit.
    #[serde(default, deserialize_with = "null_as_default")]
    pub truncated: bool,
    /// In the server's order.
    pub data: Vec<KnownTool>,
}

/// An agent that a change of a connection would reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AffectedAgent {
    /// The agent.
    pub id: AgentId,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: AgentStatus,
    /// Who decided that the server is on for it.
    pub binding_source: BindingSource,
}

/// Answer of `GET /api/mcp-connections/:id/agents` (Remit only): the agents for which the server
/// is on, or would be if the connection were enabled; what disabling or deleting it reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AffectedAgents {
    /// By name; archived agents are left out.
    pub data: Vec<AffectedAgent>,
}

/// One header of a connection form.
pub type HeaderPair = (String, String);

/// Body of `POST /api/mcp-connections`. For stdio (Remit only) `url` is left out and `command`
/// and `args` are given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionCreate {
    /// See [`Connection::name`].
    pub name: String,
    /// Absent for stdio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How it is reached.
    pub transport: Transport,
    /// Header names and values, sent with each request to the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_headers: Option<std::collections::BTreeMap<String, String>>,
    /// Program to start (stdio only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments (stdio only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<String>>,
}

/// Body of `PATCH /api/mcp-connections/:id`: only what changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    clippy::option_option,
    reason = "headers can be left alone, cleared or replaced"
)]
pub struct ConnectionPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A new address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Another transport.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// `Some(None)` clears all headers, `Some(Some(_))` replaces all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_headers: Option<Option<std::collections::BTreeMap<String, String>>>,
    /// The switch for the whole workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Another program (stdio only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Other arguments (stdio only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<String>>,
}

/// Body of `PUT /api/agents/:id/mcp-servers/:connectionId` and
/// `PUT /api/agents/:id/repos/:repoConnectionId`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enabled {
    /// On or off.
    pub enabled: bool,
}
