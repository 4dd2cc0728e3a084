//! The sixteen shapes, matched in one pass over the bytes. A shape starts at a literal on a word
//! boundary, takes as many characters of its alphabet as there are and gives them back until it
//! ends on a word boundary again, as a greedy pattern does.

use std::ops::Range;

use crate::rules::pattern::is_space;

/// A match in the working copy.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// Name of the rule.
    pub(super) rule: &'static str,
    /// Bytes of the working copy.
    pub(super) span: Range<usize>,
}

/// The names of the rules in the order that decides between them.
const NAMES: [&str; 16] = [
    "generic",
    "aws_access_key",
    "github_pat_classic",
    "github_oauth",
    "github_app_token",
    "github_fine_grained_pat",
    "gitlab_pat",
    "slack_token",
    "generic_pat",
    "pem_private_key",
    "google_api_key",
    "stripe_secret_key",
    "npm_token",
    "huggingface_token",
    "jwt",
    "twilio_api_key",
];

const GENERIC: usize = 0;
const PEM: usize = 9;
const JWT: usize = 14;

/// Which characters may follow the literal of a shape.
#[derive(Clone, Copy)]
enum Alphabet {
    /// `[A-Za-z0-9]`
    Alnum,
    /// `[A-Z0-9]`
    Upper,
    /// `[0-9A-Fa-f]`
    Hex,
    /// `[A-Za-z0-9_]`
    Word,
    /// `[A-Za-z0-9-]`
    Dashed,
    /// `[A-Za-z0-9_-]`
    Token,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Word => is_word(byte),
            Self::Dashed => byte.is_ascii_alphanumeric() || byte == b'-',
            Self::Token => is_word(byte) || byte == b'-',
        }
    }
}

/// How many characters follow the literal.
#[derive(Clone, Copy)]
enum Count {
    AtLeast(usize),
    Exactly(usize),
}

/// One literal with what follows it.
struct Shape {
    rule: usize,
    literal: &'static [u8],
    alphabet: Alphabet,
    count: Count,
}

const fn shape(rule: usize, literal: &'static [u8], alphabet: Alphabet, count: Count) -> Shape {
    Shape {
        rule,
        literal,
        alphabet,
        count,
    }
}

/// Every shape but the bearer token, the PEM header and the JWT, which are not of this form. In
/// the order of the rules.
const SHAPES: [Shape; 20] = [
    shape(GENERIC, b"sk-", Alphabet::Token, Count::AtLeast(10)),
    shape(GENERIC, b"key-", Alphabet::Token, Count::AtLeast(10)),
    shape(GENERIC, b"token-", Alphabet::Token, Count::AtLeast(10)),
    shape(1, b"AKIA", Alphabet::Upper, Count::Exactly(16)),
    shape(2, b"ghp_", Alphabet::Alnum, Count::AtLeast(36)),
    shape(3, b"gho_", Alphabet::Alnum, Count::AtLeast(36)),
    shape(4, b"ghs_", Alphabet::Alnum, Count::AtLeast(36)),
    shape(5, b"github_pat_", Alphabet::Word, Count::AtLeast(30)),
    shape(6, b"glpat-", Alphabet::Token, Count::AtLeast(20)),
    shape(7, b"xoxb-", Alphabet::Dashed, Count::AtLeast(10)),
    shape(7, b"xoxp-", Alphabet::Dashed, Count::AtLeast(10)),
    shape(8, b"pat_", Alphabet::Alnum, Count::AtLeast(30)),
    shape(10, b"AIza", Alphabet::Token, Count::Exactly(35)),
    shape(11, b"sk_live_", Alphabet::Alnum, Count::AtLeast(16)),
    shape(11, b"sk_test_", Alphabet::Alnum, Count::AtLeast(16)),
    shape(11, b"rk_live_", Alphabet::Alnum, Count::AtLeast(16)),
    shape(11, b"rk_test_", Alphabet::Alnum, Count::AtLeast(16)),
    shape(12, b"npm_", Alphabet::Alnum, Count::AtLeast(36)),
    shape(13, b"hf_", Alphabet::Alnum, Count::AtLeast(30)),
    shape(15, b"SK", Alphabet::Hex, Count::Exactly(32)),
];

/// The kinds of private keys a PEM header names; the last is none.
const PEM_KINDS: [&[u8]; 7] = [
    b"RSA ",
    b"EC ",
    b"DSA ",
    b"OPENSSH ",
    b"PGP ",
    b"ENCRYPTED ",
    b"",
];

