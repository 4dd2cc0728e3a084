//! The life of a rule being written: begun from the stored row or a kept draft, kept up with
//! changes made elsewhere, stored, and mirrored into the tab until then. Nothing typed is ever
//! replaced by an answer.

use std::sync::Arc;

use contract::grants::{GrantContent, GrantRow};
use contract::rules::edit::check_content;
use leptos::prelude::*;

use super::draft::Draft;
use super::effect::Preview;
use super::reads::EffectReads;
use super::state::{Base, RulesState};
use super::writing::{self, Refused, TakeBack, Target};
use crate::components::announce::{Announcer, use_announcer};
use crate::components::leave::{Unsaved, use_leave};
use crate::drafts::{Kept, Mirror, Place};
use crate::reactive::{effect, follow, spawn};
use crate::session::{SessionState, use_session};

/// What a write was followed by that the preview did not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surprise {
    /// Agents the control plane resolves otherwise.
    pub otherwise: Vec<String>,
    /// Agents that could not be asked about.
    pub unasked: Vec<String>,
}

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// None.
    Nothing,
    /// The review before applying.
    Review,
    /// The second question, where agents are left without tools.
    Drastic,
    /// Whether to delete the rule.
    Delete,
}

/// See the module.
#[derive(Clone, Copy)]
pub struct Editing {
    /// The scope and the reads.
    pub state: RulesState,
    /// The reads of previews.
    pub reads: EffectReads,
    /// Whether what is written differs from what was stored when it was begun.
    pub dirty: Memo<bool>,
    /// Why it cannot be stored as it is.
    pub problem: Memo<Option<String>>,
    /// What somebody else stored meanwhile.
    pub conflict: RwSignal<Option<Base>>,
    /// Whether a draft of an earlier load was restored.
    pub restored: RwSignal<bool>,
    /// Whether the browser has no room to keep the draft.
    pub unkept: RwSignal<bool>,
    /// Whether a write is on its way.
    pub busy: RwSignal<bool>,
    /// What the control plane said to a refused write.
    pub refused: RwSignal<Option<String>>,
    /// See [`Surprise`].
    pub surprise: RwSignal<Surprise>,
    /// Which dialog is open.
    pub asking: RwSignal<Asking>,
    set_aside: StoredValue<Option<u64>>,
    session: SessionState,
    announcer: Announcer,
}

impl Editing {
    /// Begins for the scope shown.
    pub fn start(state: RulesState, reads: EffectReads) -> Self {
        let dirty = Memo::new(move |_| {
            state.base.with(|base| {
                base.as_ref()
                    .is_some_and(|base| !state.draft().is_same(&base.draft()))
            })
        });
        let problem = Memo::new(move |_| {
            let problems = check_content(&state.draft().to_content());
            problems
                .first()
                .map(contract::rules::edit::Problem::sentence)
        });
        let editing = Self {
            state,
            reads,
            dirty,
            problem,
            conflict: RwSignal::new(None),
            restored: RwSignal::new(false),
            unkept: RwSignal::new(false),
            busy: RwSignal::new(false),
            refused: RwSignal::new(None),
            surprise: RwSignal::new(Surprise::default()),
            asking: RwSignal::new(Asking::Nothing),
            set_aside: StoredValue::new(None),
            session: use_session(),
            announcer: use_announcer(),
        };
        // What was set aside can only be brought back while its page is open.
        on_cleanup(move || {
            if let Some(toast) = editing.set_aside.try_get_value().flatten() {
                editing.announcer.dismiss(toast);
            }
        });
        editing.mirror();
        effect(move || {
            if let Some(rows) = state.rows.value().get() {
                editing.follow(state.row_in(&rows));
            }
        });
        let blocked = Signal::derive(move || {
            if editing.conflict.with(Option::is_some) {
                return Some("It was changed elsewhere; decide that first.".to_owned());
            }
            problem.get()
        });
        use_leave().guard(Unsaved {
            what: "this rule".to_owned(),
            dirty: dirty.into(),
            blocked,
            save: std::rc::Rc::new(move || Box::pin(editing.save())),
            discard: std::rc::Rc::new(move || editing.discard()),
        });
        editing
    }

    fn place(self) -> Option<Place> {
        let (scope, id) = (
            self.state.scope.try_get_value()?,
            self.state.id.try_get_value()?,
        );
        Some(Place::new(&format!("rules.{scope}.{id}"), "rule"))
    }

    fn mirror(self) {
        let mirror = Mirror::new(move || self.keep());
        follow(move |before: Option<Draft>| {
            let draft = self.state.draft();
            if before.is_some_and(|before| before != draft) {
                mirror.touch();
            }
            draft
        });
    }

