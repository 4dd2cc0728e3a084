//! R4: what a switch writes (contract section 15), as pure functions from the stored row and an
//! intent to the row to store. Patterns the page cannot see, their order and the note are kept.

use std::collections::HashSet;

use crate::grants::{GrantContent, NOTE_MAX, PATTERNS_MAX};
use crate::rules::explain::{AgentView, Cause, Switch};
use crate::rules::pattern::{PatternError, check_pattern, is_tool_name, matches, sanitize, trim};
use crate::rules::permissions::Flag;

/// Why a tool cannot be switched from the agent's own row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The flag that gates it is off.
    PermissionOff(Flag),
    /// A layer above, at this place of the chain, denies it.
    Denied {
        /// Place in the resolved chain.
        layer: usize,
    },
    /// A layer above, at this place of the chain, leaves it out of its allow list.
    NotGranted {
        /// Place in the resolved chain.
        layer: usize,
    },
    /// A wildcard deny of the agent's own row covers it.
    OwnPattern(String),
    /// The list would hold more than 200 patterns.
    TooManyPatterns,
    /// No pattern can name the tool.
    NotAPattern,
}

impl Obstacle {
    /// One sentence that names the obstacle.
    pub fn sentence(&self, view: &AgentView) -> String {
        let scope = |layer: usize| {
            view.resolved()
                .chain
                .get(layer)
                .map_or("A scope above", |entry| entry.scope.label())
                .to_owned()
        };
        match self {
            Self::PermissionOff(flag) => {
                format!("{} is off, so the tool is never assembled.", flag.label())
            }
            Self::Denied { layer } => format!(
                "It is denied by the {}, and this agent can only narrow.",
                scope(*layer)
            ),
            Self::NotGranted { layer } => format!("It is not granted by the {}.", scope(*layer)),
            Self::OwnPattern(pattern) => format!("The pattern {pattern} on this agent covers it."),
            Self::TooManyPatterns => {
                format!("The list would hold more than {PATTERNS_MAX} patterns.")
            }
            Self::NotAPattern => "Its name cannot be written as a pattern.".to_owned(),
        }
    }

    fn of(cause: &Cause) -> Option<Self> {
        match cause {
            Cause::PermissionOff(flag) => Some(Self::PermissionOff(flag.clone())),
            Cause::Denied { layer, .. } => Some(Self::Denied { layer: *layer }),
            Cause::NotGranted { layer } => Some(Self::NotGranted { layer: *layer }),
            Cause::DeniedByOwnPattern { pattern } => Some(Self::OwnPattern(pattern.clone())),
            Cause::InvalidName => Some(Self::NotAPattern),
            Cause::DeniedHere { .. } | Cause::NotGrantedHere => None,
        }
    }
}

/// What a toggle comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The row to store. `deny` is always there, if only empty; `allow` only if the row has one.
    pub content: GrantContent,
    /// Tools whose verdict the edit changes, in the order given and each once.
    pub changed: Vec<String>,
    /// Tools it leaves alone, and why. Tools that already are as wanted are in neither list; a
    /// tool that only its permission flag keeps off is not, as turning it off means to keep it so.
    pub skipped: Vec<(String, Obstacle)>,
    /// Whether there is anything to store.
    pub is_change: bool,
}

/// Turns tools on or off in one write. Tools that are locked are skipped, tools that already are
/// as wanted are left as they are.
///
/// Off adds the exact name to the deny list. On takes the exact name out of the deny list, in any
/// case, and adds it to the allow list if the row has one that does not let it through; wildcards
/// are never touched. Everything else stays: the note, the order, repeated and malformed patterns.
///
/// A [failed-open](AgentView::failed_open) view has no agent layer: tools can be turned off in the
/// stored row, which takes effect when the server's lookup works again.
pub fn toggle(view: &AgentView, tools: &[(&str, Option<&Flag>)], on: bool) -> Edit {
    let mut content = view.agent_content().cloned().unwrap_or_default();
    let mut deny = content.deny.take().unwrap_or_default();
    let mut changed: Vec<String> = Vec::new();
    let mut skipped = Vec::new();
    let mut seen = HashSet::new();
    for (tool, gate) in tools {
        let name = trim(tool);
        if !seen.insert(name.to_ascii_lowercase()) {
            continue;
        }
        let standing = view.standing(name, *gate);
        let is_refused_anyway = standing
            .causes
            .iter()
            .any(|cause| !matches!(cause, Cause::PermissionOff(_)));
        if !on && is_refused_anyway {
            continue;
        }
        if let Some(obstacle) = standing.causes.iter().find_map(Obstacle::of) {
            skipped.push(((*tool).to_owned(), obstacle));
            continue;
        }
        let outcome = match (on, standing.switch) {
            (true, Switch::On) | (false, Switch::Off | Switch::Locked) => continue,
            (false, Switch::On) => turn_off(&mut deny, name),
            (true, Switch::Off | Switch::Locked) => {
                turn_on(view, &mut content.allow, &mut deny, name)
            }
        };
        match outcome {
            Ok(()) => changed.push((*tool).to_owned()),
            Err(obstacle) => skipped.push(((*tool).to_owned(), obstacle)),
        }
    }
    content.deny = Some(deny);
    let is_change = !changed.is_empty();
    Edit {
        content,
        changed,
        skipped,
        is_change,
    }
}

