//! What surrounds every page once somebody is signed in: navigation, top bar, the end of the
//! session, keyboard shortcuts.

pub mod expired;
pub mod keys;
pub mod palette;
pub mod rail;
pub mod theme;
pub mod top;

use leptos::prelude::*;
use leptos_router::components::Outlet;
use leptos_router::hooks::{use_location, use_navigate};

use crate::api::ApiError;
use crate::browser;
use crate::components::leave::{Leave, LeaveDialog};
use crate::components::notice::Failure;
use crate::components::section::Skeleton;
use crate::lazy;
use crate::reactive::{effect, follow};
use crate::route::Route;
use crate::session::{Account, use_session};

#[derive(Clone, Debug, PartialEq)]
enum Phase {
    Asking,
    Failed(ApiError),
    Out,
    In,
}

/// The frame of every page but sign-in. The page inside stays mounted when the session ends, so
/// that nothing typed is lost.
#[component]
pub fn Shell() -> impl IntoView {
    let session = use_session();
    let phase = Memo::new(move |_| {
        session.account().with(|account| match account {
            Account::Unknown => Phase::Asking,
            Account::Failed(error) => Phase::Failed(error.clone()),
            Account::Out => Phase::Out,
            Account::In(_) | Account::Expired(_) => Phase::In,
        })
    });
    let location = use_location();
    let navigate = use_navigate();
    effect(move || {
        if phase.get() == Phase::Out {
            let here = format!(
                "{}{}",
                location.pathname.get_untracked(),
                location.search.get_untracked_with_mark()
            );
            browser::set_tab_value(NEXT, Some(&here));
            navigate(
                &Route::SignIn.href(),
                leptos_router::NavigateOptions {
                    resolve: false,
                    replace: true,
                    ..Default::default()
                },
            );
        }
    });
    provide_context(Leave::start());
    keep_focus();
    theme::provide();
    keys::listen();
    palette::listen();
    view! {
        {move || match phase.get() {
            Phase::Asking | Phase::Out => view! { <main class="page"><Skeleton hidden=false rows=6 /></main> }.into_any(),
            Phase::Failed(error) => view! {
                <main class="page">
                    <h1>"Remit"</h1>
                    <Failure
                        what="The control plane did not say who is signed in."
                        error=error
                        on_retry=Callback::new(move |()| session.refresh())
                    />
                </main>
            }
            .into_any(),
            Phase::In => view! { <Frame /> }.into_any(),
        }}
    }
}

/// A page that goes away takes the focus with it: it is put on the page that comes.
fn keep_focus() {
    let path = use_location().pathname;
    follow(move |before: Option<String>| {
        let now = path.get();
        if before.is_some_and(|before| before != now) {
            request_animation_frame(|| {
                if !browser::has_focus() {
                    lazy::focus_page();
                }
            });
        }
        now
    });
}

/// Key under which the address to return to after signing in is kept for this tab.
pub const NEXT: &str = "remit.next";

trait SearchWithMark {
    fn get_untracked_with_mark(&self) -> String;
}

impl SearchWithMark for Memo<String> {
    fn get_untracked_with_mark(&self) -> String {
        match self.get_untracked().as_str() {
            "" => String::new(),
            search => format!("?{}", search.trim_start_matches('?')),
        }
    }
}

#[component]
fn Frame() -> impl IntoView {
    let menu_open = RwSignal::new(false);
    view! {
        <a class="skip" href="#main" on:click=move |event| {
            event.prevent_default();
            browser::focus("main");
        }>"Skip to content"</a>
        <div class="shell">
            <rail::Rail open=menu_open />
            <div class="body">
                <top::Top menu_open=menu_open />
                <expired::ExpiredBar />
                <Outlet />
            </div>
        </div>
        <keys::ShortcutSheet />
        <palette::Palette />
        <LeaveDialog />
    }
}
