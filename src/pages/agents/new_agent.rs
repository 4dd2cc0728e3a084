//! The dialog that makes an agent. It starts as a draft with every permission off.

use contract::agents::{AgentCreate, AgentScope, NAME_MAX, TITLE_MAX};
use contract::order::sorted_by;
use leptos::prelude::*;

use super::state::use_fleet;
use crate::api::{self, ApiError};
use crate::components::announce::use_announcer;
use crate::components::combobox::{Choice, Combobox};
use crate::components::dialog::Dialog;
use crate::components::form::{SendButton, SendForm, TextField, focus_wrong};
use crate::components::leave::use_leave;
use crate::components::notice::Failure;
use crate::reactive::spawn;
use crate::route::{Route, Tab};
use crate::session::use_session;

/// What is wrong, by field.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wrong {
    name: Option<String>,
    title: Option<String>,
    work: Option<String>,
    other: Option<String>,
}

impl Wrong {
    fn of(error: &ApiError) -> Self {
        let mut wrong = Self {
            name: error.problem_of("name"),
            title: error.problem_of("title"),
            work: error.problem_of("workId"),
            other: None,
        };
        match error {
            // A name that is taken, and a Work that is gone.
            ApiError::Refused { status: 409, .. } => wrong.name = Some(error.sentence()),
            ApiError::Missing(_) => wrong.work = Some(error.sentence()),
            ApiError::Refused { said, .. }
                if wrong == Self::default() && said.starts_with("Agent name") =>
            {
                wrong.name = Some(said.clone());
            }
            other if wrong == Self::default() => wrong.other = Some(other.sentence()),
            _ => {}
        }
        wrong
    }
}

/// The dialog.
#[component]
pub fn NewAgent(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    // What is typed outlives closing the dialog.
    let form = Form::start(open);
    view! {
        <Dialog open=open title="New agent" on_close=Callback::new(move |()| open.set(false))>
            <Fields form=form />
        </Dialog>
    }
}

#[derive(Clone, Copy)]
struct Form {
    open: RwSignal<bool>,
    name: RwSignal<String>,
    title: RwSignal<String>,
    in_work: RwSignal<bool>,
    work: RwSignal<Option<String>>,
    wrong: RwSignal<Wrong>,
    busy: RwSignal<bool>,
}

impl Form {
    fn start(open: RwSignal<bool>) -> Self {
        Self {
            open,
            name: RwSignal::new(String::new()),
            title: RwSignal::new(String::new()),
            in_work: RwSignal::new(false),
            work: RwSignal::new(None),
            wrong: RwSignal::new(Wrong::default()),
            busy: RwSignal::new(false),
        }
    }

    fn request(self) -> Result<AgentCreate, Wrong> {
        let name = self.name.get_untracked().trim().to_owned();
        let title = self.title.get_untracked().trim().to_owned();
        let in_work = self.in_work.get_untracked();
        let work = self.work.get_untracked().filter(|_| in_work);
        let wrong = Wrong {
            name: name.is_empty().then(|| "Type a name.".to_owned()),
            work: (in_work && work.is_none()).then(|| "Choose one of the Works.".to_owned()),
            ..Wrong::default()
        };
        if wrong != Wrong::default() {
            return Err(wrong);
        }
        Ok(AgentCreate {
            scope: if in_work {
                AgentScope::Work
            } else {
                AgentScope::Tenant
            },
            work_id: work.map(Into::into),
            name,
            title: (!title.is_empty()).then_some(title),
        })
    }

    fn clear(self) {
        self.name.set(String::new());
        self.title.set(String::new());
        self.in_work.set(false);
        self.work.set(None);
        self.wrong.set(Wrong::default());
    }
}