/// Whether a stored pattern denies a name: malformed ones are stored but have no effect.
fn denies(pattern: &str, name: &str) -> bool {
    check_pattern(trim(pattern)).is_ok() && matches(pattern, name)
}

/// Whether a stored pattern is exactly this name, in any case.
fn is_exactly(pattern: &str, name: &str) -> bool {
    trim(pattern).eq_ignore_ascii_case(name)
}

fn turn_off(deny: &mut Vec<String>, name: &str) -> Result<(), Obstacle> {
    if deny.iter().any(|pattern| denies(pattern, name)) {
        return Ok(());
    }
    if !is_tool_name(name) {
        return Err(Obstacle::NotAPattern);
    }
    if deny.len() >= PATTERNS_MAX {
        return Err(Obstacle::TooManyPatterns);
    }
    deny.push(name.to_owned());
    Ok(())
}

fn turn_on(
    view: &AgentView,
    allow: &mut Option<Vec<String>>,
    deny: &mut Vec<String>,
    name: &str,
) -> Result<(), Obstacle> {
    if let Some(list) = allow
        && !view.own_list_grants(name)
    {
        // A stored pattern may match and still be rejected above; the exact name is not.
        if !is_tool_name(name) {
            return Err(Obstacle::NotAPattern);
        }
        if list.len() >= PATTERNS_MAX {
            return Err(Obstacle::TooManyPatterns);
        }
        list.push(name.to_owned());
    }
    deny.retain(|pattern| !is_exactly(pattern, name));
    Ok(())
}

/// Replaces a wildcard deny of the agent's own row by the exact names of the other tools it
/// covers, so that `keep_on` comes free; they take its place in the list. `tools` are all known
/// tools: a tool that is not listed, such as one that appears later, is no longer denied.
pub fn split_pattern(
    view: &AgentView,
    pattern: &str,
    keep_on: &str,
    tools: &[&str],
) -> Result<GrantContent, Obstacle> {
    let (pattern, keep_on) = (trim(pattern), trim(keep_on));
    let above = view.standing(keep_on, None);
    let fixed = above.causes.iter().find_map(|cause| match cause {
        // The very thing that is about to be split.
        Cause::DeniedByOwnPattern { .. } => None,
        other => Obstacle::of(other),
    });
    if let Some(obstacle) = fixed {
        return Err(obstacle);
    }
    let mut content = view.agent_content().cloned().unwrap_or_default();
    let stored = content.deny.take().unwrap_or_default();
    let (parts, others): (Vec<_>, Vec<_>) = stored
        .iter()
        .enumerate()
        .partition(|(_, present)| is_exactly(present, pattern));
    let split_at = parts.first().map_or(stored.len(), |(place, _)| *place);
    let (before, behind): (Vec<_>, Vec<_>) = others
        .into_iter()
        .filter(|(_, present)| !is_exactly(present, keep_on))
        .partition(|(place, _)| *place < split_at);
    let texts = |list: Vec<(usize, &String)>| -> Vec<String> {
        list.into_iter().map(|(_, text)| text.clone()).collect()
    };
    let (mut deny, behind) = (texts(before), texts(behind));
    if let Some(other) = deny
        .iter()
        .chain(&behind)
        .find(|present| denies(present, keep_on))
    {
        return Err(Obstacle::OwnPattern(other.clone()));
    }
    let covered = tools.iter().map(|tool| trim(tool)).filter(|tool| {
        !parts.is_empty() && denies(pattern, tool) && !tool.eq_ignore_ascii_case(keep_on)
    });
    for tool in covered {
        if !behind.iter().any(|present| denies(present, tool)) {
            turn_off(&mut deny, tool)?;
        }
    }
    if deny.len() + behind.len() > PATTERNS_MAX {
        return Err(Obstacle::TooManyPatterns);
    }
    deny.extend(behind);
    turn_on(view, &mut content.allow, &mut deny, keep_on)?;
    content.deny = Some(deny);
    Ok(content)
}

