//! The sections of the tab as a list that stays in sight while the page is scrolled.

use leptos::prelude::*;

use crate::browser;

/// The heading of each section, by id, and its words.
const SECTIONS: [(&str, &str); 7] = [
    ("agent-tools", "Agent tools"),
    ("permissions", "Permissions"),
    ("skills", "Skills"),
    ("mcp-connections", "MCP Connections"),
    ("repositories", "Repositories"),
    ("environment", "Environment"),
    ("init-script", "Init Script"),
];

/// How far below the top of the window a heading may stand and its section still be the one that
/// is read, in pixels: what sticks to the top, and a little.
const READ_FROM: f64 = 160.0;

/// Place of the section that is being read: the last one whose heading was reached.
fn place_read() -> usize {
    if browser::is_scrolled_to_end() {
        return SECTIONS.len() - 1;
    }
    SECTIONS
        .iter()
        .rposition(|(id, _)| browser::top_of(id).is_some_and(|top| top < READ_FROM))
        .unwrap_or(0)
}

/// The list.
#[component]
pub fn SectionList() -> impl IntoView {
    let read = RwSignal::new(0_usize);
    // A section that was asked for is the one that is read until the page is scrolled further; near
    // the end of the page it cannot reach the top.
    let asked = StoredValue::new(None::<(usize, i32)>);
    for event in ["scroll", "resize"] {
        browser::on_window(event, move |_| {
            let now = match asked.get_value() {
                Some((place, at)) if at == browser::scrolled() => place,
                _ => place_read(),
            };
            if read.get_untracked() != now {
                read.set(now);
            }
        });
    }
    view! {
        <nav class="sections" aria-label="Sections of this page">
            <ul>
                {SECTIONS.into_iter().enumerate().map(|(place, (id, words))| view! {
                    <li>
                        <a
                            href=format!("#{id}")
                            aria-current=move || (read.get() == place).then_some("true")
                            on:click=move |event| {
                                event.prevent_default();
                                browser::go_to(id);
                                asked.set_value(Some((place, browser::scrolled())));
                                read.set(place);
                            }
                        >
                            {words}
                        </a>
                    </li>
                }).collect_view()}
            </ul>
        </nav>
    }
}
