//! The hand-written secret scan against the sixteen patterns of contract section 13 in a regular
//! expression engine, on texts made of pieces that nearly, exactly or more than match.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

use contract::rules::init_script::{LIMIT, Refusal, ScriptSize, is_blank, normalise, refusal};
use contract::rules::secrets::scan;
use proptest::prelude::*;
use proptest::sample::select;
use regex::Regex;
use serde_json::{Value, json};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// The rules in their order, as patterns with an ASCII word boundary.
static RULES: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    [
        (
            "generic",
            r"\b(?:sk-|key-|token-|Bearer[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+)[A-Za-z0-9_-]{10,}\b",
        ),
        ("aws_access_key", r"\bAKIA[A-Z0-9]{16}\b"),
        ("github_pat_classic", r"\bghp_[A-Za-z0-9]{36,}\b"),
        ("github_oauth", r"\bgho_[A-Za-z0-9]{36,}\b"),
        ("github_app_token", r"\bghs_[A-Za-z0-9]{36,}\b"),
        (
            "github_fine_grained_pat",
            r"\bgithub_pat_[A-Za-z0-9_]{30,}\b",
        ),
        ("gitlab_pat", r"\bglpat-[A-Za-z0-9_-]{20,}\b"),
        ("slack_token", r"\bxox[bp]-[A-Za-z0-9-]{10,}\b"),
        ("generic_pat", r"\bpat_[A-Za-z0-9]{30,}\b"),
        (
            "pem_private_key",
            r"-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|PGP|ENCRYPTED) )?PRIVATE KEY-----",
        ),
        ("google_api_key", r"\bAIza[0-9A-Za-z_-]{35}\b"),
        (
            "stripe_secret_key",
            r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}\b",
        ),
        ("npm_token", r"\bnpm_[A-Za-z0-9]{36,}\b"),
        ("huggingface_token", r"\bhf_[A-Za-z0-9]{30,}\b"),
        (
            "jwt",
            r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b",
        ),
        ("twilio_api_key", r"\bSK[0-9a-fA-F]{32}\b"),
    ]
    .into_iter()
    .map(|(name, pattern)| {
        let ascii = pattern.replace(r"\b", r"(?-u:\b)");
        (name, Regex::new(&ascii).unwrap())
    })
    .collect()
});

fn nfkc(text: &str) -> String {
    text.nfkc().collect()
}

/// The working copy of the contract, made the plain way.
fn clean(text: &str) -> String {
    let mut copy = nfkc(text);
    for invisible in [
        "\u{200b}", "\u{200c}", "\u{200d}", "\u{ad}", "\u{feff}", "\u{2060}",
    ] {
        copy = copy.replace(invisible, "");
    }
    copy
}

/// What the patterns say: the rule and the matched text.
fn expected(text: &str) -> Option<(&'static str, String)> {
    let copy = clean(text);
    RULES
        .iter()
        .find_map(|(name, rule)| Some((*name, rule.find(&copy)?.as_str().to_owned())))
}

fn display_form(secret: &str) -> String {
    let characters: Vec<char> = secret.chars().collect();
    match characters.as_slice() {
        short if short.len() <= 12 => secret.to_owned(),
        long => {
            let first: String = long[..6].iter().collect();
            let last: String = long[long.len() - 3..].iter().collect();
            format!("{first}…{last}")
        }
    }
}

/// A literal some rule begins with, or nearly one.
fn literal() -> impl Strategy<Value = String> {
    select(vec![
        "sk-",
        "key-",
        "token-",
        "Bearer ",
        "Bearer \t",
        "bearer ",
        "AKIA",
        "ghp_",
        "gho_",
        "ghs_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "xoxp-",
        "xoxa-",
        "pat_",
        "-----BEGIN ",
        "RSA ",
        "EC ",
        "PRIVATE KEY-----",
        "AIza",
        "sk_live_",
        "rk_test_",
        "pk_live_",
        "npm_",
        "hf_",
        "eyJ",
        "SK",
        "{{cred.x}}",
    ])
    .prop_map(str::to_owned)
}

