//! One published skill as it was judged, with what an operator can ask for.

use contract::connections::ProtocolEra;
use contract::mcp_skills::{McpSkill, McpSkillStatus};
use contract::rules::skills::frontmatter::my_code_agent;
use contract::skill_lint::SkillLintRequest;
use leptos::prelude::*;

use super::approval::ApprovalPanel;
use super::directory::DirectoryPanel;
use super::files::FilesPanel;
use super::listing::{status_badge, weight_words};
use super::state::{Deed, use_published};
use crate::browser;
use crate::components::badge::Badge;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::section::Skeleton;
use crate::components::words::revealed;
use crate::pages::skill::arguments::ArgumentsPanel;
use crate::pages::skill::content::ContentPanel;
use crate::pages::skill::facts::{Copyable, Fact};
use crate::pages::skill::frontmatter::FrontmatterPanel;
use crate::pages::skill::lint::{LintPanel, lint_of};
use crate::pages::skill::prompt::{Listed, PromptPanel};
use crate::reactive::effect;
use crate::route::{Route, SettingsPage, SkillPlace};

/// The page of the skill at an address.
#[component]
pub fn EntryView(
    /// The address of its `SKILL.md`.
    uri: String,
) -> impl IntoView {
    let state = use_published();
    let key = StoredValue::new(uri.clone());
    let entry = Memo::new(move |_| state.entry(&key.get_value()));
    // What is not listed is asked for by its address, once the listing was waited for.
    let asked = StoredValue::new(false);
    effect(move || {
        let waited = state.listing.value().with(Option::is_some)
            || state.listing.failure().with(Option::is_some);
        if waited && entry.with(Option::is_none) && !asked.get_value() {
            asked.set_value(true);
            state.act(&key.get_value(), Deed::Get, None);
        }
    });
    let failure = Memo::new(move |_| {
        let failed = state
            .failed
            .with(|failed| failed.get(&key.get_value()).cloned());
        failed.filter(|_| entry.with(Option::is_none))
    });
    let ready = Memo::new(move |_| entry.with(Option::is_some));
    move || {
        if ready.get() {
            return view! { <Whole uri=key.get_value() entry=entry /> }.into_any();
        }
        view! {
            <article class="skill-page" aria-labelledby="skill-title">
                <header class="panel skill-head">
                    <div class="identity">
                        {crumb()}
                        <h2 id="skill-title" tabindex="-1"><bdi dir="ltr">{revealed(&key.get_value())}</bdi></h2>
                    </div>
                    {move || match failure.get() {
                        Some((deed, error)) => view! {
                            <Failure what=deed.failed() error=error on_retry=Callback::new(move |()| state.act(&key.get_value(), Deed::Get, None)) />
                        }
                        .into_any(),
                        None => view! { <Skeleton hidden=false rows=3 /> }.into_any(),
                    }}
                </header>
            </article>
        }
        .into_any()
    }
}

/// The way back.
fn crumb() -> AnyView {
    let state = use_published();
    let listing = Route::Skill(SkillPlace::Published(
        state.connection.get_value(),
        String::new(),
    ));
    view! {
        <p class="crumb">
            <a href=Route::Settings(SettingsPage::Connections).href()>"Connections"</a>
            " › "
            <a href=listing.href()>"Skills of "<bdi>{move || revealed(&state.server_name().unwrap_or_default())}</bdi></a>
        </p>
    }
    .into_any()
}

