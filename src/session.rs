//! Who is signed in, how to reach the control plane, and what happens when the session ends.

use contract::auth::Session;
use contract::server::PublicConfig;
use leptos::prelude::*;

use crate::api::{self, ApiError, Client};
use crate::browser;
use crate::lasting::{Kept, Lasting};
use crate::reactive::spawn;

/// What is known about the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// Not asked yet.
    Unknown,
    /// Asking failed for another reason than being signed out.
    Failed(ApiError),
    /// Nobody is signed in.
    Out,
    /// Signed in.
    In(Session),
    /// Was signed in on this page; the session ended. What was typed is still there.
    Expired(Session),
}

/// The one context every page reads.
#[derive(Clone, Copy)]
pub struct SessionState {
    account: Kept<Account>,
    config: Kept<Option<PublicConfig>>,
    renewed: Kept<u32>,
}

impl SessionState {
    /// Makes the state and begins to ask who is signed in.
    pub fn start() -> Self {
        let state = Self {
            account: Kept::new(Account::Unknown),
            config: Kept::new(None),
            renewed: Kept::new(0),
        };
        state.refresh();
        state
    }

    /// What is known about the account.
    pub fn account(self) -> Lasting<ReadSignal<Account>> {
        self.account.get
    }

    /// What the control plane offers, once it was read.
    pub fn config(self) -> Lasting<ReadSignal<Option<PublicConfig>>> {
        self.config.get
    }

    /// Counts the times an ended session was renewed on this page; reads are repeated then.
    pub fn renewed(self) -> Lasting<ReadSignal<u32>> {
        self.renewed.get
    }

    /// How to call the control plane now.
    pub fn client(self) -> Client {
        let csrf_token = match self.account.get.get_untracked() {
            Account::In(session) | Account::Expired(session) => session.csrf_token,
            Account::Unknown | Account::Failed(_) | Account::Out => String::new(),
        };
        Client {
            base: browser::base_path(),
            csrf_token,
        }
    }

    /// Asks who is signed in, and what the control plane offers if that is not known yet.
    pub fn refresh(self) {
        spawn(async move {
            if self.config.get.get_untracked().is_none()
                && let Ok(config) = api::auth::config(&self.client()).await
            {
                self.config.set.set(Some(config));
            }
        });
        spawn(self.ask());
    }

    /// Asks who is signed in, and returns once that is known.
    pub async fn ask(self) {
        let answer = api::auth::session(&self.client()).await;
        self.learn(answer);
    }

    fn learn(self, answer: Result<Session, ApiError>) {
        let present = self.account.get.get_untracked();
        let next = match (answer, present) {
            // Somebody else signed in meanwhile: nothing of this page may be shown or sent as
            // theirs, so it begins anew. What is unsaved makes the browser ask first.
            (Ok(session), Account::Expired(ended)) if session.user.id != ended.user.id => {
                browser::reload();
                return;
            }
            (Ok(session), Account::Expired(_)) => {
                self.account.set.set(Account::In(session));
                self.renewed.set.update(|count| *count += 1);
                return;
            }
            (Ok(session), _) => Account::In(session),
            (Err(ApiError::SignedOut), Account::In(session) | Account::Expired(session)) => {
                Account::Expired(session)
            }
            (Err(ApiError::SignedOut), _) => {
                browser::forget_early_reads();
                Account::Out
            }
            (Err(_), present @ (Account::In(_) | Account::Expired(_))) => present,
            (Err(error), _) => Account::Failed(error),
        };
        self.account.set.set(next);
    }

    /// Notices the end of the session in the outcome of any call, and hands the outcome on.
    pub fn watch<T>(self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        self.notice(outcome.as_ref().err());
        outcome
    }

    /// Notices the end of the session in the failure of any call.
    pub fn notice(self, failure: Option<&ApiError>) {
        if matches!(failure, Some(ApiError::SignedOut)) {
            self.account.set.update(|account| {
                if let Account::In(session) = account {
                    *account = Account::Expired(session.clone());
                }
            });
        }
    }

    /// Whether the session ended on this page.
    pub fn is_expired(self) -> bool {
        self.account
            .get
            .with_untracked(|account| matches!(account, Account::Expired(_)))
    }

    /// Ends the session and returns to the sign-in page.
    pub async fn sign_out(self) -> Result<(), ApiError> {
        match api::auth::logout(&self.client()).await {
            Ok(_) | Err(ApiError::SignedOut) => {
                crate::drafts::forget_all();
                self.account.set.set(Account::Out);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

/// The session of the page.
pub fn use_session() -> SessionState {
    expect_context()
}
