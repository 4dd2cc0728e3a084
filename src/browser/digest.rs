//! SHA-256 by the browser's own Web Crypto, which exists only where the page came over a secure
//! connection or from this machine.

use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use super::{member, window};

/// The SHA-256 of some bytes in lowercase hexadecimal; `None` where the browser offers none.
pub async fn sha256(bytes: &[u8]) -> Option<String> {
    let window = JsValue::from(window()?);
    let subtle = member(&member(&window, "crypto")?, "subtle")?;
    let digest: Function = member(&subtle, "digest")?.dyn_into().ok()?;
    let data = Uint8Array::from(bytes);
    let promise: Promise = digest
        .call2(&subtle, &"SHA-256".into(), &data)
        .ok()?
        .dyn_into()
        .ok()?;
    let answer = wasm_bindgen_futures::JsFuture::from(promise).await.ok()?;
    let answer = Uint8Array::new(&answer).to_vec();
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default();
    let digits = answer
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    Some(digits.collect())
}
