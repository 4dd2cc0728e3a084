//! The environment files of a repository. Names and sizes are shown; contents are read when asked
//! for, held only while they are on screen, and never kept in the browser's storage.

use std::rc::Rc;

use contract::repositories::{EnvFile, EnvFileContent, EnvFileContents, Repository};
use contract::rules::repositories::{
    ENV_FILE_BYTES_MAX, ENV_FILES_MAX, env_files_refusal, is_env_file_path,
};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::browser;
use crate::components::announce::{Announcer, use_announcer};
use crate::components::each::Each;
use crate::components::form::{TextArea, focus_wrong};
use crate::components::leave::{Unsaved, use_leave};
use crate::components::notice::Failure;
use crate::components::repository::bytes_words;
use crate::components::words::revealed;
use crate::reactive::{effect, spawn};
use crate::remote::Remote;
use crate::session::{SessionState, use_session};

/// One file while it is on screen.
#[derive(Clone, Copy)]
struct Open {
    number: u64,
    path: RwSignal<String>,
    content: RwSignal<String>,
}

/// What is on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// Names and sizes.
    Masked,
    /// The contents.
    Contents,
}

#[derive(Clone, Copy)]
struct Files {
    row: Remote<Repository>,
    shown: RwSignal<Shown>,
    open: RwSignal<Vec<Open>>,
    /// What was read, or nothing for a new set.
    base: RwSignal<Vec<EnvFileContent>>,
    /// Names and sizes when the contents were read.
    seen: RwSignal<Vec<EnvFile>>,
    next: StoredValue<u64>,
    failed: RwSignal<Option<ApiError>>,
    refused: RwSignal<Option<String>>,
    tried: RwSignal<bool>,
    busy: RwSignal<bool>,
    session: SessionState,
    announcer: Announcer,
}

/// How full a file is, in words.
fn size_words(content: &str) -> String {
    match content.len().checked_sub(ENV_FILE_BYTES_MAX) {
        None | Some(0) => format!("{} of {ENV_FILE_BYTES_MAX} bytes", content.len()),
        Some(1) => "1 byte over".to_owned(),
        Some(over) => format!("{over} bytes over"),
    }
}

impl Files {
    fn contents(self) -> Vec<EnvFileContent> {
        self.open.with(|open| {
            let file = |file: &Open| EnvFileContent {
                path: file.path.with(|path| path.trim().to_owned()),
                content: file.content.get(),
            };
            open.iter().map(file).collect()
        })
    }

    fn is_dirty(self) -> bool {
        self.shown.get() == Shown::Contents && self.base.with(|base| *base != self.contents())
    }

    fn add(self, path: &str, content: &str) -> u64 {
        let number = self.next.try_update_value(|next| {
            *next += 1;
            *next
        });
        let file = Open {
            number: number.unwrap_or_default(),
            path: RwSignal::new(path.to_owned()),
            content: RwSignal::new(content.to_owned()),
        };
        self.open.update(|open| open.push(file));
        file.number
    }

    fn begin(self, files: Vec<EnvFileContent>) {
        self.seen
            .set(self.row.now().map(|row| row.env_files).unwrap_or_default());
        self.open.set(Vec::new());
        for file in &files {
            self.add(&file.path, &file.content);
        }
        self.base.set(files);
        self.refused.set(None);
        self.tried.set(false);
        self.shown.set(Shown::Contents);
    }

    /// Takes the contents off the screen and out of memory.
    fn hide(self) {
        self.shown.try_set(Shown::Masked);
        self.open.try_set(Vec::new());
        self.base.try_set(Vec::new());
        self.refused.try_set(None);
    }

    fn reveal(self) {
        if self.busy.get_untracked() {
            return;
        }
        let Some(row) = self.row.now() else { return };
        self.busy.set(true);
        spawn(async move {
            let answer = api::repositories::env_files(&self.session.client(), &row.id).await;
            self.busy.try_set(false);
            match self.session.watch(answer) {
                Ok(contents) => {
                    if self.failed.try_set(None).is_some() {
                        return;
                    }
                    self.begin(contents.files);
                    self.announcer.say("Contents are shown");
                    focus_after("env-files-heading");
                }
                Err(error) => {
                    self.announcer
                        .alert(format!("Not revealed. {}", error.sentence()));
                    self.failed.try_set(Some(error));
                }
            }
        });
    }

