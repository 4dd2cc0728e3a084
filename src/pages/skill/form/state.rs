//! The state of a form: what is typed, what it began from, what is wrong with it, and the draft that
//! outlives a reload.

use contract::rules::secrets::{Finding, scan};
use leptos::prelude::*;

use super::draft::{Draft, Wrong, problems};
use crate::browser;
use crate::browser::timer::Timer;
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::{Save, Unsaved, use_leave};
use crate::drafts::{Kept, Mirror, Place};
use crate::pages::settings::use_frame;
use crate::reactive::effect;

/// The id of the field of the instructions.
pub const FIELD: &str = "skill-instructions";
/// How long after the last change a text is looked through for secrets, in milliseconds.
const WAIT: u64 = 200;

/// The form's state.
#[derive(Clone, Copy)]
pub struct Form {
    /// The title.
    pub title: RwSignal<String>,
    /// The slug; empty for one made from the title.
    pub slug: RwSignal<String>,
    /// The description.
    pub description: RwSignal<String>,
    /// The version.
    pub version: RwSignal<String>,
    /// The instructions.
    pub instructions: RwSignal<String>,
    /// What is stored, or what a new skill begins with.
    pub base: RwSignal<Draft>,
    /// What is wrong, once it was to be sent.
    pub wrong: RwSignal<Wrong>,
    /// What looks like a secret.
    pub finding: RwSignal<Option<Finding>>,
    /// Whether it is being sent.
    pub busy: RwSignal<bool>,
    /// Whether instructions of before a reload came back.
    pub restored: RwSignal<bool>,
    /// Whether there is no such skill yet.
    pub is_new: bool,
}

impl Form {
    /// Begins with a draft; instructions of before a reload come back.
    pub fn start(base: Draft, is_new: bool, place: Place) -> Self {
        let form = Self {
            title: RwSignal::new(base.title.clone()),
            slug: RwSignal::new(base.slug.clone()),
            description: RwSignal::new(base.description.clone()),
            version: RwSignal::new(base.version.clone()),
            instructions: RwSignal::new(base.instructions.clone()),
            base: RwSignal::new(base),
            wrong: RwSignal::new(Wrong::default()),
            finding: RwSignal::new(None),
            busy: RwSignal::new(false),
            restored: RwSignal::new(false),
            is_new,
        };
        if let Some(kept) = place.read()
            && kept.text != form.instructions.get_untracked()
        {
            form.instructions.set(kept.text);
            form.restored.set(true);
        }
        let mirror = Mirror::new(move || {
            let Some(text) = form.instructions.try_get_untracked() else {
                return;
            };
            let base = form.base.with_untracked(|base| base.instructions.clone());
            if text == base {
                place.forget();
            } else {
                place.write(&Kept {
                    text,
                    base: Some(base),
                });
            }
        });
        let timer = Timer::new();
        let first = StoredValue::new(true);
        effect(move || {
            form.instructions.track();
            if !first.get_value() {
                mirror.touch();
            }
            first.set_value(false);
            timer.start(WAIT, move || {
                let found = form
                    .instructions
                    .with_untracked(|text| scan(text, &browser::nfkc));
                form.finding.try_set(found);
            });
        });
        form
    }

    /// What is typed now.
    pub fn draft(self) -> Draft {
        Draft {
            title: self.title.get(),
            slug: self.slug.get(),
            description: self.description.get(),
            version: self.version.get(),
            instructions: self.instructions.get(),
        }
    }

    /// Puts a draft into the fields.
    pub fn put(self, draft: &Draft) {
        self.title.set(draft.title.clone());
        self.slug.set(draft.slug.clone());
        self.description.set(draft.description.clone());
        self.version.set(draft.version.clone());
        self.instructions.set(draft.instructions.clone());
    }

    /// Whether it can be sent; what is wrong is shown.
    pub fn check(self) -> bool {
        let wrong = untrack(move || problems(&self.draft(), self.is_new));
        let found = self
            .instructions
            .with_untracked(|text| scan(text, &browser::nfkc));
        let is_fine = wrong == Wrong::default() && found.is_none();
        self.wrong.set(wrong);
        self.finding.set(found);
        is_fine
    }
}

/// Asks before what is typed is left behind.
pub fn guard(form: Form, what: &str, save: Save, place: Place) {
    let dirty = Signal::derive(move || form.draft() != form.base.get());
    use_frame().mark(dirty);
    use_leave().guard(Unsaved {
        what: what.to_owned(),
        dirty,
        blocked: Signal::derive(move || {
            let wrong = problems(&form.draft(), form.is_new);
            let found = form.finding.get().map(|found| found.sentence());
            [
                wrong.title,
                wrong.slug,
                wrong.description,
                wrong.version,
                wrong.instructions,
                found,
            ]
            .into_iter()
            .flatten()
            .next()
        }),
        save,
        discard: std::rc::Rc::new(move || {
            let base = form.base.get_untracked();
            form.put(&base);
            place.forget();
        }),
    });
}

/// What is said about a draft that outlived its page.
pub fn restored(form: Form) -> AnyView {
    (move || {
        form.restored.get().then(|| view! {
            <div class="notice" role="group" aria-label="Draft">
                <Glyph icon=Icon::Pencil />
                <p><strong>"Unsaved draft"</strong>" · The instructions you typed before this page was reloaded are back."</p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| {
                        let base = form.base.get_untracked();
                        form.instructions.set(base.instructions);
                        form.restored.set(false);
                        browser::focus(FIELD);
                    }>"Discard draft"</button>
                </div>
            </div>
        })
    })
    .into_any()
}
