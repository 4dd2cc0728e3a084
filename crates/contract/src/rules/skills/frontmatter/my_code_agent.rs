//! The head as `MyCodeAgent` reads it (skills contract section 4.1, seed 003 "Step 3"): flat
//! `key: value` lines, no YAML. What it does not take it drops without a word; here is the word.

use super::super::name;
use super::super::text::{python_lines, python_strip, universal_newlines};
use super::DELIMITER;

/// A file's head and body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flat {
    /// The pairs in order of first appearance; of one key the last value.
    pub fields: Vec<(String, String)>,
    /// What follows the head, its lines joined by LF.
    pub body: String,
}

impl Flat {
    /// The value of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }
}

/// Why a file has no head for `MyCodeAgent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoHead {
    /// The first line is not `---`.
    NoOpening,
    /// No later line is `---`.
    NoClosing,
    /// This line of the head, from 1, has no colon.
    NoColon(usize),
}

/// Why `MyCodeAgent` does not list a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// It is not UTF-8. This one also ends the scan of every other file.
    NotUtf8,
    /// It has no head.
    NoHead(NoHead),
    /// It has no name, or a blank one.
    MissingName,
    /// It has no description, or a blank one.
    MissingDescription,
    /// Its name is not in kebab case.
    BadName,
}

impl Dropped {
    /// A short stable name of the reason.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not-utf8-raises",
            Self::NoHead(_) => "no-frontmatter",
            Self::MissingName => "missing-name",
            Self::MissingDescription => "missing-description",
            Self::BadName => "bad-name",
        }
    }

    /// The line it is about, from 1, where one is.
    pub fn line(self) -> Option<usize> {
        match self {
            Self::NoHead(NoHead::NoColon(line)) => Some(line),
            Self::NoHead(NoHead::NoOpening) => Some(1),
            Self::NoHead(NoHead::NoClosing)
            | Self::NotUtf8
            | Self::MissingName
            | Self::MissingDescription
            | Self::BadName => None,
        }
    }

    /// What is wrong and what to do, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NotUtf8 => {
                "The file is not UTF-8. MyCodeAgent stops at it and then finds no skills at all."
            }
            Self::NoHead(NoHead::NoOpening) => {
                "The first line is not `---`. MyCodeAgent takes neither a byte order mark nor a blank line before it."
            }
            Self::NoHead(NoHead::NoClosing) => "No line `---` closes the frontmatter.",
            Self::NoHead(NoHead::NoColon(_)) => {
                "The line has no colon. MyCodeAgent reads only `key: value` lines; lists and text over several lines drop the whole file."
            }
            Self::MissingName => "There is no `name`, or it is blank.",
            Self::MissingDescription => "There is no `description`, or it is blank.",
            Self::BadName => {
                "The name is not in kebab case. Use lowercase words of a-z and 0-9, joined by single hyphens; a comment behind it counts as part of it."
            }
        }
    }
}

/// A file `MyCodeAgent` lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its description, of any length.
    pub description: String,
    /// Its text.
    pub body: String,
}

/// Takes a text apart.
pub fn parse(text: &str) -> Result<Flat, NoHead> {
    let text = universal_newlines(text);
    let mut lines = python_lines(&text).into_iter().enumerate();
    let opens = |line: &str| python_strip(line) == DELIMITER;
    if !lines.next().is_some_and(|(_, line)| opens(line)) {
        return Err(NoHead::NoOpening);
    }
    let mut head = Vec::new();
    let mut closed = false;
    for (number, line) in lines.by_ref() {
        if opens(line) {
            closed = true;
            break;
        }
        head.push((number + 1, python_strip(line)));
    }
    if !closed {
        return Err(NoHead::NoClosing);
    }
    let mut fields: Vec<(String, String)> = Vec::new();
    for (number, line) in head {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(':').ok_or(NoHead::NoColon(number))?;
        let key = python_strip(key);
        let value = python_strip(value).trim_matches(['"', '\'']);
        match fields.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => value.clone_into(known),
            None => fields.push((key.to_owned(), value.to_owned())),
        }
    }
    let body: Vec<&str> = lines.map(|(_, line)| line).collect();
    Ok(Flat {
        fields,
        body: body.join("\n"),
    })
}

/// Judges a file by its bytes.
pub fn judge(bytes: &[u8]) -> Result<Listed, Dropped> {
    let text = std::str::from_utf8(bytes).map_err(|_| Dropped::NotUtf8)?;
    let flat = parse(text).map_err(Dropped::NoHead)?;
    let field = |key| python_strip(flat.get(key).unwrap_or_default()).to_owned();
    let (name, description) = (field("name"), field("description"));
    if name.is_empty() {
        Err(Dropped::MissingName)
    } else if description.is_empty() {
        Err(Dropped::MissingDescription)
    } else if name::is_kebab_case(&name) {
        Ok(Listed {
            name,
            description,
            body: flat.body,
        })
    } else {
        Err(Dropped::BadName)
    }
}
