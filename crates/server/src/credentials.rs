//! Who sends a request: the three credentials of contract section 2.1, looked up in the store and
//! remembered until any session or key ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, COOKIE};
use contract::UserId;
use contract::auth::API_KEY_PREFIX;
use contract::events::Actor;
use quick_cache::sync::Cache;
use tokio::sync::watch;

use crate::clock;
use crate::error::ApiError;
use crate::secrets::{csrf_token, fingerprint};
use crate::state::AppState;
use crate::store::{api_keys, sessions};

/// Name of the session cookie.
pub(crate) const COOKIE_NAME: &str = "remit_session";
/// Credentials remembered.
const REMEMBERED: usize = 2_000;
/// How often the use of a key is written down, in milliseconds.
const TOUCH_EVERY: i64 = 60_000;

/// The account behind a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The account.
    pub user_id: UserId,
    /// Its shown name.
    pub username: String,
    /// `browser`, `token` or `api key <name>`.
    pub via: String,
    /// What was presented.
    pub credential: Credential,
    /// The session, unless an API key was used.
    pub session: Option<CallerSession>,
}

/// What a request presented.
#[derive(Clone, Debug)]
pub(crate) struct Credential {
    /// What is stored of the token or key.
    pub fingerprint: String,
    /// When it ends, milliseconds since 1970; `None` for keys without an end.
    pub expires_at: Option<i64>,
    is_key: bool,
}

/// The session behind a request.
#[derive(Clone, Debug)]
pub(crate) struct CallerSession {
    /// When it ends, milliseconds since 1970.
    pub expires_at: i64,
    /// What cookie-authorised writes must send along.
    pub csrf_token: String,
    /// Whether the token came in the cookie.
    pub by_cookie: bool,
}

impl Caller {
    /// The account and its credential, as records of its actions show them.
    pub(crate) fn actor(&self) -> Actor {
        Actor {
            user_id: self.user_id.clone(),
            username: self.username.clone(),
            via: self.via.clone(),
        }
    }
}

struct Known {
    generation: u64,
    user_id: UserId,
    username: String,
    expires_at: Option<i64>,
    key: Option<KnownKey>,
}

struct KnownKey {
    id: String,
    name: String,
    touched_at: AtomicI64,
}

/// Credentials looked up lately, by fingerprint.
pub struct Credentials {
    known: Cache<String, Arc<Known>>,
    /// Counts revocations; what was looked up before the latest one is not believed.
    generation: watch::Sender<u64>,
}

impl Default for Credentials {
    fn default() -> Self {
        Self {
            known: Cache::new(REMEMBERED),
            generation: watch::Sender::new(0),
        }
    }
}

impl Credentials {
    /// Forgets everything: called after a session or key ended. What was looked up before is not
    /// believed any more, even if it is put in later.
    pub fn forget(&self) {
        self.generation.send_modify(|number| *number += 1);
        self.known.clear();
    }

    /// Wakes whenever a session or key ended.
    pub fn revocations(&self) -> watch::Receiver<u64> {
        self.generation.subscribe()
    }

    fn current(&self) -> u64 {
        *self.generation.borrow()
    }

    fn remembered(&self, fingerprint: &str, now: i64) -> Option<Arc<Known>> {
        let generation = self.current();
        self.known.get(fingerprint).filter(|known| {
            known.generation == generation && known.expires_at.is_none_or(|end| end > now)
        })
    }
}

enum Presented<'a> {
    Key(&'a str),
    Bearer(&'a str),
    Cookie(&'a str),
}

fn presented(headers: &HeaderMap) -> Option<Presented<'_>> {
    let authorization = headers.get(AUTHORIZATION).map(|value| value.to_str());
    if let Some(Ok(text)) = authorization {
        if let Some(key) = text.strip_prefix("Bearer ")
            && key.starts_with(API_KEY_PREFIX)
        {
            return Some(Presented::Key(key));
        }
        let (scheme, token) = text.split_once(' ')?;
        return scheme
            .eq_ignore_ascii_case("bearer")
            .then_some(Presented::Bearer(token.trim()));
    }
    if authorization.is_some() {
        return None;
    }
    let header = headers.get("x-api-key").and_then(|key| key.to_str().ok());
    if let Some(key) = header.filter(|key| key.starts_with(API_KEY_PREFIX)) {
        return Some(Presented::Key(key));
    }
    cookie(headers).map(Presented::Cookie)
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, token)| token)
}

