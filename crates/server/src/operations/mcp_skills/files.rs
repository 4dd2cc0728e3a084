//! Fetching files of a published skill and comparing them with the entry that is held: size, then
//! digest, then for the `SKILL.md` the frontmatter field by field. Bytes that fail go nowhere.

use std::sync::Arc;

use contract::mcp_skills::{FileCheck, TEXT_MAX};
use contract::rules::skills::entry::SkillEntry;
use contract::rules::skills::frontmatter::mcp;
use contract::rules::skills::manifest::{Resources, SkillResource, Verification, verify};
use contract::rules::skills::place::is_same;
use tokio::time::Instant;

use super::judged::{basis, is_failure, sha256};
use crate::clock;
use crate::error::ApiError;
use crate::mcp::Session;
use crate::mcp::skills::{Content, Trouble, Unusable, read};
use crate::store::mcp_skills::Checked;

/// Fields named in one sentence; a server can make up any number.
const FIELDS_MAX: usize = 10;
/// Longest name of a field that is told, in characters.
const FIELD_MAX: usize = 80;

/// The file of the held entry at an address, in the entry's spelling.
pub(super) fn find<'a>(entry: &'a SkillEntry, uri: &str) -> Option<&'a SkillResource> {
    match &entry.resources {
        Resources::Listed(files) => files
            .iter()
            .find(|file| file.uri == uri)
            .or_else(|| files.iter().find(|file| is_same(&file.uri, uri))),
        Resources::Dynamic => None,
    }
}

/// What a fetch brought.
pub(super) struct Fetched {
    pub(super) checked: Checked,
    /// The text to look at: of bytes that did not fail, and no more than can be shown.
    pub(super) text: Option<String>,
    /// Why there is none.
    pub(super) withheld: Option<String>,
}

/// Fetches one file. `listed` is its place in the entry; without one, in a skill without a list,
/// there is nothing to compare with but the frontmatter. The error says that the server gave no
/// answer, which says nothing about the file.
pub(super) async fn fetch(
    session: &Session,
    entry: &Arc<SkillEntry>,
    listed: Option<&SkillResource>,
    uri: &str,
    deadline: Instant,
) -> Result<Fetched, ApiError> {
    let content = match read(session, uri, deadline).await {
        Ok(content) => Ok(content),
        Err(Trouble::Failed(why)) => return Err(ApiError::Upstream(why)),
        Err(refused) => Err(refused.sentence()),
    };
    let (entry, listed, uri) = (Arc::clone(entry), listed.cloned(), uri.to_owned());
    tokio::task::spawn_blocking(move || compare(&entry, listed.as_ref(), &uri, content))
        .await
        .map_err(ApiError::internal)
}

/// What comparing gave, before it is written down.
struct Outcome {
    check: FileCheck,
    digest: Option<String>,
    size: Option<u64>,
    said: Option<String>,
    bytes: Option<Vec<u8>>,
}

impl Outcome {
    fn without_bytes(check: FileCheck, said: impl Into<String>) -> Self {
        Self {
            check,
            digest: None,
            size: None,
            said: Some(said.into()),
            bytes: None,
        }
    }
}

fn compare(
    entry: &SkillEntry,
    listed: Option<&SkillResource>,
    uri: &str,
    content: Result<Content, String>,
) -> Fetched {
    let outcome = outcome(entry, listed, uri, content);
    let (text, withheld) = shown(&outcome);
    Fetched {
        checked: Checked {
            basis: listed.map(|file| basis(entry, file)).unwrap_or_default(),
            check: outcome.check,
            at: clock::now(),
            digest: outcome.digest,
            size: outcome.size,
            said: outcome.said,
        },
        text,
        withheld,
    }
}

fn outcome(
    entry: &SkillEntry,
    listed: Option<&SkillResource>,
    uri: &str,
    content: Result<Content, String>,
) -> Outcome {
    let bytes = match content.map(Content::bytes) {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(Unusable::TooLarge(size))) => {
            let said = "More bytes came than a whole skill may have.";
            let mut outcome = Outcome::without_bytes(FileCheck::Unreadable, said);
            if listed.is_some() {
                outcome.check = FileCheck::Size;
                outcome.size = Some(size);
            }
            return outcome;
        }
        Ok(Err(Unusable::NotBase64)) => {
            let said = "The server sent base64 that cannot be read.";
            return Outcome::without_bytes(FileCheck::Unreadable, said);
        }
        Err(refused) => return Outcome::without_bytes(FileCheck::Unreadable, refused),
    };
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if let Some(listed) = listed {
        let hash = sha256(&bytes);
        match verify(listed, size, &hash) {
            Verification::Verified => {}
            Verification::SizeMismatch => {
                let said = format!("{size} bytes came, {} are listed.", listed.size);
                return Outcome {
                    size: Some(size),
                    ..Outcome::without_bytes(FileCheck::Size, said)
                };
            }
            Verification::DigestMismatch | Verification::MalformedDigest => {
                let said = "The bytes have another digest than the one listed.";
                return Outcome {
                    digest: Some(format!("sha256:{hash}")),
                    ..Outcome::without_bytes(FileCheck::Digest, said)
                };
            }
        }
    }
    if is_same(uri, &entry.uri)
        && let Some(said) = other_frontmatter(entry, &bytes)
    {
        return Outcome::without_bytes(FileCheck::Frontmatter, said);
    }
    let (check, said) = match listed {
        Some(_) => (FileCheck::Matches, None),
        None => (
            FileCheck::Unverifiable,
            Some("The server lists no files, so there is nothing to compare with.".to_owned()),
        ),
    };
    Outcome {
        check,
        digest: None,
        size: None,
        said,
        bytes: Some(bytes),
    }
}

