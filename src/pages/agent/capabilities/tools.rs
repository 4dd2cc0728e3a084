//! The Agent tools section: counts, filters, groups and everything that changes the agent's row.

use contract::rules::explain::Bucket;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::bulk::{BulkReview, provide_bulk};
use super::group::ToolGroup;
use super::model::ToolModel;
use super::reset::ResetToInherited;
use super::{use_open_tool, use_tools};
use crate::api::ApiError;
use crate::browser;
use crate::browser::timer::Timer;
use crate::components::announce::use_announcer;
use crate::components::bar::AccessBar;
use crate::components::chips::{Chip, Chips};
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::pattern_test::PatternTester;
use crate::components::section::Loaded;
use crate::pages::agent::catalog::GroupKey;
use crate::pages::agent::grant_writes;
use crate::reactive::{effect, follow};
use crate::route::Route;
use crate::shell::keys::are_off;

/// Id of the button that opens the pattern tester.
const TEST_BUTTON: &str = "test-pattern";

/// The section.
#[component]
pub fn ToolsSection() -> impl IntoView {
    let model = use_tools();
    let state = model.state;
    provide_bulk(model);
    let rules = Route::Rules(contract::grants::Scope::Agent, state.id.get_value().0).href();
    let testing = RwSignal::new(false);
    let tested_from = StoredValue::new(String::new());
    let test = move |_| {
        let from = browser::focused().map(|element| element.id());
        let from = from.filter(|id| !id.is_empty());
        tested_from.set_value(from.unwrap_or_else(|| TEST_BUTTON.to_owned()));
        testing.update(|testing| *testing = !*testing);
        // The key `p` presses the button from afar: it leads to the field.
        if testing.get_untracked() && tested_from.with_value(|from| from != TEST_BUTTON) {
            request_animation_frame(|| {
                browser::focus("pattern-test");
            });
        }
    };
    let stop_testing = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            testing.set(false);
            if !tested_from.with_value(|id| browser::focus(id)) {
                browser::focus(TEST_BUTTON);
            }
        }
    };
    let names = Memo::new(move |_| {
        model.catalog.with(|catalog| {
            catalog
                .iter()
                .map(|tool| tool.name.clone())
                .collect::<Vec<_>>()
        })
    });
    let counts = Memo::new(move |_| model.summary());
    let head = move || {
        let counts = counts.get();
        let locked = model.locked();
        let on = format!("{} of {} on", counts.on, counts.total());
        if locked == 0 {
            on
        } else {
            format!("{on} · {locked} locked")
        }
    };
    view! {
        <section class="panel tools-section" aria-labelledby="agent-tools">
            <header>
                <div class="section-title">
                    <h3 id="agent-tools" tabindex="-1">"Agent tools"</h3>
                    <span class="note">{move || state.truth.with(Option::is_some).then(head)}</span>
                </div>
                <div class="section-actions">
                    <button
                        type="button"
                        class="btn quiet"
                        id=TEST_BUTTON
                        aria-expanded=move || testing.get().to_string()
                        aria-controls=move || testing.get().then_some("pattern-tester")
                        aria-keyshortcuts="p"
                        on:click=test
                    >
                        "Test a pattern"
                    </button>
                    <a class="btn quiet" href=rules>"Edit rules"</a>
                    <ResetToInherited />
                </div>
            </header>
            <RowProblems />
            {move || testing.get().then(|| view! {
                <div class="tester-panel" id="pattern-tester" on:keydown=stop_testing>
                    <PatternTester tools=names />
                </div>
            })}
            <Loaded remote=state.capabilities failed="The tools could not be loaded." rows=8 let(_capabilities)>
                <div class="summary">
                    <AccessBar summary=counts />
                </div>
                <Toolbar />
                <ToolList />
            </Loaded>
            <BulkReview />
        </section>
    }
}

/// What is said when a newer answer about the rules could not be had.
const STALE: &str = "The rules could not be read again, so what is shown may be out of date.";

