//! The form over a stored skill: only what was changed is sent, and what somebody else stored
//! meanwhile is told.

use contract::skills::{Skill, SkillPatch};
use leptos::prelude::*;

use super::draft::{Draft, Wrong};
use super::fields::Fields;
use super::state::{FIELD, Form, guard, restored};
use crate::api;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::form::focus_wrong;
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::Save;
use crate::components::words::revealed;
use crate::drafts::Place;
use crate::pages::skill::installed::head_of;
use crate::reactive::{effect, spawn};
use crate::session::use_session;

/// The form over a stored skill.
#[component]
pub fn EditSkill(
    /// The skill as it is stored.
    skill: Memo<Skill>,
    /// Closes the form when it becomes false.
    editing: RwSignal<bool>,
    /// Told what the server stored.
    on_saved: Callback<Skill>,
) -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let id = skill.with_untracked(|skill| skill.id.clone());
    let place = Place::new(&format!("skill.{id}"), "instructions");
    let form = Form::start(skill.with_untracked(Draft::of), false, place.clone());
    // What is stored may change under the form: fields that were not touched follow.
    let elsewhere = RwSignal::new(false);
    effect(move || {
        let stored = skill.with(Draft::of);
        let base = form.base.get_untracked();
        if stored == base {
            return;
        }
        if untrack(move || form.draft()) == base {
            form.put(&stored);
        } else if untrack(move || form.draft()) != stored && !form.busy.get_untracked() {
            elsewhere.set(true);
        }
        form.base.set(stored);
    });
    let close = move || {
        editing.try_set(false);
        request_animation_frame(|| {
            browser::focus("edit-skill");
        });
    };
    let done = place.clone();
    let store = StoredValue::new_local(std::rc::Rc::new(move || {
        let place = done.clone();
        async move {
            if !form.check() {
                announcer.alert("Not sent. Something is missing or too long.");
                focus_wrong();
                return false;
            }
            let (draft, base) = untrack(move || (form.draft(), form.base.get()));
            let Some(stored) = skill.try_get_untracked() else {
                return false;
            };
            let changed = |new: &str, old: &str| (new != old).then(|| new.to_owned());
            let description = changed(&draft.description, &base.description);
            let patch = SkillPatch {
                title: changed(&draft.title, &base.title),
                frontmatter: description
                    .as_ref()
                    .filter(|_| stored.frontmatter.contains_key("description"))
                    .map(|text| {
                        let mut fields = stored.frontmatter.clone();
                        fields.insert("description".to_owned(), text.clone().into());
                        fields
                    }),
                description,
                instructions_md: changed(&draft.instructions, &base.instructions),
                version: changed(&draft.version, &base.version),
                invocation_slug: None,
            };
            form.busy.set(true);
            let answer =
                session.watch(api::skills::patch(&session.client(), &stored.id, &patch).await);
            form.busy.try_set(false);
            match answer {
                Ok(saved) => {
                    form.base.try_set(draft);
                    place.forget();
                    announcer.toast(format!("{} saved", revealed(&saved.title)), None);
                    on_saved.try_run(saved);
                    true
                }
                Err(error) => {
                    announcer.alert(format!("Not saved. {}", error.sentence()));
                    form.wrong.try_set(Wrong::of(&error));
                    focus_wrong();
                    false
                }
            }
        }
    }));
    let send = Callback::new(move |()| {
        let stored = store.with_value(|store| store());
        spawn(async move {
            if stored.await {
                close();
            }
        });
    });
    let save: Save = std::rc::Rc::new(move || Box::pin(store.with_value(|store| store())));
    guard(form, "the skill", save, place.clone());
    let head = Memo::new(move |_| skill.with(head_of));
    let cancel = Callback::new(move |()| {
        place.forget();
        let base = form.base.get_untracked();
        form.put(&base);
        close();
    });
    let notice = move || {
        view! {
            {restored(form)}
            {move || elsewhere.get().then(|| view! {
                <div class="notice warn" role="group" aria-label="Changed elsewhere">
                    <Glyph icon=Icon::Warning />
                    <p><strong>"Changed elsewhere"</strong>" · Somebody stored another version meanwhile. What you typed is kept; saving puts it on top."</p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            form.put(&skill.with_untracked(Draft::of));
                            elsewhere.set(false);
                            browser::focus(FIELD);
                        }>"Take theirs"</button>
                        <button type="button" class="btn" on:click=move |_| {
                            elsewhere.set(false);
                            browser::focus(FIELD);
                        }>"Keep mine"</button>
                    </div>
                </div>
            })}
        }
        .into_any()
    };
    request_animation_frame(|| {
        browser::focus("skill-title-field");
    });
    view! { <Fields form=form head=head send=send cancel=cancel label="Save changes" notice=notice /> }
}
