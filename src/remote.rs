//! A read of the control plane that stays on screen: the last good answer, the last failure and
//! whether a newer one is on its way. Late answers of older requests are dropped, and a request
//! that hangs never holds up the next one.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use crate::api::ApiError;
use crate::browser;
use crate::lasting::{Kept, Lasting};
use crate::reactive::{effect, spawn};
use crate::session::{SessionState, use_session};
use leptos::prelude::*;

type Fetch<T> = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<T, ApiError>>>>>;

/// What is known about a read apart from its answer. It does not depend on the type of the answer,
/// so that its code exists once.
#[derive(Clone, Copy)]
struct Progress {
    failure: Kept<Option<ApiError>>,
    pending: Kept<bool>,
    updated: Kept<Option<f64>>,
    generation: StoredValue<u64>,
    session: SessionState,
}

impl Progress {
    fn start() -> Self {
        Self {
            failure: Kept::new(None),
            pending: Kept::new(false),
            updated: Kept::new(None),
            generation: StoredValue::new(0),
            session: use_session(),
        }
    }

    /// Begins a read: its number, or nothing when the page is gone.
    fn begin(self) -> Option<u64> {
        let ticket = self.generation.try_update_value(|generation| {
            *generation += 1;
            *generation
        })?;
        self.pending.set.try_set(true);
        Some(ticket)
    }

    /// Ends a read, and says whether its outcome is the latest one and belongs on screen.
    fn end(self, ticket: u64, failure: Option<&ApiError>) -> bool {
        self.session.notice(failure);
        let latest = self.generation.try_get_value() == Some(ticket);
        if latest {
            self.pending.set.try_set(false);
            if failure.is_some() {
                self.failure.set.try_set(failure.cloned());
            }
        }
        latest
    }

    fn was_begun(self) -> bool {
        self.generation
            .try_get_value()
            .is_some_and(|generation| generation > 0)
    }

    /// Makes answers that are still on their way late.
    fn overtake(self) {
        self.generation
            .try_update_value(|generation| *generation += 1);
        self.pending.set.try_set(false);
    }

    /// Notes that a good answer came.
    fn succeeded(self) {
        self.failure.set.try_set(None);
        self.updated.set.try_set(Some(browser::now()));
    }
}

/// See the module.
pub struct Remote<T: Send + Sync + 'static> {
    value: Kept<Option<T>>,
    fetch: StoredValue<Fetch<T>, LocalStorage>,
    progress: Progress,
}

impl<T: Send + Sync + 'static> Clone for Remote<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Remote<T> {}

impl<T: Clone + Send + Sync + 'static> Remote<T> {
    /// Describes a read and starts it. It is repeated when an ended session was renewed.
    pub fn new<F, Answer>(fetch: F) -> Self
    where
        F: Fn() -> Answer + 'static,
        Answer: Future<Output = Result<T, ApiError>> + 'static,
    {
        let remote = Self::idle(fetch);
        let renewed = remote.progress.session.renewed();
        effect(move || {
            renewed.track();
            remote.reload();
        });
        remote
    }

    /// Describes a read that begins when something on screen wants it first. From then on it is
    /// repeated when an ended session was renewed.
    pub fn on_demand<F, Answer>(fetch: F) -> Self
    where
        F: Fn() -> Answer + 'static,
        Answer: Future<Output = Result<T, ApiError>> + 'static,
    {
        let remote = Self::idle(fetch);
        let renewed = remote.progress.session.renewed();
        effect(move || {
            renewed.track();
            remote.refresh();
        });
        remote
    }

    /// Begins a read that was only described so far.
    pub fn want(self) {
        if !self.progress.was_begun() {
            self.reload();
        }
    }

    /// Reads again what was read before, and leaves alone what nobody wanted yet.
    pub fn refresh(self) {
        if self.progress.was_begun() {
            self.reload();
        }
    }

    /// Describes a read without starting it: its first value comes from another answer.
    pub fn idle<F, Answer>(fetch: F) -> Self
    where
        F: Fn() -> Answer + 'static,
        Answer: Future<Output = Result<T, ApiError>> + 'static,
    {
        let fetch: Fetch<T> = Rc::new(move || Box::pin(fetch()));
        Self {
            value: Kept::new(None),
            fetch: StoredValue::new_local(fetch),
            progress: Progress::start(),
        }
    }

    /// Reads again; what is on screen stays until the answer is there.
    pub fn reload(self) {
        spawn(async move {
            drop(self.read().await);
        });
    }

    /// Reads again and hands the outcome to the caller as well.
    pub async fn read(self) -> Option<Result<T, ApiError>> {
        let fetch = self.fetch.try_get_value()?;
        let ticket = self.progress.begin()?;
        let outcome = fetch().await;
        if self.progress.end(ticket, outcome.as_ref().err())
            && let Ok(value) = &outcome
        {
            self.set(value.clone());
        }
        Some(outcome)
    }

    /// Puts a value in place that the server just confirmed in another answer, and drops answers
    /// that are still on their way.
    pub fn confirm(self, value: T) {
        self.progress.overtake();
        self.set(value);
    }

    fn set(self, value: T) {
        self.value.set.try_set(Some(value));
        self.progress.succeeded();
    }

    /// The last good answer.
    pub fn value(self) -> Lasting<ReadSignal<Option<T>>> {
        self.value.get
    }

    /// The last good answer, without following it.
    pub fn now(self) -> Option<T> {
        self.value.get.try_get_untracked().flatten()
    }

    /// Why the latest read failed; cleared by the next good answer.
    pub fn failure(self) -> Lasting<ReadSignal<Option<ApiError>>> {
        self.progress.failure.get
    }

    /// Whether a read is on its way.
    pub fn pending(self) -> Lasting<ReadSignal<bool>> {
        self.progress.pending.get
    }

    /// When the last good answer came, in milliseconds since 1970.
    pub fn updated(self) -> Lasting<ReadSignal<Option<f64>>> {
        self.progress.updated.get
    }
}

/// Waits for several answers at once; they come in the order of the questions.
pub async fn together<T, Answer>(answers: impl IntoIterator<Item = Answer>) -> Vec<T>
where
    Answer: Future<Output = T>,
{
    let mut waiting: Vec<(Pin<Box<Answer>>, Option<T>)> = answers
        .into_iter()
        .map(|answer| (Box::pin(answer), None))
        .collect();
    std::future::poll_fn(|context| {
        let mut all = true;
        for (answer, value) in &mut waiting {
            if value.is_none() {
                match answer.as_mut().poll(context) {
                    Poll::Ready(done) => *value = Some(done),
                    Poll::Pending => all = false,
                }
            }
        }
        if all { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    waiting.into_iter().filter_map(|(_, value)| value).collect()
}