/// What is wrong with the section as a whole: rules that could not be read, a fold the server sees
/// otherwise, a lookup that failed open, a refused reset.
#[component]
fn RowProblems() -> impl IntoView {
    let model = use_tools();
    let announcer = use_announcer();
    let state = model.state;
    let failed_open = Memo::new(move |_| {
        state
            .truth
            .with(|view| view.as_ref().is_some_and(|view| view.failed_open()))
    });
    let differs = Memo::new(move |_| {
        let settled = state.queue.with(|queue| queue.is_idle())
            && !state.rows.pending().get()
            && !state.resolved.pending().get()
            && state.rows.value().with(Option::is_some)
            // Answers of different times say nothing about each other.
            && state.rows.failure().with(Option::is_none)
            && state.resolved.failure().with(Option::is_none)
            && state.capabilities.failure().with(Option::is_none);
        settled
            && state.truth.with(|view| {
                let Some(view) = view else { return false };
                state
                    .resolved
                    .value()
                    .with(|said| said.as_ref().is_some_and(|said| *said != *view.resolved()))
            })
    });
    let unread = Memo::new(move |_| {
        let failed = |failure: Option<ApiError>, what: &'static str| Some((what, failure?));
        let rows = if state.rows.value().with(Option::is_some) {
            STALE
        } else {
            "The stored rules could not be read, so notes are missing and changes may be refused."
        };
        failed(state.rows.failure().get(), rows)
            .or_else(|| failed(state.resolved.failure().get(), STALE))
    });
    let refusals = Memo::new(move |_| {
        state
            .queue
            .with(|queue| queue.row_refusals().cloned().collect::<Vec<_>>())
    });
    view! {
        {move || unread.get().map(|(what, error)| view! {
            <Failure what=what error=error on_retry=Callback::new(move |()| state.reload_grants()) />
        })}
        {move || failed_open.get().then(|| view! {
            <div class="notice warn">
                <Glyph icon=Icon::Warning />
                <p>"The control plane could not look the grants up and fell back to the permissions alone. What is shown is not the stored policy."</p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| state.capabilities.reload()>"Retry"</button>
                </div>
            </div>
        })}
        {move || differs.get().then(|| view! {
            <div class="notice warn">
                <Glyph icon=Icon::Warning />
                <p>"The control plane resolves these rules differently than this page. Trust its answer: it decides."</p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| state.reload_grants()>"Read again"</button>
                </div>
            </div>
        })}
        <Each each=move || refusals.get() key=|refusal| refusal.id let(refusal)>
            <div class="notice deny" role="group" aria-label="Not saved">
                <Glyph icon=Icon::Warning />
                <p><strong>{refusal.heading()}</strong>" "<bdi>{refusal.said.clone()}</bdi></p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| {
                        state.queue.update(|queue| queue.retry(refusal.id));
                        grant_writes::work(state, announcer);
                    }>"Retry"</button>
                    <button type="button" class="btn quiet" on:click=move |_| state.queue.update(|queue| queue.dismiss(refusal.id))>"Dismiss"</button>
                </div>
            </div>
        </Each>
    }
}

fn mark(bucket: Bucket) -> &'static str {
    match bucket {
        Bucket::On => "on",
        Bucket::OffHere => "off",
        Bucket::DeniedAbove => "deny",
        Bucket::PermissionOff => "perm",
    }
}

/// The chips: one for everything, one for each state.
fn chips(model: ToolModel) -> Vec<Chip> {
    let counts = model.summary();
    let of = |bucket: Bucket| match bucket {
        Bucket::On => counts.on,
        Bucket::OffHere => counts.off_here,
        Bucket::DeniedAbove => counts.denied_above,
        Bucket::PermissionOff => counts.permission_off,
    };
    let all = Chip {
        value: String::new(),
        label: "All".to_owned(),
        count: Some(counts.total().into()),
        mark: "",
    };
    let states = Bucket::KNOWN.into_iter().map(|bucket| Chip {
        value: bucket.slug().to_owned(),
        label: bucket.label().to_owned(),
        count: Some(of(bucket).into()),
        mark: mark(bucket),
    });
    std::iter::once(all).chain(states).collect()
}