/// One pattern an operator typed, with the line it stood on (from 1) and what is wrong with it.
pub type TypedPattern = (usize, String, Result<(), PatternError>);

/// Takes apart a text of patterns, one per line or separated by commas. A line ends with LF, CRLF
/// or a lone CR. Blank parts are left out.
pub fn parse_patterns(text: &str) -> Vec<TypedPattern> {
    text.replace("\r\n", "\n")
        .split(['\n', '\r'])
        .enumerate()
        .flat_map(|(line, text)| text.split(',').map(move |part| (line + 1, trim(part))))
        .filter(|(_, part)| !part.is_empty())
        .map(|(line, part)| (line, part.to_owned(), check_pattern(part)))
        .collect()
}

/// Something that keeps a row from being stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A list has too many patterns; how many it has.
    TooMany {
        /// `allow` or `deny`.
        list: &'static str,
        /// How many it has.
        count: usize,
    },
    /// A pattern is malformed.
    Pattern {
        /// `allow` or `deny`.
        list: &'static str,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        error: PatternError,
    },
    /// The note is too long; how many characters it has.
    NoteTooLong(usize),
    /// Neither list is given.
    Empty,
}

impl Problem {
    /// One sentence for people.
    pub fn sentence(&self) -> String {
        match self {
            Self::TooMany { list, count } => {
                format!(
                    "The {list} list has {count} patterns; at most {PATTERNS_MAX} are possible."
                )
            }
            Self::Pattern {
                list,
                pattern,
                error,
            } => format!("{list}: {pattern}: {}", error.sentence()),
            Self::NoteTooLong(length) => {
                format!("The note has {length} characters; at most {NOTE_MAX} are possible.")
            }
            Self::Empty => {
                "Give an allow or a deny list. To inherit everything, delete the rule instead."
                    .to_owned()
            }
        }
    }
}

/// The length of a note as the server counts it: in characters (Unicode scalar values).
pub fn note_length(note: &str) -> usize {
    note.chars().count()
}

/// Everything that keeps a row from being stored; empty when nothing does. Patterns are judged as
/// they are, as the server does: white space around one is an error too.
pub fn check_content(content: &GrantContent) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (list, patterns) in [("allow", &content.allow), ("deny", &content.deny)] {
        let patterns = patterns.as_deref().unwrap_or_default();
        if patterns.len() > PATTERNS_MAX {
            problems.push(Problem::TooMany {
                list,
                count: patterns.len(),
            });
        }
        problems.extend(patterns.iter().filter_map(|pattern| {
            let error = check_pattern(pattern).err()?;
            Some(Problem::Pattern {
                list,
                pattern: pattern.clone(),
                error,
            })
        }));
    }
    if let Some(length) = content
        .note
        .as_deref()
        .map(note_length)
        .filter(|length| *length > NOTE_MAX)
    {
        problems.push(Problem::NoteTooLong(length));
    }
    if content.allow.is_none() && content.deny.is_none() {
        problems.push(Problem::Empty);
    }
    problems
}

/// Whether a view leaves no tool usable although some were given.
pub fn blocks_everything(view: &AgentView, tools: &[(&str, Option<&Flag>)]) -> bool {
    !tools.is_empty()
        && tools
            .iter()
            .all(|(name, gate)| !view.standing(name, *gate).is_on())
}

/// Whether the agent's own allow list was rejected whole: it asks for something and gets nothing.
pub fn is_fully_rejected(view: &AgentView) -> bool {
    let asked = view
        .agent_content()
        .and_then(|own| sanitize(own.allow.as_deref()))
        .unwrap_or_default();
    !asked.is_empty() && view.resolved().matrix.allow.is_empty()
}
