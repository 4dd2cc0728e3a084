//! R2, fast: the fold's patterns made ready for many questions, so that thousands of tools can be
//! judged within a frame. Agrees with [`crate::rules::fold::decide`] on every name.

use crate::grants::ResolvedGrants;
use crate::rules::pattern::trim;
use crate::rules::trie::{List, MATRIX, Trie};

pub use crate::rules::trie::Hits;

/// The matrix verdict on one tool, without words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Some allow pattern matches and no deny pattern does.
    Allowed,
    /// A deny pattern matches.
    Denied,
    /// No allow pattern matches.
    NotGranted,
    /// The name is empty.
    InvalidName,
}

/// The patterns of a resolved chain, ready for many questions.
#[derive(Clone, Debug)]
pub struct Compiled {
    trie: Trie,
}

impl Compiled {
    /// Takes in every kept allow and every deny pattern of the chain and of the matrix.
    pub fn new(resolved: &ResolvedGrants) -> Self {
        let mut trie = Trie::new();
        for (place, entry) in resolved.chain.iter().enumerate() {
            trie.add(place, List::Allow, &entry.allow);
            trie.add(place, List::Deny, &entry.deny);
        }
        trie.add(MATRIX, List::Allow, &resolved.matrix.allow);
        trie.add(MATRIX, List::Deny, &resolved.matrix.deny);
        Self { trie }
    }

    /// Which layers of the chain match a name.
    pub fn hits(&self, tool: &str) -> Hits {
        self.trie.hits(tool)
    }

    /// The place, in the deny list of the chain's layer at `layer`, of its first pattern that
    /// matches a name.
    pub fn first_denial(&self, layer: usize, tool: &str) -> Option<usize> {
        self.trie.first_denial(layer, tool, false)
    }

    /// Like [`Compiled::first_denial`], for patterns that end with a star only.
    pub fn first_prefix_denial(&self, layer: usize, tool: &str) -> Option<usize> {
        self.trie.first_denial(layer, tool, true)
    }

    /// The matrix verdict on a name.
    pub fn verdict(&self, tool: &str) -> Verdict {
        let hits = self.hits(tool);
        if hits.denies(MATRIX) {
            Verdict::Denied
        } else if hits.allows(MATRIX) {
            Verdict::Allowed
        } else if trim(tool).is_empty() {
            Verdict::InvalidName
        } else {
            Verdict::NotGranted
        }
    }
}
