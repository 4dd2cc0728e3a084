//! `Why?`: every layer between the platform default and the agent, what each says about one tool,
//! the one line that decided, the server's own verdict, and where it can be changed.

use contract::grants::{Decision, Scope};
use contract::rules::explain::{Cause, Explanation, LayerReport, Role, Switch as Position};
use contract::rules::permissions::Flag;
use leptos::html;
use leptos::prelude::*;

use super::causes::{kind_of, sentence};
use super::model::ToolModel;
use super::{use_open_tool, use_tools};
use crate::api;
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::words::revealed;
use crate::lazy;
use crate::pages::agent::catalog::ToolInfo;
use crate::pages::agent::state::AgentState;
use crate::reactive::{effect, follow, spawn};
use crate::remote::Remote;
use crate::route::{Route, Tab};

/// Where there is no room beside the list. In `em`, as in the style sheet: larger text needs more.
const NARROW: &str = "(max-width: 63.9375em)";

/// The drawer beside the list; a dialog over the page where there is no room beside it.
#[component]
pub fn WhyDrawer() -> impl IntoView {
    let open = use_open_tool();
    let narrow = RwSignal::new(browser::matches_media(NARROW));
    browser::on_window("resize", move |_| {
        let now = browser::matches_media(NARROW);
        if narrow.get_untracked() != now {
            narrow.set(now);
        }
    });
    move || {
        open.name.get().map(|name| {
            if narrow.get() {
                view! { <Over name=name /> }.into_any()
            } else {
                view! { <Beside name=name /> }.into_any()
            }
        })
    }
}

/// Beside the list, which keeps the focus.
#[component]
fn Beside(name: String) -> impl IntoView {
    let open = use_open_tool();
    browser::on_window("keydown", move |event| {
        use wasm_bindgen::JsCast;
        let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>() else {
            return;
        };
        if event.key() == "Escape"
            && !event.default_prevented()
            && !browser::dialog_open()
            && !browser::is_typing()
        {
            event.prevent_default();
            open.close();
        }
    });
    view! {
        <aside class="panel drawer" aria-labelledby="why-heading">
            <Content name=name on_close=Callback::new(move |()| open.close()) />
        </aside>
    }
}

/// Over the page: what lies under it is out of reach until it closes.
#[component]
fn Over(name: String) -> impl IntoView {
    let open = use_open_tool();
    let node = NodeRef::<html::Dialog>::new();
    effect(move || {
        if let Some(dialog) = node.get() {
            let dialog: web_sys::HtmlDialogElement = dialog;
            // It can only be shown once it stands in the page.
            request_animation_frame(move || {
                if !dialog.open() && dialog.show_modal().is_ok() {
                    browser::focus("why-heading");
                }
            });
        }
    });
    // The page must be within reach again before the focus can go back to it.
    let close = Callback::new(move |()| {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
        open.close();
    });
    view! {
        <dialog
            class="panel drawer"
            node_ref=node
            aria-labelledby="why-heading"
            on:cancel=move |event: web_sys::Event| {
                event.prevent_default();
                close.run(());
            }
        >
            <Content name=name on_close=close />
        </dialog>
    }
}

#[component]
fn Content(name: String, on_close: Callback<()>) -> impl IntoView {
    let model = use_tools();
    let tool = StoredValue::new(name.clone());
    let info = Memo::new(move |_| {
        let place = tool.with_value(|name| model.place_of(name))?;
        model.tool(place)
    });
    let explained = Memo::new(move |_| {
        let gate = info.with(|info| info.as_ref().and_then(|info| info.gate.clone()));
        model.view.with(|view| {
            view.as_ref()
                .map(|view| tool.with_value(|name| view.explain(name, gate.as_ref())))
        })
    });
    provide_context(Asked {
        tool,
        info,
        explained,
    });
    view! {
        <header>
            <div class="grow">
                <p class="note">"Why"</p>
                <h3 class="mono" id="why-heading" tabindex="-1"><bdi>{name.clone()}</bdi></h3>
            </div>
            <button type="button" class="btn quiet icon" aria-label="Close" on:click=move |_| on_close.run(())>
                <Glyph icon=Icon::Close />
            </button>
        </header>
        {move || {
            let ready = explained.with(Option::is_some);
            let listed = model.catalog.with(|catalog| !catalog.is_empty());
            (ready && listed && info.with(Option::is_none)).then(|| view! {
                <p class="notice warn">
                    <span>"The catalog does not list a tool of this name. The rules below are what they would say to it."</span>
                </p>
            })
        }}
        {move || info.with(|info| info.as_ref().map(|info| view! { <p class="drawer-what"><bdi>{revealed(&info.description)}</bdi></p> }))}
        {lazy!(agent_capabilities_why: Layers)()}
    }
}

