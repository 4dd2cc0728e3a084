//! R7: the init script (contract section 3.2, seed 004 "Init Script"): its line endings, its size
//! and what keeps it from being stored. One number feeds counter, colour and gate.

use std::borrow::Cow;

use crate::rules::pattern::is_space;
use crate::rules::secrets::{self, Finding};

/// The most bytes of UTF-8 a script may have; exactly so many are accepted.
pub const LIMIT: usize = 16_384;

/// How the server names the script in a refusal.
const SUBJECT: &str = "Agent init script";

/// A text with uniform line endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normalised<'a> {
    /// The text, its only line ending LF.
    pub text: Cow<'a, str>,
    /// Whether anything had to be converted.
    pub converted: bool,
}

/// Turns CRLF and lone CR into LF: a shell takes a CR for part of the command.
pub fn normalise(text: &str) -> Normalised<'_> {
    if !text.contains('\r') {
        return Normalised {
            text: Cow::Borrowed(text),
            converted: false,
        };
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\r') {
        clean.push_str(before);
        clean.push('\n');
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    clean.push_str(rest);
    Normalised {
        text: Cow::Owned(clean),
        converted: true,
    }
}

/// How large a script is once its line endings are uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptSize {
    /// Bytes of UTF-8.
    pub bytes: usize,
}

impl ScriptSize {
    /// Measures a script as [`normalise`] would leave it, without building that text.
    pub fn of(text: &str) -> Self {
        // A CR becomes an LF of the same size, or melts into the LF behind it.
        Self {
            bytes: text.len() - text.matches("\r\n").count(),
        }
    }

    /// Whether the script is too large to be stored.
    pub fn is_over(self) -> bool {
        self.bytes > LIMIT
    }

    /// Whether at least 90 % of the limit are used; also true beyond it.
    pub fn is_near(self) -> bool {
        self.bytes * 10 >= LIMIT * 9
    }

    /// The counter: `12,004 of 16,384 bytes`, or by how much the script is too large:
    /// `37 bytes over`.
    pub fn text(self) -> String {
        match self.bytes.saturating_sub(LIMIT) {
            0 => format!("{} of {} bytes", grouped(self.bytes), grouped(LIMIT)),
            1 => "1 byte over".to_owned(),
            over => format!("{} bytes over", grouped(over)),
        }
    }
}

/// A number with its thousands set apart by commas.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether storing this text clears the script: it is empty or white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// Why the server does not store a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// More than 16,384 characters (Unicode scalar values), whatever they are.
    TooManyCharacters,
    /// More than 16,384 bytes of UTF-8; how many.
    TooManyBytes(usize),
    /// It holds something that looks like a secret.
    Secret(Finding),
}

impl Refusal {
    /// The `message` of the 400, word for word.
    pub fn server_message(&self) -> String {
        match self {
            Self::TooManyCharacters => {
                format!("initScript must be shorter than or equal to {LIMIT} characters")
            }
            Self::TooManyBytes(bytes) => format!(
                "Init script is {} KB; max {} KB.",
                (bytes + 512) / 1024,
                LIMIT / 1024
            ),
            Self::Secret(finding) => finding.server_message(SUBJECT),
        }
    }

    /// Whether `message` is an array of one text, as for every refused field, or the bare text.
    pub fn is_array(&self) -> bool {
        match self {
            Self::TooManyCharacters => true,
            Self::TooManyBytes(_) | Self::Secret(_) => false,
        }
    }
}

/// The first thing that keeps `text` from being stored, in the server's order: characters, as for
/// every field; then bytes and secrets, unless the text is blank and so clears the script. The
/// text is judged as given, so [`normalise`] it first where line endings are converted. `nfkc` is
/// Unicode's NFKC.
pub fn refusal(text: &str, nfkc: &dyn Fn(&str) -> String) -> Option<Refusal> {
    if text.len() > LIMIT && text.chars().count() > LIMIT {
        return Some(Refusal::TooManyCharacters);
    }
    if is_blank(text) {
        return None;
    }
    if text.len() > LIMIT {
        return Some(Refusal::TooManyBytes(text.len()));
    }
    secrets::scan(text, nfkc).map(Refusal::Secret)
}

#[cfg(test)]
mod tests;
