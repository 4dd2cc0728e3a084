//! The life of a script being written: begun from what is stored or from a kept draft, measured and
//! scanned while it is typed, stored on demand. The field belongs to the operator: an answer of the
//! control plane never replaces text that is not stored.

use std::sync::Arc;

use contract::agents::AgentPatch;
use contract::rules::init_script::{LIMIT, ScriptSize, is_blank, normalise};
use contract::rules::secrets::{Finding, scan};
use leptos::html;
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::browser::timer::{Timer, next_task};
use crate::browser::{self, field};
use crate::components::announce::{Announcer, use_announcer};
use crate::components::leave::{Unsaved, use_leave};
use crate::drafts::{Kept, Mirror, Place};
use crate::pages::agent::state::{AgentState, use_agent};
use crate::reactive::{effect, follow, spawn};
use crate::session::{SessionState, use_session};

/// How long after a change the text is scanned for secrets, in milliseconds.
const SCAN_AFTER: u64 = 200;

/// How full the script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Fits,
    Near,
    Over,
}

impl Level {
    fn of(size: ScriptSize) -> Self {
        match (size.is_over(), size.is_near()) {
            (true, _) => Self::Over,
            (false, true) => Self::Near,
            (false, false) => Self::Fits,
        }
    }
}

/// See the module.
#[derive(Clone, Copy)]
pub struct Script {
    /// The field.
    pub area: NodeRef<html::Textarea>,
    /// What the field holds, line endings as LF.
    pub text: RwSignal<Arc<str>>,
    /// What was stored when the text was begun, line endings as LF; `None` until it was read.
    pub base: RwSignal<Option<Arc<str>>>,
    /// Whether what is stored has other line endings than LF.
    pub stored_otherwise: RwSignal<bool>,
    /// The one number behind counter, colour and gate.
    pub size: Memo<ScriptSize>,
    /// Whether the text is not what is stored.
    pub dirty: Memo<bool>,
    /// Why it cannot be saved; `None` when it can.
    pub blocked: Memo<Option<String>>,
    /// What looks like a secret in the text.
    pub finding: RwSignal<Option<Finding>>,
    /// What somebody else stored meanwhile.
    pub conflict: RwSignal<Option<Arc<str>>>,
    /// Whether line endings were converted since the text was begun.
    pub converted: RwSignal<bool>,
    /// Whether a draft of an earlier load was restored.
    pub restored: RwSignal<bool>,
    /// Whether the browser has no room to keep the draft.
    pub unkept: RwSignal<bool>,
    /// Whether a save is on its way.
    pub saving: RwSignal<bool>,
    /// Whether the text was saved and not changed since.
    pub saved: RwSignal<bool>,
    /// Why the last save failed.
    pub refused: RwSignal<Option<ApiError>>,
    sending: StoredValue<Option<Arc<str>>>,
    scanning: Timer,
    mirror: StoredValue<Option<Mirror>>,
    set_aside: StoredValue<Option<u64>>,
    agent: AgentState,
    session: SessionState,
    announcer: Announcer,
}

fn lf(text: &str) -> Arc<str> {
    Arc::from(normalise(text).text.as_ref())
}

/// Whether two texts are stored alike: blank ones clear the script, whatever they consist of.
fn is_same(left: &str, right: &str) -> bool {
    left == right || (is_blank(left) && is_blank(right))
}

fn secret_in(text: &str) -> Option<Finding> {
    // What is too large cannot be saved anyway, and takes long to scan.
    (text.len() <= LIMIT)
        .then(|| scan(text, &browser::nfkc))
        .flatten()
}

