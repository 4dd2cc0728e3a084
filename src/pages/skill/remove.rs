//! The question before an installed skill is deleted: it names what the skill is bound to.

use contract::skills::{Skill, SkillBinding};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::components::announce::use_announcer;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::use_leave;
use crate::components::words::revealed;
use crate::pages::settings::skills::state::bound_words;
use crate::reactive::{effect, spawn};
use crate::remote::Remote;
use crate::route::{Route, SettingsPage};
use crate::session::use_session;

/// The dialog.
#[component]
pub fn DeleteSkill(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// The skill.
    skill: Memo<Skill>,
) -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let leave = use_leave();
    let busy = RwSignal::new(false);
    let refused = RwSignal::new(None::<ApiError>);
    let bound: Remote<Vec<SkillBinding>> = Remote::idle(move || async move {
        let id = skill
            .try_with_untracked(|skill| skill.id.clone())
            .unwrap_or_default();
        api::skills::bindings(&session.client(), &id).await
    });
    effect(move || {
        if open.get() {
            refused.set(None);
            bound.reload();
        }
    });
    let title = move || skill.with(|skill| format!("Delete {}?", revealed(&skill.title)));
    let warning = move || {
        if bound.pending().get() {
            return "Finding out what it is bound to…".to_owned();
        }
        match bound.value().get() {
            Some(list) if list.is_empty() => "It is not bound to anything.".to_owned(),
            Some(list) => format!("It is {}. They lose it at once.", bound_words(&list)),
            None => {
                "What it is bound to could not be found out. Whatever it is, it loses the skill."
                    .to_owned()
            }
        }
    };
    let delete = move |_| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        let (id, title) = skill.with_untracked(|skill| (skill.id.clone(), revealed(&skill.title)));
        spawn(async move {
            let answer = session.watch(api::skills::delete(&session.client(), &id).await);
            busy.try_set(false);
            match answer {
                // Gone already is what was wanted.
                Ok(_) | Err(ApiError::Missing(_)) => {
                    open.try_set(false);
                    announcer.toast(format!("{title} deleted"), None);
                    leave.go(&Route::Settings(SettingsPage::Skills));
                }
                Err(error) => {
                    announcer.alert(format!("Not deleted. {}", error.sentence()));
                    refused.try_set(Some(error));
                }
            }
        });
    };
    view! {
        <Dialog open=open title=Signal::derive(title) on_close=Callback::new(move |()| open.set(false))>
            <p>{warning}</p>
            <p class="note">"Its text and its bindings are deleted for good."</p>
            {move || refused.get().map(|error| view! {
                <div class="notice deny" role="group" aria-label="Problem">
                    <Glyph icon=Icon::Warning />
                    <p><strong>"Not deleted."</strong>" "<bdi>{revealed(&error.sentence())}</bdi></p>
                </div>
            })}
            <div class="dialog-actions">
                <button type="button" class="btn" autofocus on:click=move |_| open.set(false)>"Cancel"</button>
                <button type="button" class="btn danger" aria-busy=move || busy.get().then_some("true") on:click=delete>
                    {move || if busy.get() { "Deleting…" } else { "Delete" }}
                </button>
            </div>
        </Dialog>
    }
}