    /// Keeps the draft over a reload, or forgets it when it says what is stored.
    fn keep(self) {
        let (Some(place), Some(Some(base))) = (self.place(), self.state.base.try_get_untracked())
        else {
            return;
        };
        let draft = untrack(move || self.state.draft());
        if draft.is_same(&base.draft()) {
            place.forget();
            return;
        }
        let text = serde_json::to_string_pretty(&draft).unwrap_or_default();
        let kept = Kept {
            text,
            base: serde_json::to_string(&base.content).ok(),
        };
        self.unkept.try_set(!place.write(&kept));
    }

    fn forget(self) {
        if let Some(place) = self.place() {
            place.forget();
        }
        self.restored.try_set(false);
        self.unkept.try_set(false);
    }

    /// A fresh read of the row.
    fn follow(self, row: Option<GrantRow>) {
        let stored = Base::stored(row);
        let Some(base) = self.state.base.get_untracked() else {
            self.begin(stored);
            return;
        };
        let draft = self.state.draft_now();
        let is_clean = draft.is_same(&base.draft());
        if stored.draft().is_same(&base.draft()) {
            // The same rule, at most a newer version of it.
            self.state.base.set(Some(stored));
            self.conflict.set(None);
        } else if draft.is_same(&stored.draft()) {
            self.state.base.set(Some(stored));
            self.conflict.set(None);
            self.refused.set(None);
            self.forget();
        } else if is_clean {
            self.state.replace_draft(stored.draft());
            self.state.base.set(Some(stored));
            self.conflict.set(None);
        } else if self
            .conflict
            .with_untracked(|known| known.as_ref() != Some(&stored))
        {
            self.announcer
                .alert("This rule was changed elsewhere. What you wrote is kept.");
            self.conflict.set(Some(stored));
        }
    }

    /// The first read: from here on something can be written.
    fn begin(self, stored: Base) {
        let kept = self
            .place()
            .and_then(|place| place.read())
            .and_then(|kept| {
                let draft: Draft = serde_json::from_str(&kept.text).ok()?;
                let base: Option<GrantContent> = serde_json::from_str(&kept.base?).ok()?;
                Some((draft, base))
            });
        match kept {
            Some((draft, _)) if draft.is_same(&stored.draft()) => {
                self.state.replace_draft(draft);
                self.state.base.set(Some(stored));
                self.forget();
            }
            Some((draft, content)) => {
                self.state.replace_draft(draft);
                self.restored.set(true);
                let base = Base { content, row: None };
                if base.draft().is_same(&stored.draft()) {
                    self.state.base.set(Some(stored));
                } else {
                    self.state.base.set(Some(base));
                    self.conflict.set(Some(stored));
                }
            }
            None => {
                self.state.replace_draft(stored.draft());
                self.state.base.set(Some(stored));
            }
        }
    }

    /// Gives up what was written.
    pub fn discard(self) {
        if let Some(theirs) = self.conflict.get_untracked() {
            self.state.base.set(Some(theirs));
        }
        self.conflict.set(None);
        self.refused.set(None);
        if let Some(base) = self.state.base.get_untracked() {
            self.state.replace_draft(base.draft());
        }
        self.forget();
    }

    /// Puts what was written here on top of what somebody else stored.
    pub fn rebase(self) {
        let (Some(theirs), Some(base)) = (
            self.conflict.get_untracked(),
            self.state.base.get_untracked(),
        ) else {
            return;
        };
        let draft = self.state.draft_now();
        self.state
            .replace_draft(draft.onto(&base.draft(), &theirs.draft()));
        self.state.base.set(Some(theirs));
        self.conflict.set(None);
    }

    /// What putting the change on top would leave.
    pub fn rebased(self) -> Option<Draft> {
        let theirs = self.conflict.get()?;
        let base = self.state.base.get()?;
        Some(self.state.draft().onto(&base.draft(), &theirs.draft()))
    }

    /// Takes what somebody else stored; what was written here can be brought back.
    pub fn take_theirs(self) {
        let mine = self.state.draft_now();
        self.discard();
        let bring_back = Arc::new(move || {
            if self.state.base.try_get_untracked().is_some() {
                self.state.replace_draft(mine.clone());
            }
        });
        let toast = self.announcer.toast(
            "The stored rule is shown. What you wrote was set aside.",
            Some(("Bring it back".to_owned(), bring_back)),
        );
        self.set_aside.set_value(Some(toast));
    }

    /// What would be stored: while somebody else's change waits, on top of that.
    fn wanted(self) -> GrantContent {
        let draft = self.rebased().unwrap_or_else(|| self.state.draft());
        draft.to_content()
    }

    /// What storing the rule would change, if that is known.
    pub fn preview(self) -> Option<Preview> {
        self.reads.preview(Some(&self.wanted()))
    }

