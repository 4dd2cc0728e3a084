//! Texts as they may be shown: sentences with code in them, and words of others whose characters
//! could disguise what they are.

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

/// A text of somebody else as it may be shown: control and format characters, which could disguise
/// it, become visible escapes.
pub fn visible(text: &str) -> String {
    let hidden = |character: char| {
        character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    text.chars()
        .flat_map(|character| {
            let escaped: Vec<char> = if hidden(character) {
                character.escape_unicode().collect()
            } else {
                vec![character]
            };
            escaped
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn characters_that_could_disguise_a_name_are_shown_as_escapes() {
        assert_eq!(visible("send\u{202e}liam"), "send\\u{202e}liam");
        assert_eq!(visible("searchWeb"), "searchWeb");
        assert_eq!(visible("ünïcode"), "ünïcode");
    }
}
