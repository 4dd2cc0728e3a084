//! One permission flag: what it means, which tools it gates, and its switch.

use contract::rules::permissions::Flag;
use leptos::prelude::*;

use super::flag_writes::use_flags;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::switch::{Saving, Switch, SwitchState};
use crate::edits::refusal_heading;

/// The row of one flag.
#[component]
pub fn FlagRow(
    /// Which flag.
    flag: Flag,
) -> impl IntoView {
    let flags = use_flags();
    let announcer = use_announcer();
    let key = StoredValue::new(flag.clone());
    let id = flag.as_str().to_owned();
    let part = {
        let id = id.clone();
        move |part: &str| format!("{id}-{part}")
    };
    let known = Memo::new(move |_| {
        flags.shown.with(|shown| {
            shown
                .as_ref()
                .and_then(|shown| key.with_value(|flag| shown.get(flag)))
        })
    });
    let on = move || known.get().unwrap_or(false);
    let kept_on_by = Memo::new(move |_| {
        flags.shown.with(|shown| {
            shown
                .as_ref()
                .and_then(|shown| key.with_value(|flag| shown.kept_on_by(flag)))
        })
    });
    let busy = Memo::new(move |_| {
        flags
            .queue
            .with(|queue| key.with_value(|flag| queue.is_busy(flag)))
    });
    let refusal = Memo::new(move |_| {
        flags
            .queue
            .with(|queue| key.with_value(|flag| queue.refusal_of(flag).cloned()))
    });
    let stored = Memo::new(move |_| {
        flags.stored.with(|stored| {
            let (flag, said) = stored.as_ref()?;
            key.with_value(|mine| mine == flag).then(|| said.clone())
        })
    });
    let reason = Memo::new(move |_| match (known.get(), kept_on_by.get()) {
        (None, _) => Some("The control plane does not say whether it is on.".to_owned()),
        (Some(_), Some(other)) => Some(format!(
            "{} needs it, so it stays on. Turn that off first.",
            other.label()
        )),
        (Some(_), None) => None,
    });
    let press = Callback::new(move |()| {
        if let Some(reason) = reason.get_untracked() {
            announcer.alert(format!(
                "{} is locked. {reason}",
                key.with_value(|flag| flag.label().to_owned())
            ));
            return;
        }
        flags.set(key.get_value(), !untrack(on));
    });
    let state = Signal::derive(move || SwitchState {
        on: on(),
        locked: reason.with(Option::is_some),
        busy: busy.get(),
    });
    let described = {
        let (what, tools, lock) = (part("what"), part("tools"), part("lock"));
        Signal::derive(move || {
            if reason.with(Option::is_some) {
                format!("{lock} {what} {tools}")
            } else {
                format!("{what} {tools}")
            }
        })
    };
    let switch = StoredValue::new(part("switch"));
    let lock = part("lock");
    view! {
        <li class="flag-row">
            <div class="flag-text">
                <p class="flag-name">
                    <span id=part("name")>{flag.label().to_owned()}</span>
                    {flag.is_reserved().then(|| view! {
                        " "<Badge tone=Tone::Info icon=Icon::Info text="Reserved" />
                    })}
                    {move || busy.get().then(|| view! { " "<Saving /> })}
                </p>
                <p class="what" id=part("what")>{flag.consequence().to_owned()}</p>
                <p class="what gated" id=part("tools")>{gates(&flag)}</p>
                {move || reason.get().map(|reason| view! {
                    <p class="locked" id=lock.clone()><Glyph icon=Icon::Lock />{reason}</p>
                })}
                {move || stored.get().map(|said| view! {
                    <p class="saved"><Glyph icon=Icon::Check />{said}</p>
                })}
            </div>
            <Switch
                state=state
                id=switch.get_value()
                named_by=part("name")
                described_by=described
                on_press=press
            />
            {move || refusal.get().map(|refusal| view! {
                <div class="notice deny" role="group" aria-label="Not saved">
                    <Glyph icon=Icon::Warning />
                    <p><strong>{refusal_heading(refusal.unsure)}</strong>" "<bdi>{refusal.said.clone()}</bdi></p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            flags.retry(refusal.id);
                            browser::focus(&switch.get_value());
                        }>"Retry"</button>
                        <button type="button" class="btn quiet" on:click=move |_| {
                            flags.queue.update(|queue| queue.dismiss(refusal.id));
                            browser::focus(&switch.get_value());
                        }>"Dismiss"</button>
                    </div>
                </div>
            })}
        </li>
    }
}

/// The tools a flag gates, by name.
fn gates(flag: &Flag) -> impl IntoView + use<> {
    let tools: Vec<&str> = flag.gated_tools().collect();
    let every_mcp = *flag == Flag::CanCallExternalTools;
    let lead = match tools.len() {
        // Its consequence says so already.
        0 => "",
        1 => "Off: the tool is not assembled at all: ",
        _ => "Off: the tools are not assembled at all: ",
    };
    let list = tools
        .into_iter()
        .enumerate()
        .map(|(place, tool)| {
            view! {
                {(place > 0).then_some(", ")}
                <code>{tool}</code>
            }
        })
        .collect_view();
    view! { {lead}{list}{every_mcp.then_some(", and every MCP tool")} }
}
