//! Opening a session with a server: where it may be, what is sent along, how the protocol is
//! negotiated (skills contract sections 1.2 and 1.11).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use contract::connections::{ProtocolEra, Transport};
use contract::rules::server_url::check_url;
use process_wrap::tokio::{CommandWrap, KillOnDrop, ProcessGroup};
use reqwest13::header::{HeaderName, HeaderValue};
use reqwest13::redirect::Policy;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ClientRequest, CustomRequest, Implementation,
    ProtocolVersion, SKILLS_EXTENSION_ID, ServerPeerInfo,
};
use rmcp::service::{
    ClientCacheConfig, ClientLifecycleMode, ClientServiceExt, NotificationContext, Peer,
    PeerRequestOptions, RoleClient, RunningService,
};
use rmcp::transport::TokioChildProcess;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use rmcp::{ClientHandler, ServiceError};
use serde_json::Value;
use tokio::sync::{Notify, Semaphore};

use super::failure::{Failure, NO_SSE, NO_STDIO, Secrets};

/// Largest message a server may send, in bytes: a file of 16 MiB in base64, the most a skill may
/// have, fits.
const MESSAGE_MAX: usize = 24 * 1024 * 1024;
/// Most of an error page that is read, in bytes.
const ERROR_MAX: usize = 16 * 1024;
/// How long a network connection may take to be made.
const DIAL: Duration = Duration::from_secs(10);
/// Most redirects followed for one request.
const REDIRECTS_MAX: usize = 5;
/// Files of one server that are read at the same time.
pub(crate) const READS: usize = 4;
/// Where programs are looked for when the server's own environment names no place.
const PATH_DEFAULT: &str = "/usr/local/bin:/usr/bin:/bin";

/// What it takes to open a session.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) transport: Transport,
    pub(crate) url: String,
    pub(crate) program: Option<(String, Vec<String>)>,
    pub(crate) headers: BTreeMap<String, String>,
    /// Whether programs may be started at all.
    pub(crate) allow_stdio: bool,
}

/// An open session. Requests may be sent by any number of tasks.
pub(crate) struct Session {
    /// For everything the protocol library offers. Its cache is off: an answer is what the
    /// server says now.
    pub(crate) peer: Peer<RoleClient>,
    /// What the server said of itself.
    pub(crate) info: Arc<ServerPeerInfo>,
    /// What must not appear in texts about this session.
    pub(crate) secrets: Secrets,
    /// Wakes when the server says that its tools changed.
    pub(crate) tools_changed: Arc<Notify>,
    /// Places for reads of files, which may be large.
    pub(crate) reads: Semaphore,
}

/// The task that serves a session; dropped, the session ends.
pub(crate) type Running = RunningService<RoleClient, Listener>;

impl Session {
    /// How the protocol was negotiated. The revision that brought `server/discover` has no
    /// `initialize`, so the version tells.
    pub(crate) fn era(&self) -> ProtocolEra {
        if self.info.protocol_version >= ProtocolVersion::V_2026_07_28 {
            ProtocolEra::Discover
        } else {
            ProtocolEra::Initialize
        }
    }

    /// Sends one request and answers the result as the server wrote it, so that one bad entry of
    /// a list does not cost the others.
    pub(crate) async fn request(
        &self,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, ServiceError> {
        let request = ClientRequest::CustomRequest(CustomRequest::new(method, Some(params)));
        let mut options = PeerRequestOptions::with_timeout(limit);
        options.max_total_timeout = Some(limit);
        let handle = self.peer.send_cancellable_request(request, options).await?;
        let result = handle.await_response().await?;
        serde_json::to_value(result).map_err(|_| ServiceError::UnexpectedResponse)
    }
}

/// Our side of the protocol: offers nothing, notes that tools changed.
pub(crate) struct Listener {
    tools_changed: Arc<Notify>,
}

impl ClientHandler for Listener {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        // Some servers publish skills only to clients that say they know them.
        let skills = [(SKILLS_EXTENSION_ID.to_owned(), serde_json::Map::new())];
        capabilities.extensions = Some(skills.into());
        ClientConfig::new(
            capabilities,
            Implementation::new("remit", env!("CARGO_PKG_VERSION")),
        )
    }
}

