//! Where an installed skill is bound: the only place from which a binding of a scope above an agent
//! is removed, with what that takes from whom.

use std::collections::BTreeMap;

use contract::agents::Agent;
use contract::events::{ChangeEvent, ChangeKind};
use contract::ids::{SkillBindingId, SkillId};
use contract::organizations::WorkList;
use contract::skills::{SkillBinding, SkillBindingCreate, SkillScope};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::browser;
use crate::components::announce::{Action, Announcer, use_announcer};
use crate::components::combobox::{Choice, Picker};
use crate::components::dialog::Dialog;
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::live::use_live;
use crate::pages::agent::skills::row::scope_word;
use crate::reactive::spawn;
use crate::remote::Remote;
use crate::route::{Route, Tab, query};
use crate::session::{Account, SessionState, use_session};

/// Agents read for their names, at most; more are told by their id.
const AGENT_PAGES: u64 = 20;
/// Agents of one page.
const AGENTS: u64 = 100;
/// Id of the field.
const FIELD: &str = "bind-picker";
/// The value of the choice that stands for the whole tenant.
const TENANT: &str = "tenant:";

/// What the panel shares with its rows.
#[derive(Clone, Copy)]
struct Bindings {
    skill: StoredValue<SkillId>,
    all: Remote<Vec<SkillBinding>>,
    agents: Remote<Vec<Agent>>,
    works: Remote<WorkList>,
    busy: RwSignal<BTreeMap<String, &'static str>>,
    refused: RwSignal<Option<(String, ApiError)>>,
    asking: RwSignal<Option<SkillBinding>>,
    session: SessionState,
    announcer: Announcer,
}

async fn all_agents(session: SessionState) -> Result<Vec<Agent>, ApiError> {
    let mut all = Vec::new();
    for page in 0..AGENT_PAGES {
        let limit = AGENTS.to_string();
        let offset = (page * AGENTS).to_string();
        let asked = query(&[("limit", limit.as_str()), ("offset", offset.as_str())]);
        let found = api::agents::list(&session.client(), &asked).await?;
        let done = found.data.is_empty() || (page + 1) * AGENTS >= found.meta.total;
        all.extend(found.data);
        if done {
            break;
        }
    }
    Ok(all)
}

impl Bindings {
    fn start(skill: SkillId) -> Self {
        let session = use_session();
        let skill = StoredValue::new(skill);
        let state = Self {
            skill,
            all: Remote::new(move || async move {
                api::skills::bindings(&session.client(), &skill.get_value()).await
            }),
            agents: Remote::new(move || all_agents(session)),
            works: Remote::new(move || async move { api::auth::works(&session.client()).await }),
            busy: RwSignal::new(BTreeMap::new()),
            refused: RwSignal::new(None),
            asking: RwSignal::new(None),
            session,
            announcer: use_announcer(),
        };
        use_live().on_change(move |event: &ChangeEvent| match event.kind {
            ChangeKind::SkillBinding | ChangeKind::Reset | ChangeKind::Unknown(_) => {
                state.all.reload();
            }
            ChangeKind::Agent => {
                state.agents.reload();
                state.all.reload();
            }
            ChangeKind::Work => {
                state.works.reload();
                state.all.reload();
            }
            _ => {}
        });
        state
    }

    fn tenant_name(self) -> Option<String> {
        self.session.account().with(|account| match account {
            Account::In(session) | Account::Expired(session) => session.user.tenant_name.clone(),
            Account::Unknown | Account::Failed(_) | Account::Out => None,
        })
    }

    /// The name of a target, where it is known.
    fn name_of(self, scope: &SkillScope, id: Option<&str>) -> Option<String> {
        match scope {
            SkillScope::Tenant => self.tenant_name(),
            SkillScope::Agent => self.agents.value().with(|all| {
                let found = all
                    .as_ref()?
                    .iter()
                    .find(|one| Some(one.id.as_str()) == id)?;
                Some(found.name.clone())
            }),
            SkillScope::Work => self.works.value().with(|all| {
                let found = all
                    .as_ref()?
                    .works
                    .iter()
                    .find(|one| Some(one.id.as_str()) == id)?;
                Some(found.name.clone())
            }),
            SkillScope::Mission | SkillScope::Idea | SkillScope::Unknown(_) => None,
        }
    }

    /// A target in words: `Acme (tenant)`.
    fn target(self, one: &SkillBinding) -> String {
        let word = scope_word(&one.target_type);
        match self.name_of(&one.target_type, one.target_id.as_deref()) {
            Some(name) => format!("{} ({word})", revealed(&name)),
            None => match &one.target_id {
                Some(id) => format!("{word} {}", revealed(id)),
                None => format!("the {word}"),
            },
        }
    }

