//! The address bar and everything that can change it: presses of links, Back and Forward, and
//! closing the window. Only what a guard over unsaved text needs.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BeforeUnloadEvent, Event, HtmlAnchorElement, MouseEvent};

use super::{hold, window};

/// Path, query and fragment of the present address.
pub fn address() -> String {
    let Some(window) = window() else {
        return String::new();
    };
    let location = window.location();
    let part = |part: Result<String, JsValue>| part.unwrap_or_default();
    format!(
        "{}{}{}",
        part(location.pathname()),
        part(location.search()),
        part(location.hash())
    )
}

/// Adds a history entry with this address; nothing is loaded.
pub fn push_address(address: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        drop(history.push_state_with_url(&JsValue::NULL, "", Some(address)));
    }
}

/// Goes one entry back in the history.
pub fn go_back() {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        drop(history.back());
    }
}

/// Listens for Back and Forward before anybody else hears of them, until the current owner is
/// gone. The address has changed already; when `listener` answers `true`, nobody else is told.
pub fn on_history_step(mut listener: impl FnMut() -> bool + 'static) {
    let Some(window) = window() else { return };
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        if listener() {
            event.stop_immediate_propagation();
        }
    });
    hold(window.into(), "popstate", true, closure);
}

/// Listens for presses of links that would lead to another page of this site, until the current
/// owner is gone. `listener` gets the address; when it answers `true`, the link is not followed.
/// Presses that open another window, and presses some other code has dealt with, are left alone.
pub fn on_link_press(mut listener: impl FnMut(&str) -> bool + 'static) {
    let Some(document) = super::document() else {
        return;
    };
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        if let Some(address) = pressed_link(&event)
            && listener(&address)
        {
            event.prevent_default();
        }
    });
    // The router listens on the window, so it finds the press already dealt with.
    hold(document.into(), "click", false, closure);
}

fn pressed_link(event: &Event) -> Option<String> {
    let mouse = event.dyn_ref::<MouseEvent>()?;
    let modified = mouse.ctrl_key() || mouse.meta_key() || mouse.shift_key() || mouse.alt_key();
    if event.default_prevented() || mouse.button() != 0 || modified {
        return None;
    }
    let link = event
        .composed_path()
        .iter()
        .find_map(|node| node.dyn_into::<HtmlAnchorElement>().ok())?;
    let stays_here = link.target().is_empty() && !link.has_attribute("download");
    (stays_here && !link.href().is_empty() && link.origin() == super::origin())
        .then(|| format!("{}{}{}", link.pathname(), link.search(), link.hash()))
}

/// Lets the browser ask before the window closes or reloads whenever `should_ask` says so, until
/// the current owner is gone.
pub fn on_unload(mut should_ask: impl FnMut() -> bool + 'static) {
    let Some(window) = window() else { return };
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        if should_ask() {
            event.prevent_default();
            if let Some(event) = event.dyn_ref::<BeforeUnloadEvent>() {
                event.set_return_value("unsaved");
            }
        }
    });
    hold(window.into(), "beforeunload", false, closure);
}

/// Calls `listener` when the page is about to be put away, the last moment to keep something,
/// until the current owner is gone.
pub fn on_page_hide(mut listener: impl FnMut() + 'static) {
    let Some(window) = window() else { return };
    let closure = Closure::<dyn FnMut(Event)>::new(move |_| listener());
    hold(window.into(), "pagehide", false, closure);
}
