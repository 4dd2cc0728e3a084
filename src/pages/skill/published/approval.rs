//! Approval of a published skill's content: bound to the set of addresses and digests that was
//! shown, and ended by any other set.

use contract::mcp_skills::{Approval, ApprovalState, ManifestChanges, McpSkill, McpSkillStatus};
use leptos::prelude::*;

use super::state::{Deed, use_published};
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;
use crate::pages::skill::facts::{Copyable, short_digest};

/// Addresses named of one kind of change.
const NAMED: usize = 50;

/// The panel.
#[component]
pub fn ApprovalPanel(
    /// The address of the skill.
    uri: String,
    /// The skill.
    entry: Memo<Option<McpSkill>>,
) -> impl IntoView {
    let state = use_published();
    let key = StoredValue::new(uri);
    let asking = RwSignal::new(false);
    let approval =
        Memo::new(move |_| entry.with(|entry| entry.as_ref().map(|entry| entry.approval.clone())));
    let doing = Memo::new(move |_| {
        state
            .doing
            .with(|doing| doing.get(&key.get_value()).copied())
    });
    // What can never be loaded needs no approval.
    let blocked = Memo::new(move |_| {
        entry.with(|entry| match entry.as_ref().map(|entry| &entry.status) {
            Some(McpSkillStatus::Invalid) => Some("The entry is invalid, so there is nothing to approve."),
            Some(McpSkillStatus::OverLimits) => Some("The skill is over the limits of this host, so there is nothing to approve."),
            Some(McpSkillStatus::Mismatch) => Some("A file that was fetched does not match the server’s manifest. Refresh the entry first."),
            _ => None,
        })
    });
    let badge = move || {
        approval.with(|approval| match approval.as_ref().map(|one| &one.state) {
            Some(ApprovalState::Approved) => (Tone::Info, Icon::Check, "Approved"),
            Some(ApprovalState::Revoked) => (Tone::Warn, Icon::Reset, "Approval revoked"),
            Some(ApprovalState::Impossible) => (Tone::Neutral, Icon::Ban, "Cannot be approved"),
            _ => (Tone::Neutral, Icon::Info, "Not approved"),
        })
    };
    let can_approve = Memo::new(move |_| {
        blocked.get().is_none()
            && approval.with(|approval| {
                approval.as_ref().is_some_and(|one| {
                    one.fingerprint.is_some()
                        && !matches!(
                            one.state,
                            ApprovalState::Approved | ApprovalState::Impossible
                        )
                })
            })
    });
    let is_approved = Memo::new(move |_| {
        approval.with(|approval| {
            approval
                .as_ref()
                .is_some_and(|one| one.state == ApprovalState::Approved)
        })
    });
    let fingerprint =
        move || approval.with(|approval| approval.as_ref().and_then(|one| one.fingerprint.clone()));
    view! {
        <section class="panel" aria-labelledby="approval">
            <header>
                <h3 id="approval" tabindex="-1">"Approval"</h3>
                <span class="grow"></span>
                {move || { let (tone, icon, word) = badge(); view! { <Badge tone=tone icon=icon text=word /> } }}
            </header>
            <div class="inner">
                {move || approval.get().map(told)}
                {move || fingerprint().map(|text| view! {
                    <p class="note">"Fingerprint of the present files: "<Copyable shown=short_digest(&text) text=text what="the fingerprint" /></p>
                })}
                {move || blocked.get().map(|why| view! { <p class="note">{why}</p> })}
                <div class="form-actions">
                    {move || can_approve.get().then(|| view! {
                        <button
                            type="button"
                            class="btn primary"
                            aria-busy=move || (doing.get() == Some(Deed::Approve)).then_some("true")
                            on:click=move |_| asking.set(true)
                        >
                            {move || if doing.get() == Some(Deed::Approve) { "Approving…" } else { "Approve this content…" }}
                        </button>
                    })}
                    {move || is_approved.get().then(|| view! {
                        <button
                            type="button"
                            class="btn"
                            aria-busy=move || (doing.get() == Some(Deed::Withdraw)).then_some("true")
                            on:click=move |_| {
                                state.act(&key.get_value(), Deed::Withdraw, None);
                                browser::focus("approval");
                            }
                        >
                            {move || if doing.get() == Some(Deed::Withdraw) { "Withdrawing…" } else { "Withdraw" }}
                        </button>
                    })}
                </div>
            </div>
            <Dialog open=asking title="Approve this content?" on_close=Callback::new(move |()| asking.set(false))>
                <p>"You approve exactly the files listed now, by address and digest. Any change ends the approval. It grants no tool and runs nothing."</p>
                <p class="note">"Fingerprint: "<code dir="ltr">{move || fingerprint().unwrap_or_default()}</code></p>
                <div class="dialog-actions">
                    <button type="button" class="btn" autofocus on:click=move |_| asking.set(false)>"Cancel"</button>
                    <button type="button" class="btn primary" on:click=move |_| {
                        asking.set(false);
                        state.act(&key.get_value(), Deed::Approve, fingerprint());
                        browser::focus("approval");
                    }>"Approve"</button>
                </div>
            </Dialog>
        </section>
    }
}

/// What happened to the approval.
fn told(approval: Approval) -> AnyView {
    let by = approval
        .approved_by
        .as_deref()
        .map_or_else(String::new, |who| format!(" by {}", revealed(who)));
    let when = approval
        .approved_at
        .as_deref()
        .map_or_else(String::new, |at| format!(", {}", browser::local_time(at)));
    match approval.state {
        ApprovalState::Approved => view! { <p>{format!("Approved{by}{when}. It holds for exactly these files.")}</p> }.into_any(),
        ApprovalState::Revoked => view! {
            <div class="notice warn">
                <Glyph icon=Icon::Reset />
                <p>{format!("The files changed since they were approved{by}{when}. Look at them and approve again.")}</p>
            </div>
            {approval.changes.map(changes)}
        }
        .into_any(),
        ApprovalState::Impossible => view! { <p>"Without a list of files there is nothing an approval could be bound to."</p> }.into_any(),
        ApprovalState::NotGiven | ApprovalState::Unknown(_) => view! { <p>"Nobody approved this content. Agents do not load it before somebody does."</p> }.into_any(),
    }
}

/// What differs between the approved files and the present ones.
fn changes(changes: ManifestChanges) -> AnyView {
    let kinds = [
        ("added", changes.added),
        ("removed", changes.removed),
        ("changed", changes.changed),
    ];
    view! {
        <table class="changes">
            <caption class="visually-hidden">"What changed since the approval"</caption>
            <tbody>
                {kinds.into_iter().flat_map(|(word, uris)| {
                    let more = uris.len().saturating_sub(NAMED);
                    let rows = uris.into_iter().take(NAMED).map(move |uri| (word, revealed(&uri)));
                    rows.chain((more > 0).then(|| (word, format!("and {more} more")))).collect::<Vec<_>>()
                }).map(|(word, uri)| view! {
                    <tr class=word><th scope="row" class="word">{word}</th><td><bdi class="mono" dir="ltr">{uri}</bdi></td></tr>
                }).collect_view()}
            </tbody>
        </table>
    }
    .into_any()
}
