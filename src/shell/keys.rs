//! Keyboard shortcuts of the whole dashboard, and the sheet that lists them. Single keys do
//! nothing while something is being typed, and can be turned off.

use leptos::prelude::*;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;

use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::dialog::Dialog;
use crate::components::leave::use_leave;
use crate::route::{Route, SettingsPage, Tab};

/// Where the choice to turn single keys off is kept.
const OFF: &str = "remit.keys";
/// How long `g` waits for the second key, in milliseconds.
const CHORD: f64 = 1_500.0;

/// The key that goes to the settings of the workspace after `g`.
const WORKSPACE: &str = "w";

#[derive(Clone, Copy)]
struct ShortcutSheetOpen(RwSignal<bool>);

/// Whether the sheet of shortcuts is open.
pub fn use_shortcut_sheet() -> RwSignal<bool> {
    expect_context::<ShortcutSheetOpen>().0
}

/// Whether single keys were turned off.
pub fn are_off() -> bool {
    browser::browser_value(OFF).as_deref() == Some("off")
}

/// Starts listening; called once, by the shell.
pub fn listen() {
    let sheet = RwSignal::new(false);
    provide_context(ShortcutSheetOpen(sheet));
    let announcer = use_announcer();
    let leave = use_leave();
    let location = use_location();
    let chord = StoredValue::new(0.0_f64);
    browser::on_window("keydown", move |event| {
        let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>() else {
            return;
        };
        let command = event.ctrl_key() || event.meta_key();
        if event.default_prevented() || event.alt_key() || event.is_composing() {
            return;
        }
        if command {
            if event.key() == "z" && !browser::is_typing() && announcer.run_latest_action() {
                event.prevent_default();
            }
            return;
        }
        if browser::is_typing() || browser::dialog_open() || are_off() {
            return;
        }
        let key = event.key();
        let now = browser::now();
        if now - chord.get_value() < CHORD {
            chord.set_value(0.0);
            if key == WORKSPACE {
                event.prevent_default();
                leave.go(&Route::Settings(SettingsPage::FIRST));
                return;
            }
            let tab = Tab::ALL.into_iter().find(|tab| tab.key() == key);
            let here = Route::parse(&browser::base_path(), &location.pathname.get_untracked());
            if let (Some(tab), Some(Route::Agent(id, _))) = (tab, here) {
                event.prevent_default();
                leave.go(&Route::Agent(id, tab));
                return;
            }
        }
        let handled = match key.as_str() {
            "g" => {
                chord.set_value(now);
                true
            }
            "/" => browser::focus_first("main input[type=search]"),
            "?" => {
                sheet.set(true);
                true
            }
            "u" => announcer.run_latest_action(),
            "p" => {
                browser::focus_first("main #pattern-test")
                    || browser::press_first("main [aria-keyshortcuts=p]")
            }
            _ => false,
        };
        if handled {
            event.prevent_default();
        }
    });
}

/// The sheet that lists the shortcuts.
#[component]
pub fn ShortcutSheet() -> impl IntoView {
    let open = use_shortcut_sheet();
    let off = RwSignal::new(are_off());
    let rows = [
        (
            "/",
            "Go to the filter; Escape clears it, then returns to the list",
        ),
        ("↑ ↓ Home End PgUp PgDn", "Move between rows of a list"),
        ("→ ←", "Expand or collapse the group in focus"),
        (
            "Space or Enter",
            "Toggle the switch in focus; on a group, expand or collapse it",
        ),
        ("w, or Enter on a row", "Why? for the row; Escape closes it"),
        ("p", "Test a pattern; Escape closes it"),
        (
            "g then d, s, c, m or e",
            "Dashboard, Skills, Capabilities, MCP Servers or Settings of this agent",
        ),
        ("g then w", "Settings of the workspace"),
        ("u or Ctrl Z", "Undo the latest change"),
        ("Ctrl S", "Save the editor in focus"),
        ("Ctrl ]", "Indent in the editor; Tab leaves it"),
        ("Ctrl K", "Search agents, tools, settings"),
        ("?", "This list"),
    ];
    view! {
        <Dialog
            open=open
            title="Keyboard shortcuts"
            on_close=Callback::new(move |()| open.set(false))
        >
            <table class="keys">
                <caption class="visually-hidden">"Keys and what they do"</caption>
                <tbody>
                    {rows.map(|(keys, what)| view! {
                        <tr><th scope="row"><kbd>{keys}</kbd></th><td>{what}</td></tr>
                    }).collect_view()}
                </tbody>
            </table>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=off
                    on:change=move |_| {
                        off.update(|off| *off = !*off);
                        browser::set_browser_value(OFF, if off.get_untracked() { "off" } else { "on" });
                    }
                />
                "Turn single-key shortcuts off"
            </label>
            <div class="dialog-actions">
                <button type="button" class="btn" on:click=move |_| open.set(false)>"Close"</button>
            </div>
        </Dialog>
    }
}
