//! One task per connection: opens the session, reads the tools, stores what it learns, reads again
//! when the server says so, and opens anew after failures, at growing distances.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contract::connections::{ConnectionState, ProtocolEra};
use contract::events::ChangeKind;
use rmcp::model::{ServerNotification, SubscriptionFilter};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::client::{Running, Session, Target, open};
use super::listing::{Listing, tools};
use super::{CALL, CONNECT, Failure};
use crate::clock;
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::connections::{self, Known, Stored};

/// How long to wait after the first, second, … failure in a row; the last goes on for ever.
const WAITS: [Duration; 5] = [
    Duration::from_secs(5),
    Duration::from_secs(15),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(15),
];
/// How often the tools are read again when the server says nothing: finds servers that went away
/// without a word.
const READ_EVERY: Duration = Duration::from_mins(5);
/// Least time between two readings that the server asked for.
const READ_DISTANCE: Duration = Duration::from_secs(2);
/// A session that lasted this long counts as working: the next failure is waited for shortly.
const STEADY: Duration = Duration::from_mins(1);
/// How long announcements are gathered before the first reading.
const GATHER: Duration = Duration::from_millis(200);
/// How long ending a session may take.
const END: Duration = Duration::from_secs(10);

/// What the rest of the server sees of a task.
#[derive(Default)]
struct Shown {
    state: Mutex<Option<ConnectionState>>,
    session: Mutex<Option<Arc<Session>>>,
}

impl Shown {
    fn set(&self, state: ConnectionState, session: Option<Arc<Session>>) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = session;
    }
}

type Done = oneshot::Sender<()>;

/// A task that keeps one session. Dropped, it ends in the background.
pub(crate) struct Supervised {
    shown: Arc<Shown>,
    again: mpsc::UnboundedSender<Done>,
    task: JoinHandle<()>,
}

impl Supervised {
    /// Starts the task.
    pub(super) fn start(state: AppState, stored: Stored, opening: Arc<Semaphore>) -> Self {
        let shown = Arc::new(Shown::default());
        shown.set(ConnectionState::Connecting, None);
        let (again, asked) = mpsc::unbounded_channel();
        let task = Task {
            state,
            stored,
            opening,
            shown: Arc::clone(&shown),
            asked,
            waiting: Vec::new(),
        };
        Self {
            shown,
            again,
            task: tokio::spawn(task.run()),
        }
    }

    pub(super) fn state(&self) -> ConnectionState {
        let state = self.shown.state.lock();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        state.clone().unwrap_or(ConnectionState::NotTried)
    }

    pub(super) fn session(&self) -> Option<Arc<Session>> {
        let session = self.shown.session.lock();
        session.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks for a new session and a new reading; the answer comes when that is done.
    pub(super) fn again(&self) -> oneshot::Receiver<()> {
        let (done, answer) = oneshot::channel();
        // A task that is gone drops the sender, which the receiver sees.
        let _ = self.again.send(done);
        answer
    }

    /// Ends the session and waits for it.
    pub(super) async fn end(self) {
        let Self { again, task, .. } = self;
        drop(again);
        let _ = task.await;
    }
}

/// What a server said of itself, in the words of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Learned {
    pub(crate) protocol_version: String,
    pub(crate) era: ProtocolEra,
    pub(crate) server_name: Option<String>,
    pub(crate) server_version: Option<String>,
    pub(crate) skills: bool,
    pub(crate) directory_read: bool,
}

/// Most characters of a server's own name and version that are kept.
const LABEL_MAX: usize = 200;

impl Learned {
    pub(super) fn of(session: &Session) -> Self {
        let cut = |text: &String| text.chars().take(LABEL_MAX).collect::<String>();
        let server = session.info.server_info.as_ref();
        Self {
            protocol_version: cut(&session.info.protocol_version.to_string()),
            era: session.era(),
            server_name: server.map(|server| cut(&server.name)),
            server_version: server.map(|server| cut(&server.version)),
            skills: session.info.capabilities.supports_skills(),
            directory_read: session.info.capabilities.supports_directory_read(),
        }
    }
}

/// How an attempt or a session ended.
enum End {
    /// Nobody holds the task any more.
    Unwanted,
    /// Someone asked for a new session.
    Again,
    Failed(Failure),
}

