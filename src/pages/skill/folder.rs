//! The page of a skill found in a folder of the server's machine: one file, judged and read by
//! three hosts.

use contract::skill_folders::{
    FolderFile, FolderSkillDetail, HostReading, HostUse, HostUseState, SkillFolderList,
};
use contract::skill_lint::{SkillHost, SkillLint};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use serde_json::{Map, Value};

use super::arguments::ArgumentsPanel;
use super::content::ContentPanel;
use super::facts::{Copyable, Fact, short_digest};
use super::frontmatter::FrontmatterPanel;
use super::lint::{host_name, verdicts};
use super::prompt::{Listed, PromptPanel};
use super::published::listing::size_words;
use super::reveal::marked;
use crate::api::{self, ApiError};
use crate::browser;
use crate::components::badge::Badge;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::{revealed, with_code};
use crate::pages::settings::skills::folders::use_badge;
use crate::pages::settings::use_frame;
use crate::remote::Remote;
use crate::route::{Route, SettingsPage, SkillPlace};
use crate::session::use_session;

/// The page. Another id in the address makes a new one.
#[component]
pub fn FolderSkillPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    move || view! { <Page id=id.get() /> }
}

/// The name of the skill, else its path.
fn name_of(detail: &FolderSkillDetail) -> String {
    let skill = &detail.skill;
    skill.name.clone().unwrap_or_else(|| skill.path.clone())
}

#[component]
fn Page(id: String) -> impl IntoView {
    let session = use_session();
    let key = StoredValue::new(id);
    let detail: Remote<FolderSkillDetail> = Remote::new(move || async move {
        api::skill_folders::one(&session.client(), &key.get_value()).await
    });
    let folders: Remote<SkillFolderList> =
        Remote::new(move || async move { api::skill_folders::all(&session.client()).await });
    use_frame().show(Signal::derive(move || {
        detail
            .value()
            .with(|detail| detail.as_ref().map(|detail| revealed(&name_of(detail))))
            .unwrap_or_default()
    }));
    let missing = Memo::new(move |_| {
        detail
            .failure()
            .with(|error| matches!(error, Some(ApiError::Missing(_))))
    });
    move || {
        if missing.get() {
            return view! {
                <div class="page">
                    <section class="panel"><p class="empty">
                        <strong>"No such file any more."</strong>
                        <span>"It may have been moved or deleted, or the server was started with other folders."</span>
                        <a href=Route::Settings(SettingsPage::Skills).href()>"All skills"</a>
                    </p></section>
                </div>
            }
            .into_any();
        }
        view! {
            <div class="page">
                <Loaded remote=detail failed="The file could not be read." rows=6 children=move |found| view! {
                    <Whole detail=found reload=Callback::new(move |()| { detail.reload(); folders.reload(); }) folders=folders />
                } />
            </div>
        }
        .into_any()
    }
}

/// The pairs a host sees, as fields.
fn fields_of(reading: &HostReading) -> Map<String, Value> {
    reading
        .frontmatter
        .iter()
        .map(|pair| (pair.key.clone(), Value::String(pair.value.clone())))
        .collect()
}