/// Filter, states, order, collapse.
#[component]
fn Toolbar() -> impl IntoView {
    let model = use_tools();
    let announcer = use_announcer();
    let count = Memo::new(move |_| (model.shown(), model.catalog.with(|catalog| catalog.len())));
    let told = Timer::new();
    follow(move |before: Option<()>| {
        let (shown, all) = count.get();
        let filtered = model.is_filtered();
        if before.is_none() || !filtered {
            return;
        }
        told.start(300, move || {
            announcer.say(format!("{shown} of {all} tools"));
        });
    });
    let all_collapsed = move || {
        model.groups.with(|groups| {
            model.collapsed.with(|collapsed| {
                groups
                    .iter()
                    .all(|group| collapsed.contains(&group.key.slug()))
            })
        })
    };
    // Without a group there is nothing the button could do.
    let has_groups = Memo::new(move |_| model.groups.with(|groups| !groups.is_empty()));
    let collapse = move |_| {
        if all_collapsed() {
            model.collapsed.update(std::collections::BTreeSet::clear);
        } else {
            // Groups the filters hide keep as they are.
            model.collapsed.update(|collapsed| {
                model.groups.with_untracked(|groups| {
                    collapsed.extend(groups.iter().map(|group| group.key.slug()));
                });
            });
        }
    };
    view! {
        <div class="toolbar">
            <label class="field">
                <Glyph icon=Icon::Search />
                <span class="visually-hidden">"Filter tools"</span>
                <input
                    type="search"
                    id="tool-filter"
                    placeholder="Filter tools"
                    autocomplete="off"
                    spellcheck="false"
                    aria-controls="tool-list"
                    aria-describedby="tool-count"
                    prop:value=model.query
                    on:input:target=move |event| model.filter(event.target().value())
                    on:keydown=move |event: web_sys::KeyboardEvent| {
                        if event.key() == "Escape" {
                            event.prevent_default();
                            if model.query.with_untracked(String::is_empty) {
                                focus_cursor(model);
                            } else {
                                model.filter(String::new());
                            }
                        }
                    }
                />
                <kbd aria-hidden="true">"/"</kbd>
            </label>
            <Chips
                label="Filter by state"
                chips=Signal::derive(move || chips(model))
                chosen=Signal::derive(move || model.states.with(|states| states.iter().map(|bucket| bucket.slug().to_owned()).collect::<Vec<_>>()))
                on_press=Callback::new(move |slug: String| model.toggle_state(&slug))
            />
            <div class="toolbar-end">
                <span class="note" id="tool-count">
                    {move || model.is_filtered().then(|| { let (shown, all) = count.get(); format!("{shown} of {all} tools") })}
                </span>
                <button
                    type="button"
                    class="btn quiet"
                    aria-pressed=move || model.by_name.get().to_string()
                    on:click=move |_| model.by_name.update(|by_name| *by_name = !*by_name)
                >
                    {move || if model.by_name.get() { "Sorted by name" } else { "Sort by name" }}
                </button>
                {move || has_groups.get().then(|| view! {
                    <button type="button" class="btn quiet" on:click=collapse>
                        {move || if all_collapsed() { "Expand all" } else { "Collapse all" }}
                    </button>
                })}
            </div>
        </div>
    }
}

