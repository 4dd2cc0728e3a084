//! Name and title: only what was changed is sent, and what is typed during a save stays.

use std::rc::Rc;

use contract::agents::{Agent, AgentPatch, NAME_MAX, TITLE_MAX};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::components::announce::{Announcer, use_announcer};
use crate::components::draft::{Draft, Elsewhere};
use crate::components::form::{SendForm, TextField, focus_wrong, over};
use crate::components::leave::{Unsaved, use_leave};
use crate::components::section::Loaded;
use crate::pages::agent::state::{AgentState, use_agent};
use crate::reactive::{effect, spawn};

/// The section.
#[component]
pub fn Identity() -> impl IntoView {
    let state = use_agent();
    view! {
        <section class="panel" aria-labelledby="identity-heading">
            <header><h3 id="identity-heading">"Name and title"</h3></header>
            <Loaded remote=state.agent failed="Name and title could not be loaded." rows=2 let(agent)>
                <Form agent=agent />
            </Loaded>
        </section>
    }
}

/// What is wrong, by field.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wrong {
    name: Option<String>,
    title: Option<String>,
    other: Option<String>,
}

impl Wrong {
    fn of(error: &ApiError) -> Self {
        let mut wrong = Self {
            name: error.problem_of("name"),
            title: error.problem_of("title"),
            other: None,
        };
        if wrong == Self::default() {
            match error {
                ApiError::Refused {
                    status: 409, said, ..
                } => wrong.name = Some(said.clone()),
                ApiError::Refused { said, .. } if said.starts_with("Agent name") => {
                    wrong.name = Some(said.clone());
                }
                other => wrong.other = Some(other.sentence()),
            }
        }
        wrong
    }
}

#[derive(Clone, Copy)]
struct Editor {
    state: AgentState,
    announcer: Announcer,
    name: Draft,
    title: Draft,
    wrong: RwSignal<Wrong>,
    busy: RwSignal<bool>,
}

impl Editor {
    fn is_dirty(self) -> bool {
        self.name.is_dirty() || self.title.is_dirty()
    }

    /// Why it cannot be saved as it is.
    fn blocked(self) -> Option<String> {
        if self.name.text.with(|name| name.trim().is_empty()) {
            return Some("An agent needs a name.".to_owned());
        }
        let name = self.name.text.with(|name| over(name.trim(), NAME_MAX));
        let title = self.title.text.with(|title| over(title.trim(), TITLE_MAX));
        name.map(|over| format!("The name is {over}"))
            .or_else(|| title.map(|over| format!("The title is {over}")))
    }

    /// Stores what was changed; `true` once the control plane confirmed it.
    async fn save(self) -> bool {
        let (name, title) = (self.name.change(), self.title.change());
        if name.is_none() && title.is_none() {
            return true;
        }
        let clean = |text: &String| text.trim().to_owned();
        let patch = AgentPatch {
            name: name.as_ref().map(clean),
            title: title
                .as_ref()
                .map(|title| Some(clean(title)).filter(|title| !title.is_empty())),
            ..AgentPatch::default()
        };
        self.busy.try_set(true);
        let id = self.state.id.get_value();
        let answer = api::agents::patch(&self.state.client(), &id, &patch).await;
        let answer = self.state.watch(answer);
        self.busy.try_set(false);
        match answer {
            Ok(agent) => {
                if let Some(sent) = name {
                    self.name.stored(&sent, agent.name.clone());
                }
                if let Some(sent) = title {
                    self.title.stored(&sent, title_of(&agent));
                }
                self.wrong.try_set(Wrong::default());
                self.state.agent.confirm(agent);
                self.announcer.say("Saved");
                true
            }
            Err(error) => {
                self.announcer
                    .alert(format!("Not saved. {}", error.sentence()));
                self.wrong.try_set(Wrong::of(&error));
                focus_wrong();
                false
            }
        }
    }

    fn discard(self) {
        self.name.discard();
        self.title.discard();
        self.wrong.set(Wrong::default());
    }
}

