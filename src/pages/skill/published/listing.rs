//! What a server lists, what is known about the server itself, and a way to skills it does not
//! list.

use contract::connections::ProtocolEra;
use contract::mcp_skills::{ApprovalState, McpSkill, McpSkillListing, McpSkillStatus};
use contract::rules::skills::manifest::{BYTES_MAX, FILES_MAX};
use leptos::prelude::*;

use super::state::use_published;
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::use_leave;
use crate::components::words::revealed;
use crate::pages::skill::content::grouped;
use crate::pages::skill::facts::Fact;
use crate::route::{Route, SettingsPage, SkillPlace};

/// Rows drawn at first, and with each press for more.
const STEP: usize = 50;
/// The longest address that can be asked for, in characters.
const ADDRESS_MAX: usize = 2_048;

/// A size in bytes, in the largest unit that leaves a number people can read.
pub fn size_words(bytes: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = bytes.saturating_mul(10) / unit;
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KiB", tenths(1_024)),
        _ => format!("{} MiB", tenths(1_048_576)),
    }
}

/// What was found out about a skill, in words: never more than the check says.
pub fn status_badge(status: &McpSkillStatus) -> (Tone, Icon, String) {
    match status {
        McpSkillStatus::Invalid => (Tone::Deny, Icon::Ban, "Invalid entry".to_owned()),
        McpSkillStatus::OverLimits => (Tone::Deny, Icon::Warning, "Over the limits".to_owned()),
        McpSkillStatus::Dynamic => (Tone::Warn, Icon::Warning, "Dynamic".to_owned()),
        McpSkillStatus::Unverified => (Tone::Neutral, Icon::Info, "Unverified".to_owned()),
        McpSkillStatus::Consistent => (
            Tone::Ok,
            Icon::Check,
            "Matches server’s manifest".to_owned(),
        ),
        McpSkillStatus::Mismatch => (Tone::Deny, Icon::Warning, "Mismatch".to_owned()),
        McpSkillStatus::Unknown(word) => (Tone::Neutral, Icon::Info, revealed(word)),
    }
}

/// Whether the content is approved; nothing where it never was.
pub fn approval_badge(state: &ApprovalState) -> Option<(Tone, Icon, &'static str)> {
    match state {
        ApprovalState::Approved => Some((Tone::Info, Icon::Check, "Approved")),
        ApprovalState::Revoked => Some((Tone::Warn, Icon::Reset, "Approval revoked")),
        ApprovalState::NotGiven | ApprovalState::Impossible | ApprovalState::Unknown(_) => None,
    }
}

/// How many files of how many, and how many bytes.
pub fn weight_words(skill: &McpSkill) -> String {
    if skill.status == McpSkillStatus::Dynamic {
        return "no list of files".to_owned();
    }
    let files = skill.files.len();
    let word = if files == 1 { "file" } else { "files" };
    if skill.status == McpSkillStatus::OverLimits {
        format!(
            "{}/{} files · {}/{}",
            grouped(files),
            grouped(FILES_MAX),
            size_words(skill.total_size),
            size_words(BYTES_MAX)
        )
    } else {
        format!(
            "{} {word} · {}",
            grouped(files),
            size_words(skill.total_size)
        )
    }
}

/// The listing.
#[component]
pub fn ListingView(
    /// What the server listed.
    listing: Memo<McpSkillListing>,
) -> impl IntoView {
    let state = use_published();
    view! {
        <article class="skill-page" aria-labelledby="skill-title">
            <header class="panel skill-head">
                <div class="skill-head-line">
                    <div class="identity">
                        <p class="crumb"><a href=Route::Settings(SettingsPage::Connections).href()>"Connections"</a>" › "<bdi>{move || listing.with(|listing| revealed(&listing.server))}</bdi></p>
                        <h2 id="skill-title" tabindex="-1">"Skills of "<bdi>{move || listing.with(|listing| revealed(&listing.server))}</bdi></h2>
                        <p class="skill-lead">"What the server lists now. Its content is not trusted, and no file of it is fetched before you ask."</p>
                    </div>
                    <div class="section-actions">
                        <button
                            type="button"
                            class="btn"
                            aria-busy=move || state.listing.pending().get().then_some("true")
                            on:click=move |_| state.read_again()
                        >
                            <Glyph icon=Icon::Reset />
                            {move || if state.listing.pending().get() { "Asking…" } else { "List again" }}
                        </button>
                    </div>
                </div>
                {move || listing.with(server_facts)}
                {move || listing.with(findings)}
            </header>
            <OpenByAddress />
            <Rows listing=listing />
        </article>
    }
}

/// What was negotiated with the server.
fn server_facts(listing: &McpSkillListing) -> AnyView {
    let era = match &listing.era {
        Some(ProtocolEra::Discover) => "by server/discover".to_owned(),
        Some(ProtocolEra::Initialize) => "by initialize".to_owned(),
        Some(ProtocolEra::Unknown(word)) => revealed(word),
        None => String::new(),
    };
    let version = revealed(listing.protocol_version.as_deref().unwrap_or("not known"));
    let (declared, resources, directories) = (
        listing.declared,
        listing.resources_declared,
        listing.directory_read,
    );
    let (pages, truncated) = (listing.pages, listing.truncated);
    let read_at = browser::local_time(&listing.read_at);
    let yes = |is: bool| if is { "declared" } else { "not declared" };
    let fresh = match (listing.ttl_ms, &listing.cache_scope) {
        (Some(ttl), scope) => format!(
            "{} s{}",
            grouped(usize::try_from(ttl / 1_000).unwrap_or(usize::MAX)),
            scope
                .as_deref()
                .map_or_else(String::new, |scope| format!(", {}", revealed(scope)))
        ),
        (None, _) => "the server does not say".to_owned(),
    };
    view! {
        <dl class="skill-facts-list">
            <Fact label="Protocol"><bdi>{version}</bdi><span class="note">{era}</span></Fact>
            <Fact label="Skills extension">{yes(declared)}</Fact>
            <Fact label="Resources">{yes(resources)}</Fact>
            <Fact label="Directory reads">{yes(directories)}</Fact>
            <Fact label="Pages read">{pages.to_string()}{truncated.then_some(", listing truncated by host")}</Fact>
            <Fact label="Fresh for">{fresh}</Fact>
            <Fact label="Read">{read_at}</Fact>
        </dl>
    }
    .into_any()
}

