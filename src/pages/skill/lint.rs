//! One skill judged by the hosts that read skills from files, side by side.

use contract::skill_lint::{
    HostStatus, HostVerdict, LintNote, SkillHost, SkillLint, SkillLintRequest,
};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::browser::timer::Timer;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::section::Skeleton;
use crate::components::words::{revealed, with_code};
use crate::reactive::effect;
use crate::remote::Remote;
use crate::session::use_session;

/// How long after the last change a text that is being written is judged, in milliseconds.
const WAIT: u64 = 350;

/// A verdict about a text, asked for anew a moment after the text has changed.
pub fn lint_of(file: Memo<SkillLintRequest>) -> Remote<SkillLint> {
    let session = use_session();
    let remote = Remote::idle(move || async move {
        let Some(file) = file.try_get_untracked() else {
            return Err(ApiError::Offline);
        };
        api::skills::lint(&session.client(), &file).await
    });
    let timer = Timer::new();
    let renewed = session.renewed();
    effect(move || {
        file.track();
        renewed.track();
        let wait = if remote.now().is_some() { WAIT } else { 0 };
        timer.start(wait, move || remote.reload());
    });
    remote
}

/// The name of a host.
fn host_name(host: &SkillHost) -> String {
    match host {
        SkillHost::AgentSkills => "Agent Skills".to_owned(),
        SkillHost::Coder => "Coder".to_owned(),
        SkillHost::MyCodeAgent => "MyCodeAgent".to_owned(),
        SkillHost::Unknown(name) => revealed(name),
    }
}

/// The host's own word, with what supports it.
fn badge(status: &HostStatus) -> (Tone, Icon, String) {
    let word = match status {
        HostStatus::NotScanned => "not scanned".to_owned(),
        other => revealed(other.as_str()),
    };
    match status {
        HostStatus::Valid | HostStatus::Ok | HostStatus::Listed => (Tone::Ok, Icon::Check, word),
        HostStatus::Invalid | HostStatus::Dropped => (Tone::Deny, Icon::Ban, word),
        HostStatus::Oversize | HostStatus::Unreadable | HostStatus::Excluded => {
            (Tone::Warn, Icon::Warning, word)
        }
        HostStatus::NotScanned | HostStatus::Unjudged | HostStatus::Unknown(_) => {
            (Tone::Neutral, Icon::Info, word)
        }
    }
}

fn note(note: LintNote) -> AnyView {
    let line = note.line.map(|line| format!("Line {line}: "));
    view! { <li>{line}<bdi>{with_code(&revealed(&note.message))}</bdi></li> }.into_any()
}

fn verdict(verdict: HostVerdict, directory: &str) -> AnyView {
    let (tone, icon, word) = badge(&verdict.status);
    let usable = verdict.status.is_usable();
    let other_name = verdict
        .name
        .as_deref()
        .filter(|name| usable && *name != directory)
        .map(revealed);
    view! {
        <li class="host">
            <p class="host-head"><strong>{host_name(&verdict.host)}</strong><Badge tone=tone icon=icon text=word /></p>
            {(!verdict.reasons.is_empty()).then(|| view! {
                <ul class="reasons">{verdict.reasons.into_iter().map(note).collect_view()}</ul>
            })}
            {other_name.map(|name| view! { <p class="note">"Known there as "<bdi class="mono">{name}</bdi></p> })}
        </li>
    }
    .into_any()
}

/// The verdicts and remarks.
pub fn verdicts(lint: SkillLint, directory: &str) -> AnyView {
    let findings = lint.findings;
    view! {
        <ul class="hosts">
            {lint.hosts.into_iter().map(|one| verdict(one, directory)).collect_view()}
        </ul>
        {(!findings.is_empty()).then(|| view! {
            <div class="remarks">
                <p class="remarks-head"><Glyph icon=Icon::Info />"Worth knowing"</p>
                <ul class="reasons">{findings.into_iter().map(note).collect_view()}</ul>
            </div>
        })}
    }
    .into_any()
}

/// The panel, about a text as the file it would be.
#[component]
pub fn LintPanel(
    /// The verdict.
    lint: Remote<SkillLint>,
    /// The name of the directory.
    #[prop(into)]
    directory: Signal<String>,
    /// What is judged: "As a `SKILL.md` file this skill would be:"
    lead: &'static str,
) -> impl IntoView {
    let value = lint.value();
    let ready = Memo::new(move |_| value.with(Option::is_some));
    let failure = lint.failure();
    view! {
        <section class="panel lint" aria-labelledby="lint">
            <header>
                <h3 id="lint">"In other hosts"</h3>
                <span class="grow"></span>
                {move || (ready.get() && lint.pending().get()).then(|| view! { <span class="saving">"Judging…"</span> })}
            </header>
            <p class="lead-note">{with_code(lead)}</p>
            {move || failure.get().map(|error| view! {
                <Failure what="The verdicts of the hosts could not be loaded." error=error on_retry=Callback::new(move |()| lint.reload()) />
            })}
            {move || if ready.get() {
                value.get().map(|lint| directory.with(|directory| verdicts(lint, directory))).into_any()
            } else {
                view! { <Skeleton hidden=Signal::derive(move || failure.with(Option::is_some)) rows=3 /> }.into_any()
            }}
        </section>
    }
}