/// A run of one alphabet whose length is around the lengths the rules ask for.
fn run() -> impl Strategy<Value = String> {
    let lengths = select(vec![
        0_usize, 1, 9, 10, 11, 15, 16, 17, 19, 20, 29, 30, 32, 35, 36, 37,
    ]);
    let alphabets = select(vec![
        "a", "A", "0", "0a", "-", "_", "a-", "a_", "A1-_", "f", "Z9",
    ]);
    (alphabets, lengths).prop_map(|(unit, length)| unit.chars().cycle().take(length).collect())
}

fn separator() -> impl Strategy<Value = String> {
    select(vec![
        "",
        "",
        "",
        " ",
        ".",
        "-",
        "_",
        "\n",
        "\r\n",
        "\r",
        "\"",
        "=",
        "é",
        "漢字",
        "e\u{301}",
        "\u{301}",
        "\u{200b}",
        "\u{ad}",
        "\u{feff}",
        "\u{3000}",
        "\u{85}",
        "ŉ",
        "㏒",
        "😀",
        "ﬁ",
        "\u{1100}\u{1161}",
        "x\u{316}\u{301}",
    ])
    .prop_map(str::to_owned)
}

/// Writes some ASCII characters in their full-width form.
fn disguised(text: &str, mask: u64) -> String {
    text.chars()
        .enumerate()
        .map(|(place, character)| {
            let wide = match character {
                '!'..='~' => char::from_u32(u32::from(character) + 0xfee0),
                _ => None,
            };
            match mask >> (place % 64) & 1 {
                1 => wide.unwrap_or(character),
                _ => character,
            }
        })
        .collect()
}

/// A literal with the run that belongs to it, up to two characters too short or too long.
fn token() -> impl Strategy<Value = String> {
    let shapes = select(vec![
        ("sk-", "a1-_", 10_usize),
        ("token-", "-a", 10),
        ("Bearer  ", "aB3_", 10),
        ("AKIA", "A1", 16),
        ("ghp_", "aB3", 36),
        ("gho_", "aB3", 36),
        ("ghs_", "aB3", 36),
        ("github_pat_", "aB_3", 30),
        ("glpat-", "aB3-", 20),
        ("xoxb-", "aB3-", 10),
        ("xoxp-", "1-", 10),
        ("pat_", "aB3", 30),
        ("AIza", "aB3-_", 35),
        ("sk_live_", "aB3", 16),
        ("rk_test_", "aB3", 16),
        ("npm_", "aB3", 36),
        ("hf_", "aB3", 30),
        ("eyJ", "aB3-_", 10),
        ("SK", "0aF", 32),
    ]);
    (shapes, -2_isize..3).prop_map(|((literal, unit, length), more)| {
        let run = |length: usize| -> String { unit.chars().cycle().take(length).collect() };
        let last = run(length.saturating_add_signed(more));
        match literal {
            "eyJ" => format!("eyJ{}.{}.{last}", run(10), run(11)),
            _ => format!("{literal}{last}"),
        }
    })
}

fn pem() -> impl Strategy<Value = String> {
    let kinds = select(vec![
        "",
        "RSA ",
        "EC ",
        "DSA ",
        "OPENSSH ",
        "PGP ",
        "ENCRYPTED ",
        "PUBLIC ",
        "RSA EC ",
    ]);
    (kinds, 4_usize..7)
        .prop_map(|(kind, dashes)| format!("{}BEGIN {kind}PRIVATE KEY-----", "-".repeat(dashes)))
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![3 => separator(), 2 => token(), 1 => literal(), 1 => run(), 1 => pem()];
    let mask = prop_oneof![3 => Just(0), 1 => any::<u64>(), 1 => Just(u64::MAX)];
    (prop::collection::vec(piece, 0..6), mask)
        .prop_map(|(pieces, mask)| disguised(&pieces.concat(), mask))
}

