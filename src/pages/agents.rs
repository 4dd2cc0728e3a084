//! The fleet: every agent with its status, where it belongs and how many tools it may use.

pub mod filters;
pub mod new_agent;
pub mod paging;
pub mod row;
pub mod state;
pub mod toolbar;

use contract::agents::AgentStatus;
use leptos::prelude::*;

use self::new_agent::NewAgent;
use self::paging::Paging;
use self::row::AgentRow;
use self::state::{Counts, Fleet, Listing, use_fleet};
use self::toolbar::Toolbar;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::section::Loaded;
use crate::reactive::follow;

/// "1 agent", "12 agents".
fn agents_word(count: u64) -> String {
    if count == 1 {
        "1 agent".to_owned()
    } else {
        format!("{count} agents")
    }
}

/// `12 agents · 2 need attention`.
fn summary(counts: &Counts) -> String {
    let all = agents_word(counts.present);
    match counts.need_attention() {
        0 => all,
        1 => format!("{all} · 1 needs attention"),
        many => format!("{all} · {many} need attention"),
    }
}

/// The page.
#[component]
pub fn AgentsPage() -> impl IntoView {
    let fleet = Fleet::start();
    provide_context(fleet);
    browser::set_title("Agents · Remit");
    let making = RwSignal::new(false);
    announce_results(fleet);
    view! {
        <main id="main" tabindex="-1">
            <header class="head plain">
                <div class="row">
                    <h1>"Agents"</h1>
                    <span class="note">{move || fleet.counts.value().with(|counts| counts.as_ref().map(summary))}</span>
                    <span class="grow"></span>
                    <button type="button" class="btn primary" on:click=move |_| making.set(true)>"New agent"</button>
                </div>
            </header>
            <div class="page">
                <section class="panel" aria-labelledby="agent-list-name">
                    <h2 class="visually-hidden" id="agent-list-name">"List of agents"</h2>
                    <Toolbar />
                    <Loaded remote=fleet.list failed="The agents could not be loaded." rows=6 let(listing)>
                        <Rows listing=listing making=making />
                    </Loaded>
                </section>
            </div>
            <NewAgent open=making />
        </main>
    }
}

/// Says how many agents a search or filter found, once its answer is there.
fn announce_results(fleet: Fleet) {
    let announcer = use_announcer();
    let found = Memo::new(move |_| {
        fleet.list.value().with(|listing| {
            listing
                .as_ref()
                .map(|listing| (listing.filters.clone(), listing.page.meta.total))
        })
    });
    follow(move |before: Option<Option<filters::Filters>>| {
        let (now, total) = found.get()?;
        if before.is_some_and(|before| before.is_some_and(|before| before != now)) {
            announcer.say(match total {
                0 => "No agent found".to_owned(),
                total => format!("{} found", agents_word(total)),
            });
        }
        Some(now)
    });
}

#[component]
fn Rows(listing: Memo<Listing>, making: RwSignal<bool>) -> impl IntoView {
    let fleet = use_fleet();
    // Rows of another question are no answer to this one once that has failed.
    let hidden = Memo::new(move |_| !fleet.fits() && fleet.list.failure().with(Option::is_some));
    let busy = Memo::new(move |_| !fleet.fits() && fleet.list.pending().get());
    let has_rows = Memo::new(move |_| fleet.order.with(|order| !order.is_empty()));
    let access_failed = Memo::new(move |_| {
        let failure = fleet.access.failure().get()?;
        has_rows.get().then_some(failure)
    });
    view! {
        <div hidden=move || hidden.get() aria-busy=move || busy.get().then_some("true")>
            {move || access_failed.get().map(|error| view! {
                <Failure
                    what="How many tools each agent may use could not be loaded."
                    error=error
                    on_retry=Callback::new(move |()| fleet.access.reload())
                />
            })}
            <ul class="agents" id="agent-list" hidden=move || !has_rows.get()>
                <Each each=move || fleet.order.get() key=|id| id.0.clone() let(id)>
                    <AgentRow id=id listing=listing />
                </Each>
            </ul>
            {move || (!has_rows.get()).then(|| view! { <Nothing listing=listing making=making /> })}
            <Paging listing=listing />
        </div>
    }
}

/// No rows: because there is no agent, because none matches, or because the page lies past the
/// last one. Only shown after a successful read.
#[component]
fn Nothing(listing: Memo<Listing>, making: RwSignal<bool>) -> impl IntoView {
    let fleet = use_fleet();
    let archived = move || {
        fleet.counts.value().with(|counts| {
            counts
                .as_ref()
                .map_or(0, |counts| counts.of(&AgentStatus::Archived))
        })
    };
    let clear = move |_| {
        fleet.clear();
        browser::focus("agent-search");
    };
    move || {
        let (filters, total) =
            listing.with(|listing| (listing.filters.clone(), listing.page.meta.total));
        if total > 0 {
            view! {
                <div class="empty">
                    <p>"There is nothing on this page any more."</p>
                    <button type="button" class="btn" on:click=move |_| fleet.turn_to(0)>"Go to the first page"</button>
                </div>
            }
            .into_any()
        } else if filters.is_filtered() {
            let what = if filters.search.trim().is_empty() {
                view! { "No agent matches these filters" }.into_any()
            } else {
                view! { "No agent matches “"<bdi>{filters.search.trim().to_owned()}</bdi>"”" }
                    .into_any()
            };
            view! {
                <div class="empty">
                    <p>{what}" · "<button type="button" class="link" on:click=clear>"Clear filter"</button></p>
                </div>
            }
            .into_any()
        } else {
            let put_away = archived();
            view! {
                <div class="empty">
                    {if put_away > 0 {
                        view! {
                            <p>
                                {format!("No agent apart from {put_away} archived · ")}
                                <button type="button" class="link" on:click=move |_| {
                                    let filters = filters::Filters { status: Some(AgentStatus::Archived), ..filters::Filters::default() };
                                    fleet.choose(filters);
                                }>"Show archived"</button>
                            </p>
                        }.into_any()
                    } else {
                        view! { <p>"There are no agents yet. A new one starts as a draft with every permission off."</p> }.into_any()
                    }}
                    <button type="button" class="btn" on:click=move |_| making.set(true)>
                        <Glyph icon=Icon::Plus />
                        "Make the first agent"
                    </button>
                </div>
            }
            .into_any()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_what_needs_attention() {
        let mut counts = Counts {
            present: 12,
            ..Counts::default()
        };
        assert_eq!(summary(&counts), "12 agents");
        counts.by_status.insert(AgentStatus::Error, 1);
        assert_eq!(summary(&counts), "12 agents · 1 needs attention");
        counts.by_status.insert(AgentStatus::Paused, 1);
        assert_eq!(summary(&counts), "12 agents · 2 need attention");
        counts.present = 1;
        assert_eq!(summary(&counts), "1 agent · 2 need attention");
    }
}
