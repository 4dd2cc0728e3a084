//! Making an environment, and editing one.

use std::rc::Rc;

use contract::environments::{Environment, EnvironmentStatus};
use contract::events::ChangeKind;
use contract::ids::EnvironmentId;
use contract::requests::environments as requests;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::fields::{FIELDS, NETWORK, judge, texts};
use super::row::status_badge;
use crate::api::{self, ApiError};
use crate::components::announce::{Announcer, use_announcer};
use crate::components::draft::Elsewhere;
use crate::components::form::{CheckBox, Radios, TextArea, TextField, focus_wrong};
use crate::components::leave::use_leave;
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::live::use_live;
use crate::pages::settings::record::{Record, body, refused};
use crate::pages::settings::record_form::{RecordForm, Words};
use crate::pages::settings::use_frame;
use crate::reactive::{effect, spawn};
use crate::remote::Remote;
use crate::route::{NEW, Route, SettingsPage};
use crate::session::{SessionState, use_session};

/// The page. Another id in the address makes a new one.
#[component]
pub fn EnvironmentFormPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    move || match id.get().as_str() {
        NEW => view! { <New /> }.into_any(),
        id => view! { <Edit id=id.to_owned() /> }.into_any(),
    }
}

fn back() -> impl IntoView {
    view! {
        <p class="crumb"><a href=Route::Settings(SettingsPage::Environments).href()>"All environments"</a></p>
    }
}

/// The fields, the same for a new environment and a stored one.
#[component]
fn Fields(record: Record) -> impl IntoView {
    let typed = record.typed();
    let text = move |key: &str| record.draft(key).text;
    let mode = text("networkingMode");
    let limited = Memo::new(move |_| mode.with(|mode| mode == "limited"));
    effect(move || {
        record
            .skipped
            .set((!limited.get()).then_some("allowedHosts"));
    });
    let list = move |id: &'static str,
                     key: &'static str,
                     label: &'static str,
                     hint: &'static str| {
        view! {
            <TextArea id=id label=label value=text(key) problem=record.problem(key) on_typed=typed code=true rows=4 hint=hint />
            <Elsewhere draft=record.draft(key) what=label />
        }
    };
    view! {
        <TextField id="environment-name" label="Name" value=text("name") problem=record.problem("name") on_typed=typed
            hint="Up to 120 characters, with at least one letter or digit." />
        <Elsewhere draft=record.draft("name") what="name" />
        <TextArea id="environment-description" label="Description (optional)" value=text("description")
            problem=record.problem("description") on_typed=typed rows=2 />
        <Elsewhere draft=record.draft("description") what="description" />
        <div class="field-pair">
            <div>{list("environment-pip", "pipPackages", "Python packages", "One per line, such as pandas or requests>=2.31,<3. At most 100.")}</div>
            <div>{list("environment-npm", "npmPackages", "Node packages", "One per line, such as vite or @scope/pkg@^1.2.0. At most 100.")}</div>
        </div>
        <Radios name="environment-network" legend="Network" choices=NETWORK value=mode />
        {move || limited.get().then(|| list(
            "environment-hosts",
            "allowedHosts",
            "Allowed hosts",
            "One per line. A leading *. stands for every name below it. No addresses and no local names; at most 200.",
        ))}
        <fieldset class="choices">
            <legend>"Use"</legend>
            <CheckBox label="Package managers may reach their registries" hint="Also while the network is limited." value=text("allowPackageManagers") />
            <CheckBox label="Every project may use it" hint="Off keeps it to the projects that name it." value=text("availableInAllProjects") />
        </fieldset>
    }
}

/// The form for a new environment.
#[component]
fn New() -> impl IntoView {
    let frame = use_frame();
    let session = use_session();
    let announcer = use_announcer();
    let leave = use_leave();
    let stored = Memo::new(|_| texts(None));
    let record = Record::follow(FIELDS, stored, judge);
    let dirty = Memo::new(move |_| record.is_dirty());
    frame.show(Signal::stored("New environment".to_owned()));
    frame.mark(dirty.into());
    let save = move |then_go: bool| async move {
        let request = match requests::create(&record.all()) {
            Ok(request) => request,
            Err(problems) => {
                record.refuse(refused(problems));
                return false;
            }
        };
        record.busy.try_set(true);
        let answer = api::environments::create(&session.client(), &request).await;
        record.busy.try_set(false);
        match session.watch(answer) {
            Ok(row) => {
                record.discard();
                announcer.toast(format!("{} was made, as a draft", row.name), None);
                if then_go {
                    leave.go(&Route::Settings(SettingsPage::Environments));
                }
                true
            }
            Err(error) => {
                announcer.alert(format!("Not made. {}", error.sentence()));
                record.refuse(error);
                focus_wrong();
                false
            }
        }
    };
    record.guard(
        "the new environment".to_owned(),
        dirty.into(),
        Rc::new(move || Box::pin(save(false))),
    );
    view! {
        <div class="page">
            {back()}
            <section class="panel" aria-labelledby="environment-heading">
                <header><h2 id="environment-heading" tabindex="-1">"Make an environment"</h2></header>
                <RecordForm
                    record=record
                    dirty=dirty
                    first="environment-name"
                    words=Words { send: "Make the environment", sending: "Making…" }
                    on_send=Callback::new(move |()| spawn(async move {
                        save(true).await;
                    }))
                >
                    <Fields record=record />
                </RecordForm>
            </section>
            <p class="note">"It is made as a draft. Agents can be given it once it is published."</p>
        </div>
    }
}

