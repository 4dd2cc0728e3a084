//! Short names for URLs, derived from shown names (contract section 3.1, "slug").

use unicode_normalization::UnicodeNormalization;

/// Longest slug, in bytes.
const SLUG_MAX: usize = 120;

/// Decomposes, lower-cases, turns white space into dashes, drops everything but ASCII letters,
/// digits, `_` and `-`, and collapses dashes. May be empty.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.nfkd().flat_map(char::to_lowercase) {
        let kept = match character {
            '-' => '-',
            space if space.is_whitespace() => '-',
            other if other.is_ascii_alphanumeric() || other == '_' => other,
            _ => continue,
        };
        if kept != '-' || !(slug.is_empty() || slug.ends_with('-')) {
            slug.push(kept);
        }
    }
    slug.truncate(SLUG_MAX);
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// The same, but never empty.
pub(crate) fn slug_or(name: &str, fallback: &str) -> String {
    let slug = slug(name);
    if slug.is_empty() {
        fallback.to_owned()
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_contract() {
        assert_eq!(slug("Acme Inc."), "acme-inc");
        assert_eq!(slug("  Déjà  vu -- Agent_1 "), "deja-vu-agent_1");
        assert_eq!(slug("日本"), "");
        assert_eq!(slug_or("日本", "agent"), "agent");
    }
}
