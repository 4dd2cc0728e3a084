//! Remarks about a file that no host refuses it for, but that make it mean something else than it
//! seems to.

use std::collections::HashMap;

use crate::skill_lint::LintNote;

use super::super::arguments::look_alikes;
use super::super::frontmatter::{CODER_FILE_MAX, DELIMITER, DESCRIPTION_MAX, my_code_agent};
use super::super::name::NAME_MAX;
use super::super::text::{python_lines, python_strip};

/// The most remarks of one kind; the rest would say the same.
const EACH_MAX: usize = 10;

/// What is worth knowing about a file.
pub(super) fn of(bytes: &[u8]) -> Vec<LintNote> {
    let mut found = Vec::new();
    if u64::try_from(bytes.len()).is_ok_and(|size| size > CODER_FILE_MAX) {
        found.push(at(
            None,
            "over-64KiB",
            "The file is larger than 65,536 bytes. Coder does not load it.",
        ));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let before = std::str::from_utf8(valid).unwrap_or_default();
            let line = 1 + before.matches('\n').count();
            found.push(at(
                Some(line),
                "not-utf8",
                "The file is not UTF-8. MyCodeAgent stops at it and then finds no skills at all.",
            ));
            return found;
        }
    };
    let clean = text.strip_prefix('\u{feff}').unwrap_or(text);
    if clean.len() < text.len() {
        found.push(at(
            Some(1),
            "bom",
            "The file begins with a byte order mark. Coder removes it; Agent Skills and MyCodeAgent then find no frontmatter.",
        ));
    }
    lengths(clean, &mut found);
    let lines = python_lines(clean);
    let close = closing(&lines);
    head(lines.get(1..close).unwrap_or_default(), &mut found);
    invisible(&lines, &mut found);
    let body: Vec<&str> = lines.get(close + 1..).unwrap_or_default().to_vec();
    if let Some(place) = body.iter().position(|line| line.contains("<!--")) {
        found.push(at(
            Some(close + 2 + place),
            "html-comment",
            "An HTML comment begins here. Coder removes it before the model reads the text; MyCodeAgent keeps it.",
        ));
    }
    let joined = body.join("\n");
    found.extend(
        look_alikes(&joined)
            .into_iter()
            .take(EACH_MAX)
            .map(|place| at(Some(close + 1 + place.line), "arguments", &place.sentence())),
    );
    found
}

fn at(line: Option<usize>, code: &str, message: &str) -> LintNote {
    LintNote {
        code: code.to_owned(),
        message: message.to_owned(),
        line,
    }
}

/// The place of the line that closes the head; 0 if there is no head.
fn closing(lines: &[&str]) -> usize {
    let is_delimiter = |line: &&str| python_strip(line) == DELIMITER;
    if !lines.first().is_some_and(is_delimiter) {
        return 0;
    }
    lines
        .iter()
        .skip(1)
        .position(is_delimiter)
        .map_or(0, |place| place + 1)
}

/// Names and descriptions `MyCodeAgent` takes although they are too long elsewhere.
fn lengths(text: &str, found: &mut Vec<LintNote>) {
    let Ok(flat) = my_code_agent::parse(text) else {
        return;
    };
    let longer = |key, most| {
        flat.get(key)
            .is_some_and(|value: &str| value.chars().count() > most)
    };
    if longer("name", NAME_MAX) {
        found.push(at(
            None,
            "long-name",
            "The name is longer than the 64 characters of Agent Skills.",
        ));
    }
    if longer("description", DESCRIPTION_MAX) {
        found.push(at(
            None,
            "long-description",
            "The description is longer than the 1,024 characters of Agent Skills.",
        ));
    }
}

/// The lines between the delimiters; the first of them is line 2 of the file.
fn head(lines: &[&str], found: &mut Vec<LintNote>) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (place, line) in lines.iter().enumerate() {
        let number = place + 2;
        let Some((key, _)) = line.split_once(':') else {
            continue;
        };
        let is_nested = key.starts_with([' ', '\t']);
        let key = python_strip(key);
        if is_nested && matches!(key, "name" | "description") {
            found.push(at(
                Some(number),
                "nested-name",
                &format!(
                    "This nested `{key}` replaces the real one at MyCodeAgent, which knows no nesting."
                ),
            ));
        } else if !is_nested && !key.starts_with('#') {
            if seen.insert(key, number).is_some() {
                found.push(at(
                    Some(number),
                    "duplicate-key",
                    &format!(
                        "`{key}` is there twice. MyCodeAgent takes the last; YAML has an error."
                    ),
                ));
            }
            if key == "allowed-tools" {
                found.push(at(
                    Some(number),
                    "allowed-tools",
                    "The skill asks for tools. Asking grants none; grants are made here.",
                ));
            }
        }
    }
}

/// Characters that are not seen or turn the direction of text.
fn invisible(lines: &[&str], found: &mut Vec<LintNote>) {
    let hidden = |character: char| {
        matches!(
            character,
            '\u{ad}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2064}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
    };
    let notes = lines
        .iter()
        .enumerate()
        .filter_map(|(place, line)| {
            let character = line.chars().find(|character| hidden(*character))?;
            Some(at(
                Some(place + 1),
                "invisible",
                &format!(
                    "The line holds a character that is not seen: U+{:04X}.",
                    u32::from(character)
                ),
            ))
        })
        .take(EACH_MAX);
    found.extend(notes);
}
