//! Signals that outlive their readers.
//!
//! The reactive graph takes a reader that is gone off a signal's list only when the signal changes
//! next, and off a memo's list never. Pages come and go over state that hardly changes, and each
//! would leave a piece of every effect it had. A lasting signal drops its readers when they end.

use std::ops::Deref;
use std::panic::Location;

use leptos::prelude::*;
use leptos::reactive::computed::ArcMemo;
use leptos::reactive::graph::{AnySource, AnySubscriber, Observer, Source, ToAnySource};
use leptos::reactive::traits::{IsDisposed, ReadUntracked};

/// See the module. It is read like the signal it wraps.
#[derive(Clone, Copy, Debug)]
pub struct Lasting<S>(S);

impl<S> From<S> for Lasting<S> {
    fn from(signal: S) -> Self {
        Self(signal)
    }
}

/// Everything but following it, such as writing, is the signal's own.
impl<S> Deref for Lasting<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

/// What keeps a list of readers.
pub trait Followed {
    /// The list; `None` once the signal is gone.
    fn source(&self) -> Option<AnySource>;
}

impl<T: Send + Sync + 'static> Followed for RwSignal<T> {
    fn source(&self) -> Option<AnySource> {
        (!self.is_disposed()).then(|| self.to_any_source())
    }
}

impl<T: Send + Sync + 'static> Followed for ReadSignal<T> {
    fn source(&self) -> Option<AnySource> {
        (!self.is_disposed()).then(|| self.to_any_source())
    }
}

impl<T: Send + Sync + 'static> Followed for Memo<T> {
    fn source(&self) -> Option<AnySource> {
        let present = self.try_read_untracked().is_some();
        present.then(|| ArcMemo::from(*self).to_any_source())
    }
}

impl<S: Followed + Track> Track for Lasting<S> {
    #[track_caller]
    fn track(&self) {
        self.0.track();
        if let Some(reader) = Observer::get()
            && let Some(source) = self.0.source()
        {
            leave_with_owner(source, reader);
        }
    }
}

/// While a reader runs, the current owner is its own: it is cleaned before the next run, which
/// follows anew, and when the reader is gone.
fn leave_with_owner(source: AnySource, reader: AnySubscriber) {
    on_cleanup(move || source.remove_subscriber(&reader));
}

impl<S: ReadUntracked> ReadUntracked for Lasting<S> {
    type Value = S::Value;

    #[track_caller]
    fn try_read_untracked(&self) -> Option<Self::Value> {
        self.0.try_read_untracked()
    }
}

impl<S: DefinedAt> DefinedAt for Lasting<S> {
    fn defined_at(&self) -> Option<&'static Location<'static>> {
        self.0.defined_at()
    }
}

/// A lasting signal in two halves: its module writes, and hands out what only reads.
pub struct Kept<T: Send + Sync + 'static> {
    /// The half to hand out.
    pub get: Lasting<ReadSignal<T>>,
    /// The half to keep.
    pub set: WriteSignal<T>,
}

impl<T: Send + Sync + 'static> Clone for Kept<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Kept<T> {}

impl<T: Send + Sync + 'static> Kept<T> {
    /// Begins with a value.
    pub fn new(value: T) -> Self {
        let (get, set) = signal(value);
        Self {
            get: get.into(),
            set,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Weak};

    use leptos::reactive::graph::{ReactiveNode, Subscriber, WithObserver};

    use super::*;

    /// Stands for an effect; a list of readers that holds it holds its memory.
    struct Reader;

    impl ReactiveNode for Reader {
        fn mark_dirty(&self) {}
        fn mark_check(&self) {}
        fn mark_subscribers_check(&self) {}
        fn update_if_necessary(&self) -> bool {
            false
        }
    }

    impl Subscriber for Reader {
        fn add_source(&self, _source: AnySource) {}
        fn clear_sources(&self, _subscriber: &AnySubscriber) {}
    }

    /// How many lists hold a reader while its page is open, and after that.
    fn held(signal: &impl Track) -> (usize, usize) {
        let page = Owner::new();
        let reader = Arc::new(Reader);
        let address = Arc::as_ptr(&reader) as usize;
        let subscriber = AnySubscriber(address, Arc::downgrade(&reader) as Weak<_>);
        page.with(|| subscriber.with_observer(|| signal.track()));
        drop(subscriber);
        let open = Arc::weak_count(&reader);
        page.cleanup();
        (open, Arc::weak_count(&reader))
    }

    #[test]
    fn no_reader_is_kept_after_its_end() {
        let owner = Owner::new();
        owner.set();
        let signal = RwSignal::new(1);
        let memo = Memo::new(move |_| signal.get());
        // Twice: by the list, and by what takes it off the list.
        assert_eq!(held(&Lasting::from(signal)), (2, 0));
        assert_eq!(held(&Lasting::from(memo)), (2, 0));
        assert_eq!(held(&Kept::new(1).get), (2, 0));
        // The day this fails the graph does it itself, and this module can go.
        assert_eq!(held(&signal), (1, 1));
    }
}
