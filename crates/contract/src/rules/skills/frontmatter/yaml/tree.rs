//! The tree of a YAML text, built from the parser's events, with the limits and refusals of its
//! kind.

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, ScalarStyle, Span, Tag};

use super::{Dialect, Node, Value, YamlError};

/// How deep mappings and sequences may be nested.
const DEPTH_MAX: usize = 32;

/// How many nodes a document may have, copies by alias counted.
const NODES_MAX: usize = 20_000;

/// A mapping or sequence that is not closed yet.
struct Open {
    node: Node,
    anchor: usize,
    key: Option<String>,
    keys: HashSet<String>,
}

/// The tree as it grows.
pub(super) struct Tree {
    characters: Vec<char>,
    dialect: Dialect,
    root: Option<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    documents: usize,
    /// Where tabs are content: quoted and block text.
    opaque: Vec<(usize, usize)>,
}

impl Tree {
    /// A tree with nothing in it yet, for the events of `text`.
    pub(super) fn new(text: &str, dialect: Dialect) -> Self {
        Self {
            characters: text.chars().collect(),
            dialect,
            root: None,
            open: Vec::new(),
            anchors: HashMap::new(),
            nodes: 0,
            documents: 0,
            opaque: Vec::new(),
        }
    }

    /// What was read; `None` if nothing stands there.
    pub(super) fn into_root(self) -> Option<Node> {
        self.root
    }

    /// Takes the next event; true when nothing more is to be read.
    pub(super) fn take(&mut self, event: Event<'_>, span: Span) -> Result<bool, YamlError> {
        let line = span.start.line();
        match event {
            Event::Nothing | Event::StreamStart => {}
            Event::StreamEnd => return Ok(true),
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 && self.dialect == Dialect::Strict {
                    return Err(YamlError::new("a second document begins here", line));
                }
            }
            Event::DocumentEnd => return Ok(self.dialect == Dialect::Lenient),
            Event::Scalar(text, style, anchor, tag) => {
                let value = self.scalar(&text, style, span, tag.as_deref())?;
                self.close(Node { value, line }, anchor)?;
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(Value::Sequence(Vec::new()), anchor, span, tag.as_deref())?;
            }
            Event::MappingStart(anchor, tag) => {
                self.begin(Value::Mapping(Vec::new()), anchor, span, tag.as_deref())?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.close(open.node, open.anchor)?;
                }
            }
            Event::Alias(anchor) => {
                if self.dialect == Dialect::Strict {
                    return Err(YamlError::new("aliases are not allowed", line));
                }
                let copy = self.anchors.get(&anchor).cloned().ok_or_else(|| {
                    YamlError::new("the alias refers to a value that contains it", line)
                })?;
                self.count(size(&copy), line)?;
                self.close(copy, 0)?;
            }
        }
        Ok(false)
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        span: Span,
        tag: Option<&Tag>,
    ) -> Result<Value, YamlError> {
        self.no_extras(span, tag)?;
        let is_plain = style == ScalarStyle::Plain;
        let (start, end) = (span.start.index(), span.end.index());
        if !is_plain {
            self.opaque.push((start, end));
        }
        // The parser reports a value that is not there as `~`.
        let is_absent = is_plain && self.characters.get(start) != Some(&'~') && text == "~";
        Ok(Value::Scalar {
            text: if is_absent {
                String::new()
            } else {
                text.to_owned()
            },
            is_plain,
            tagged_text: tag.map(|tag| tag.is_yaml_core_schema() && tag.suffix == "str"),
        })
    }

    fn begin(
        &mut self,
        value: Value,
        anchor: usize,
        span: Span,
        tag: Option<&Tag>,
    ) -> Result<(), YamlError> {
        self.no_extras(span, tag)?;
        let line = span.start.line();
        let opens_flow = matches!(self.characters.get(span.start.index()), Some('{' | '['));
        if self.dialect == Dialect::Strict && opens_flow {
            return Err(YamlError::new(
                "flow style ({ } and [ ]) is not allowed",
                line,
            ));
        }
        if self.open.len() >= DEPTH_MAX {
            return Err(YamlError::new("nested too deeply", line));
        }
        self.open.push(Open {
            node: Node { value, line },
            anchor,
            key: None,
            keys: HashSet::new(),
        });
        Ok(())
    }

    /// Refuses what only the lenient kind has.
    fn no_extras(&mut self, span: Span, tag: Option<&Tag>) -> Result<(), YamlError> {
        let line = span.start.line();
        self.count(1, line)?;
        if self.dialect == Dialect::Strict && tag.is_some() {
            return Err(YamlError::new("tags are not allowed", line));
        }
        Ok(())
    }

    fn count(&mut self, nodes: usize, line: usize) -> Result<(), YamlError> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > NODES_MAX {
            return Err(YamlError::new("too many values", line));
        }
        Ok(())
    }

    /// Puts a finished value where it belongs.
    fn close(&mut self, node: Node, anchor: usize) -> Result<(), YamlError> {
        if anchor != 0 {
            if self.dialect == Dialect::Strict {
                return Err(YamlError::new("anchors are not allowed", node.line));
            }
            self.anchors.insert(anchor, node.clone());
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut parent.node.value {
            Value::Sequence(values) => values.push(node),
            Value::Mapping(pairs) => {
                if let Some(key) = parent.key.take() {
                    pairs.push((key, node));
                    return Ok(());
                }
                let Value::Scalar { text, .. } = node.value else {
                    return Err(YamlError::new("a key must be text", node.line));
                };
                if !parent.keys.insert(text.clone()) {
                    return Err(YamlError {
                        message: format!("the key `{text}` is there twice"),
                        line: node.line,
                    });
                }
                parent.key = Some(text);
            }
            Value::Scalar { .. } => {}
        }
        Ok(())
    }

    /// The line of the first tab that is neither in quoted or block text nor in a comment.
    pub(super) fn loose_tab(&self) -> Option<usize> {
        let mut line = 1;
        let mut comment = false;
        let mut before = '\n';
        let mut opaque = self.opaque.iter().peekable();
        for (at, &character) in self.characters.iter().enumerate() {
            while opaque.next_if(|&&(_, to)| to <= at).is_some() {}
            let is_content = opaque.peek().is_some_and(|&&(from, _)| from <= at);
            match character {
                '\n' => {
                    line += 1;
                    comment = false;
                }
                '#' if !is_content && before.is_whitespace() => comment = true,
                '\t' if !is_content && !comment => return Some(line),
                _ => {}
            }
            before = character;
        }
        None
    }
}

fn size(node: &Node) -> usize {
    match &node.value {
        Value::Scalar { .. } => 1,
        Value::Sequence(values) => 1 + values.iter().map(size).sum::<usize>(),
        Value::Mapping(pairs) => {
            1 + pairs
                .iter()
                .map(|(_, value)| 1 + size(value))
                .sum::<usize>()
        }
    }
}
