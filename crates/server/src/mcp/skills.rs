//! What a server publishes as skills (skills contract section 1), asked for within bounds and
//! answered raw: entries are judged one by one elsewhere. Nothing is asked before the server
//! declares the extension, nothing is kept, and a read is transport: it loads nothing.

use std::collections::HashSet;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contract::mcp_skills::ADDRESS_MAX;
use contract::rules::skills::manifest::BYTES_MAX;
use rmcp::ServiceError;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::client::Session;
use super::failure::Failure;

/// Most pages of one listing.
const PAGES_MAX: u32 = 250;
/// Most entries of one listing.
const ENTRIES_MAX: usize = 10_000;
/// Most bytes of entries of one listing, as JSON.
const LISTING_MAX: usize = 16 * 1024 * 1024;
/// Longest scope word that is passed on, in characters.
const SCOPE_MAX: usize = 40;
/// Longest name of a directory's child that is passed on, in characters.
const NAME_MAX: usize = 500;
/// What the protocol calls a directory.
const DIRECTORY: &str = "inode/directory";
/// A parameter the server does not accept: an address it does not know, first of all.
const INVALID_PARAMS: i32 = -32602;
/// The same from servers of older revisions.
const RESOURCE_NOT_FOUND: i32 = -32002;

/// Entries as the server wrote them.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    pub(crate) skills: Vec<Value>,
    pub(crate) pages: u32,
    /// Why the host stopped before the end, one sentence.
    pub(crate) stopped: Option<String>,
    pub(crate) ttl_ms: Option<u64>,
    pub(crate) cache_scope: Option<String>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The server says that it does not know the address.
    Unknown,
    /// The server refused; the sentence says how.
    Refused(String),
    /// No answer came, or none that can be read.
    Failed(String),
}

impl Trouble {
    /// One sentence for people.
    pub(crate) fn sentence(self) -> String {
        match self {
            Self::Unknown => "The server knows nothing at this address.".to_owned(),
            Self::Refused(text) | Self::Failed(text) => text,
        }
    }
}

async fn ask(
    session: &Session,
    method: &str,
    params: Value,
    deadline: Instant,
) -> Result<Map<String, Value>, Trouble> {
    let limit = deadline.saturating_duration_since(Instant::now());
    let asking = session.request(method, params, limit.max(Duration::from_millis(1)));
    let answer = tokio::time::timeout_at(deadline, asking)
        .await
        .map_err(|_| Trouble::Failed(Failure::timeout().text))?;
    let result = match answer {
        Ok(Value::Object(result)) => result,
        Ok(_) => return Err(Trouble::Failed(NOT_UNDERSTOOD.to_owned())),
        Err(error) => return Err(trouble(&error, session)),
    };
    match result.get("resultType").and_then(Value::as_str) {
        None | Some("complete") => Ok(result),
        Some(_) => Err(Trouble::Failed(
            "The server asks something back before it answers, which this control plane does not do."
                .to_owned(),
        )),
    }
}

const NOT_UNDERSTOOD: &str = "The server answered with something that is not the extension.";

fn trouble(error: &ServiceError, session: &Session) -> Trouble {
    match error {
        ServiceError::McpError(refusal)
            if matches!(refusal.code.0, INVALID_PARAMS | RESOURCE_NOT_FOUND) =>
        {
            Trouble::Unknown
        }
        ServiceError::McpError(_) => {
            Trouble::Refused(Failure::of_request(error, &session.secrets).text)
        }
        other => Trouble::Failed(Failure::of_request(other, &session.secrets).text),
    }
}

