//! The examples of contract section 13, evasions, and the place of a finding.

use std::cell::Cell;

use unicode_normalization::UnicodeNormalization;

use super::*;

fn nfkc(text: &str) -> String {
    text.nfkc().collect()
}

fn find(text: &str) -> Option<Finding> {
    scan(text, &nfkc)
}

fn rule(text: &str) -> Option<&'static str> {
    find(text).map(|finding| finding.rule)
}

/// The text a finding points at, and checks that bytes and UTF-16 units point at the same.
fn pointed_at(text: &str) -> String {
    let finding = find(text).expect("a finding");
    let units: Vec<u16> = text.encode_utf16().collect();
    let by_units = String::from_utf16(&units[finding.utf16.clone()]).expect("whole characters");
    let by_bytes = &text[finding.bytes.clone()];
    assert_eq!(by_bytes, by_units);
    by_bytes.to_owned()
}

fn position(text: &str) -> (usize, usize) {
    let finding = find(text).expect("a finding");
    (finding.line, finding.column)
}

fn repeated(prefix: &str, unit: &str, count: usize) -> String {
    format!("{prefix}{}", unit.repeat(count))
}

/// One secret for every rule, in the order of the rules.
fn examples() -> Vec<(&'static str, String)> {
    let plain = |text: &str| text.to_owned();
    vec![
        ("generic", plain("sk-abc123xyz9876543")),
        ("aws_access_key", plain("AKIAABCDEFGHIJ123456")),
        ("github_pat_classic", repeated("ghp_", "x", 36)),
        ("github_oauth", repeated("gho_", "x", 36)),
        ("github_app_token", repeated("ghs_", "A", 36)),
        ("github_fine_grained_pat", repeated("github_pat_", "a", 30)),
        ("gitlab_pat", plain("glpat-abcdefghijklmnopqrst")),
        ("slack_token", plain("xoxb-1234567890-abcdef")),
        (
            "generic_pat",
            plain("pat_abcdefghijklmnopqrstuvwxyz0123456789"),
        ),
        ("pem_private_key", plain("-----BEGIN RSA PRIVATE KEY-----")),
        ("google_api_key", repeated("AIza", "a", 35)),
        ("stripe_secret_key", repeated("sk_live_", "1", 16)),
        ("npm_token", repeated("npm_", "a", 36)),
        ("huggingface_token", repeated("hf_", "a", 30)),
        (
            "jwt",
            plain("eyJhbGciOiJIUz.eyJzdWIiOiIxMjM.dBjftJeZ4CVPmB92"),
        ),
        ("twilio_api_key", repeated("SK", "0a", 16)),
    ]
}

#[test]
fn every_rule_finds_its_example_and_nothing_but_it() {
    for (name, secret) in examples() {
        for text in [
            secret.clone(),
            format!("export A=\"{secret}\"\n"),
            format!("é {secret} é"),
        ] {
            assert_eq!(rule(&text), Some(name), "{text}");
            assert_eq!(pointed_at(&text), secret, "{text}");
        }
    }
}

#[test]
fn every_rule_needs_its_whole_length() {
    for (name, secret) in examples() {
        let short = match name {
            // The example is longer than it needs to be; this is one character too short.
            "generic" => "sk-abc123xyz",
            "slack_token" => "xoxb-123456789",
            "generic_pat" => &repeated("pat_", "a", 29),
            "jwt" => "eyJhbGciOiJIUz.eyJzdWIiOiIxMjM.dBjftJeZ4",
            _ => &secret[..secret.len() - 1],
        };
        assert_eq!(rule(short), None, "{short}");
    }
}

#[test]
fn every_rule_needs_word_boundaries() {
    for (name, secret) in examples() {
        if name == "pem_private_key" {
            assert_eq!(rule(&format!("a{secret}b")), Some(name));
            continue;
        }
        assert_eq!(rule(&format!("a{secret}")), None, "{name}");
        assert_eq!(rule(&format!("_{secret}")), None, "{name}");
        assert_eq!(rule(&format!("é{secret}é")), Some(name), "{name}");
        assert_eq!(rule(&format!(".{secret}.")), Some(name), "{name}");
    }
    // An underscore is part of some alphabets and ends the word of none.
    for (prefix, count) in [("ghp_", 36), ("pat_", 30), ("hf_", 30), ("sk_test_", 16)] {
        assert_eq!(rule(&format!("{}_", repeated(prefix, "a", count))), None);
    }
    assert_eq!(rule("AKIAABCDEFGHIJ1234567"), None, "exactly 16");
    assert_eq!(rule(&repeated("AIza", "a", 36)), None, "exactly 35");
    assert_eq!(rule(&repeated("SK", "0a", 17)), None, "exactly 32");
}

