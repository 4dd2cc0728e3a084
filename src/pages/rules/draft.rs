//! What an operator is writing for one scope, as plain values: reading a stored row into it, what
//! would be stored, what changed, and carrying a change over to a row that changed meanwhile.

use contract::grants::GrantContent;
use contract::rules::pattern::distinct;
use serde::{Deserialize, Serialize};

/// A rule being written. The allow list is kept while `inherits` is set, so that choosing back
/// and forth loses nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Everything granted above is granted on.
    pub inherits: bool,
    /// The allow list, in effect unless `inherits`.
    pub allow: Vec<String>,
    /// The deny list.
    pub deny: Vec<String>,
    /// For the next operator.
    pub note: String,
}

/// Which of the two lists a pattern is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum List {
    /// The allow list.
    Allow,
    /// The deny list.
    Deny,
}

impl List {
    /// The word on screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Allow => "Allow",
            Self::Deny => "Deny",
        }
    }
}

/// One difference between two rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A pattern came.
    Added(List, String),
    /// A pattern went.
    Removed(List, String),
    /// The scope grants only its allow list now.
    Restricts,
    /// The scope inherits everything granted above now.
    Inherits,
    /// The note differs: before and after.
    Note(String, String),
}

impl Draft {
    /// What is stored, or the rule nobody wrote: inherit everything, deny nothing.
    pub fn from_stored(content: Option<&GrantContent>) -> Self {
        let Some(content) = content else {
            return Self {
                inherits: true,
                ..Self::default()
            };
        };
        let list =
            |list: Option<&Vec<String>>| distinct(list.into_iter().flatten().map(String::as_str));
        Self {
            inherits: content.allow.is_none(),
            allow: list(content.allow.as_ref()),
            deny: list(content.deny.as_ref()),
            note: content.note.clone().unwrap_or_default(),
        }
    }

    /// The whole row to store. `deny` is always written, since a row needs one of the two lists.
    pub fn to_content(&self) -> GrantContent {
        GrantContent {
            allow: (!self.inherits).then(|| self.allow.clone()),
            deny: Some(self.deny.clone()),
            note: Some(self.note.clone()).filter(|note| !note.is_empty()),
        }
    }

    /// Whether two rules would be stored alike.
    pub fn is_same(&self, other: &Self) -> bool {
        self.to_content() == other.to_content()
    }

    /// Whether the rule restricts nothing and says nothing.
    pub fn is_idle(&self) -> bool {
        self.inherits && self.deny.is_empty() && self.note.is_empty()
    }

    fn effective_allow(&self) -> &[String] {
        if self.inherits { &[] } else { &self.allow }
    }

    /// What differs from `before` to this rule, removed patterns before added ones.
    pub fn changes_since(&self, before: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        match (before.inherits, self.inherits) {
            (true, false) => changes.push(Change::Restricts),
            (false, true) => changes.push(Change::Inherits),
            (true, true) | (false, false) => {}
        }
        let lists = [
            (
                List::Allow,
                before.effective_allow(),
                self.effective_allow(),
            ),
            (List::Deny, &before.deny, &self.deny),
        ];
        for (list, old, new) in lists {
            let gone = old.iter().filter(|pattern| !new.contains(pattern));
            changes.extend(gone.map(|pattern| Change::Removed(list, pattern.clone())));
            let come = new.iter().filter(|pattern| !old.contains(pattern));
            changes.extend(come.map(|pattern| Change::Added(list, pattern.clone())));
        }
        if before.note != self.note {
            changes.push(Change::Note(before.note.clone(), self.note.clone()));
        }
        changes
    }

    /// What was changed from `base` to this rule, done again on `theirs`: their patterns in their
    /// order, less the ones removed here, plus the ones added here. Where both changed the same
    /// single thing, this rule wins.
    #[must_use]
    pub fn onto(&self, base: &Self, theirs: &Self) -> Self {
        let inherits = if self.inherits == base.inherits {
            theirs.inherits
        } else {
            self.inherits
        };
        let note = if self.note == base.note {
            &theirs.note
        } else {
            &self.note
        };
        Self {
            inherits,
            allow: carry_over(&base.allow, &self.allow, &theirs.allow),
            deny: carry_over(&base.deny, &self.deny, &theirs.deny),
            note: note.clone(),
        }
    }
}

fn carry_over(base: &[String], mine: &[String], theirs: &[String]) -> Vec<String> {
    let kept = theirs
        .iter()
        .filter(|pattern| mine.contains(pattern) || !base.contains(pattern));
    let added = mine
        .iter()
        .filter(|pattern| !base.contains(pattern) && !theirs.contains(pattern));
    kept.chain(added).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(allow: Option<&[&str]>, deny: &[&str], note: &str) -> Draft {
        let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
        Draft {
            inherits: allow.is_none(),
            allow: allow.map(list).unwrap_or_default(),
            deny: list(deny),
            note: note.to_owned(),
        }
    }

    #[test]
    fn the_three_kinds_of_allow_list_stay_apart() {
        for draft in [
            rule(None, &["a"], ""),
            rule(Some(&[]), &[], "why"),
            rule(Some(&["git_*"]), &["a"], ""),
        ] {
            assert_eq!(Draft::from_stored(Some(&draft.to_content())), draft);
        }
        assert!(Draft::from_stored(None).is_idle());
        assert!(!rule(None, &[], "").is_same(&rule(Some(&[]), &[], "")));
    }

    #[test]
    fn a_hidden_allow_list_is_not_stored_and_not_a_change() {
        let mut draft = rule(Some(&["git_*"]), &[], "");
        let before = draft.clone();
        draft.inherits = true;
        assert_eq!(draft.to_content().allow, None);
        assert_eq!(
            draft.changes_since(&before),
            [
                Change::Inherits,
                Change::Removed(List::Allow, "git_*".to_owned())
            ]
        );
        draft.inherits = false;
        assert!(draft.changes_since(&before).is_empty());
    }

    #[test]
    fn a_change_is_carried_over_to_a_row_that_moved() {
        let base = rule(Some(&["a", "b"]), &["x"], "old");
        let mine = rule(Some(&["a", "c"]), &["x"], "old");
        let theirs = rule(Some(&["z", "b", "a"]), &["x", "y"], "new");
        assert_eq!(
            mine.onto(&base, &theirs),
            rule(Some(&["z", "a", "c"]), &["x", "y"], "new")
        );
        // Nothing changed here: theirs as it is. Nothing changed there: mine as it is.
        assert_eq!(base.onto(&base, &theirs), theirs);
        assert_eq!(mine.onto(&base, &base), mine);
    }

    #[test]
    fn the_own_choice_wins_where_both_chose() {
        let base = rule(None, &[], "");
        let mine = rule(Some(&["a"]), &[], "mine");
        let theirs = rule(None, &["d"], "theirs");
        let result = mine.onto(&base, &theirs);
        assert!(!result.inherits);
        assert_eq!(result.note, "mine");
        assert_eq!(result.deny, ["d"]);
        // They deleted the row: what was written before and after survives as mine.
        let gone = Draft::from_stored(None);
        assert_eq!(mine.onto(&base, &gone), mine);
    }
}