#[component]
fn Whole(
    detail: Memo<FolderSkillDetail>,
    reload: Callback<()>,
    folders: Remote<SkillFolderList>,
) -> impl IntoView {
    // As which host the file is read; the first one that can.
    let chosen = RwSignal::new(None::<SkillHost>);
    let readers = Memo::new(move |_| {
        detail.with(|detail| {
            let hosts = detail.readings.iter().map(|one| one.host.clone());
            hosts.collect::<Vec<_>>()
        })
    });
    let reading = Memo::new(move |_| {
        let host = chosen.get();
        detail.with(|detail| {
            let wanted = detail
                .readings
                .iter()
                .find(|one| Some(&one.host) == host.as_ref());
            wanted.or_else(|| detail.readings.first()).cloned()
        })
    });
    let body = Memo::new(move |_| {
        reading.with(|reading| {
            reading
                .as_ref()
                .map(|one| one.body.clone())
                .unwrap_or_default()
        })
    });
    let head = Memo::new(move |_| {
        reading.with(|reading| reading.as_ref().map(fields_of).unwrap_or_default())
    });
    let has_reading = Memo::new(move |_| reading.with(Option::is_some));
    let flat = Memo::new(move |_| {
        detail.with(|detail| {
            let found = detail
                .readings
                .iter()
                .find(|one| one.host == SkillHost::MyCodeAgent);
            found.map(|one| one.body.clone())
        })
    });
    let has_flat = Memo::new(move |_| flat.with(Option::is_some));
    let name =
        Memo::new(move |_| detail.with(|detail| detail.skill.name.clone().unwrap_or_default()));
    let listed = Memo::new(move |_| {
        let folder = detail.with(|detail| detail.folder_id.clone());
        folders.value().with(|folders| {
            let skills = folders
                .iter()
                .flat_map(|list| &list.data)
                .filter(|one| one.id == folder)
                .flat_map(|one| &one.skills);
            skills
                .filter(|one| {
                    one.at(&SkillHost::MyCodeAgent).is_some_and(|place| {
                        matches!(place.state, HostUseState::Shown | HostUseState::Cut)
                    })
                })
                .filter_map(|one| {
                    let verdict = one.lint.of(&SkillHost::MyCodeAgent)?;
                    Some(Listed {
                        name: verdict.name.clone()?,
                        description: verdict.description.clone()?,
                    })
                })
                .collect::<Vec<_>>()
        })
    });
    view! {
        <article class="skill-page" aria-labelledby="skill-title">
            <Identity detail=detail reload=reload />
            <div class="skill-columns">
                <div class="stack">
                    {move || (readers.with(Vec::len) > 1).then(|| view! { <Readers readers=readers reading=reading chosen=chosen /> })}
                    {move || if has_reading.get() {
                        view! {
                            <ContentPanel text=body />
                            <FrontmatterPanel frontmatter=head />
                        }
                        .into_any()
                    } else {
                        view! {
                            <section class="panel"><p class="empty">"No host can take the file apart. The whole file is shown below as it is."</p></section>
                        }
                        .into_any()
                    }}
                    <WholeFile detail=detail />
                    <FilesPanel detail=detail />
                </div>
                <div class="stack">
                    <UsesPanel detail=detail />
                    <LintOfFile detail=detail />
                    <PromptPanel skills=listed name=name made_of="the skills of this folder" />
                    {move || has_flat.get().then(|| view! {
                        <ArgumentsPanel
                            text=Signal::derive(move || flat.get().unwrap_or_default())
                            directory=Signal::derive(move || detail.with(|detail| detail.base_dir.clone()))
                        />
                    })}
                </div>
            </div>
        </article>
    }
}

/// The choice of the host whose reading is shown.
#[component]
fn Readers(
    readers: Memo<Vec<SkillHost>>,
    reading: Memo<Option<HostReading>>,
    chosen: RwSignal<Option<SkillHost>>,
) -> impl IntoView {
    view! {
        <div class="chips" role="group" aria-label="Read as">
            {move || readers.get().into_iter().map(|host| {
                let pressed = {
                    let host = host.clone();
                    move || reading.with(|reading| reading.as_ref().is_some_and(|one| one.host == host)).to_string()
                };
                let label = format!("As {} reads it", host_name(&host));
                view! {
                    <button type="button" class="chip" aria-pressed=pressed on:click=move |_| chosen.set(Some(host.clone()))>{label}</button>
                }
            }).collect_view()}
        </div>
    }
}

#[component]
fn Identity(detail: Memo<FolderSkillDetail>, reload: Callback<()>) -> impl IntoView {
    view! {
        <header class="panel skill-head">
            <div class="skill-head-line">
                <div class="identity">
                    <p class="crumb"><a href=Route::Settings(SettingsPage::Skills).href()>"Skills"</a>" › Folder of the server"</p>
                    <h2 id="skill-title" tabindex="-1"><bdi>{move || detail.with(|detail| revealed(&name_of(detail)))}</bdi></h2>
                    <p class="skill-lead"><bdi>{move || detail.with(|detail| detail.skill.description.as_deref().map(revealed))}</bdi></p>
                </div>
                <div class="section-actions">
                    <button type="button" class="btn" on:click=move |_| reload.run(())><Glyph icon=Icon::Reset />"Read again"</button>
                </div>
            </div>
            <dl class="skill-facts-list">
                <div class="wide"><dt>"File"</dt><dd>{move || {
                    let path = detail.with(|detail| format!("{}/{}", detail.root.trim_end_matches('/'), detail.skill.path));
                    view! { <Copyable text=path what="the path" /> }
                }}</dd></div>
                <Fact label="Size">{move || detail.with(|detail| detail.skill.size.map_or_else(|| "not a file".to_owned(), size_words))}</Fact>
                <Fact label="Changed">{move || detail.with(|detail| detail.skill.modified_at.as_deref().map_or_else(|| "not known".to_owned(), browser::local_time))}</Fact>
                <Fact label="Read">{move || detail.with(|detail| browser::local_time(&detail.read_at))}</Fact>
                <Fact label="Base directory"><bdi class="mono" dir="ltr">{move || detail.with(|detail| revealed(&detail.base_dir))}</bdi></Fact>
            </dl>
            <p class="note">"MyCodeAgent notices a change by the newest time and the number of files alone: an older file that is edited, or one whose time was put back, stays as it was until a restart."</p>
        </header>
    }
}

