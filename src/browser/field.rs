//! Text areas that the page reads but does not own: their text is written only on purpose, so
//! that caret, selection and the browser's own undo survive everything else.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ClipboardEvent, DragEvent, Event, HtmlTextAreaElement};

/// The text of the area, line endings as LF as the browser hands it out.
pub fn text(area: &HtmlTextAreaElement) -> String {
    area.value()
}

/// Replaces the whole text when it differs. The selection stays where it was, as far as the new
/// text goes; the browser's undo history ends here.
pub fn replace(area: &HtmlTextAreaElement, text: &str) {
    if area.value() == text {
        return;
    }
    // Nothing to come back to; asking where would make the browser lay out the page just for it.
    if area.text_length() == 0 {
        area.set_value(text);
        return;
    }
    let selection = (area.selection_start(), area.selection_end());
    let (top, left) = (area.scroll_top(), area.scroll_left());
    area.set_value(text);
    if let (Ok(Some(start)), Ok(Some(end))) = selection {
        drop(area.set_selection_range(start, end));
    }
    area.set_scroll_top(top);
    area.set_scroll_left(left);
}

/// Puts text in place of the selection as if it had been typed, so that it can be undone.
pub fn type_text(text: &str) {
    let Some(document) = super::document() else {
        return;
    };
    let Some(command) = super::member(&document, "execCommand")
        .and_then(|value| value.dyn_into::<js_sys::Function>().ok())
    else {
        return;
    };
    drop(command.call3(
        &document,
        &"insertText".into(),
        &JsValue::FALSE,
        &text.into(),
    ));
}

/// Selects a span, given in UTF-16 code units, and brings it into view. `line` counts from 0 and
/// `lines` is how many the text has.
pub fn select(area: &HtmlTextAreaElement, start: u32, end: u32, line: u32, lines: u32) {
    drop(area.focus());
    drop(area.set_selection_range(start, end));
    let height = i64::from(area.scroll_height()) / i64::from(lines.max(1));
    let top = i64::from(line) * height - i64::from(area.client_height()) / 2;
    area.set_scroll_top(i32::try_from(top.max(0)).unwrap_or(i32::MAX));
}

/// The plain text of a paste or a drop, with the line endings it came with.
pub fn incoming_text(event: &Event) -> Option<String> {
    let data = match event.dyn_ref::<ClipboardEvent>() {
        Some(paste) => paste.clipboard_data(),
        None => event.dyn_ref::<DragEvent>()?.data_transfer(),
    };
    data?.get_data("text/plain").ok()
}

/// Makes one element scroll vertically with another.
pub fn follow_scroll(leader: &web_sys::Element, follower: &web_sys::Element) {
    follower.set_scroll_top(leader.scroll_top());
}
