//! Text that is typed but not stored, mirrored into the tab's own storage so that a reload, a
//! crash or a sign-in page cannot take it. The plain pages outside the application read the same
//! keys to offer the text for copying.

use leptos::prelude::*;

use crate::browser::timer::Timer;
use crate::browser::{self, address};

/// What every key of a draft begins with.
const PREFIX: &str = "remit.draft.";
/// What the key of the text a draft was begun from begins with.
const BASE_PREFIX: &str = "remit.draft-base.";
/// How long after a change the draft is written, in milliseconds. Further changes meanwhile do
/// not postpone it.
const WAIT: u64 = 400;

/// A draft that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What was typed.
    pub text: String,
    /// What was stored when typing began, if that is known.
    pub base: Option<String>,
}

/// Where one editor keeps its draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place(String);

impl Place {
    /// The draft of one field of one thing, such as the init script of an agent.
    pub fn new(owner: &str, field: &str) -> Self {
        Self(format!("{owner}.{field}"))
    }

    /// What is kept.
    pub fn read(&self) -> Option<Kept> {
        Some(Kept {
            text: browser::tab_value(&format!("{PREFIX}{}", self.0))?,
            base: browser::tab_value(&format!("{BASE_PREFIX}{}", self.0)),
        })
    }

    /// Keeps a draft; `false` when the browser has no room for it, and then nothing is kept.
    pub fn write(&self, kept: &Kept) -> bool {
        let stored =
            browser::set_tab_value(&format!("{BASE_PREFIX}{}", self.0), kept.base.as_deref())
                && browser::set_tab_value(&format!("{PREFIX}{}", self.0), Some(&kept.text));
        if !stored {
            self.forget();
        }
        stored
    }

    /// Forgets the draft.
    pub fn forget(&self) {
        browser::set_tab_value(&format!("{PREFIX}{}", self.0), None);
        browser::set_tab_value(&format!("{BASE_PREFIX}{}", self.0), None);
    }
}

/// Writes a draft a moment after each change, and at once when the page is put away.
#[derive(Clone, Copy)]
pub struct Mirror {
    write: StoredValue<std::rc::Rc<dyn Fn()>, LocalStorage>,
    timer: Timer,
}

impl Mirror {
    /// `write` reads the present text and keeps or forgets it.
    pub fn new(write: impl Fn() + 'static) -> Self {
        let mirror = Self {
            write: StoredValue::new_local(std::rc::Rc::new(write)),
            timer: Timer::new(),
        };
        address::on_page_hide(move || mirror.flush());
        on_cleanup(move || mirror.flush());
        mirror
    }

    /// Something was typed.
    pub fn touch(self) {
        if !self.timer.is_waiting() {
            self.timer.start(WAIT, move || self.run());
        }
    }

    /// Writes what is waiting to be written.
    pub fn flush(self) {
        if self.timer.stop() {
            self.run();
        }
    }

    fn run(self) {
        if let Some(write) = self.write.try_get_value() {
            write();
        }
    }
}

/// Forgets every draft of this tab, as signing out does.
pub fn forget_all() {
    for key in browser::tab_keys() {
        if key.starts_with(PREFIX) || key.starts_with(BASE_PREFIX) {
            browser::set_tab_value(&key, None);
        }
    }
}
