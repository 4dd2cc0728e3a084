//! Reading what a server offers, within bounds: a server can neither keep us reading for ever nor
//! fill our memory, and one bad entry does not cost the others.

use std::collections::HashSet;
use std::time::Duration;

use rmcp::ServiceError;
use rmcp::model::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Failure;
use super::client::Session;

/// Most pages of one listing.
const PAGES_MAX: usize = 250;
/// Most tools of one listing.
const TOOLS_MAX: usize = 10_000;
/// Most characters of a tool's own name that are kept.
const NAME_MAX: usize = 1_000;
/// Most characters of a description that are kept.
const DESCRIPTION_MAX: usize = 2_000;
/// Most bytes of names and descriptions of one listing.
const BYTES_MAX: usize = 4 * 1024 * 1024;

/// One tool as the server describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListedTool {
    /// Its name as the server spells it.
    pub(crate) name: String,
    /// What it does, in the server's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// In the server's order.
    pub(crate) tools: Vec<ListedTool>,
    /// Whether the server has more than was read.
    pub(crate) truncated: bool,
}

/// Reads the tools of a server. A server without tools has an empty list.
pub(crate) async fn tools(session: &Session, limit: Duration) -> Result<Listing, Failure> {
    if session.info.capabilities.tools.is_none() {
        return Ok(Listing::default());
    }
    tokio::time::timeout(limit, pages(session, limit))
        .await
        .map_err(|_| Failure::timeout())?
}

async fn pages(session: &Session, limit: Duration) -> Result<Listing, Failure> {
    let mut listing = Listing::default();
    let mut cursors = HashSet::new();
    let mut bytes = 0;
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let params = cursor
            .as_ref()
            .map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
        let page = match session.request("tools/list", params, limit).await {
            Ok(page) => page,
            // Declared, but not there: zero tools, as without the declaration.
            Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                return Ok(listing);
            }
            Err(error) => return Err(Failure::of_request(&error, &session.secrets)),
        };
        let Some(entries) = page.get("tools").and_then(Value::as_array) else {
            return Err(Failure::new("The server's tool list has no tools field."));
        };
        for entry in entries.iter().filter_map(Value::as_object) {
            let Some(tool) = listed(entry) else { continue };
            bytes += tool.name.len() + tool.description.len();
            if listing.tools.len() >= TOOLS_MAX || bytes > BYTES_MAX {
                listing.truncated = true;
                return Ok(listing);
            }
            listing.tools.push(tool);
        }
        let next = page.get("nextCursor").and_then(Value::as_str);
        let Some(next) = next else { return Ok(listing) };
        if !cursors.insert(next.to_owned()) {
            break;
        }
        cursor = Some(next.to_owned());
    }
    listing.truncated = true;
    Ok(listing)
}

/// An entry that has a name; one without cannot be called.
fn listed(entry: &Map<String, Value>) -> Option<ListedTool> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let name = text("name").filter(|name| !name.is_empty())?;
    Some(ListedTool {
        name: cut(name, NAME_MAX),
        description: cut(text("description").unwrap_or_default(), DESCRIPTION_MAX),
    })
}
