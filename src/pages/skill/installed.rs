//! The page of an installed skill.

use contract::events::ChangeKind;
use contract::ids::SkillId;
use contract::rules::skills::file::skill_file;
use contract::skill_lint::SkillLintRequest;
use contract::skills::{CatalogSkill, Skill, SkillScope};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use serde_json::{Map, Value};

use super::arguments::ArgumentsPanel;
use super::bindings::BindingsPanel;
use super::content::ContentPanel;
use super::facts::{Checked, Copyable, Fact, digest_of, short_digest};
use super::form::EditSkill;
use super::frontmatter::FrontmatterPanel;
use super::lint::{LintPanel, lint_of};
use super::prompt::{Listed, PromptPanel};
use super::remove::DeleteSkill;
use crate::api::{self, ApiError};
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::live::use_live;
use crate::pages::agent::skills::row::scope_word;
use crate::pages::settings::use_frame;
use crate::remote::Remote;
use crate::route::{Route, SettingsPage, SkillPlace};
use crate::session::use_session;

/// The page. Another id in the address makes a new one.
#[component]
pub fn InstalledSkillPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    move || view! { <Page id=id.get().into() /> }
}

/// The name a skill goes by: that of its frontmatter, else its slug.
pub fn name_of(skill: &Skill) -> String {
    let named = skill.frontmatter.get("name").and_then(Value::as_str);
    skill
        .invocation_slug
        .as_deref()
        .or(named)
        .unwrap_or(&skill.slug)
        .to_owned()
}

/// The fields of a file of this skill: what is stored, completed by its name and description.
pub fn head_of(skill: &Skill) -> Map<String, Value> {
    let mut head = skill.frontmatter.clone();
    for (key, value) in [
        ("name", name_of(skill)),
        ("description", skill.description.clone()),
    ] {
        head.entry(key).or_insert(Value::String(value));
    }
    head
}

/// As a host lists it.
pub fn listed(skill: &Skill) -> Listed {
    Listed {
        name: name_of(skill),
        description: skill.description.clone(),
    }
}

#[component]
fn Page(id: SkillId) -> impl IntoView {
    let session = use_session();
    let key = StoredValue::new(id.clone());
    let skill: Remote<Skill> =
        Remote::new(
            move || async move { api::skills::one(&session.client(), &key.get_value()).await },
        );
    let all: Remote<Vec<Skill>> =
        Remote::new(move || async move { api::skills::installed(&session.client()).await });
    let watched = id.clone();
    use_live().on_change(move |event| match event.kind {
        ChangeKind::Skill => {
            if event.resource_id.as_deref() == Some(watched.as_str()) {
                skill.reload();
            }
            all.reload();
        }
        ChangeKind::Reset | ChangeKind::Unknown(_) => {
            skill.reload();
            all.reload();
        }
        _ => {}
    });
    let title = Signal::derive(move || {
        skill
            .value()
            .with(|skill| skill.as_ref().map(|skill| revealed(&skill.title)))
            .unwrap_or_default()
    });
    use_frame().show(title);
    let missing = Memo::new(move |_| {
        skill.failure().with(|error| {
            matches!(
                error,
                Some(ApiError::Missing(_) | ApiError::Refused { status: 400, .. })
            )
        })
    });
    move || {
        if missing.get() {
            view! {
                <div class="page">
                    <section class="panel"><p class="empty">
                        <strong>"Skill not found or not yours."</strong>
                        <span>"It may have been deleted, or the address may be wrong."</span>
                        <a href=Route::Settings(SettingsPage::Skills).href()>"All skills"</a>
                    </p></section>
                </div>
            }
            .into_any()
        } else {
            let id = id.clone();
            view! {
                <div class="page">
                    <Loaded remote=skill failed="The skill could not be loaded." rows=6 children=move |skill| view! {
                        <Whole skill=skill all=all id=id.clone() />
                    } />
                </div>
            }
            .into_any()
        }
    }
}

