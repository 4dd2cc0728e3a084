//! The page of an entry of the catalog.

use contract::events::ChangeKind;
use contract::rules::skills::file::skill_file;
use contract::skill_lint::SkillLintRequest;
use contract::skills::{CatalogAnswer, CatalogSkill, Skill};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use serde_json::{Map, Value};

use super::arguments::ArgumentsPanel;
use super::content::ContentPanel;
use super::facts::{Checked, Copyable, Fact, digest_of, short_digest};
use super::frontmatter::FrontmatterPanel;
use super::installed::listed;
use super::links::{Leads, leads};
use super::lint::{LintPanel, lint_of};
use super::prompt::{Listed, PromptPanel};
use crate::api::{self, ApiError};
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::live::use_live;
use crate::pages::settings::skills::state::install;
use crate::pages::settings::use_frame;
use crate::reactive::spawn;
use crate::remote::Remote;
use crate::route::{Route, SettingsPage};
use crate::session::use_session;

/// The page. Another slug in the address makes a new one.
#[component]
pub fn CatalogSkillPage() -> impl IntoView {
    let params = use_params_map();
    let slug = Memo::new(move |_| params.with(|params| params.get("slug").unwrap_or_default()));
    move || view! { <Page slug=slug.get() /> }
}

#[component]
fn Page(slug: String) -> impl IntoView {
    let session = use_session();
    let key = StoredValue::new(slug);
    let entry: Remote<CatalogAnswer> = Remote::new(move || async move {
        api::skills::catalog_entry(&session.client(), &key.get_value()).await
    });
    let all: Remote<Vec<Skill>> =
        Remote::new(move || async move { api::skills::installed(&session.client()).await });
    use_live().on_change(move |event| match event.kind {
        ChangeKind::Skill => all.reload(),
        ChangeKind::Reset | ChangeKind::Unknown(_) => {
            entry.reload();
            all.reload();
        }
        _ => {}
    });
    use_frame().show(Signal::derive(move || {
        entry
            .value()
            .with(|answer| answer.as_ref().map(|answer| revealed(&answer.entry.title)))
            .unwrap_or_default()
    }));
    let missing = Memo::new(move |_| {
        entry
            .failure()
            .with(|error| matches!(error, Some(ApiError::Missing(_))))
    });
    move || {
        if missing.get() {
            view! {
                <div class="page">
                    <section class="panel"><p class="empty">
                        <strong>"The catalog has no such entry."</strong>
                        <a href=Route::Settings(SettingsPage::Skills).href()>"All skills"</a>
                    </p></section>
                </div>
            }
            .into_any()
        } else {
            view! {
                <div class="page">
                    <Loaded remote=entry failed="The entry of the catalog could not be loaded." rows=6 children=move |answer| view! {
                        <Whole answer=answer all=all />
                    } />
                </div>
            }
            .into_any()
        }
    }
}

fn name_of(entry: &CatalogSkill) -> String {
    let named = entry.frontmatter.get("name").and_then(Value::as_str);
    named.unwrap_or(&entry.slug).to_owned()
}

fn head_of(entry: &CatalogSkill) -> Map<String, Value> {
    let mut head = entry.frontmatter.clone();
    for (key, value) in [
        ("name", name_of(entry)),
        ("description", entry.description.clone()),
    ] {
        head.entry(key).or_insert(Value::String(value));
    }
    head
}

#[component]
fn Whole(answer: Memo<CatalogAnswer>, all: Remote<Vec<Skill>>) -> impl IntoView {
    let entry = Memo::new(move |_| answer.with(|answer| answer.entry.clone()));
    let body = Memo::new(move |_| entry.with(|entry| entry.body.clone()));
    let name = Memo::new(move |_| entry.with(name_of));
    let head = Memo::new(move |_| entry.with(head_of));
    let file = Memo::new(move |_| SkillLintRequest {
        directory: name.get(),
        text: head.with(|head| body.with(|body| skill_file(head, body))),
    });
    let lint = lint_of(file);
    let copy = Memo::new(move |_| {
        all.value().with(|all| {
            entry.with(|entry| {
                let found = all.as_ref()?.iter().find(|skill| {
                    skill.source_catalog_slug.as_deref() == Some(entry.slug.as_str())
                })?;
                Some(found.clone())
            })
        })
    });
    // As the list would be with this one installed.
    let others = Memo::new(move |_| {
        let copy = copy.get().map(|copy| copy.id);
        let mut found: Vec<Listed> = all.value().with(|all| {
            let others = all
                .iter()
                .flatten()
                .filter(|one| Some(&one.id) != copy.as_ref());
            others.map(listed).collect()
        });
        found.push(Listed {
            name: name.get(),
            description: entry.with(|entry| entry.description.clone()),
        });
        found
    });
    view! {
        <article class="skill-page" aria-labelledby="skill-title">
            <Identity answer=answer entry=entry copy=copy all=all body=body />
            <div class="skill-columns">
                <div class="stack">
                    <ContentPanel text=body />
                    <FrontmatterPanel frontmatter=head />
                </div>
                <div class="stack">
                    <LintPanel lint=lint directory=name lead="As a `SKILL.md` file, in a directory of its name, this skill would be:" />
                    <PromptPanel skills=others name=name made_of="all installed skills and this one" />
                    <ArgumentsPanel text=body directory=Signal::derive(move || format!("skills/{}", name.get())) />
                </div>
            </div>
        </article>
    }
}