    fn bind(self, scope: SkillScope, id: Option<String>, key: String, name: String) {
        let announcer = self.announcer;
        if self
            .busy
            .try_update(|busy| busy.insert(key.clone(), "Binding…").is_none())
            != Some(true)
        {
            return;
        }
        self.refused.set(None);
        spawn(async move {
            let request = SkillBindingCreate {
                target_type: scope,
                target_id: id,
                priority: None,
                inject_into_agent: None,
                inject_into_generator: None,
            };
            let client = self.session.client();
            let Some(skill) = self.skill.try_get_value() else {
                return;
            };
            let answer = self
                .session
                .watch(api::skills::bind(&client, &skill, &request).await);
            self.all.read().await;
            self.busy.try_update(|busy| busy.remove(&key));
            match answer {
                Ok(_) => announcer.say(format!("Bound to {name}")),
                // Bound by somebody else meanwhile: it is what was wanted.
                Err(ApiError::Refused { status: 409, .. }) => {
                    announcer.say(format!("Bound to {name} already"));
                }
                Err(error) => {
                    announcer.alert(format!("Not bound to {name}. {}", error.sentence()));
                    self.refused
                        .try_set(Some((format!("Not bound to {name}."), error)));
                }
            }
        });
    }

    fn remove(self, binding: SkillBinding) {
        let announcer = self.announcer;
        let key = binding.id.0.clone();
        if self
            .busy
            .try_update(|busy| busy.insert(key.clone(), "Removing…").is_none())
            != Some(true)
        {
            return;
        }
        self.refused.set(None);
        let name = self.target(&binding);
        let session = self.session;
        spawn(async move {
            let answer = session.watch(api::skills::unbind(&session.client(), &binding.id).await);
            self.all.read().await;
            self.busy.try_update(|busy| busy.remove(&key));
            match answer {
                Ok(_) | Err(ApiError::Missing(_)) => {
                    let undo: Action = std::sync::Arc::new(move || {
                        let binding = binding.clone();
                        spawn(async move {
                            let request = SkillBindingCreate {
                                target_type: binding.target_type,
                                target_id: binding.target_id,
                                priority: Some(binding.priority),
                                inject_into_agent: Some(binding.inject_into_agent),
                                inject_into_generator: Some(binding.inject_into_generator),
                            };
                            let again =
                                api::skills::bind(&session.client(), &binding.skill_id, &request)
                                    .await;
                            match session.watch(again) {
                                Ok(_) => announcer.say("Bound again"),
                                Err(error) => {
                                    let said = format!("Not bound again. {}", error.sentence());
                                    announcer.alert(said.clone());
                                    announcer.toast(said, None);
                                }
                            }
                            self.all.reload();
                        });
                    });
                    announcer.toast(
                        format!("No longer bound to {name}"),
                        Some(("Undo".to_owned(), undo)),
                    );
                    request_animation_frame(|| {
                        if !browser::has_focus() {
                            browser::focus("bound");
                        }
                    });
                }
                Err(error) => {
                    announcer.alert(format!("Still bound to {name}. {}", error.sentence()));
                    self.refused
                        .try_set(Some((format!("Still bound to {name}."), error)));
                }
            }
        });
    }

    /// What can still be bound to.
    fn choices(self) -> Vec<Choice> {
        let Some(bound) = self.all.value().get() else {
            return Vec::new();
        };
        let taken = |scope: &SkillScope, id: Option<&str>| {
            bound
                .iter()
                .any(|one| one.target_type == *scope && one.target_id.as_deref() == id)
        };
        let mut found = Vec::new();
        if !taken(&SkillScope::Tenant, None) {
            found.push(Choice {
                value: TENANT.to_owned(),
                label: self
                    .tenant_name()
                    .map_or_else(|| "The whole tenant".to_owned(), |name| revealed(&name)),
                about: "Every agent of the tenant finds it.".to_owned(),
                hint: "tenant".to_owned(),
                terms: "tenant everybody all".to_owned(),
            });
        }
        if let Some(works) = self.works.value().get() {
            found.extend(
                works
                    .works
                    .iter()
                    .filter(|one| !taken(&SkillScope::Work, Some(one.id.as_str())))
                    .map(|one| Choice {
                        value: format!("work:{}", one.id),
                        label: revealed(&one.name),
                        hint: "Work".to_owned(),
                        terms: "work".to_owned(),
                        about: String::new(),
                    }),
            );
        }
        if let Some(agents) = self.agents.value().get() {
            found.extend(
                agents
                    .iter()
                    .filter(|one| !taken(&SkillScope::Agent, Some(one.id.as_str())))
                    .map(|one| Choice {
                        value: format!("agent:{}", one.id),
                        label: revealed(&one.name),
                        hint: "agent".to_owned(),
                        terms: "agent".to_owned(),
                        about: String::new(),
                    }),
            );
        }
        found
    }
}

