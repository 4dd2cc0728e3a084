//! Checks an init script before it is stored (contract section 3.2, "initScript").

/// Largest script, in bytes of UTF-8.
const BYTES_MAX: usize = 16_384;

/// The script to store: line feeds only, `None` when blank; or the sentence to refuse with.
pub(crate) fn checked(script: Option<&str>) -> Result<Option<String>, String> {
    let script = script
        .unwrap_or_default()
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    if script.trim().is_empty() {
        return Ok(None);
    }
    if script.len() > BYTES_MAX {
        let kilobytes = (script.len() + 512) / 1024;
        return Err(format!("Init script is {kilobytes} KB; max 16 KB."));
    }
    Ok(Some(script))
}
