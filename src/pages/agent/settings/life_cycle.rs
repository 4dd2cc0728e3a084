//! The life cycle of an agent: what its status means, the steps that are possible from it, and
//! the end of it.

use std::sync::Arc;

use contract::agents::{Agent, AgentStatus};
use leptos::prelude::*;

use super::delete::DeleteForGood;
use crate::api::agents::Transition;
use crate::api::{self, ApiError};
use crate::components::announce::{Action, Announcer, use_announcer};
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::pages::agent::header::{status_class, status_label};
use crate::pages::agent::state::{AgentState, use_agent};
use crate::reactive::spawn;

/// A step an operator can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One that answers with the agent.
    To(Transition),
    /// Putting it away.
    Archive,
}

/// What a status means.
fn meaning(agent: &Agent) -> String {
    match &agent.status {
        AgentStatus::Draft => "Made but never activated. It does not run.".to_owned(),
        AgentStatus::Active => "It may run.".to_owned(),
        AgentStatus::Running => "A run is in progress.".to_owned(),
        AgentStatus::Paused => "It does not run until it is resumed.".to_owned(),
        AgentStatus::Error => match agent.error_count {
            0 | 1 => "It stopped after a failure.".to_owned(),
            many => format!("It stopped after {many} failures in a row."),
        },
        AgentStatus::Archived => {
            "It is put away: it can be read and edited, and does not run.".to_owned()
        }
        AgentStatus::Unknown(_) => "This version does not know the status.".to_owned(),
    }
}

/// Why a step is not possible in a status; `None` when it is.
fn obstacle(status: &AgentStatus, step: Step) -> Option<&'static str> {
    let possible = match step {
        Step::To(Transition::Pause) => status.can_pause(),
        Step::To(Transition::Resume) => status.can_resume(),
        Step::To(Transition::Unarchive) => *status == AgentStatus::Archived,
        Step::Archive => *status != AgentStatus::Archived,
    };
    if possible {
        return None;
    }
    Some(match (step, status) {
        (Step::To(Transition::Unarchive), _) => "It is not archived.",
        (Step::Archive, _) => "It is archived already.",
        (_, AgentStatus::Archived) => "It is archived. Unarchive it first.",
        (_, AgentStatus::Running) => "A run is in progress. Wait until it has ended.",
        (Step::To(Transition::Pause), AgentStatus::Draft) => {
            "A draft does not run, so there is nothing to pause."
        }
        (Step::To(Transition::Pause), AgentStatus::Paused) => "It is paused already.",
        (Step::To(Transition::Resume), AgentStatus::Active) => "It is active already.",
        _ => "The control plane does not allow it in this status.",
    })
}

/// The words on a step's button.
fn label(status: &AgentStatus, step: Step) -> &'static str {
    match step {
        Step::To(Transition::Pause) => "Pause",
        Step::To(Transition::Resume) if *status == AgentStatus::Draft => "Activate",
        Step::To(Transition::Resume) => "Resume",
        Step::To(Transition::Unarchive) => "Unarchive",
        Step::Archive => "Archive",
    }
}