/// A stored environment.
#[component]
fn Edit(id: String) -> impl IntoView {
    let session = use_session();
    let key = StoredValue::new(EnvironmentId::from(id));
    let row: Remote<Environment> = Remote::new(move || async move {
        api::environments::one(&session.client(), &key.get_value()).await
    });
    use_live().on_change(move |event| {
        let mine = key.with_value(|id| event.resource_id.as_deref() == Some(id.as_str()));
        match event.kind {
            ChangeKind::Environment if mine => row.reload(),
            ChangeKind::Reset => row.reload(),
            _ => {}
        }
    });
    let gone = Memo::new(move |_| {
        let missing = row.failure().with(|error| {
            matches!(
                error,
                Some(ApiError::Missing(_) | ApiError::Refused { status: 400, .. })
            )
        });
        missing && row.value().with(Option::is_none)
    });
    view! {
        <div class="page">
            {back()}
            {move || if gone.get() { view! {
                <section class="panel" aria-labelledby="environment-heading">
                    <header><h2 id="environment-heading">"Environment not found or not yours"</h2></header>
                    <p class="empty">"It may have been deleted, or the address may be wrong."</p>
                </section>
            }.into_any() } else { view! {
                <Loaded remote=row failed="The environment could not be loaded." rows=6 let(current)>
                    <Editor row=row current=current />
                </Loaded>
            }.into_any() }}
        </div>
    }
}

#[derive(Clone, Copy)]
struct Editing {
    row: Remote<Environment>,
    record: Record,
    session: SessionState,
    announcer: Announcer,
}

impl Editing {
    /// Stores what was changed; `true` once the control plane confirmed it.
    async fn save(self) -> bool {
        let changes = self.record.changes();
        let (Some(row), false) = (self.row.now(), changes.is_empty()) else {
            return true;
        };
        let patch = match requests::patch(&body(&changes)) {
            Ok(patch) => patch,
            Err(problems) => {
                self.record.refuse(refused(problems));
                return false;
            }
        };
        self.record.busy.try_set(true);
        let answer = api::environments::patch(&self.session.client(), &row.id, &patch).await;
        self.record.busy.try_set(false);
        match self.session.watch(answer) {
            Ok(stored) => {
                self.record.settle(&changes, &texts(Some(&stored)));
                self.row.confirm(stored);
                self.announcer.say("Saved");
                true
            }
            Err(error) => {
                self.announcer
                    .alert(format!("Not saved. {}", error.sentence()));
                if error.may_be_stored() {
                    self.row.reload();
                }
                self.record.refuse(error);
                focus_wrong();
                false
            }
        }
    }
}

#[component]
fn Editor(row: Remote<Environment>, current: Memo<Environment>) -> impl IntoView {
    let frame = use_frame();
    let stored = Memo::new(move |_| current.with(|row| texts(Some(row))));
    let editing = Editing {
        row,
        record: Record::follow(FIELDS, stored, judge),
        session: use_session(),
        announcer: use_announcer(),
    };
    let record = editing.record;
    let dirty = Memo::new(move |_| record.is_dirty());
    let published =
        Memo::new(move |_| current.with(|row| row.status == EnvironmentStatus::Published));
    frame.show(Signal::derive(move || current.with(|row| row.name.clone())));
    frame.mark(dirty.into());
    record.guard(
        "the environment".to_owned(),
        dirty.into(),
        Rc::new(move || Box::pin(editing.save())),
    );
    view! {
        <section class="panel" aria-labelledby="environment-heading">
            <header>
                <h2 id="environment-heading" tabindex="-1"><bdi>{move || current.with(|row| revealed(&row.name))}</bdi></h2>
                {move || current.with(|row| status_badge(&row.status))}
            </header>
            {move || published.get().then(|| view! {
                <p class="lead">"It is published: agents that have it find what is saved here from their next run."</p>
            })}
            <RecordForm
                record=record
                dirty=dirty
                first="environment-name"
                words=Words { send: "Save", sending: "Saving…" }
                on_send=Callback::new(move |()| spawn(async move {
                    editing.save().await;
                }))
            >
                <Fields record=record />
            </RecordForm>
        </section>
    }
}
