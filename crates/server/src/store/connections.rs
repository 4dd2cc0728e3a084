//! MCP connections: the registry and what is known of the servers. Header values have functions
//! of their own, which only the connector calls.

use std::collections::BTreeMap;

use contract::UserId;
use contract::connections::{
    Connection as Registered, ConnectionHealth, ConnectionState, ProtocolEra,
};

use super::{Connection, StoreError, from_json, to_json};
use crate::clock::{from_iso, iso};

/// A stored connection: the wire value and what is kept beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The connection as it is answered; its health as far as the store knows.
    pub connection: Registered,
    /// Whose it is.
    pub user_id: UserId,
    /// Program and arguments, stdio only.
    pub program: Option<(String, Vec<String>)>,
    /// What the tenant-wide binding says; `None` when there is none.
    pub tenant_binding: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct Record {
    id: String,
    user_id: String,
    name: String,
    url: String,
    transport: String,
    command: Option<String>,
    args: Option<String>,
    enabled: i64,
    source: String,
    auth_header_names: String,
    tenant_binding: Option<i64>,
    last_connected_at: Option<i64>,
    last_error: Option<String>,
    protocol_version: Option<String>,
    era: Option<String>,
    server_name: Option<String>,
    server_version: Option<String>,
    skills: Option<i64>,
    directory_read: i64,
    tool_count: Option<i64>,
    tools_truncated: i64,
    tools_read_at: Option<i64>,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<Record> for Stored {
    type Error = StoreError;

    fn try_from(record: Record) -> Result<Self, StoreError> {
        let state = match (record.enabled, &record.last_error) {
            (0, _) => ConnectionState::Disabled,
            (_, Some(_)) => ConnectionState::Failed,
            (_, None) => ConnectionState::NotTried,
        };
        let args: Option<Vec<String>> = record.args.as_deref().map(from_json).transpose()?;
        let health = ConnectionHealth {
            state,
            protocol_version: record.protocol_version,
            era: record.era.as_deref().map(ProtocolEra::from),
            server_name: record.server_name,
            server_version: record.server_version,
            tool_count: record
                .tool_count
                .and_then(|count| u32::try_from(count).ok()),
            tools_truncated: record.tools_truncated != 0,
            tools_read_at: record.tools_read_at.map(iso),
            skills: record.skills.map(|skills| skills != 0),
            directory_read: record.directory_read != 0,
        };
        Ok(Self {
            connection: Registered {
                id: record.id.into(),
                name: record.name,
                url: record.url,
                transport: record.transport.as_str().into(),
                enabled: record.enabled != 0,
                source: record.source,
                auth_header_names: from_json(&record.auth_header_names)?,
                last_connected_at: record.last_connected_at.map(iso),
                last_error: record.last_error,
                created_at: iso(record.created_at),
                updated_at: iso(record.updated_at),
                health: Some(health),
            },
            user_id: record.user_id.into(),
            program: record
                .command
                .map(|command| (command, args.unwrap_or_default())),
            tenant_binding: record.tenant_binding.map(|enabled| enabled != 0),
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, name, url, transport, command, args, enabled, source, ",
            "auth_header_names, tenant_binding, last_connected_at, last_error, ",
            "protocol_version, era, server_name, server_version, skills, directory_read, ",
            "tool_count, tools_truncated, tools_read_at, created_at, updated_at ",
            "FROM mcp_connections ",
            $rest
        )
    };
}

/// All connections of an account, oldest first.
pub async fn list(connection: &mut Connection, user: &UserId) -> Result<Vec<Stored>, StoreError> {
    let records: Vec<Record> =
        sqlx::query_as(select!("WHERE user_id = $1 ORDER BY created_at, id"))
            .bind(user.as_str())
            .fetch_all(connection)
            .await?;
    records.into_iter().map(Stored::try_from).collect()
}

/// The enabled connections of all accounts, oldest first: what is connected at start.
pub async fn enabled(connection: &mut Connection) -> Result<Vec<Stored>, StoreError> {
    let records: Vec<Record> =
        sqlx::query_as(select!("WHERE enabled <> 0 ORDER BY created_at, id"))
            .fetch_all(connection)
            .await?;
    records.into_iter().map(Stored::try_from).collect()
}

/// A connection of an account.
pub async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<Stored>, StoreError> {
    let record: Option<Record> = sqlx::query_as(select!("WHERE user_id = $1 AND id = $2"))
        .bind(user.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    record.map(Stored::try_from).transpose()
}

/// Whether another connection of the account has the name.
pub async fn name_taken(
    connection: &mut Connection,
    user: &UserId,
    name: &str,
    except: &str,
) -> Result<bool, StoreError> {
    let count: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM mcp_connections WHERE user_id = $1 AND name = $2 AND id <> $3",
    )
    .bind(user.as_str())
    .bind(name)
    .bind(except)
    .fetch_one(connection)
    .await?;
    Ok(count > 0)
}

/// Stores a new connection, or the new registration of a known one. What is known of the server
/// is not touched.
pub async fn save(connection: &mut Connection, stored: &Stored) -> Result<(), StoreError> {
    let row = &stored.connection;
    let (command, args) = stored.program.as_ref().map(|(c, a)| (c, a)).unzip();
    sqlx::query(
        "INSERT INTO mcp_connections (id, user_id, name, url, transport, command, args, enabled, \
         source, auth_header_names, tenant_binding, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url, \
         transport = excluded.transport, command = excluded.command, args = excluded.args, \
         enabled = excluded.enabled, auth_header_names = excluded.auth_header_names, \
         tenant_binding = excluded.tenant_binding, updated_at = excluded.updated_at",
    )
    .bind(row.id.as_str())
    .bind(stored.user_id.as_str())
    .bind(&row.name)
    .bind(&row.url)
    .bind(row.transport.as_str())
    .bind(command)
    .bind(args.map(to_json).transpose()?)
    .bind(i64::from(row.enabled))
    .bind(&row.source)
    .bind(to_json(&row.auth_header_names)?)
    .bind(stored.tenant_binding.map(i64::from))
    .bind(from_iso(&row.created_at))
    .bind(from_iso(&row.updated_at))
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a connection with everything that hangs on it.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM mcp_connections WHERE id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Replaces the headers that are sent to a server; an empty list removes them.
pub async fn save_headers(
    connection: &mut Connection,
    id: &str,
    headers: &BTreeMap<String, String>,
) -> Result<(), StoreError> {
    if headers.is_empty() {
        sqlx::query("DELETE FROM mcp_headers WHERE connection_id = $1")
            .bind(id)
            .execute(connection)
            .await?;
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO mcp_headers (connection_id, headers) VALUES ($1, $2) \
         ON CONFLICT (connection_id) DO UPDATE SET headers = excluded.headers",
    )
    .bind(id)
    .bind(to_json(headers)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// The headers to send to a server, for the connector only.
pub async fn headers(
    connection: &mut Connection,
    id: &str,
) -> Result<BTreeMap<String, String>, StoreError> {
    let text: Option<String> =
        sqlx::query_scalar("SELECT headers FROM mcp_headers WHERE connection_id = $1")
            .bind(id)
            .fetch_optional(connection)
            .await?;
    text.as_deref()
        .map(from_json)
        .transpose()
        .map(Option::unwrap_or_default)
}

/// Forgets the tool list of a server.
pub async fn clear_tools(connection: &mut Connection, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM mcp_tools WHERE connection_id = $1")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "UPDATE mcp_connections SET tool_count = NULL, tools_truncated = 0, tools_read_at = NULL \
         WHERE id = $1",
    )
    .bind(id)
    .execute(connection)
    .await?;
    Ok(())
}