/// What a step did, and the step that takes it back where that leads to the status before.
fn done(name: &str, before: &AgentStatus, step: Step) -> (String, Option<(&'static str, Step)>) {
    match (step, before) {
        (Step::To(Transition::Pause), AgentStatus::Active) => (
            format!("{name} is paused"),
            Some(("Undo", Step::To(Transition::Resume))),
        ),
        (Step::To(Transition::Pause), _) => (format!("{name} is paused"), None),
        (Step::To(Transition::Resume), AgentStatus::Paused) => (
            format!("{name} is active"),
            Some(("Undo", Step::To(Transition::Pause))),
        ),
        (Step::To(Transition::Resume), _) => (format!("{name} is active"), None),
        (Step::To(Transition::Unarchive), _) => {
            (format!("{name} is back from the archive, paused"), None)
        }
        (Step::Archive, _) => (
            format!("{name} is archived"),
            Some(("Unarchive", Step::To(Transition::Unarchive))),
        ),
    }
}

/// Steps of one agent, one at a time.
#[derive(Clone, Copy)]
struct Steps {
    state: AgentState,
    announcer: Announcer,
    busy: RwSignal<Option<Step>>,
    problem: RwSignal<Option<(Step, String)>>,
}

impl Steps {
    fn start() -> Self {
        Self {
            state: use_agent(),
            announcer: use_announcer(),
            busy: RwSignal::new(None),
            problem: RwSignal::new(None),
        }
    }

    /// A step offered by a toast, which may be pressed when the page was left.
    fn take_back(self, step: Step) {
        if self.busy.try_get_untracked().is_some() {
            self.take(step);
        } else {
            self.announcer
                .toast("Open the agent’s settings again to do this.", None);
        }
    }

    fn take(self, step: Step) {
        if self.busy.try_get_untracked() != Some(None) {
            return;
        }
        let Some(agent) = self.state.agent.now() else {
            return;
        };
        if let Some(reason) = obstacle(&agent.status, step) {
            self.announcer.alert(reason);
            return;
        }
        self.busy.set(Some(step));
        self.problem.set(None);
        spawn(async move {
            let outcome = self.carry_out(&agent, step).await;
            self.busy.try_set(None);
            match self.state.watch(outcome) {
                Ok(changed) => {
                    match changed {
                        Some(agent) => self.state.agent.confirm(agent),
                        None => self.state.agent.reload(),
                    }
                    let (said, back) = done(&agent.name, &agent.status, step);
                    let action = back.map(|(label, step)| {
                        let action: Action = Arc::new(move || self.take_back(step));
                        (label.to_owned(), action)
                    });
                    self.announcer.toast(said, action);
                }
                Err(error) => {
                    let said = error.sentence();
                    self.announcer.alert(format!(
                        "{} did not work. {said}",
                        label(&agent.status, step)
                    ));
                    self.problem.try_set(Some((step, said)));
                    self.state.agent.reload();
                }
            }
        });
    }

    async fn carry_out(self, agent: &Agent, step: Step) -> Result<Option<Agent>, ApiError> {
        let client = self.state.client();
        match step {
            Step::To(transition) => api::agents::transition(&client, &agent.id, transition)
                .await
                .map(Some),
            Step::Archive => api::agents::remove(&client, &agent.id, false)
                .await
                .map(|_| None),
        }
    }
}

/// The section.
#[component]
pub fn LifeCycle() -> impl IntoView {
    let state = use_agent();
    view! {
        <section class="panel" aria-labelledby="life-heading">
            <header><h3 id="life-heading">"Life cycle"</h3></header>
            <Loaded remote=state.agent failed="The status could not be loaded." rows=2 let(agent)>
                <Buttons agent=agent />
            </Loaded>
        </section>
    }
}

#[component]
fn Buttons(agent: Memo<Agent>) -> impl IntoView {
    let steps = Steps::start();
    let deleting = RwSignal::new(false);
    let status = Memo::new(move |_| agent.with(|agent| agent.status.clone()));
    let put_away = Memo::new(move |_| status.with(|status| *status == AgentStatus::Archived));
    let button = move |step: Step, id: &'static str| {
        let reason = Memo::new(move |_| status.with(|status| obstacle(status, step)));
        let busy = move || steps.busy.get() == Some(step);
        view! {
            <button
                type="button"
                class="btn"
                aria-disabled=move || reason.get().map(|_| "true")
                aria-describedby=move || reason.get().map(|_| id)
                aria-busy=move || busy().then_some("true")
                on:click=move |_| steps.take(step)
            >
                {move || status.with(|status| label(status, step))}
            </button>
            <span class="visually-hidden" id=id>{move || reason.get()}</span>
        }
    };
    view! {
        <div class="inner">
            <p class="life-status">
                {move || status.with(|status| view! { <span class=status_class(status)>{status_label(status)}</span> })}
                <span>{move || agent.with(meaning)}</span>
            </p>
            <div class="form-actions">
                {button(Step::To(Transition::Pause), "life-pause")}
                {button(Step::To(Transition::Resume), "life-resume")}
                // One place for both, so that focus stays where it is.
                <button
                    type="button"
                    class="btn"
                    aria-busy=move || matches!(steps.busy.get(), Some(Step::Archive | Step::To(Transition::Unarchive))).then_some("true")
                    on:click=move |_| steps.take(if put_away.get_untracked() {
                        Step::To(Transition::Unarchive)
                    } else {
                        Step::Archive
                    })
                >
                    {move || if put_away.get() { "Unarchive" } else { "Archive" }}
                </button>
            </div>
            {move || steps.problem.get().map(|(step, said)| view! {
                <div class="notice deny" role="group" aria-label="Not done">
                    <Glyph icon=Icon::Warning />
                    <p><strong>"Not done."</strong>" "<bdi>{said}</bdi></p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| steps.take(step)>"Retry"</button>
                        <button type="button" class="btn quiet" on:click=move |_| steps.problem.set(None)>"Dismiss"</button>
                    </div>
                </div>
            })}
            <div class="danger-zone">
                <div>
                    <h4>"Delete permanently"</h4>
                    <p class="note">"The agent and the rules written on it are gone for good. Archiving keeps them."</p>
                </div>
                <button type="button" class="btn danger" on:click=move |_| deleting.set(true)>"Delete permanently…"</button>
            </div>
        </div>
        <DeleteForGood open=deleting />
    }
}

