//! Adding a repository, and editing one: its fields, and its environment files beside them.

use std::rc::Rc;

use contract::events::ChangeKind;
use contract::ids::RepositoryId;
use contract::repositories::Repository;
use contract::requests::repositories as requests;
use contract::rules::repositories::mount_dir;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::env_files::EnvFilesPanel;
use super::fields::{ACCESS, FIELDS, PROVIDERS, judge, texts};
use crate::api::{self, ApiError};
use crate::components::announce::{Announcer, use_announcer};
use crate::components::draft::Elsewhere;
use crate::components::form::{CheckBox, Radios, TextArea, TextField, focus_wrong};
use crate::components::leave::use_leave;
use crate::components::section::Loaded;
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
pub fn RepositoryFormPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    move || match id.get().as_str() {
        NEW => view! { <New /> }.into_any(),
        id => view! { <Edit id=id.to_owned() /> }.into_any(),
    }
}

fn back() -> impl IntoView {
    view! {
        <p class="crumb"><a href=Route::Settings(SettingsPage::Repositories).href()>"All repositories"</a></p>
    }
}

/// The fields, the same for a new repository and a stored one.
#[component]
fn Fields(record: Record) -> impl IntoView {
    let typed = record.typed();
    let text = move |key: &str| record.draft(key).text;
    let mode = text("credentialMode");
    let names_secret = Memo::new(move |_| mode.with(|mode| mode == "secret-ref"));
    effect(move || {
        record
            .skipped
            .set((!names_secret.get()).then_some("credentialRef"));
    });
    let (name, directory) = (text("name"), text("mountPath"));
    let mounted = Signal::derive(move || {
        let asked = directory.get();
        let asked = Some(asked.trim()).filter(|asked| !asked.is_empty());
        let at = name.with(|name| mount_dir(asked, name.trim()));
        if name.with(|name| name.trim().is_empty()) && asked.is_none() {
            "Made from the name when left empty.".to_owned()
        } else {
            format!("It is mounted at {at}.")
        }
    });
    view! {
        <TextField id="repository-name" label="Name" value=name problem=record.problem("name") on_typed=typed
            hint="Up to 120 characters, unique in the registry." />
        <Elsewhere draft=record.draft("name") what="name" />
        <TextField id="repository-url" label="URL" value=text("url") problem=record.problem("url") on_typed=typed
            hint="https://host/path, ssh://host/path or user@host:path. Never with a password or token in it." />
        <Elsewhere draft=record.draft("url") what="URL" />
        <Radios name="repository-provider" legend="Provider" choices=PROVIDERS value=text("provider") />
        <div class="field-pair">
            <TextField id="repository-branch" label="Default branch (optional)" value=text("defaultBranch")
                problem=record.problem("defaultBranch") on_typed=typed hint="The provider’s own when left empty." />
            <TextField id="repository-directory" label="Directory (optional)" value=directory
                problem=record.problem("mountPath") on_typed=typed hint=mounted />
        </div>
        <Elsewhere draft=record.draft("defaultBranch") what="default branch" />
        <Elsewhere draft=record.draft("mountPath") what="directory" />
        <TextArea id="repository-description" label="Description (optional)" value=text("description")
            problem=record.problem("description") on_typed=typed rows=2 />
        <Elsewhere draft=record.draft("description") what="description" />
        <Radios name="repository-access" legend="Access" choices=ACCESS value=mode />
        {move || names_secret.get().then(|| view! {
            <TextField id="repository-secret" label="Secret" value=text("credentialRef")
                problem=record.problem("credentialRef") on_typed=typed
                hint="A pointer such as env:NAME, never the token itself." />
            <Elsewhere draft=record.draft("credentialRef") what="secret" />
        })}
        <fieldset class="choices">
            <legend>"Use"</legend>
            <CheckBox label="Every project may use it" hint="Off keeps it to the projects that name it." value=text("availableInAllProjects") />
            <CheckBox label="Enabled" hint="Off keeps it from every agent, attached or not." value=text("enabled") />
        </fieldset>
    }
}