#[component]
fn Whole(uri: String, entry: Memo<Option<McpSkill>>) -> impl IntoView {
    let state = use_published();
    let key = StoredValue::new(uri);
    let frontmatter = Memo::new(move |_| {
        entry.with(|entry| {
            entry
                .as_ref()
                .map(|entry| entry.frontmatter.clone())
                .unwrap_or_default()
        })
    });
    let name = Memo::new(move |_| {
        entry.with(|entry| {
            entry
                .as_ref()
                .and_then(|entry| entry.name.clone())
                .unwrap_or_default()
        })
    });
    let files = Memo::new(move |_| {
        entry.with(|entry| {
            entry
                .iter()
                .flat_map(|entry| entry.files.iter().map(|file| file.uri.clone()))
                .collect::<Vec<_>>()
        })
    });
    // The text is there once the operator inspected the SKILL.md.
    let text = Memo::new(move |_| {
        let uri = key.get_value();
        state
            .inspected
            .with(|all| all.get(&(uri.clone(), uri))?.text.clone())
    });
    let body = Memo::new(move |_| {
        text.with(|text| {
            let text = text.as_deref().unwrap_or_default();
            my_code_agent::parse(text).map_or_else(|_| text.to_owned(), |flat| flat.body)
        })
    });
    let has_text = Memo::new(move |_| text.with(Option::is_some));
    let listed = Memo::new(move |_| {
        state.listing.value().with(|listing| {
            let valid = listing
                .iter()
                .flat_map(|listing| &listing.data)
                .filter(|one| {
                    !matches!(
                        one.status,
                        McpSkillStatus::Invalid | McpSkillStatus::OverLimits
                    )
                });
            valid
                .filter_map(|one| {
                    Some(Listed {
                        name: one.name.clone()?,
                        description: one.description.clone()?,
                    })
                })
                .collect::<Vec<_>>()
        })
    });
    let address = Signal::derive(move || Some(key.get_value()));
    view! {
        <article class="skill-page" aria-labelledby="skill-title">
            <Identity uri=key.get_value() entry=entry />
            <div class="skill-columns">
                <div class="stack">
                    <FilesPanel uri=key.get_value() entry=entry />
                    {move || if has_text.get() {
                        view! { <ContentPanel text=body uri=address files=files /> }.into_any()
                    } else {
                        view! { <NotRead uri=key.get_value() /> }.into_any()
                    }}
                    <FrontmatterPanel frontmatter=frontmatter />
                </div>
                <div class="stack">
                    <ApprovalPanel uri=key.get_value() entry=entry />
                    {move || has_text.get().then(|| {
                        let file = Memo::new(move |_| SkillLintRequest {
                            directory: name.get(),
                            text: text.get().unwrap_or_default(),
                        });
                        let lint = lint_of(file);
                        view! { <LintPanel lint=lint directory=name lead="The same `SKILL.md`, in a directory of its name, would be:" /> }
                    })}
                    <PromptPanel skills=listed name=name made_of="the skills this server lists" />
                    {move || has_text.get().then(|| view! {
                        <ArgumentsPanel text=body directory=Signal::derive(move || root(&key.get_value())) />
                    })}
                    <DirectoryPanel uri=key.get_value() />
                </div>
            </div>
        </article>
    }
}

/// The address of the directory a skill is in.
pub fn root(uri: &str) -> String {
    uri.strip_suffix("/SKILL.md").unwrap_or(uri).to_owned()
}

/// In place of a text nobody asked for.
#[component]
fn NotRead(uri: String) -> impl IntoView {
    let state = use_published();
    let key = StoredValue::new(uri);
    let busy = Memo::new(move |_| {
        let uri = key.get_value();
        state
            .inspecting
            .with(|all| matches!(all.get(&(uri.clone(), uri)), Some(None)))
    });
    view! {
        <section class="panel" aria-labelledby="instructions">
            <header><h3 id="instructions">"Instructions"</h3></header>
            <div class="empty">
                <p>"The text was not fetched. Inspecting it fetches SKILL.md once; it grants nothing and loads nothing."</p>
                <button
                    type="button"
                    class="btn"
                    aria-busy=move || busy.get().then_some("true")
                    on:click=move |_| state.inspect(&key.get_value(), &key.get_value())
                >
                    {move || if busy.get() { "Fetching…" } else { "Inspect SKILL.md" }}
                </button>
            </div>
        </section>
    }
}

