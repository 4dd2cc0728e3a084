//! The main navigation. It lists only pages that exist.

use contract::grants::Scope;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::browser;
use crate::components::announce::{Announcer, use_announcer};
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::{Leave, use_leave};
use crate::reactive::{effect, spawn};
use crate::route::{Route, SettingsPage};
use crate::session::{Account, SessionState, use_session};

/// The name and initials of whoever is signed in.
fn signed_in_name(account: &Account) -> String {
    match account {
        Account::In(session) | Account::Expired(session) => session
            .user
            .username
            .clone()
            .or_else(|| session.user.email.clone())
            .unwrap_or_default(),
        Account::Unknown | Account::Failed(_) | Account::Out => String::new(),
    }
}

/// Two letters for a name: the first of its first two words, or its first two letters.
pub fn initials(name: &str) -> String {
    let words: Vec<&str> = name
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let letters: String = match words.as_slice() {
        [one] => one.chars().take(2).collect(),
        many => many
            .iter()
            .take(2)
            .filter_map(|word| word.chars().next())
            .collect(),
    };
    browser::upper(&letters)
}

/// Ends the session, after asking where unsaved text would be lost.
pub fn sign_out(session: SessionState, leave: Leave, announcer: Announcer) {
    leave.ask(move || {
        spawn(async move {
            if let Err(error) = session.sign_out().await {
                announcer.alert(format!("Not signed out. {}", error.sentence()));
                announcer.toast(format!("Not signed out. {}", error.sentence()), None);
            }
        });
    });
}

/// The mark and the name of the product.
#[component]
pub fn Brand() -> impl IntoView {
    view! {
        <div class="brand">
            <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
                <path class="shield" d="M3 6c0-1.700 1.300-3 3-3h12c1.700 0 3 1.300 3 3v6c0 5-4 8-9 9-5-1-9-4-9-9z" />
                <path class="lines" d="M7 8h10M8.500 12h7M10 16h4" />
            </svg>
            <span>"Remit"</span>
        </div>
    }
}

/// The rail at the start side; a panel over the page where it is narrow.
#[component]
pub fn Rail(
    /// Whether the panel is open where the rail is hidden.
    open: RwSignal<bool>,
) -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let location = use_location();
    let base = browser::base_path();
    let place = Memo::new(move |_| Route::parse(&base, &location.pathname.get()));
    effect(move || {
        location.pathname.track();
        open.set(false);
    });
    let name = Memo::new(move |_| session.account().with(signed_in_name));
    let tenant = Memo::new(move |_| {
        session.account().with(|account| match account {
            Account::In(session) | Account::Expired(session) => session.user.tenant_id.clone(),
            Account::Unknown | Account::Failed(_) | Account::Out => None,
        })
    });
    let current = move |wanted: bool| wanted.then_some("page");
    let in_agents = move || {
        current(matches!(
            place.get(),
            Some(Route::Agents | Route::Agent(..))
        ))
    };
    let in_rules = move || current(matches!(place.get(), Some(Route::Rules(..))));
    let in_settings = move || {
        current(place.with(|place| {
            place
                .as_ref()
                .is_some_and(|place| place.settings_page().is_some())
        }))
    };
    let leave = use_leave();
    view! {
        <nav class="rail" aria-label="Main" data-open=move || open.get().to_string()>
            <Brand />
            <ul>
                <li>
                    <a href=Route::Agents.href() aria-current=in_agents>
                        <Glyph icon=Icon::Agents />
                        "Agents"
                    </a>
                </li>
                {move || tenant.get().map(|tenant| view! {
                    <li>
                        <a href=Route::Rules(Scope::Tenant, tenant.0).href() aria-current=in_rules>
                            <Glyph icon=Icon::Lock />
                            "Grant rules"
                        </a>
                    </li>
                })}
                <li>
                    <a href=Route::Settings(SettingsPage::FIRST).href() aria-current=in_settings>
                        <Glyph icon=Icon::Gear />
                        "Settings"
                    </a>
                </li>
            </ul>
            <div class="foot">
                <span class="avatar small" aria-hidden="true">{move || initials(&name.get())}</span>
                <bdi class="who">{name}</bdi>
                <button type="button" class="btn quiet icon" aria-label="Sign out" on:click=move |_| sign_out(session, leave, announcer)>
                    <Glyph icon=Icon::SignOut />
                </button>
            </div>
        </nav>
    }
}

#[cfg(test)]
mod tests {
    use super::initials;

    #[test]
    fn initials_take_two_words_or_two_letters() {
        assert_eq!(initials("Ada Lima"), "AL");
        assert_eq!(initials("coder"), "CO");
        assert_eq!(initials("Ops digest daily"), "OD");
        assert_eq!(initials(""), "");
    }
}
