//! Sign in: with a password, with the one-time link the server printed, or by making the first
//! account. Afterwards the page that was asked for opens.

pub mod create;
pub mod password;

use contract::auth::LinkLogin;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use self::create::CreateForm;
pub use self::password::PasswordForm;
use crate::api::{self, ApiError};
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::reactive::{effect, spawn};
use crate::route::Route;
use crate::session::{Account, use_session};
use crate::shell::NEXT;
use crate::shell::rail::Brand;

/// What the fragment of a one-time link begins with.
const LINK: &str = "token=";

/// Where to go after signing in: the address that was asked for, if it is one of the dashboard.
fn next_address() -> String {
    let base = browser::base_path();
    browser::tab_value(NEXT)
        .filter(|address| address.starts_with(&base) && !address.starts_with("//"))
        .filter(|address| !address.starts_with(&Route::SignIn.href()))
        .unwrap_or_else(|| Route::Agents.href())
}

/// What a one-time link that does not work means.
fn link_refused(error: &ApiError) -> String {
    match error {
        ApiError::Refused { status: 400..=401 | 403..=404 | 410, .. } => {
            "This link was used before or is too old. Restart the server for a new one, or sign in with your password.".to_owned()
        }
        other => format!("The link could not be used. {}", other.sentence()),
    }
}

/// The page.
#[component]
pub fn SignInPage() -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let navigate = use_navigate();
    let linking = RwSignal::new(false);
    let problem = RwSignal::new(None::<String>);
    let creating = RwSignal::new(false);
    browser::set_title("Sign in · Remit");

    let tell = move |text: String| {
        announcer.alert(text.clone());
        problem.set(Some(text));
    };
    // The session cookie was set; a browser that refuses it is told apart from a wrong password.
    let arrived = move || async move {
        session.ask().await;
        if session.account().get_untracked() == Account::Out {
            tell("You were signed in, but this browser did not keep the session. Allow cookies for this address, then try again.".to_owned());
        }
    };
    let on_done = Callback::new(move |()| {
        problem.set(None);
        spawn(arrived());
    });

    // The token is a secret: it leaves the address before anything else happens.
    let take_link = move || {
        let fragment = browser::fragment();
        let Some(token) = fragment.strip_prefix(LINK) else {
            return;
        };
        browser::replace_address(&Route::SignIn.href());
        let token = token.to_owned();
        linking.set(true);
        spawn(async move {
            let answer = api::auth::link(&session.client(), &LinkLogin { token }).await;
            match answer {
                Ok(_) => arrived().await,
                Err(error) => tell(link_refused(&error)),
            }
            linking.try_set(false);
        });
    };
    take_link();
    browser::on_window("hashchange", move |_| take_link());

    effect(move || {
        let signed_in = session
            .account()
            .with(|account| matches!(account, Account::In(_) | Account::Expired(_)));
        if !signed_in || linking.get() {
            return;
        }
        let address = next_address();
        browser::set_tab_value(NEXT, None);
        navigate(
            &address,
            NavigateOptions {
                resolve: false,
                replace: true,
                ..Default::default()
            },
        );
        request_animation_frame(|| {
            browser::focus("main");
        });
    });

    let open = Memo::new(move |_| {
        session.config().with(|config| {
            config
                .as_ref()
                .is_some_and(|config| config.auth.registration_open)
        })
    });
    let failed = Memo::new(move |_| {
        session.account().with(|account| match account {
            Account::Failed(error) => Some(error.clone()),
            Account::Unknown | Account::Out | Account::In(_) | Account::Expired(_) => None,
        })
    });
    let is_out = Memo::new(move |_| {
        session
            .account()
            .with(|account| matches!(account, Account::Out | Account::Failed(_)))
    });
    let switch = move |to: bool| {
        problem.set(None);
        creating.set(to);
        request_animation_frame(|| {
            browser::focus_first("main form input");
        });
    };
    let heading = move || {
        if creating.get() {
            "Make an account"
        } else {
            "Sign in"
        }
    };
    view! {
        <main class="entrance" id="main" tabindex="-1">
            <div class="entrance-card">
                <Brand />
                <h1>{heading}</h1>
                {move || problem.get().map(|problem| view! {
                    <div class="notice deny" role="group" aria-label="Problem">
                        <Glyph icon=Icon::Warning />
                        <p>{problem}</p>
                    </div>
                })}
                {move || failed.get().map(|error| view! {
                    <Failure
                        what="The control plane did not say who is signed in."
                        error=error
                        on_retry=Callback::new(move |()| session.refresh())
                    />
                })}
                {move || match (linking.get(), is_out.get(), creating.get()) {
                    (true, ..) => view! { <p class="note" role="status">"Signing in with the link…"</p> }.into_any(),
                    (false, false, _) => view! { <p class="note">"One moment…"</p> }.into_any(),
                    (false, true, true) => view! { <CreateForm on_done=on_done /> }.into_any(),
                    (false, true, false) => view! { <PasswordForm on_done=on_done /> }.into_any(),
                }}
                {move || (is_out.get() && !linking.get() && (open.get() || creating.get())).then(|| {
                    let (question, answer) = if creating.get() {
                        ("You have an account? ", "Sign in")
                    } else {
                        ("No account yet? ", "Make an account")
                    };
                    let other = !creating.get();
                    view! {
                        <p class="note">
                            {question}
                            <button type="button" class="link" on:click=move |_| switch(other)>{answer}</button>
                        </p>
                    }
                })}
            </div>
        </main>
    }
}
