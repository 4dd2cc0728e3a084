//! The form for address and password, also used to renew a session that ended on a page.

use contract::auth::Login;
use leptos::prelude::*;

use crate::api;
use crate::components::announce::use_announcer;
use crate::components::form::{SendButton, SendForm, TextField, focus_wrong};
use crate::reactive::spawn;
use crate::session::{Account, use_session};

/// What is wrong, by field.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wrong {
    email: Option<String>,
    password: Option<String>,
}

/// Address and password.
#[component]
pub fn PasswordForm(
    /// Called once the session cookie is set.
    on_done: Callback<()>,
) -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    // Whose session ended need not be typed again.
    let known = session.account().with_untracked(|account| match account {
        Account::Expired(session) => session.user.email.clone(),
        Account::Unknown | Account::Failed(_) | Account::Out | Account::In(_) => None,
    });
    let email = RwSignal::new(known.unwrap_or_default());
    let password = RwSignal::new(String::new());
    let wrong = RwSignal::new(Wrong::default());
    let busy = RwSignal::new(false);

    let send = move || {
        let empty =
            |text: String, what: &str| text.trim().is_empty().then(|| format!("Type your {what}."));
        let found = Wrong {
            email: empty(email.get_untracked(), "e-mail address"),
            password: empty(password.get_untracked(), "password"),
        };
        let complete = found == Wrong::default();
        wrong.set(found);
        if !complete {
            announcer.alert("Not sent. Type your e-mail address and your password.");
            focus_wrong();
            return;
        }
        busy.set(true);
        let login = Login {
            email: email.get_untracked().trim().to_owned(),
            password: password.get_untracked(),
        };
        spawn(async move {
            let answer = api::auth::login(&session.client(), &login).await;
            busy.try_set(false);
            match answer {
                Ok(_) => on_done.run(()),
                Err(error) => {
                    let at_email = error.problem_of("email");
                    // What is about no field in particular stands at the password, which is the
                    // one to type again.
                    let at_password = error
                        .problem_of("password")
                        .or_else(|| at_email.is_none().then(|| error.sentence()));
                    announcer.alert(error.sentence());
                    wrong.try_set(Wrong {
                        email: at_email,
                        password: at_password,
                    });
                    focus_wrong();
                }
            }
        });
    };
    view! {
        <SendForm busy=busy on_send=move |()| send()>
            <TextField
                id="sign-in-email"
                label="E-mail"
                kind="email"
                autocomplete="username"
                value=email
                problem=Signal::derive(move || wrong.with(|wrong| wrong.email.clone()))
            />
            <TextField
                id="sign-in-password"
                label="Password"
                kind="password"
                autocomplete="current-password"
                value=password
                problem=Signal::derive(move || wrong.with(|wrong| wrong.password.clone()))
            />
            <SendButton label="Sign in" busy_label="Signing in…" busy=busy />
        </SendForm>
        <p class="note">"Or open the link the server printed; restart it for a new one."</p>
    }
}
