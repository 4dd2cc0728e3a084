//! R8: the secret scan (contract section 13): sixteen shapes of credentials, tried on a working
//! copy of the text in which look-alike characters are resolved and invisible ones removed. Every
//! rule is matched by hand, so that nothing but this module ships to the browser.

mod locate;
mod shapes;

use std::borrow::Cow;
use std::ops::Range;

use locate::Place;

/// The characters that hide inside a token without being seen.
const INVISIBLE: [char; 6] = [
    '\u{200b}', '\u{200c}', '\u{200d}', '\u{ad}', '\u{feff}', '\u{2060}',
];

/// The most characters of a match that people are shown.
const SHOWN_MAX: usize = 4;

/// Where a text holds something that looks like a secret. The secret itself is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the rule, as the server reports it.
    pub rule: &'static str,
    /// Line on which it starts, from 1; CRLF, LF and lone CR end a line.
    pub line: usize,
    /// Column at which it starts, from 1, in characters.
    pub column: usize,
    /// Its place in the text as it was given, in bytes.
    pub bytes: Range<usize>,
    /// The same place in UTF-16 code units, as the DOM counts.
    pub utf16: Range<usize>,
    server_form: String,
    shown: String,
}

impl Finding {
    fn new(rule: &'static str, secret: &str, place: Place) -> Self {
        Self {
            rule,
            line: place.line,
            column: place.column,
            bytes: place.bytes,
            utf16: place.utf16,
            server_form: display_form(secret),
            shown: secret.chars().take(SHOWN_MAX).chain(['…']).collect(),
        }
    }

    /// The match as the server's message shows it: up to 12 characters whole, else the first six
    /// and the last three.
    pub fn server_form(&self) -> &str {
        &self.server_form
    }

    /// The match as people are shown it: its first four characters, most of which the rule gives
    /// away anyway, and an ellipsis.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// What was found where, and what to do about it.
    pub fn sentence(&self) -> String {
        format!(
            "Line {}, column {}: {} looks like a secret ({}). Remove it and refer to a stored credential instead, for example {{{{cred.name}}}}.",
            self.line, self.column, self.shown, self.rule
        )
    }

    /// The server's refusal of a text, where `subject` names the text: `Agent init script`.
    pub fn server_message(&self, subject: &str) -> String {
        format!(
            "Secret-like value ({}: \"{}\") detected in {subject}. Remove it before saving — credentials must live in plugin settings, not in Agent files or Skill bodies.",
            self.rule, self.server_form
        )
    }
}

fn display_form(secret: &str) -> String {
    let length = secret.chars().count();
    if length <= 12 {
        return secret.to_owned();
    }
    let first = secret.chars().take(6);
    let last = secret.chars().skip(length - 3);
    first.chain(['…']).chain(last).collect()
}

/// The text the rules see. `nfkc` is asked once, and not at all for plain ASCII.
fn working_copy<'a>(text: &'a str, nfkc: &dyn Fn(&str) -> String) -> Cow<'a, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut copy = nfkc(text);
    copy.retain(|character| !INVISIBLE.contains(&character));
    Cow::Owned(copy)
}

/// Finds the first secret: the first rule in the contract's order that matches anywhere, at its
/// leftmost match. `nfkc` is Unicode's compatibility composition (NFKC): the browser's own
/// `normalize` there, a table on the server.
pub fn scan(text: &str, nfkc: &dyn Fn(&str) -> String) -> Option<Finding> {
    let copy = working_copy(text, nfkc);
    let found = shapes::first(&copy)?;
    let secret = copy.get(found.span.clone())?;
    let place = match copy {
        Cow::Borrowed(_) => locate::plain(text, found.span.clone()),
        Cow::Owned(_) => locate::original(text, &copy, found.span.clone(), nfkc),
    };
    Some(Finding::new(found.rule, secret, place))
}

#[cfg(test)]
mod tests;
