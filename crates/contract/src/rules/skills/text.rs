//! Text as Python and Go treat it where their skill readers do so: white space and line ends.

use std::borrow::Cow;

/// White space as Python's `str.strip` removes it: Unicode white space and U+001C to U+001F.
pub(super) fn is_python_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// The text without leading and trailing white space, as Python's `str.strip` does.
pub(super) fn python_strip(text: &str) -> &str {
    text.trim_matches(is_python_space)
}

/// The lines as Python's `str.splitlines` cuts them: also at VT, FF, FS, GS, RS, NEL, U+2028 and
/// U+2029. A line end at the end of the text begins no further line.
pub(super) fn python_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some((at, end)) = rest.char_indices().find(|(_, c)| is_line_end(*c)) {
        let (line, behind) = rest.split_at(at);
        lines.push(line);
        let behind = behind
            .strip_prefix("\r\n")
            .unwrap_or_else(|| behind.strip_prefix(end).unwrap_or_default());
        rest = behind;
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

fn is_line_end(character: char) -> bool {
    matches!(
        character,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The text with CRLF and lone CR turned into LF, as Python reads text files.
pub(super) fn universal_newlines(text: &str) -> Cow<'_, str> {
    crate::rules::init_script::normalise(text).text
}

#[cfg(test)]
mod tests {
    use super::{python_lines, python_strip};

    #[test]
    fn lines_end_where_python_ends_them() {
        assert_eq!(
            python_lines("a\r\nb\rc\u{2028}d\u{85}"),
            ["a", "b", "c", "d"]
        );
        assert_eq!(python_lines("\n\n"), ["", ""]);
        assert_eq!(python_lines(""), Vec::<&str>::new());
        assert_eq!(python_lines("é\u{b}x"), ["é", "x"]);
    }

    #[test]
    fn separators_of_ascii_are_white_space_to_python() {
        assert_eq!(python_strip("\u{1c} a\u{1f}\u{a0}"), "a");
        assert_eq!(python_strip("\u{feff}a"), "\u{feff}a");
    }
}
