//! Testing a connection: it is opened and asked for its tools, with the time that passes on screen
//! and the tools it found, or why it found none.

use contract::connections::{ConnectionState, ConnectionTest, Transport};
use leptos::prelude::*;

use super::item::use_connection;
use crate::api::{self, ApiError};
use crate::browser;
use crate::browser::timer::Timer;
use crate::components::announce::use_announcer;
use crate::components::connection_health::state_of;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::words::revealed;
use crate::reactive::spawn;

/// How often the time on screen moves on, in milliseconds.
const TICK: u64 = 1_000;
/// How many of the tools it found are named at once.
const NAMED: usize = 40;

/// Where a test stands.
#[derive(Clone, Debug, PartialEq)]
enum Run {
    /// None was asked for.
    Idle,
    /// On its way since this instant (milliseconds since 1970).
    Running(f64),
    /// It ended, after so many seconds.
    Done(ConnectionTest, f64),
    /// The control plane gave no outcome.
    Failed(ApiError),
}

/// Seconds with one digit.
fn seconds(value: f64) -> String {
    format!("{:.1} s", (value / 1_000.0).max(0.0))
}

fn tools_word(count: u32) -> String {
    match count {
        1 => "1 tool".to_owned(),
        many => format!("{many} tools"),
    }
}

/// The buttons and the outcome.
#[component]
pub fn TestRun() -> impl IntoView {
    let state = use_connection();
    let announcer = use_announcer();
    let run = RwSignal::new(Run::Idle);
    let elapsed = RwSignal::new(0.0_f64);
    let refreshing = RwSignal::new(false);
    let clock = Timer::new();
    let name = state.name();
    let is_stdio = Memo::new(move |_| {
        state.connection.value().with(|found| {
            found
                .as_ref()
                .is_some_and(|found| found.transport == Transport::Stdio)
        })
    });
    let is_running = Memo::new(move |_| run.with(|run| matches!(run, Run::Running(_))));
    let test = move || {
        if is_running.get_untracked() {
            return;
        }
        let started = browser::now();
        run.set(Run::Running(started));
        elapsed.set(0.0);
        tick(clock, elapsed, started);
        announcer.say(format!("Testing {}", name.get_untracked()));
        spawn(async move {
            let id = state.id.get_value();
            let answer = state.watch(api::mcp::test(&state.client(), &id).await);
            clock.stop();
            let took = browser::now() - started;
            let outcome = match answer {
                Ok(test) => {
                    let said = match (test.ok, &test.error) {
                        (true, _) => {
                            format!("The server answered with {}", tools_word(test.tool_count))
                        }
                        (false, Some(error)) => format!("The test failed. {}", revealed(error)),
                        (false, None) => "The test failed.".to_owned(),
                    };
                    if test.ok {
                        announcer.say(said);
                    } else {
                        announcer.alert(said);
                    }
                    Run::Done(test, took)
                }
                Err(error) => {
                    announcer.alert(format!("Not tested. {}", error.sentence()));
                    Run::Failed(error)
                }
            };
            run.try_set(outcome);
            state.connection.reload();
            state.tools.reload();
        });
    };
    let refresh = move |_| {
        if refreshing.get_untracked() {
            return;
        }
        refreshing.set(true);
        spawn(async move {
            let id = state.id.get_value();
            let answer = state.watch(api::mcp::refresh(&state.client(), &id).await);
            refreshing.try_set(false);
            match answer {
                Ok(connection) => {
                    let state_now = state_of(&connection);
                    announcer.say(match (&connection.last_error, state_now) {
                        (_, ConnectionState::Connecting) => "Still connecting".to_owned(),
                        (Some(error), _) => format!("Not refreshed. {}", revealed(error)),
                        (None, _) => "The tools were read again".to_owned(),
                    });
                    state.connection.confirm(connection);
                    state.tools.reload();
                }
                Err(error) => {
                    announcer.alert(format!("Not refreshed. {}", error.sentence()));
                    announcer.toast(format!("Not refreshed. {}", error.sentence()), None);
                }
            }
        });
    };
    view! {
        <div class="test-run">
            {move || is_stdio.get().then(|| view! {
                <p class="hint"><Glyph icon=Icon::Warning />"Testing runs the command above on the machine of the control plane."</p>
            })}
            <div class="form-actions">
                <button
                    type="button"
                    id="test-connection"
                    class="btn primary"
                    aria-busy=move || is_running.get().then_some("true")
                    on:click=move |_| test()
                >
                    {move || if is_running.get() { "Testing…" } else { "Test connection" }}
                </button>
                <button
                    type="button"
                    class="btn"
                    aria-busy=move || refreshing.get().then_some("true")
                    on:click=refresh
                >
                    <Glyph icon=Icon::Reset />
                    {move || if refreshing.get() { "Reading the tools…" } else { "Read the tools again" }}
                </button>
            </div>
            {move || match run.get() {
                Run::Idle => ().into_any(),
                Run::Running(_) => view! {
                    <div class="notice">
                        <p>
                            <strong>"Connecting and asking for the tools…"</strong>
                            " "
                            <span class="elapsed">{move || seconds(elapsed.get())}</span>
                            " It takes at most 10 seconds to connect and 10 to list."
                        </p>
                        <progress aria-label="Test in progress"></progress>
                    </div>
                }.into_any(),
                Run::Done(outcome, took) if outcome.ok => view! { <Found test=outcome took=took /> }.into_any(),
                Run::Done(outcome, took) => view! {
                    <div class="notice deny" role="group" aria-label="Test failed">
                        <Glyph icon=Icon::Warning />
                        <p>
                            <strong>{format!("The test failed after {}.", seconds(took))}</strong>
                            " "
                            <bdi>{outcome.error.as_deref().map_or_else(|| "The server gave no reason.".to_owned(), revealed)}</bdi>
                        </p>
                        <div class="actions">
                            <button type="button" class="btn" on:click=move |_| { test_again(); test() }>"Retry"</button>
                        </div>
                    </div>
                }.into_any(),
                Run::Failed(error) => view! {
                    <Failure what="The connection was not tested." error=error on_retry=Callback::new(move |()| { test_again(); test() }) />
                }.into_any(),
            }}
        </div>
    }
}

