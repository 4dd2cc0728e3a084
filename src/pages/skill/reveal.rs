//! Foreign text over several lines with nothing hidden in it: characters that are not seen become
//! marked escapes, HTML comments are marked as such.

use leptos::prelude::*;

use crate::components::words::is_hidden;

/// The most marked pieces drawn of one text; behind them escapes stand without a mark.
const PIECES: usize = 4_000;

/// A run of characters that are shown alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What is shown: the text itself, or its escapes.
    pub text: String,
    /// Whether it stands for characters that are not seen.
    pub hidden: bool,
    /// Whether it belongs to an HTML comment.
    pub comment: bool,
}

/// What a text hides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hiding {
    /// Characters that are not seen.
    pub characters: usize,
    /// HTML comments.
    pub comments: usize,
}

impl Hiding {
    /// What is said about it; nothing when nothing is hidden.
    pub fn sentence(self) -> Option<String> {
        let characters = match self.characters {
            0 => None,
            1 => Some("1 character that is not seen".to_owned()),
            many => Some(format!("{many} characters that are not seen")),
        };
        let comments = match self.comments {
            0 => None,
            1 => Some("1 HTML comment".to_owned()),
            many => Some(format!("{many} HTML comments")),
        };
        let found: Vec<String> = [characters, comments].into_iter().flatten().collect();
        (!found.is_empty()).then(|| format!("This text holds {}.", found.join(" and ")))
    }
}

/// Whether a character disappears in text over several lines. Line ends and tabs do not.
fn disappears(character: char) -> bool {
    is_hidden(character) && !matches!(character, '\n' | '\t')
}

/// Counts what a text hides.
pub fn hiding(text: &str) -> Hiding {
    Hiding {
        characters: without_line_ends(text)
            .chars()
            .filter(|character| disappears(*character))
            .count(),
        comments: text.matches("<!--").count(),
    }
}

/// CRLF ends a line like LF and is nothing to tell of.
fn without_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Cuts a text into pieces.
pub fn pieces(text: &str) -> Vec<Piece> {
    let text = without_line_ends(text);
    let mut found: Vec<Piece> = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("<!--") {
        cut(before, false, &mut found);
        let end = behind
            .find("-->")
            .map_or(behind.len(), |end| end.saturating_add("-->".len()));
        let (comment, after) = behind.split_at(end);
        cut(&format!("<!--{comment}"), true, &mut found);
        rest = after;
    }
    cut(rest, false, &mut found);
    found
}

fn cut(text: &str, comment: bool, found: &mut Vec<Piece>) {
    for character in text.chars() {
        let hidden = disappears(character);
        let full = found.len() >= PIECES;
        match found.last_mut() {
            Some(last) if last.comment == comment && (last.hidden == hidden || full) => {
                push(last, character, hidden);
            }
            _ => {
                let mut piece = Piece {
                    text: String::new(),
                    hidden,
                    comment,
                };
                push(&mut piece, character, hidden);
                found.push(piece);
            }
        }
    }
}

fn push(piece: &mut Piece, character: char, hidden: bool) {
    if hidden {
        piece.text.extend(character.escape_unicode());
    } else {
        piece.text.push(character);
    }
}

/// The text with its marks.
pub fn marked(text: &str) -> AnyView {
    if !text.contains("<!--") && !text.contains(disappears) {
        return text.to_owned().into_any();
    }
    pieces(text)
        .into_iter()
        .map(|piece| match (piece.hidden, piece.comment) {
            (true, _) => view! { <mark class="unseen">{piece.text}</mark> }.into_any(),
            (false, true) => view! { <mark class="comment">{piece.text}</mark> }.into_any(),
            (false, false) => piece.text.into_any(),
        })
        .collect_view()
        .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(String, bool, bool)> {
        pieces(text)
            .into_iter()
            .map(|piece| (piece.text, piece.hidden, piece.comment))
            .collect()
    }

    #[test]
    fn what_is_not_seen_is_shown_and_marked() {
        assert_eq!(
            shown("a\u{202e}\u{200b}b\r\n\tc"),
            [
                ("a".to_owned(), false, false),
                ("\\u{202e}\\u{200b}".to_owned(), true, false),
                ("b\n\tc".to_owned(), false, false),
            ]
        );
        assert_eq!(hiding("a\u{202e}b\r\nc\r").characters, 2);
    }

    #[test]
    fn comments_are_marked_also_when_they_do_not_end() {
        assert_eq!(
            shown("x<!-- y -->z<!-- w"),
            [
                ("x".to_owned(), false, false),
                ("<!-- y -->".to_owned(), false, true),
                ("z".to_owned(), false, false),
                ("<!-- w".to_owned(), false, true),
            ]
        );
        assert_eq!(hiding("<!-- a --><!-- b -->").comments, 2);
    }

    #[test]
    fn the_number_of_marks_is_bounded_and_nothing_is_lost() {
        let text = "a\u{200b}".repeat(PIECES * 2);
        let found = pieces(&text);
        assert!(found.len() <= PIECES + 1);
        let escapes: usize = found
            .iter()
            .map(|piece| piece.text.matches("\\u{200b}").count())
            .sum();
        assert_eq!(escapes, PIECES * 2);
    }

    #[test]
    fn what_is_hidden_is_put_in_words() {
        assert_eq!(hiding("plain").sentence(), None);
        assert_eq!(
            hiding("\u{200b}<!-- -->").sentence().as_deref(),
            Some("This text holds 1 character that is not seen and 1 HTML comment.")
        );
    }
}