/// What the drawer is about.
#[derive(Clone, Copy)]
struct Asked {
    tool: StoredValue<String>,
    info: Memo<Option<ToolInfo>>,
    explained: Memo<Option<Explanation>>,
}

/// Everything below the tool's description.
#[component]
fn Layers() -> impl IntoView {
    let Asked {
        tool,
        info,
        explained,
    } = expect_context();
    view! {
        {move || explained.get().map(|explanation| view! {
            <Verdict explanation=explanation.clone() />
            <Gates explanation=explanation.clone() info=info.get() />
            <Ladder explanation=explanation.clone() />
            <Remedies explanation=explanation name=tool.get_value() />
        })}
        <ServerVerdict name=tool.get_value() />
    }
}

/// One line that says how it stands, and one sentence for each cause.
#[component]
fn Verdict(explanation: Explanation) -> impl IntoView {
    let model = use_tools();
    let standing = explanation.standing;
    let (class, icon, words) = match standing.switch {
        Position::On => ("verdict ok", Icon::Check, "On: the agent can use it"),
        Position::Off => (
            "verdict off",
            Icon::Pencil,
            "Off on this agent; it can be turned on here",
        ),
        Position::Locked => ("verdict deny", Icon::Lock, "Off, and locked for this agent"),
    };
    let causes = standing.causes;
    view! {
        <div class=class>
            <strong><Glyph icon=icon />{words}</strong>
            {move || model.view.with(|view| view.as_ref().map(|view| {
                causes.iter().map(|cause| view! { <p><bdi>{sentence(model.state, view, cause)}</bdi></p> }).collect_view()
            }))}
        </div>
    }
}

/// The two questions that must both be answered with yes.
#[component]
fn Gates(explanation: Explanation, info: Option<ToolInfo>) -> impl IntoView {
    let flag_off = explanation
        .standing
        .causes
        .iter()
        .any(|cause| matches!(cause, Cause::PermissionOff(_)));
    let gate = info.and_then(|info| info.gate);
    let permission = match &gate {
        None => "None needed".to_owned(),
        Some(flag) => format!("{} · {}", flag.label(), if flag_off { "Off" } else { "On" }),
    };
    let grant = match (
        explanation.decision.allowed,
        explanation
            .deciding
            .and_then(|place| explanation.layers.get(place)),
    ) {
        (true, _) => "Granted".to_owned(),
        (
            false,
            Some(LayerReport {
                role: Role::Denies, ..
            }),
        ) => "Denied".to_owned(),
        (false, _) => "Not granted".to_owned(),
    };
    view! {
        <dl class="gates">
            <div class=if flag_off { "no" } else { "yes" }><dt>"Permission"</dt><dd>{permission}</dd></div>
            <span class="note" aria-hidden="true">"and"</span>
            <div class=if explanation.decision.allowed { "yes" } else { "no" }><dt>"Grant"</dt><dd>{grant}</dd></div>
        </dl>
    }
}

/// All layers, least specific first.
#[component]
fn Ladder(explanation: Explanation) -> impl IntoView {
    let deciding = explanation.deciding;
    view! {
        <ol class="ladder" aria-label="Layers, from the platform default to this agent">
            {explanation.layers.into_iter().enumerate().map(|(place, layer)| view! {
                <Rung layer=layer decides=deciding == Some(place) />
            }).collect_view()}
        </ol>
    }
}

