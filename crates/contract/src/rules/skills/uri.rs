//! The addresses of skills taken apart (skills contract sections 1.1 and 1.8): scheme, segments,
//! escapes, and the form in which two spellings of one address compare equal.

use std::fmt::Write as _;

/// The end of the address of every skill.
const FILE: &str = "SKILL.md";

/// The scheme a text begins with, without its colon. A drive letter is one too.
pub(super) fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let first = bytes.next()?;
    (first.is_ascii_alphabetic()
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)))
    .then_some(scheme)
}

/// The directory of a skill with its final slash, if the address is that of a `SKILL.md`: it has a
/// scheme, ends with `/SKILL.md` below at least one segment, and has neither query nor fragment.
pub(super) fn root(skill_uri: &str) -> Option<&str> {
    if skill_uri.contains(['?', '#']) {
        return None;
    }
    let root = skill_uri.strip_suffix(FILE)?;
    let scheme = scheme(root)?;
    let path = root.get(scheme.len() + 1..)?.trim_start_matches('/');
    let inner = path.strip_suffix('/')?;
    (!inner.is_empty()).then_some(root)
}

/// The address with escapes of unreserved characters resolved, other escapes in capitals, and what
/// an address cannot hold escaped. Its scheme is in lowercase. Equal results name one file.
pub(super) fn normalised(uri: &str) -> String {
    let scheme_length = scheme(uri).map_or(0, str::len);
    let (scheme, rest) = uri.split_at_checked(scheme_length).unwrap_or(("", uri));
    let mut text = scheme.to_ascii_lowercase();
    push_normalised(&mut text, rest);
    text
}

/// Appends `part` in the form of [`normalised`].
pub(super) fn push_normalised(text: &mut String, part: &str) {
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let mut ahead = bytes.clone();
            if let Some(escaped) = escaped_byte(ahead.next(), ahead.next()) {
                bytes = ahead;
                if is_unreserved(escaped) {
                    text.push(char::from(escaped));
                } else {
                    push_escape(text, escaped);
                }
                continue;
            }
            push_escape(text, byte);
        } else if is_unreserved(byte) || b":/?#[]@!$&'()*+,;=".contains(&byte) {
            text.push(char::from(byte));
        } else {
            push_escape(text, byte);
        }
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn push_escape(text: &mut String, byte: u8) {
    // Writing to a string does not fail.
    let _ = write!(text, "%{byte:02X}");
}

fn escaped_byte(high: Option<u8>, low: Option<u8>) -> Option<u8> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// A part between slashes, its escapes resolved once.
pub(super) struct Segment(Vec<u8>);

impl Segment {
    /// Resolves the escapes of a part; what is no escape stays.
    pub(super) fn decode(part: &str) -> Self {
        let mut decoded = Vec::with_capacity(part.len());
        let mut bytes = part.bytes();
        while let Some(byte) = bytes.next() {
            let mut ahead = bytes.clone();
            match (byte == b'%').then(|| escaped_byte(ahead.next(), ahead.next())) {
                Some(Some(escaped)) => {
                    decoded.push(escaped);
                    bytes = ahead;
                }
                Some(None) | None => decoded.push(byte),
            }
        }
        Self(decoded)
    }

    /// Whether nothing stands there.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it means the directory itself.
    pub(super) fn is_current(&self) -> bool {
        self.0 == b"."
    }

    /// Whether it means the directory above.
    pub(super) fn is_parent(&self) -> bool {
        self.0 == b".."
    }

    /// Whether it begins with a dot.
    pub(super) fn is_hidden(&self) -> bool {
        self.0.first() == Some(&b'.')
    }

    /// Whether a separator was hidden in an escape.
    pub(super) fn has_separator(&self) -> bool {
        self.0.iter().any(|byte| matches!(byte, b'/' | b'\\'))
    }

    /// Whether it holds a control character of ASCII.
    pub(super) fn has_control(&self) -> bool {
        self.0.iter().any(u8::is_ascii_control)
    }

    /// Whether it is exactly this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.0 == text.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{normalised, root, scheme};

    #[test]
    fn spellings_of_one_address_compare_equal() {
        assert_eq!(
            normalised("SKILL://a/%41%2d%2f é%"),
            "skill://a/A-%2F%20%C3%A9%25"
        );
        assert_eq!(normalised("a%"), "a%25");
        assert_eq!(normalised("a%4"), "a%254");
        assert_eq!(normalised("a%zz"), "a%25zz");
    }

    #[test]
    fn only_a_skill_has_a_root() {
        assert_eq!(root("skill://a/SKILL.md"), Some("skill://a/"));
        assert_eq!(root("skill://SKILL.md"), None);
        assert_eq!(root("skill:///SKILL.md"), None);
        assert_eq!(root("skill://a/SKILL.md?x"), None);
        assert_eq!(root("/a/SKILL.md"), None);
        assert_eq!(root("skill://a/xSKILL.md"), None);
        assert_eq!(scheme("C:/x"), Some("C"));
        assert_eq!(scheme("a/b:c"), None);
    }
}
