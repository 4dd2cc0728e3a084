//! Reads the two request headers that decide how a file is sent: `Accept-Encoding` and
//! `If-None-Match` (RFC 9110, sections 12.5.3 and 13.1.2).

use axum::http::HeaderValue;
use axum::http::header::GetAll;

/// The compressed forms a client takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Accepted {
    pub(super) brotli: bool,
    pub(super) gzip: bool,
}

/// Reads `Accept-Encoding`. A weight of zero refuses; `*` stands for what is not named; a weight
/// that cannot be read counts as a refusal, so that nothing is sent the client may not understand.
pub(super) fn encodings(values: &GetAll<'_, HeaderValue>) -> Accepted {
    let (mut brotli, mut gzip, mut others) = (None, None, false);
    for item in values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
    {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let accepted = parts
            .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")))
            .is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0));
        if name.eq_ignore_ascii_case("br") {
            brotli = Some(accepted);
        } else if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            gzip = Some(accepted);
        } else if name == "*" {
            others = accepted;
        }
    }
    Accepted {
        brotli: brotli.unwrap_or(others),
        gzip: gzip.unwrap_or(others),
    }
}

/// Whether `If-None-Match` names this validator, compared weakly as a read asks for.
pub(super) fn matches(values: &GetAll<'_, HeaderValue>, etag: &[u8]) -> bool {
    values
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .any(|item| {
            let item = item.trim_ascii();
            item == b"*" || item.strip_prefix(b"W/").unwrap_or(item) == etag
        })
}

#[cfg(test)]
mod tests {
    use axum::http::header::{ACCEPT_ENCODING, IF_NONE_MATCH};
    use axum::http::{HeaderMap, HeaderValue};

    use super::*;

    fn read(value: &'static str) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(value));
        let accepted = encodings(&headers.get_all(ACCEPT_ENCODING));
        (accepted.brotli, accepted.gzip)
    }

    #[test]
    fn weights_and_the_star_decide() {
        assert_eq!(read("gzip, deflate, br, zstd"), (true, true));
        assert_eq!(read("gzip"), (false, true));
        assert_eq!(read("br;q=0, gzip;q=0.5"), (false, true));
        assert_eq!(read("*"), (true, true));
        assert_eq!(read("*;q=0.1, br;q=0"), (false, true));
        assert_eq!(read("BR; q=0.000, x-gzip"), (false, true));
        assert_eq!(read("br;q=high"), (false, false));
        assert_eq!(read("identity"), (false, false));
        assert_eq!(
            encodings(&HeaderMap::new().get_all(ACCEPT_ENCODING)),
            Accepted::default()
        );
    }

    #[test]
    fn validators_are_compared_weakly_and_in_lists() {
        let mut headers = HeaderMap::new();
        headers.append(IF_NONE_MATCH, HeaderValue::from_static("\"a\", W/\"b\""));
        headers.append(IF_NONE_MATCH, HeaderValue::from_static("\"c\""));
        for (etag, known) in [
            ("\"a\"", true),
            ("\"b\"", true),
            ("\"c\"", true),
            ("\"d\"", false),
            ("a", false),
        ] {
            assert_eq!(
                matches(&headers.get_all(IF_NONE_MATCH), etag.as_bytes()),
                known,
                "{etag}"
            );
        }
    }
}
