//! From a place in the working copy back to the place in the text an operator wrote.

use std::ops::Range;

use super::working_copy;

/// A place in the text as it was given.
pub(super) struct Place {
    /// Line, from 1.
    pub(super) line: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
    /// Bytes.
    pub(super) bytes: Range<usize>,
    /// UTF-16 code units.
    pub(super) utf16: Range<usize>,
}

/// The place of a span of the text itself.
pub(super) fn plain(text: &str, bytes: Range<usize>) -> Place {
    let before = text.get(..bytes.start).unwrap_or_default();
    let inside = text.get(bytes.clone()).unwrap_or_default();
    let line_start = before.rfind(['\n', '\r']).map_or(0, |place| place + 1);
    let ends = before.matches(['\n', '\r']).count() - before.matches("\r\n").count();
    let utf16_start = before.encode_utf16().count();
    Place {
        line: ends + 1,
        column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        utf16: utf16_start..utf16_start + inside.encode_utf16().count(),
        bytes,
    }
}

/// The place in the text of a span of its working copy. Where several characters melted into
/// one, the span covers all of them.
pub(super) fn original(
    text: &str,
    copy: &str,
    span: Range<usize>,
    nfkc: &dyn Fn(&str) -> String,
) -> Place {
    let start = byte_of(text, copy, span.start, nfkc).start;
    let end = byte_of(text, copy, span.end.saturating_sub(1), nfkc).end;
    plain(text, start..end)
}

/// The bytes of the text that the byte at `wanted` of the working copy was made from. Narrowed in
/// three steps, each splitting where normalisation cannot reach across: lines, pieces that begin
/// with a character which becomes ASCII, single characters.
fn byte_of(text: &str, copy: &str, wanted: usize, nfkc: &dyn Fn(&str) -> String) -> Range<usize> {
    // A line feed comes from nothing but a line feed, so both texts have the same lines.
    let before = copy.get(..wanted).unwrap_or_default();
    let column = wanted - before.rfind('\n').map_or(0, |place| place + 1);
    let line = nth_line(text, before.matches('\n').count());
    let line_text = text.get(line.clone()).unwrap_or_default();
    let Some(piece) = part_with(pieces(line_text, nfkc).into_iter(), column, nfkc) else {
        return line;
    };
    let piece = piece.moved(line.start);
    let piece_text = text.get(piece.bytes.clone()).unwrap_or_default();
    // Inside a piece the characters can only be told apart if they did not affect each other.
    let singly: String = characters(piece_text)
        .map(|character| working_copy(character, nfkc))
        .collect();
    if singly != working_copy(piece_text, nfkc) {
        return piece.bytes;
    }
    match part_with(characters(piece_text), piece.left, nfkc) {
        Some(character) => character.moved(piece.bytes.start).bytes,
        None => piece.bytes,
    }
}

/// The bytes of one line of a text, its line feed included; the first is 0.
fn nth_line(text: &str, number: usize) -> Range<usize> {
    let mut start = 0;
    for (place, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        if place == number {
            return start..end;
        }
        start = end;
    }
    start..text.len()
}

/// A part of a text, and how far into its working copy the byte looked for is.
struct Part {
    bytes: Range<usize>,
    left: usize,
}

impl Part {
    fn moved(self, by: usize) -> Self {
        Self {
            bytes: self.bytes.start + by..self.bytes.end + by,
            left: self.left,
        }
    }
}

/// The part whose working copy holds the byte `wanted` of all the parts' working copies together.
fn part_with<'a>(
    parts: impl Iterator<Item = &'a str>,
    wanted: usize,
    nfkc: &dyn Fn(&str) -> String,
) -> Option<Part> {
    let mut start = 0;
    let mut left = wanted;
    for part in parts {
        let length = working_copy(part, nfkc).len();
        let end = start + part.len();
        if left < length {
            return Some(Part {
                bytes: start..end,
                left,
            });
        }
        left -= length;
        start = end;
    }
    None
}

/// The characters of a text, each as a text.
fn characters(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices()
        .filter_map(|(place, character)| text.get(place..place + character.len_utf8()))
}

/// Splits before every character whose normal form begins with an ASCII character. Those neither
/// join with nor change places with what stands before them, so the parts normalise one by one.
fn pieces<'a>(text: &'a str, nfkc: &dyn Fn(&str) -> String) -> Vec<&'a str> {
    let mut starts: Vec<usize> = text
        .char_indices()
        .zip(characters(text))
        .filter(|(_, character)| {
            character.is_ascii() || nfkc(character).starts_with(|first: char| first.is_ascii())
        })
        .map(|((place, _), _)| place)
        .filter(|place| *place > 0)
        .collect();
    starts.push(text.len());
    let mut from = 0;
    starts
        .into_iter()
        .filter_map(|to| text.get(std::mem::replace(&mut from, to)..to))
        .collect()
}
