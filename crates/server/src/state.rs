//! What all requests share: the store, the settings, the caches and the switches.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::assets::Assets;
use crate::cache::Answers;
use crate::catalog::{CatalogEntry, catalog};
use crate::clock;
use crate::credentials::Credentials;
use crate::error::ApiError;
use crate::live::Live;
use crate::lockout::Lockout;
use crate::passwords::Passwords;
use crate::secrets;
use crate::store::{Committed, Store, WriteTx};
use crate::throttle::Throttle;

/// Settings that do not change while the server runs.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an independent option of the command line"
)]
pub struct Settings {
    /// Where the site is mounted: `/` or `/name/`, with both slashes.
    pub base_path: String,
    /// Whether accounts after the first may register themselves.
    pub allow_registration: bool,
    /// Origins that other sites' pages may call from (contract section 2.2).
    pub allowed_origins: Vec<String>,
    /// Whether the session cookie is for HTTPS only.
    pub secure_cookie: bool,
    /// Whether request limits are enforced.
    pub rate_limit: bool,
    /// A dashboard build to serve instead of the embedded one.
    pub dashboard: Option<PathBuf>,
    /// Whether the first owner may register MCP servers that are child processes of this one.
    pub allow_stdio_mcp: bool,
    /// Tools in the catalog, enlarged with generated ones for measurements.
    pub tools: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base_path: "/".to_owned(),
            allow_registration: false,
            allowed_origins: Vec::new(),
            secure_cookie: false,
            rate_limit: true,
            dashboard: None,
            allow_stdio_mcp: false,
            tools: 0,
        }
    }
}

/// A sign-in link that was handed out: usable once, for a while.
struct Link {
    fingerprint: String,
    ends_at: i64,
}

/// How long a sign-in link works, in milliseconds.
const LINK_MILLISECONDS: i64 = 30 * 60 * 1000;

/// Shared by all requests; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// See [`AppState`].
pub struct Shared {
    /// The database.
    pub store: Store,
    /// The settings.
    pub settings: Settings,
    /// The tools agents can be given.
    pub catalog: Vec<CatalogEntry>,
    /// The dashboard.
    pub assets: Assets,
    /// Password hashing.
    pub passwords: Passwords,
    /// Failed sign-ins.
    pub lockout: Lockout,
    /// Request counters.
    pub throttle: Throttle,
    /// Credentials looked up lately.
    pub credentials: Credentials,
    /// Ready answers.
    pub answers: Answers,
    /// Who listens to changes.
    pub live: Arc<Live>,
    /// Random start of request ids, so that two runs of the server do not repeat them.
    pub process: String,
    stopping: watch::Sender<bool>,
    link: Mutex<Option<Link>>,
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl AppState {
    /// The state of a server that has just opened its store. Fails when the dashboard build of
    /// the settings cannot be read.
    pub fn new(store: Store, settings: Settings) -> Result<Self, ApiError> {
        let assets = match &settings.dashboard {
            None => Assets::embedded(),
            Some(folder) => Assets::from_dir(folder).map_err(|error| {
                ApiError::Internal(format!(
                    "the dashboard build `{}` cannot be read: {error}",
                    folder.display()
                ))
            })?,
        };
        Ok(Self(Arc::new(Shared {
            store,
            assets,
            catalog: catalog(settings.tools),
            settings,
            passwords: Passwords::default(),
            lockout: Lockout::default(),
            throttle: Throttle::default(),
            credentials: Credentials::default(),
            answers: Answers::default(),
            live: Arc::default(),
            process: secrets::new_token()?.chars().take(8).collect(),
            stopping: watch::Sender::new(false),
            link: Mutex::new(None),
        })))
    }

    /// Commits, then tells caches and listeners.
    ///
    /// Runs as a task of its own, so that a client that hangs up cannot separate the commit from
    /// its news.
    pub async fn commit(&self, transaction: WriteTx) -> Result<(), ApiError> {
        let state = self.clone();
        tokio::spawn(async move {
            let Committed { changed, revokes } = transaction.commit().await?;
            if revokes {
                state.credentials.forget();
            }
            if let Some((user, sequence)) = changed {
                state.live.changed(&user, sequence);
            }
            Ok::<(), ApiError>(())
        })
        .await
        .map_err(ApiError::internal)?
    }

    /// Asks everything that runs for long to end.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Becomes `true` when the server stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Makes a sign-in link token for the first owner; the one before it ends.
    pub fn new_link(&self) -> Result<String, ApiError> {
        let token = secrets::new_token()?;
        let link = Link {
            fingerprint: secrets::fingerprint(&token),
            ends_at: clock::now() + LINK_MILLISECONDS,
        };
        *self.link.lock().unwrap_or_else(PoisonError::into_inner) = Some(link);
        Ok(token)
    }

    /// Uses the link up; whether the token was the right one and in time.
    pub fn use_link(&self, token: &str) -> bool {
        let fingerprint = secrets::fingerprint(token);
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let right = link.as_ref().is_some_and(|link| {
            link.ends_at > clock::now() && secrets::equal(&link.fingerprint, &fingerprint)
        });
        if right {
            *link = None;
        }
        right
    }
}
