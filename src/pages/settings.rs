//! The workspace's Settings area: what every agent can be given. One page per kind, a navigation
//! between them that stays, and a title that names the page.

pub mod environments;
pub mod reach;
pub mod record;
pub mod record_form;
pub mod repositories;
pub mod skills;

use leptos::prelude::*;
use leptos_router::components::Outlet;
use leptos_router::hooks::use_location;

use crate::browser;
use crate::reactive::effect;
use crate::route::{Route, SettingsPage};

/// What the pages tell the frame around them.
#[derive(Clone, Copy)]
pub struct Frame {
    /// What the page shows, such as the name of one item; empty for the list itself.
    subject: RwSignal<String>,
    /// Whether a form on the page holds text that is not stored.
    unsaved: RwSignal<bool>,
}

impl Frame {
    /// Names what the page shows in the title of the document, until the caller's owner is gone.
    pub fn show(self, subject: Signal<String>) {
        effect(move || self.subject.set(subject.get()));
        on_cleanup(move || {
            self.subject.try_set(String::new());
        });
    }

    /// Marks the title while a form holds text that is not stored, until the caller's owner is
    /// gone. Asking before it is left behind is [`crate::components::leave::Leave::guard`].
    pub fn mark(self, dirty: Signal<bool>) {
        effect(move || self.unsaved.set(dirty.get()));
        on_cleanup(move || {
            self.unsaved.try_set(false);
        });
    }
}

/// The frame around the page of the caller.
pub fn use_frame() -> Frame {
    expect_context()
}

/// The area around its pages.
#[component]
pub fn SettingsArea() -> impl IntoView {
    let frame = Frame {
        subject: RwSignal::new(String::new()),
        unsaved: RwSignal::new(false),
    };
    provide_context(frame);
    let location = use_location();
    let base = browser::base_path();
    let current =
        Memo::new(move |_| Route::parse(&base, &location.pathname.get())?.settings_page());
    effect(move || {
        let Some(page) = current.get() else { return };
        let mark = if frame.unsaved.get() { "● " } else { "" };
        let title = frame.subject.with(|subject| {
            let subject = if subject.is_empty() {
                String::new()
            } else {
                format!("{subject} · ")
            };
            format!("{mark}{subject}{} · Settings · Remit", page.label())
        });
        browser::set_title(&title);
    });
    view! {
        <main id="main" tabindex="-1">
            <header class="head">
                <div class="row">
                    <div class="identity">
                        <h1>"Settings"</h1>
                        <p class="note">"What every agent of this workspace can be given."</p>
                    </div>
                </div>
                <nav class="tabs" aria-label="Settings sections">
                    <ul>
                        {SettingsPage::ALL.map(|page| view! {
                            <li>
                                <a
                                    href=Route::Settings(page).href()
                                    aria-current=move || (current.get() == Some(page)).then_some("page")
                                >
                                    {page.label()}
                                </a>
                            </li>
                        }).collect_view()}
                    </ul>
                </nav>
            </header>
            <Outlet />
        </main>
    }
}
