//! Random tokens and what is kept of them: a token is shown once, only its SHA-256 is stored.

use sha2::{Digest, Sha256};

use crate::error::ApiError;

/// `count` random bytes from the operating system, in hexadecimal.
fn random_hex(count: usize) -> Result<String, ApiError> {
    let mut bytes = vec![0_u8; count];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hex(&bytes))
}

/// Bytes in lowercase hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS.get(usize::from(value)).copied().unwrap_or(b'0'));
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// A new session or link token: 64 hexadecimal digits, 256 random bits.
pub(crate) fn new_token() -> Result<String, ApiError> {
    random_hex(32)
}

/// A new API key: its prefix and 64 hexadecimal digits.
pub(crate) fn new_api_key() -> Result<String, ApiError> {
    Ok(format!(
        "{}{}",
        contract::auth::API_KEY_PREFIX,
        random_hex(32)?
    ))
}

/// What is stored of a token.
pub(crate) fn fingerprint(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// The CSRF token of a session: derived from its token, so it needs no storage and cannot be
/// computed without the cookie that scripts cannot read.
pub(crate) fn csrf_token(session_token: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(b"remit csrf\0");
    hash.update(session_token.as_bytes());
    hex(&hash.finalize())
}

/// Compares two texts in a time that does not depend on where they differ.
pub(crate) fn equal(left: &str, right: &str) -> bool {
    left.len() == right.len()
        && left
            .bytes()
            .zip(right.bytes())
            .fold(0, |difference, (a, b)| difference | (a ^ b))
            == 0
}

/// A short weak entity tag of a body.
pub(crate) fn weak_tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let short = digest.get(..12).unwrap_or_default();
    format!("W/\"{:x}-{}\"", body.len(), hex(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_documented_form() {
        let key = new_api_key().unwrap();
        assert_eq!(key.len(), 72);
        assert!(key.starts_with("ew_live_"));
        assert_ne!(key, new_api_key().unwrap());
    }

    #[test]
    fn fingerprints_are_sha256() {
        assert_eq!(
            fingerprint("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(equal("ab", "ab") && !equal("ab", "ac") && !equal("ab", "abc"));
        assert_ne!(csrf_token("a"), csrf_token("b"));
    }
}
