//! One entry of a server's `skills/list` or `skills/get` judged by its shape (skills contract
//! sections 1.3 and 1.7). Entries are judged one by one from raw JSON: one bad entry must not cost
//! the others.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::manifest::{Resources, SkillResource, is_digest};
use super::name::is_portable;
use super::uri::{Segment, normalised, root};

/// The reason the extension's hosts give for an entry they refuse.
pub const INVALID_ENTRY: &str = "invalid-entry";

/// The most problems told about one entry; the rest would say the same.
const PROBLEMS_MAX: usize = 20;

/// A well-formed entry.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillEntry {
    /// The address of its `SKILL.md`; with the server's label its identity.
    pub uri: String,
    /// Its name: a label, not unique.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Everything the server says its head is, as given.
    pub frontmatter: Map<String, Value>,
    /// Its files.
    pub resources: Resources,
    /// What the server adds; it means nothing and is only shown.
    pub meta: Option<Value>,
}

/// One thing that is wrong with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryProblem {
    /// Where in the entry: `resources[2].digest`; empty for the entry itself.
    pub at: String,
    /// What is wrong, for people.
    pub message: &'static str,
}

/// Judges an entry. An entry with problems must not be loaded; up to 20 of them are told.
pub fn judge(entry: &Value) -> Result<SkillEntry, Vec<EntryProblem>> {
    let mut problems = Problems::default();
    let Some(entry) = entry.as_object() else {
        problems.add("", "The entry is not an object.");
        return Err(problems.0);
    };
    let uri = uri(entry, &mut problems);
    let frontmatter = frontmatter(entry, &mut problems);
    let root = uri.and_then(root);
    if let (Some(root), Some(head)) = (root, &frontmatter) {
        let last = root.trim_end_matches('/').rsplit('/').next();
        if !last.is_some_and(|last| Segment::decode(last).is(&head.name)) {
            problems.add(
                "frontmatter.name",
                "The name is not the last directory of the address.",
            );
        }
    }
    let resources = resources(entry, uri, &mut problems);
    if entry.get("_meta").is_some_and(|meta| !meta.is_object()) {
        problems.add("_meta", "`_meta` is not an object.");
    }
    match (uri, frontmatter, resources) {
        (Some(uri), Some(head), Some(resources)) if problems.0.is_empty() => Ok(SkillEntry {
            uri: uri.to_owned(),
            name: head.name,
            description: head.description,
            frontmatter: head.fields,
            resources,
            meta: entry.get("_meta").cloned(),
        }),
        _ => Err(problems.0),
    }
}

#[derive(Default)]
struct Problems(Vec<EntryProblem>);

impl Problems {
    fn add(&mut self, at: &str, message: &'static str) {
        if self.0.len() < PROBLEMS_MAX {
            self.0.push(EntryProblem {
                at: at.to_owned(),
                message,
            });
        }
    }
}

fn uri<'a>(entry: &'a Map<String, Value>, problems: &mut Problems) -> Option<&'a str> {
    let Some(uri) = entry.get("uri").and_then(Value::as_str) else {
        problems.add("uri", "There is no address.");
        return None;
    };
    let Some(root) = root(uri) else {
        problems.add(
            "uri",
            "The address does not end with `/SKILL.md` below a scheme and a directory, or has a query or fragment.",
        );
        return None;
    };
    if let Some(message) = bad_path(root.trim_end_matches('/')) {
        problems.add("uri", message);
    }
    Some(uri)
}

struct Head {
    name: String,
    description: String,
    fields: Map<String, Value>,
}

fn frontmatter(entry: &Map<String, Value>, problems: &mut Problems) -> Option<Head> {
    let Some(fields) = entry.get("frontmatter").and_then(Value::as_object) else {
        problems.add("frontmatter", "There is no frontmatter object.");
        return None;
    };
    let name = fields.get("name").and_then(Value::as_str);
    let description = fields.get("description").and_then(Value::as_str);
    match name {
        None => problems.add("frontmatter.name", "There is no name that is text."),
        Some(name) if !is_portable(name) => problems.add(
            "frontmatter.name",
            "The name is not 1 to 64 characters of a-z and 0-9 joined by single hyphens.",
        ),
        Some(_) => {}
    }
    if description.is_none_or(|text| text.trim().is_empty()) {
        problems.add(
            "frontmatter.description",
            "There is no description that is text.",
        );
    }
    Some(Head {
        name: name?.to_owned(),
        description: description?.to_owned(),
        fields: fields.clone(),
    })
}