fn title_of(agent: &Agent) -> String {
    agent.title.clone().unwrap_or_default()
}

#[component]
fn Form(agent: Memo<Agent>) -> impl IntoView {
    let state = use_agent();
    let announcer = use_announcer();
    let editor = Editor {
        state,
        announcer,
        name: Draft::follow(Memo::new(move |_| agent.with(|agent| agent.name.clone()))),
        title: Draft::follow(Memo::new(move |_| agent.with(title_of))),
        wrong: RwSignal::new(Wrong::default()),
        busy: RwSignal::new(false),
    };
    let dirty = Memo::new(move |_| editor.is_dirty());
    let blocked = Memo::new(move |_| editor.blocked());
    use_leave().guard(Unsaved {
        what: "name and title".to_owned(),
        dirty: dirty.into(),
        blocked: blocked.into(),
        save: Rc::new(move || Box::pin(editor.save())),
        discard: Rc::new(move || editor.discard()),
    });
    effect(move || state.unsaved.set(dirty.get()));
    on_cleanup(move || {
        state.unsaved.try_set(false);
    });
    let save = move || {
        if editor.busy.get_untracked() {
            return;
        }
        match blocked.get_untracked() {
            Some(reason) => {
                announcer.alert(format!("Not saved. {reason}"));
                focus_wrong();
            }
            None if dirty.get_untracked() => spawn(async move {
                editor.save().await;
            }),
            None => announcer.say("Nothing was changed"),
        }
    };
    let name_problem = move || {
        let name = editor.name.text.get();
        if name.trim().is_empty() {
            return Some("An agent needs a name.".to_owned());
        }
        over(name.trim(), NAME_MAX).or_else(|| editor.wrong.with(|wrong| wrong.name.clone()))
    };
    let title_problem = move || {
        let title = editor.title.text.get();
        over(title.trim(), TITLE_MAX).or_else(|| editor.wrong.with(|wrong| wrong.title.clone()))
    };
    let why_not = move || {
        if dirty.get() {
            blocked.get()
        } else {
            Some("Nothing was changed.".to_owned())
        }
    };
    view! {
        <SendForm
            class="form inner"
            busy=editor.busy
            on_send=move |()| save()
            on:keydown=move |event: web_sys::KeyboardEvent| {
                if (event.ctrl_key() || event.meta_key()) && event.key() == "s" {
                    event.prevent_default();
                    save();
                }
            }
        >
            <TextField
                id="agent-name"
                label="Name"
                value=editor.name.text
                problem=Signal::derive(name_problem)
                on_typed=Callback::new(move |()| editor.wrong.update(|wrong| wrong.name = None))
            />
            <Elsewhere draft=editor.name what="name" />
            <TextField
                id="agent-title"
                label="Title"
                hint="What it does, in a few words. It may be empty."
                value=editor.title.text
                problem=Signal::derive(title_problem)
                on_typed=Callback::new(move |()| editor.wrong.update(|wrong| wrong.title = None))
            />
            <Elsewhere draft=editor.title what="title" />
            {move || editor.wrong.with(|wrong| wrong.other.clone()).map(|other| view! {
                <p class="wrong">"Not saved. "<bdi>{other}</bdi></p>
            })}
            <div class="form-actions">
                <button
                    type="submit"
                    class="btn primary"
                    aria-disabled=move || (why_not().is_some() && !editor.busy.get()).then_some("true")
                    aria-busy=move || editor.busy.get().then_some("true")
                    aria-describedby=move || why_not().is_some().then_some("identity-why-not")
                >
                    {move || if editor.busy.get() { "Saving…" } else { "Save" }}
                </button>
                {move || dirty.get().then(|| view! {
                    <button type="button" class="btn" on:click=move |_| {
                        editor.discard();
                        crate::browser::focus("agent-name");
                    }>"Discard"</button>
                    <span class="status lost-text">"Unsaved"</span>
                })}
                <span class="visually-hidden" id="identity-why-not">{why_not}</span>
            </div>
        </SendForm>
    }
}
