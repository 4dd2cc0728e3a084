//! YAML as a tree with line numbers, in the two kinds the hosts read: without anything but block
//! mappings, sequences and text (`strictyaml`), or nearly all of YAML (`yaml.v3`). Depth and size
//! are bounded, so that aliases cannot multiply.

mod tree;

use std::borrow::Cow;

use saphyr_parser::Parser;

use tree::Tree;

/// How many keys may have a tab directly behind their colon.
const TABS_MAX: usize = 64;

/// Which YAML is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// As `strictyaml` does: no flow style, tags, anchors, tabs or repeated keys.
    Strict,
    /// As `yaml.v3` does: of these only repeated keys are refused. Of several documents the first
    /// is read.
    Lenient,
}

/// What a text means, apart from the type of its scalars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Scalar {
        /// What it says; empty if nothing stands there.
        text: String,
        /// Whether it stands there without quotes, so that it may mean a number or nothing.
        is_plain: bool,
        /// Whether a tag says that it is text or, if false, something else.
        tagged_text: Option<bool>,
    },
    /// Values in order.
    Sequence(Vec<Node>),
    /// Keys and values in order.
    Mapping(Vec<(String, Node)>),
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its line, from 1, in the text that was read.
    pub line: usize,
}

/// Why a text is not YAML of that kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// What is wrong.
    pub message: String,
    /// The line, from 1, in the text that was read.
    pub line: usize,
}

impl YamlError {
    fn new(message: &str, line: usize) -> Self {
        Self {
            message: message.to_owned(),
            line,
        }
    }
}

/// Reads a text. `None` if nothing stands there but comments.
pub fn read(text: &str, dialect: Dialect) -> Result<Option<Node>, YamlError> {
    if let Some(line) = unprintable(text) {
        return Err(YamlError::new("control characters are not allowed", line));
    }
    let mut text = Cow::Borrowed(text);
    for _ in 0..TABS_MAX {
        match attempt(&text, dialect) {
            Ok(root) => return Ok(root),
            Err(Failure { error, at }) => {
                let spaced = (dialect == Dialect::Lenient)
                    .then(|| with_space(&text, at?))
                    .flatten();
                match spaced {
                    Some(spaced) => text = Cow::Owned(spaced),
                    None => return Err(error),
                }
            }
        }
    }
    Err(YamlError::new("too many tabs behind colons", 1))
}

/// The text with the tab directly behind a colon before the character `at` turned into a space:
/// the parser wants a space there, `yaml.v3` takes either.
fn with_space(text: &str, at: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(at)?;
    let before = text.get(..end)?.trim_end_matches([' ', '\t']);
    let behind = text.get(before.len()..)?.strip_prefix('\t')?;
    before.ends_with(':').then(|| format!("{before} {behind}"))
}

/// Why an attempt failed, and at which character the parser stopped, if it did.
struct Failure {
    error: YamlError,
    at: Option<usize>,
}

impl From<YamlError> for Failure {
    fn from(error: YamlError) -> Self {
        Self { error, at: None }
    }
}

fn attempt(text: &str, dialect: Dialect) -> Result<Option<Node>, Failure> {
    let mut tree = Tree::new(text, dialect);
    let mut parser = Parser::new_from_str(text);
    while let Some(step) = parser.next_event() {
        let (event, span) = step.map_err(|error| Failure {
            error: YamlError::new(error.info(), error.marker().line()),
            at: Some(error.marker().index()),
        })?;
        if tree.take(event, span)? {
            break;
        }
    }
    if dialect == Dialect::Strict
        && let Some(line) = tree.loose_tab()
    {
        return Err(YamlError::new("tabs are not allowed here", line).into());
    }
    Ok(tree.into_root())
}

/// The line of the first character no YAML may hold.
fn unprintable(text: &str) -> Option<usize> {
    let at = text.find(|character: char| {
        (character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{85}'))
            || matches!(character, '\u{fffe}' | '\u{ffff}')
    })?;
    Some(1 + text.get(..at)?.matches('\n').count())
}

impl Node {
    /// The value of a key, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Mapping(pairs) => pairs
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            Value::Scalar { .. } | Value::Sequence(_) => None,
        }
    }

    /// The text of a scalar, whatever it may mean.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }
}
