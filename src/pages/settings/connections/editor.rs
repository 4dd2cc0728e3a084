//! The form of a connection at work: registering a new one, and changing a stored one while others
//! may change it too. Only what differs is sent, and what is typed during a save stays.

use std::rc::Rc;

use contract::connections::{Connection, ConnectionPatch, Transport};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use super::draft::{Draft, HeaderEdit, Wrong};
use super::form::ConnectionFields;
use super::item::use_connection;
use crate::api::{self, ApiError};
use crate::browser;
use crate::components::announce::{Announcer, use_announcer};
use crate::components::form::{SendForm, focus_wrong};
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::{Unsaved, use_leave};
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::pages::settings::use_frame;
use crate::reactive::{effect, spawn};
use crate::route::{Route, SettingsPage};
use crate::session::{SessionState, use_session};

/// What the control plane refused, at its field.
fn wrong_of(error: &ApiError) -> Wrong {
    let mut wrong = Wrong {
        name: error.problem_of("name"),
        url: error.problem_of("url"),
        command: error.problem_of("command").or(error.problem_of("each")),
        headers: error.problem_of("authHeaders"),
        other: error.problem_of("transport"),
    };
    if wrong == Wrong::default() {
        match error {
            ApiError::Refused {
                status: 409, said, ..
            } => wrong.name = Some(said.clone()),
            ApiError::Refused {
                status: 400, said, ..
            } if said.to_lowercase().contains("header") => wrong.headers = Some(said.clone()),
            ApiError::Refused {
                status: 400, said, ..
            } if said.to_lowercase().contains("url") => wrong.url = Some(said.clone()),
            other => wrong.other = Some(other.sentence()),
        }
    }
    wrong
}

/// One form.
#[derive(Clone, Copy)]
struct Editor {
    session: SessionState,
    announcer: Announcer,
    draft: RwSignal<Draft>,
    /// What the form was begun from.
    base: RwSignal<Draft>,
    /// What the control plane refused of the draft it was told of.
    refused: RwSignal<Option<(Draft, Wrong)>>,
    /// Whether saving was tried: from then on every field says what is wrong with it.
    tried: RwSignal<bool>,
    busy: RwSignal<bool>,
}

impl Editor {
    fn start(draft: Draft) -> Self {
        Self {
            session: use_session(),
            announcer: use_announcer(),
            base: RwSignal::new(draft.clone()),
            draft: RwSignal::new(draft),
            refused: RwSignal::new(None),
            tried: RwSignal::new(false),
            busy: RwSignal::new(false),
        }
    }

    fn is_dirty(self) -> bool {
        self.draft
            .with(|draft| self.base.with(|base| draft != base))
    }

    /// Why it cannot be saved as it is.
    fn blocked(self) -> Option<String> {
        self.draft.with(|draft| draft.wrong().first().cloned())
    }

    /// What is wrong, to be shown at the fields: a field that was not touched is not blamed before
    /// saving was tried.
    fn shown_wrong(self) -> Wrong {
        let draft = self.draft.get();
        let mut wrong = draft.wrong();
        if !self.tried.get() {
            let base = self.base.get();
            let quiet = |text: &str, before: &str| text == before || text.is_empty();
            wrong.name = wrong.name.filter(|_| !quiet(&draft.name, &base.name));
            wrong.url = wrong.url.filter(|_| !quiet(&draft.url, &base.url));
            wrong.command = None;
            wrong.headers = None;
        }
        if let Some((told, refused)) = self.refused.get() {
            // What was said of a field holds until that field is another.
            let keep = |own: Option<String>, said: Option<String>, same: bool| {
                own.or_else(|| said.filter(|_| same))
            };
            wrong.name = keep(wrong.name, refused.name, told.name == draft.name);
            wrong.url = keep(wrong.url, refused.url, told.url == draft.url);
            let program = told.command == draft.command && told.args == draft.args;
            wrong.command = keep(wrong.command, refused.command, program);
            wrong.headers = keep(
                wrong.headers,
                refused.headers,
                told.headers == draft.headers,
            );
            wrong.other = keep(wrong.other, refused.other, told == draft);
        }
        wrong
    }

    fn refuse(self, sent: Draft, error: &ApiError) {
        self.announcer
            .alert(format!("Not saved. {}", error.sentence()));
        self.refused.try_set(Some((sent, wrong_of(error))));
        focus_wrong();
    }

    /// Looks before sending; `false` when something is wrong.
    fn passes(self) -> bool {
        self.tried.set(true);
        match untrack(|| self.blocked()) {
            Some(reason) => {
                self.announcer.alert(format!("Not saved. {reason}"));
                focus_wrong();
                false
            }
            None => true,
        }
    }
}

