//! A field that edits a stored text while the stored text may change: what is typed is never
//! overwritten, and a change made elsewhere is noticed.

use leptos::prelude::*;

use crate::reactive::effect;

/// See the module.
#[derive(Clone, Copy)]
pub struct Draft {
    /// What is typed.
    pub text: RwSignal<String>,
    /// What is stored now.
    stored: Memo<String>,
    /// What was stored when typing began.
    base: RwSignal<String>,
}

impl Draft {
    /// Follows a stored text until something else is typed.
    pub fn follow(stored: Memo<String>) -> Self {
        let draft = Self {
            text: RwSignal::new(stored.get_untracked()),
            stored,
            base: RwSignal::new(stored.get_untracked()),
        };
        effect(move || {
            let now = stored.get();
            let untouched = draft
                .text
                .with_untracked(|text| draft.base.with_untracked(|base| text == base));
            if untouched {
                draft.text.set(now.clone());
            }
            if draft.text.with_untracked(|text| *text == now) {
                draft.base.set(now);
            }
        });
        draft
    }

    /// Whether what is typed differs from what is stored.
    pub fn is_dirty(self) -> bool {
        self.text
            .with(|text| self.stored.with(|stored| text != stored))
    }

    /// What somebody else stored since typing began, if that is in the way.
    pub fn changed_elsewhere(self) -> Option<String> {
        let stored = self.stored.get();
        let moved = self.base.with(|base| *base != stored);
        (moved && self.is_dirty()).then_some(stored)
    }

    /// The typed text if it differs from the stored one.
    pub fn change(self) -> Option<String> {
        let text = self.text.get_untracked();
        self.stored
            .with_untracked(|stored| *stored != text)
            .then_some(text)
    }

    /// `sent` was stored, and reads `now`. What was typed meanwhile stays.
    pub fn stored(self, sent: &str, now: String) {
        let untouched = self.text.try_with_untracked(|text| text == sent) == Some(true);
        if untouched {
            self.text.try_set(now.clone());
        }
        self.base.try_set(now);
    }

    /// Gives up what was typed.
    pub fn discard(self) {
        let stored = self.stored.get_untracked();
        self.text.set(stored.clone());
        self.base.set(stored);
    }
}

/// A stored text that somebody else changed under the typed one.
#[component]
pub fn Elsewhere(
    /// The typed text.
    draft: Draft,
    /// What it is, such as "name".
    what: &'static str,
) -> impl IntoView {
    let stored = Memo::new(move |_| draft.changed_elsewhere());
    move || {
        stored.get().map(|stored| {
            let now = if stored.is_empty() {
                view! { "It is empty now." }.into_any()
            } else {
                view! { "It reads “"<bdi>{stored}</bdi>"” now." }.into_any()
            };
            view! {
                <div class="notice warn" role="group" aria-label=format!("Changed elsewhere: {what}")>
                    <p><strong>"Changed elsewhere."</strong>" "{now}" Saving puts yours in its place."</p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| draft.discard()>"Take theirs"</button>
                    </div>
                </div>
            }
        })
    }
}
