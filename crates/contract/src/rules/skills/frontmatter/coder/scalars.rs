//! What unquoted text means to `yaml.v3`: text, or nothing, a truth value, a number, a date.

/// Whether it means nothing at all.
pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Whether it is none of: nothing, a truth value, a number, a date, a merge key.
pub(super) fn is_text(text: &str) -> bool {
    !(is_null(text)
        || matches!(
            text,
            "true" | "True" | "TRUE" | "false" | "False" | "FALSE" | "<<"
        )
        || is_number(text)
        || is_date(text))
}

fn is_number(text: &str) -> bool {
    let plain = text.replace('_', "");
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    if matches!(
        unsigned,
        ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN"
    ) {
        return true;
    }
    for (prefix, radix) in [
        ("0x", 16),
        ("0X", 16),
        ("0o", 8),
        ("0O", 8),
        ("0b", 2),
        ("0B", 2),
    ] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            return !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        }
    }
    is_decimal(unsigned)
}

/// Digits with at most one point, and an exponent behind them.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_fits = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    !(whole.is_empty() && fraction.is_empty()) && digits(whole) && digits(fraction) && exponent_fits
}

/// A date, with or without a time behind it: `2026-11-30`, `2026-11-30T10:00:00Z`.
fn is_date(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let mut part = |least: usize, most: usize, highest: u32| {
        parts.next().is_some_and(|digits| {
            (least..=most).contains(&digits.len())
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && digits.parse().is_ok_and(|number: u32| number <= highest)
        })
    };
    let least = if time.is_some() { 1 } else { 2 };
    let is_date = part(4, 4, 9999) && part(least, 2, 12) && part(least, 2, 31);
    is_date
        && parts.next().is_none()
        && time.is_none_or(|time| {
            time.contains(':')
                && time
                    .bytes()
                    .all(|byte| b"0123456789:.+- Zz".contains(&byte))
        })
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn what_looks_like_something_else_is_no_text() {
        for text in [
            "",
            "~",
            "null",
            "true",
            "False",
            "123",
            "-1_000",
            "0x1F",
            "0o17",
            "0b1",
            "1.5",
            ".5",
            "1e3",
            ".inf",
            "-.INF",
            ".nan",
            "2026-11-30",
            "2026-11-30T10:00:00Z",
            "<<",
            "007",
        ] {
            assert!(!is_text(text), "{text}");
        }
        for text in [
            "a",
            "yes",
            "on",
            "off",
            "no",
            "1-2",
            "3d-print",
            "1.2.3",
            "0xg",
            "e3",
            "-",
            ".",
            "2026-13-30",
            "26-11-30",
            "nUll",
        ] {
            assert!(is_text(text), "{text}");
        }
    }
}
