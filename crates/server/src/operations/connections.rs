//! The registry of MCP servers: registering, changing and removing them (contract section 7.2).

use std::collections::BTreeMap;

use contract::connections::{
    AffectedAgent, CONNECTIONS_MAX, Connection as Registered, ConnectionCreate, ConnectionPatch,
    Transport,
};
use contract::events::{Actor, ChangeKind};
use contract::requests::connections as requests;
use contract::{AgentId, UserId};
use serde_json::{Value, json};

use super::{Entry, account, new_id, record};
use crate::clock::{self, iso};
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::connections::Stored;
use crate::store::users::{self, User};
use crate::store::{Connection, WriteTx, connections, mcp_overrides};

/// All connections of the caller, oldest first.
pub async fn list(state: &AppState, user: &UserId) -> Result<Vec<Registered>, ApiError> {
    let mut reading = state.store.read().await?;
    let stored = connections::list(&mut reading, user).await?;
    Ok(stored.into_iter().map(|stored| stored.connection).collect())
}

/// One connection of the caller.
pub async fn get(state: &AppState, user: &UserId, id: &str) -> Result<Registered, ApiError> {
    let mut reading = state.store.read().await?;
    Ok(find(&mut reading, user, id).await?.connection)
}

pub(crate) async fn find(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Stored, ApiError> {
    connections::find(connection, user, id)
        .await?
        .ok_or_else(|| ApiError::NotFound(format!("MCP connection {id} not found.")))
}

/// Registers a server, with an enabled binding for the whole tenant: every agent of the account
/// inherits it at once.
pub async fn create(
    state: &AppState,
    actor: &Actor,
    request: ConnectionCreate,
) -> Result<Registered, ApiError> {
    requests::check_create(&request).map_err(ApiError::BadRequest)?;
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    if request.transport == Transport::Stdio {
        require_operator(&mut writing, &user).await?;
    }
    let known = connections::list(&mut writing, &actor.user_id).await?.len();
    if known >= CONNECTIONS_MAX {
        return Err(ApiError::BadRequest(format!(
            "At most {CONNECTIONS_MAX} MCP connections are supported per account."
        )));
    }
    check_name(&mut writing, &actor.user_id, &request.name, "").await?;
    let now = clock::stamp();
    let headers = request.auth_headers.unwrap_or_default();
    let mut stored = Stored {
        connection: Registered {
            id: new_id().into(),
            name: request.name,
            url: request.url.unwrap_or_default(),
            transport: request.transport,
            enabled: true,
            source: "manual".to_owned(),
            auth_header_names: headers.keys().cloned().collect(),
            last_connected_at: None,
            last_error: None,
            created_at: iso(now),
            updated_at: iso(now),
            health: None,
        },
        user_id: actor.user_id.clone(),
        program: request
            .command
            .map(|command| (command, request.args.unwrap_or_default())),
        tenant_binding: Some(true),
    };
    show_program(&mut stored);
    connections::save(&mut writing, &stored).await?;
    let id = stored.connection.id.clone();
    connections::save_headers(&mut writing, id.as_str(), &headers).await?;
    let change = Change {
        action_type: "mcp_connection_created",
        verb: "registered",
        before: None,
        after: Some(content(&stored)),
        headers_replaced: false,
    };
    record_change(&mut writing, &user, actor, &stored, change, now).await?;
    let made = find(&mut writing, &actor.user_id, id.as_str()).await?;
    state.commit(writing).await?;
    Ok(made.connection)
}

/// Changes a connection. What was known of the server's tools is forgotten.
pub async fn patch(
    state: &AppState,
    actor: &Actor,
    id: &str,
    request: ConnectionPatch,
) -> Result<Registered, ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let before = find(&mut writing, &actor.user_id, id).await?;
    let mut after = before.clone();
    let new_headers = request.auth_headers.clone().map(Option::unwrap_or_default);
    apply(&mut after, request)?;
    if [&before, &after].iter().any(|stored| is_stdio(stored)) {
        require_operator(&mut writing, &user).await?;
    }
    check_name(&mut writing, &actor.user_id, &after.connection.name, id).await?;
    let now = clock::stamp();
    after.connection.updated_at = iso(now);
    connections::save(&mut writing, &after).await?;
    // Headers belong to an address: a program is sent none.
    let headers_replaced = new_headers.is_some();
    if let Some(headers) = new_headers.or_else(|| is_stdio(&after).then(BTreeMap::new)) {
        connections::save_headers(&mut writing, id, &headers).await?;
    }
    connections::clear_tools(&mut writing, id).await?;
    let change = Change {
        action_type: "mcp_connection_updated",
        verb: "changed",
        before: Some(content(&before)),
        after: Some(content(&after)),
        headers_replaced,
    };
    record_change(&mut writing, &user, actor, &after, change, now).await?;
    let changed = find(&mut writing, &actor.user_id, id).await?;
    state.commit(writing).await?;
    Ok(changed.connection)
}