/// Finds out who sends a request.
pub(crate) async fn identify(state: &AppState, headers: &HeaderMap) -> Result<Caller, ApiError> {
    match presented(headers) {
        None => Err(ApiError::Unauthorized),
        Some(Presented::Key(key)) => by_key(state, key).await,
        Some(Presented::Bearer(token)) => by_session(state, token, false).await,
        Some(Presented::Cookie(token)) => by_session(state, token, true).await,
    }
}

async fn by_session(state: &AppState, token: &str, by_cookie: bool) -> Result<Caller, ApiError> {
    let fingerprint = fingerprint(token);
    let known = match state.credentials.remembered(&fingerprint, clock::now()) {
        Some(known) => known,
        None => look_up_session(state, &fingerprint)
            .await?
            .ok_or(ApiError::Unauthorized)?,
    };
    let Some(expires_at) = known.expires_at.filter(|_| known.key.is_none()) else {
        return Err(ApiError::Unauthorized);
    };
    Ok(Caller {
        user_id: known.user_id.clone(),
        username: known.username.clone(),
        via: if by_cookie { "browser" } else { "token" }.to_owned(),
        credential: Credential {
            fingerprint,
            expires_at: Some(expires_at),
            is_key: false,
        },
        session: Some(CallerSession {
            expires_at,
            csrf_token: csrf_token(token),
            by_cookie,
        }),
    })
}

async fn look_up_session(
    state: &AppState,
    fingerprint: &str,
) -> Result<Option<Arc<Known>>, ApiError> {
    let generation = state.credentials.current();
    let mut reading = state.store.read().await?;
    let session = sessions::find(&mut reading, fingerprint, clock::now()).await?;
    Ok(session.map(|session| {
        let known = Arc::new(Known {
            generation,
            user_id: session.user_id.into(),
            username: session.username,
            expires_at: Some(session.expires_at),
            key: None,
        });
        state
            .credentials
            .known
            .insert(fingerprint.to_owned(), Arc::clone(&known));
        known
    }))
}

async fn by_key(state: &AppState, key: &str) -> Result<Caller, ApiError> {
    let fingerprint = fingerprint(key);
    let now = clock::now();
    let known = match state.credentials.remembered(&fingerprint, now) {
        Some(known) => known,
        None => look_up_key(state, &fingerprint, now)
            .await?
            .ok_or(ApiError::BadApiKey)?,
    };
    let Some(key) = &known.key else {
        return Err(ApiError::BadApiKey);
    };
    let touched = key.touched_at.load(Ordering::Relaxed);
    if now - touched >= TOUCH_EVERY
        && key
            .touched_at
            .compare_exchange(touched, now, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    {
        let mut writing = state.store.write().await?;
        api_keys::touch(&mut writing, &key.id, now).await?;
        state.commit(writing).await?;
    }
    Ok(Caller {
        user_id: known.user_id.clone(),
        username: known.username.clone(),
        via: format!("api key {}", key.name),
        credential: Credential {
            fingerprint,
            expires_at: known.expires_at,
            is_key: true,
        },
        session: None,
    })
}

async fn look_up_key(
    state: &AppState,
    fingerprint: &str,
    now: i64,
) -> Result<Option<Arc<Known>>, ApiError> {
    let generation = state.credentials.current();
    let mut reading = state.store.read().await?;
    let owner = api_keys::find(&mut reading, fingerprint, now).await?;
    Ok(owner.map(|owner| {
        let known = Arc::new(Known {
            generation,
            user_id: owner.user_id.into(),
            username: owner.username,
            expires_at: owner.expires_at,
            key: Some(KnownKey {
                id: owner.id,
                name: owner.name,
                touched_at: AtomicI64::new(0),
            }),
        });
        state
            .credentials
            .known
            .insert(fingerprint.to_owned(), Arc::clone(&known));
        known
    }))
}

/// Whether a credential that was accepted once still is.
pub(crate) async fn is_in_force(
    state: &AppState,
    credential: &Credential,
) -> Result<bool, ApiError> {
    let now = clock::now();
    let fingerprint = &credential.fingerprint;
    if state.credentials.remembered(fingerprint, now).is_some() {
        return Ok(true);
    }
    let found = if credential.is_key {
        look_up_key(state, fingerprint, now).await?
    } else {
        look_up_session(state, fingerprint).await?
    };
    Ok(found.is_some())
}
