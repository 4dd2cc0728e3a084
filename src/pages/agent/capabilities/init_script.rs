//! The Init Script section: the bootstrap script of the agent, its exact size, what looks like a
//! secret in it, and what somebody else stored meanwhile.

pub mod script;

use contract::rules::init_script::is_blank;
use contract::rules::secrets::Finding;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use self::script::Script;
use crate::api::ApiError;
use crate::browser::{self, field};
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::section::Skeleton;
use crate::pages::agent::state::use_agent;
use crate::reactive::{effect, spawn};

/// How much of a text is shown beside another one, in characters.
const SHOWN: usize = 20_000;
/// The id of the field.
const FIELD: &str = "init-script-text";
/// The longest text beside which line numbers are drawn, in bytes.
const NUMBERED: usize = 64 * 1024;

/// The section.
#[component]
pub fn InitScriptSection() -> impl IntoView {
    let state = use_agent();
    let script = Script::start();
    let ready = Memo::new(move |_| script.base.with(Option::is_some));
    let failure = state.capabilities.failure();
    browser::on_window("keydown", move |event| {
        let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>() else {
            return;
        };
        let command = (event.ctrl_key() || event.meta_key()) && !event.alt_key();
        if command && event.key().eq_ignore_ascii_case("s") && !browser::dialog_open() {
            event.prevent_default();
            if !event.repeat() && script.base.with_untracked(Option::is_some) {
                save(script);
            }
        }
    });
    view! {
        <section class="panel script" aria-labelledby="init-script">
            <header>
                <h3 id="init-script" tabindex="-1">"Init Script"</h3>
                <Badge tone=Tone::Info icon=Icon::File text="Advisory" />
                <State script=script />
                <span class="grow"></span>
                <Controls script=script />
            </header>
            {move || (failure.with(Option::is_some) && !ready.get()).then(|| failure.get()).flatten().map(|error| view! {
                <Failure
                    what="The init script could not be loaded."
                    error=error
                    on_retry=Callback::new(move |()| state.capabilities.reload())
                />
            })}
            <Notices script=script />
            {move || if ready.get() {
                view! { <Editor script=script /> }.into_any()
            } else {
                view! { <Skeleton hidden=Signal::derive(move || failure.with(Option::is_some)) rows=3 /> }.into_any()
            }}
        </section>
    }
}

/// The button that was pressed goes away; the field stays.
fn to_field() {
    browser::focus(FIELD);
}

fn save(script: Script) {
    spawn(async move {
        script.save().await;
    });
}

/// Unsaved, saving or saved, in a badge.
#[component]
fn State(script: Script) -> impl IntoView {
    let word = Memo::new(move |_| {
        if script.saving.get() {
            Some((Tone::Info, Icon::Reset, "Saving…"))
        } else if script.dirty.get() {
            let text = if script.restored.get() {
                "Unsaved draft"
            } else {
                "Unsaved"
            };
            Some((Tone::Info, Icon::Pencil, text))
        } else if script.saved.get() {
            Some((Tone::Ok, Icon::Check, "Saved"))
        } else {
            None
        }
    });
    move || {
        word.get()
            .map(|(tone, icon, text)| view! { <Badge tone=tone icon=icon text=text /> })
    }
}

#[component]
fn Controls(script: Script) -> impl IntoView {
    view! {
        <span class="counter" id="init-script-size" class:over=move || script.size.get().is_over() class:near=move || script.size.get().is_near()>
            {move || script.base.with(Option::is_some).then(|| script.size.get().text())}
        </span>
        {move || script.dirty.get().then(|| view! {
            <button type="button" class="btn quiet" on:click=move |_| { script.discard(); to_field(); }>"Discard"</button>
        })}
        <button
            type="button"
            class="btn primary"
            aria-disabled=move || script.blocked.with(Option::is_some).then_some("true")
            aria-busy=move || script.saving.get().then_some("true")
            aria-describedby="init-script-blocked"
            on:click=move |_| save(script)
        >
            {move || if script.saving.get() { "Saving…" } else { "Save" }}
        </button>
        <span class="visually-hidden" id="init-script-blocked">{move || script.blocked.get().unwrap_or_default()}</span>
    }
}

/// What keeps the text from being saved, and what happened to it.
#[component]
fn Notices(script: Script) -> impl IntoView {
    let clears = move || {
        let empty = script.text.with(|text| is_blank(text));
        let had = script
            .base
            .with(|base| base.as_ref().is_some_and(|base| !is_blank(base)));
        empty && had && script.conflict.with(Option::is_none)
    };
    view! {
        <Conflict script=script />
        {move || (script.restored.get() && script.dirty.get()).then(|| view! {
            <div class="notice" role="group" aria-label="Draft">
                <Glyph icon=Icon::Pencil />
                <p><strong>"Unsaved draft"</strong>" · What you typed before this page was reloaded is back."</p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| { script.discard(); to_field(); }>"Discard draft"</button>
                </div>
            </div>
        })}
        {move || script.refused.get().map(|error| match error {
            ApiError::SignedOut => view! {
                <div class="notice warn" role="group" aria-label="Problem">
                    <Glyph icon=Icon::Warning />
                    <p><strong>"Not saved: session expired."</strong>" Sign in above; it is saved then."</p>
                </div>
            }
            .into_any(),
            error => view! {
                <Failure what="The init script was not saved." error=error on_retry=Callback::new(move |()| save(script)) />
            }
            .into_any(),
        })}
        {move || script.finding.get().map(|finding| view! { <Secret script=script finding=finding /> })}
        {move || clears().then(|| view! {
            <div class="notice warn"><Glyph icon=Icon::Info /><p>"Saving an empty editor clears the script"</p></div>
        })}
        {move || script.converted.get().then(|| view! {
            <div class="notice"><Glyph icon=Icon::Info /><p>"Line endings converted"</p></div>
        })}
        {move || (script.stored_otherwise.get() && !script.converted.get()).then(|| view! {
            <div class="notice">
                <Glyph icon=Icon::Info />
                <p>"The stored script has line endings that break in a shell. Save stores it with plain ones."</p>
            </div>
        })}
        {move || script.unkept.get().then(|| view! {
            <div class="notice warn">
                <Glyph icon=Icon::Warning />
                <p>"The browser has no room to keep this draft, so a reload would lose it."</p>
            </div>
        })}
    }
}

