//! What an account can do, independent of how it was asked: the HTTP routes and the example data
//! call the same functions. Every write is one transaction that holds the row, its entry in the
//! activity log and the change that listeners are told.

pub mod accounts;
pub mod agents;
pub mod attachments;
pub mod capabilities;
mod chain;
pub mod connections;
pub mod environments;
pub mod grants;
pub mod lifecycle;
pub mod mcp_servers;
pub mod organizations;
pub mod repositories;
mod resources;
mod scripts;

use contract::events::{Actor, ChangeEvent, ChangeKind};
use contract::grants::Scope;
use contract::{AgentId, TenantId, UserId};
use serde_json::Value;

use crate::clock::iso;
use crate::error::ApiError;
use crate::store::activity::{self, Recorded};
use crate::store::users::{self, User};
use crate::store::{Connection, WriteTx};

/// A new identifier: a random UUID (version 4).
pub(crate) fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// The stored account of a user who is signed in.
pub(crate) async fn account(connection: &mut Connection, user: &UserId) -> Result<User, ApiError> {
    users::by_id(connection, user)
        .await?
        .ok_or(ApiError::Unauthorized)
}

/// The tenant of a user who is signed in.
pub(crate) fn tenant_of(user: &User) -> Option<TenantId> {
    user.tenant_id.clone().map(TenantId::from)
}

/// One write to record.
pub(crate) struct Entry<'a> {
    pub(crate) action_type: &'static str,
    pub(crate) summary: String,
    pub(crate) details: Value,
    pub(crate) work_id: Option<String>,
    pub(crate) agent_id: Option<AgentId>,
    pub(crate) kind: ChangeKind,
    pub(crate) resource_id: &'a str,
    pub(crate) scope: Option<(Scope, String)>,
    pub(crate) at: i64,
}

/// Records a write of `user` by `actor` in its transaction.
pub(crate) async fn record(
    transaction: &mut WriteTx,
    user: &User,
    actor: &Actor,
    entry: Entry<'_>,
) -> Result<(), ApiError> {
    let (scope_type, scope_id) = entry.scope.unzip();
    let recorded = Recorded {
        id: new_id(),
        action_type: entry.action_type,
        summary: entry.summary,
        details: entry.details,
        work_id: entry.work_id,
        agent_id: entry.agent_id,
        tenant_id: user.tenant_id.clone(),
        organization_id: user.last_organization_id.clone(),
        change: ChangeEvent {
            sequence: 0,
            kind: entry.kind,
            resource_id: Some(entry.resource_id.to_owned()),
            scope_type,
            scope_id,
            actor: Some(actor.clone()),
            at: iso(entry.at),
        },
        at: entry.at,
    };
    activity::record(transaction, &actor.user_id, recorded).await?;
    Ok(())
}