fn findings(listing: &McpSkillListing) -> Option<AnyView> {
    let found: Vec<String> = listing.findings.iter().map(|one| revealed(one)).collect();
    (!found.is_empty()).then(|| {
        view! {
            <div class="notice warn" role="group" aria-label="About the server">
                <Glyph icon=Icon::Warning />
                <ul class="look-alikes">{found.into_iter().map(|said| view! { <li><bdi>{said}</bdi></li> }).collect_view()}</ul>
            </div>
        }
        .into_any()
    })
}

/// The way to a skill that is not listed.
#[component]
fn OpenByAddress() -> impl IntoView {
    let state = use_published();
    let leave = use_leave();
    let typed = RwSignal::new(String::new());
    let wrong = RwSignal::new(None::<&'static str>);
    let open = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let uri = typed.get_untracked().trim().to_owned();
        if !uri.ends_with("/SKILL.md") {
            wrong.set(Some("The address of a skill ends with /SKILL.md."));
        } else if uri.chars().count() > ADDRESS_MAX {
            wrong.set(Some("The address has more than 2,048 characters."));
        } else {
            wrong.set(None);
            let place = SkillPlace::Published(state.connection.get_value(), uri);
            leave.go(&Route::Skill(place));
        }
    };
    view! {
        <form class="panel open-address" novalidate on:submit=open>
            <div class="form-field">
                <label for="skill-address">"Open by address"</label>
                <div class="open-line">
                    <input
                        class="input mono"
                        id="skill-address"
                        type="text"
                        dir="ltr"
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        placeholder="skill://…/SKILL.md"
                        prop:value=typed
                        aria-invalid=move || wrong.with(Option::is_some).then_some("true")
                        aria-describedby="skill-address-hint"
                        on:input:target=move |event| typed.set(event.target().value())
                    />
                    <button type="submit" class="btn">"Open"</button>
                </div>
                <p class="hint" id="skill-address-hint">
                    {move || wrong.get().map_or_else(
                        || view! { "A server may serve skills it does not list." }.into_any(),
                        |wrong| view! { <span class="wrong">{wrong}</span> }.into_any(),
                    )}
                </p>
            </div>
        </form>
    }
}

#[component]
fn Rows(listing: Memo<McpSkillListing>) -> impl IntoView {
    let limit = RwSignal::new(STEP);
    let count = Memo::new(move |_| listing.with(|listing| listing.data.len()));
    view! {
        <section class="panel skills-panel" aria-labelledby="listed-skills">
            <header>
                <div class="section-title">
                    <h3 id="listed-skills">"Listed"</h3>
                    <span class="note">{move || count.get().to_string()}</span>
                </div>
            </header>
            {move || (count.get() == 0).then(|| view! {
                <p class="empty">
                    {move || if listing.with(|listing| listing.declared) {
                        "Nothing is listed."
                    } else {
                        "Nothing was asked, so nothing is known."
                    }}
                </p>
            })}
            <ul class="skill-list" aria-labelledby="listed-skills">
                {move || listing.with(|listing| listing.data.iter().take(limit.get()).map(|one| view! { <Row skill=one.clone() /> }).collect_view())}
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
fn Row(skill: McpSkill) -> impl IntoView {
    let state = use_published();
    let address = skill.uri.clone();
    let shown = Memo::new(move |_| {
        state
            .judged
            .with(|judged| judged.get(&address).cloned())
            .unwrap_or_else(|| skill.clone())
    });
    move || {
        let skill = shown.get();
        let (tone, icon, word) = status_badge(&skill.status);
        let place = SkillPlace::Published(state.connection.get_value(), skill.uri.clone());
        let name = skill
            .name
            .as_deref()
            .map_or_else(|| "Without a name".to_owned(), revealed);
        view! {
            <li class="skill-row">
                <div class="skill-text">
                    <p class="skill-name"><a href=Route::Skill(place).href()><bdi>{name}</bdi></a></p>
                    {skill.description.as_deref().map(|text| view! { <p class="skill-about"><bdi>{revealed(text)}</bdi></p> })}
                    <p class="skill-facts"><bdi class="mono" dir="ltr">{revealed(&skill.uri)}</bdi><span>{weight_words(&skill)}</span></p>
                    {skill.reasons.first().map(|reason| view! { <p class="skill-owner"><bdi>{revealed(reason)}</bdi></p> })}
                    {(!skill.same_name.is_empty()).then(|| view! {
                        <p class="skill-hidden"><Glyph icon=Icon::Info /><span>"Other skills have the same name; the address tells them apart."</span></p>
                    })}
                </div>
                <div class="skill-end">
                    <Badge tone=tone icon=icon text=word />
                    {approval_badge(&skill.approval.state).map(|(tone, icon, word)| view! { <Badge tone=tone icon=icon text=word /> })}
                </div>
            </li>
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_largest_unit() {
        assert_eq!(size_words(0), "0 B");
        assert_eq!(size_words(1_023), "1023 B");
        assert_eq!(size_words(1_536), "1.5 KiB");
        assert_eq!(size_words(16_777_216), "16.0 MiB");
    }
}
