//! The head as the reference validator of Agent Skills judges it (skills contract section 2), in
//! its order. It cuts at the first two `---` anywhere and takes every scalar for text.

use super::super::name::{self, NameProblem, Unicode};
use super::super::text::{python_strip, universal_newlines};
use super::yaml::{Dialect, Node, Value, read};
use super::{COMPATIBILITY_MAX, DELIMITER, DESCRIPTION_MAX};

/// The fields the specification knows.
pub const FIELDS: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// One thing the validator has against a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A short stable name of the reason: `name:too-long`.
    pub code: String,
    /// What is wrong and what to do, for people.
    pub message: String,
    /// The line of the file, from 1, where known.
    pub line: Option<usize>,
}

impl Problem {
    fn new(code: &str, message: &str) -> Self {
        Self {
            code: code.to_owned(),
            message: message.to_owned(),
            line: None,
        }
    }

    fn at(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

/// A file as the validator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What is wrong; empty if the file is valid.
    pub problems: Vec<Problem>,
    /// The name as written, if there is one.
    pub name: Option<String>,
    /// The description as written, if there is one.
    pub description: Option<String>,
    /// Every pair of the head: its key and its value as text; nested ones with dots.
    pub fields: Vec<(String, String)>,
    /// The text behind the head, without white space around it.
    pub body: String,
}

impl Report {
    fn refused(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
            name: None,
            description: None,
            fields: Vec::new(),
            body: String::new(),
        }
    }
}

/// Judges a file by its bytes and the name of the directory it is in.
pub fn judge(bytes: &[u8], dir: &str, unicode: &Unicode<'_>) -> Report {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Report::refused(Problem::new(
            "not-utf8",
            "The file is not UTF-8. Save it as UTF-8.",
        ));
    };
    let text = universal_newlines(text);
    let Some(rest) = text.strip_prefix(DELIMITER) else {
        return Report::refused(
            Problem::new(
                "no-open",
                "The file does not begin with `---`. Nothing may stand before it, not even a byte order mark.",
            )
            .at(1),
        );
    };
    let Some((head, body)) = rest.split_once(DELIMITER) else {
        return Report::refused(Problem::new(
            "no-close",
            "The frontmatter is not closed. Add a line `---` behind it.",
        ));
    };
    let root = match read(head, Dialect::Strict) {
        Ok(root) => root,
        Err(error) => {
            return Report::refused(Problem {
                code: "yaml-error".to_owned(),
                message: format!(
                    "The frontmatter is not the plain YAML that is needed: {}.",
                    error.message
                ),
                line: Some(error.line),
            });
        }
    };
    let Some(node) = root.filter(|node| matches!(node.value, Value::Mapping(_))) else {
        return Report::refused(Problem::new(
            "not-a-mapping",
            "The frontmatter is not a list of `key: value` pairs.",
        ));
    };
    Report {
        problems: problems(&node, dir, unicode),
        name: node.get("name").and_then(Node::text).map(str::to_owned),
        description: node
            .get("description")
            .and_then(Node::text)
            .map(str::to_owned),
        fields: flat(&node),
        body: python_strip(body).to_owned(),
    }
}

fn problems(node: &Node, dir: &str, unicode: &Unicode<'_>) -> Vec<Problem> {
    let mut found = Vec::new();
    found.extend(unexpected(node));
    match node.get("name") {
        None => found.push(Problem::new(
            NameProblem::Missing.code(),
            NameProblem::Missing.sentence(),
        )),
        Some(value) => {
            let text = value.text().unwrap_or_default();
            found.extend(
                name::agent_skills(text, dir, unicode)
                    .into_iter()
                    .map(|problem| {
                        Problem::new(&format!("name:{}", problem.code()), problem.sentence())
                            .at(value.line)
                    }),
            );
        }
    }
    match node.get("description") {
        None => found.push(Problem::new(
            "missing-description",
            "There is no `description`. Say what the skill does and when to use it.",
        )),
        Some(value) => {
            let text = value.text().unwrap_or_default();
            if python_strip(text).is_empty() {
                found.push(
                    Problem::new(
                        "description:empty",
                        "The `description` is blank. Say what the skill does and when to use it.",
                    )
                    .at(value.line),
                );
            } else if text.chars().count() > DESCRIPTION_MAX {
                found.push(
                    Problem::new(
                        "description:too-long",
                        "The description is longer than 1,024 characters. Shorten it.",
                    )
                    .at(value.line),
                );
            }
        }
    }
    if let Some(value) = node.get("compatibility") {
        found.extend(compatibility(value));
    }
    found
}

fn unexpected(node: &Node) -> Option<Problem> {
    let Value::Mapping(pairs) = &node.value else {
        return None;
    };
    let mut keys: Vec<&str> = Vec::new();
    let mut line = None;
    for (key, value) in pairs {
        if !FIELDS.contains(&key.as_str()) {
            keys.push(key);
            line = line.or(Some(value.line));
        }
    }
    keys.sort_unstable();
    (!keys.is_empty()).then(|| Problem {
        code: format!("unexpected-field:{}", keys.join(",")),
        message: format!(
            "The specification does not know {}. It knows {}; other data belongs in `metadata`.",
            quoted(&keys),
            quoted(&FIELDS)
        ),
        line,
    })
}

fn quoted(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

fn compatibility(value: &Node) -> Option<Problem> {
    match value.text() {
        None => Some(
            Problem::new(
                "compatibility:not-a-string",
                "`compatibility` must be text.",
            )
            .at(value.line),
        ),
        Some(text) if text.chars().count() > COMPATIBILITY_MAX => Some(
            Problem::new(
                "compatibility:too-long",
                "`compatibility` is longer than 500 characters. Shorten it.",
            )
            .at(value.line),
        ),
        Some(_) => None,
    }
}

/// The pairs of a mapping, nested ones with dots, values of a sequence with their place.
fn flat(node: &Node) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    flatten(node, "", &mut pairs);
    pairs
}

fn flatten(node: &Node, at: &str, pairs: &mut Vec<(String, String)>) {
    let below = |key: &str| {
        if at.is_empty() {
            key.to_owned()
        } else {
            format!("{at}.{key}")
        }
    };
    match &node.value {
        Value::Scalar { text, .. } => pairs.push((at.to_owned(), text.clone())),
        Value::Sequence(values) => {
            for (place, value) in values.iter().enumerate() {
                flatten(value, &below(&place.to_string()), pairs);
            }
        }
        Value::Mapping(values) => {
            for (key, value) in values {
                flatten(value, &below(key), pairs);
            }
        }
    }
}