/// Stands above every tab of an archived agent.
#[component]
pub fn ArchivedBanner() -> impl IntoView {
    let steps = Steps::start();
    let put_away = Memo::new(move |_| {
        steps.state.agent.value().with(|agent| {
            agent
                .as_ref()
                .is_some_and(|agent| agent.status == AgentStatus::Archived)
        })
    });
    let unarchive = move |_| {
        steps.take(Step::To(Transition::Unarchive));
        // The banner goes away with the button in it.
        crate::browser::focus("main");
    };
    move || {
        put_away.get().then(|| {
            view! {
                <div class="archived">
                    <Glyph icon=Icon::Info />
                    <p><strong>"This agent is archived."</strong>" It can be read and edited, and does not run."</p>
                    <button
                        type="button"
                        class="btn"
                        aria-busy=move || steps.busy.get().map(|_| "true")
                        on:click=unarchive
                    >"Unarchive"</button>
                </div>
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_impossible_step_has_a_reason_and_every_possible_one_none() {
        let pause = Step::To(Transition::Pause);
        let resume = Step::To(Transition::Resume);
        let possible = |status: &AgentStatus| {
            [
                pause,
                resume,
                Step::To(Transition::Unarchive),
                Step::Archive,
            ]
            .into_iter()
            .filter(|step| obstacle(status, *step).is_none())
            .collect::<Vec<_>>()
        };
        assert_eq!(possible(&AgentStatus::Draft), [resume, Step::Archive]);
        assert_eq!(possible(&AgentStatus::Active), [pause, Step::Archive]);
        assert_eq!(possible(&AgentStatus::Running), [Step::Archive]);
        assert_eq!(possible(&AgentStatus::Paused), [resume, Step::Archive]);
        assert_eq!(
            possible(&AgentStatus::Error),
            [pause, resume, Step::Archive]
        );
        assert_eq!(
            possible(&AgentStatus::Archived),
            [Step::To(Transition::Unarchive)]
        );
    }

    #[test]
    fn undo_is_only_offered_where_it_leads_back() {
        let back = |before, step| done("Coder", &before, step).1.is_some();
        assert!(back(AgentStatus::Active, Step::To(Transition::Pause)));
        assert!(!back(AgentStatus::Error, Step::To(Transition::Pause)));
        assert!(!back(AgentStatus::Draft, Step::To(Transition::Resume)));
    }
}