    /// Starts with what may be added, without reading what is stored.
    fn start_new(self) {
        self.begin(Vec::new());
        let number = self.add("", "");
        focus_after(&format!("env-file-{number}-path"));
    }

    fn blocked(self) -> Option<String> {
        let files = self.contents();
        if files.iter().any(|file| file.path.is_empty()) {
            return Some("Every file needs a path.".to_owned());
        }
        env_files_refusal(&files)
    }

    async fn save(self) -> bool {
        let Some(row) = self.row.now() else {
            return false;
        };
        self.tried.try_set(true);
        if let Some(reason) = untrack(|| self.blocked()) {
            self.announcer.alert(format!("Not saved. {reason}"));
            self.refused.try_set(Some(reason));
            focus_wrong();
            return false;
        }
        let files = EnvFileContents {
            files: untrack(|| self.contents()),
        };
        self.busy.try_set(true);
        let answer =
            api::repositories::set_env_files(&self.session.client(), &row.id, &files).await;
        self.busy.try_set(false);
        match self.session.watch(answer) {
            Ok(stored) => {
                if let Some(mut now) = self.row.now() {
                    now.env_files = stored.files;
                    self.row.confirm(now);
                }
                self.hide();
                self.announcer.say("Environment files saved");
                focus_after("env-files-heading");
                true
            }
            Err(error) => {
                let said = error.sentence();
                self.announcer.alert(format!("Not saved. {said}"));
                self.refused.try_set(Some(said));
                false
            }
        }
    }
}

/// Moves focus once what changed is on the page.
fn focus_after(id: &str) {
    let id = id.to_owned();
    request_animation_frame(move || {
        browser::focus(&id);
    });
}

/// The panel.
#[component]
pub fn EnvFilesPanel(
    /// The repository.
    row: Remote<Repository>,
    /// The same, as it is shown.
    current: Memo<Repository>,
    /// Whether contents on screen differ from what is stored.
    unsaved: RwSignal<bool>,
) -> impl IntoView {
    let files = Files {
        row,
        shown: RwSignal::new(Shown::Masked),
        open: RwSignal::new(Vec::new()),
        base: RwSignal::new(Vec::new()),
        seen: RwSignal::new(Vec::new()),
        next: StoredValue::new(0),
        failed: RwSignal::new(None),
        refused: RwSignal::new(None),
        tried: RwSignal::new(false),
        busy: RwSignal::new(false),
        session: use_session(),
        announcer: use_announcer(),
    };
    let dirty = Memo::new(move |_| files.is_dirty());
    effect(move || unsaved.set(dirty.get()));
    use_leave().guard(Unsaved {
        what: "environment files".to_owned(),
        dirty: dirty.into(),
        blocked: Signal::derive(move || files.blocked()),
        save: Rc::new(move || Box::pin(files.save())),
        discard: Rc::new(move || files.hide()),
    });
    let masked = Memo::new(move |_| current.with(|row| row.env_files.clone()));
    let count = move || {
        let held = match files.shown.get() {
            Shown::Masked => masked.with(Vec::len),
            Shown::Contents => files.open.with(Vec::len),
        };
        format!("{held} of {ENV_FILES_MAX}")
    };
    view! {
        <section class="panel" aria-labelledby="env-files-heading">
            <header>
                <h2 id="env-files-heading" tabindex="-1">"Environment files"</h2>
                <span class="note">{count}</span>
                {move || dirty.get().then(|| view! { <span class="status lost-text">"Unsaved"</span> })}
            </header>
            {move || files.failed.get().map(|error| view! {
                <Failure
                    what="The contents could not be read."
                    error=error
                    on_retry=Callback::new(move |()| files.reveal())
                />
            })}
            {move || match files.shown.get() {
                Shown::Masked => view! { <Masked files=files masked=masked /> }.into_any(),
                Shown::Contents => view! { <Contents files=files masked=masked /> }.into_any(),
            }}
        </section>
    }
}

