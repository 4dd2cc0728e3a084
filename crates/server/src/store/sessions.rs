//! Sessions, kept under the SHA-256 of their token.

use contract::UserId;

use super::{Connection, StoreError};

/// A stored session with the name of its account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    /// Whose it is.
    pub user_id: String,
    /// The account's shown name.
    pub username: String,
    /// When it ends, milliseconds since 1970.
    pub expires_at: i64,
}

/// The session with a token hash that has not ended at `now`.
pub async fn find(
    connection: &mut Connection,
    token_hash: &str,
    now: i64,
) -> Result<Option<Session>, StoreError> {
    sqlx::query_as(
        "SELECT user_id, username, expires_at FROM sessions \
         JOIN users ON users.id = sessions.user_id \
         WHERE token_hash = $1 AND expires_at > $2",
    )
    .bind(token_hash)
    .bind(now)
    .fetch_optional(connection)
    .await
}

/// Stores a session and forgets those that ended.
pub async fn insert(
    connection: &mut Connection,
    token_hash: &str,
    user: &UserId,
    now: i64,
    expires_at: i64,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO sessions (token_hash, user_id, created_at, expires_at) \
         VALUES ($1, $2, $3, $4)",
    )
    .bind(token_hash)
    .bind(user.as_str())
    .bind(now)
    .bind(expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends one session.
pub async fn delete(connection: &mut Connection, token_hash: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
        .bind(token_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends all sessions of an account.
pub async fn delete_all(connection: &mut Connection, user: &UserId) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sessions WHERE user_id = $1")
        .bind(user.as_str())
        .execute(connection)
        .await?;
    Ok(())
}
