//! The name of a skill by four rules (skills contract sections 2 and 3): the reference validator of
//! Agent Skills, the plain wording of its specification, Coder and `MyCodeAgent`.

use super::text::python_strip;

/// The most characters (Unicode scalar values) a name may have by Agent Skills.
pub const NAME_MAX: usize = 64;

/// The two questions about Unicode that need tables: the server brings its own, the browser asks
/// JavaScript.
pub struct Unicode<'a> {
    /// Compatibility composition (NFKC) of a text.
    pub nfkc: &'a dyn Fn(&str) -> String,
    /// Whether a character is a combining mark (general category M).
    pub is_mark: &'a dyn Fn(char) -> bool,
}

/// Why a host does not take a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// There is none, or it is no text.
    Missing,
    /// It is blank.
    Empty,
    /// More than [`NAME_MAX`] characters.
    TooLong,
    /// It has capital letters.
    NotLowercase,
    /// It begins or ends with a hyphen.
    EdgeHyphen,
    /// It has two hyphens in a row.
    DoubleHyphen,
    /// It has characters other than letters, digits and hyphens.
    BadCharacters,
    /// It is not the name of the directory that holds the file.
    DirMismatch,
    /// It is not lowercase words of `a-z0-9` joined by single hyphens.
    NotKebabCase,
}

impl NameProblem {
    /// A short stable name of the reason.
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing => "missing-name",
            Self::Empty => "empty",
            Self::TooLong => "too-long",
            Self::NotLowercase => "not-lowercase",
            Self::EdgeHyphen => "edge-hyphen",
            Self::DoubleHyphen => "double-hyphen",
            Self::BadCharacters => "bad-characters",
            Self::DirMismatch => "dir-mismatch",
            Self::NotKebabCase => "not-kebab-case",
        }
    }

    /// What is wrong and what to do, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Missing => "There is no `name`. Add one to the frontmatter, as text.",
            Self::Empty => "The `name` is blank. Write one.",
            Self::TooLong => "The name is longer than 64 characters. Shorten it.",
            Self::NotLowercase => "The name has capital letters. Write it in lowercase.",
            Self::EdgeHyphen => "The name begins or ends with a hyphen. Remove it.",
            Self::DoubleHyphen => "The name has two hyphens in a row. Leave one.",
            Self::BadCharacters => {
                "The name has characters other than letters, digits and hyphens. Remove them."
            }
            Self::DirMismatch => {
                "The name is not that of the directory. Rename one so that both are the same."
            }
            Self::NotKebabCase => {
                "The name is not in kebab case. Use lowercase words of a-z and 0-9, joined by single hyphens."
            }
        }
    }
}

/// Whether the name is lowercase ASCII words joined by single hyphens:
/// `^[a-z0-9]+(-[a-z0-9]+)*$`, of any length.
pub fn is_kebab_case(name: &str) -> bool {
    name.split('-').all(|word| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

/// Whether every host takes the name: kebab case and at most [`NAME_MAX`] characters, as the
/// specification of Agent Skills words it. This is also the rule for skills of MCP servers.
pub fn is_portable(name: &str) -> bool {
    name.len() <= NAME_MAX && is_kebab_case(name)
}

/// What the reference validator of Agent Skills has against a name in the directory `dir`, in its
/// order; empty if nothing. It takes lowercase letters and digits of any script.
pub fn agent_skills(name: &str, dir: &str, unicode: &Unicode<'_>) -> Vec<NameProblem> {
    let name = (unicode.nfkc)(python_strip(name));
    if name.is_empty() {
        return vec![NameProblem::Empty];
    }
    let letters = name
        .chars()
        .all(|character| character == '-' || is_letter_or_digit(character, unicode));
    [
        (name.chars().count() > NAME_MAX, NameProblem::TooLong),
        (name != name.to_lowercase(), NameProblem::NotLowercase),
        (
            name.starts_with('-') || name.ends_with('-'),
            NameProblem::EdgeHyphen,
        ),
        (name.contains("--"), NameProblem::DoubleHyphen),
        (!letters, NameProblem::BadCharacters),
        ((unicode.nfkc)(dir) != name, NameProblem::DirMismatch),
    ]
    .into_iter()
    .filter_map(|(holds, problem)| holds.then_some(problem))
    .collect()
}

/// A letter or digit as Python's `str.isalnum` has it. Rust counts some marks and enclosed letters
/// as alphabetic; Python goes by the general category and does not.
fn is_letter_or_digit(character: char, unicode: &Unicode<'_>) -> bool {
    character.is_alphanumeric()
        && !(unicode.is_mark)(character)
        && !matches!(character, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}')
}

/// What Coder has against a name in the directory `dir`: the first of missing, another directory,
/// no kebab case. It removes line ends from the end first.
pub fn coder(name: &str, dir: &str) -> Option<NameProblem> {
    let name = name.trim_end_matches(['\r', '\n']);
    if name.is_empty() {
        Some(NameProblem::Missing)
    } else if name != dir {
        Some(NameProblem::DirMismatch)
    } else if is_kebab_case(name) {
        None
    } else {
        Some(NameProblem::NotKebabCase)
    }
}

/// Whether `MyCodeAgent` takes a name: kebab case once white space around it is removed.
pub fn my_code_agent(name: &str) -> bool {
    is_kebab_case(python_strip(name))
}
