//! Patterns of many layers as one byte trie: one walk along a tool name tells which layers match
//! it. Everything is kept in two flat lists, so that building it costs few allocations.

use crate::rules::pattern::trim;

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

/// Stands for the effective matrix among the places of a chain.
pub(super) const MATRIX: usize = 31;

/// The bit of a place. A chain has five layers; should one ever have more than 31, the last ones
/// share a bit and the matrix keeps its own.
fn bit(place: usize) -> u32 {
    match place {
        MATRIX => 1 << MATRIX,
        place => 1 << place.min(MATRIX - 1),
    }
}

/// Which of a layer's lists a pattern is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Allow,
    Deny,
}

/// A deny pattern, by the place of its layer and its own place in the layer's list.
#[derive(Clone, Copy, Debug)]
struct Denial {
    layer: usize,
    index: usize,
    is_prefix: bool,
}

/// What the patterns that end at one node say.
#[derive(Clone, Debug, Default)]
struct End {
    /// Of patterns with a star: they match every name that comes past.
    prefix: Hits,
    /// Of exact names: they match the name that ends here.
    exact: Hits,
    denials: Vec<Denial>,
}

/// One byte of some pattern. Links are places in the list of nodes; 0, the root, is nobody's
/// child and stands for "none". `end` is a place in the list of ends plus one.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    byte: u8,
    first_child: u32,
    next_sibling: u32,
    end: u32,
}

/// Patterns, ready to be matched against many names.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    ends: Vec<End>,
}

impl Trie {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            ends: Vec::new(),
        }
    }

    /// Takes in a list of patterns of the layer at `layer`.
    pub(super) fn add(&mut self, layer: usize, list: List, patterns: &[String]) {
        let hits = match list {
            List::Allow => Hits {
                allow: bit(layer),
                deny: 0,
            },
            List::Deny => Hits {
                allow: 0,
                deny: bit(layer),
            },
        };
        for (index, pattern) in patterns.iter().enumerate() {
            let pattern = trim(pattern);
            if pattern.is_empty() {
                continue;
            }
            let (stem, is_prefix) = match pattern.strip_suffix('*') {
                Some(stem) => (stem, true),
                None => (pattern, false),
            };
            let Some(end) = self.end_of(stem) else {
                continue;
            };
            if is_prefix {
                end.prefix.add(hits);
            } else {
                end.exact.add(hits);
            }
            if list == List::Deny && layer != MATRIX {
                end.denials.push(Denial {
                    layer,
                    index,
                    is_prefix,
                });
            }
        }
    }

    /// The end for patterns with this stem, made if there is none yet.
    fn end_of(&mut self, stem: &str) -> Option<&mut End> {
        let mut place = 0;
        for byte in stem.bytes() {
            let byte = byte.to_ascii_lowercase();
            place = match self.step(place, byte) {
                Some(next) => next,
                None => self.grow(place, byte)?,
            };
        }
        let node = self.nodes.get_mut(place)?;
        if node.end == 0 {
            self.ends.push(End::default());
            node.end = u32::try_from(self.ends.len()).ok()?;
        }
        let end = usize::try_from(node.end).ok()?;
        self.ends.get_mut(end - 1)
    }

    fn grow(&mut self, parent: usize, byte: u8) -> Option<usize> {
        let place = self.nodes.len();
        let link = u32::try_from(place).ok()?;
        let parent = self.nodes.get_mut(parent)?;
        let next_sibling = std::mem::replace(&mut parent.first_child, link);
        self.nodes.push(Node {
            byte,
            next_sibling,
            ..Node::default()
        });
        Some(place)
    }

    fn node(&self, link: u32) -> Option<(usize, &Node)> {
        let place = usize::try_from(link).ok().filter(|place| *place > 0)?;
        Some((place, self.nodes.get(place)?))
    }

    fn step(&self, parent: usize, byte: u8) -> Option<usize> {
        let mut child = self.node(self.nodes.get(parent)?.first_child);
        while let Some((place, node)) = child {
            if node.byte == byte {
                return Some(place);
            }
            child = self.node(node.next_sibling);
        }
        None
    }

    /// Calls `visit` for every end a trimmed name passes; the flag says whether it is the end of
    /// the name as well.
    fn walk<'a>(&'a self, name: &str, mut visit: impl FnMut(&'a End, bool)) {
        if name.is_empty() {
            return;
        }
        let mut place = 0;
        let mut bytes = name.bytes();
        loop {
            let Some(node) = self.nodes.get(place) else {
                return;
            };
            let byte = bytes.next();
            if let Some(end) = usize::try_from(node.end)
                .ok()
                .and_then(|end| self.ends.get(end.checked_sub(1)?))
            {
                visit(end, byte.is_none());
            }
            let next = byte.and_then(|byte| self.step(place, byte.to_ascii_lowercase()));
            match next {
                Some(next) => place = next,
                None => return,
            }
        }
    }

    /// Which layers match a name.
    pub(super) fn hits(&self, name: &str) -> Hits {
        let mut hits = Hits::default();
        self.walk(trim(name), |end, is_whole| {
            hits.add(end.prefix);
            if is_whole {
                hits.add(end.exact);
            }
        });
        hits
    }

    /// The place, in the deny list of the layer at `layer`, of the first pattern that matches a
    /// name; with `only_prefix` the first one with a star.
    pub(super) fn first_denial(
        &self,
        layer: usize,
        name: &str,
        only_prefix: bool,
    ) -> Option<usize> {
        let mut first: Option<usize> = None;
        self.walk(trim(name), |end, is_whole| {
            let matching = end.denials.iter().filter(|denial| {
                denial.layer == layer && (denial.is_prefix || (is_whole && !only_prefix))
            });
            let here = matching.map(|denial| denial.index).min();
            first = match (first, here) {
                (Some(first), Some(here)) => Some(first.min(here)),
                (first, here) => first.or(here),
            };
        });
        first
    }
}