/// The form that registers a server.
#[component]
pub fn NewConnection() -> impl IntoView {
    use_frame().show(Signal::derive(|| "New connection".to_owned()));
    let editor = Editor::start(Draft {
        header_edit: HeaderEdit::Replace,
        ..Draft::default()
    });
    let navigate = use_navigate();
    let opened = move |connection: &Connection| {
        editor.announcer.toast(
            format!(
                "{} is registered. Every agent inherits it until its own page says otherwise.",
                connection.name
            ),
            None,
        );
        editor.base.set(editor.draft.get_untracked());
        let options = NavigateOptions {
            resolve: false,
            replace: true,
            ..NavigateOptions::default()
        };
        let place = Route::SettingsItem(SettingsPage::Connections, connection.id.0.clone());
        navigate(&place.href(), options);
        request_animation_frame(|| {
            browser::focus("main");
        });
    };
    let opened = StoredValue::new_local(Rc::new(opened) as Rc<dyn Fn(&Connection)>);
    let create = move || async move {
        let sent = editor.draft.get_untracked();
        editor.busy.try_set(true);
        let answer = register(editor.session, &sent).await;
        editor.busy.try_set(false);
        match editor.session.watch(answer) {
            Ok(connection) => {
                if let Some(opened) = opened.try_get_value() {
                    opened(&connection);
                }
                true
            }
            Err(error) => {
                editor.refuse(sent, &error);
                false
            }
        }
    };
    let send = move || {
        if !editor.busy.get_untracked() && editor.passes() {
            spawn(async move {
                create().await;
            });
        }
    };
    guard(
        editor,
        "the new connection",
        Rc::new(move || Box::pin(create())),
    );
    let list = Route::Settings(SettingsPage::Connections).href();
    let none = Memo::new(|_| Vec::new());
    view! {
        <div class="page settings">
            <p class="trail"><a href=list.clone()>"Connections"</a>" › New connection"</p>
            <section class="panel" aria-labelledby="new-heading">
                <header><h2 id="new-heading" tabindex="-1">"New connection"</h2></header>
                <SendForm class="form inner" busy=editor.busy on_send=move |()| send()>
                    <ConnectionFields
                        draft=editor.draft
                        wrong=Signal::derive(move || editor.shown_wrong())
                        stored_headers=none
                        stored_command=Signal::derive(|| None::<String>)
                        is_stored=false
                    />
                    <Other editor=editor />
                    <div class="form-actions">
                        <button type="submit" class="btn primary" aria-busy=move || editor.busy.get().then_some("true")>
                            {move || if editor.busy.get() { "Registering…" } else { "Register" }}
                        </button>
                        <a class="btn" href=list>"Cancel"</a>
                    </div>
                </SendForm>
            </section>
        </div>
    }
}

/// Registers it. After a lost answer the registry is read to learn whether it is there.
async fn register(session: SessionState, draft: &Draft) -> Result<Connection, ApiError> {
    let request = draft.create();
    match api::mcp::create(&session.client(), &request).await {
        Err(error) if error.may_be_stored() => {
            let all = api::mcp::list(&session.client()).await;
            let found = all.ok().and_then(|all| {
                let mut same = all.into_iter().filter(|one| {
                    one.name == request.name
                        && one.transport == request.transport
                        && request.url.as_ref().is_none_or(|url| *url == one.url)
                });
                same.next()
            });
            found.ok_or(error)
        }
        answer => answer,
    }
}

/// Asks before what is typed is left behind, and marks the title.
fn guard(editor: Editor, what: &str, save: crate::components::leave::Save) {
    let dirty = Memo::new(move |_| editor.is_dirty());
    use_leave().guard(Unsaved {
        what: what.to_owned(),
        dirty: dirty.into(),
        blocked: Signal::derive(move || editor.blocked()),
        save,
        discard: Rc::new(move || {
            editor.draft.set(editor.base.get_untracked());
            editor.refused.set(None);
        }),
    });
    use_frame().mark(dirty.into());
}

/// What is wrong with the whole.
#[component]
fn Other(editor: Editor) -> impl IntoView {
    move || {
        editor.shown_wrong().other.map(|other| {
            view! { <p class="wrong">"Not saved. "<bdi>{other}</bdi></p> }
        })
    }
}

/// The form that changes the connection of the page.
#[component]
pub fn EditConnection() -> impl IntoView {
    let state = use_connection();
    view! {
        <section class="panel" aria-labelledby="edit-heading">
            <header><h3 id="edit-heading" tabindex="-1">"Edit"</h3></header>
            <Loaded remote=state.connection failed="The connection could not be loaded." rows=4 let(stored)>
                <EditForm stored=stored />
            </Loaded>
        </section>
    }
}