/// What becomes of the skill at each host.
#[component]
fn UsesPanel(detail: Memo<FolderSkillDetail>) -> impl IntoView {
    view! {
        <section class="panel" aria-labelledby="uses">
            <header><h3 id="uses">"What becomes of it"</h3></header>
            <ul class="hosts">
                {move || detail.with(|detail| detail.skill.uses.iter().map(place).collect_view())}
            </ul>
        </section>
    }
}

fn place(place: &HostUse) -> AnyView {
    let (tone, icon, word) = use_badge(place);
    let reason = place.reason.clone();
    let other = place.because_of.clone().map(|id| {
        let said = match place.state {
            HostUseState::Stopped => "the file that stops it",
            _ => "the one that is used",
        };
        (Route::Skill(SkillPlace::Folder(id)).href(), said)
    });
    view! {
        <li class="host">
            <p class="host-head"><strong>{host_name(&place.host)}</strong><Badge tone=tone icon=icon text=word /></p>
            {(!reason.is_empty()).then(|| view! { <p class="reasons"><bdi>{with_code(&revealed(&reason))}</bdi></p> })}
            {other.map(|(href, said)| view! { <p class="reasons"><a href=href>{said}</a></p> })}
        </li>
    }
    .into_any()
}

#[component]
fn LintOfFile(detail: Memo<FolderSkillDetail>) -> impl IntoView {
    let judged = move || -> (SkillLint, String) {
        detail.with(|detail| {
            let path = &detail.skill.path;
            let parent = path.rsplit('/').nth(1).unwrap_or_default().to_owned();
            (detail.skill.lint.clone(), parent)
        })
    };
    view! {
        <section class="panel lint" aria-labelledby="lint">
            <header><h3 id="lint">"In other hosts"</h3></header>
            {move || { let (lint, directory) = judged(); verdicts(lint, &directory) }}
        </section>
    }
}

/// The file as it is, with nothing hidden.
#[component]
fn WholeFile(detail: Memo<FolderSkillDetail>) -> impl IntoView {
    view! {
        <section class="panel" aria-labelledby="whole-file">
            <header><h3 id="whole-file">"Whole file"</h3></header>
            {move || detail.with(|detail| match &detail.text {
                None => view! { <p class="empty">"The file was not read."</p> }.into_any(),
                Some(text) => view! {
                    {detail.text_replaced.then(|| view! { <p class="lead-note">"It is not UTF-8: bytes that are none are shown as U+FFFD."</p> })}
                    {detail.text_cut.then(|| view! { <p class="lead-note">"It goes on behind what is shown."</p> })}
                    <pre class="raw" dir="ltr" tabindex="0" aria-label="Whole file">{marked(text)}</pre>
                }
                .into_any(),
            })}
        </section>
    }
}

#[component]
fn FilesPanel(detail: Memo<FolderSkillDetail>) -> impl IntoView {
    let count = Memo::new(move |_| detail.with(|detail| detail.skill.files.len()));
    view! {
        <section class="panel" aria-labelledby="files">
            <header>
                <div class="section-title">
                    <h3 id="files">"Files"</h3>
                    <span class="note">{move || count.get().to_string()}{move || detail.with(|detail| detail.skill.files_cut).then_some(", more are not listed")}</span>
                </div>
            </header>
            <ul class="file-list" aria-labelledby="files">
                {move || detail.with(|detail| detail.skill.files.iter().map(file).collect_view())}
            </ul>
        </section>
    }
}

fn file(file: &FolderFile) -> AnyView {
    let digest = file.digest.clone();
    let note = file.note.clone();
    view! {
        <li class="file-row">
            <div class="skill-text">
                <p class="file-name"><bdi class="mono" dir="ltr">{revealed(&file.path)}</bdi></p>
                <p class="skill-facts">
                    <span>{file.size.map_or_else(|| "no file of its own".to_owned(), size_words)}</span>
                    {digest.map(|digest| view! { <Copyable shown=short_digest(&digest) text=digest what="the digest" /> })}
                    {(!note.is_empty()).then(|| view! { <bdi>{revealed(&note)}</bdi> })}
                </p>
            </div>
        </li>
    }
    .into_any()
}
