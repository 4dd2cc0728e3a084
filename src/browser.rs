//! The only file that names `web_sys`: title, focus, storage, clock, clipboard, timers, the event
//! source and the page shown after a panic. Nothing here knows what Remit is about.

pub mod address;
pub mod digest;
pub mod field;
pub mod timer;

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::{Owner, on_cleanup};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, EventSource, HtmlElement, MessageEvent, Storage, Window};

/// The browser window. Every function below quietly does nothing where there is none (native
/// tests).
pub fn window() -> Option<Window> {
    if cfg!(target_arch = "wasm32") {
        web_sys::window()
    } else {
        None
    }
}

fn document() -> Option<Document> {
    window().and_then(|window| window.document())
}

/// The element the application is mounted in, emptied; the body when the page lacks it.
pub fn application_root() -> Option<HtmlElement> {
    let document = document()?;
    let root = document
        .get_element_by_id("app")
        .and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(root) = &root {
        root.set_text_content(None);
    }
    root.or_else(|| document.body())
}

/// The path the dashboard is served under, with a slash at both ends.
pub fn base_path() -> String {
    document()
        .and_then(|document| document.document_element())
        .and_then(|element| element.get_attribute("data-base"))
        .filter(|base| base.starts_with('/') && base.ends_with('/'))
        .unwrap_or_else(|| "/".to_owned())
}

/// Scheme, host and port of this page, without a trailing slash.
pub fn origin() -> String {
    window()
        .and_then(|window| window.location().origin().ok())
        .unwrap_or_default()
}

/// The part of the address after `#`, without the `#`.
pub fn fragment() -> String {
    let hash = window()
        .and_then(|window| window.location().hash().ok())
        .unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// Replaces the address without loading and without a history entry.
pub fn replace_address(path: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        drop(history.replace_state_with_url(&JsValue::NULL, "", Some(path)));
    }
}

/// Loads the page anew.
pub fn reload() {
    if let Some(window) = window() {
        drop(window.location().reload());
    }
}

/// Sets the document title.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Milliseconds since 1970, by the browser's clock.
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// A random identifier for client-side bookkeeping.
pub fn random_id() -> String {
    // Written by the browser: what writes fractions in Rust is large.
    let digits = String::from(js_sys::Number::from(js_sys::Math::random()).to_js_string());
    digits.trim_start_matches("0.").to_owned()
}

/// The text in small letters, by the browser's own tables.
pub fn lower(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else if cfg!(target_arch = "wasm32") {
        js_sys::JsString::from(text).to_lower_case().into()
    } else {
        text.to_lowercase()
    }
}

/// The text in capital letters, by the browser's own tables.
pub fn upper(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_uppercase()
    } else if cfg!(target_arch = "wasm32") {
        js_sys::JsString::from(text).to_upper_case().into()
    } else {
        text.to_uppercase()
    }
}

/// Moves focus to the element with this id, if it is there.
pub fn focus(id: &str) -> bool {
    let element = document().and_then(|document| document.get_element_by_id(id));
    element
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .is_some_and(|element| element.focus().is_ok())
}

/// Moves focus to the first element a CSS selector finds.
pub fn focus_first(selector: &str) -> bool {
    let element = document().and_then(|document| document.query_selector(selector).ok().flatten());
    element
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .is_some_and(|element| element.focus().is_ok())
}

/// Presses the first element a CSS selector finds, as a click would.
pub fn press_first(selector: &str) -> bool {
    let element = document().and_then(|document| document.query_selector(selector).ok().flatten());
    element
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .inspect(HtmlElement::click)
        .is_some()
}

/// Whether the words around the element that has focus run from right to left.
pub fn is_right_to_left() -> bool {
    focused_within("[dir]")
        .and_then(|element| element.get_attribute("dir"))
        .is_some_and(|direction| direction.eq_ignore_ascii_case("rtl"))
}

