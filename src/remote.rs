//! A read of the control plane that stays on screen: the last good answer, the last failure and
//! whether a newer one is on its way. Late answers of older requests are dropped, and a request
//! that hangs never holds up the next one.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::api::ApiError;
use crate::lasting::{Kept, Lasting};
use crate::session::{SessionState, use_session};

type Fetch<T> = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<T, ApiError>>>>>;

/// See the module.
pub struct Remote<T: Send + Sync + 'static> {
    value: Kept<Option<T>>,
    failure: Kept<Option<ApiError>>,
    pending: Kept<bool>,
    updated: Kept<Option<f64>>,
    generation: StoredValue<u64>,
    fetch: StoredValue<Fetch<T>, LocalStorage>,
    session: SessionState,
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
        let renewed = remote.session.renewed();
        Effect::new(move |_| {
            renewed.track();
            remote.reload();
        });
        remote
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
            failure: Kept::new(None),
            pending: Kept::new(false),
            updated: Kept::new(None),
            generation: StoredValue::new(0),
            fetch: StoredValue::new_local(fetch),
            session: use_session(),
        }
    }

    /// Reads again; what is on screen stays until the answer is there.
    pub fn reload(self) {
        spawn_local(async move {
            drop(self.read().await);
        });
    }

    /// Reads again and hands the outcome to the caller as well.
    pub async fn read(self) -> Option<Result<T, ApiError>> {
        let fetch = self.fetch.try_get_value()?;
        let ticket = self.generation.try_update_value(|generation| {
            *generation += 1;
            *generation
        })?;
        self.pending.set.try_set(true);
        let outcome = self.session.watch(fetch().await);
        if self.generation.try_get_value() == Some(ticket) {
            self.pending.set.try_set(false);
            match &outcome {
                Ok(value) => self.set(value.clone()),
                Err(error) => {
                    self.failure.set.try_set(Some(error.clone()));
                }
            }
        }
        Some(outcome)
    }

    /// Puts a value in place that the server just confirmed in another answer, and drops answers
    /// that are still on their way.
    pub fn confirm(self, value: T) {
        self.generation
            .try_update_value(|generation| *generation += 1);
        self.pending.set.try_set(false);
        self.set(value);
    }

    fn set(self, value: T) {
        self.value.set.try_set(Some(value));
        self.failure.set.try_set(None);
        self.updated.set.try_set(Some(crate::browser::now()));
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
        self.failure.get
    }

    /// Whether a read is on its way.
    pub fn pending(self) -> Lasting<ReadSignal<bool>> {
        self.pending.get
    }

    /// When the last good answer came, in milliseconds since 1970.
    pub fn updated(self) -> Lasting<ReadSignal<Option<f64>>> {
        self.updated.get
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