/// Names and sizes.
#[component]
fn Masked(files: Files, masked: Memo<Vec<EnvFile>>) -> impl IntoView {
    let none = Memo::new(move |_| masked.with(Vec::is_empty));
    let reveal = move || {
        view! {
            <button
                type="button"
                class="btn"
                aria-busy=move || files.busy.get().then_some("true")
                on:click=move |_| files.reveal()
            >
                {move || if files.busy.get() { "Revealing…" } else { "Reveal" }}
            </button>
            <button type="button" class="btn quiet" on:click=move |_| files.start_new()>"Replace all"</button>
        }
    };
    view! {
        <div class="inner">
            {move || if none.get() { view! {
                <p class="note">"It has none. Up to 8 files of at most 32 KB each are written into the directory before an agent starts."</p>
            }.into_any() } else { view! {
                <p class="note">"Contents are masked. Revealing reads them from the control plane; they are shown only here and never kept."</p>
            }.into_any() }}
            <ul class="masked-files">
                <Each each=move || masked.get() key=|file| format!("{} {}", file.path, file.size) let(file)>
                    <li>
                        <code dir="ltr">{revealed(&file.path)}</code>
                        <span class="dots" aria-hidden="true">"••••••••"</span>
                        <span class="note">{bytes_words(file.size)}</span>
                    </li>
                </Each>
            </ul>
            <div class="form-actions">
                {move || if none.get() { view! {
                    <button type="button" class="btn" on:click=move |_| files.start_new()>"Add a file"</button>
                }.into_any() } else { reveal().into_any() }}
            </div>
        </div>
    }
}

/// The contents, to be read and changed.
#[component]
fn Contents(files: Files, masked: Memo<Vec<EnvFile>>) -> impl IntoView {
    let moved = Memo::new(move |_| files.seen.with(|seen| masked.with(|now| seen != now)));
    let full = Memo::new(move |_| files.open.with(|open| open.len() >= ENV_FILES_MAX));
    let dirty = Memo::new(move |_| files.is_dirty());
    let replaces = Memo::new(move |_| {
        files.base.with(Vec::is_empty) && masked.with(|masked| !masked.is_empty())
    });
    let save = move || {
        if !files.busy.get_untracked() {
            spawn(async move {
                files.save().await;
            });
        }
    };
    view! {
        <form
            class="form inner wide"
            novalidate
            autocomplete="off"
            on:submit=move |event| {
                event.prevent_default();
                save();
            }
            on:keydown=move |event: web_sys::KeyboardEvent| {
                if (event.ctrl_key() || event.meta_key()) && event.key() == "s" {
                    event.prevent_default();
                    save();
                }
            }
        >
            {move || moved.get().then(|| view! {
                <div class="notice warn" role="group" aria-label="Changed elsewhere">
                    <p><strong>"Changed elsewhere."</strong>" The stored files are not the ones that were revealed. Saving replaces all of them."</p>
                    <div class="actions"><button type="button" class="btn" on:click=move |_| files.reveal()>"Reveal them again"</button></div>
                </div>
            })}
            {move || replaces.get().then(|| view! {
                <p class="notice warn">"What is saved here takes the place of every stored file."</p>
            })}
            {move || files.open.with(Vec::is_empty).then(|| view! {
                <p class="note">"Saving without a file removes every environment file."</p>
            })}
            <Each each=move || files.open.get() key=|file| file.number let(file)>
                <FileFields files=files file=file />
            </Each>
            {move || files.refused.get().map(|said| view! {
                <p class="notice deny"><bdi>{said}</bdi></p>
            })}
            <div class="form-actions">
                <button type="submit" class="btn primary" aria-busy=move || files.busy.get().then_some("true")>
                    {move || if files.busy.get() { "Saving…" } else { "Save all files" }}
                </button>
                <button
                    type="button"
                    class="btn"
                    aria-disabled=move || full.get().then_some("true")
                    title=move || full.get().then_some("A repository has at most 8 environment files")
                    on:click=move |_| if full.get_untracked() {
                        files.announcer.alert("A repository has at most 8 environment files.");
                    } else {
                        let number = files.add("", "");
                        focus_after(&format!("env-file-{number}-path"));
                    }
                >"Add a file"</button>
                <button type="button" class="btn quiet" on:click=move |_| {
                    files.hide();
                    focus_after("env-files-heading");
                }>
                    {move || if dirty.get() { "Discard and hide" } else { "Hide" }}
                </button>
            </div>
        </form>
    }
}