#[component]
fn Rung(layer: LayerReport, decides: bool) -> impl IntoView {
    let model = use_tools();
    let state = model.state;
    let class = match layer.role {
        Role::Denies | Role::Excludes => "stop",
        Role::AlsoDenies | Role::AlsoExcludes => "stop also",
        Role::Grants | Role::Silent if layer.after_decision => "after",
        Role::Grants | Role::Silent => "pass",
    };
    let entry = contract::grants::ChainEntry {
        scope: layer.scope.clone(),
        id: layer.id.clone(),
        allow: Vec::new(),
        deny: Vec::new(),
        rejected: Vec::new(),
    };
    let kind = kind_of(&layer.scope);
    let silent =
        layer.declared_allow.is_none() && layer.deny.is_empty() && layer.rejected.is_empty();
    let decided = match layer.role {
        Role::Denies => Some(("Decided here:", "a denial is permanent below.")),
        Role::Excludes => Some(("Decided here:", "its allow list leaves the tool out.")),
        Role::AlsoDenies => Some((
            "Denied here too:",
            "it would stay off if the layer above changed.",
        )),
        Role::AlsoExcludes => Some((
            "Left out here too:",
            "it would stay off if the layer above changed.",
        )),
        Role::Grants | Role::Silent => None,
    };
    let note = {
        let entry = entry.clone();
        move || {
            state
                .row_of(&entry)
                .and_then(|row| row.note)
                .filter(|note| !note.is_empty())
        }
    };
    let rejected = layer.rejected.clone();
    let allow = layer.declared_allow.clone();
    let matching_allow = layer.matching_allow.clone();
    view! {
        <li class=class aria-current=decides.then_some("true")>
            <div>
                <div class="who">
                    <b><bdi>{move || state.layer_name(&entry)}</bdi></b>
                    <span class="note">{kind}</span>
                </div>
                {silent.then(|| view! { <span class="note">"no rule, inherits"</span> })}
                {allow.map(|_| view! {
                    <div class="said">
                        <span>"allows "</span>
                        {if layer.kept.is_empty() { view! { <em>"nothing"</em> }.into_any() } else { view! { <Patterns list=layer.kept.clone() matching=matching_allow /> }.into_any() }}
                    </div>
                })}
                {(!layer.deny.is_empty()).then(|| view! {
                    <div class="said"><span>"denies "</span><Patterns list=layer.deny.clone() matching=layer.matching_deny.clone() /></div>
                })}
                {(!rejected.is_empty()).then(|| view! {
                    <div class="said">
                        <span>"asked to allow "</span><Patterns list=rejected matching=Vec::new() />
                        <Badge tone=Tone::Warn icon=Icon::Ban text="Rejected" />
                        <p class="note">"Never granted above, so it has no effect."</p>
                    </div>
                })}
                {decided.map(|(bold, rest)| view! { <p class="decided"><b>{bold}</b>" "{rest}</p> })}
                {move || note().map(|note| view! { <p class="rule-note"><span class="note">"Note: "</span><q><bdi>{note}</bdi></q></p> })}
            </div>
        </li>
    }
}

/// Patterns, the ones that match the tool first and marked; a long list is cut until asked for.
#[component]
fn Patterns(list: Vec<String>, matching: Vec<String>) -> impl IntoView {
    const SHOWN: usize = 6;
    let (hits, others): (Vec<String>, Vec<String>) = list
        .into_iter()
        .partition(|pattern| matching.contains(pattern));
    let ordered: Vec<(String, bool)> = hits
        .into_iter()
        .map(|pattern| (pattern, true))
        .chain(others.into_iter().map(|pattern| (pattern, false)))
        .collect();
    let rest = ordered.len().saturating_sub(SHOWN);
    let all = RwSignal::new(rest == 0);
    let ordered = StoredValue::new(ordered);
    view! {
        <span>
            {move || ordered.with_value(|ordered| {
                let count = if all.get() { ordered.len() } else { SHOWN };
                ordered.iter().take(count).map(|(pattern, hit)| view! {
                    <code class:hit=*hit dir="ltr">{pattern.clone()}</code>" "
                }).collect_view()
            })}
            {move || (!all.get()).then(|| view! {
                <button type="button" class="btn quiet" on:click=move |_| all.set(true)>{format!("and {rest} more")}</button>
            })}
        </span>
    }
}

