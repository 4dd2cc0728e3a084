//! The address bar and everything that can change it: presses of links, Back and Forward, and
//! closing the window. Only what a guard over unsaved text needs.

use std::rc::Rc;

use js_sys::{Function, Object, Reflect};
use leptos::prelude::{GetValue, LocalStorage, SetValue, StoredValue, UpdateValue, on_cleanup};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BeforeUnloadEvent, Event, History, HtmlAnchorElement, MouseEvent};

use super::{hold, send_wrapper, window};

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

/// What a guard does with a step through the history: it gets the way to make the step after all,
/// and answers whether the step is held back.
type Guard = Rc<dyn Fn(Rc<dyn Fn()>) -> bool>;

/// Back and Forward, with a guard that can hold a step back.
///
/// The browser tells of a step when the address has changed already, and not by how many entries.
/// Each entry therefore carries its number in its state, so that a step can be taken back exactly,
/// which keeps the entries on both sides, and can be repeated later.
#[derive(Clone, Copy)]
pub struct HistorySteps {
    here: StoredValue<i32>,
    guard: StoredValue<Option<Guard>, LocalStorage>,
}

impl HistorySteps {
    /// Starts numbering. Must be called before the router starts: listeners hear of a step in the
    /// order in which they were added, and the router must not hear of one that is held back.
    pub fn start() -> Self {
        let steps = Self {
            here: StoredValue::new(0),
            guard: StoredValue::new_local(None),
        };
        let Some((window, history)) = window().and_then(|window| {
            let history = window.history().ok()?;
            Some((window, history))
        }) else {
            return steps;
        };
        // A reload keeps the state of the entry, and the numbers of its neighbours.
        if let Some(here) = number_of(&history) {
            steps.here.set_value(here);
        }
        number_entries(&history, "pushState", steps.here, 1);
        number_entries(&history, "replaceState", steps.here, 0);
        renew_state(&history);
        let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            if steps.holds_back(&history) {
                event.stop_immediate_propagation();
            }
        });
        hold(window.into(), "popstate", true, closure);
        steps
    }

    /// Asks `guard` about every step until the current owner is gone. It gets the way to make the
    /// step after all; when it answers `true`, the step is undone and nobody else hears of it.
    pub fn guard(self, guard: impl Fn(Rc<dyn Fn()>) -> bool + 'static) {
        let guard: Guard = Rc::new(guard);
        self.guard.set_value(Some(guard.clone()));
        let kept = send_wrapper(guard);
        on_cleanup(move || {
            self.guard.try_update_value(|present| {
                if present
                    .as_ref()
                    .is_some_and(|present| Rc::ptr_eq(present, &kept))
                {
                    *present = None;
                }
            });
        });
    }

    fn holds_back(self, history: &History) -> bool {
        let here = self.here.get_value();
        let Some(there) = number_of(history) else {
            // A fragment typed into the address bar: an entry of its own, of the same page.
            self.here.set_value(here + 1);
            renew_state(history);
            return false;
        };
        if there == here {
            // A step that was held back has been undone.
            return true;
        }
        let step = there - here;
        let again = {
            let history = history.clone();
            Rc::new(move || drop(history.go_with_delta(step)))
        };
        let guard = self.guard.get_value();
        let is_held = guard.is_some_and(|guard| guard(again));
        if is_held {
            drop(history.go_with_delta(-step));
        } else {
            self.here.set_value(there);
        }
        is_held
    }
}

/// The key of an entry's number in its state, and of the state somebody else gave it.
const NUMBER: &str = "remitStep";
const STATE: &str = "state";

fn number_of(history: &History) -> Option<i32> {
    let state = history.state().ok()?;
    let number = Reflect::get(&state, &NUMBER.into()).ok()?.as_f64()?;
    #[allow(
        clippy::cast_possible_truncation,
        reason = "only whole numbers of this module are written there"
    )]
    Some(number as i32)
}

/// Writes the number of the present entry into its state.
fn renew_state(history: &History) {
    if let Ok(state) = history.state() {
        let state = match number_of(history) {
            Some(_) => Reflect::get(&state, &STATE.into()).unwrap_or_default(),
            None => state,
        };
        drop(history.replace_state(&state, ""));
    }
}

/// Lets a method of the history that writes a state add the number of the entry to it, which is
/// the present one and `further`. The router calls the methods by itself, so nothing else sees
/// every entry.
fn number_entries(history: &History, method: &str, here: StoredValue<i32>, further: i32) {
    let written = Reflect::get(history, &method.into())
        .ok()
        .and_then(|own| own.dyn_into::<Function>().ok());
    let Some(own) = written else { return };
    let this = history.clone();
    let closure = Closure::<dyn FnMut(JsValue, JsValue, JsValue) -> Result<(), JsValue>>::new(
        move |state: JsValue, title: JsValue, address: JsValue| {
            let number = here.get_value() + further;
            let entry = Object::new();
            Reflect::set(&entry, &NUMBER.into(), &number.into())?;
            Reflect::set(&entry, &STATE.into(), &state)?;
            own.call3(&this, &entry, &title, &address)?;
            here.set_value(number);
            Ok(())
        },
    );
    drop(Reflect::set(history, &method.into(), closure.as_ref()));
    closure.forget();
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
