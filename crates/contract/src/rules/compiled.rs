//! R2, fast: the fold's patterns as one byte trie, so that thousands of tools can be judged
//! within a frame. Agrees with [`crate::rules::fold::decide`] on every name.

use crate::grants::ResolvedGrants;
use crate::rules::pattern::trim;

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

/// The layers of a chain that match a name, one bit for each place in the chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Layers with a matching deny pattern.
    pub deny: u32,
    /// Layers with a matching kept allow pattern.
    pub allow: u32,
}

impl Hits {
    /// Whether the layer at `place` of the chain denies the name.
    pub fn denies(self, place: usize) -> bool {
        self.deny & bit(place) != 0
    }

    /// Whether a kept allow pattern of the layer at `place` of the chain matches the name.
    pub fn allows(self, place: usize) -> bool {
        self.allow & bit(place) != 0
    }

    fn add(&mut self, other: Self) {
        self.deny |= other.deny;
        self.allow |= other.allow;
    }
}

/// Stands for the effective matrix itself among the bits; chains have five layers at most.
const MATRIX: usize = 31;

fn bit(place: usize) -> u32 {
    1 << place.min(MATRIX)
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: Vec<(u8, u32)>,
    prefix: Hits,
    exact: Hits,
}

/// The patterns of a resolved chain, ready for many questions.
#[derive(Clone, Debug)]
pub struct Compiled {
    nodes: Vec<Node>,
}

impl Compiled {
    /// Takes in every kept allow and every deny pattern of the chain and of the matrix.
    pub fn new(resolved: &ResolvedGrants) -> Self {
        let mut compiled = Self {
            nodes: vec![Node::default()],
        };
        for (place, entry) in resolved.chain.iter().enumerate() {
            compiled.add(
                &entry.allow,
                Hits {
                    deny: 0,
                    allow: bit(place),
                },
            );
            compiled.add(
                &entry.deny,
                Hits {
                    deny: bit(place),
                    allow: 0,
                },
            );
        }
        compiled.add(
            &resolved.matrix.allow,
            Hits {
                deny: 0,
                allow: bit(MATRIX),
            },
        );
        compiled.add(
            &resolved.matrix.deny,
            Hits {
                deny: bit(MATRIX),
                allow: 0,
            },
        );
        compiled
    }

    fn add(&mut self, patterns: &[String], hits: Hits) {
        for pattern in patterns {
            let pattern = trim(pattern);
            let (stem, is_prefix) = match pattern.strip_suffix('*') {
                Some(stem) => (stem, true),
                None => (pattern, false),
            };
            if pattern.is_empty() {
                continue;
            }
            let end = stem
                .bytes()
                .fold(0, |node, byte| self.child(node, byte.to_ascii_lowercase()));
            if let Some(node) = self.nodes.get_mut(end) {
                if is_prefix {
                    node.prefix.add(hits);
                } else {
                    node.exact.add(hits);
                }
            }
        }
    }

    fn child(&mut self, parent: usize, byte: u8) -> usize {
        if let Some(present) = self.step(parent, byte) {
            return present;
        }
        let new = self.nodes.len();
        self.nodes.push(Node::default());
        if let (Some(node), Ok(index)) = (self.nodes.get_mut(parent), u32::try_from(new)) {
            node.children.push((byte, index));
        }
        new
    }

    fn step(&self, parent: usize, byte: u8) -> Option<usize> {
        let (_, index) = self
            .nodes
            .get(parent)?
            .children
            .iter()
            .find(|(label, _)| *label == byte)?;
        usize::try_from(*index).ok()
    }

    /// Which layers match a name.
    pub fn hits(&self, tool: &str) -> Hits {
        let name = trim(tool);
        let mut hits = Hits::default();
        if name.is_empty() {
            return hits;
        }
        let mut place = 0;
        for byte in name.bytes() {
            if let Some(node) = self.nodes.get(place) {
                hits.add(node.prefix);
            }
            match self.step(place, byte.to_ascii_lowercase()) {
                Some(next) => place = next,
                None => return hits,
            }
        }
        if let Some(node) = self.nodes.get(place) {
            hits.add(node.prefix);
            hits.add(node.exact);
        }
        hits
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
