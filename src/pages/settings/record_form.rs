//! What surrounds the fields of a record: sending with the button, Enter or Ctrl S, why it cannot be
//! sent, what the server refused, and giving up what was typed.

use leptos::prelude::*;

use super::record::Record;
use crate::components::announce::use_announcer;
use crate::components::form::{SendForm, focus_wrong};
use crate::components::icon::{Glyph, Icon};

/// The words on the button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What it does.
    pub send: &'static str,
    /// What it says meanwhile.
    pub sending: &'static str,
}

/// The form.
#[component]
pub fn RecordForm(
    /// What is typed.
    record: Record,
    /// Whether it differs from what is stored.
    dirty: Memo<bool>,
    /// The words on the button.
    words: Words,
    /// Sends it. It is called only when nothing is wrong by the rules of the fields.
    on_send: Callback<()>,
    /// Id of the first field, which takes the focus when what was typed is given up.
    first: &'static str,
    /// The fields.
    children: Children,
) -> impl IntoView {
    let announcer = use_announcer();
    let blocked = Memo::new(move |_| record.blocked());
    let why_not = move || {
        if dirty.get() {
            blocked.get()
        } else {
            Some("Nothing was changed.".to_owned())
        }
    };
    let send = move || {
        if record.busy.get_untracked() {
            return;
        }
        record.try_now();
        match (dirty.get_untracked(), blocked.get_untracked()) {
            (_, Some(reason)) => {
                announcer.alert(format!("Not saved. {reason}"));
                focus_wrong();
            }
            (false, None) => announcer.say("Nothing was changed"),
            (true, None) => on_send.run(()),
        }
    };
    let fields = children();
    view! {
        <SendForm
            class="form inner wide"
            busy=record.busy
            on_send=move |()| send()
            on:keydown=move |event: web_sys::KeyboardEvent| {
                if (event.ctrl_key() || event.meta_key()) && event.key() == "s" {
                    event.prevent_default();
                    send();
                }
            }
        >
            {fields}
            {move || record.refusal().map(|said| view! {
                <div class="notice deny" role="group" aria-label="Not saved">
                    <Glyph icon=Icon::Warning />
                    <p><strong>"Not saved."</strong>" "<bdi>{said}</bdi></p>
                </div>
            })}
            <div class="form-actions">
                <button
                    type="submit"
                    class="btn primary"
                    aria-disabled=move || (why_not().is_some() && !record.busy.get()).then_some("true")
                    aria-busy=move || record.busy.get().then_some("true")
                    aria-describedby=move || why_not().is_some().then_some("record-why-not")
                >
                    {move || if record.busy.get() { words.sending } else { words.send }}
                </button>
                {move || dirty.get().then(|| view! {
                    <button type="button" class="btn" on:click=move |_| {
                        record.discard();
                        crate::browser::focus(first);
                    }>"Discard"</button>
                    <span class="status lost-text">"Unsaved"</span>
                })}
                <span class="visually-hidden" id="record-why-not">{why_not}</span>
            </div>
        </SendForm>
    }
}