impl Script {
    /// Begins for the agent of the page.
    pub fn start() -> Self {
        let text = RwSignal::new(Arc::<str>::from(""));
        let base = RwSignal::new(None::<Arc<str>>);
        let stored_otherwise = RwSignal::new(false);
        let finding = RwSignal::new(None::<Finding>);
        let conflict = RwSignal::new(None::<Arc<str>>);
        let size = Memo::new(move |_| text.with(|text| ScriptSize::of(text)));
        let dirty = Memo::new(move |_| {
            base.with(|base| {
                base.as_ref()
                    .is_some_and(|base| text.with(|text| !is_same(text, base)))
            })
        });
        let blocked = Memo::new(move |_| {
            if base.with(Option::is_none) {
                return Some("The stored script is not loaded yet.".to_owned());
            }
            if conflict.with(Option::is_some) {
                return Some("The script was changed elsewhere. Decide that first.".to_owned());
            }
            if size.get().is_over() {
                return Some(format!("The script is too large: {}.", size.get().text()));
            }
            if let Some(sentence) = finding.with(|found| found.as_ref().map(Finding::sentence)) {
                return Some(sentence);
            }
            (!dirty.get() && !stored_otherwise.get()).then(|| "Nothing was changed.".to_owned())
        });
        let script = Self {
            area: NodeRef::new(),
            text,
            base,
            stored_otherwise,
            size,
            dirty,
            blocked,
            finding,
            conflict,
            converted: RwSignal::new(false),
            restored: RwSignal::new(false),
            unkept: RwSignal::new(false),
            saving: RwSignal::new(false),
            saved: RwSignal::new(false),
            refused: RwSignal::new(None),
            sending: StoredValue::new(None),
            scanning: Timer::new(),
            mirror: StoredValue::new(None),
            set_aside: StoredValue::new(None),
            agent: use_agent(),
            session: use_session(),
            announcer: use_announcer(),
        };
        script
            .mirror
            .set_value(Some(Mirror::new(move || script.keep())));
        script.watch();
        use_leave().guard(Unsaved {
            what: "the init script".to_owned(),
            dirty: dirty.into(),
            blocked: blocked.into(),
            save: std::rc::Rc::new(move || Box::pin(async move { script.save().await })),
            discard: std::rc::Rc::new(move || script.discard()),
        });
        script
    }

    fn watch(self) {
        let stored = Memo::new(move |_| {
            self.agent
                .capabilities
                .value()
                .with(|found| found.as_ref().map(|found| found.init_script.clone()))
        });
        effect(move || {
            let Some(now) = stored.get() else { return };
            if self.base.with_untracked(Option::is_some) {
                self.follow(&now.unwrap_or_default());
                return;
            }
            // Looking for a draft and laying out the field take long: the tools come first.
            spawn(async move {
                next_task().await;
                if let Some(Some(now)) = stored.try_get_untracked() {
                    self.follow(&now.unwrap_or_default());
                }
            });
        });
        effect(move || self.agent.unsaved.set(self.dirty.get()));
        on_cleanup(move || {
            self.agent.unsaved.try_set(false);
            self.scanning.stop();
            // What was set aside can only be brought back while its page is open.
            if let Some(toast) = self.set_aside.try_get_value().flatten() {
                self.announcer.dismiss(toast);
            }
        });
        // Told only when a line is crossed: 90 %, 100 %, or back.
        follow(move |before: Option<Option<Level>>| {
            let size = self.size.get();
            let is_read = self.base.with(Option::is_some);
            let level = is_read.then(|| Level::of(size));
            if before.flatten().is_some_and(|before| Some(before) != level) {
                self.announcer.say(format!("Init script: {}", size.text()));
            }
            level
        });
        // A save that met the end of the session is made once somebody signed in again.
        let renewed = self.session.renewed();
        follow(move |before: Option<u32>| {
            let now = renewed.get();
            let waits = self
                .refused
                .with_untracked(|refused| matches!(refused, Some(ApiError::SignedOut)));
            if waits && before.is_some_and(|before| before != now) {
                spawn(async move {
                    self.save().await;
                });
            }
            now
        });
    }

    fn place(self) -> Option<Place> {
        let agent = self.agent.id.try_get_value()?;
        Some(Place::new(agent.as_str(), "init-script"))
    }

