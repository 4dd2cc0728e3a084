//! Wishes about rows that are written one by one, as a pure state machine. Each row has at most
//! one write on its way; what is wished meanwhile waits, and the last wish wins. What is shown is
//! the stored truth with everything that waits carried out on it.

use std::collections::BTreeMap;

/// A wish that was refused. It stays until it is retried, dismissed or overtaken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal<W> {
    /// What was wanted.
    pub wish: W,
    /// Why it was refused, for people.
    pub said: String,
    /// Its answer was lost and nothing could be read since: it may be stored all the same.
    pub unsure: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row<W> {
    writing: Option<W>,
    waiting: Option<W>,
}

/// See the module. Rows are told apart by their id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes<W> {
    rows: BTreeMap<String, Row<W>>,
    refusals: BTreeMap<String, Refusal<W>>,
}

impl<W> Default for Wishes<W> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            refusals: BTreeMap::new(),
        }
    }
}

impl<W: Clone + PartialEq> Wishes<W> {
    /// Wishes something for a row. An earlier wish that waits and an earlier refusal are dropped.
    pub fn push(&mut self, id: &str, wish: W) {
        self.refusals.remove(id);
        let row = self.rows.entry(id.to_owned()).or_insert(Row {
            writing: None,
            waiting: None,
        });
        row.waiting = Some(wish);
    }

    /// Takes the wish to write next for a row, unless one is on its way or the truth holds it.
    pub fn begin(&mut self, id: &str, truth: &W) -> Option<W> {
        let row = self.rows.get_mut(id)?;
        if row.writing.is_some() {
            return None;
        }
        match row.waiting.take().filter(|wish| wish != truth) {
            Some(wish) => {
                row.writing = Some(wish.clone());
                Some(wish)
            }
            None => {
                self.rows.remove(id);
                None
            }
        }
    }

    /// The wish that was begun is stored.
    pub fn succeed(&mut self, id: &str) {
        self.end(id);
    }

    /// The wish that was begun was refused; `unsure` when it may be stored all the same. A newer
    /// wish for the row stands in place of the refused one.
    pub fn refuse(&mut self, id: &str, said: String, unsure: bool) {
        let wish = self.end(id);
        if let Some(wish) = wish.filter(|_| !self.rows.contains_key(id)) {
            let refusal = Refusal { wish, said, unsure };
            self.refusals.insert(id.to_owned(), refusal);
        }
    }

    /// The wish that was begun could not be made now (the session ended); it waits again.
    pub fn postpone(&mut self, id: &str) {
        if let Some(row) = self.rows.get_mut(id) {
            let begun = row.writing.take();
            row.waiting = row.waiting.take().or(begun);
        }
    }

    /// Takes what was begun, and keeps the row only while something waits.
    fn end(&mut self, id: &str) -> Option<W> {
        let row = self.rows.get_mut(id)?;
        let wish = row.writing.take();
        if row.waiting.is_none() {
            self.rows.remove(id);
        }
        wish
    }

    /// Wishes again what was refused.
    pub fn retry(&mut self, id: &str) {
        if let Some(refusal) = self.refusals.remove(id) {
            self.push(id, refusal.wish);
        }
    }

    /// Forgets a refusal.
    pub fn dismiss(&mut self, id: &str) {
        self.refusals.remove(id);
    }

    /// Forgets refusals of what the truth holds meanwhile; `truth` is `None` for rows that are not
    /// known. Says whether there were any.
    pub fn drop_moot(&mut self, truth: impl Fn(&str) -> Option<W>) -> bool {
        let before = self.refusals.len();
        self.refusals
            .retain(|id, refusal| truth(id).is_none_or(|truth| truth != refusal.wish));
        self.refusals.len() != before
    }

    /// The rows that something waits for.
    pub fn waiting(&self) -> Vec<String> {
        let waits = |(id, row): (&String, &Row<W>)| row.waiting.is_some().then(|| id.clone());
        self.rows.iter().filter_map(waits).collect()
    }

    /// Whether a wish for the row waits or is on its way.
    pub fn is_busy(&self, id: &str) -> bool {
        self.rows.contains_key(id)
    }

    /// The refusal to show on a row.
    pub fn refusal_of(&self, id: &str) -> Option<&Refusal<W>> {
        self.refusals.get(id)
    }

    /// What to show on a row whose stored state is `truth`.
    pub fn shown(&self, id: &str, truth: W) -> W {
        let row = self.rows.get(id);
        row.and_then(|row| row.waiting.clone().or_else(|| row.writing.clone()))
            .unwrap_or(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_write_per_row_and_the_last_wish_wins() {
        let mut wishes = Wishes::default();
        wishes.push("a", true);
        assert_eq!(wishes.begin("a", &false), Some(true));
        wishes.push("a", false);
        wishes.push("a", true);
        wishes.push("a", false);
        wishes.push("b", true);
        assert_eq!(wishes.begin("a", &false), None);
        assert_eq!(wishes.begin("b", &false), Some(true));
        assert!(!wishes.shown("a", false));
        wishes.succeed("a");
        // Nothing flickers: the wish that waits still decides what is shown.
        assert!(!wishes.shown("a", true));
        assert_eq!(wishes.begin("a", &true), Some(false));
        wishes.succeed("a");
        assert!(!wishes.is_busy("a"));
        assert!(wishes.is_busy("b"));
    }

    #[test]
    fn what_the_truth_holds_already_is_not_sent() {
        let mut wishes = Wishes::default();
        wishes.push("a", true);
        assert_eq!(wishes.begin("a", &true), None);
        assert!(!wishes.is_busy("a"));
    }

    #[test]
    fn a_refused_wish_shows_the_truth_and_can_be_retried() {
        let mut wishes = Wishes::default();
        wishes.push("a", true);
        wishes.begin("a", &false);
        wishes.refuse("a", "db down".to_owned(), false);
        assert!(!wishes.shown("a", false));
        let said = wishes.refusal_of("a").map(|refusal| refusal.said.as_str());
        assert_eq!(said, Some("db down"));
        wishes.retry("a");
        assert_eq!(wishes.refusal_of("a"), None);
        assert_eq!(wishes.begin("a", &false), Some(true));
    }

    #[test]
    fn a_newer_wish_stands_in_place_of_a_refused_one() {
        let mut wishes = Wishes::default();
        wishes.push("a", 1);
        wishes.begin("a", &0);
        wishes.push("a", 2);
        wishes.refuse("a", "no".to_owned(), false);
        assert_eq!(wishes.refusal_of("a"), None);
        assert_eq!(wishes.begin("a", &0), Some(2));
    }

    #[test]
    fn a_refusal_ends_when_what_it_asked_for_is_so() {
        let mut wishes = Wishes::default();
        wishes.push("a", true);
        wishes.begin("a", &false);
        wishes.refuse("a", "lost".to_owned(), true);
        assert!(!wishes.drop_moot(|_| Some(false)));
        assert!(!wishes.drop_moot(|_| None));
        assert!(wishes.drop_moot(|_| Some(true)));
        assert_eq!(wishes.refusal_of("a"), None);
    }

    #[test]
    fn a_wish_that_met_the_end_of_the_session_waits_again() {
        let mut wishes = Wishes::default();
        wishes.push("a", true);
        wishes.begin("a", &false);
        assert!(wishes.waiting().is_empty());
        wishes.postpone("a");
        assert_eq!(wishes.waiting(), ["a"]);
        assert_eq!(wishes.begin("a", &false), Some(true));
    }
}
