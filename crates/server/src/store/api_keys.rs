//! API keys, kept under the SHA-256 of the key.

use contract::UserId;

use super::{Connection, StoreError, count};

/// A stored key.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct StoredKey {
    /// The key's identifier.
    pub id: String,
    /// Name given by its owner.
    pub name: String,
    /// First characters of the key.
    pub prefix: String,
    /// When it stops working, milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// When it was last accepted.
    pub last_used_at: Option<i64>,
    /// When it was made.
    pub created_at: i64,
}

/// A key that was presented, with its account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeyOwner {
    /// The key's identifier.
    pub id: String,
    /// Name given by its owner.
    pub name: String,
    /// Whose it is.
    pub user_id: String,
    /// The account's shown name.
    pub username: String,
    /// When it stops working.
    pub expires_at: Option<i64>,
}

/// All keys of an account, newest first.
pub async fn list(
    connection: &mut Connection,
    user: &UserId,
) -> Result<Vec<StoredKey>, StoreError> {
    sqlx::query_as(
        "SELECT id, name, prefix, expires_at, last_used_at, created_at FROM api_keys \
         WHERE user_id = $1 ORDER BY created_at DESC, id",
    )
    .bind(user.as_str())
    .fetch_all(connection)
    .await
}

/// How many keys an account has.
pub async fn number(connection: &mut Connection, user: &UserId) -> Result<u64, StoreError> {
    sqlx::query_scalar("SELECT COUNT(*) FROM api_keys WHERE user_id = $1")
        .bind(user.as_str())
        .fetch_one(connection)
        .await
        .map(count)
}

/// Stores a key.
pub async fn insert(
    connection: &mut Connection,
    user: &UserId,
    key: &StoredKey,
    key_hash: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO api_keys (id, user_id, name, prefix, key_hash, expires_at, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&key.id)
    .bind(user.as_str())
    .bind(&key.name)
    .bind(&key.prefix)
    .bind(key_hash)
    .bind(key.expires_at)
    .bind(key.created_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a key of an account; whether there was one.
pub async fn delete(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<bool, StoreError> {
    let done = sqlx::query("DELETE FROM api_keys WHERE user_id = $1 AND id = $2")
        .bind(user.as_str())
        .bind(id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The key with a hash that has not expired at `now`.
pub async fn find(
    connection: &mut Connection,
    key_hash: &str,
    now: i64,
) -> Result<Option<KeyOwner>, StoreError> {
    sqlx::query_as(
        "SELECT api_keys.id, name, user_id, username, expires_at FROM api_keys \
         JOIN users ON users.id = api_keys.user_id \
         WHERE key_hash = $1 AND (expires_at IS NULL OR expires_at > $2)",
    )
    .bind(key_hash)
    .bind(now)
    .fetch_optional(connection)
    .await
}

/// Notes that a key was accepted.
pub async fn touch(connection: &mut Connection, id: &str, now: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE api_keys SET last_used_at = $1 WHERE id = $2")
        .bind(now)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}
