//! The queue of flag changes of one agent, as a pure state machine. One change is on its way at a
//! time; what is shown is the stored truth with everything that waits carried out on it.

use std::collections::VecDeque;

use contract::rules::permissions::{Flag, PermissionPatch, Permissions};

/// A change that was refused. It stays until it is retried or dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Identifies it.
    pub id: u64,
    /// What was wanted.
    pub patch: PermissionPatch,
    /// Why it was refused, for people.
    pub said: String,
    /// Its answer was lost and nothing could be read since: it may be stored all the same.
    pub unsure: bool,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlagQueue {
    entries: VecDeque<PermissionPatch>,
    writing: bool,
    refusals: Vec<Refusal>,
    next: u64,
}

fn names(patch: &PermissionPatch, flag: &Flag) -> bool {
    patch.entries().any(|(present, _)| present == flag)
}

/// Whether `later` decides about every flag of `earlier`.
fn supersedes(later: &PermissionPatch, earlier: &PermissionPatch) -> bool {
    earlier.entries().all(|(flag, _)| names(later, flag))
}

impl FlagQueue {
    /// Adds a change. What waits for the same flags is dropped; the change on its way is not
    /// touched. Earlier refusals about them are forgotten.
    pub fn push(&mut self, patch: PermissionPatch) {
        let on_its_way = self.writing.then(|| self.entries.pop_front()).flatten();
        self.entries.retain(|entry| !supersedes(&patch, entry));
        self.refusals
            .retain(|refusal| !supersedes(&patch, &refusal.patch));
        self.entries.push_back(patch);
        if let Some(entry) = on_its_way {
            self.entries.push_front(entry);
        }
    }

    /// Takes the next change to write, unless one is on its way. Changes the truth already holds
    /// are dropped.
    pub fn begin(&mut self, truth: &Permissions) -> Option<PermissionPatch> {
        if self.writing {
            return None;
        }
        while let Some(patch) = self.entries.front() {
            if truth.merged(patch) != *truth {
                self.writing = true;
                return Some(patch.clone());
            }
            self.entries.pop_front();
        }
        None
    }

    /// The change that was begun is stored.
    pub fn succeed(&mut self) {
        self.writing = false;
        self.entries.pop_front();
    }

    /// The change that was begun was refused; `unsure` when it may be stored all the same.
    pub fn refuse(&mut self, said: String, unsure: bool) {
        self.writing = false;
        if let Some(patch) = self.entries.pop_front() {
            self.next += 1;
            self.refusals.push(Refusal {
                id: self.next,
                patch,
                said,
                unsure,
            });
        }
    }

    /// The change that was begun could not be made now (the session ended); it waits again.
    pub fn postpone(&mut self) {
        self.writing = false;
    }

    /// Takes a refused change back into the queue.
    pub fn retry(&mut self, id: u64) {
        if let Some(place) = self.refusals.iter().position(|refusal| refusal.id == id) {
            let refusal = self.refusals.remove(place);
            self.push(refusal.patch);
        }
    }

    /// Forgets a refusal.
    pub fn dismiss(&mut self, id: u64) {
        self.refusals.retain(|refusal| refusal.id != id);
    }

    /// Whether a refusal asks for what the truth holds meanwhile.
    pub fn is_moot(&self, truth: &Permissions) -> bool {
        self.refusals
            .iter()
            .any(|refusal| truth.merged(&refusal.patch) == *truth)
    }

    /// Forgets refusals that ask for what the truth holds meanwhile.
    pub fn drop_moot(&mut self, truth: &Permissions) {
        self.refusals
            .retain(|refusal| truth.merged(&refusal.patch) != *truth);
    }

    /// Whether a flag waits for its change.
    pub fn is_busy(&self, flag: &Flag) -> bool {
        self.entries.iter().any(|entry| names(entry, flag))
    }

    /// The refusal to show on a flag's row.
    pub fn refusal_of(&self, flag: &Flag) -> Option<&Refusal> {
        let first = |patch: &PermissionPatch| patch.entries().next().map(|(flag, _)| flag.clone());
        self.refusals
            .iter()
            .find(|refusal| first(&refusal.patch).as_ref() == Some(flag))
    }

