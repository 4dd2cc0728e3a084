//! Words on screen: sentences with code in them, where what stands between backticks is set as
//! code, and texts of others, whose hidden characters are shown.

use leptos::prelude::*;

/// The sentence as text and code, in turns.
pub fn with_code(sentence: &str) -> AnyView {
    sentence
        .split('`')
        .enumerate()
        .map(|(place, part)| {
            let part = part.to_owned();
            if place % 2 == 1 {
                view! { <code dir="ltr">{part}</code> }.into_any()
            } else {
                part.into_any()
            }
        })
        .collect_view()
        .into_any()
}

/// Whether a character has no shape of its own, or changes the order or the shape of others.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A text of somebody else as it may be shown: line breaks become spaces, and characters that could
/// disguise it become visible escapes.
pub fn revealed(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => shown.push(' '),
            hidden if is_hidden(hidden) => shown.extend(hidden.escape_unicode()),
            plain => shown.push(plain),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::revealed;

    #[test]
    fn characters_that_could_disguise_a_text_are_shown_as_escapes() {
        assert_eq!(revealed("send\u{202e}liam"), "send\\u{202e}liam");
        assert_eq!(revealed("a\u{0}b\u{1b}[31m"), "a\\u{0}b\\u{1b}[31m");
        assert_eq!(revealed("tag\u{e0041}"), "tag\\u{e0041}");
        assert_eq!(revealed("two\nlines"), "two lines");
        assert_eq!(revealed("searchWeb"), "searchWeb");
        assert_eq!(revealed("ünïcode 日本"), "ünïcode 日本");
    }
}
