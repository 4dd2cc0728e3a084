//! The queue of writes to one agent's grant row: a pure state machine, so that it can be tested
//! without a browser. One write is on its way at a time; later intents wait, replace what they
//! contradict, and are planned against the row as it is when their turn comes.

use std::collections::VecDeque;

use contract::grants::GrantContent;
use contract::rules::edit;
use contract::rules::explain::AgentView;
use contract::rules::permissions::Flag;

/// A tool an intent names, with the flag that gates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// The flag without which it is never assembled.
    pub gate: Option<Flag>,
}

/// What an operator wants of the agent's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Turn tools on or off.
    Switch {
        /// Which tools.
        tools: Vec<Target>,
        /// On or off.
        on: bool,
    },
    /// Put other content in place of the whole row; `None` deletes it.
    Replace(Option<GrantContent>),
    /// Take a write back: restore `before` while the row still is `after`, else do `otherwise`.
    Undo {
        /// The row before the write.
        before: Option<GrantContent>,
        /// The row the write left.
        after: Option<GrantContent>,
        /// What to do when somebody changed the row since; nothing if `None`.
        otherwise: Option<Box<Intent>>,
    },
}

impl Intent {
    /// The names of the tools it is about; empty when it is about the row.
    pub fn tools(&self) -> &[Target] {
        match self {
            Self::Switch { tools, .. } => tools,
            Self::Undo {
                otherwise: Some(intent),
                ..
            } => intent.tools(),
            Self::Replace(_)
            | Self::Undo {
                otherwise: None, ..
            } => &[],
        }
    }

    /// Whether `later` makes this one pointless: it decides about all of the same tools, or about
    /// the whole row.
    fn superseded_by(&self, later: &Self) -> bool {
        match (self, later) {
            (_, Self::Replace(_)) => true,
            (Self::Switch { tools, .. }, Self::Switch { tools: newer, .. }) => tools
                .iter()
                .all(|tool| newer.iter().any(|other| other.name == tool.name)),
            _ => false,
        }
    }
}

/// What an intent comes to for the row as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The row already says it.
    Nothing,
    /// Store this.
    Put(GrantContent),
    /// Delete the row.
    Delete,
    /// It cannot be done; the sentence says why.
    Refused(String),
}

/// Plans an intent against the present view.
pub fn plan(view: &AgentView, intent: &Intent) -> Plan {
    match intent {
        Intent::Switch { tools, on } => {
            let named: Vec<(&str, Option<&Flag>)> = tools
                .iter()
                .map(|tool| (tool.name.as_str(), tool.gate.as_ref()))
                .collect();
            let edit = edit::toggle(view, &named, *on);
            match (
                edit.is_change,
                edit.changed.is_empty(),
                edit.skipped.first(),
            ) {
                (true, _, _) => Plan::Put(edit.content),
                (false, true, Some((_, obstacle))) => Plan::Refused(obstacle.sentence(view)),
                (false, _, _) => Plan::Nothing,
            }
        }
        Intent::Replace(wanted) => replace(view.agent_content(), wanted.as_ref()),
        Intent::Undo {
            before,
            after,
            otherwise,
        } => {
            if view.agent_content() == after.as_ref() {
                replace(view.agent_content(), before.as_ref())
            } else {
                otherwise.as_deref().map_or(
                    Plan::Refused(
                        "The row was changed elsewhere since, so it was left as it is.".to_owned(),
                    ),
                    |intent| plan(view, intent),
                )
            }
        }
    }
}

fn replace(present: Option<&GrantContent>, wanted: Option<&GrantContent>) -> Plan {
    match wanted {
        _ if present == wanted => Plan::Nothing,
        None => Plan::Delete,
        Some(content) => Plan::Put(content.clone()),
    }
}

/// The view as it would be once the plan is carried out.
fn after(view: &AgentView, plan: &Plan) -> Option<AgentView> {
    match plan {
        Plan::Nothing | Plan::Refused(_) => None,
        Plan::Put(content) => Some(view.with_agent_row(Some(content))),
        Plan::Delete => Some(view.with_agent_row(None)),
    }
}

/// An intent that waits or is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Identifies it.
    pub id: u64,
    /// What is wanted.
    pub intent: Intent,
}

