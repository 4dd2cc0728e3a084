//! The bar and the dialog for signing in again without leaving the page.

use leptos::prelude::*;

use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::pages::sign_in::PasswordForm;
use crate::reactive::follow;
use crate::session::{Account, use_session};

/// Shown while the session is over; everything on the page stays.
#[component]
pub fn ExpiredBar() -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let asking = RwSignal::new(false);
    let expired = Memo::new(move |_| {
        session
            .account()
            .with(|account| matches!(account, Account::Expired(_)))
    });
    follow(move |before: Option<bool>| {
        let now = expired.get();
        match (before, now) {
            (Some(false) | None, true) => {
                announcer.alert("Session expired. What you typed is kept.");
            }
            (Some(true), false) => {
                asking.set(false);
                announcer.say("Signed in again");
            }
            _ => {}
        }
        now
    });
    // Signing in may have happened in another tab: the printed link opens one.
    browser::on_window("focus", move |_| {
        if session.is_expired() {
            session.refresh();
        }
    });
    view! {
        {move || expired.get().then(|| view! {
            <div class="expired" role="group" aria-label="Session">
                <Glyph icon=Icon::Warning />
                <p><strong>"Session expired"</strong>" · What you typed is kept."</p>
                <button type="button" class="btn primary" on:click=move |_| asking.set(true)>"Sign in"</button>
            </div>
        })}
        <Dialog
            open=Signal::derive(move || asking.get() && expired.get())
            title="Sign in again"
            on_close=Callback::new(move |()| asking.set(false))
        >
            <PasswordForm on_done=Callback::new(move |()| session.refresh()) />
            <div class="dialog-actions">
                <button type="button" class="btn" on:click=move |_| asking.set(false)>"Not now"</button>
            </div>
        </Dialog>
    }
}