/// How the head of a `SKILL.md` differs from its entry; `None` if it does not.
fn other_frontmatter(entry: &SkillEntry, bytes: &[u8]) -> Option<String> {
    let head = match mcp::json(bytes) {
        Ok(head) => head,
        Err(unreadable) => return Some(unreadable.sentence()),
    };
    let fields = mcp::differences(&entry.frontmatter, &head);
    if fields.is_empty() {
        return None;
    }
    let named: Vec<String> = fields
        .iter()
        .take(FIELDS_MAX)
        .map(|field| field.chars().take(FIELD_MAX).collect())
        .collect();
    let more = fields.len() - named.len();
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Some(format!(
        "The file's frontmatter differs from the entry's in: {}{more}.",
        named.join(", ")
    ))
}

fn shown(outcome: &Outcome) -> (Option<String>, Option<String>) {
    let because = |why: &str| (None, Some(why.to_owned()));
    let Some(bytes) = outcome.bytes.as_deref() else {
        let said = outcome.said.as_deref().unwrap_or("Nothing came.");
        let why = if is_failure(&outcome.check) {
            format!("{said} Bytes that fail a check are not shown.")
        } else {
            said.to_owned()
        };
        return (None, Some(why));
    };
    if bytes.len() > TEXT_MAX {
        return because("The file is larger than 64 KiB, the most that is shown.");
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => because("The file is not UTF-8 text."),
    }
}

#[cfg(test)]
mod tests {
    use contract::rules::skills::entry::judge;
    use serde_json::json;

    use super::*;

    const URI: &str = "skill://a/SKILL.md";
    const BODY: &str = "---\nname: a\ndescription: Does a.\nversion: 1\n---\nText.\n";

    fn entry(text: &str, version: &serde_json::Value) -> SkillEntry {
        judge(&json!({
            "uri": URI,
            "frontmatter": {"name": "a", "description": "Does a.", "version": version},
            "resources": [{
                "uri": URI, "digest": format!("sha256:{}", sha256(text.as_bytes())), "size": text.len(),
            }],
        }))
        .unwrap()
    }

    fn run(entry: &SkillEntry, content: Result<Content, String>) -> Fetched {
        compare(entry, find(entry, URI), URI, content)
    }

    fn text(text: &str) -> Content {
        Content::Text(text.to_owned())
    }

    #[test]
    fn bytes_of_the_entry_match_and_are_shown() {
        let entry = entry(BODY, &json!(1));
        let fetched = run(&entry, Ok(text(BODY)));
        assert_eq!(fetched.checked.check, FileCheck::Matches);
        assert_eq!(fetched.text.as_deref(), Some(BODY));
        assert_eq!((fetched.checked.said, fetched.withheld), (None, None));
    }

    #[test]
    fn bytes_that_fail_are_never_shown() {
        let good = entry(BODY, &json!(1));
        let longer = format!("{BODY}More.");
        let other = BODY.replace("Text", "Tent");
        let typed = entry(BODY, &json!("1"));
        for (entry, content, check) in [
            (&good, Ok(text(&longer)), FileCheck::Size),
            (&good, Ok(text(&other)), FileCheck::Digest),
            (&typed, Ok(text(BODY)), FileCheck::Frontmatter),
            (&good, Err("No.".to_owned()), FileCheck::Unreadable),
            (
                &good,
                Ok(Content::Blob("?".to_owned())),
                FileCheck::Unreadable,
            ),
            (&good, Ok(text(&"x".repeat(16_777_217))), FileCheck::Size),
        ] {
            let fetched = run(entry, content);
            assert_eq!(fetched.checked.check, check);
            assert_eq!(fetched.text, None, "{check:?}");
            assert!(fetched.withheld.is_some() && fetched.checked.said.is_some());
        }
        let named = run(&typed, Ok(text(BODY))).withheld.unwrap();
        assert!(
            named.contains("differs from the entry's in: version."),
            "{named}"
        );
        assert_eq!(
            run(&good, Ok(text(&longer))).checked.size,
            Some(longer.len() as u64)
        );
    }

    #[test]
    fn a_result_counts_for_its_basis_only() {
        let (one, other) = (entry(BODY, &json!(1)), entry(BODY, &json!(2)));
        let file = |entry: &SkillEntry| find(entry, URI).cloned().unwrap();
        assert_eq!(file(&one), file(&other));
        assert_ne!(basis(&one, &file(&one)), basis(&other, &file(&other)));
    }

    #[test]
    fn large_and_binary_files_are_checked_but_not_shown() {
        let large = format!("{BODY}{}", "x".repeat(TEXT_MAX));
        let fetched = run(&entry(&large, &json!(1)), Ok(text(&large)));
        assert_eq!(fetched.checked.check, FileCheck::Matches);
        assert_eq!(fetched.text, None);
        assert!(fetched.withheld.unwrap().contains("64 KiB"));
    }
}