/// Asks for the list of skills. When a later page fails, what was read before it is answered.
pub(crate) async fn list(session: &Session, deadline: Instant) -> Result<Entries, Trouble> {
    let mut found = Entries::default();
    let mut cursors = HashSet::new();
    let mut cursor: Option<String> = None;
    let mut bytes = 0;
    loop {
        let params = cursor
            .as_ref()
            .map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
        let page = match ask(session, "skills/list", params, deadline).await {
            Ok(page) => page,
            Err(trouble) if found.pages == 0 => return Err(trouble),
            Err(trouble) => {
                let page = found.pages + 1;
                let why = trouble.sentence();
                found.stopped = Some(format!("Page {page} could not be read: {why}"));
                return Ok(found);
            }
        };
        let Some(Value::Array(entries)) = page.get("skills") else {
            return Err(Trouble::Failed(NOT_UNDERSTOOD.to_owned()));
        };
        if found.pages == 0 {
            found.ttl_ms = page.get("ttlMs").and_then(Value::as_u64);
            found.cache_scope = page
                .get("cacheScope")
                .and_then(Value::as_str)
                .map(|scope| scope.chars().take(SCOPE_MAX).collect());
        }
        found.pages += 1;
        for entry in entries {
            bytes += weight(entry);
            if found.skills.len() >= ENTRIES_MAX || bytes > LISTING_MAX {
                found.stopped = Some(format!(
                    "Listing truncated by host: at most {ENTRIES_MAX} entries and {} MiB are read.",
                    LISTING_MAX / (1024 * 1024)
                ));
                return Ok(found);
            }
            found.skills.push(entry.clone());
        }
        let Some(next) = page.get("nextCursor").and_then(Value::as_str) else {
            return Ok(found);
        };
        if !cursors.insert(next.to_owned()) {
            found.stopped =
                Some("Listing truncated by host: the server repeated a page cursor.".to_owned());
            return Ok(found);
        }
        if found.pages >= PAGES_MAX {
            found.stopped = Some(format!(
                "Listing truncated by host: at most {PAGES_MAX} pages are read."
            ));
            return Ok(found);
        }
        cursor = Some(next.to_owned());
    }
}

/// About how many bytes a value takes as JSON.
fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(list) => list.iter().map(weight).sum::<usize>() + 2,
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| key.len() + 4 + weight(value))
            .sum::<usize>(),
    }
}

/// Asks for one skill by its address, listed or not. The entry is for this address, or there is
/// none.
pub(crate) async fn get(session: &Session, uri: &str, deadline: Instant) -> Result<Value, Trouble> {
    let mut result = ask(session, "skills/get", json!({"uri": uri}), deadline).await?;
    let entry = result
        .remove("skill")
        .ok_or_else(|| Trouble::Failed(NOT_UNDERSTOOD.to_owned()))?;
    if entry.get("uri").and_then(Value::as_str) != Some(uri) {
        return Err(Trouble::Failed(
            "The server answered with the entry of another address, which is not used.".to_owned(),
        ));
    }
    Ok(entry)
}

/// What a read brought, not decoded yet.
#[derive(Debug)]
pub(crate) enum Content {
    /// Text; its bytes are its UTF-8.
    Text(String),
    /// Base64.
    Blob(String),
}

/// Why content cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// More bytes than a whole skill may have: how many, about.
    TooLarge(u64),
    /// The base64 cannot be read.
    NotBase64,
}

impl Content {
    /// The bytes, of which there are at most 16 MiB: the size is known before anything is decoded.
    pub(crate) fn bytes(self) -> Result<Vec<u8>, Unusable> {
        let fits = |length: usize| match u64::try_from(length).unwrap_or(u64::MAX) {
            length if length > BYTES_MAX => Err(Unusable::TooLarge(length)),
            _ => Ok(()),
        };
        match self {
            Self::Text(text) => {
                fits(text.len())?;
                Ok(text.into_bytes())
            }
            Self::Blob(text) => {
                // Padding stands for up to two bytes that are not there.
                fits((text.len() / 4 * 3).saturating_sub(2))?;
                let bytes = STANDARD.decode(text).map_err(|_| Unusable::NotBase64)?;
                fits(bytes.len())?;
                Ok(bytes)
            }
        }
    }
}

