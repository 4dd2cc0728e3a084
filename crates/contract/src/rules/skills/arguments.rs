//! What the arguments of a call turn a skill's text into at `MyCodeAgent` (skills contract section
//! 4.4, seed 003 "Step 6").

use super::text::python_strip;

/// What is replaced by the arguments.
pub const PLACEHOLDER: &str = "$ARGUMENTS";

/// How arguments reach the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They take the place of each placeholder, also when they are blank.
    Replace,
    /// They are added at the end, since there is no placeholder.
    Append,
    /// There is neither a placeholder nor an argument.
    Unchanged,
}

impl Mode {
    /// The mode in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Append => "append",
            Self::Unchanged => "unchanged",
        }
    }
}

/// A text with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The text the model reads below the base directory.
    pub expanded: String,
    /// How the arguments got there.
    pub mode: Mode,
    /// How many placeholders were replaced.
    pub replacements: usize,
}

/// Puts arguments into a text: literally and once, so that a placeholder among the arguments stays.
pub fn expand(body: &str, arguments: &str) -> Expansion {
    let arguments = python_strip(arguments);
    let replacements = body.matches(PLACEHOLDER).count();
    let (expanded, mode) = if replacements > 0 {
        (body.replace(PLACEHOLDER, arguments), Mode::Replace)
    } else if arguments.is_empty() {
        (body.to_owned(), Mode::Unchanged)
    } else {
        (format!("{body}\n\nARGUMENTS: {arguments}"), Mode::Append)
    };
    Expansion {
        expanded,
        mode,
        replacements,
    }
}

/// The whole answer of the tool: the directory the skill works in, then the text.
pub fn content(base_dir: &str, expanded: &str) -> String {
    python_strip(&format!(
        "Base directory for this skill: {base_dir}\n\n{expanded}"
    ))
    .to_owned()
}

/// What is easily taken for a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookAlikeKind {
    /// It stays as it is: `${ARGUMENTS}`, `$arguments`.
    NotReplaced,
    /// It is replaced although it begins a longer word: `$ARGUMENTS_FILE`.
    LongerWord,
    /// It is replaced although it looks escaped: `\$ARGUMENTS`.
    Escaped,
}

/// A place in a text that is easily taken for a placeholder, or for none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookAlike<'a> {
    /// What stands there.
    pub text: &'a str,
    /// What is deceptive about it.
    pub kind: LookAlikeKind,
    /// Its line, from 1.
    pub line: usize,
}

impl LookAlike<'_> {
    /// What happens there, for people.
    pub fn sentence(&self) -> String {
        match self.kind {
            LookAlikeKind::NotReplaced => {
                format!("`{}` is not replaced; only `$ARGUMENTS` is.", self.text)
            }
            LookAlikeKind::LongerWord => format!(
                "`{}` begins with `$ARGUMENTS`, so that part of it is replaced.",
                self.text
            ),
            LookAlikeKind::Escaped => format!(
                "`{}` is replaced all the same; a backslash does not protect it.",
                self.text
            ),
        }
    }
}

/// Finds what is easily taken for a placeholder, in order.
pub fn look_alikes(body: &str) -> Vec<LookAlike<'_>> {
    let mut found = Vec::new();
    for (number, line) in body.lines().enumerate() {
        for (at, _) in line.match_indices('$') {
            let (before, rest) = line.split_at(at);
            if let Some((text, kind)) = look_alike(line, before, rest) {
                found.push(LookAlike {
                    text,
                    kind,
                    line: number + 1,
                });
            }
        }
    }
    found
}

/// Judges the dollar sign at the beginning of `rest`.
fn look_alike<'a>(
    line: &'a str,
    before: &'a str,
    rest: &'a str,
) -> Option<(&'a str, LookAlikeKind)> {
    let name = rest.strip_prefix('$')?;
    let braced = name.strip_prefix('{');
    let letters = braced.unwrap_or(name);
    let length = letters
        .find(|character: char| !(character.is_ascii_alphanumeric() || character == '_'))
        .unwrap_or(letters.len());
    let word = letters.get(..length)?;
    if braced.is_none() && word.starts_with("ARGUMENTS") {
        let text = rest.get(..=length)?;
        if before.ends_with('\\') {
            return Some((
                line.get(before.len() - 1..before.len() + text.len())?,
                LookAlikeKind::Escaped,
            ));
        }
        return (word.len() > "ARGUMENTS".len()).then_some((text, LookAlikeKind::LongerWord));
    }
    let similar = ["arguments", "argument", "args"]
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name));
    let closed = braced.is_none() || letters.get(length..)?.starts_with('}');
    let whole = if braced.is_some() {
        length + 3
    } else {
        length + 1
    };
    (similar && closed).then_some((rest.get(..whole)?, LookAlikeKind::NotReplaced))
}

#[cfg(test)]
mod tests {
    use super::{LookAlikeKind, look_alikes};

    #[test]
    fn look_alikes_are_told_with_their_line() {
        let found: Vec<_> = look_alikes(
            "Run $ARGUMENTS\n${ARGUMENTS} and $arguments\n\\$ARGUMENTS $ARGUMENTS_FILE $ $5 ${args",
        )
        .into_iter()
        .map(|place| (place.text, place.kind, place.line))
        .collect();
        assert_eq!(
            found,
            [
                ("${ARGUMENTS}", LookAlikeKind::NotReplaced, 2),
                ("$arguments", LookAlikeKind::NotReplaced, 2),
                ("\\$ARGUMENTS", LookAlikeKind::Escaped, 3),
                ("$ARGUMENTS_FILE", LookAlikeKind::LongerWord, 3),
            ]
        );
    }
}