/// The first match of the first rule that has one.
pub(super) fn first(copy: &str) -> Option<Match> {
    let bytes = copy.as_bytes();
    let mut best: Option<(usize, Range<usize>)> = None;
    let mut dead_jwt = 0;
    let mut before = false;
    for (start, &byte) in bytes.iter().enumerate() {
        let is_start = !before;
        before = is_word(byte);
        // No rule behind the one that matched can win any more; not trying those also keeps a
        // text of overlapping tokens from being run through once for each of them.
        let limit = best.as_ref().map_or(NAMES.len(), |(rule, _)| *rule);
        let found = match byte {
            b'-' if PEM < limit => pem(bytes, start).map(|end| (PEM, end)),
            _ if !is_start => None,
            b'B' => bearer(copy, start).map(|end| (GENERIC, end)),
            b'e' if JWT < limit && start >= dead_jwt => match jwt(bytes, start) {
                Jwt::Match(end) => Some((JWT, end)),
                Jwt::Dead(end) => {
                    dead_jwt = end;
                    None
                }
                Jwt::No => None,
            },
            b'A' | b'S' | b'g' | b'h' | b'k' | b'n' | b'p' | b'r' | b's' | b't' | b'x' => {
                simple(bytes, start, limit)
            }
            _ => None,
        };
        if let Some((rule, end)) = found {
            best = Some((rule, start..end));
            if rule == GENERIC {
                break;
            }
        }
    }
    let (rule, span) = best?;
    let rule = NAMES.get(rule)?;
    Some(Match { rule, span })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// `\b` of a pattern without Unicode: bytes outside ASCII are no word characters.
fn is_boundary(bytes: &[u8], place: usize) -> bool {
    let is_word_at = |place: usize| bytes.get(place).is_some_and(|byte| is_word(*byte));
    let before = place.checked_sub(1).is_some_and(is_word_at);
    before != is_word_at(place)
}

/// The place behind `literal` if it stands at `place`.
fn after(bytes: &[u8], place: usize, literal: &[u8]) -> Option<usize> {
    bytes
        .get(place..)?
        .starts_with(literal)
        .then_some(place + literal.len())
}

/// The end of the run of characters of an alphabet.
fn run(bytes: &[u8], from: usize, alphabet: Alphabet) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| alphabet.has(**byte)).count()
}

/// Where a greedy run that needs `least` characters ends: the last word boundary in it.
fn greedy(bytes: &[u8], from: usize, alphabet: Alphabet, least: usize) -> Option<usize> {
    let end = run(bytes, from, alphabet);
    (from + least..=end)
        .rev()
        .find(|end| is_boundary(bytes, *end))
}

/// The shapes of one literal each, of the rules before `limit`. Literals exclude each other at one
/// place, so the first that stands there settles it.
fn simple(bytes: &[u8], start: usize, limit: usize) -> Option<(usize, usize)> {
    let first = bytes.get(start);
    let (shape, from) = SHAPES
        .iter()
        .filter(|shape| shape.literal.first() == first)
        .take_while(|shape| shape.rule < limit)
        .find_map(|shape| Some((shape, after(bytes, start, shape.literal)?)))?;
    let end = match shape.count {
        Count::AtLeast(least) => greedy(bytes, from, shape.alphabet, least),
        Count::Exactly(count) => {
            let end = from + count;
            let tail = bytes.get(from..end)?;
            let fits = tail.iter().all(|byte| shape.alphabet.has(*byte));
            (fits && is_boundary(bytes, end)).then_some(end)
        }
    }?;
    Some((shape.rule, end))
}

fn bearer(copy: &str, start: usize) -> Option<usize> {
    let from = after(copy.as_bytes(), start, b"Bearer")?;
    let rest = copy.get(from..)?;
    let token = rest.trim_start_matches(is_space);
    if token.len() == rest.len() {
        return None;
    }
    let from = copy.len() - token.len();
    greedy(copy.as_bytes(), from, Alphabet::Token, 10)
}

fn pem(bytes: &[u8], start: usize) -> Option<usize> {
    let kind = after(bytes, start, b"-----BEGIN ")?;
    PEM_KINDS.iter().find_map(|name| {
        let rest = after(bytes, kind, name)?;
        after(bytes, rest, b"PRIVATE KEY-----")
    })
}

/// What stands at a place where a JWT could begin.
enum Jwt {
    /// A token that ends here.
    Match(usize),
    /// None, and none begins before this place: every start in one run of characters shares what
    /// follows the run. Without this a hostile text would be scanned once for each of its starts.
    Dead(usize),
    /// None here.
    No,
}

fn jwt(bytes: &[u8], start: usize) -> Jwt {
    let Some(from) = after(bytes, start, b"eyJ") else {
        return Jwt::No;
    };
    let first = run(bytes, from, Alphabet::Token);
    let rest = || {
        let second = after(bytes, first, b".")?;
        let second_end = run(bytes, second, Alphabet::Token);
        let third = after(bytes, second_end, b".").filter(|_| second_end - second >= 10)?;
        greedy(bytes, third, Alphabet::Token, 10)
    };
    match rest() {
        Some(end) if first - from >= 10 => Jwt::Match(end),
        _ => Jwt::Dead(first),
    }
}