/// An intent whose write was refused. It stays until it is retried or dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Identifies it.
    pub id: u64,
    /// What was wanted.
    pub intent: Intent,
    /// Why it was refused, for people.
    pub said: String,
    /// Its answer was lost and nothing could be read since: it may be stored all the same.
    pub unsure: bool,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    entries: VecDeque<Entry>,
    writing: bool,
    refusals: Vec<Refusal>,
    next: u64,
}

impl Refusal {
    /// What to call it.
    pub fn heading(&self) -> &'static str {
        refusal_heading(self.unsure)
    }
}

/// What to call a write that was refused, or that nothing is known about.
pub fn refusal_heading(unsure: bool) -> &'static str {
    if unsure {
        "Not known whether it was saved."
    } else {
        "Not saved."
    }
}

impl Queue {
    /// Adds an intent. Waiting ones that it contradicts are dropped; the one being written is not
    /// touched. Earlier refusals about the same tools are forgotten.
    pub fn push(&mut self, intent: Intent) {
        let first_waiting = usize::from(self.writing);
        let mut place = 0;
        self.entries.retain(|entry| {
            let keep = place < first_waiting || !entry.intent.superseded_by(&intent);
            place += 1;
            keep
        });
        self.refusals
            .retain(|refusal| !refusal.intent.superseded_by(&intent));
        self.next += 1;
        self.entries.push_back(Entry {
            id: self.next,
            intent,
        });
    }

    /// Takes the next intent to write, unless one is on its way.
    pub fn begin(&mut self) -> Option<Entry> {
        if self.writing {
            return None;
        }
        let entry = self.entries.front().cloned()?;
        self.writing = true;
        Some(entry)
    }

    /// The write that was begun is stored.
    pub fn succeed(&mut self) {
        self.writing = false;
        self.entries.pop_front();
    }

    /// The write that was begun was refused; `unsure` when it may be stored all the same.
    pub fn refuse(&mut self, said: String, unsure: bool) {
        self.writing = false;
        if let Some(Entry { id, intent }) = self.entries.pop_front() {
            self.refusals.push(Refusal {
                id,
                intent,
                said,
                unsure,
            });
        }
    }

    /// Whether a refusal asks for what the truth holds meanwhile.
    pub fn is_moot(&self, truth: &AgentView) -> bool {
        self.refusals
            .iter()
            .any(|refusal| plan(truth, &refusal.intent) == Plan::Nothing)
    }

    /// Forgets refusals that ask for what the truth holds meanwhile.
    pub fn drop_moot(&mut self, truth: &AgentView) {
        self.refusals
            .retain(|refusal| plan(truth, &refusal.intent) != Plan::Nothing);
    }

    /// The write that was begun could not be made now (the session ended); it waits again.
    pub fn postpone(&mut self) {
        self.writing = false;
    }

    /// Takes a refusal back into the queue.
    pub fn retry(&mut self, id: u64) {
        if let Some(place) = self.refusals.iter().position(|refusal| refusal.id == id) {
            let refusal = self.refusals.remove(place);
            self.push(refusal.intent);
        }
    }

    /// Forgets a refusal.
    pub fn dismiss(&mut self, id: u64) {
        self.refusals.retain(|refusal| refusal.id != id);
    }

    /// Whether nothing waits and nothing is being written.
    pub fn is_idle(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a tool waits for its write.
    pub fn is_busy(&self, tool: &str) -> bool {
        self.entries.iter().any(|entry| {
            entry
                .intent
                .tools()
                .iter()
                .any(|target| target.name == tool)
        })
    }

    /// The refusal to show on a tool's row.
    pub fn refusal_of(&self, tool: &str) -> Option<&Refusal> {
        self.refusals.iter().find(|refusal| {
            refusal
                .intent
                .tools()
                .iter()
                .any(|target| target.name == tool)
        })
    }

    /// Refusals that are about the row and no tool.
    pub fn row_refusals(&self) -> impl Iterator<Item = &Refusal> {
        self.refusals
            .iter()
            .filter(|refusal| refusal.intent.tools().is_empty())
    }

    /// What to show: the truth with everything that waits carried out on it.
    pub fn shown(&self, truth: &AgentView) -> AgentView {
        self.entries.iter().fold(truth.clone(), |view, entry| {
            after(&view, &plan(&view, &entry.intent)).unwrap_or(view)
        })
    }
}
