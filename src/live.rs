//! The stream of changes made anywhere: connection state, reconnecting, and who listens.

use std::rc::Rc;

use contract::events::{ChangeEvent, ChangeKind};
use leptos::prelude::*;

use crate::browser::timer::Timer;
use crate::browser::{self, EventStream};
use crate::lasting::{Kept, Lasting};
use crate::reactive::effect;
use crate::session::{Account, SessionState};

/// Whether changes made elsewhere arrive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Connection {
    /// No stream yet.
    Connecting,
    /// Changes arrive.
    Live,
    /// They do not, since this instant (milliseconds since 1970).
    Lost(f64),
}

type Listener = Rc<dyn Fn(&ChangeEvent)>;

/// The one stream of the page.
#[derive(Clone, Copy)]
pub struct Live {
    connection: Kept<Connection>,
    stream: StoredValue<Option<EventStream>, LocalStorage>,
    listeners: StoredValue<Vec<(u64, Listener)>, LocalStorage>,
    next: StoredValue<u64>,
    attempts: StoredValue<u32>,
    /// The next attempt.
    timer: Timer,
    /// Letting go of a lost stream.
    letting_go: Timer,
    session: SessionState,
}

/// Waits before a new attempt, in milliseconds; the last one repeats.
const WAITS: [u64; 5] = [400, 1_000, 2_000, 4_000, 8_000];

impl Live {
    /// Connects whenever somebody is signed in.
    pub fn start(session: SessionState) -> Self {
        let live = Self {
            connection: Kept::new(Connection::Connecting),
            stream: StoredValue::new_local(None),
            listeners: StoredValue::new_local(Vec::new()),
            next: StoredValue::new(0),
            attempts: StoredValue::new(0),
            timer: Timer::new(),
            letting_go: Timer::new(),
            session,
        };
        let signed_in = Memo::new(move |_| {
            session
                .account()
                .with(|account| matches!(account, Account::In(_)))
        });
        effect(move || {
            if signed_in.get() {
                live.connect();
            } else {
                live.disconnect();
            }
        });
        browser::on_window("online", move |_| live.reconnect());
        browser::on_window("visibilitychange", move |_| {
            if browser::is_visible() {
                live.reconnect();
            }
        });
        browser::on_window("pageshow", move |_| live.reconnect());
        browser::on_window("offline", move |_| live.lose());
        live
    }

    /// Whether changes made elsewhere arrive.
    pub fn connection(self) -> Lasting<ReadSignal<Connection>> {
        self.connection.get
    }

    /// Calls `listener` with every change until the current owner is gone. A lost stretch is
    /// reported as one change of kind `reset`.
    pub fn on_change(self, listener: impl Fn(&ChangeEvent) + 'static) {
        let id = self.next.try_update_value(|next| {
            *next += 1;
            *next
        });
        let Some(id) = id else { return };
        self.listeners
            .update_value(|listeners| listeners.push((id, Rc::new(listener))));
        on_cleanup(move || {
            self.listeners
                .try_update_value(|listeners| listeners.retain(|(present, _)| *present != id));
        });
    }

    /// Tries again now, if the stream is lost.
    pub fn reconnect(self) {
        if matches!(self.connection.get.get_untracked(), Connection::Lost(_)) {
            self.attempts.set_value(0);
            self.connect();
        }
    }

    fn disconnect(self) {
        self.timer.stop();
        self.drop_stream();
        self.connection.set.set(Connection::Connecting);
    }

    fn connect(self) {
        self.timer.stop();
        self.drop_stream();
        let url = format!("{}api/events", browser::base_path());
        let stream = EventStream::open(
            &url,
            move |data| {
                if let Ok(event) = serde_json::from_str::<ChangeEvent>(&data) {
                    self.tell(&event);
                }
            },
            move || self.opened(),
            move || self.lose(),
        );
        self.stream.set_value(stream);
    }

    fn opened(self) {
        let was_lost = matches!(self.connection.get.get_untracked(), Connection::Lost(_));
        self.attempts.set_value(0);
        self.connection.set.set(Connection::Live);
        if was_lost {
            self.tell(&ChangeEvent {
                sequence: 0,
                kind: ChangeKind::Reset,
                resource_id: None,
                scope_type: None,
                scope_id: None,
                actor: None,
                at: String::new(),
            });
        }
    }

    fn lose(self) {
        if !matches!(self.connection.get.get_untracked(), Connection::Lost(_)) {
            self.connection.set.set(Connection::Lost(browser::now()));
        }
        self.timer.stop();
        let attempt = self.attempts.get_value();
        self.attempts.set_value(attempt.saturating_add(1));
        if attempt == 1 {
            self.session.refresh();
        }
        let wait = WAITS
            .get(attempt as usize)
            .or(WAITS.last())
            .copied()
            .unwrap_or(8_000);
        self.timer.start(wait, move || self.connect());
        // The stream is told of here by one of its own callbacks: let that return first.
        self.letting_go.start(0, move || {
            if matches!(self.connection.get.get_untracked(), Connection::Lost(_))
                && self.timer.is_waiting()
            {
                self.drop_stream();
            }
        });
    }

    fn drop_stream(self) {
        self.stream.update_value(|stream| drop(stream.take()));
    }

    fn tell(self, event: &ChangeEvent) {
        let listeners: Vec<Listener> = self.listeners.with_value(|listeners| {
            listeners
                .iter()
                .map(|(_, listener)| listener.clone())
                .collect()
        });
        for listener in listeners {
            listener(event);
        }
    }
}

/// The stream of the page.
pub fn use_live() -> Live {
    expect_context()
}
