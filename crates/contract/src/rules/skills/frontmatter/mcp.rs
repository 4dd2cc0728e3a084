//! The head of a `SKILL.md` compared with what its MCP server says it is (skills contract section
//! 1.7, failure "frontmatter"): field by field, both ways, without taking one type for another.

use serde_json::{Map, Number, Value as Json};

use super::super::text::python_strip;
use super::DELIMITER;
use super::yaml::{Dialect, Node, Value, YamlError, read};

/// Why a file cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not UTF-8.
    NotUtf8,
    /// It does not begin with a line `---`.
    NoOpening,
    /// No later line is `---`.
    NoClosing,
    /// Its head is not YAML, or not a mapping.
    Yaml(YamlError),
}

impl Unreadable {
    /// What is wrong, for people.
    pub fn sentence(&self) -> String {
        match self {
            Self::NotUtf8 => "The file is not UTF-8.".to_owned(),
            Self::NoOpening => "The file does not begin with a line `---`.".to_owned(),
            Self::NoClosing => "No line `---` closes the frontmatter.".to_owned(),
            Self::Yaml(error) => format!(
                "The frontmatter is not YAML (line {}): {}.",
                error.line, error.message
            ),
        }
    }
}

/// The head of a file as JSON, its scalars typed by YAML 1.2's core schema. Lines of an error
/// count from the beginning of the file.
pub fn json(bytes: &[u8]) -> Result<Map<String, Json>, Unreadable> {
    let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::NotUtf8)?;
    let mut lines = text.lines();
    if lines.next().map(python_strip) != Some(DELIMITER) {
        return Err(Unreadable::NoOpening);
    }
    let mut head = String::new();
    let closed = lines.any(|line| {
        let closes = python_strip(line) == DELIMITER;
        if !closes {
            head.push_str(line);
            head.push('\n');
        }
        closes
    });
    if !closed {
        return Err(Unreadable::NoClosing);
    }
    let root = read(&head, Dialect::Lenient).map_err(|error| {
        Unreadable::Yaml(YamlError {
            line: error.line + 1,
            ..error
        })
    })?;
    match root.as_ref().map(typed) {
        Some(Json::Object(map)) => Ok(map),
        Some(_) | None => Err(Unreadable::Yaml(YamlError {
            message: "it is not a list of `key: value` pairs".to_owned(),
            line: 2,
        })),
    }
}

/// The fields in which a file and its entry differ, sorted; nested ones with dots. Empty if they
/// agree.
pub fn differences(entry: &Map<String, Json>, file: &Map<String, Json>) -> Vec<String> {
    let mut found = Vec::new();
    compare(entry, file, "", &mut found);
    found.sort_unstable();
    found
}

fn compare(one: &Map<String, Json>, other: &Map<String, Json>, at: &str, found: &mut Vec<String>) {
    let place = |key: &str| {
        if at.is_empty() {
            key.to_owned()
        } else {
            format!("{at}.{key}")
        }
    };
    for (key, value) in one {
        match (value, other.get(key)) {
            (Json::Object(value), Some(Json::Object(twin))) => {
                compare(value, twin, &place(key), found);
            }
            (value, Some(twin)) if equal(value, twin) => {}
            (_, Some(_) | None) => found.push(place(key)),
        }
    }
    found.extend(
        other
            .keys()
            .filter(|key| !one.contains_key(*key))
            .map(|key| place(key)),
    );
}

/// JSON has one kind of number, so that 2 and 2.0 are equal; all else must be identical.
fn equal(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => {
            one == other || one.as_f64().is_some_and(|one| Some(one) == other.as_f64())
        }
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|twin| equal(value, twin)))
        }
        (one, other) => one == other,
    }
}

fn typed(node: &Node) -> Json {
    match &node.value {
        Value::Scalar {
            text,
            is_plain,
            tagged_text,
        } => {
            if *tagged_text == Some(true) || !is_plain {
                Json::String(text.clone())
            } else {
                scalar(text)
            }
        }
        Value::Sequence(values) => Json::Array(values.iter().map(typed).collect()),
        Value::Mapping(pairs) => Json::Object(
            pairs
                .iter()
                .map(|(key, value)| (key.clone(), typed(value)))
                .collect(),
        ),
    }
}

fn scalar(text: &str) -> Json {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => Json::Bool(true),
        "false" | "False" | "FALSE" => Json::Bool(false),
        other => number(other).map_or_else(|| Json::String(other.to_owned()), Json::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(Number::from);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return u64::from_str_radix(digits, 8).ok().map(Number::from);
    }
    let begins = text
        .trim_start_matches(['+', '-', '.'])
        .starts_with(|first: char| first.is_ascii_digit());
    if !begins || !text.bytes().all(|byte| b"0123456789.eE+-".contains(&byte)) {
        return None;
    }
    text.parse::<i64>()
        .ok()
        .map(Number::from)
        .or_else(|| text.parse::<u64>().ok().map(Number::from))
        .or_else(|| Number::from_f64(text.parse().ok()?))
}