#[component]
fn EditForm(stored: Memo<Connection>) -> impl IntoView {
    let state = use_connection();
    let editor = Editor::start(stored.with_untracked(Draft::of));
    let elsewhere = RwSignal::new(false);
    // An untouched form follows what is stored; a touched one is told of what changed under it.
    effect(move || {
        let now = stored.with(Draft::of);
        if editor.base.with_untracked(|base| *base == now) {
            return;
        }
        if untrack(|| editor.is_dirty()) {
            elsewhere.set(true);
        } else {
            editor.base.set(now.clone());
            editor.draft.set(now);
        }
    });
    let take_theirs = move || {
        let now = stored.with_untracked(Draft::of);
        editor.base.set(now.clone());
        editor.draft.set(now);
        editor.refused.set(None);
        editor.tried.set(false);
        elsewhere.set(false);
    };
    let save = move || async move {
        let sent = editor.draft.get_untracked();
        let patch = stored.with_untracked(|stored| sent.patch(stored));
        editor.busy.try_set(true);
        let id = state.id.get_value();
        let answer = api::mcp::patch(&state.client(), &id, &patch).await;
        let answer = match answer {
            // Header values never come back, so a lost answer about them stays unsure.
            Err(error) if error.may_be_stored() && patch.auth_headers.is_none() => {
                match api::mcp::one(&state.client(), &id).await {
                    Ok(now) if sent.patch(&now) == ConnectionPatch::default() => Ok(now),
                    _ => Err(error),
                }
            }
            answer => answer,
        };
        editor.busy.try_set(false);
        match state.watch(answer) {
            Ok(connection) => {
                let now = Draft::of(&connection);
                if editor.draft.try_with_untracked(|draft| *draft == sent) == Some(true) {
                    editor.draft.try_set(now.clone());
                    editor.tried.try_set(false);
                }
                editor.base.try_set(now);
                editor.refused.try_set(None);
                elsewhere.try_set(false);
                state.connection.confirm(connection);
                // Another address or name has other tools.
                state.tools.reload();
                editor.announcer.say("Saved");
                true
            }
            Err(error) => {
                editor.refuse(sent, &error);
                false
            }
        }
    };
    guard(editor, "the connection", Rc::new(move || Box::pin(save())));
    let send = move || {
        if editor.busy.get_untracked() {
            return;
        }
        if !untrack(|| editor.is_dirty()) {
            editor.announcer.say("Nothing was changed");
        } else if editor.passes() {
            spawn(async move {
                save().await;
            });
        }
    };
    let dirty = Memo::new(move |_| editor.is_dirty());
    let headers = Memo::new(move |_| stored.with(|stored| stored.auth_header_names.clone()));
    let command = Signal::derive(move || {
        stored.with(|stored| (stored.transport == Transport::Stdio).then(|| revealed(&stored.url)))
    });
    let renamed = Memo::new(move |_| {
        let name = editor.draft.with(|draft| draft.name.trim().to_owned());
        stored.with(|stored| stored.name != name)
    });
    let why_not = move || {
        if dirty.get() {
            editor.blocked()
        } else {
            Some("Nothing was changed.".to_owned())
        }
    };
    view! {
        <SendForm
            class="form inner"
            busy=editor.busy
            on_send=move |()| send()
            on:keydown=move |event: web_sys::KeyboardEvent| {
                if (event.ctrl_key() || event.meta_key()) && event.key() == "s" {
                    event.prevent_default();
                    send();
                }
            }
        >
            {move || elsewhere.get().then(|| view! {
                <div class="notice warn" role="group" aria-label="Changed elsewhere">
                    <Glyph icon=Icon::Warning />
                    <p>
                        <strong>"Changed elsewhere."</strong>
                        " It is "<bdi class="mono">{move || stored.with(|stored| revealed(&stored.name))}</bdi>
                        " at "<bdi class="mono">{move || stored.with(|stored| revealed(&stored.url))}</bdi>
                        " now. Saving puts yours in its place."
                    </p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            take_theirs();
                            browser::focus("connection-name");
                        }>"Take theirs"</button>
                    </div>
                </div>
            })}
            <ConnectionFields
                draft=editor.draft
                wrong=Signal::derive(move || editor.shown_wrong())
                stored_headers=headers
                stored_command=command
                is_stored=true
            />
            {move || renamed.get().then(|| view! {
                <p class="group-line warn"><Glyph icon=Icon::Warning /><span>"Another name gives its tools other names: grant patterns that name them must be changed as well."</span></p>
            })}
            <Other editor=editor />
            <div class="form-actions">
                <button
                    type="submit"
                    class="btn primary"
                    aria-disabled=move || (why_not().is_some() && !editor.busy.get()).then_some("true")
                    aria-busy=move || editor.busy.get().then_some("true")
                    aria-describedby=move || why_not().is_some().then_some("connection-why-not")
                >
                    {move || if editor.busy.get() { "Saving…" } else { "Save" }}
                </button>
                {move || dirty.get().then(|| view! {
                    <button type="button" class="btn" on:click=move |_| {
                        take_theirs();
                        browser::focus("connection-name");
                    }>"Discard"</button>
                    <span class="status lost-text">"Unsaved"</span>
                })}
                <span class="visually-hidden" id="connection-why-not">{why_not}</span>
            </div>
        </SendForm>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_stands_at_the_field_it_is_about() {
        let refused = |status, body| ApiError::from_answer(status, body, None);
        let taken = wrong_of(&refused(
            409,
            r#"{"message":"A connection named \"docs\" already exists."}"#,
        ));
        assert!(taken.name.is_some());
        let header = wrong_of(&refused(
            400,
            r#"{"message":"Invalid header name \"x y\"."}"#,
        ));
        assert!(header.headers.is_some());
        let list = wrong_of(&refused(400, r#"{"message":["name must be a string"]}"#));
        assert!(list.name.is_some() && list.other.is_none());
        assert!(wrong_of(&ApiError::Offline).other.is_some());
    }
}
