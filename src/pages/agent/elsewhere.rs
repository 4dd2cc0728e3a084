//! Marks the tools whose verdict was changed elsewhere: a person who looks at the list sees for a
//! moment what moved, and hears it once.

use std::collections::BTreeSet;
use std::sync::Arc;

use contract::rules::difference::difference;
use contract::rules::explain::AgentView;
use leptos::prelude::*;

use super::catalog::ToolInfo;
use super::settings::flag_queue::FlagQueue;
use super::settings::flag_writes::Flags;
use super::state::AgentState;
use crate::browser::timer::Timer;
use crate::components::announce::{Announcer, use_announcer};
use crate::edits::Queue;
use crate::reactive::follow;

/// How long a mark stays, in milliseconds.
const STAYS: u64 = 3_000;
/// How far apart changes may be that are told as one, in milliseconds.
const BATCH: u64 = 500;

/// What is stored, and what this page wants to be.
struct Seen {
    truth: Arc<AgentView>,
    catalog: Arc<Vec<ToolInfo>>,
    queue: Queue,
    flags: FlagQueue,
}

impl Seen {
    /// What is known now; nothing until the stored rows are, without which a view is a guess.
    fn now(state: AgentState, flags: Flags) -> Option<Self> {
        let queue = state.queue.get();
        let flags = flags.queue.get();
        let truth = state.truth.get()?;
        let catalog = state.catalog.get();
        let is_known = state.rows.value().with(Option::is_some);
        is_known.then_some(Self {
            truth,
            catalog,
            queue,
            flags,
        })
    }

    fn shown(&self) -> AgentView {
        let flags = self.flags.shown(self.truth.permissions());
        self.queue.shown(&self.truth).with_permissions(flags)
    }

    /// The tools that stand otherwise than before although this page did not want it: its own
    /// wishes are in what was shown already.
    fn changed_since(&self, before: &Self) -> Vec<String> {
        if self.truth == before.truth {
            return Vec::new();
        }
        let (was, is) = (before.shown(), self.shown());
        if was == is {
            return Vec::new();
        }
        let known: Option<BTreeSet<&str>> =
            (!Arc::ptr_eq(&self.catalog, &before.catalog)).then(|| {
                before
                    .catalog
                    .iter()
                    .map(|tool| tool.name.as_str())
                    .collect()
            });
        let tools = self
            .catalog
            .iter()
            .map(|tool| (tool.name.as_str(), tool.gate.as_ref()))
            .filter(|(name, _)| known.as_ref().is_none_or(|known| known.contains(name)))
            // A write of this page that was given up may land late.
            .filter(|(name, gate)| {
                before.queue.refusal_of(name).is_none()
                    && gate.is_none_or(|flag| before.flags.refusal_of(flag).is_none())
            });
        difference(&was, &is, tools)
            .into_iter()
            .map(|change| change.name)
            .collect()
    }
}

/// Starts marking for the agent page around the caller.
pub fn mark_changes(state: AgentState, flags: Flags) {
    let announcer = use_announcer();
    let marks = Timer::new();
    let batch = Timer::new();
    // What is told may be more than what is still marked.
    let news = StoredValue::new(BTreeSet::<String>::new());
    follow(move |before: Option<Option<Seen>>| {
        let now = Seen::now(state, flags);
        let changed = match (before.flatten(), &now) {
            (Some(before), Some(now)) => now.changed_since(&before),
            _ => Vec::new(),
        };
        if !changed.is_empty() {
            news.update_value(|news| news.extend(changed.iter().cloned()));
            let marked = state.recently_changed;
            marked.update(|marked| marked.extend(changed));
            marks.start(STAYS, move || {
                marked.try_update(BTreeSet::clear);
            });
            batch.start(BATCH, move || {
                let news = news.try_update_value(std::mem::take).unwrap_or_default();
                tell(announcer, &news);
            });
        }
        now
    });
}

fn tell(announcer: Announcer, news: &BTreeSet<String>) {
    match (news.first(), news.len()) {
        (None, _) => {}
        (Some(name), 1) => announcer.say(format!("{name} changed elsewhere")),
        (Some(_), many) => announcer.say(format!("{many} tools changed elsewhere")),
    }
}