#[component]
fn Identity(
    answer: Memo<CatalogAnswer>,
    entry: Memo<CatalogSkill>,
    copy: Memo<Option<Skill>>,
    all: Remote<Vec<Skill>>,
    body: Memo<String>,
) -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let checked = digest_of(body);
    let busy = RwSignal::new(false);
    let refused = RwSignal::new(None::<ApiError>);
    let known = Memo::new(move |_| all.value().with(Option::is_some));
    let press = move |_| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        refused.set(None);
        let (slug, title) =
            entry.with_untracked(|entry| (entry.slug.clone(), revealed(&entry.title)));
        spawn(async move {
            let outcome = install(session, &slug).await;
            all.read().await;
            busy.try_set(false);
            match outcome {
                Ok(()) => {
                    announcer.toast(format!("{title} installed"), None);
                }
                Err(error) => {
                    announcer.alert(format!("{title} was not installed. {}", error.sentence()));
                    refused.try_set(Some(error));
                }
            }
        });
    };
    view! {
        <header class="panel skill-head">
            <div class="skill-head-line">
                <div class="identity">
                    <p class="crumb"><a href=Route::Settings(SettingsPage::Skills).href()>"Skills"</a>" › Catalog"</p>
                    <h2 id="skill-title" tabindex="-1"><bdi>{move || entry.with(|entry| revealed(&entry.title))}</bdi></h2>
                    <p class="skill-lead"><bdi>{move || entry.with(|entry| revealed(&entry.description))}</bdi></p>
                </div>
                <div class="section-actions">
                    {move || match copy.get() {
                        Some(copy) => view! {
                            <Badge tone=Tone::Ok icon=Icon::Check text="Installed" />
                            <a class="btn" href=Route::installed_skill(&copy.id).href()>"Open the installed skill"</a>
                        }
                        .into_any(),
                        None if known.get() => view! {
                            <button type="button" class="btn primary" aria-busy=move || busy.get().then_some("true") on:click=press>
                                {move || if busy.get() { "Installing…" } else { "Install" }}
                            </button>
                        }
                        .into_any(),
                        None => ().into_any(),
                    }}
                </div>
            </div>
            {move || refused.get().map(|error| view! {
                <div class="notice deny" role="group" aria-label="Problem">
                    <Glyph icon=Icon::Warning />
                    <p><strong>"Not installed."</strong>" "<bdi>{revealed(&error.sentence())}</bdi></p>
                </div>
            })}
            <dl class="skill-facts-list">
                <Fact label="Slug"><bdi class="mono" dir="ltr">{move || entry.with(|entry| revealed(&entry.slug))}</bdi></Fact>
                <Fact label="Version"><bdi>{move || entry.with(|entry| revealed(&entry.version))}</bdi></Fact>
                <Fact label="Source">{move || view! { "Catalog of "<bdi>{answer.with(|answer| revealed(&answer.provider_id))}</bdi> }}</Fact>
                <Fact label="Content">{move || content(&checked.get())}</Fact>
                <Fact label="Installed copy">{move || compared(copy.get().as_ref(), known.get(), &checked.get())}</Fact>
                {move || entry.with(|entry| entry.source_url.clone()).map(|url| view! { <Fact label="More">{address(&url)}</Fact> })}
                {move || entry.with(|entry| (!entry.tags.is_empty()).then(|| {
                    let tags = entry.tags.clone();
                    view! {
                        <Fact label="Tags">{tags.iter().map(|tag| view! { <bdi class="tag">{revealed(tag)}</bdi>" " }).collect_view()}</Fact>
                    }
                }))}
            </dl>
        </header>
    }
}

fn content(checked: &Checked) -> AnyView {
    match checked {
        Checked::Waiting => {
            view! { <span class="note" aria-busy="true">"Computing…"</span> }.into_any()
        }
        Checked::Impossible => {
            "This browser computes digests only over a secure connection".into_any()
        }
        Checked::Digest(found) => {
            view! { <Copyable text=found.clone() shown=short_digest(found) what="the digest" /> }
                .into_any()
        }
    }
}

/// Whether the installed copy has the same text.
fn compared(copy: Option<&Skill>, known: bool, checked: &Checked) -> AnyView {
    match (copy, checked) {
        (None, _) if known => "Not installed".into_any(),
        (None, _) => "Not known".into_any(),
        (Some(copy), Checked::Digest(found)) if found.eq_ignore_ascii_case(&copy.content_hash) => {
            view! { <Badge tone=Tone::Ok icon=Icon::Check text="The same text" /> }.into_any()
        }
        (Some(_), Checked::Digest(_)) => {
            view! { <Badge tone=Tone::Override icon=Icon::Pencil text="Another text" /> }.into_any()
        }
        (Some(_), Checked::Waiting | Checked::Impossible) => "Not compared".into_any(),
    }
}

/// An address that may be followed, or its text.
fn address(url: &str) -> AnyView {
    match leads(url, None, &[]) {
        Leads::Web { address, host } => view! {
            <a href=address rel="noopener noreferrer nofollow" target="_blank"><bdi dir="ltr">{host}</bdi></a>
        }
        .into_any(),
        Leads::File(_) | Leads::Nowhere(_) => view! { <bdi class="mono" dir="ltr">{revealed(url)}</bdi> }.into_any(),
    }
}