#[test]
fn all_variants_of_a_shape_are_known() {
    for text in [
        "key-abcdefghij",
        "token-abcdefghij",
        "Bearer abcdefghijklmno",
        "Bearer \t abcdefghijklmno",
        "Bearer\nabcdefghijklmno",
        "Bearer\u{a0}abcdefghijklmno",
        "key-management",
        "token-authentication",
        "xoxp-1234567890",
        "rk_live_1111111111111111",
        "rk_test_1111111111111111",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN EC PRIVATE KEY-----",
        "-----BEGIN DSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY-----",
        "------BEGIN ENCRYPTED PRIVATE KEY-----",
    ] {
        assert!(rule(text).is_some(), "{text}");
    }
}

#[test]
fn ordinary_text_is_clean() {
    for text in [
        "",
        "Please paste your token here.",
        "key-takeaways",
        "task-abcdefghijklmno",
        "bearer abcdefghijklmno",
        "Bearerabcdefghijklmno",
        "Bearer ",
        "BEARER abcdefghijklmno",
        "pk_live_1111111111111111",
        "xoxa-1234567890-abcdef",
        "npm_config_cache=/tmp",
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN RSA PUBLIC KEY-----",
        "-----BEGIN EC RSA PRIVATE KEY-----",
        "password=hunter2",
        "{{cred.stripe_key}}",
        "$STRIPE_KEY",
        "Schlüssel: ｋｅｙ",
        "akiaABCDEFGHIJ123456",
        "eyJhbGciOiJIUz.eyJ.dBjftJeZ4CVPmB92",
    ] {
        assert_eq!(rule(text), None, "{text}");
    }
}

#[test]
fn the_first_rule_of_the_list_wins_and_then_the_leftmost_match() {
    let text = "A=AKIAIOSFODNN7EXAMPLE\nB=AKIAIOSFODNN7EXAMPL2\nC=ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
    assert_eq!(rule(text), Some("aws_access_key"));
    assert_eq!(pointed_at(text), "AKIAIOSFODNN7EXAMPLE");
    let text = format!(
        "{}\n{}\nkey-1234567890 sk-1234567890",
        repeated("SK", "0a", 16),
        repeated("hf_", "a", 30)
    );
    assert_eq!(pointed_at(&text), "key-1234567890");
    let all: Vec<String> = examples()
        .into_iter()
        .rev()
        .map(|(_, secret)| secret)
        .collect();
    for (place, (name, _)) in examples().into_iter().enumerate() {
        assert_eq!(rule(&all[..all.len() - place].join(" ")), Some(name));
    }
}

#[test]
fn a_match_is_greedy_and_gives_back_to_a_word_boundary() {
    assert_eq!(pointed_at("sk-abcdefghij---"), "sk-abcdefghij");
    assert_eq!(pointed_at("sk-abcdefghij--k--"), "sk-abcdefghij--k");
    assert_eq!(rule("sk-abcdefghi----"), None);
    assert_eq!(pointed_at("sk----------k-"), "sk----------k");
    assert_eq!(rule("sk---------k-"), None);
    assert_eq!(pointed_at("xoxb-1234567890-abc_def"), "xoxb-1234567890-");
    assert_eq!(pointed_at("xoxb-1234567890é"), "xoxb-1234567890");
    assert_eq!(rule(&format!("{}-", repeated("AIza", "a", 34))), None);
    assert_eq!(
        pointed_at(&format!("{}-x", repeated("AIza", "a", 34))),
        format!("{}-", repeated("AIza", "a", 34))
    );
    assert_eq!(
        pointed_at("eyJaaaaaaaaaa.aaaaaaaaaa.aaaaaaaaaa-.a"),
        "eyJaaaaaaaaaa.aaaaaaaaaa.aaaaaaaaaa"
    );
    // The first start fails, a later one in the second segment does not.
    let text = "eyJ-eyJ.eyJaaaaaaaaaa.bbbbbbbbbb.cccccccccc";
    assert_eq!(pointed_at(text), "eyJaaaaaaaaaa.bbbbbbbbbb.cccccccccc");
}

#[test]
fn evasions_are_caught_and_point_at_what_was_written() {
    for text in [
        "sk-abc\u{200b}123xyz9876543",
        "sk-abc\u{200c}123xyz\u{200d}9876543",
        "sk\u{ad}-abc123\u{feff}xyz9876543",
        "s\u{2060}k-abc123xyz9876543",
        "ｓｋ－ａｂｃ１２３ｘｙｚ９８７６５４３",
        "sk-abc１２３xyz9876543",
        "𝐬𝐤-𝐚𝐛𝐜123xyz9876543",
        "sk-abc①②③xyz9876543",
    ] {
        assert_eq!(rule(text), Some("generic"), "{text}");
        assert_eq!(pointed_at(text), text);
        let inside = format!("漢字e\u{301}ﬁ: {text}漢字\u{200b}\u{301}.");
        assert_eq!(pointed_at(&inside), text);
    }
    assert_eq!(rule("ＡＫＩＡABCDEFGHIJ123456"), Some("aws_access_key"));
    assert_eq!(rule("Bearer\u{3000}abcdefghijklmno"), Some("generic"));
    assert_eq!(rule("ßk-abc123xyz9876543"), None);
}

