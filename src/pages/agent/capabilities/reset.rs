//! `Reset to inherited`: shows what deleting the agent's own row would change before it is done.

use contract::rules::difference::{ToolChange, difference};
use leptos::prelude::*;

use super::use_tools;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::edits::Intent;
use crate::pages::agent::grant_writes;
use crate::reactive::follow;

/// The button, there only while the agent has a row of its own, and its dialog.
#[component]
pub fn ResetToInherited() -> impl IntoView {
    let model = use_tools();
    let announcer = use_announcer();
    let asking = RwSignal::new(false);
    let has_row = Memo::new(move |_| {
        model.view.with(|view| {
            view.as_ref()
                .is_some_and(|view| view.agent_content().is_some())
        })
    });
    let changes = Memo::new(move |_| {
        if !asking.get() {
            return Vec::new();
        }
        let catalog = model.catalog.get();
        model.view.with(|view| {
            let Some(view) = view else { return Vec::new() };
            let tools = catalog
                .iter()
                .map(|tool| (tool.name.as_str(), tool.gate.as_ref()));
            difference(view, &view.with_agent_row(None), tools)
        })
    });
    let note = move || {
        model
            .view
            .with(|view| view.as_ref()?.agent_content()?.note.clone())
            .filter(|note| !note.is_empty())
    };
    let close = Callback::new(move |()| asking.set(false));
    let confirm = move |_| {
        close.run(());
        grant_writes::submit(model.state, announcer, Intent::Replace(None));
    };
    // Closing the dialog returns the focus to the button; when there is no row any more the button
    // is gone, and the heading of the section takes over.
    follow(move |before: Option<bool>| {
        let now = has_row.get();
        if before == Some(true) && !now {
            request_animation_frame(|| {
                if !browser::has_focus() {
                    browser::focus("agent-tools");
                }
            });
        }
        now
    });
    view! {
        {move || has_row.get().then(|| view! {
            <button type="button" class="btn" on:click=move |_| asking.set(true)>
                <Glyph icon=Icon::Reset />
                "Reset to inherited"
            </button>
        })}
        <Dialog open=asking title="Reset to inherited" on_close=close>
            <p>
                "The rules written on this agent are deleted; it inherits from the scopes above again. "
                {move || changes.with(|changes| summary(changes))}
            </p>
            <ul class="plain-list" tabindex="0" aria-label="Tools that change">
                {move || changes.with(|changes| changes.iter().map(|change| {
                    let (before, after) = if change.after.is_on() { ("off", "on") } else { ("on", "off") };
                    view! {
                        <li>
                            <bdi class="mono">{change.name.clone()}</bdi>
                            <span class="note">{format!(" {before} → {after}")}</span>
                        </li>
                    }
                }).collect_view())}
            </ul>
            {move || note().map(|note| view! {
                <p class="note">"The note goes with them: "<q><bdi>{note}</bdi></q></p>
            })}
            <div class="dialog-actions">
                <button type="button" class="btn" autofocus=true on:click=move |_| close.run(())>"Keep the rules"</button>
                <button type="button" class="btn danger" on:click=confirm>"Reset to inherited"</button>
            </div>
        </Dialog>
    }
}

fn summary(changes: &[ToolChange]) -> String {
    let on = changes.iter().filter(|change| change.after.is_on()).count();
    let off = changes.len() - on;
    match (on, off) {
        (0, 0) => "No tool turns on or off by it.".to_owned(),
        (on, 0) => format!("Turned on by it: {on}."),
        (0, off) => format!("Turned off by it: {off}."),
        (on, off) => format!("Turned on by it: {on}. Turned off: {off}."),
    }
}
