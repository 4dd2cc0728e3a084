//! The live stream of an account's changes (Remit only): server-sent events with ids, replay
//! after `Last-Event-ID`, and a heartbeat.

use std::convert::Infallible;
use std::future::pending;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use contract::UserId;
use contract::events::{ChangeEvent, ChangeKind};
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::watch;

use crate::clock::{self, iso};
use crate::credentials::{Caller, Credential, is_in_force};
use crate::error::ApiError;
use crate::live::StreamPlace;
use crate::request::Query;
use crate::state::AppState;
use crate::store::activity;

/// How often a comment is sent when nothing happens.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Changes read at a time.
const BATCH: u32 = 100;

/// `GET /api/events`.
pub(super) async fn stream(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query,
) -> Result<Response, ApiError> {
    let place = state
        .live
        .open_stream(&caller.user_id)
        .ok_or(ApiError::TooManyRequests)?;
    let seen = last_event_id(&headers, &query);
    // Subscribed before the first read, so that no change falls between the two.
    let changes = state.live.subscribe(&caller.user_id);
    let (latest, oldest) = {
        let mut reading = state.store.read().await?;
        activity::sequences(&mut reading, &caller.user_id).await?
    };
    let start = Start::new(seen, latest, oldest);
    let following = Following {
        stopping: state.stopping(),
        revocations: state.credentials.revocations(),
        state,
        user: caller.user_id,
        credential: caller.credential,
        changes,
        sent: start.after,
        queue: start.messages.into(),
        _place: place,
    };
    let events = stream::unfold(following, |mut following| async move {
        let event = following.next().await?;
        Some((Ok::<Event, Infallible>(event), following))
    });
    Ok(answer(events))
}

fn answer(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    let mut response = Sse::new(events)
        .keep_alive(KeepAlive::new().interval(HEARTBEAT).text("still here"))
        .into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies must pass each message on at once.
    headers.insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    response
}

/// What the client saw last: the header a reconnecting browser sends, or the query parameter for
/// clients that open a new stream.
fn last_event_id(
    headers: &HeaderMap,
    query: &serde_json::Map<String, Value>,
) -> Option<Result<u64, ()>> {
    let header = headers
        .get("last-event-id")
        .map(|value| value.to_str().unwrap_or("?"));
    let given = header.or_else(|| query.get("lastEventId").and_then(Value::as_str));
    given
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().map_err(|_| ()))
}

/// Where a stream begins.
struct Start {
    after: u64,
    messages: Vec<Event>,
}

impl Start {
    fn new(seen: Option<Result<u64, ()>>, latest: u64, oldest: Option<u64>) -> Self {
        // Sets the id of the client without an event, so that it can resume from here.
        let hello = |id: u64| Event::default().id(id.to_string()).comment("connected");
        let stored_after = oldest.map_or(latest, |oldest| oldest.saturating_sub(1));
        match seen {
            None => Self {
                after: latest,
                messages: vec![hello(latest)],
            },
            Some(Ok(seen)) if (stored_after..=latest).contains(&seen) => Self {
                after: seen,
                messages: vec![hello(seen)],
            },
            // The gap is no longer stored, or the number was never given out.
            Some(_) => Self {
                after: latest,
                messages: vec![hello(latest), message(&reset(latest))],
            },
        }
    }
}

fn reset(sequence: u64) -> ChangeEvent {
    ChangeEvent {
        sequence,
        kind: ChangeKind::Reset,
        resource_id: None,
        scope_type: None,
        scope_id: None,
        actor: None,
        at: iso(clock::now()),
    }
}

fn message(change: &ChangeEvent) -> Event {
    let event = Event::default()
        .id(change.sequence.to_string())
        .event("change");
    match serde_json::to_string(change) {
        Ok(data) => event.data(data),
        // Cannot happen for this type; a message without data is dropped by clients.
        Err(_) => event,
    }
}

/// An open stream.
struct Following {
    state: AppState,
    user: UserId,
    credential: Credential,
    changes: watch::Receiver<u64>,
    revocations: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    sent: u64,
    queue: std::collections::VecDeque<Event>,
    _place: StreamPlace,
}

impl Following {
    /// The next message; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if *self.stopping.borrow() || !self.is_allowed().await {
                return None;
            }
            self.changes.borrow_and_update();
            self.fetch().await.ok()?;
            if self.queue.is_empty() {
                self.wait().await?;
            }
        }
    }

    async fn fetch(&mut self) -> Result<(), ApiError> {
        let mut reading = self.state.store.read().await?;
        let (_, oldest) = activity::sequences(&mut reading, &self.user).await?;
        let changes = activity::changes_after(&mut reading, &self.user, self.sent, BATCH).await?;
        if oldest.is_some_and(|oldest| oldest > self.sent + 1) {
            // A client so slow that what it misses was removed meanwhile.
            let latest = changes.last().map_or(self.sent, |change| change.sequence);
            self.queue.push_back(message(&reset(latest)));
            self.sent = latest;
            return Ok(());
        }
        if let Some(last) = changes.last() {
            self.sent = last.sequence;
        }
        self.queue.extend(changes.iter().map(message));
        Ok(())
    }

    /// Waits for a change, the end of a credential, or the end of the server.
    async fn wait(&mut self) -> Option<()> {
        let left = self.credential.expires_at.map(|expires_at| {
            let left = expires_at.saturating_sub(clock::now()).max(0);
            Duration::from_millis(u64::try_from(left).unwrap_or_default())
        });
        let expiry = async {
            match left {
                Some(left) => tokio::time::sleep(left).await,
                None => pending().await,
            }
        };
        tokio::select! {
            changed = self.changes.changed() => changed.ok(),
            stopped = self.stopping.changed() => stopped.ok(),
            () = expiry => Some(()),
            revoked = self.revocations.changed() => revoked.ok(),
        }
    }

    async fn is_allowed(&mut self) -> bool {
        // Marked as seen first: a revocation during the look-up wakes the next wait.
        self.revocations.borrow_and_update();
        is_in_force(&self.state, &self.credential)
            .await
            .unwrap_or_default()
    }
}