struct Task {
    state: AppState,
    stored: Stored,
    opening: Arc<Semaphore>,
    shown: Arc<Shown>,
    asked: mpsc::UnboundedReceiver<Done>,
    /// Who waits for the outcome of the running attempt.
    waiting: Vec<Done>,
}

impl Task {
    async fn run(mut self) {
        let mut failures = 0;
        loop {
            self.shown.set(ConnectionState::Connecting, None);
            let failure = match self.attempt(&mut failures).await {
                End::Unwanted => return,
                End::Again => continue,
                End::Failed(failure) => failure,
            };
            let outcome = Outcome::Failed(&failure);
            if let Err(error) = store(&self.state, &self.stored, outcome).await {
                tracing::error!(?error, "what is known of an MCP server cannot be stored");
            }
            // Whoever reads that it failed reads why.
            self.shown.set(ConnectionState::Failed, None);
            self.answer();
            let wait = WAITS.get(failures).or(WAITS.last()).copied();
            failures += 1;
            let pause = async {
                match wait.filter(|_| !failure.is_final) {
                    Some(wait) => sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                asked = self.asked.recv() => match asked {
                    None => return,
                    Some(done) => self.waiting.push(done),
                },
                () = pause => {}
            }
        }
    }

    fn answer(&mut self) {
        for done in self.waiting.drain(..) {
            // Whoever asked may have stopped waiting.
            let _ = done.send(());
        }
    }

    /// Opens a session and stays with it until it ends.
    async fn attempt(&mut self, failures: &mut usize) -> End {
        let (state, stored) = (self.state.clone(), self.stored.clone());
        let places = Arc::clone(&self.opening);
        let opening = async move {
            // The place is given back when the session is open, not when it ends.
            let place = places.acquire().await;
            let target = target(&state, &stored).await.map_err(|error| {
                tracing::error!(?error, "an MCP connection cannot be read");
                Failure::new("The connection's registration cannot be read.")
            })?;
            let opened = open(&target, CONNECT).await;
            drop(place);
            opened
        };
        match wanted(opening, &mut self.asked, &mut self.waiting).await {
            None => End::Unwanted,
            Some(Err(failure)) => End::Failed(failure),
            Some(Ok((session, running))) => self.stay(Arc::new(session), running, failures).await,
        }
    }

    async fn stay(
        &mut self,
        session: Arc<Session>,
        mut running: Running,
        failures: &mut usize,
    ) -> End {
        let begun = Instant::now();
        let end = self.follow(&session, &mut running).await;
        // A server that fails right after each opening is not asked more and more often.
        if begun.elapsed() > STEADY {
            *failures = 0;
        }
        self.shown.set(ConnectionState::Connecting, None);
        let _ = running.close_with_timeout(END).await;
        end
    }

    /// Reads the tools now and whenever there is reason to.
    async fn follow(&mut self, session: &Arc<Session>, running: &mut Running) -> End {
        let opening = Announcements::of(session);
        let Some(mut announced) = wanted(opening, &mut self.asked, &mut self.waiting).await else {
            return End::Unwanted;
        };
        loop {
            let reading = tools(session, CALL);
            match wanted(reading, &mut self.asked, &mut self.waiting).await {
                None => return End::Unwanted,
                Some(Err(failure)) => return End::Failed(failure),
                Some(Ok(listing)) => {
                    self.shown
                        .set(ConnectionState::Connected, Some(Arc::clone(session)));
                    let outcome = Outcome::Read(&Learned::of(session), &listing);
                    if let Err(error) = store(&self.state, &self.stored, outcome).await {
                        tracing::error!(?error, "what is known of an MCP server cannot be stored");
                    }
                    self.answer();
                }
            }
            let read_at = Instant::now();
            let announcement = async {
                announced.next(session).await;
                sleep(GATHER).await;
                sleep_until(read_at + READ_DISTANCE).await;
            };
            tokio::select! {
                asked = self.asked.recv() => return match asked {
                    None => End::Unwanted,
                    Some(done) => {
                        self.waiting.push(done);
                        End::Again
                    }
                },
                () = closed(running) => {
                    return End::Failed(Failure::new("The server closed the connection."));
                }
                () = announcement => {}
                () = sleep(READ_EVERY) => {}
            }
        }
    }
}

/// Does work while the task is wanted; whoever asks for a new session meanwhile waits for this
/// work's outcome. `None` when nobody holds the task any more.
async fn wanted<T>(
    work: impl Future<Output = T>,
    asked: &mut mpsc::UnboundedReceiver<Done>,
    waiting: &mut Vec<Done>,
) -> Option<T> {
    let gone = async {
        while let Some(done) = asked.recv().await {
            waiting.push(done);
        }
    };
    tokio::select! {
        outcome = work => Some(outcome),
        () = gone => None,
    }
}

/// Returns when the session has ended by itself.
async fn closed(running: &Running) {
    while !running.is_closed() && !running.peer().is_transport_closed() {
        sleep(Duration::from_millis(500)).await;
    }
}

/// The two ways in which servers say that their tools changed.
struct Announcements(Option<rmcp::service::Subscription>);

impl Announcements {
    async fn of(session: &Session) -> Self {
        let announces = session.info.capabilities.tools.as_ref();
        let announces = announces.is_some_and(|tools| tools.list_changed == Some(true));
        if !announces || session.era() != ProtocolEra::Discover {
            return Self(None);
        }
        let wanted = SubscriptionFilter::builder().tools_list_changed().build();
        // Without the stream the list is still read every few minutes.
        let opened = timeout(CONNECT, session.peer.listen(wanted)).await;
        Self(opened.ok().and_then(Result::ok))
    }