    /// Whether storing the rule needs the second question: agents are left without tools, or the
    /// allow list grants nothing.
    pub fn is_drastic(self) -> bool {
        let Some(allow) = self.wanted().allow else {
            return self.preview().is_some_and(|preview| preview.is_drastic());
        };
        let rejected = self.state.rejected().unwrap_or_default();
        allow.iter().all(|pattern| rejected.contains(pattern))
            || self.preview().is_some_and(|preview| preview.is_drastic())
    }

    /// Stores the rule for the leave guard: a drastic one is reviewed instead.
    async fn save(self) -> bool {
        if untrack(move || self.is_drastic()) {
            self.asking.set(Asking::Drastic);
            return false;
        }
        self.apply().await
    }

    fn target(self) -> Option<Target> {
        Some(Target {
            scope: self.state.scope.try_get_value()?,
            id: self.state.id.try_get_value()?,
            has_revisions: self.state.has_revisions(),
        })
    }

    /// Stores the rule. `true` once the control plane confirmed it.
    pub async fn apply(self) -> bool {
        let content = self.state.draft_now().to_content();
        self.write(Some(content)).await
    }

    /// Deletes what is stored. `true` once the control plane confirmed it.
    pub async fn delete(self) -> bool {
        self.write(None).await
    }

    async fn write(self, content: Option<GrantContent>) -> bool {
        let (Some(target), Some(base)) = (self.target(), self.state.base.get_untracked()) else {
            return false;
        };
        if self.busy.get_untracked() {
            return false;
        }
        self.busy.set(true);
        self.refused.set(None);
        self.surprise.set(Surprise::default());
        let outcome = writing::write(&self.state.client(), &target, &base, content.as_ref()).await;
        if self.busy.try_set(false).is_some() {
            // The page was left meanwhile.
            return outcome.is_ok();
        }
        match outcome {
            Ok(row) => {
                self.stored(target, &base, row, content.is_none());
                true
            }
            Err(Refused::Conflict(row)) => {
                self.asking.set(Asking::Nothing);
                self.follow(row);
                self.state.rows.reload();
                self.announcer
                    .alert("Not stored: this rule was changed elsewhere. What you wrote is kept.");
                false
            }
            // The answer was lost, but a read came in between that says it is stored.
            Err(Refused::Failed(_)) if self.holds(content.as_ref()) => {
                let row = self.state.base.get_untracked().and_then(|base| base.row);
                self.stored(target, &base, row, content.is_none());
                true
            }
            Err(Refused::Failed(error)) => {
                let sentence = error.sentence();
                drop(self.session.watch::<()>(Err(error)));
                self.announcer.alert(format!("Not stored. {sentence}"));
                self.refused.set(Some(sentence));
                false
            }
        }
    }

    /// Whether this is what is stored, as far as that was read.
    fn holds(self, content: Option<&GrantContent>) -> bool {
        self.state.base.with_untracked(|base| {
            base.as_ref().is_some_and(|base| match content {
                None => base.content.is_none(),
                Some(_) => base.draft().is_same(&Draft::from_stored(content)),
            })
        })
    }

    fn stored(self, target: Target, before: &Base, row: Option<GrantRow>, deleted: bool) {
        let after = Base::stored(row.clone());
        self.asking.set(Asking::Nothing);
        self.conflict.set(None);
        self.state.base.set(Some(after.clone()));
        if deleted {
            self.state.replace_draft(after.draft());
        }
        self.forget();
        let mut rows = self.state.rows.now().unwrap_or_default();
        rows.retain(|row| row.scope_type != target.scope || row.scope_id != target.id);
        rows.extend(row);
        self.state.rows.confirm(rows.clone());
        self.state.here.reload();
        self.state.activity.reload();
        let text = if deleted {
            "Rule deleted. It applies from the next run."
        } else {
            "Rule stored. It applies from the next run."
        };
        let back = TakeBack {
            target,
            after,
            before: before.content.clone(),
            state: self.state,
            session: self.session,
            announcer: self.announcer,
        };
        self.announcer.toast(text, Some(back.action()));
        self.verify(rows);
    }

    /// Compares what the control plane resolves now with what the rules here say.
    fn verify(self, rows: Vec<GrantRow>) {
        spawn(async move {
            let (otherwise, unasked) = self.reads.verify(&rows).await;
            if !otherwise.is_empty() {
                self.announcer
                    .alert("The control plane resolves it differently than the preview said.");
            }
            self.surprise.try_set(Surprise { otherwise, unasked });
        });
    }
}

/// The rule being written on the page around the caller.
pub fn use_editing() -> Editing {
    expect_context()
}