/// Reads one file: transport and nothing more. A few reads of one server run at a time.
pub(crate) async fn read(
    session: &Session,
    uri: &str,
    deadline: Instant,
) -> Result<Content, Trouble> {
    let place = tokio::time::timeout_at(deadline, session.reads.acquire()).await;
    let _place = place.map_err(|_| Trouble::Failed(Failure::timeout().text))?;
    let mut result = ask(session, "resources/read", json!({"uri": uri}), deadline).await?;
    let Some(Value::Array(contents)) = result.remove("contents") else {
        return Err(Trouble::Failed(NOT_UNDERSTOOD.to_owned()));
    };
    let is_asked = |item: &Value| item.get("uri").and_then(Value::as_str) == Some(uri);
    let item = contents.into_iter().find(is_asked);
    let Some(Value::Object(mut item)) = item else {
        return Err(Trouble::Refused(
            "The server answered without the file that was asked for.".to_owned(),
        ));
    };
    match (item.remove("text"), item.remove("blob")) {
        (Some(Value::String(text)), _) => Ok(Content::Text(text)),
        (_, Some(Value::String(blob))) => Ok(Content::Blob(blob)),
        _ => Err(Trouble::Refused(
            "The server answered without the bytes of the file.".to_owned(),
        )),
    }
}

/// A child of a directory as the server tells it.
#[derive(Debug)]
pub(crate) struct Child {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) is_directory: bool,
}

/// The children of a directory now, and whether the host stopped before the end.
pub(crate) async fn directory(
    session: &Session,
    uri: &str,
    deadline: Instant,
) -> Result<(Vec<Child>, bool), Trouble> {
    let mut children = Vec::new();
    let mut cursors = HashSet::new();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let params = cursor.as_ref().map_or_else(
            || json!({"uri": uri}),
            |cursor| json!({"uri": uri, "cursor": cursor}),
        );
        let page = ask(session, "resources/directory/read", params, deadline).await?;
        let Some(Value::Array(resources)) = page.get("resources") else {
            return Err(Trouble::Failed(NOT_UNDERSTOOD.to_owned()));
        };
        for child in resources.iter().filter_map(child) {
            if children.len() >= ENTRIES_MAX {
                return Ok((children, true));
            }
            children.push(child);
        }
        let Some(next) = page.get("nextCursor").and_then(Value::as_str) else {
            return Ok((children, false));
        };
        if !cursors.insert(next.to_owned()) {
            break;
        }
        cursor = Some(next.to_owned());
    }
    Ok((children, true))
}

/// A child with an address that can be told; what has none is nothing.
fn child(resource: &Value) -> Option<Child> {
    let text = |key: &str| resource.get(key).and_then(Value::as_str);
    let uri = text("uri").filter(|uri| uri.chars().count() <= ADDRESS_MAX)?;
    let name = text("name").unwrap_or(uri);
    Some(Child {
        uri: uri.to_owned(),
        name: name.chars().take(NAME_MAX).collect(),
        is_directory: text("mimeType") == Some(DIRECTORY),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_bounded_before_it_is_decoded() {
        let most = usize::try_from(BYTES_MAX).unwrap();
        let text = |length| Content::Text("a".repeat(length)).bytes();
        assert_eq!(text(most).map(|bytes| bytes.len()), Ok(most));
        assert_eq!(text(most + 1), Err(Unusable::TooLarge(BYTES_MAX + 1)));
        let blob = |text: &str| Content::Blob(text.to_owned()).bytes();
        assert_eq!(blob("aGk="), Ok(b"hi".to_vec()));
        assert_eq!(blob("aGk"), Err(Unusable::NotBase64));
        let large = "AAAA".repeat(most / 3 + 2);
        assert!(matches!(blob(&large), Err(Unusable::TooLarge(_))));
        // Not even valid: told apart by its length alone.
        let refused = blob(&"!".repeat(most * 2));
        assert!(matches!(refused, Err(Unusable::TooLarge(_))));
    }
}
