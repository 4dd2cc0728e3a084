//! R1: the pattern grammar (contract sections 5.1 and 5.4, seed 004 "Pattern syntax").
//!
//! Three forms and nothing else: `*`, `prefix*` and `exact_name`, compared without regard to
//! ASCII case.

use std::collections::HashSet;

use crate::grants::{Grant, TOOL_NAME_MAX};

/// Strips leading and trailing white space as ECMAScript's `trim` does: Unicode white space and
/// U+FEFF, but not U+0085.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// White space as ECMAScript defines it.
pub fn is_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

/// Why a text is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// Nothing was written.
    Empty,
    /// More than 120 characters, a trailing star apart.
    TooLong,
    /// A star before the end.
    InnerStar,
    /// A character outside `A-Z a-z 0-9 _ . : -`.
    Character(char),
}

impl PatternError {
    /// What is wrong and which forms are legal, for people.
    pub fn sentence(self) -> String {
        format!("{} {LEGAL_FORMS}", self.reason())
    }

    /// What is wrong, without the legal forms; for lists of several that name them once.
    pub fn reason(self) -> String {
        match self {
            Self::Empty => "A pattern cannot be empty.".to_owned(),
            Self::TooLong => {
                format!("A pattern has at most {TOOL_NAME_MAX} characters before its star.")
            }
            Self::InnerStar => "A star can only stand at the end.".to_owned(),
            Self::Character(' ') => "A pattern cannot contain a space.".to_owned(),
            Self::Character(character) => {
                format!("A pattern cannot contain `{}`.", character.escape_debug())
            }
        }
    }
}

/// The forms a pattern can have, as an instruction.
pub const LEGAL_FORMS: &str =
    "Write `*`, `prefix*` or an exact name, using letters, digits and _ . : -";

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | ':' | '-')
}

/// Checks a text against `^(\*|[A-Za-z0-9_.:-]{1,120}\*?)$`.
pub fn check_pattern(text: &str) -> Result<(), PatternError> {
    if text == "*" {
        return Ok(());
    }
    let stem = text.strip_suffix('*').unwrap_or(text);
    if text.is_empty() {
        return Err(PatternError::Empty);
    }
    match stem
        .chars()
        .find(|character| !is_name_character(*character))
    {
        Some('*') => Err(PatternError::InnerStar),
        Some(character) => Err(PatternError::Character(character)),
        None if stem.len() > TOOL_NAME_MAX => Err(PatternError::TooLong),
        None => Ok(()),
    }
}

/// Whether a text has the documented shape of a tool name, `^[A-Za-z0-9_.:-]{1,120}$`.
pub fn is_tool_name(text: &str) -> bool {
    check_pattern(text).is_ok() && !text.ends_with('*')
}

fn starts_with_ignore_case(text: &str, prefix: &str) -> bool {
    text.len() >= prefix.len()
        && text
            .bytes()
            .zip(prefix.bytes())
            .all(|(left, right)| left.eq_ignore_ascii_case(&right))
}

/// Whether `pattern` matches the tool `name`. Both are trimmed; nothing matches an empty text.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (trim(pattern), trim(name));
    if pattern.is_empty() || name.is_empty() {
        return false;
    }
    match pattern.strip_suffix('*') {
        Some(prefix) => starts_with_ignore_case(name, prefix),
        None => pattern.eq_ignore_ascii_case(name),
    }
}

/// Whether everything `inner` grants was granted by `outer`. The test is on the text of `inner`,
/// its own star included, so `git_*` covers `git_c*` but not `g*`.
pub fn covers(outer: &str, inner: &str) -> bool {
    matches(outer, inner)
}

/// Cleans one stored list: keeps trimmed patterns of the right form without exact repeats, in
/// order. A non-empty list that loses every item counts as absent (= inherit).
pub fn sanitize(list: Option<&[String]>) -> Option<Vec<String>> {
    let list = list?;
    let kept = distinct(
        list.iter()
            .map(|item| trim(item))
            .filter(|item| check_pattern(item).is_ok()),
    );
    (list.is_empty() || !kept.is_empty()).then_some(kept)
}

/// Trims and removes exact repeats, the first occurrence stays (what PUT stores).
pub fn distinct<'a>(items: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = HashSet::new();
    items
        .map(trim)
        .filter(|item| seen.insert(*item))
        .map(str::to_owned)
        .collect()
}

/// Cleans both lists of a stored grant.
pub fn sanitize_grant(grant: &Grant) -> Grant {
    Grant {
        allow: sanitize(grant.allow.as_deref()),
        deny: sanitize(grant.deny.as_deref()),
    }
}
