//! The form that makes an account, offered while the control plane accepts one.

use contract::auth::Register;
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::components::announce::use_announcer;
use crate::components::form::{SendButton, SendForm, TextField, focus_wrong};
use crate::reactive::spawn;
use crate::session::use_session;

/// What is wrong, by field.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wrong {
    username: Option<String>,
    email: Option<String>,
    password: Option<String>,
    other: Option<String>,
}

impl Wrong {
    fn of(error: &ApiError) -> Self {
        let mut wrong = Self {
            username: error.problem_of("username"),
            email: error.problem_of("email"),
            password: error.problem_of("password"),
            other: None,
        };
        if let ApiError::Refused { status: 409, .. } = error {
            wrong.email = Some(error.sentence());
        } else if wrong == Self::default() {
            wrong.other = Some(error.sentence());
        }
        wrong
    }
}

/// Name, address and password of a new account.
#[component]
pub fn CreateForm(
    /// Called once the account is made and the session cookie is set.
    on_done: Callback<()>,
) -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let username = RwSignal::new(String::new());
    let email = RwSignal::new(String::new());
    let password = RwSignal::new(String::new());
    let wrong = RwSignal::new(Wrong::default());
    let busy = RwSignal::new(false);
    let send = move || {
        busy.set(true);
        let register = Register {
            username: username.get_untracked().trim().to_owned(),
            email: email.get_untracked().trim().to_owned(),
            password: password.get_untracked(),
        };
        spawn(async move {
            let answer = api::auth::register(&session.client(), &register).await;
            busy.try_set(false);
            match answer {
                Ok(_) => on_done.run(()),
                Err(error) => {
                    announcer.alert(format!("No account was made. {}", error.sentence()));
                    wrong.try_set(Wrong::of(&error));
                    focus_wrong();
                }
            }
        });
    };
    view! {
        <SendForm busy=busy on_send=move |()| send()>
            <TextField
                id="create-username"
                label="Name"
                hint="At least 3 characters. It stands beside everything you change."
                autocomplete="username"
                value=username
                problem=Signal::derive(move || wrong.with(|wrong| wrong.username.clone()))
            />
            <TextField
                id="create-email"
                label="E-mail"
                kind="email"
                autocomplete="email"
                value=email
                problem=Signal::derive(move || wrong.with(|wrong| wrong.email.clone()))
            />
            <TextField
                id="create-password"
                label="Password"
                hint="At least 8 characters, with a lower-case letter and a digit or a symbol."
                kind="password"
                autocomplete="new-password"
                value=password
                problem=Signal::derive(move || wrong.with(|wrong| wrong.password.clone()))
            />
            {move || wrong.with(|wrong| wrong.other.clone()).map(|other| view! {
                <p class="wrong"><bdi>{other}</bdi></p>
            })}
            <SendButton label="Make the account" busy_label="Making the account…" busy=busy />
        </SendForm>
    }
}
