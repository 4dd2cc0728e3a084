//! What the directory of a skill holds now, where a server tells: a live view that never adds to
//! the manifest.

use contract::mcp_skills::DirectoryView;
use leptos::prelude::*;

use super::entry::root;
use super::state::use_published;
use crate::api;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::Icon;
use crate::components::notice::Failure;
use crate::components::words::revealed;
use crate::remote::Remote;
use crate::session::use_session;

/// The panel; nothing where the server answers no such reads.
#[component]
pub fn DirectoryPanel(
    /// The address of the skill.
    uri: String,
) -> impl IntoView {
    let state = use_published();
    let session = use_session();
    let key = StoredValue::new(uri);
    let at = RwSignal::new(root(&key.get_value()));
    let view: Remote<DirectoryView> = Remote::idle(move || async move {
        let Some(place) = at.try_get_untracked() else {
            return Err(api::ApiError::Offline);
        };
        let (connection, skill) = (state.connection.get_value(), key.get_value());
        api::mcp_skills::directory(&session.client(), &connection, &skill, &place).await
    });
    let offered = Memo::new(move |_| {
        state.listing.value().with(|listing| {
            listing
                .as_ref()
                .is_some_and(|listing| listing.directory_read)
        })
    });
    let go = move |place: String| {
        at.set(place);
        view.reload();
    };
    move || {
        offered.get().then(|| view! {
            <section class="panel" aria-labelledby="directory">
                <header>
                    <h3 id="directory" tabindex="-1">"Directory"</h3>
                    <Badge tone=Tone::Info icon=Icon::Info text="Live view" />
                    <span class="grow"></span>
                    <button
                        type="button"
                        class="btn"
                        aria-busy=move || view.pending().get().then_some("true")
                        on:click=move |_| go(root(&key.get_value()))
                    >
                        {move || if view.pending().get() { "Asking…" } else { "Look" }}
                    </button>
                </header>
                {move || view.failure().get().map(|error| view! {
                    <Failure what="The directory was not listed." error=error on_retry=Callback::new(move |()| view.reload()) />
                })}
                {move || match view.value().get() {
                    None => view! { <p class="empty">"What the server holds there now. It adds nothing to the manifest."</p> }.into_any(),
                    Some(found) => view! {
                        <p class="lead-note"><bdi class="mono" dir="ltr">{move || revealed(&at.get())}</bdi></p>
                        {found.data.is_empty().then(|| view! { <p class="empty">"It is empty."</p> })}
                        <ul class="file-list" aria-labelledby="directory">
                            {found.data.into_iter().map(|child| {
                                let uri = child.uri.clone();
                                view! {
                                    <li class="file-row"><div class="file-line">
                                        <p class="file-name">
                                            {if child.directory && child.listed {
                                                view! { <button type="button" class="link" on:click=move |_| go(uri.clone())><bdi class="mono" dir="ltr">{format!("{}/", revealed(&child.name))}</bdi></button> }.into_any()
                                            } else {
                                                view! { <bdi class="mono" dir="ltr">{revealed(&child.name)}</bdi> }.into_any()
                                            }}
                                        </p>
                                        {if child.listed {
                                            view! { <Badge tone=Tone::Neutral icon=Icon::Check text="In the manifest" /> }.into_any()
                                        } else {
                                            view! { <Badge tone=Tone::Warn icon=Icon::Warning text="Not part of the skill" /> }.into_any()
                                        }}
                                    </div></li>
                                }
                            }).collect_view()}
                        </ul>
                        {found.truncated.then(|| view! { <p class="more note">"The server has more than this host reads."</p> })}
                    }
                    .into_any(),
                }}
            </section>
        })
    }
}
