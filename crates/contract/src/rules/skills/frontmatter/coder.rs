//! The head as Coder reads it (skills contract section 3): YAML with types between two lines
//! `---`, a name that must be text and that of the directory, a body without HTML comments.

mod scalars;

use super::super::name::{self, NameProblem};
use super::yaml::{Dialect, Node, Value, read};
use super::{CODER_FILE_MAX, DELIMITER};

/// A file Coder loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Its name.
    pub name: String,
    /// Its description; may be empty.
    pub description: String,
    /// Its text without HTML comments and white space around it.
    pub body: String,
}

/// Why Coder does not load a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is larger than [`CODER_FILE_MAX`]; how large, in bytes. It is listed all the same.
    Oversize(u64),
    /// The first line is not `---`.
    NoOpening,
    /// No later line is `---`.
    NoClosing,
    /// The head is not YAML: what is wrong and the line of the file, from 1.
    Yaml(String, usize),
    /// The name is missing, no text, not the directory's or not in kebab case.
    Name(NameProblem),
    /// The description is no text.
    DescriptionType,
}

impl Refusal {
    /// A short stable name of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Oversize(_) => "over-64KiB",
            Self::NoOpening => "no-open",
            Self::NoClosing => "no-close",
            Self::Yaml(..) => "yaml-error",
            Self::Name(problem) => problem.code(),
            Self::DescriptionType => "description-not-a-string",
        }
    }

    /// The status Coder lists it with: `oversize` or `invalid`.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Oversize(_) => "oversize",
            Self::NoOpening
            | Self::NoClosing
            | Self::Yaml(..)
            | Self::Name(_)
            | Self::DescriptionType => "invalid",
        }
    }

    /// The line it is about, from 1, where one is.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::NoOpening => Some(1),
            Self::Yaml(_, line) => Some(*line),
            Self::Oversize(_) | Self::NoClosing | Self::Name(_) | Self::DescriptionType => None,
        }
    }

    /// What is wrong and what to do, for people.
    pub fn sentence(&self) -> String {
        match self {
            Self::Oversize(bytes) => format!(
                "The file has {bytes} bytes; Coder reads up to {CODER_FILE_MAX}. Move detail into further files."
            ),
            Self::NoOpening => "The first line is not `---`.".to_owned(),
            Self::NoClosing => "No line `---` closes the frontmatter.".to_owned(),
            Self::Yaml(message, _) => format!("The frontmatter is not YAML: {message}."),
            Self::Name(NameProblem::Missing) => {
                "There is no `name` that is text. Put a name that looks like a number, a date or a truth value in quotes.".to_owned()
            }
            Self::Name(problem) => problem.sentence().to_owned(),
            Self::DescriptionType => {
                "The `description` is no text. Put it in quotes.".to_owned()
            }
        }
    }
}

/// Judges a file by its bytes and the name of the directory it is in. Only the first bytes of a
/// file that is too large need be given; `size` is its whole length.
pub fn judge(bytes: &[u8], size: u64, dir: &str) -> Result<Loaded, Refusal> {
    if size > CODER_FILE_MAX {
        return Err(Refusal::Oversize(size));
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut lines = bytes.split(|&byte| byte == b'\n');
    if !lines.next().is_some_and(is_delimiter) {
        return Err(Refusal::NoOpening);
    }
    let head: Vec<&[u8]> = lines
        .by_ref()
        .take_while(|line| !is_delimiter(line))
        .collect();
    let closed = bytes.split(|&byte| byte == b'\n').skip(1).any(is_delimiter);
    if !closed {
        return Err(Refusal::NoClosing);
    }
    let body = lines.collect::<Vec<_>>().join(&b'\n');
    let head = String::from_utf8(head.join(&b'\n'))
        .map_err(|_| Refusal::Yaml("it is not UTF-8".to_owned(), 2))?;
    let root = read(&head, Dialect::Lenient)
        .map_err(|error| Refusal::Yaml(error.message, error.line + 1))?;
    let (name, description) = fields(root.as_ref())?;
    match name::coder(&name, dir) {
        Some(problem) => Err(Refusal::Name(problem)),
        None => Ok(Loaded {
            name,
            description,
            body: without_comments(&String::from_utf8_lossy(&body))
                .trim()
                .to_owned(),
        }),
    }
}

fn is_delimiter(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| line.trim() == DELIMITER)
}

fn fields(root: Option<&Node>) -> Result<(String, String), Refusal> {
    let missing = Refusal::Name(NameProblem::Missing);
    let Some(node) = root else {
        return Err(missing);
    };
    match &node.value {
        Value::Mapping(_) => {}
        Value::Scalar { .. } if is_nothing(node) => return Err(missing),
        Value::Scalar { .. } | Value::Sequence(_) => {
            return Err(Refusal::Yaml(
                "it is not a list of `key: value` pairs".to_owned(),
                node.line + 1,
            ));
        }
    }
    let name = match node.get("name") {
        Some(value) if is_text(value) => line_end_removed(value),
        Some(_) | None => return Err(missing),
    };
    if name.is_empty() {
        return Err(missing);
    }
    let description = match node.get("description") {
        None => String::new(),
        Some(value) if is_text(value) => line_end_removed(value),
        Some(_) => return Err(Refusal::DescriptionType),
    };
    Ok((name, description))
}

fn line_end_removed(node: &Node) -> String {
    let text = node.text().unwrap_or_default();
    text.trim_end_matches(['\r', '\n']).to_owned()
}

fn is_nothing(node: &Node) -> bool {
    matches!(&node.value, Value::Scalar { text, is_plain: true, tagged_text: None } if scalars::is_null(text))
}

/// Whether `yaml.v3` hands the value over as text.
fn is_text(node: &Node) -> bool {
    match &node.value {
        Value::Scalar {
            text,
            is_plain,
            tagged_text,
        } => tagged_text.unwrap_or(!is_plain || scalars::is_text(text)),
        Value::Sequence(_) | Value::Mapping(_) => false,
    }
}

/// The body without `<!-- … -->`; one that is not closed stays.
fn without_comments(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, comment)) = rest.split_once("<!--") {
        let Some((_, behind)) = comment.split_once("-->") else {
            break;
        };
        text.push_str(before);
        rest = behind;
    }
    text.push_str(rest);
    text
}