#[component]
fn Identity(uri: String, entry: Memo<Option<McpSkill>>) -> impl IntoView {
    let state = use_published();
    let key = StoredValue::new(uri.clone());
    let doing = Memo::new(move |_| {
        state
            .doing
            .with(|doing| doing.get(&key.get_value()).copied())
    });
    let failed = Memo::new(move |_| {
        state
            .failed
            .with(|failed| failed.get(&key.get_value()).cloned())
    });
    let checkable = Memo::new(move |_| {
        entry.with(|entry| {
            entry.as_ref().is_some_and(|entry| {
                !matches!(
                    entry.status,
                    McpSkillStatus::Invalid | McpSkillStatus::OverLimits
                )
            })
        })
    });
    let title = move || {
        entry.with(|entry| {
            let name = entry.as_ref().and_then(|entry| entry.name.clone());
            name.map_or_else(|| "Without a name".to_owned(), |name| revealed(&name))
        })
    };
    let act = move |deed: Deed, label: &'static str, busy: &'static str| {
        view! {
            <button
                type="button"
                class="btn"
                aria-busy=move || (doing.get() == Some(deed)).then_some("true")
                on:click=move |_| state.act(&key.get_value(), deed, None)
            >
                {move || if doing.get() == Some(deed) { busy } else { label }}
            </button>
        }
    };
    view! {
        <header class="panel skill-head">
            <div class="skill-head-line">
                <div class="identity">
                    {crumb()}
                    <h2 id="skill-title" tabindex="-1"><bdi>{title}</bdi></h2>
                    <p class="skill-lead"><bdi>{move || entry.with(|entry| entry.as_ref().and_then(|entry| entry.description.as_deref().map(revealed)))}</bdi></p>
                </div>
                <div class="section-actions">
                    {act(Deed::Get, "Refresh entry", "Refreshing…")}
                    {move || checkable.get().then(|| act(Deed::Verify, "Verify all files", "Verifying…"))}
                </div>
            </div>
            {move || failed.get().map(|(deed, error)| view! {
                <Failure what=deed.failed() error=error on_retry=Callback::new(move |()| state.act(&key.get_value(), deed, None)) />
            })}
            {move || entry.get().map(status)}
            <dl class="skill-facts-list">
                <div class="wide"><dt>"Address"</dt><dd><Copyable text=uri what="the address" /></dd></div>
                <Fact label="Server"><bdi>{move || revealed(&state.server_name().unwrap_or_default())}</bdi></Fact>
                <Fact label="Files">{move || entry.with(|entry| entry.as_ref().map(weight_words))}</Fact>
                <Fact label="Protocol">{move || state.listing.value().with(|listing| listing.as_ref().map(|listing| {
                    let version = listing.protocol_version.as_deref().map_or_else(|| "not known".to_owned(), revealed);
                    match &listing.era {
                        Some(ProtocolEra::Discover) => format!("{version}, by server/discover"),
                        Some(ProtocolEra::Initialize) => format!("{version}, by initialize"),
                        Some(ProtocolEra::Unknown(_)) | None => version,
                    }
                }))}</Fact>
                <Fact label="Listing read">{move || state.listing.value().with(|listing| listing.as_ref().map(|listing| browser::local_time(&listing.read_at)))}</Fact>
            </dl>
        </header>
    }
}

/// The host's word and why, other skills of the name, and where the skill is nested.
fn status(skill: McpSkill) -> AnyView {
    let (tone, icon, word) = status_badge(&skill.status);
    let said = match skill.status {
        McpSkillStatus::Unverified => {
            "Listed, and nothing was fetched. This is how skills of servers rest."
        }
        McpSkillStatus::Consistent => {
            "The bytes that came agree with the server’s own list. That says nothing about whether to rely on them."
        }
        McpSkillStatus::Dynamic => {
            "The server publishes no list of files, so nothing can be checked and no approval can be kept."
        }
        _ => "",
    };
    view! {
        <div class="skill-status">
            <Badge tone=tone icon=icon text=word />
            <div class="skill-status-text">
                {(!said.is_empty()).then(|| view! { <p>{said}</p> })}
                {skill.reasons.into_iter().map(|reason| view! { <p><bdi>{revealed(&reason)}</bdi></p> }).collect_view()}
            </div>
        </div>
        {skill.inside.map(|outer| view! {
            <div class="notice">
                <Glyph icon=Icon::Info />
                <p>"It lies in the directory of "<bdi class="mono" dir="ltr">{revealed(&outer)}</bdi>". Loading it needs a consent of its own."</p>
            </div>
        })}
        {(!skill.same_name.is_empty()).then(|| view! {
            <div class="notice warn">
                <Glyph icon=Icon::Warning />
                <div class="look-alikes">
                    <p>"Other skills have the same name. The server and the address tell them apart:"</p>
                    <ul>{skill.same_name.into_iter().map(|other| view! { <li><bdi class="mono" dir="ltr">{revealed(&other)}</bdi></li> }).collect_view()}</ul>
                </div>
            </div>
        })}
    }
    .into_any()
}
