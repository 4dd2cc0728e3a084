//! Accounts and tenants.

use contract::{OrganizationId, TenantId, UserId};

use super::{Connection, StoreError};

/// A stored account.
#[derive(Clone, sqlx::FromRow)]
pub struct User {
    /// The account.
    pub id: String,
    /// Shown name.
    pub username: String,
    /// Short name for URLs.
    pub slug: String,
    /// Sign-in address as it was given.
    pub email: String,
    /// Password hash; `None` for accounts that sign in by link only.
    pub password_hash: Option<String>,
    /// The account's tenant.
    pub tenant_id: Option<String>,
    /// Its tenant's name.
    pub tenant_name: Option<String>,
    /// The organization last worked in.
    pub last_organization_id: Option<String>,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

const BY_ID: &str = "SELECT users.id, username, slug, email, password_hash, tenant_id, \
     tenants.name AS tenant_name, last_organization_id, users.created_at \
     FROM users LEFT JOIN tenants ON tenants.id = users.tenant_id WHERE users.id = $1";
const BY_EMAIL: &str = "SELECT users.id, username, slug, email, password_hash, tenant_id, \
     tenants.name AS tenant_name, last_organization_id, users.created_at \
     FROM users LEFT JOIN tenants ON tenants.id = users.tenant_id WHERE email_key = $1";
const FIRST: &str = "SELECT users.id, username, slug, email, password_hash, tenant_id, \
     tenants.name AS tenant_name, last_organization_id, users.created_at \
     FROM users LEFT JOIN tenants ON tenants.id = users.tenant_id \
     ORDER BY users.created_at, users.id LIMIT 1";

/// The form of an address under which accounts are found.
pub fn email_key(email: &str) -> String {
    email.to_lowercase()
}

/// One account.
pub async fn by_id(connection: &mut Connection, id: &UserId) -> Result<Option<User>, StoreError> {
    sqlx::query_as(BY_ID)
        .bind(id.as_str())
        .fetch_optional(connection)
        .await
}

/// The account with an address, in any case.
pub async fn by_email(
    connection: &mut Connection,
    email: &str,
) -> Result<Option<User>, StoreError> {
    sqlx::query_as(BY_EMAIL)
        .bind(email_key(email))
        .fetch_optional(connection)
        .await
}

/// The oldest account: the first owner.
pub async fn first(connection: &mut Connection) -> Result<Option<User>, StoreError> {
    sqlx::query_as(FIRST).fetch_optional(connection).await
}

/// Stores a new account; its address must be new.
pub async fn insert(connection: &mut Connection, user: &User) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO users (id, username, slug, email, email_key, password_hash, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&user.id)
    .bind(&user.username)
    .bind(&user.slug)
    .bind(&user.email)
    .bind(email_key(&user.email))
    .bind(&user.password_hash)
    .bind(user.created_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether another account has the slug.
pub async fn slug_taken(connection: &mut Connection, slug: &str) -> Result<bool, StoreError> {
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM users WHERE slug = $1")
        .bind(slug)
        .fetch_one(connection)
        .await?;
    Ok(count > 0)
}

/// Makes a tenant and gives it to an account.
pub async fn create_tenant(
    connection: &mut Connection,
    user: &UserId,
    tenant: &TenantId,
    name: &str,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO tenants (id, name, created_at) VALUES ($1, $2, $3)")
        .bind(tenant.as_str())
        .bind(name)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query("UPDATE users SET tenant_id = $1 WHERE id = $2")
        .bind(tenant.as_str())
        .bind(user.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

/// Remembers the organization last worked in.
pub async fn set_last_organization(
    connection: &mut Connection,
    user: &UserId,
    organization: &OrganizationId,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE users SET last_organization_id = $1 WHERE id = $2")
        .bind(organization.as_str())
        .bind(user.as_str())
        .execute(connection)
        .await?;
    Ok(())
}
