//! The bar above every page: menu, connection state, theme, shortcuts.

use leptos::prelude::*;

use super::keys::use_shortcut_sheet;
use super::palette::PaletteButton;
use super::theme::ThemeButton;
use crate::components::announce::use_announcer;
use crate::components::icon::{Glyph, Icon};
use crate::live::{Connection, use_live};
use crate::reactive::follow;

/// The bar above every page.
#[component]
pub fn Top(
    /// Opens the rail where it is hidden.
    menu_open: RwSignal<bool>,
) -> impl IntoView {
    let sheet = use_shortcut_sheet();
    view! {
        <header class="top">
            <button
                type="button"
                class="btn quiet icon only-narrow"
                aria-label="Menu"
                aria-expanded=move || menu_open.get().to_string()
                on:click=move |_| menu_open.update(|open| *open = !*open)
            >
                <Glyph icon=Icon::Menu />
            </button>
            <PaletteButton />
            <span class="grow"></span>
            <ConnectionState />
            <ThemeButton />
            <button type="button" class="btn quiet icon" aria-label="Keyboard shortcuts" on:click=move |_| sheet.set(true)>
                <Glyph icon=Icon::Help />
            </button>
        </header>
    }
}

/// Whether changes made elsewhere arrive, and a way to try again.
#[component]
fn ConnectionState() -> impl IntoView {
    let live = use_live();
    let announcer = use_announcer();
    let connection = live.connection();
    follow(move |before: Option<Connection>| {
        let now = connection.get();
        match (before, now) {
            (Some(Connection::Live), Connection::Lost(_)) => {
                announcer.say("Connection lost. Reconnecting.");
            }
            (Some(Connection::Lost(_)), Connection::Live) => {
                announcer.say("Connected again. Everything was read anew.");
            }
            _ => {}
        }
        now
    });
    move || match connection.get() {
        Connection::Connecting => {
            view! { <span class="status idle">"Connecting"</span> }.into_any()
        }
        Connection::Live => view! { <span class="status on">"Live"</span> }.into_any(),
        Connection::Lost(since) => {
            let since = crate::browser::clock_time(since);
            view! {
                <span class="status lost">{format!("Last updated {since} · Reconnecting…")}</span>
                <button type="button" class="btn" on:click=move |_| live.reconnect()>"Reconnect now"</button>
            }
            .into_any()
        }
    }
}