#[component]
fn Secret(script: Script, finding: Finding) -> impl IntoView {
    view! {
        <div class="notice deny" role="group" aria-label="Looks like a secret">
            <Glyph icon=Icon::KeyOff />
            <p id="init-script-secret">{finding.sentence()}</p>
            <div class="actions">
                <button type="button" class="btn" on:click=move |_| script.select_finding()>
                    {format!("Select it in line {}", finding.line)}
                </button>
            </div>
        </div>
    }
}

/// Both texts, when somebody else stored one meanwhile.
#[component]
fn Conflict(script: Script) -> impl IntoView {
    move || {
        script.conflict.get().map(|theirs| {
            let empty = is_blank(&theirs);
            view! {
                <div class="conflict" role="group" aria-labelledby="init-script-conflict">
                    <div class="conflict-head">
                        <Badge tone=Tone::Warn icon=Icon::Reset text="Changed elsewhere" />
                        <p id="init-script-conflict">"Somebody stored another script while you were writing. What you typed is kept."</p>
                    </div>
                    <div class="conflict-sides">
                        <section>
                            <h4>"Theirs"</h4>
                            {if empty {
                                view! { <p class="note">"They cleared the script."</p> }.into_any()
                            } else {
                                view! { <pre dir="ltr" tabindex="0" aria-label="Their script">{excerpt(&theirs)}</pre> }.into_any()
                            }}
                        </section>
                        <section>
                            <h4>"Yours"</h4>
                            <pre dir="ltr" tabindex="0" aria-label="Your script">{move || script.text.with(|text| excerpt(text))}</pre>
                        </section>
                    </div>
                    <div class="actions">
                        <button type="button" class="btn primary" on:click=move |_| { script.keep_mine(); to_field(); }>"Keep mine"</button>
                        <button type="button" class="btn" on:click=move |_| { script.take_theirs(); to_field(); }>"Take theirs"</button>
                    </div>
                </div>
            }
        })
    }
}

/// A text, cut where it is so long that drawing it would take the page.
fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The field with its line numbers.
#[component]
fn Editor(script: Script) -> impl IntoView {
    let state = use_agent();
    let gutter = NodeRef::<leptos::html::Pre>::new();
    let lines = Memo::new(move |_| {
        script
            .text
            .with(|text| (text.len() <= NUMBERED).then(|| text.matches('\n').count() + 1))
    });
    let numbers = move || {
        let numbers: Vec<String> = (1..=lines.get().unwrap_or_default())
            .map(|line| line.to_string())
            .collect();
        numbers.join("\n")
    };
    let follow = move || {
        if let (Some(area), Some(gutter)) = (script.area.get_untracked(), gutter.get_untracked()) {
            field::follow_scroll(&area, &gutter);
        }
    };
    // The text was there before the field was.
    effect(move || {
        if let Some(area) = script.area.get() {
            field::replace(&area, &script.text.get_untracked());
        }
    });
    let described = move || {
        if script.finding.with(Option::is_some) {
            "init-script-size init-script-hint init-script-secret"
        } else {
            "init-script-size init-script-hint"
        }
    };
    let is_wrong = move || script.size.get().is_over() || script.finding.with(Option::is_some);
    let name = move || {
        let name = state
            .agent
            .value()
            .with(|agent| agent.as_ref().map(|agent| agent.name.clone()));
        format!("Init script of {}", name.as_deref().unwrap_or("this agent"))
    };
    view! {
        <div class="script-body">
            <label class="visually-hidden" for=FIELD>{name}</label>
            <div class="script-editor" class:wrong=is_wrong>
                <pre class="gutter" aria-hidden="true" node_ref=gutter hidden=move || lines.get().is_none()>{numbers}</pre>
                <textarea
                    id=FIELD
                    dir="ltr"
                    wrap="off"
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    rows="10"
                    node_ref=script.area
                    aria-describedby=described
                    aria-invalid=move || is_wrong().then_some("true")
                    on:input=move |_| script.typed()
                    on:paste=move |event| script.incoming(&event)
                    on:drop=move |event| script.incoming(&event)
                    on:scroll=move |_| follow()
                    on:keydown=move |event| {
                        if (event.ctrl_key() || event.meta_key()) && event.key() == "]" {
                            event.prevent_default();
                            field::type_text("  ");
                        }
                    }
                ></textarea>
            </div>
            <p class="note" id="init-script-hint">
                "Stored and offered to runtimes that support it. No platform runner executes it today. "
                "Tab leaves the editor, "<kbd>"Ctrl ]"</kbd>" indents, "<kbd>"Ctrl S"</kbd>" saves."
            </p>
        </div>
    }
}
