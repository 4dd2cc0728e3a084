//! The reads a preview needs: the chain of every agent that may be below the scope, a few at a
//! time, and the tools there are. A chain that the rules here fold differently than the control
//! plane did counts as unknown.

use std::collections::BTreeMap;

use contract::grants::{GrantContent, GrantRow, ResolvedGrants, Scope};
use contract::ids::AgentId;
use futures_util::StreamExt;
use futures_util::stream;
use leptos::prelude::*;

use super::effect::{self, KnownTool, Preview, Subject};
use super::state::RulesState;
use crate::api;
use crate::reactive::{effect, spawn};
use crate::remote::Remote;

/// How many agents are looked at.
pub const AGENTS_MAX: usize = 50;
/// How many chains are read at a time.
const AT_A_TIME: usize = 6;

/// What the control plane resolves for one agent, or why that is not known.
type Answer = Result<ResolvedGrants, String>;

/// See the module.
#[derive(Clone, Copy)]
pub struct EffectReads {
    state: RulesState,
    chains: RwSignal<BTreeMap<String, Answer>>,
    candidates: Memo<Vec<(String, String)>>,
    total: Memo<usize>,
    all_known: Memo<bool>,
    /// The tools grants apply to.
    pub tools: Remote<Vec<KnownTool>>,
    reading: RwSignal<bool>,
}

/// How much of what a preview needs is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Reads are on their way: how many of how many chains are there.
    Reading(usize, usize),
    /// A read failed without which nothing can be said.
    Failed(String),
    /// Everything that can be known is known; how many more agents were not looked at.
    Ready(usize),
}

impl EffectReads {
    /// Starts reading for the scope shown.
    pub fn start(state: RulesState) -> Self {
        let (scope, id) = (state.scope, state.id);
        let all = Memo::new(move |_| {
            state.fleet.value().with(|fleet| {
                let fleet = fleet.as_ref()?;
                let scope = scope.get_value();
                let id = id.get_value();
                // A Work names its organization; without the Works every agent is asked about.
                if state.works.value().with(Option::is_none)
                    && state.works.failure().with(Option::is_none)
                {
                    return None;
                }
                Some(state.works.value().with(|works| {
                    let works = works.as_ref().map(|list| list.works.as_slice());
                    let archived = match scope {
                        Scope::Agent => fleet.archived.as_slice(),
                        _ => &[],
                    };
                    effect::candidates(&scope, &id, &fleet.agents, works)
                        .into_iter()
                        .chain(effect::candidates(&scope, &id, archived, works))
                        .map(|agent| (agent.id.0.clone(), agent.name.clone()))
                        .collect::<Vec<_>>()
                }))
            })
        });
        let candidates = Memo::new(move |_| {
            all.with(|all| {
                all.iter()
                    .flatten()
                    .take(AGENTS_MAX)
                    .cloned()
                    .collect::<Vec<_>>()
            })
        });
        let example = Memo::new(move |_| {
            candidates
                .with(|list| list.first().map(|(id, _)| id.clone()))
                .or_else(|| {
                    state.fleet.value().with(|fleet| {
                        let fleet = fleet.as_ref()?;
                        let any = fleet.agents.first().or(fleet.archived.first())?;
                        Some(any.id.0.clone())
                    })
                })
        });
        let reads = Self {
            state,
            chains: RwSignal::new(BTreeMap::new()),
            candidates,
            total: Memo::new(move |_| all.with(|all| all.as_ref().map_or(0, Vec::len))),
            all_known: Memo::new(move |_| all.with(Option::is_some)),
            tools: Remote::idle(move || async move {
                let Some(id) = example.try_get_untracked().flatten() else {
                    return Ok(Vec::new());
                };
                let agent = AgentId(id);
                let found = api::agents::capabilities(&state.client(), &agent).await?;
                let servers = api::mcp::tools_of_agent(&state.client(), &agent).await?;
                let theirs = servers.data.into_iter().flat_map(|server| server.tools);
                let listed = found
                    .tools
                    .into_iter()
                    .chain(theirs)
                    .map(|tool| (tool.name, tool.gated_by_permission));
                Ok(effect::all_tools(listed))
            }),
            reading: RwSignal::new(false),
        };
        effect(move || {
            if example.with(Option::is_some) {
                reads.tools.reload();
            }
        });
        effect(move || {
            candidates.track();
            reads.fill();
        });
        reads
    }

    /// Reads the chains that are not known, again those that failed.
    pub fn retry(self) {
        self.chains
            .update(|chains| chains.retain(|_, answer| answer.is_ok()));
        if self.tools.now().is_none() {
            self.tools.reload();
        }
        if self.state.rows.now().is_none() {
            self.state.rows.reload();
        }
        if self.state.fleet.now().is_none() {
            self.state.fleet.reload();
        }
        self.fill();
    }

    fn fill(self) {
        let missing = self.missing();
        if missing.is_empty() || self.reading.get_untracked() {
            return;
        }
        self.reading.set(true);
        spawn(async move {
            self.read(missing).await;
            self.settle_disagreements().await;
            self.reading.try_set(false);
            // Agents may have come meanwhile.
            if self.chains.try_with_untracked(|_| ()).is_some() {
                self.fill();
            }
        });
    }

    fn missing(self) -> Vec<String> {
        let known = |id: &String| self.chains.with_untracked(|chains| chains.contains_key(id));
        self.candidates.with_untracked(|list| {
            list.iter()
                .map(|(id, _)| id.clone())
                .filter(|id| !known(id))
                .collect()
        })
    }

