//! The files of a published skill, as its server lists them, and what was found when an operator
//! fetched them.

use contract::mcp_skills::{FileCheck, McpSkill, McpSkillFile, McpSkillFileContent};
use leptos::prelude::*;

use super::listing::size_words;
use super::state::use_published;
use crate::api::ApiError;
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;
use crate::pages::skill::facts::{Copyable, short_digest};
use crate::pages::skill::reveal::marked;

/// Rows drawn at first, and with each press for more.
const STEP: usize = 100;

/// What a check found, in words that promise nothing.
fn check_badge(check: &FileCheck) -> (Tone, Icon, String) {
    let (tone, icon, word) = match check {
        FileCheck::Unread => (Tone::Neutral, Icon::Info, "Not fetched"),
        FileCheck::Matches => (Tone::Ok, Icon::Check, "Matches server’s manifest"),
        FileCheck::Unlisted => (Tone::Deny, Icon::Warning, "Not in the manifest"),
        FileCheck::Size => (Tone::Deny, Icon::Warning, "Another size"),
        FileCheck::Digest => (Tone::Deny, Icon::Warning, "Another digest"),
        FileCheck::Frontmatter => (Tone::Deny, Icon::Warning, "Another frontmatter"),
        FileCheck::Unreadable => (Tone::Warn, Icon::Ban, "Not handed out"),
        FileCheck::Unverifiable => (Tone::Warn, Icon::Warning, "Nothing to compare with"),
        FileCheck::Unknown(word) => return (Tone::Neutral, Icon::Info, revealed(word)),
    };
    (tone, icon, word.to_owned())
}

/// Expected and actual, where they differ.
fn difference(file: &McpSkillFile) -> Option<String> {
    let bytes = |size: Option<u64>| size.map_or_else(|| "none".to_owned(), size_exact);
    match file.check {
        FileCheck::Size => Some(format!(
            "Expected {}, got {}.",
            bytes(file.size),
            bytes(file.actual_size)
        )),
        FileCheck::Digest => Some(format!(
            "Expected {}, got {}.",
            file.digest.as_deref().map(short_digest).unwrap_or_default(),
            file.actual_digest
                .as_deref()
                .map(short_digest)
                .unwrap_or_default()
        )),
        _ => None,
    }
}

fn size_exact(size: u64) -> String {
    if size == 1 {
        "1 byte".to_owned()
    } else {
        format!("{size} bytes")
    }
}

/// The panel.
#[component]
pub fn FilesPanel(
    /// The address of the skill.
    uri: String,
    /// The skill.
    entry: Memo<Option<McpSkill>>,
) -> impl IntoView {
    let key = StoredValue::new(uri);
    let limit = RwSignal::new(STEP);
    let files = Memo::new(move |_| {
        entry.with(|entry| {
            entry
                .as_ref()
                .map(|entry| entry.files.clone())
                .unwrap_or_default()
        })
    });
    let count = Memo::new(move |_| files.with(Vec::len));
    view! {
        <section class="panel" aria-labelledby="files">
            <header>
                <div class="section-title">
                    <h3 id="files" tabindex="-1">"Files"</h3>
                    <span class="note">{move || format!("{} in the server’s manifest", count.get())}</span>
                </div>
            </header>
            {move || (count.get() == 0).then(|| view! { <p class="empty">"The entry lists no files."</p> })}
            <ul class="file-list" aria-labelledby="files">
                <Each
                    each=move || files.with(|files| files.iter().take(limit.get()).cloned().collect::<Vec<_>>())
                    key=|file| format!("{} {} {:?} {:?}", file.uri, file.check.as_str(), file.checked_at, file.digest)
                    children=move |file| view! { <Row skill=key.get_value() file=file /> }
                />
            </ul>
            {move || (count.get() > limit.get()).then(|| view! {
                <p class="more">
                    <button type="button" class="btn" on:click=move |_| limit.update(|limit| *limit += STEP)>
                        {format!("Show {} more of {}", STEP.min(count.get() - limit.get()), count.get())}
                    </button>
                </p>
            })}
        </section>
    }
}

#[component]
fn Row(skill: String, file: McpSkillFile) -> impl IntoView {
    let state = use_published();
    let at = StoredValue::new((skill, file.uri.clone()));
    let waiting = Memo::new(move |_| {
        state
            .inspecting
            .with(|all| all.get(&at.get_value()).cloned())
    });
    let content = Memo::new(move |_| {
        state
            .inspected
            .with(|all| all.get(&at.get_value()).cloned())
    });
    let open = RwSignal::new(content.with_untracked(Option::is_some));
    let (tone, icon, word) = check_badge(&file.check);
    let path = revealed(&file.path);
    let id = format!("file-{}", browser::random_id());
    let name_id = format!("{id}-name");
    let is_waiting = move || matches!(waiting.get(), Some(None));
    let press = move |_| {
        if content.with_untracked(Option::is_some) {
            open.update(|open| *open = !*open);
        } else {
            open.set(true);
            let (skill, file) = at.get_value();
            state.inspect(&skill, &file);
        }
    };
    let label = move || match (is_waiting(), content.with(Option::is_some), open.get()) {
        (true, ..) => "Fetching…",
        (false, true, true) => "Hide",
        (false, true, false) => "Show",
        (false, false, _) => "Inspect",
    };
    view! {
        <li class="file-row">
            <div class="file-line">
                <div class="skill-text">
                    <p class="file-name"><bdi class="mono" dir="ltr" id=name_id.clone()>{path}</bdi></p>
                    <p class="skill-facts">
                        <span>{file.size.map_or_else(|| "size not known".to_owned(), size_words)}</span>
                        {file.digest.clone().map(|digest| view! { <Copyable shown=short_digest(&digest) text=digest what="the digest" /> })}
                        {file.checked_at.as_deref().map(|at| view! { <span>"fetched "{browser::local_time(at)}</span> })}
                    </p>
                    {difference(&file).map(|said| view! { <p class="row-refusal"><Glyph icon=Icon::Warning /><span>{said}</span></p> })}
                </div>
                <Badge tone=tone icon=icon text=word />
                <button
                    type="button"
                    class="btn"
                    id=id.clone()
                    aria-labelledby=format!("{id} {name_id}")
                    aria-busy=move || is_waiting().then_some("true")
                    aria-expanded=move || content.with(Option::is_some).then(|| open.get().to_string())
                    on:click=press
                >
                    {label}
                </button>
            </div>
            {move || waiting.get().flatten().map(refusal)}
            {move || (open.get()).then(|| content.get().map(inspected)).flatten()}
        </li>
    }
}

fn refusal(error: ApiError) -> AnyView {
    view! {
        <p class="row-refusal"><Glyph icon=Icon::Warning /><span><strong>"Not fetched."</strong>" "<bdi>{revealed(&error.sentence())}</bdi></span></p>
    }
    .into_any()
}

/// What came, as text in which nothing is hidden.
fn inspected(content: McpSkillFileContent) -> AnyView {
    match content.text {
        Some(text) => view! {
            <pre class="raw" dir="ltr" tabindex="0" aria-label=format!("Content of {}", revealed(&content.file.path))>{marked(&text)}</pre>
        }
        .into_any(),
        None => view! {
            <p class="note">{content.withheld.map_or_else(|| "The server sent no text.".to_owned(), |why| revealed(&why))}</p>
        }
        .into_any(),
    }
}