/// The groups, or why there is none.
#[component]
fn ToolList() -> impl IntoView {
    let model = use_tools();
    let open = use_open_tool();
    let keys = move || {
        model.groups.with(|groups| {
            groups
                .iter()
                .map(|group| group.key.clone())
                .collect::<Vec<_>>()
        })
    };
    // The first row is where the keyboard enters the list until it was elsewhere.
    effect(move || {
        model.groups.track();
        model.collapsed.track();
        let places = model.open_places();
        let cursor = model.cursor.get_untracked();
        if !cursor.is_some_and(|cursor| places.contains(&cursor)) {
            model.cursor.set(places.first().copied());
        }
    });
    let empty = move || {
        let shown = model.shown();
        (shown == 0).then(|| {
            let catalog_empty = model.catalog.with(|catalog| catalog.is_empty());
            let query = model.query.get();
            view! {
                <div class="empty">
                    {if catalog_empty {
                        view! { <p>"The control plane lists no tools."</p> }.into_any()
                    } else {
                        view! {
                            <p>
                                {if query.is_empty() { "No tool is in this state.".to_owned() } else { format!("No tool matches “{query}”.") }}
                            </p>
                            <button type="button" class="btn" on:click=move |_| {
                                model.states.set(Vec::new());
                                model.filter(String::new());
                                browser::focus("tool-filter");
                            }>"Clear filter"</button>
                        }.into_any()
                    }}
                </div>
            }
        })
    };
    view! {
        <div id="tool-list" class="tool-list" on:keydown=move |event| move_cursor(model, open, &event) on:focusin=move |event| follow_focus(model, &event)>
            <Each each=keys key=GroupKey::slug children=|key| view! { <ToolGroup key=key /> } />
            {empty}
        </div>
    }
}

/// Puts the keyboard on the current row.
fn focus_cursor(model: ToolModel) {
    if let Some(place) = model.cursor.get_untracked() {
        browser::focus(&format!("tool-{place}"));
    }
}

/// Where the focus is, as a place in the catalog, and which control of the row has it.
fn focused_row() -> Option<(usize, &'static str)> {
    let row = browser::focused_within("tr.tool-row")?;
    let place = row.get_attribute("data-place")?.parse().ok()?;
    let id = browser::focused()?.id();
    let control = ["-switch", "-why"]
        .into_iter()
        .find(|suffix| id.ends_with(suffix))
        .unwrap_or("");
    Some((place, control))
}

fn follow_focus(model: ToolModel, _event: &web_sys::FocusEvent) {
    if let Some((place, _)) = focused_row()
        && model.cursor.get_untracked() != Some(place)
    {
        model.cursor.set(Some(place));
    }
}

/// The arrows along the line open and close the group whose header has the focus: forwards opens.
fn fold_group(model: ToolModel, event: &web_sys::KeyboardEvent) {
    let group = browser::focused_within("[data-group]")
        .and_then(|element| element.get_attribute("data-group"));
    let Some(group) = group else { return };
    let forwards = match event.key().as_str() {
        "ArrowRight" => !browser::is_right_to_left(),
        "ArrowLeft" => browser::is_right_to_left(),
        _ => return,
    };
    event.prevent_default();
    model.collapsed.update(|all| {
        if forwards {
            all.remove(&group);
        } else {
            all.insert(group);
        }
    });
}

/// Arrow keys, Home, End and the page keys move between rows and keep the control; Enter on a row
/// and `w` open the explanation.
fn move_cursor(model: ToolModel, open: super::OpenTool, event: &web_sys::KeyboardEvent) {
    const PAGE: usize = 10;
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let Some((place, control)) = focused_row() else {
        fold_group(model, event);
        return;
    };
    let places = model.open_places();
    let Some(at) = places.iter().position(|other| *other == place) else {
        return;
    };
    let last = places.len() - 1;
    let target = match event.key().as_str() {
        "ArrowDown" => (at + 1).min(last),
        "ArrowUp" => at.saturating_sub(1),
        "PageDown" => (at + PAGE).min(last),
        "PageUp" => at.saturating_sub(PAGE),
        "Home" => 0,
        "End" => last,
        key @ ("w" | "Enter") => {
            let on_row = event
                .target()
                .and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok())
                .is_some_and(|element| element.tag_name() == "TR");
            let asked = if key == "w" { !are_off() } else { on_row };
            if let Some(tool) = model.tool(place)
                && asked
            {
                event.prevent_default();
                open.open(
                    &tool.name,
                    browser::focused()
                        .map(|element| element.id())
                        .unwrap_or_default(),
                );
            }
            return;
        }
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = places.get(target).copied() {
        model.cursor.set(Some(next));
        let id = format!("tool-{next}{control}");
        // The row may have to be made first.
        if !browser::focus(&id) {
            request_animation_frame(move || {
                browser::focus(&id);
            });
        }
    }
}