/// Scrolls as little as needed to bring an element into view.
pub fn reveal(id: &str) {
    if let Some(element) = document().and_then(|document| document.get_element_by_id(id)) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Brings the first element that matches into sight within the list it stands in, sideways only,
/// once it is on the page.
pub fn reveal_in_list(selector: &'static str) {
    leptos::prelude::request_animation_frame(move || {
        let found = document().and_then(|document| document.query_selector(selector).ok()?);
        let Some(element) = found else { return };
        let Ok(Some(list)) = element.closest("ul") else {
            return;
        };
        let (inner, outer) = (
            element.get_bounding_client_rect(),
            list.get_bounding_client_rect(),
        );
        let after = (inner.right() - outer.right()).max(0.0);
        let before = (inner.left() - outer.left()).min(0.0);
        if after > 0.0 || before < 0.0 {
            list.scroll_by_with_x_and_y(after + before, 0.0);
        }
    });
}

/// Scrolls an element to the top and moves focus to it.
pub fn go_to(id: &str) {
    if let Some(element) = document().and_then(|document| document.get_element_by_id(id)) {
        element.scroll_into_view();
        focus(id);
    }
}

/// How far below the top of the window an element begins, in CSS pixels.
pub fn top_of(id: &str) -> Option<f64> {
    let element = document()?.get_element_by_id(id)?;
    Some(element.get_bounding_client_rect().top())
}

/// How far the page was scrolled, in CSS pixels.
pub fn scrolled() -> i32 {
    let root = document().and_then(|document| document.document_element());
    root.map_or(0, |root| root.scroll_top())
}

/// Whether the page was scrolled, and as far as it goes.
pub fn is_scrolled_to_end() -> bool {
    let root = document().and_then(|document| document.document_element());
    root.is_some_and(|root| {
        let (top, shown) = (root.scroll_top(), root.client_height());
        top > 0 && top + shown + 1 >= root.scroll_height()
    })
}

/// The element that has focus.
pub fn focused() -> Option<HtmlElement> {
    document()
        .and_then(|document| document.active_element())
        .and_then(|element| element.dyn_into().ok())
}

/// Whether any element but the page itself has focus.
pub fn has_focus() -> bool {
    focused().is_some_and(|element| element.tag_name() != "BODY")
}

/// Whether typing goes into a field, so that single-key shortcuts must stay quiet.
pub fn is_typing() -> bool {
    focused().is_some_and(|element| {
        let name = element.tag_name();
        matches!(name.as_str(), "INPUT" | "TEXTAREA" | "SELECT") || element.is_content_editable()
    })
}

/// Whether a modal dialog is open.
pub fn dialog_open() -> bool {
    document()
        .and_then(|document| document.query_selector("dialog[open]").ok().flatten())
        .is_some()
}

/// Height of the visible part of the page, in CSS pixels.
pub fn viewport_height() -> f64 {
    window()
        .and_then(|window| window.inner_height().ok())
        .and_then(|height| height.as_f64())
        .unwrap_or(800.0)
}

/// Puts text on the clipboard; `false` when the browser refuses.
pub async fn copy(text: &str) -> bool {
    let Some(window) = window() else { return false };
    let clipboard = window.navigator().clipboard();
    wasm_bindgen_futures::JsFuture::from(clipboard.write_text(text))
        .await
        .is_ok()
}

fn session_storage() -> Option<Storage> {
    window().and_then(|window| window.session_storage().ok().flatten())
}

fn local_storage() -> Option<Storage> {
    window().and_then(|window| window.local_storage().ok().flatten())
}

/// A value kept for this tab.
pub fn tab_value(key: &str) -> Option<String> {
    session_storage().and_then(|storage| storage.get_item(key).ok().flatten())
}

/// Keeps a value for this tab, or forgets it. `false` when the browser cannot keep it.
pub fn set_tab_value(key: &str, value: Option<&str>) -> bool {
    session_storage().is_some_and(|storage| match value {
        Some(value) => storage.set_item(key, value).is_ok(),
        None => storage.remove_item(key).is_ok(),
    })
}

/// The keys of everything kept for this tab.
pub fn tab_keys() -> Vec<String> {
    let Some(storage) = session_storage() else {
        return Vec::new();
    };
    let count = storage.length().unwrap_or_default();
    (0..count)
        .filter_map(|place| storage.key(place).ok().flatten())
        .collect()
}

/// A value kept for this browser.
pub fn browser_value(key: &str) -> Option<String> {
    local_storage().and_then(|storage| storage.get_item(key).ok().flatten())
}

/// Keeps a value for this browser.
pub fn set_browser_value(key: &str, value: &str) {
    if let Some(storage) = local_storage() {
        drop(storage.set_item(key, value));
    }
}

/// Calls a function of the small start-up scripts, if they are present.
pub fn call_start_script(name: &str, arguments: &[&str]) {
    let Some(window) = window() else { return };
    let Some(function) = member(&window, name).and_then(|value| value.dyn_into::<Function>().ok())
    else {
        return;
    };
    let list = js_sys::Array::new();
    for argument in arguments {
        list.push(&JsValue::from_str(argument));
    }
    drop(function.apply(&JsValue::NULL, &list));
}

fn member(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(name))
        .ok()
        .filter(|value| !value.is_undefined() && !value.is_null())
}

/// Takes the answer of a read that the start-up script began before this code was there. Each
/// can be taken once.
pub fn take_early_read(path: &str) -> Option<Promise> {
    let reads = member(&window()?.into(), "remitEarly")?;
    let promise = member(&reads, path)?.dyn_into::<Promise>().ok()?;
    drop(Reflect::delete_property(
        &reads.into(),
        &JsValue::from_str(path),
    ));
    Some(promise)
}

/// Drops the answers of early reads: they were asked for by somebody who was not signed in.
pub fn forget_early_reads() {
    if let Some(window) = window() {
        let none = js_sys::Object::new();
        drop(Reflect::set(
            &window,
            &JsValue::from_str("remitEarly"),
            &none,
        ));
    }
}