fn resources(
    entry: &Map<String, Value>,
    uri: Option<&str>,
    problems: &mut Problems,
) -> Option<Resources> {
    let list = match entry.get("resources") {
        Some(Value::String(text)) if text == "dynamic" => return Some(Resources::Dynamic),
        Some(Value::Array(list)) => list,
        Some(_) | None => {
            problems.add(
                "resources",
                "The files are neither listed nor said to be \"dynamic\".",
            );
            return None;
        }
    };
    let root = uri.and_then(root).map(normalised);
    let mut seen = BTreeSet::new();
    let mut files = Vec::with_capacity(list.len());
    for (place, value) in list.iter().enumerate() {
        let at = format!("resources[{place}]");
        if let Some(file) = resource(value, &at, problems) {
            let key = normalised(&file.uri);
            let inside = root.as_ref().is_none_or(|root| {
                key.strip_prefix(root.as_str())
                    .is_some_and(|rest| !rest.is_empty())
            });
            if !inside {
                problems.add(
                    &format!("{at}.uri"),
                    "The file is not in the skill’s directory.",
                );
            }
            if !seen.insert(key) {
                problems.add(&format!("{at}.uri"), "The file is listed twice.");
            }
            files.push(file);
        }
    }
    if let Some(uri) = uri
        && !files.iter().any(|file| file.uri == uri)
    {
        problems.add(
            "resources",
            "The `SKILL.md` itself is not listed with the entry’s own address.",
        );
    }
    Some(Resources::Listed(files))
}

fn resource(value: &Value, at: &str, problems: &mut Problems) -> Option<SkillResource> {
    let uri = value.get("uri").and_then(Value::as_str);
    let digest = value.get("digest").and_then(Value::as_str);
    let size = value.get("size").and_then(length);
    match uri {
        None => problems.add(&format!("{at}.uri"), "There is no address."),
        Some(uri) => {
            if let Some(message) = bad_path(uri) {
                problems.add(&format!("{at}.uri"), message);
            }
        }
    }
    if !digest.is_some_and(is_digest) {
        problems.add(
            &format!("{at}.digest"),
            "The digest is not `sha256:` and 64 lowercase hexadecimal digits.",
        );
    }
    if size.is_none() {
        problems.add(
            &format!("{at}.size"),
            "The size is not a whole number of bytes.",
        );
    }
    Some(SkillResource {
        uri: uri?.to_owned(),
        digest: digest?.to_owned(),
        size: size?,
    })
}

/// A length in bytes. JSON writes whole numbers as it likes: 2, 2.0 and 2e0 are the same.
fn length(value: &Value) -> Option<u64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    if let Some(number) = value.as_u64() {
        return Some(number);
    }
    let number = value.as_f64()?;
    let is_whole = (0.0..EXACT_MAX).contains(&number) && number.fract() == 0.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and in range, as just checked"
    )]
    is_whole.then_some(number as u64)
}

/// What makes an address one that could mean another place than it says.
fn bad_path(uri: &str) -> Option<&'static str> {
    if uri.contains(['?', '#']) {
        return Some("The address has a query or fragment.");
    }
    if uri.contains('\\') || uri.chars().any(char::is_control) {
        return Some("The address holds a backslash or a control character.");
    }
    let (_, path) = uri.split_once(':')?;
    path.trim_start_matches('/').split('/').find_map(|part| {
        let segment = Segment::decode(part);
        if segment.has_separator() || segment.has_control() {
            Some("The address hides a separator or a control character in an escape.")
        } else {
            (segment.is_empty() || segment.is_current() || segment.is_parent())
                .then_some("A part of the address is empty, `.` or `..`.")
        }
    })
}