    async fn read(self, ids: Vec<String>) {
        let mut answers = stream::iter(ids)
            .map(|id| async move {
                let agent = AgentId(id);
                let answer = api::grants::resolve(&self.state.client(), &agent).await;
                (agent.0, self.state.watch(answer))
            })
            .buffer_unordered(AT_A_TIME);
        while let Some((id, answer)) = answers.next().await {
            let answer = answer.map_err(|error| error.sentence());
            self.chains.try_update(|chains| chains.insert(id, answer));
        }
    }

    /// A row may have changed between two reads: what does not fit is read once more before it
    /// counts as unknown.
    async fn settle_disagreements(self) {
        let disagreeing = |rows: &[GrantRow]| -> Vec<String> {
            self.subjects_now()
                .iter()
                .filter(|subject| !effect::agrees(subject, rows))
                .map(|subject| subject.id.clone())
                .collect()
        };
        if let Some(rows) = self.state.rows.now()
            && disagreeing(&rows).is_empty()
        {
            return;
        }
        let Some(Ok(rows)) = self.state.rows.read().await else {
            return;
        };
        self.read(disagreeing(&rows)).await;
        self.distrust(disagreeing(&rows));
    }

    fn distrust(self, agents: Vec<String>) {
        let why = "The control plane resolves it differently than the stored rules say.";
        for id in agents {
            self.chains
                .try_update(|chains| chains.insert(id, Err(why.to_owned())));
        }
    }

    fn subjects_now(self) -> Vec<Subject> {
        untrack(move || self.subjects())
    }

    /// The agents looked at whose chains were asked for.
    pub fn subjects(self) -> Vec<Subject> {
        self.chains.with(|chains| {
            self.state.fleet.value().with(|fleet| {
                let Some(fleet) = fleet else {
                    return Vec::new();
                };
                self.candidates.with(|list| {
                    list.iter()
                        .filter_map(|(id, name)| {
                            Some(Subject {
                                id: id.clone(),
                                name: name.clone(),
                                permissions: fleet.find(id)?.permissions,
                                resolved: chains.get(id)?.clone(),
                            })
                        })
                        .collect()
                })
            })
        })
    }

    /// How much of what a preview needs is there.
    pub fn readiness(self) -> Readiness {
        let state = self.state;
        let failures = [
            (
                "The agents",
                state.fleet.failure().get(),
                state.fleet.value().with(Option::is_some),
            ),
            (
                "The stored rules",
                state.rows.failure().get(),
                state.rows.value().with(Option::is_some),
            ),
            (
                "The tools",
                self.tools.failure().get(),
                self.tools.value().with(Option::is_some),
            ),
        ];
        for (what, failure, is_there) in failures {
            if let Some(error) = failure
                && !is_there
            {
                return Readiness::Failed(format!(
                    "{what} could not be read. {}",
                    error.sentence()
                ));
            }
        }
        let wanted = self.candidates.with(Vec::len);
        let have = self.chains.with(|chains| {
            self.candidates.with(|list| {
                list.iter()
                    .filter(|(id, _)| chains.contains_key(id))
                    .count()
            })
        });
        let basics = self.all_known.get()
            && state.rows.value().with(Option::is_some)
            && (wanted == 0 || self.tools.value().with(Option::is_some));
        if !basics || have < wanted {
            return Readiness::Reading(have, wanted);
        }
        Readiness::Ready(self.total.get().saturating_sub(wanted))
    }

    /// What storing `content` at the scope shown would change; `None` while reads are on their way.
    pub fn preview(self, content: Option<&GrantContent>) -> Option<Preview> {
        if !matches!(self.readiness(), Readiness::Ready(_)) {
            return None;
        }
        let rows = self.state.rows.value().get()?;
        let tools = self.tools.value().get().unwrap_or_default();
        let (scope, id) = (
            self.state.scope.try_get_value()?,
            self.state.id.try_get_value()?,
        );
        Some(effect::preview(
            &self.subjects(),
            &rows,
            &tools,
            (&scope, &id),
            content,
        ))
    }

    /// Asks the control plane again about every agent looked at and names the ones for which it
    /// resolves otherwise than the rules here do with these rows, and the ones that could not be
    /// asked.
    pub async fn verify(self, rows: &[GrantRow]) -> (Vec<String>, Vec<String>) {
        let Some(ids) = self
            .chains
            .try_with_untracked(|chains| chains.keys().cloned().collect::<Vec<_>>())
        else {
            return (Vec::new(), Vec::new());
        };
        self.read(ids).await;
        if self.chains.try_with_untracked(|_| ()).is_none() {
            return (Vec::new(), Vec::new());
        }
        let subjects = self.subjects_now();
        let named = |subject: &Subject| subject.name.clone();
        let (mut otherwise, mut disagreeing) = (Vec::new(), Vec::new());
        for subject in subjects
            .iter()
            .filter(|subject| !effect::agrees(subject, rows))
        {
            otherwise.push(subject.name.clone());
            disagreeing.push(subject.id.clone());
        }
        let unasked = subjects
            .iter()
            .filter(|subject| subject.resolved.is_err())
            .map(named)
            .collect();
        self.distrust(disagreeing);
        (otherwise, unasked)
    }
}

/// The reads of the rules page around the caller.
pub fn use_reads() -> EffectReads {
    expect_context()
}
