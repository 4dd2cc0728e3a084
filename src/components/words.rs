//! Sentences with code in them, where what stands between backticks is set as code, and foreign
//! words, in which nothing stays hidden.

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

/// Whether a character is not seen, or changes how others are seen: control characters, marks of
/// direction, joiners and spaces without width, and the tag characters that spell invisible text.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Foreign text as it may be shown on one line: what could disguise it becomes visible escapes.
pub fn visible(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn characters_that_could_disguise_a_text_are_shown_as_escapes() {
        assert_eq!(visible("send\u{202e}liam"), "send\\u{202e}liam");
        assert_eq!(visible("a\u{e0041}b\n"), "a\\u{e0041}b\\u{a}");
        assert_eq!(visible("searchWeb"), "searchWeb");
        assert_eq!(visible("ünïcode"), "ünïcode");
    }
}
