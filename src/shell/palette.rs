//! The palette: one field that finds agents, the tabs and tools of the present agent, and actions.
//! It opens with Ctrl K (Cmd K) or from the top bar.

pub mod items;

use contract::agents::Agent;
use contract::ids::AgentId;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;

use self::items::{Action, Found, Item, Sources, collect};
use super::keys::use_shortcut_sheet;
use super::rail::sign_out;
use super::theme::use_theme;
use crate::api;
use crate::browser;
use crate::browser::timer::Timer;
use crate::components::announce::use_announcer;
use crate::components::combobox::moved;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::use_leave;
use crate::pages::agents::filters::SEARCH_MAX;
use crate::remote::Remote;
use crate::route::{Route, Tab, query};
use crate::session::use_session;

/// How many agents are offered.
const AGENTS: &str = "6";
/// How long typing must pause before agents are searched for, in milliseconds.
const TYPING: u64 = 150;

#[derive(Clone, Copy)]
struct PaletteOpen(RwSignal<bool>);

/// Starts listening for the keys that open it; called once, by the shell.
pub fn listen() {
    let open = RwSignal::new(false);
    provide_context(PaletteOpen(open));
    browser::on_window("keydown", move |event| {
        let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>() else {
            return;
        };
        let asked = (event.ctrl_key() || event.meta_key())
            && !event.alt_key()
            && !event.shift_key()
            && event.key().eq_ignore_ascii_case("k");
        if !asked || event.is_composing() {
            return;
        }
        event.prevent_default();
        if open.get_untracked() {
            open.set(false);
        } else if !browser::dialog_open() {
            open.set(true);
        }
    });
}

/// The field-like button in the top bar.
#[component]
pub fn PaletteButton() -> impl IntoView {
    let open = expect_context::<PaletteOpen>().0;
    view! {
        <button
            type="button"
            class="seek"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            on:click=move |_| open.set(true)
        >
            <Glyph icon=Icon::Search />
            <span>"Search agents, tools, settings"</span>
            <kbd aria-hidden="true">"Ctrl K"</kbd>
        </button>
    }
}

/// The dialog.
#[component]
pub fn Palette() -> impl IntoView {
    let open = expect_context::<PaletteOpen>().0;
    view! {
        <Dialog open=open title="Search" on_close=Callback::new(move |()| open.set(false))>
            <Field open=open />
        </Dialog>
    }
}

/// An agent as far as the palette needs it.
fn found(agent: Agent) -> Found {
    Found {
        id: agent.id,
        name: agent.name,
        title: agent.title.unwrap_or_default(),
    }
}