    /// What to show: the truth with everything that waits carried out on it.
    pub fn shown(&self, truth: &Permissions) -> Permissions {
        self.entries
            .iter()
            .fold(*truth, |flags, patch| flags.merged(patch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(flag: Flag, on: bool) -> PermissionPatch {
        PermissionPatch::one(flag, on)
    }

    #[test]
    fn one_change_at_a_time_and_the_last_wish_for_a_flag_wins() {
        let truth = Permissions::default();
        let mut queue = FlagQueue::default();
        queue.push(one(Flag::CanSpend, true));
        let first = queue.begin(&truth);
        assert_eq!(first, Some(one(Flag::CanSpend, true)));
        queue.push(one(Flag::CanSpend, false));
        queue.push(one(Flag::CanEditSkills, true));
        queue.push(one(Flag::CanSpend, true));
        queue.push(one(Flag::CanSpend, false));
        assert_eq!(queue.begin(&truth), None);
        assert_eq!(queue.shown(&truth).get(&Flag::CanSpend), Some(false));
        queue.succeed();
        let stored = truth.merged(&one(Flag::CanSpend, true));
        // Nothing flickers: the wish that waits still decides what is shown.
        assert_eq!(queue.shown(&stored).get(&Flag::CanSpend), Some(false));
        assert_eq!(queue.begin(&stored), Some(one(Flag::CanEditSkills, true)));
        queue.succeed();
        let stored = stored.merged(&one(Flag::CanEditSkills, true));
        assert_eq!(queue.begin(&stored), Some(one(Flag::CanSpend, false)));
        queue.succeed();
        assert_eq!(queue.begin(&stored), None);
    }

    #[test]
    fn a_change_the_truth_already_holds_is_not_sent() {
        let mut queue = FlagQueue::default();
        queue.push(one(Flag::CanSpend, false));
        assert_eq!(queue.begin(&Permissions::default()), None);
        assert!(!queue.is_busy(&Flag::CanSpend));
    }

    #[test]
    fn a_refused_change_shows_the_truth_and_can_be_retried() {
        let truth = Permissions::default();
        let mut queue = FlagQueue::default();
        queue.push(one(Flag::CanOpenPullRequests, true));
        assert!(queue.begin(&truth).is_some());
        assert!(queue.shown(&truth).can_commit_to_repo);
        queue.refuse("db down".to_owned(), false);
        assert_eq!(queue.shown(&truth), truth);
        let refusal = queue.refusal_of(&Flag::CanOpenPullRequests).cloned();
        assert_eq!(
            refusal.as_ref().map(|one| one.said.as_str()),
            Some("db down")
        );
        queue.retry(refusal.unwrap().id);
        assert_eq!(queue.refusal_of(&Flag::CanOpenPullRequests), None);
        assert!(queue.begin(&truth).is_some());
        queue.postpone();
        assert!(queue.begin(&truth).is_some());
    }

    #[test]
    fn a_refusal_ends_when_what_it_asked_for_is_so() {
        let truth = Permissions::default();
        let mut queue = FlagQueue::default();
        queue.push(one(Flag::CanSpend, true));
        queue.begin(&truth);
        queue.refuse("lost".to_owned(), true);
        assert!(!queue.is_moot(&truth));
        let stored = truth.merged(&one(Flag::CanSpend, true));
        assert!(queue.is_moot(&stored));
        queue.drop_moot(&stored);
        assert_eq!(queue.refusal_of(&Flag::CanSpend), None);
    }

    #[test]
    fn a_new_wish_forgets_the_refusal_of_an_old_one() {
        let truth = Permissions::default();
        let mut queue = FlagQueue::default();
        queue.push(one(Flag::CanSpend, true));
        queue.begin(&truth);
        queue.refuse("no".to_owned(), false);
        queue.push(one(Flag::CanSpend, true));
        assert_eq!(queue.refusal_of(&Flag::CanSpend), None);
    }
}