/// Removes a connection with its bindings.
pub async fn delete(state: &AppState, actor: &Actor, id: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    let user = account(&mut writing, &actor.user_id).await?;
    let stored = find(&mut writing, &actor.user_id, id).await?;
    if is_stdio(&stored) {
        require_operator(&mut writing, &user).await?;
    }
    connections::delete(&mut writing, id).await?;
    let change = Change {
        action_type: "mcp_connection_deleted",
        verb: "removed",
        before: Some(content(&stored)),
        after: None,
        headers_replaced: false,
    };
    record_change(&mut writing, &user, actor, &stored, change, clock::stamp()).await?;
    state.commit(writing).await
}

/// The agents for which a server is on, or would be if the connection were enabled.
pub async fn affected(
    state: &AppState,
    user: &UserId,
    id: &str,
) -> Result<Vec<AffectedAgent>, ApiError> {
    let mut reading = state.store.read().await?;
    let stored = find(&mut reading, user, id).await?;
    let agents = mcp_overrides::agents(&mut reading, user, id).await?;
    let reached = agents.into_iter().filter_map(|agent| {
        let (source, on) = super::mcp_servers::binding(stored.tenant_binding, agent.enabled());
        on.then(|| AffectedAgent {
            status: agent.status(),
            id: AgentId::from(agent.id),
            name: agent.name,
            binding_source: source,
        })
    });
    Ok(reached.collect())
}

fn is_stdio(stored: &Stored) -> bool {
    stored.connection.transport == Transport::Stdio
}

/// Child processes run with the rights of this server, so only who runs it may name them.
async fn require_operator(connection: &mut Connection, user: &User) -> Result<(), ApiError> {
    let first = users::first(connection).await?;
    if first.is_some_and(|first| first.id == user.id) {
        return Ok(());
    }
    Err(ApiError::Forbidden(
        "Only the first owner account of this server may register, change or remove a stdio server: it starts a program on the server's machine.".to_owned(),
    ))
}

async fn check_name(
    connection: &mut Connection,
    user: &UserId,
    name: &str,
    id: &str,
) -> Result<(), ApiError> {
    if connections::name_taken(connection, user, name, id).await? {
        return Err(ApiError::Conflict(format!(
            "A connection named \"{name}\" already exists."
        )));
    }
    Ok(())
}

fn show_program(stored: &mut Stored) {
    if let Some((command, args)) = &stored.program {
        stored.connection.url = requests::command_line(command, args);
    }
}

/// Puts the changes in, and checks the outcome as if it were registered anew.
fn apply(stored: &mut Stored, request: ConnectionPatch) -> Result<(), ApiError> {
    let was_stdio = is_stdio(stored);
    let row = &mut stored.connection;
    if let Some(transport) = request.transport {
        row.transport = transport;
    }
    if let Some(enabled) = request.enabled {
        row.enabled = enabled;
    }
    if let Some(name) = request.name {
        row.name = name;
    }
    let stdio = row.transport == Transport::Stdio;
    let clears = stdio || request.auth_headers == Some(None);
    let (command, args) = stored.program.take().unzip();
    // An address or a program of the other kind does not survive the change of transport.
    let kept = |is_of_kind: bool, url: &str| is_of_kind.then(|| url.to_owned());
    let outcome = ConnectionCreate {
        name: row.name.clone(),
        url: request.url.or_else(|| kept(!stdio && !was_stdio, &row.url)),
        transport: row.transport.clone(),
        auth_headers: request.auth_headers.flatten(),
        command: request.command.or(command.filter(|_| stdio)),
        args: request.args.or(args.filter(|_| stdio)),
    };
    requests::check_create(&outcome).map_err(ApiError::BadRequest)?;
    match (&outcome.auth_headers, clears) {
        (Some(headers), _) => row.auth_header_names = headers.keys().cloned().collect(),
        (None, true) => row.auth_header_names.clear(),
        (None, false) => {}
    }
    row.url = outcome.url.unwrap_or_default();
    stored.program = outcome
        .command
        .map(|command| (command, outcome.args.unwrap_or_default()));
    show_program(stored);
    Ok(())
}

/// What the activity log keeps of a registration: everything but header values.
fn content(stored: &Stored) -> Value {
    let row = &stored.connection;
    json!({
        "name": row.name,
        "url": row.url,
        "transport": row.transport,
        "enabled": row.enabled,
        "authHeaderNames": row.auth_header_names,
    })
}

struct Change {
    action_type: &'static str,
    verb: &'static str,
    before: Option<Value>,
    after: Option<Value>,
    headers_replaced: bool,
}

async fn record_change(
    writing: &mut WriteTx,
    user: &User,
    actor: &Actor,
    stored: &Stored,
    change: Change,
    now: i64,
) -> Result<(), ApiError> {
    let row = &stored.connection;
    let entry = Entry {
        action_type: change.action_type,
        summary: format!("MCP connection {} {}", row.name, change.verb),
        details: json!({
            "resourceType": "mcpConnection",
            "resourceId": row.id,
            "actor": actor,
            "before": change.before,
            "after": change.after,
            "authHeadersReplaced": change.headers_replaced,
        }),
        work_id: None,
        agent_id: None,
        kind: ChangeKind::McpConnection,
        resource_id: row.id.as_str(),
        scope: None,
        at: now,
    };
    record(writing, user, actor, entry).await
}