#[component]
fn Field(open: RwSignal<bool>) -> impl IntoView {
    let session = use_session();
    let leave = use_leave();
    let announcer = use_announcer();
    let sheet = use_shortcut_sheet();
    let theme = use_theme();
    let location = use_location();
    let text = RwSignal::new(String::new());
    let active = RwSignal::new(0_usize);

    let agents: Remote<Vec<Found>> = Remote::new(move || {
        let typed = text.try_get_untracked().unwrap_or_default();
        let search: String = typed.trim().chars().take(SEARCH_MAX).collect();
        async move {
            let asked = query(&[("search", &search), ("limit", AGENTS)]);
            let page = api::agents::list(&session.client(), &asked).await?;
            Ok(page.data.into_iter().map(found).collect())
        }
    });
    let place = Route::parse(&browser::base_path(), &location.pathname.get_untracked());
    let here: Option<AgentId> = match place {
        Some(Route::Agent(id, _)) => Some(id),
        Some(
            Route::Agents
            | Route::Rules(..)
            | Route::Settings(_)
            | Route::SettingsItem(..)
            | Route::Skill(_)
            | Route::SignIn,
        )
        | None => None,
    };
    let tools: Option<Remote<Vec<String>>> = here.clone().map(|id| {
        Remote::new(move || {
            let id = id.clone();
            async move {
                let read = api::agents::capabilities(&session.client(), &id).await?;
                // What cannot be had is not offered; the page says why its list is short.
                let more = api::mcp::tools_of_agent(&session.client(), &id).await;
                let servers = more.map(|more| more.data).unwrap_or_default();
                let theirs = servers.into_iter().flat_map(|server| server.tools);
                let all = read.tools.into_iter().chain(theirs);
                Ok(all.map(|tool| tool.name).collect())
            }
        })
    });
    let items = Memo::new(move |_| {
        collect(&Sources {
            text: text.get(),
            agents: agents.value().get().unwrap_or_default(),
            here: here.clone(),
            tools: tools
                .and_then(|tools| tools.value().get())
                .unwrap_or_default(),
        })
    });
    let typing = Timer::new();
    let typed = move |typed: String| {
        text.set(typed);
        active.set(0);
        typing.start(TYPING, move || agents.reload());
    };

    let run = move |item: Item| {
        open.set(false);
        // The dialog gives focus back first.
        request_animation_frame(move || match item.action {
            Action::Go(route) => leave.go(&route),
            Action::Explain(agent, tool) => {
                let list = Route::Agent(agent, Tab::Capabilities).href();
                leave.go_to(&format!("{list}?{}", query(&[("tool", &tool)])));
            }
            Action::Theme => theme.next(announcer),
            Action::Shortcuts => sheet.set(true),
            Action::SignOut => sign_out(session, leave, announcer),
        });
    };
    let option_id = |at: usize| format!("palette-option-{at}");
    let on_key = move |event: web_sys::KeyboardEvent| {
        let key = event.key();
        if event.is_composing() {
            return;
        }
        if key == "Enter" {
            event.prevent_default();
            let chosen = items.with_untracked(|items| items.get(active.get_untracked()).cloned());
            if let Some(item) = chosen {
                run(item);
            }
        } else if matches!(key.as_str(), "ArrowDown" | "ArrowUp") {
            event.prevent_default();
            let length = items.with_untracked(Vec::len);
            if let Some(next) = moved(&key, Some(active.get_untracked()), length) {
                active.set(next);
                request_animation_frame(move || browser::reveal(&option_id(next)));
            }
        }
    };
    let groups = move || items::grouped(&items.get());
    let some = Memo::new(move |_| items.with(|items| !items.is_empty()));
    view! {
        <div class="palette">
            <label class="field">
                <Glyph icon=Icon::Search />
                <span class="visually-hidden">"Search agents, tools, settings"</span>
                <input
                    id="palette-input"
                    type="text"
                    role="combobox"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder="Search agents, tools, settings"
                    aria-autocomplete="list"
                    aria-expanded=move || some.get().to_string()
                    aria-controls="palette-list"
                    aria-activedescendant=move || some.get().then(|| option_id(active.get()))
                    prop:value=text
                    on:input:target=move |event| typed(event.target().value())
                    on:keydown=on_key
                />
                <kbd aria-hidden="true">"Esc"</kbd>
            </label>
            <div id="palette-list" class="palette-list" role="listbox" aria-label="Found">
                {move || groups().into_iter().map(|(heading, items)| {
                    let id = format!("palette-{}", heading.to_ascii_lowercase().replace(' ', "-"));
                    view! {
                        <div role="group" aria-labelledby=id.clone()>
                            <p class="palette-heading" id=id.clone() role="presentation">{heading}</p>
                            {items.into_iter().map(|(at, item)| {
                                let chosen = item.clone();
                                view! {
                                    <div
                                        role="option"
                                        class="palette-option"
                                        id=option_id(at)
                                        aria-selected=move || (active.get() == at).to_string()
                                        on:mousedown=|event| event.prevent_default()
                                        on:mousemove=move |_| if active.get_untracked() != at { active.set(at) }
                                        on:click=move |_| run(chosen.clone())
                                    >
                                        <bdi class=item.class()>{item.label.clone()}</bdi>
                                        <bdi class="note">{item.hint.clone()}</bdi>
                                    </div>
                                }
                            }).collect_view()}
                        </div>
                    }
                }).collect_view()}
            </div>
            {move || agents.failure().get().map(|error| view! {
                <p class="palette-note" role="status">{format!("Agents could not be searched. {}", error.sentence())}</p>
            })}
            {move || tools.and_then(|tools| tools.failure().get()).map(|error| view! {
                <p class="palette-note" role="status">{format!("The tools of this agent could not be loaded. {}", error.sentence())}</p>
            })}
            {move || (!some.get() && !agents.pending().get()).then(|| view! {
                <p class="palette-note" role="status">"Nothing matches."</p>
            })}
        </div>
    }
}