    async fn next(&mut self, session: &Session) {
        let told = async {
            let Some(subscription) = &mut self.0 else {
                return std::future::pending().await;
            };
            loop {
                match subscription.next().await {
                    Ok(Some(ServerNotification::ToolListChangedNotification(_))) => return,
                    Ok(Some(_)) => {}
                    // The stream is over; the regular reading goes on.
                    Ok(None) | Err(_) => {
                        self.0 = None;
                        return std::future::pending().await;
                    }
                }
            }
        };
        tokio::select! {
            () = told => {}
            () = session.tools_changed.notified() => {}
        }
    }
}

/// What to open for a connection, with its headers.
pub(crate) async fn target(state: &AppState, stored: &Stored) -> Result<Target, ApiError> {
    let row = &stored.connection;
    let mut reading = state.store.read().await?;
    Ok(Target {
        name: row.name.clone(),
        transport: row.transport.clone(),
        url: row.url.clone(),
        program: stored.program.clone(),
        headers: connections::headers(&mut reading, row.id.as_str()).await?,
        allow_stdio: state.settings.allow_stdio_mcp,
    })
}

/// What an attempt brought.
pub(crate) enum Outcome<'a> {
    Read(&'a Learned, &'a Listing),
    Failed(&'a Failure),
}

/// Stores what an attempt brought, and tells listeners if that changes what they see. An attempt
/// with an older registration leaves no trace.
pub(crate) async fn store(
    state: &AppState,
    stored: &Stored,
    outcome: Outcome<'_>,
) -> Result<(), ApiError> {
    let id = stored.connection.id.as_str();
    let mut writing = state.store.write().await?;
    let current = connections::find(&mut writing, &stored.user_id, id).await?;
    let Some(current) = current.filter(|current| current.registration == stored.registration)
    else {
        return Ok(());
    };
    let now = clock::stamp();
    let tells = match outcome {
        Outcome::Failed(failure) => {
            let tells = current.connection.last_error.as_ref() != Some(&failure.text);
            if tells {
                connections::save_failure(&mut writing, id, &failure.text, now).await?;
            }
            tells
        }
        Outcome::Read(learned, listing) => {
            let known = Known {
                protocol_version: &learned.protocol_version,
                era: &learned.era,
                server_name: learned.server_name.as_deref(),
                server_version: learned.server_version.as_deref(),
                skills: learned.skills,
                directory_read: learned.directory_read,
                truncated: listing.truncated,
            };
            connections::save_known(&mut writing, id, &known, &listing.tools, now).await?;
            true
        }
    };
    if tells {
        let kind = ChangeKind::McpConnection;
        crate::operations::announce(&mut writing, &stored.user_id, kind, id, now).await?;
        state.commit(writing).await?;
    }
    Ok(())
}
