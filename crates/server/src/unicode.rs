//! What the shared rules ask about Unicode, answered from tables. The dashboard asks the browser.

use contract::rules::skills::name::Unicode;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Compatibility composition and combining marks.
pub(crate) const UNICODE: Unicode<'static> = Unicode {
    nfkc: &|text| text.nfkc().collect(),
    is_mark: &is_combining_mark,
};