#[test]
fn the_examples_are_found_where_they_are() {
    let examples: Value = serde_json::from_str(include_str!("../vectors/secrets.json")).unwrap();
    let examples = examples.as_array().unwrap();
    assert!(
        examples
            .iter()
            .filter(|example| example["rule"].is_string())
            .count()
            >= 17
    );
    for example in examples {
        let text = example["text"].as_str().unwrap();
        let found = scan(text, &nfkc);
        assert_eq!(
            found.as_ref().map(|found| found.rule),
            example["rule"].as_str(),
            "{text}"
        );
        assert_eq!(
            expected(text).map(|(rule, _)| rule),
            example["rule"].as_str(),
            "{text}"
        );
        if let Some(found) = found {
            assert_eq!(&text[found.bytes.clone()], example["written"], "{text}");
            assert_eq!(
                json!([found.line, found.column]),
                json!([example["line"], example["column"]]),
                "{text}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_scan_finds_what_the_patterns_find(text in text()) {
        let finding = scan(&text, &nfkc);
        let expected = expected(&text);
        prop_assert_eq!(finding.as_ref().map(|found| found.rule), expected.as_ref().map(|(rule, _)| *rule));
        let (Some(finding), Some((_, secret))) = (finding, expected) else {
            return Ok(());
        };
        prop_assert_eq!(finding.server_form(), display_form(&secret));

        // The span covers the match in the text as written, and no whole character too much.
        let written = &text[finding.bytes.clone()];
        let cleaned = clean(written);
        prop_assert!(cleaned.contains(&secret) || clean(&text) == secret, "{:?} {:?}", written, secret);
        let starts_with_it = secret.starts_with(|first: char| cleaned.starts_with(first));
        let first = written.chars().next().unwrap();
        prop_assert!(starts_with_it || clean(&first.to_string()).len() > 1, "{:?} {:?}", written, secret);

        // Bytes, UTF-16 units, line and column are four ways to say the same.
        let before = &text[..finding.bytes.start];
        let units = before.encode_utf16().count();
        prop_assert_eq!(&finding.utf16, &(units..units + written.encode_utf16().count()));
        let lines = before.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert_eq!(finding.line, lines.split('\n').count());
        prop_assert_eq!(finding.column, lines.split('\n').next_back().unwrap().chars().count() + 1);

        // At most four characters of the match are ever shown to people.
        prop_assert_eq!(finding.shown().chars().count(), 5);
        prop_assert!(secret.starts_with(finding.shown().trim_end_matches('…')));
        let debug = format!("{finding:?}");
        prop_assert!(!debug.contains(&secret));
    }

    #[test]
    fn plain_text_and_its_disguise_are_found_alike(text in text(), mask in any::<u64>()) {
        let plain = clean(&text);
        let rule = |text: &str| scan(text, &nfkc).map(|finding| finding.rule);
        prop_assert_eq!(rule(&disguised(&plain, mask)), rule(&plain));
    }

    #[test]
    fn any_text_at_all_is_scanned_without_harm(text in "\\PC{0,60}", tail in any::<String>()) {
        let text = text + &tail;
        let found = scan(&text, &nfkc).map(|finding| finding.rule);
        prop_assert_eq!(found, expected(&text).map(|(rule, _)| rule));
    }

    #[test]
    fn line_endings_are_uniform_and_counted_before_they_are(text in "[ab\\r\\né😀]{0,40}") {
        let normalised = normalise(&text);
        prop_assert!(!normalised.text.contains('\r'));
        prop_assert_eq!(normalised.converted, text.contains('\r'));
        prop_assert_eq!(&*normalised.text, text.replace("\r\n", "\n").replace('\r', "\n"));
        prop_assert_eq!(ScriptSize::of(&text).bytes, normalised.text.len());
        prop_assert_eq!(ScriptSize::of(&normalised.text), ScriptSize::of(&text));
        prop_assert_eq!(is_blank(&text), text.replace(['\r', '\n'], "").is_empty());
    }

    #[test]
    fn the_counter_and_the_refusal_agree_at_the_limit(over in -3_isize..3, unit in select(vec!["a", "é", "漢", "😀"])) {
        let wanted = LIMIT.checked_add_signed(over).unwrap();
        let mut script = unit.repeat(wanted / unit.len());
        while script.len() < wanted {
            script.push('a');
        }
        let size = ScriptSize::of(&script);
        prop_assert_eq!(size.bytes, wanted);
        prop_assert!(size.is_near());
        let refused = refusal(&script, &nfkc);
        prop_assert_eq!(size.is_over(), refused.is_some());
        match refused {
            None => prop_assert!(over <= 0),
            Some(Refusal::TooManyCharacters) => prop_assert!(script.chars().count() > LIMIT),
            Some(Refusal::TooManyBytes(bytes)) => prop_assert_eq!(bytes, wanted),
            Some(Refusal::Secret(found)) => prop_assert!(false, "{:?}", found),
        }
    }
}