/// The panel.
#[component]
pub fn BindingsPanel(
    /// The skill.
    skill: SkillId,
) -> impl IntoView {
    let state = Bindings::start(skill);
    let choices = Memo::new(move |_| state.choices());
    let waiting =
        Signal::derive(move || state.agents.pending().get() || state.works.pending().get());
    let pick = Callback::new(move |choice: Choice| {
        let Some((kind, id)) = choice.value.split_once(':') else {
            return;
        };
        let id = (!id.is_empty()).then(|| id.to_owned());
        state.bind(
            SkillScope::from(kind),
            id,
            choice.value.clone(),
            choice.label,
        );
    });
    view! {
        <section class="panel bound" aria-labelledby="bound">
            <header><h3 id="bound" tabindex="-1">"Bound to"</h3></header>
            <Loaded remote=state.all failed="Where it is bound could not be loaded." rows=2 children=move |all| view! {
                <div class="skill-attach">
                    <Picker id=FIELD label="Bind to…" choices=choices waiting=waiting on_open=Callback::new(|()| ()) on_pick=pick />
                </div>
                {move || state.refused.get().map(|(what, error)| view! {
                    <div class="notice deny" role="group" aria-label="Problem">
                        <Glyph icon=Icon::Warning />
                        <p><strong><bdi>{what}</bdi></strong>" "<bdi>{revealed(&error.sentence())}</bdi></p>
                        <div class="actions">
                            <button type="button" class="btn quiet" on:click=move |_| { state.refused.set(None); browser::focus(FIELD); }>"Dismiss"</button>
                        </div>
                    </div>
                })}
                {move || all.with(Vec::is_empty).then(|| view! {
                    <p class="group-empty">"It is not bound to anything, so no agent finds it."</p>
                })}
                <ul class="skill-list" aria-labelledby="bound">
                    <Each
                        each=move || all.get()
                        key=|one| format!("{} {}", one.id, one.priority)
                        children=move |one| view! { <Row state=state binding=one /> }
                    />
                </ul>
            } />
            <RemoveDialog state=state />
        </section>
    }
}

#[component]
fn Row(state: Bindings, binding: SkillBinding) -> impl IntoView {
    let id: SkillBindingId = binding.id.clone();
    let busy = {
        let key = id.0.clone();
        Memo::new(move |_| state.busy.with(|busy| busy.contains_key(&key)))
    };
    let shown = binding.clone();
    let name = move || state.target(&shown);
    let link = (binding.target_type == SkillScope::Agent)
        .then(|| binding.target_id.clone())
        .flatten()
        .map(|agent| Route::Agent(agent.into(), Tab::Skills).href());
    let reach = match (binding.inject_into_agent, binding.inject_into_generator) {
        (true, true) => "agents and generators",
        (true, false) => "agents",
        (false, true) => "generators only",
        (false, false) => "nobody",
    };
    let facts = format!("priority {} · for {reach}", binding.priority);
    let name_id = format!("bound-{id}");
    let button_id = format!("unbind-{id}");
    view! {
        <li class="skill-row">
            <div class="skill-text">
                <p class="skill-name" id=name_id.clone()>
                    {match link {
                        Some(href) => view! { <a href=href><bdi>{name}</bdi></a> }.into_any(),
                        None => view! { <bdi>{name}</bdi> }.into_any(),
                    }}
                </p>
                <p class="skill-facts">{facts}</p>
            </div>
            <button
                type="button"
                class="btn"
                id=button_id.clone()
                aria-labelledby=format!("{button_id} {name_id}")
                aria-busy=move || busy.get().then_some("true")
                on:click=move |_| {
                    // One agent has an undo; what many agents lose is asked about.
                    if binding.target_type == SkillScope::Agent {
                        state.remove(binding.clone());
                    } else if !busy.get_untracked() {
                        state.asking.set(Some(binding.clone()));
                    }
                }
            >
                {move || if busy.get() { "Removing…" } else { "Remove" }}
            </button>
        </li>
    }
}

#[component]
fn RemoveDialog(state: Bindings) -> impl IntoView {
    let open = Memo::new(move |_| state.asking.with(Option::is_some));
    let title = move || {
        let binding = state.asking.get();
        binding.map_or_else(String::new, |binding| {
            format!("Take it from {}?", state.target(&binding))
        })
    };
    view! {
        <Dialog open=open title=Signal::derive(title) on_close=Callback::new(move |()| state.asking.set(None))>
            <p>"Every agent below loses the skill, unless it is bound to the agent itself as well."</p>
            <div class="dialog-actions">
                <button type="button" class="btn" autofocus on:click=move |_| state.asking.set(None)>"Cancel"</button>
                <button type="button" class="btn danger" on:click=move |_| {
                    if let Some(binding) = state.asking.get_untracked() {
                        state.asking.set(None);
                        state.remove(binding);
                    }
                }>"Remove"</button>
            </div>
        </Dialog>
    }
}
