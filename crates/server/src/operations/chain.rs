//! Which layers a resolution sees, and the rows stored there (contract section 5.3).

use contract::UserId;
use contract::grants::{GrantRow, Scope};
use contract::requests::grants::ChainQuery;
use contract::rules::fold::Layer;

use super::account;
use super::grants::{missing, own_organization};
use crate::error::ApiError;
use crate::store::{Connection, agents, grants, organizations, works};

/// The ids of a chain, least specific first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) tenant: Option<String>,
    pub(crate) organization: Option<String>,
    pub(crate) work: Option<String>,
    pub(crate) agent: Option<String>,
}

impl Chain {
    /// The known ids with their scopes.
    fn scopes(&self) -> impl Iterator<Item = (Scope, &String)> {
        [
            (Scope::Tenant, &self.tenant),
            (Scope::Organization, &self.organization),
            (Scope::Work, &self.work),
            (Scope::Agent, &self.agent),
        ]
        .into_iter()
        .filter_map(|(scope, id)| Some((scope, id.as_ref()?)))
    }
}

/// One layer per known id, with the row stored there if any (contract 5.3, steps 5 and 6).
pub(crate) fn layers(chain: &Chain, rows: &[GrantRow]) -> Vec<Layer> {
    chain
        .scopes()
        .map(|(scope, id)| {
            let row = rows
                .iter()
                .find(|row| row.scope_type == scope && row.scope_id == *id);
            Layer {
                scope,
                id: Some(id.clone()),
                grant: row.map(GrantRow::grant),
            }
        })
        .collect()
}

/// The user's rows at the scopes of a chain.
pub(crate) async fn rows_of(
    connection: &mut Connection,
    user: &UserId,
    chain: &Chain,
) -> Result<Vec<GrantRow>, ApiError> {
    let mut rows = Vec::new();
    for (scope, id) in chain.scopes() {
        rows.extend(grants::at_scope(connection, user, &scope, id).await?);
    }
    Ok(rows)
}

/// Checks that the caller may see the ids asked for, then discovers the missing ones.
pub(super) async fn owned_chain(
    connection: &mut Connection,
    user: &UserId,
    query: &ChainQuery,
) -> Result<Chain, ApiError> {
    let account = account(connection, user).await?;
    let mut chain = Chain {
        agent: query.agent_id.clone(),
        work: query.work_id.clone(),
        organization: query.organization_id.clone(),
        tenant: None,
    };
    if let Some(id) = &query.work_id
        && works::find(connection, user, id).await?.is_none()
    {
        return Err(ApiError::WorkNotFound(id.clone()));
    }
    if let Some(id) = &query.organization_id {
        own_organization(connection, &account, id).await?;
    }
    if let Some(id) = &query.agent_id {
        let stored = agents::find(connection, user, id)
            .await?
            .ok_or_else(|| missing("Agent", id))?;
        discover_from_agent(&mut chain, &stored);
    }
    complete(connection, user, &mut chain).await?;
    Ok(chain)
}

/// Step 2 of contract 5.3: what an agent says about its chain.
fn discover_from_agent(chain: &mut Chain, stored: &agents::Stored) {
    let work = stored.agent.work_id.as_ref().map(|id| id.0.clone());
    chain.work = chain.work.take().or(work);
    chain.organization = chain.organization.take().or(stored.organization_id.clone());
    chain.tenant = chain.tenant.take().or(stored.tenant_id.clone());
}

/// Steps 3 and 4 of contract 5.3: what a Work and an organization say; what is gone is forgotten.
async fn complete(
    connection: &mut Connection,
    user: &UserId,
    chain: &mut Chain,
) -> Result<(), ApiError> {
    if let Some(id) = chain.work.take()
        && let Some(work) = works::find(connection, user, &id).await?
    {
        chain.work = Some(id);
        let organization = work.organization_id.map(|id| id.0);
        chain.organization = chain.organization.take().or(organization);
        chain.tenant = chain.tenant.take().or(work.tenant_id.map(|id| id.0));
    }
    if let Some(id) = chain.organization.take()
        && let Some(organization) = organizations::by_id(connection, &id).await?
    {
        chain.organization = Some(id);
        chain.tenant = chain.tenant.take().or(Some(organization.tenant_id.0));
    }
    Ok(())
}

/// The chain of an agent the caller is known to own.
pub(crate) async fn chain_of(
    connection: &mut Connection,
    user: &UserId,
    stored: &agents::Stored,
) -> Result<Chain, ApiError> {
    let mut chain = Chain {
        agent: Some(stored.agent.id.0.clone()),
        ..Chain::default()
    };
    discover_from_agent(&mut chain, stored);
    complete(connection, user, &mut chain).await?;
    Ok(chain)
}