    /// Keeps the draft over a reload, or forgets it when it says what is stored.
    fn keep(self) {
        let (Some(place), Some(Some(base)), Some(text)) = (
            self.place(),
            self.base.try_get_untracked(),
            self.text.try_get_untracked(),
        ) else {
            return;
        };
        if is_same(&text, &base) {
            place.forget();
            self.unkept.try_set(false);
            return;
        }
        let kept = Kept {
            text: text.to_string(),
            base: Some(base.to_string()),
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

    /// What is stored, as just read.
    fn follow(self, stored: &str) {
        let fresh = lf(stored);
        let Some(base) = self.base.get_untracked() else {
            self.stored_otherwise.set(*stored != *fresh);
            self.begin(&fresh);
            return;
        };
        let text = self.text.get_untracked();
        let is_own = self
            .sending
            .with_value(|sending| sending.as_ref().is_some_and(|sent| is_same(sent, &fresh)));
        if is_same(&fresh, &base) {
            if self.conflict.with_untracked(Option::is_some) {
                self.conflict.set(None);
            }
        } else if is_own || is_same(&fresh, &text) {
            self.base.set(Some(fresh.clone()));
            self.conflict.set(None);
            self.refused.set(None);
            self.touch();
        } else if is_same(&text, &base) {
            self.base.set(Some(fresh.clone()));
            self.conflict.set(None);
            self.saved.set(false);
            self.replace(&fresh);
        } else if self
            .conflict
            .with_untracked(|known| known.as_ref() != Some(&fresh))
        {
            self.conflict.set(Some(fresh.clone()));
            self.announcer
                .alert("The init script was changed elsewhere. What you typed is kept.");
        }
        self.stored_otherwise.set(*stored != *fresh);
    }

    /// The first read: from here on something can be typed.
    fn begin(self, stored: &Arc<str>) {
        let kept = self.place().and_then(|place| place.read());
        let Some(kept) = kept.filter(|kept| !is_same(&kept.text, stored)) else {
            self.forget();
            self.base.set(Some(stored.clone()));
            self.replace(stored);
            return;
        };
        let base = kept.base.as_deref().map_or_else(|| stored.clone(), lf);
        if !is_same(&base, stored) {
            self.conflict.set(Some(stored.clone()));
        }
        self.base.set(Some(base));
        self.restored.set(true);
        self.replace(&lf(&kept.text));
    }

    /// Puts another text into the field.
    pub fn replace(self, text: &Arc<str>) {
        self.text.set(text.clone());
        if let Some(area) = self.area.get_untracked() {
            field::replace(&area, text);
        }
        self.touch();
        self.scan_soon();
    }

    /// The operator changed the text.
    pub fn typed(self) {
        let Some(area) = self.area.get_untracked() else {
            return;
        };
        self.text.set(Arc::from(field::text(&area)));
        self.saved.set(false);
        self.touch();
        self.scan_soon();
    }

    /// Text is about to come in from the clipboard or by dropping; the field itself turns its line
    /// endings into LF.
    pub fn incoming(self, event: &web_sys::Event) {
        let has_cr = field::incoming_text(event).is_some_and(|text| normalise(&text).converted);
        if has_cr && !self.converted.get_untracked() {
            self.converted.set(true);
            self.announcer.say("Line endings converted");
        }
    }

    fn touch(self) {
        if let Some(mirror) = self.mirror.try_get_value().flatten() {
            mirror.touch();
        }
    }

    fn scan_soon(self) {
        self.scanning.stop();
        if self.size.get_untracked().is_over() {
            self.learn(None);
            return;
        }
        self.scanning.start(SCAN_AFTER, move || {
            if let Some(text) = self.text.try_get_untracked() {
                self.learn(secret_in(&text));
            }
        });
    }

    fn learn(self, finding: Option<Finding>) {
        let told = self.finding.with_untracked(|known| {
            finding.is_none()
                || known.as_ref().map(|known| known.rule)
                    == finding.as_ref().map(|found| found.rule)
        });
        if !told && let Some(finding) = &finding {
            self.announcer.say(finding.sentence());
        }
        if self.finding.with_untracked(|known| *known != finding) {
            self.finding.set(finding);
        }
    }

    /// Selects what looks like a secret.
    pub fn select_finding(self) {
        let (Some(area), Some(finding)) = (self.area.get_untracked(), self.finding.get_untracked())
        else {
            return;
        };
        let lines = self
            .text
            .with_untracked(|text| text.matches('\n').count() + 1);
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        field::select(
            &area,
            small(finding.utf16.start),
            small(finding.utf16.end),
            small(finding.line.saturating_sub(1)),
            small(lines),
        );
    }

    /// Gives up what was typed.
    pub fn discard(self) {
        let stored = self
            .conflict
            .get_untracked()
            .or_else(|| self.base.get_untracked());
        self.conflict.set(None);
        self.refused.set(None);
        self.converted.set(false);
        if let Some(stored) = stored {
            self.base.set(Some(stored.clone()));
            self.replace(&stored);
        }
        self.forget();
    }

    /// Goes on with what was typed, on top of what somebody else stored.
    pub fn keep_mine(self) {
        if let Some(theirs) = self.conflict.get_untracked() {
            self.base.set(Some(theirs));
            self.conflict.set(None);
            self.touch();
        }
    }

    /// Takes what somebody else stored; what was typed can be brought back.
    pub fn take_theirs(self) {
        let mine = self.text.get_untracked();
        self.discard();
        let bring_back = Arc::new(move || {
            if self.text.try_get_untracked().is_some() {
                self.replace(&mine);
            }
        });
        let toast = self.announcer.toast(
            "The stored script is shown. What you typed was set aside.",
            Some(("Bring it back".to_owned(), bring_back)),
        );
        self.set_aside.set_value(Some(toast));
    }

    /// Stores the text. `true` once the control plane confirmed it. The field is not touched, and
    /// what is typed meanwhile stays unsaved.
    pub async fn save(self) -> bool {
        if self.saving.try_get_untracked() != Some(false) {
            return false;
        }
        let text = self.text.get_untracked();
        self.learn(secret_in(&text));
        if let Some(reason) = self.blocked.get_untracked() {
            self.announcer.alert(reason);
            return false;
        }
        let Some(agent) = self.agent.id.try_get_value() else {
            return false;
        };
        self.saving.set(true);
        self.saved.set(false);
        self.refused.set(None);
        self.sending.set_value(Some(text.clone()));
        let mut outcome = self.send(&agent, &text).await;
        if matches!(&outcome, Err(error) if error.may_be_stored())
            && let Ok(found) = api::agents::one(&self.session.client(), &agent).await
            && is_same(&lf(found.init_script.as_deref().unwrap_or_default()), &text)
        {
            // Only the answer was lost.
            outcome = Ok(true);
        }
        if self.saving.try_set(false).is_some() {
            // The page was left meanwhile.
            return matches!(outcome, Ok(true));
        }
        self.sending.set_value(None);
        match outcome {
            Ok(true) => {
                self.confirmed(&text);
                true
            }
            Ok(false) => false,
            // The answer was lost, but a read came in between that says it is stored.
            Err(error) if error.may_be_stored() && self.holds(&text) => {
                self.confirmed(&text);
                true
            }
            Err(error) => {
                self.announcer
                    .alert(format!("Init script not saved. {}", error.sentence()));
                drop(self.session.watch::<()>(Err(error.clone())));
                self.refused.set(Some(error));
                false
            }
        }
    }

    /// Whether this text is what is stored, as far as that was read.
    fn holds(self, text: &str) -> bool {
        !self.stored_otherwise.get_untracked()
            && self
                .base
                .with_untracked(|base| base.as_ref().is_some_and(|base| is_same(base, text)))
    }

    /// Looks whether somebody else stored something since, then stores. `false` when somebody did.
    async fn send(self, agent: &contract::AgentId, text: &str) -> Result<bool, ApiError> {
        let present = api::agents::one(&self.session.client(), agent).await?;
        let stored = lf(present.init_script.as_deref().unwrap_or_default());
        let base = self.base.try_get_untracked().flatten();
        if let Some(base) = base
            && !is_same(&stored, &base)
            && !is_same(&stored, text)
        {
            if self.conflict.try_set(Some(stored)).is_none() {
                let said =
                    "Not saved: the init script was changed elsewhere. What you typed is kept.";
                self.announcer.alert(said);
            }
            return Ok(false);
        }
        let patch = AgentPatch {
            init_script: Some((!is_blank(text)).then(|| text.to_owned())),
            ..AgentPatch::default()
        };
        let agent = api::agents::patch(&self.session.client(), agent, &patch).await?;
        if let Some(mut capabilities) = self.agent.capabilities.now() {
            let changed = Arc::make_mut(&mut capabilities);
            changed.init_script.clone_from(&agent.init_script);
            // The fold on screen may be newer than the one of that answer.
            if let Some(resolved) = self.agent.resolved.now() {
                changed.grants = resolved;
            }
            self.agent.capabilities.confirm(capabilities);
        }
        self.agent.agent.confirm(agent);
        Ok(true)
    }

    fn confirmed(self, sent: &Arc<str>) {
        self.base.set(Some(sent.clone()));
        self.stored_otherwise.set(false);
        self.converted.set(false);
        self.saved.set(true);
        if self.dirty.get_untracked() {
            self.restored.set(false);
            self.touch();
        } else {
            self.forget();
        }
        self.announcer.say(if is_blank(sent) {
            "Init script cleared"
        } else {
            "Init script saved"
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_texts_are_stored_alike() {
        assert!(is_same("", " \n\t"));
        assert!(is_same("a\n", "a\n"));
        assert!(!is_same("a", "a\n"));
    }

    #[test]
    fn levels_follow_the_one_number() {
        let level = |bytes| Level::of(ScriptSize { bytes });
        assert_eq!(level(14_745), Level::Fits);
        assert_eq!(level(14_746), Level::Near);
        assert_eq!(level(LIMIT), Level::Near);
        assert_eq!(level(LIMIT + 1), Level::Over);
    }
}