/// The form for a new repository.
#[component]
fn New() -> impl IntoView {
    let frame = use_frame();
    let session = use_session();
    let announcer = use_announcer();
    let leave = use_leave();
    let stored = Memo::new(|_| texts(None));
    let record = Record::follow(FIELDS, stored, judge);
    let dirty = Memo::new(move |_| record.is_dirty());
    frame.show(Signal::stored("New repository".to_owned()));
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
        let answer = api::repositories::create(&session.client(), &request).await;
        record.busy.try_set(false);
        match session.watch(answer) {
            Ok(row) => {
                record.discard();
                announcer.toast(
                    format!("{} is registered. Agents can have it attached.", row.name),
                    None,
                );
                if then_go {
                    leave.go(&Route::SettingsItem(SettingsPage::Repositories, row.id.0));
                }
                true
            }
            Err(error) => {
                announcer.alert(format!("Not registered. {}", error.sentence()));
                record.refuse(error);
                focus_wrong();
                false
            }
        }
    };
    record.guard(
        "the new repository".to_owned(),
        dirty.into(),
        Rc::new(move || Box::pin(save(false))),
    );
    view! {
        <div class="page">
            {back()}
            <section class="panel" aria-labelledby="repository-heading">
                <header><h2 id="repository-heading" tabindex="-1">"Add a repository"</h2></header>
                <RecordForm
                    record=record
                    dirty=dirty
                    first="repository-name"
                    words=Words { send: "Add the repository", sending: "Adding…" }
                    on_send=Callback::new(move |()| spawn(async move {
                        save(true).await;
                    }))
                >
                    <Fields record=record />
                </RecordForm>
            </section>
            <p class="note">"Environment files are added once the repository is registered."</p>
        </div>
    }
}

/// A stored repository.
#[component]
fn Edit(id: String) -> impl IntoView {
    let session = use_session();
    let key = StoredValue::new(RepositoryId::from(id));
    let row: Remote<Repository> = Remote::new(move || async move {
        api::repositories::one(&session.client(), &key.get_value()).await
    });
    use_live().on_change(move |event| {
        let mine = key.with_value(|id| event.resource_id.as_deref() == Some(id.as_str()));
        match event.kind {
            ChangeKind::Repository if mine => row.reload(),
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
                <section class="panel" aria-labelledby="repository-heading">
                    <header><h2 id="repository-heading">"Repository not found or not yours"</h2></header>
                    <p class="empty">"It may have been deleted, or the address may be wrong. Rows that follow a Work have no page of their own."</p>
                </section>
            }.into_any() } else { view! {
                <Loaded remote=row failed="The repository could not be loaded." rows=6 let(current)>
                    <Editor row=row current=current />
                </Loaded>
            }.into_any() }}
        </div>
    }
}

#[derive(Clone, Copy)]
struct Editing {
    row: Remote<Repository>,
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
        let answer = api::repositories::patch(&self.session.client(), &row.id, &patch).await;
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
fn Editor(row: Remote<Repository>, current: Memo<Repository>) -> impl IntoView {
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
    let files_dirty = RwSignal::new(false);
    frame.show(Signal::derive(move || current.with(|row| row.name.clone())));
    frame.mark(Signal::derive(move || dirty.get() || files_dirty.get()));
    record.guard(
        "the repository".to_owned(),
        dirty.into(),
        Rc::new(move || Box::pin(editing.save())),
    );
    view! {
        <section class="panel" aria-labelledby="repository-heading">
            <header>
                <h2 id="repository-heading" tabindex="-1"><bdi>{move || current.with(|row| crate::components::words::revealed(&row.name))}</bdi></h2>
            </header>
            <RecordForm
                record=record
                dirty=dirty
                first="repository-name"
                words=Words { send: "Save", sending: "Saving…" }
                on_send=Callback::new(move |()| spawn(async move {
                    editing.save().await;
                }))
            >
                <Fields record=record />
            </RecordForm>
        </section>
        <EnvFilesPanel row=row current=current unsaved=files_dirty />
    }
}