/// Formats an ISO-8601 instant in the operator's own locale and time zone, with the offset.
pub fn local_time(iso: &str) -> String {
    let date = js_sys::Date::new(&JsValue::from_str(iso));
    if date.get_time().is_nan() {
        return iso.to_owned();
    }
    let options = js_sys::Object::new();
    for (key, value) in [("dateStyle", "medium"), ("timeStyle", "short")] {
        drop(Reflect::set(&options, &key.into(), &value.into()));
    }
    let text: String = date.to_locale_string("default", &options).into();
    let minutes = -date.get_timezone_offset();
    let sign = if minutes < 0.0 { '-' } else { '+' };
    let (hours, rest) = ((minutes.abs() / 60.0).floor(), minutes.abs() % 60.0);
    format!("{text} {sign}{hours:02}:{rest:02}")
}

/// The NFKC form of a text, by the browser's own tables.
pub fn nfkc(text: &str) -> String {
    js_sys::JsString::from(text).normalize("NFKC").into()
}

/// An open stream of server-sent events; closed when dropped.
pub struct EventStream {
    source: EventSource,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_open: Closure<dyn FnMut()>,
    _on_error: Closure<dyn FnMut()>,
}

impl EventStream {
    /// Connects. `on_change` gets the data of every `change` event.
    pub fn open(
        url: &str,
        mut on_change: impl FnMut(String) + 'static,
        on_open: impl FnMut() + 'static,
        on_error: impl FnMut() + 'static,
    ) -> Option<Self> {
        let source = EventSource::new(url).ok()?;
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(data) = event.data().as_string() {
                on_change(data);
            }
        });
        let open = Closure::<dyn FnMut()>::new(on_open);
        let error = Closure::<dyn FnMut()>::new(on_error);
        source
            .add_event_listener_with_callback("change", message.as_ref().unchecked_ref())
            .ok()?;
        source.set_onopen(Some(open.as_ref().unchecked_ref()));
        source.set_onerror(Some(error.as_ref().unchecked_ref()));
        Some(Self {
            source,
            _on_message: message,
            _on_open: open,
            _on_error: error,
        })
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.source.set_onopen(None);
        self.source.set_onerror(None);
        self.source.close();
    }
}

/// Listens to an event of the window until the current owner is gone.
pub fn on_window(event: &'static str, listener: impl FnMut(web_sys::Event) + 'static) {
    let Some(window) = window() else { return };
    let closure = Closure::<dyn FnMut(web_sys::Event)>::new(listener);
    hold(window.into(), event, false, closure);
}

/// Registers a listener and removes it when the current owner is gone.
fn hold(
    target: web_sys::EventTarget,
    event: &'static str,
    first: bool,
    closure: Closure<dyn FnMut(web_sys::Event)>,
) {
    let callback = closure.as_ref().unchecked_ref();
    drop(target.add_event_listener_with_callback_and_bool(event, callback, first));
    if Owner::current().is_some() {
        let kept = send_wrapper((target, closure));
        on_cleanup(move || {
            let (target, closure) = &*kept;
            let callback = closure.as_ref().unchecked_ref();
            drop(target.remove_event_listener_with_callback_and_bool(event, callback, first));
        });
    } else {
        closure.forget();
    }
}

/// Marks a value of the one browser thread as movable, for owners that ask for it.
fn send_wrapper<T>(value: T) -> leptos::__reexports::send_wrapper::SendWrapper<T> {
    leptos::__reexports::send_wrapper::SendWrapper::new(value)
}

/// Whether the page is visible.
pub fn is_visible() -> bool {
    document()
        .is_none_or(|document| document.visibility_state() == web_sys::VisibilityState::Visible)
}

/// After a panic the WebAssembly instance is dead: hand over to plain HTML that says so.
pub fn install_panic_page() {
    std::panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map(|place| format!("{}:{}", place.file(), place.line()))
            .unwrap_or_default();
        let said = info
            .payload()
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let said = said
            .or_else(|| info.payload().downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let text = format!("{said} ({place})");
        web_sys::console::error_1(&JsValue::from_str(&text));
        call_start_script("remitCrash", &[&text]);
    }));
}

/// The time of day of an instant, in the operator's locale.
pub fn clock_time(milliseconds: f64) -> String {
    let options = js_sys::Object::new();
    drop(Reflect::set(&options, &"timeStyle".into(), &"short".into()));
    js_sys::Date::new(&JsValue::from_f64(milliseconds))
        .to_locale_time_string_with_options("default", &options)
        .into()
}

/// Whether a media query holds now.
pub fn matches_media(query: &str) -> bool {
    window()
        .and_then(|window| window.match_media(query).ok().flatten())
        .is_some_and(|list| list.matches())
}

/// The element that has focus, or the nearest one around it that a CSS selector finds.
pub fn focused_within(selector: &str) -> Option<HtmlElement> {
    let element = focused()?;
    element
        .closest(selector)
        .ok()
        .flatten()
        .and_then(|element| element.dyn_into().ok())
}