#[component]
fn Whole(skill: Memo<Skill>, all: Remote<Vec<Skill>>, id: SkillId) -> impl IntoView {
    let editing = RwSignal::new(false);
    let deleting = RwSignal::new(false);
    let body = Memo::new(move |_| skill.with(|skill| skill.instructions_md.clone()));
    let name = Memo::new(move |_| skill.with(name_of));
    let head = Memo::new(move |_| skill.with(head_of));
    let file = Memo::new(move |_| SkillLintRequest {
        directory: name.get(),
        text: head.with(|head| body.with(|body| skill_file(head, body))),
    });
    let lint = lint_of(file);
    let others = Memo::new(move |_| {
        let mut found: Vec<Listed> = all.value().with(|all| {
            all.iter()
                .flatten()
                .filter(|one| skill.with(|skill| one.id != skill.id))
                .map(listed)
                .collect()
        });
        found.push(skill.with(listed));
        found
    });
    view! {
        <article class="skill-page" aria-labelledby="skill-title">
            <Identity skill=skill editing=editing deleting=deleting body=body />
            {move || if editing.get() {
                view! { <EditSkill skill=skill editing=editing /> }.into_any()
            } else {
                view! {
                    <div class="skill-columns">
                        <div class="stack">
                            <ContentPanel text=body />
                            <FrontmatterPanel frontmatter=head />
                            <BindingsPanel skill=id.clone() />
                        </div>
                        <div class="stack">
                            <LintPanel lint=lint directory=name lead="As a `SKILL.md` file, in a directory of its name, this skill would be:" />
                            <PromptPanel skills=others name=name made_of="all installed skills" />
                            <ArgumentsPanel text=body directory=Signal::derive(move || format!("skills/{}", name.get())) />
                        </div>
                    </div>
                }
                .into_any()
            }}
            <DeleteSkill open=deleting skill=skill />
        </article>
    }
}

/// Title, source, facts and what can be done.
#[component]
fn Identity(
    skill: Memo<Skill>,
    editing: RwSignal<bool>,
    deleting: RwSignal<bool>,
    body: Memo<String>,
) -> impl IntoView {
    let session = use_session();
    let checked = digest_of(body);
    let entry: Remote<CatalogSkill> = Remote::idle(move || async move {
        let slug = skill.try_with_untracked(|skill| skill.source_catalog_slug.clone());
        let slug = slug.flatten().unwrap_or_default();
        let answer = api::skills::catalog_entry(&session.client(), &slug).await;
        answer.map(|answer| answer.entry)
    });
    if skill.with_untracked(|skill| skill.source_catalog_slug.is_some()) {
        entry.reload();
    }
    let tenant = Memo::new(move |_| {
        session.account().with(|account| match account {
            crate::session::Account::In(session) | crate::session::Account::Expired(session) => {
                session.user.tenant_name.clone()
            }
            _ => None,
        })
    });
    let owner = move || {
        skill.with(|skill| match (&skill.owner_type, tenant.get()) {
            (SkillScope::Tenant, Some(name)) => format!("{} (tenant)", revealed(&name)),
            (scope, _) => format!("the {}", scope_word(scope)),
        })
    };
    let time = move |pick: fn(&Skill) -> &str| {
        move || skill.with(|skill| browser::local_time(pick(skill)))
    };
    view! {
        <header class="panel skill-head">
            <div class="skill-head-line">
                <div class="identity">
                    <p class="crumb"><a href=Route::Settings(SettingsPage::Skills).href()>"Skills"</a>" › Installed"</p>
                    <h2 id="skill-title" tabindex="-1"><bdi>{move || skill.with(|skill| revealed(&skill.title))}</bdi></h2>
                    <p class="skill-lead"><bdi>{move || skill.with(|skill| revealed(&skill.description))}</bdi></p>
                </div>
                <div class="section-actions">
                    {move || (!editing.get()).then(|| view! {
                        <button type="button" class="btn" id="edit-skill" on:click=move |_| editing.set(true)><Glyph icon=Icon::Pencil />"Edit"</button>
                    })}
                    <button type="button" class="btn danger" on:click=move |_| deleting.set(true)>"Delete…"</button>
                </div>
            </div>
            <dl class="skill-facts-list">
                <Fact label="Slug"><bdi class="mono" dir="ltr">{move || skill.with(|skill| revealed(&skill.slug))}</bdi></Fact>
                <Fact label="Version"><bdi>{move || skill.with(|skill| revealed(&skill.version))}</bdi></Fact>
                <Fact label="Owner"><bdi>{owner}</bdi></Fact>
                <Fact label="Source">{move || source(&skill.get())}</Fact>
                <Fact label="Content">{move || content_check(&skill.get(), &checked.get())}</Fact>
                <Fact label="Freshness">{move || freshness(&skill.get(), entry.value().get())}</Fact>
                <Fact label="Created">{time(|skill| &skill.created_at)}</Fact>
                <Fact label="Changed">{time(|skill| &skill.updated_at)}</Fact>
            </dl>
        </header>
    }
}

