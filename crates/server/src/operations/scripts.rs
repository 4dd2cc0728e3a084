//! Checks an init script before it is stored, with the contract's rule and the server's own
//! Unicode tables.

use contract::rules::init_script::{is_blank, normalise, refusal};

use crate::error::ApiError;
use crate::unicode::UNICODE;

/// The script to store: line feeds only, `None` when it is blank.
pub(crate) fn checked(script: Option<&str>) -> Result<Option<String>, ApiError> {
    let Some(script) = script else {
        return Ok(None);
    };
    let script = normalise(script).text;
    match refusal(&script, UNICODE.nfkc) {
        Some(refusal) if refusal.is_array() => {
            Err(ApiError::Problems(vec![refusal.server_message()]))
        }
        Some(refusal) => Err(ApiError::BadRequest(refusal.server_message())),
        None if is_blank(&script) => Ok(None),
        None => Ok(Some(script.into_owned())),
    }
}