/// Opens a session within a time limit.
pub(crate) async fn open(target: &Target, limit: Duration) -> Result<(Session, Running), Failure> {
    let secrets = Secrets::of(&target.headers);
    let tools_changed = Arc::new(Notify::new());
    let listener = Listener {
        tools_changed: Arc::clone(&tools_changed),
    };
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let opened = match target.transport {
        Transport::StreamableHttp => {
            let transport = http(target)?;
            let opening = listener.serve_with_lifecycle(transport, lifecycle);
            tokio::time::timeout(limit, opening).await
        }
        Transport::Stdio => {
            let transport = program(target)?;
            let opening = listener.serve_with_lifecycle(transport, lifecycle);
            tokio::time::timeout(limit, opening).await
        }
        Transport::Sse | Transport::Unknown(_) => return Err(Failure::for_good(NO_SSE)),
    };
    let running = opened
        .map_err(|_| Failure::connect_timeout(&target.name, limit))?
        .map_err(|error| Failure::of_opening(&error, &secrets))?;
    let peer = running.peer().clone();
    peer.set_response_cache_config(ClientCacheConfig::disabled())
        .await;
    let info = peer
        .peer_info()
        .ok_or_else(|| Failure::new("The server did not say what it offers."))?;
    let session = Session {
        peer,
        info,
        secrets,
        tools_changed,
        reads: Semaphore::new(READS),
    };
    Ok((session, running))
}

fn http(target: &Target) -> Result<StreamableHttpClientTransport<reqwest13::Client>, Failure> {
    check_url(&target.url).map_err(Failure::for_good)?;
    // Once more in the spelling that is connected to.
    let spelled = reqwest13::Url::parse(&target.url)
        .map_err(|_| Failure::for_good("The address cannot be read."))?;
    check_url(spelled.as_str()).map_err(Failure::for_good)?;
    let mut headers = HashMap::new();
    for (name, value) in &target.headers {
        let refused = |_| Failure::for_good(format!("Header \"{name}\" cannot be sent."));
        let key = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| Failure::for_good(format!("Header \"{name}\" cannot be sent.")))?;
        let mut value = HeaderValue::from_bytes(value.as_bytes()).map_err(refused)?;
        value.set_sensitive(true);
        headers.insert(key, value);
    }
    // Only redirects within the server's own origin are followed: headers go nowhere else, and
    // no server can point at an address the guard refuses.
    // Fails when it is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest13::Client::builder()
        .redirect(within_origin())
        .connect_timeout(DIAL)
        .no_proxy()
        .build()
        .map_err(|error| Failure::new(format!("The HTTP client cannot be made: {error}")))?;
    let config = StreamableHttpClientTransportConfig::with_uri(spelled.as_str())
        .custom_headers(headers)
        .max_sse_event_size(MESSAGE_MAX)
        .max_json_response_size(MESSAGE_MAX)
        .max_error_response_size(ERROR_MAX);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// Follows redirects that keep method and body, a few times, and only to the server's own origin.
fn within_origin() -> Policy {
    Policy::custom(|attempt| {
        let keeps_body = matches!(attempt.status().as_u16(), 307 | 308);
        let same = attempt
            .previous()
            .first()
            .is_some_and(|first| first.origin() == attempt.url().origin());
        if keeps_body && same && attempt.previous().len() <= REDIRECTS_MAX {
            attempt.follow()
        } else {
            attempt.stop()
        }
    })
}

/// A child process in a group of its own, without the environment of this one.
fn program(target: &Target) -> Result<TokioChildProcess, Failure> {
    if !target.allow_stdio {
        return Err(Failure::for_good(NO_STDIO));
    }
    let Some((command, args)) = &target.program else {
        return Err(Failure::for_good("No program is registered."));
    };
    let path = std::env::var_os("PATH").unwrap_or_else(|| PATH_DEFAULT.into());
    let home = std::env::var_os("HOME").filter(|home| Path::new(home).is_dir());
    let mut wrapped = CommandWrap::with_new(command, |child| {
        child
            .args(args)
            .env_clear()
            .env("PATH", path)
            .env("HOME", home.unwrap_or_else(|| "/".into()));
    });
    wrapped.wrap(ProcessGroup::leader()).wrap(KillOnDrop);
    let (transport, _) = TokioChildProcess::builder(wrapped)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| {
            Failure::new(match error.kind() {
                std::io::ErrorKind::NotFound => "The program was not found.".to_owned(),
                kind => format!("The program cannot be started: {kind}."),
            })
        })?;
    Ok(transport)
}
