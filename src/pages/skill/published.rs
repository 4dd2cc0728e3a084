//! Skills that an MCP server publishes: what it lists, and the page of one. Files are fetched only
//! when an operator asks to inspect or verify them, and reading is never loading.

pub mod approval;
pub mod directory;
pub mod entry;
pub mod files;
pub mod listing;
pub mod state;

use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use self::entry::EntryView;
use self::listing::ListingView;
use self::state::{Published, use_published};
use crate::api::ApiError;
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::pages::settings::use_frame;
use crate::route::{Route, SettingsPage};

/// The page. Another connection in the address makes a new one.
#[component]
pub fn PublishedSkillsPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    move || view! { <Page id=id.get() /> }
}

#[component]
fn Page(id: String) -> impl IntoView {
    let state = Published::start(id.into());
    provide_context(state);
    let query = use_query_map();
    let uri = Memo::new(move |_| {
        query
            .with(|query| query.get("uri"))
            .filter(|uri| !uri.is_empty())
    });
    use_frame().show(Signal::derive(move || {
        let server = state.server_name().unwrap_or_default();
        match uri.get() {
            Some(uri) => format!("{} · {}", revealed(&uri), revealed(&server)),
            None => format!("Skills of {}", revealed(&server)),
        }
    }));
    let missing = Memo::new(move |_| {
        state.listing.failure().with(|error| {
            matches!(
                error,
                Some(ApiError::Missing(_) | ApiError::Refused { status: 400, .. })
            )
        })
    });
    move || {
        if missing.get() {
            return view! {
                <div class="page">
                    <section class="panel"><p class="empty">
                        <strong>"Connection not found or not yours."</strong>
                        <a href=Route::Settings(SettingsPage::Connections).href()>"All connections"</a>
                    </p></section>
                </div>
            }
            .into_any();
        }
        view! {
            <div class="page">
                {move || match uri.get() {
                    Some(uri) => view! { <EntryView uri=uri /> }.into_any(),
                    None => view! { <Listing /> }.into_any(),
                }}
            </div>
        }
        .into_any()
    }
}

#[component]
fn Listing() -> impl IntoView {
    let state = use_published();
    view! {
        <Loaded
            remote=state.listing
            failed="The server did not list its skills."
            rows=5
            children=move |listing| view! { <ListingView listing=listing /> }
        />
    }
}