#[test]
fn one_character_that_becomes_several_is_covered_whole() {
    // U+0149 becomes an apostrophe and an n, U+33D2 becomes "log".
    let secret = repeated("ŉpm_", "a", 36);
    assert_eq!(rule(&format!("漢{secret}漢")), Some("npm_token"));
    assert_eq!(pointed_at(&format!("漢{secret}漢")), secret);
    let secret = "sk-㏒abcdef1234";
    assert_eq!(pointed_at(&format!("x {secret}")), secret);
    // An accent that joins the last letter takes it out of the token; one that cannot join does not.
    assert_eq!(pointed_at("sk-abc123xyz987-e\u{301}"), "sk-abc123xyz987");
    assert_eq!(
        pointed_at("sk-abc123xyz98q\u{316}\u{301}"),
        "sk-abc123xyz98q"
    );
}

#[test]
fn positions_count_lines_and_characters_from_one() {
    let secret = "sk-abc123xyz9876543";
    assert_eq!(position(secret), (1, 1));
    assert_eq!(position(&format!("\n\n  {secret}")), (3, 3));
    assert_eq!(position(&format!("a\r\nb\r\nc={secret}\r\n")), (3, 3));
    assert_eq!(position(&format!("a\rb\r\n\nc={secret}")), (4, 3));
    assert_eq!(position(&format!("a\n\r{secret}")), (3, 1));
    assert_eq!(position(&format!("é漢😀 {secret}")), (1, 5));
    assert_eq!(position(&format!("é\r\n漢\r😀{secret}")), (3, 2));
    assert_eq!(position("Zeile\u{2028}\u{200b}sk-abc123xyz9876543"), (1, 8));
    let finding = find(&format!("é😀\n😀{secret}")).expect("a finding");
    assert_eq!(finding.bytes, 11..30);
    assert_eq!(finding.utf16, 6..25);
}

#[test]
fn a_match_across_lines_starts_where_its_first_word_does() {
    let text = "a\r\nAuthorization: Bearer\r\n  abcdefghijklmno\r\n";
    assert_eq!(position(text), (2, 16));
    assert_eq!(pointed_at(text), "Bearer\r\n  abcdefghijklmno");
    assert_eq!(
        pointed_at(&format!("é{text}")),
        "Bearer\r\n  abcdefghijklmno"
    );
}

#[test]
fn at_most_four_characters_are_shown() {
    let finding = find("A=AKIAIOSFODNN7EXAMPLE").expect("a finding");
    assert_eq!(finding.shown(), "AKIA…");
    assert_eq!(finding.server_form(), "AKIAIO…PLE");
    let sentence = finding.sentence();
    assert_eq!(
        sentence,
        "Line 1, column 3: AKIA… looks like a secret (aws_access_key). Remove it and refer to a stored credential instead, for example {{cred.name}}."
    );
    for (name, secret) in examples() {
        let finding = find(&secret).expect("a finding");
        // The rule's name may share letters with the token's fixed beginning.
        let sentence = finding.sentence().replace(name, "");
        assert!(!sentence.contains(&secret[..5]), "{sentence}");
        assert!(
            !sentence.contains(&secret[secret.len() - 5..]),
            "{sentence}"
        );
        assert!(!format!("{finding:?}").contains(&secret));
    }
}

#[test]
fn the_server_names_rule_subject_and_display_form() {
    let finding = find("curl -H \"Authorization: Bearer abcdefghijklmnop\" https://x.example\n")
        .expect("a finding");
    assert_eq!(
        finding.server_message("Agent init script"),
        "Secret-like value (generic: \"Bearer…nop\") detected in Agent init script. Remove it before saving — credentials must live in plugin settings, not in Agent files or Skill bodies."
    );
    assert_eq!(display_form("123456789012"), "123456789012");
    assert_eq!(display_form("1234567890123"), "123456…123");
}

#[test]
fn plain_ascii_is_never_normalised_and_other_text_once() {
    let asked = Cell::new(0);
    let counting = |text: &str| {
        asked.set(asked.get() + 1);
        nfkc(text)
    };
    assert!(scan("AKIAIOSFODNN7EXAMPLE", &counting).is_some());
    assert_eq!(asked.get(), 0);
    assert!(scan("é\nü", &counting).is_none());
    assert_eq!(asked.get(), 1);
}

#[test]
fn hostile_texts_take_linear_time() {
    // Quadratic matching of any of these would take minutes, not the fraction of a second it does.
    for unit in [
        "eyJ-",
        "eyJaaaaaaaaaa.",
        "sk-",
        "sk-----------",
        "Bearer ",
        "-",
        "xoxb-",
        "ghp_a-",
        "Bearer\n-",
        "漢",
    ] {
        let text = unit.repeat(1_000_000 / unit.len());
        let _ = find(&text);
    }
}