/// The button that was pressed goes away with the message: the focus goes to the one that stays.
fn test_again() {
    browser::focus("test-connection");
}

fn tick(clock: Timer, elapsed: RwSignal<f64>, started: f64) {
    clock.start(TICK, move || {
        elapsed.try_set(browser::now() - started);
        tick(clock, elapsed, started);
    });
}

/// What a test that went well found.
#[component]
fn Found(test: ConnectionTest, took: f64) -> impl IntoView {
    let more = test.tools.len().saturating_sub(NAMED);
    let tools = StoredValue::new(test.tools);
    let all = RwSignal::new(more == 0);
    view! {
        <div class="notice ok" role="group" aria-label="Test passed">
            <Glyph icon=Icon::Check />
            <p>
                <strong>{format!("The server answered with {} after {}.", tools_word(test.tool_count), seconds(took))}</strong>
                " Names as the server spells them:"
            </p>
            <ul class="found">
                {move || tools.with_value(|tools| {
                    let count = if all.get() { tools.len() } else { NAMED };
                    tools.iter().take(count).map(|tool| view! { <li><bdi class="mono">{revealed(tool)}</bdi></li> }).collect_view()
                })}
                {move || (!all.get()).then(|| view! {
                    <li><button type="button" class="link" on:click=move |_| all.set(true)>{format!("and {more} more")}</button></li>
                })}
            </ul>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_counts_read_as_words() {
        assert_eq!(seconds(1_240.0), "1.2 s");
        assert_eq!(seconds(-5.0), "0.0 s");
        assert_eq!(tools_word(1), "1 tool");
    }
}
