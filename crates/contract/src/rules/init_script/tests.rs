//! Line endings, sizes and refusals of init scripts.

use unicode_normalization::UnicodeNormalization;

use super::*;

fn nfkc(text: &str) -> String {
    text.nfkc().collect()
}

fn message(text: &str) -> Option<(String, bool)> {
    refusal(text, &nfkc).map(|refusal| (refusal.server_message(), refusal.is_array()))
}

#[test]
fn line_endings_become_uniform() {
    for (text, clean, converted) in [
        ("", "", false),
        ("a\nb\n", "a\nb\n", false),
        ("#!/bin/sh\r\necho 1\r\n", "#!/bin/sh\necho 1\n", true),
        ("a\rb", "a\nb", true),
        ("\r\r\n\n\r", "\n\n\n\n", true),
        ("é\r", "é\n", true),
    ] {
        let normalised = normalise(text);
        assert_eq!(normalised.text, clean);
        assert_eq!(normalised.converted, converted);
        assert_eq!(ScriptSize::of(text).bytes, clean.len());
        assert!(!normalise(clean).converted);
    }
}

#[test]
fn the_counter_counts_exact_bytes() {
    let text = |bytes: usize| ScriptSize { bytes }.text();
    assert_eq!(text(0), "0 of 16,384 bytes");
    assert_eq!(text(999), "999 of 16,384 bytes");
    assert_eq!(text(1_000), "1,000 of 16,384 bytes");
    assert_eq!(text(12_004), "12,004 of 16,384 bytes");
    assert_eq!(text(LIMIT), "16,384 of 16,384 bytes");
    assert_eq!(text(LIMIT + 1), "1 byte over");
    assert_eq!(text(LIMIT + 37), "37 bytes over");
    assert_eq!(text(LIMIT + 1_234_567), "1,234,567 bytes over");
    assert_eq!(ScriptSize::of("é漢😀\r\n").bytes, 10);
}

#[test]
fn near_and_over_begin_at_their_exact_byte() {
    let size = |bytes: usize| ScriptSize { bytes };
    assert!(!size(14_745).is_near() && size(14_746).is_near());
    assert!(!size(LIMIT).is_over() && size(LIMIT + 1).is_over());
    assert!(size(LIMIT + 1).is_near());
}

#[test]
fn a_blank_text_clears_and_is_never_refused() {
    for text in ["", " ", "\n\t\r\n", "\u{feff}\u{a0}\u{3000}"] {
        assert!(is_blank(text));
    }
    assert!(!is_blank("#") && !is_blank("\u{200b}") && !is_blank("\u{85}"));
    assert_eq!(message(&"\u{3000}".repeat(LIMIT)), None);
}

#[test]
fn the_server_checks_characters_then_bytes_then_secrets() {
    let array = |text: &str| Some((text.to_owned(), true));
    let sentence = |text: &str| Some((text.to_owned(), false));
    let too_long = "initScript must be shorter than or equal to 16384 characters";
    let secret = "AKIAIOSFODNN7EXAMPLE ";
    assert_eq!(message(&"a".repeat(LIMIT)), None);
    assert_eq!(message(&"a".repeat(LIMIT + 1)), array(too_long));
    assert_eq!(message(&"é".repeat(LIMIT + 1)), array(too_long));
    assert_eq!(message(&" ".repeat(LIMIT + 1)), array(too_long));
    // A character outside the basic plane counts once, and four bytes.
    assert_eq!(message(&"😀".repeat(LIMIT + 1)), array(too_long));
    assert_eq!(
        message(&"😀".repeat(LIMIT / 2)),
        sentence("Init script is 32 KB; max 16 KB.")
    );
    assert_eq!(message(&"😀".repeat(LIMIT / 4)), None);
    assert_eq!(
        message(&"é".repeat(8_193)),
        sentence("Init script is 16 KB; max 16 KB.")
    );
    assert_eq!(
        message(&"é".repeat(8_448)),
        sentence("Init script is 17 KB; max 16 KB.")
    );
    assert_eq!(
        message(&format!("{secret}{}", "a".repeat(LIMIT))),
        array(too_long)
    );
    assert_eq!(
        message(&format!("export AWS_ACCESS_KEY_ID={secret}\n")),
        sentence(
            "Secret-like value (aws_access_key: \"AKIAIO…PLE\") detected in Agent init script. Remove it before saving — credentials must live in plugin settings, not in Agent files or Skill bodies."
        )
    );
}
