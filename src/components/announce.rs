//! What is told to screen readers and shown as toasts. The two live regions stand in the shell
//! from the start; toasts repeat what is already visible where it happened.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::each::Each;
use super::icon::{Glyph, Icon};
use crate::browser;

/// How long a toast with an action stays, in milliseconds.
const STAYS: u64 = 10_000;

/// What a toast offers to do. It outlives the part of the page it was made in, so it is not a
/// callback of that part.
pub type Action = Arc<dyn Fn() + Send + Sync>;

/// A message that floats above the page for a while.
#[derive(Clone)]
pub struct Toast {
    id: u64,
    text: String,
    action: Option<(String, Action)>,
}

/// Tells people things; one per page, from context.
#[derive(Clone, Copy)]
pub struct Announcer {
    status: RwSignal<String>,
    alert: RwSignal<String>,
    last: StoredValue<(String, f64)>,
    toasts: RwSignal<Vec<Toast>>,
    held: RwSignal<bool>,
    next: StoredValue<u64>,
}

impl Default for Announcer {
    fn default() -> Self {
        Self {
            status: RwSignal::new(String::new()),
            alert: RwSignal::new(String::new()),
            last: StoredValue::new((String::new(), 0.0)),
            toasts: RwSignal::new(Vec::new()),
            held: RwSignal::new(false),
            next: StoredValue::new(0),
        }
    }
}

impl Announcer {
    /// Politely: saved, counts, reconnected.
    pub fn say(self, text: impl Into<String>) {
        self.tell(self.status, text.into());
    }

    /// At once: failed, conflict, signed out, locked.
    pub fn alert(self, text: impl Into<String>) {
        self.tell(self.alert, text.into());
    }

    fn tell(self, region: RwSignal<String>, text: String) {
        let now = browser::now();
        let (last, at) = self.last.get_value();
        if last == text && now - at < 2_000.0 {
            return;
        }
        self.last.set_value((text.clone(), now));
        // A region that already holds the same words must change to be read again.
        let text = if region.get_untracked() == text {
            format!("{text}\u{a0}")
        } else {
            text
        };
        region.set(text);
    }

    /// Shows a toast, with an action if there is one, and announces it politely.
    pub fn toast(self, text: impl Into<String>, action: Option<(String, Action)>) -> u64 {
        let text = text.into();
        self.say(text.clone());
        let id = self.next.try_update_value(|next| {
            *next += 1;
            *next
        });
        let id = id.unwrap_or_default();
        self.toasts.update(|toasts| {
            toasts.push(Toast { id, text, action });
            let surplus = toasts.len().saturating_sub(3);
            toasts.drain(..surplus);
        });
        self.expire(id);
        id
    }

    fn expire(self, id: u64) {
        set_timeout(
            move || {
                if self.held.try_get_untracked() == Some(true) {
                    self.expire(id);
                } else {
                    self.dismiss(id);
                }
            },
            Duration::from_millis(STAYS),
        );
    }

    /// Removes a toast.
    pub fn dismiss(self, id: u64) {
        self.toasts
            .try_update(|toasts| toasts.retain(|toast| toast.id != id));
    }

    /// Carries out the action of the newest toast that has one, as the undo key does.
    pub fn run_latest_action(self) -> bool {
        let latest = self.toasts.with_untracked(|toasts| {
            toasts
                .iter()
                .rev()
                .find_map(|toast| toast.action.clone().map(|(_, action)| (toast.id, action)))
        });
        let Some((id, action)) = latest else {
            return false;
        };
        self.dismiss(id);
        action();
        true
    }
}

/// The announcer of the page.
pub fn use_announcer() -> Announcer {
    expect_context()
}

/// The live regions and the toasts; stands once, in the shell.
#[component]
pub fn Announcements() -> impl IntoView {
    let announcer = use_announcer();
    view! {
        <div class="visually-hidden" role="status">{announcer.status}</div>
        <div class="visually-hidden" role="alert">{announcer.alert}</div>
        // A landmark: what is said here stands beside the page, not in it.
        <section
            class="toasts"
            aria-label="Messages"
            on:mouseenter=move |_| announcer.held.set(true)
            on:mouseleave=move |_| announcer.held.set(false)
            on:focusin=move |_| announcer.held.set(true)
            on:focusout=move |_| announcer.held.set(false)
        >
            <Each each=move || announcer.toasts.get() key=|toast| toast.id let(toast)>
                <div class="toast" role="group" aria-label="Message">
                    <p>{toast.text.clone()}</p>
                    {toast.action.clone().map(|(label, action)| view! {
                        <button
                            type="button"
                            class="btn"
                            on:click=move |_| {
                                announcer.dismiss(toast.id);
                                action();
                            }
                        >
                            {label}
                        </button>
                    })}
                    <button
                        type="button"
                        class="btn quiet icon"
                        aria-label="Dismiss"
                        on:click=move |_| announcer.dismiss(toast.id)
                    >
                        <Glyph icon=Icon::Close />
                    </button>
                </div>
            </Each>
        </section>
    }
}
