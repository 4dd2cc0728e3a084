//! The colour theme: system, light or dark, kept per browser. The start script applies it before
//! the first paint; this changes it.

use leptos::prelude::*;

use crate::browser;
use crate::components::announce::{Announcer, use_announcer};
use crate::components::icon::{Glyph, Icon};

/// Key the start script reads as well.
const KEY: &str = "remit.theme";

/// The chosen theme.
#[derive(Clone, Copy)]
pub struct Theme(RwSignal<String>);

impl Theme {
    /// Steps through the three themes and says which one it is now.
    pub fn next(self, announcer: Announcer) {
        let chosen = match self.0.get_untracked().as_str() {
            "system" => "light",
            "light" => "dark",
            _ => "system",
        };
        browser::set_browser_value(KEY, chosen);
        browser::call_start_script("remitTheme", &[]);
        self.0.set(chosen.to_owned());
        announcer.say(format!("Theme: {chosen}"));
    }
}

/// Puts the theme in reach; called once, by the shell.
pub fn provide() {
    let chosen = browser::browser_value(KEY).unwrap_or_else(|| "system".to_owned());
    provide_context(Theme(RwSignal::new(chosen)));
}

/// The theme of the page.
pub fn use_theme() -> Theme {
    expect_context()
}

/// Steps through the three themes.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let announcer = use_announcer();
    let theme = use_theme();
    let label = move || format!("Theme: {}", theme.0.get());
    view! {
        <button
            type="button"
            class="btn quiet icon"
            aria-label=label
            title=label
            on:click=move |_| theme.next(announcer)
        >
            <Glyph icon=Icon::Moon />
        </button>
    }
}