fn source(skill: &Skill) -> AnyView {
    if let Some(slug) = &skill.source_catalog_slug {
        let version = skill
            .source_catalog_version
            .as_deref()
            .unwrap_or("unknown version");
        return view! {
            "Catalog, "
            <a href=Route::Skill(SkillPlace::Catalog(slug.clone())).href()><bdi>{revealed(slug)}</bdi></a>
            " "<bdi>{revealed(version)}</bdi>
        }
        .into_any();
    }
    match &skill.source_path {
        Some(path) => {
            view! { "File "<bdi class="mono" dir="ltr">{revealed(path)}</bdi> }.into_any()
        }
        None => "Written in this workspace".into_any(),
    }
}

/// Whether the text that came is the text that was stored.
fn content_check(skill: &Skill, checked: &Checked) -> AnyView {
    let stored = skill.content_hash.clone();
    match checked {
        Checked::Waiting => view! { <span class="note" aria-busy="true">"Checking…"</span> }.into_any(),
        _ if stored.is_empty() => "The control plane names no digest".into_any(),
        Checked::Impossible => view! {
            <span>"Not checked: this browser computes digests only over a secure connection"</span>
        }
        .into_any(),
        Checked::Digest(found) if found.eq_ignore_ascii_case(&stored) => view! {
            <Badge tone=Tone::Ok icon=Icon::Check text="Matches the stored digest" />
            <Copyable text=stored.clone() shown=short_digest(&stored) what="the digest" />
        }
        .into_any(),
        Checked::Digest(found) => view! {
            <Badge tone=Tone::Deny icon=Icon::Warning text="Differs from the stored digest" />
            <span class="note">"stored "<code>{short_digest(&stored)}</code>", read "<code>{short_digest(found)}</code></span>
        }
        .into_any(),
    }
}

/// Whether the catalog has moved on.
fn freshness(skill: &Skill, entry: Option<CatalogSkill>) -> AnyView {
    let Some(installed) = &skill.source_catalog_version else {
        return "Follows nothing; changes are made here".into_any();
    };
    match entry {
        None => "The catalog was not asked or did not answer".into_any(),
        Some(entry) if entry.version == *installed && entry.body == skill.instructions_md => {
            view! { <Badge tone=Tone::Ok icon=Icon::Check text="As in the catalog" /> }.into_any()
        }
        Some(entry) if entry.version == *installed => {
            view! { <Badge tone=Tone::Override icon=Icon::Pencil text="Changed since it was installed" /> }.into_any()
        }
        Some(entry) => view! {
            <Badge tone=Tone::Warn icon=Icon::Reset text="Another version in the catalog" />
            <span class="note">"installed "<bdi>{revealed(installed)}</bdi>", catalog "<bdi>{revealed(&entry.version)}</bdi></span>
        }
        .into_any(),
    }
}
