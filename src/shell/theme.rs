//! The colour theme: system, light or dark, kept per browser. The start script applies it before
//! the first paint; this changes it.

use leptos::prelude::*;

use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::icon::{Glyph, Icon};

/// Key the start script reads as well.
const KEY: &str = "remit.theme";

/// Steps through the three themes.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let announcer = use_announcer();
    let theme = RwSignal::new(browser::browser_value(KEY).unwrap_or_else(|| "system".to_owned()));
    let next = move |_| {
        let chosen = match theme.get_untracked().as_str() {
            "system" => "light",
            "light" => "dark",
            _ => "system",
        };
        browser::set_browser_value(KEY, chosen);
        browser::call_start_script("remitTheme", &[]);
        theme.set(chosen.to_owned());
        announcer.say(format!("Theme: {chosen}"));
    };
    view! {
        <button
            type="button"
            class="btn quiet icon"
            aria-label=move || format!("Theme: {}", theme.get())
            title=move || format!("Theme: {}", theme.get())
            on:click=next
        >
            <Glyph icon=Icon::Moon />
        </button>
    }
}
