//! Skills in folders of the server's machine (Remit only).

use contract::skill_folders::{FolderSkillDetail, SkillFolderList};

use super::{ApiError, Client, get};
use crate::route::encode;

/// Every folder the server was given, with its skills.
pub async fn all(client: &Client) -> Result<SkillFolderList, ApiError> {
    get(client, "api/skill-folders").await
}

/// One skill of a folder, with its text.
pub async fn one(client: &Client, id: &str) -> Result<FolderSkillDetail, ApiError> {
    get(client, &format!("api/skill-folders/{}", encode(id))).await
}
