//! What happened in the account.

use contract::events::ActivityPage;

use super::{ApiError, Client, get};

/// The latest hundred entries of the account, newest first.
pub async fn latest(client: &Client) -> Result<ActivityPage, ApiError> {
    get(client, "api/activity-log?limit=100").await
}
