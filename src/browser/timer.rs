//! One timer that is started, put off and stopped, and a way to let the browser go first.

use js_sys::Function;
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use super::{member, window};

/// What the browser will call. Dropping it takes the call back and frees the closure, which
/// clearing a timeout alone does not; doing so from within the call is safe.
struct Call {
    // As the browser gave it: what stands in for its clock in tests counts beyond 32 bits.
    handle: JsValue,
    _closure: Closure<dyn FnMut()>,
}

/// Calls a function of the window that takes up to two values.
fn call(name: &str, first: &JsValue, second: &JsValue) -> Option<JsValue> {
    let window = JsValue::from(window()?);
    let function: Function = member(&window, name)?.dyn_into().ok()?;
    function.call2(&window, first, second).ok()
}

impl Drop for Call {
    fn drop(&mut self) {
        call("clearTimeout", &self.handle, &JsValue::UNDEFINED);
    }
}

/// See the module. It stops when the owner it was made under is gone.
#[derive(Clone, Copy, Debug)]
pub struct Timer(StoredValue<Option<Call>, LocalStorage>);

impl Timer {
    /// A timer that is not running.
    pub fn new() -> Self {
        Self(StoredValue::new_local(None))
    }

    /// Calls `then` once after so many milliseconds, instead of what was waiting.
    pub fn start(self, milliseconds: u64, then: impl FnOnce() + 'static) {
        self.start_boxed(milliseconds, Box::new(then));
    }

    fn start_boxed(self, milliseconds: u64, then: Box<dyn FnOnce()>) {
        if window().is_none() {
            return;
        }
        let mut then = Some(then);
        let closure = Closure::<dyn FnMut()>::new(move || {
            let then = then.take();
            self.stop();
            if let Some(then) = then {
                then();
            }
        });
        let wait = u32::try_from(milliseconds).unwrap_or(u32::MAX);
        if let Some(handle) = call("setTimeout", closure.as_ref(), &wait.into()) {
            let call = Call {
                handle,
                _closure: closure,
            };
            self.0.try_set_value(Some(call));
        }
    }

    /// Takes back what was waiting; `false` when nothing was.
    pub fn stop(self) -> bool {
        let call = self.0.try_update_value(Option::take).flatten();
        call.is_some()
    }

    /// Whether a call is waiting; also `false` once the owner is gone.
    pub fn is_waiting(self) -> bool {
        self.0.try_with_value(Option::is_some) == Some(true)
    }
}

/// Goes on in a task of its own, so that the browser can paint and answer presses in between.
pub async fn next_task() {
    let Some(window) = window() else { return };
    let soon = js_sys::Promise::new(&mut |resolve, _| {
        drop(window.set_timeout_with_callback(&resolve));
    });
    drop(wasm_bindgen_futures::JsFuture::from(soon).await);
}

impl Default for Timer {
    fn default() -> Self {
        Self::new()
    }
}