#[component]
fn Fields(form: Form) -> impl IntoView {
    let fleet = use_fleet();
    let session = use_session();
    let announcer = use_announcer();
    let leave = use_leave();
    let send = move || {
        let request = match form.request() {
            Ok(request) => request,
            Err(wrong) => {
                announcer.alert("Not sent. Something is missing.");
                form.wrong.set(wrong);
                focus_wrong();
                return;
            }
        };
        form.busy.set(true);
        spawn(async move {
            let answer = session.watch(api::agents::create(&session.client(), &request).await);
            form.busy.try_set(false);
            match answer {
                Ok(agent) => {
                    announcer.toast(format!("{} was made, as a draft", agent.name), None);
                    if form.open.try_set(false).is_none() {
                        form.clear();
                        leave.go(&Route::Agent(agent.id, Tab::Dashboard));
                    }
                }
                Err(error) => {
                    announcer.alert(format!("No agent was made. {}", error.sentence()));
                    form.wrong.try_set(Wrong::of(&error));
                    focus_wrong();
                }
            }
        });
    };
    let wrong = move |part: fn(&Wrong) -> &Option<String>| {
        Signal::derive(move || form.wrong.with(|wrong| part(wrong).clone()))
    };
    let works = Signal::derive(move || {
        let ids: Vec<String> = fleet.works.value().with(|list| {
            list.iter()
                .flat_map(|list| &list.works)
                .map(|work| work.id.0.clone())
                .collect()
        });
        let choices: Vec<Choice> = ids
            .into_iter()
            .map(|id| Choice {
                label: fleet.work_name(&id).unwrap_or_default(),
                value: id,
                ..Choice::default()
            })
            .collect();
        sorted_by(choices, |left, right| left.label.cmp(&right.label))
    });
    let none = Memo::new(move |_| {
        fleet
            .works
            .value()
            .with(|list| list.as_ref().is_some_and(|list| list.works.is_empty()))
    });
    let scope = move |in_work: bool, label: Signal<String>, hint: &'static str| {
        view! {
            <label class="check">
                <input
                    type="radio"
                    name="new-agent-scope"
                    prop:checked=move || form.in_work.get() == in_work
                    on:change=move |_| form.in_work.set(in_work)
                />
                <span>{label}" "<span class="hint">{hint}</span></span>
            </label>
        }
    };
    view! {
        <SendForm busy=form.busy on_send=move |()| send()>
            <TextField
                id="new-agent-name"
                label="Name"
                hint=format!("Up to {NAME_MAX} characters, with at least one letter or digit.")
                value=form.name
                problem=wrong(|wrong| &wrong.name)
            />
            <TextField
                id="new-agent-title"
                label="Title (optional)"
                hint=format!("What it does, in up to {TITLE_MAX} characters.")
                value=form.title
                problem=wrong(|wrong| &wrong.title)
            />
            <fieldset class="choices">
                <legend>"Where it belongs"</legend>
                {scope(
                    false,
                    Signal::derive(move || format!("Tenant: {}", fleet.tenant_name())),
                    "The rules of the tenant apply.",
                )}
                {scope(
                    true,
                    Signal::stored("One Work".to_owned()),
                    "The rules of its organization and of the Work apply too.",
                )}
                <p class="hint">"This cannot be changed later."</p>
            </fieldset>
            {move || form.in_work.get().then(|| match fleet.works.failure().get() {
                Some(error) => view! {
                    <Failure
                        what="The Works could not be loaded."
                        error=error
                        on_retry=Callback::new(move |()| fleet.works.reload())
                    />
                }.into_any(),
                None if none.get() => view! { <p class="note">"There is no Work yet, so the agent can only belong to the tenant."</p> }.into_any(),
                None => view! {
                    <Combobox
                        id="new-agent-work"
                        label="Work"
                        choices=works
                        chosen=form.work
                        problem=wrong(|wrong| &wrong.work)
                    />
                }.into_any(),
            })}
            {move || form.wrong.with(|wrong| wrong.other.clone()).map(|other| view! {
                <p class="wrong"><bdi>{other}</bdi></p>
            })}
            <div class="dialog-actions">
                <button type="button" class="btn" on:click=move |_| form.open.set(false)>"Not now"</button>
                <SendButton label="Make the agent" busy_label="Making the agent…" busy=form.busy />
            </div>
        </SendForm>
    }
}