/// Where it can be changed: the scope that decided, the flag, this agent's rules.
#[component]
fn Remedies(explanation: Explanation, name: String) -> impl IntoView {
    let model = use_tools();
    let state = model.state;
    // Said in the drawer itself: a message of the page would be out of reach under a dialog.
    let copied = RwSignal::new("");
    let flag: Option<Flag> = explanation
        .standing
        .causes
        .iter()
        .find_map(|cause| match cause {
            Cause::PermissionOff(flag) => Some(flag.clone()),
            _ => None,
        });
    let deciding = explanation
        .deciding
        .and_then(|place| explanation.layers.get(place).cloned());
    let at_scope = deciding.filter(|layer| layer.scope != Scope::Default).map(|layer| {
        let href = Route::Rules(layer.scope.clone(), layer.id.clone().unwrap_or_default()).href();
        let entry = contract::grants::ChainEntry { scope: layer.scope, id: layer.id, allow: Vec::new(), deny: Vec::new(), rejected: Vec::new() };
        view! { <a class="btn" href=href><span>"Change it at "<bdi>{move || state.layer_name(&entry)}</bdi></span></a> }
    });
    let copy = move |_| {
        let text = as_curl(state, &name);
        spawn(async move {
            let done = browser::copy(&text).await;
            copied.try_set(if done {
                "Copied as curl. Put an API key in $REMIT_API_KEY to run it."
            } else {
                "The browser did not allow copying."
            });
        });
    };
    view! {
        <div class="foot-actions">
            {flag.map(|flag| view! {
                <a class="btn" href=Route::Agent(state.id.get_value(), Tab::Settings).href()>{format!("Turn on {} in Settings", flag.label())}</a>
            })}
            {at_scope}
            <button type="button" class="btn quiet" on:click=copy><Glyph icon=Icon::Copy />"Copy as curl"</button>
            <p class="note copied" role="status">{copied}</p>
        </div>
    }
}

/// The same question as a command.
fn as_curl(state: AgentState, name: &str) -> String {
    let base = format!("{}{}", browser::origin(), browser::base_path());
    let agent = state.id.get_value();
    let quoted: String = js_sys::encode_uri_component(name).into();
    format!(
        "curl -H \"Authorization: Bearer $REMIT_API_KEY\" '{base}api/tool-grants/check?agentId={agent}&toolName={}'",
        quoted.replace('\'', "%27")
    )
}

/// The control plane's own answer, asked when the drawer opens and after every change of rules.
#[component]
fn ServerVerdict(name: String) -> impl IntoView {
    let model: ToolModel = use_tools();
    let state = model.state;
    let tool = StoredValue::new(name);
    let verdict: Remote<Decision> = Remote::new(move || async move {
        api::grants::check(&state.client(), &state.id.get_value(), &tool.get_value()).await
    });
    follow(move |before: Option<()>| {
        state.resolved.value().track();
        if before.is_some() {
            verdict.reload();
        }
    });
    view! {
        <details class="server-verdict">
            <summary>"What the control plane answers"</summary>
            <Loaded remote=verdict failed="The control plane’s verdict could not be read." rows=1 let(decision)>
                <dl>
                    <div><dt>"allowed"</dt><dd class="mono">{move || decision.with(|decision| decision.allowed.to_string())}</dd></div>
                    <div><dt>"source"</dt><dd class="mono">{move || decision.with(|decision| decision.source.to_string())}</dd></div>
                    {move || decision.with(|decision| decision.code.as_ref().map(|code| view! {
                        <div><dt>"code"</dt><dd class="mono">{code.to_string()}</dd></div>
                    }))}
                    {move || decision.with(|decision| decision.reason.clone().map(|reason| view! {
                        <div><dt>"reason"</dt><dd><bdi>{reason}</bdi></dd></div>
                    }))}
                </dl>
                <p class="note">"The permission flag aside. For a missing grant, source names the nearest layer that still granted it."</p>
            </Loaded>
        </details>
    }
}