/// Path and content of one file.
#[component]
fn FileFields(files: Files, file: Open) -> impl IntoView {
    let id = format!("env-file-{}", file.number);
    let path_id = format!("{id}-path");
    let wrong_id = format!("{id}-path-wrong");
    let path_wrong = Memo::new(move |_| {
        let path = file.path.with(|path| path.trim().to_owned());
        let twice = files.open.with(|open| {
            let same = |other: &&Open| other.path.with(|other| other.trim() == path);
            !path.is_empty() && open.iter().filter(same).count() > 1
        });
        if path.is_empty() {
            return files.tried.get().then_some("Type a path.");
        }
        if !is_env_file_path(&path) {
            return Some(
                "Type a path below the directory: names of letters, digits, “.”, “_” and “-”, joined by “/”.",
            );
        }
        twice.then_some("Another file has this path.")
    });
    let content_wrong = Signal::derive(move || {
        file.content
            .with(|content| (content.len() > ENV_FILE_BYTES_MAX).then(|| size_words(content)))
    });
    let described = wrong_id.clone();
    view! {
        <fieldset class="env-file">
            <legend class="visually-hidden">{move || file.path.with(|path| if path.is_empty() { "New file".to_owned() } else { path.clone() })}</legend>
            <div class="form-field">
                <label for=path_id.clone()>"Path"</label>
                <div class="with-button">
                    <input
                        class="input mono"
                        id=path_id.clone()
                        dir="ltr"
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        placeholder=".env"
                        prop:value=file.path
                        aria-invalid=move || path_wrong.with(Option::is_some).then_some("true")
                        aria-describedby=move || path_wrong.with(Option::is_some).then(|| described.clone())
                        on:input:target=move |event| file.path.set(event.target().value())
                    />
                    <button
                        type="button"
                        class="btn quiet"
                        aria-label=move || format!("Remove {}", file.path.with(|path| if path.is_empty() { "the new file".to_owned() } else { path.clone() }))
                        on:click=move |_| {
                            files.open.update(|open| open.retain(|other| other.number != file.number));
                            focus_after("env-files-heading");
                        }
                    >"Remove"</button>
                </div>
                {move || path_wrong.get().map(|wrong| view! { <p class="wrong" id=wrong_id.clone()>{wrong}</p> })}
            </div>
            <TextArea
                id=format!("{id}-content")
                label="Content"
                code=true
                rows=4
                value=file.content
                problem=content_wrong
                hint=Signal::derive(move || file.content.with(|content| {
                    if content.len() > ENV_FILE_BYTES_MAX { String::new() } else { size_words(content) }
                }))
            />
        </fieldset>
    }
}

#[cfg(test)]
mod tests {
    use super::{ENV_FILE_BYTES_MAX, size_words};

    #[test]
    fn sizes_are_bytes_and_not_characters() {
        assert_eq!(size_words("é"), "2 of 32768 bytes");
        assert_eq!(
            size_words(&"x".repeat(ENV_FILE_BYTES_MAX)),
            "32768 of 32768 bytes"
        );
        assert_eq!(
            size_words(&"x".repeat(ENV_FILE_BYTES_MAX + 1)),
            "1 byte over"
        );
    }
}
