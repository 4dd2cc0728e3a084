//! Which paths inside a skill's directory may be read (skills contract section 3): as Coder decides
//! it, and the stricter rule of our own reader.

use super::uri::{Segment, scheme};

/// Why a path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathProblem {
    /// Nothing was written.
    Empty,
    /// It begins at the root of the file system.
    Absolute,
    /// It climbs with `..`.
    Traversal,
    /// A part of it begins with a dot.
    Hidden,
    /// Two slashes in a row, or one at the end.
    EmptySegment,
    /// A backslash, which some systems take for a separator.
    Backslash,
    /// It begins with a drive or a scheme.
    SchemeOrDrive,
    /// An escaped separator: `%2f`.
    EncodedSeparator,
    /// A control character.
    ControlCharacter,
}

impl PathProblem {
    /// A short stable name of the reason.
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Absolute => "absolute",
            Self::Traversal => "traversal",
            Self::Hidden => "hidden",
            Self::EmptySegment => "empty-segment",
            Self::Backslash => "backslash",
            Self::SchemeOrDrive => "scheme-or-drive",
            Self::EncodedSeparator => "encoded-separator",
            Self::ControlCharacter => "control-character",
        }
    }

    /// What is wrong, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Empty => "A path is needed.",
            Self::Absolute => "The path must not begin with a slash.",
            Self::Traversal => "The path must not climb with `..`.",
            Self::Hidden => "No part of the path may begin with a dot.",
            Self::EmptySegment => "No part of the path may be empty.",
            Self::Backslash => "The path must not hold a backslash.",
            Self::SchemeOrDrive => "The path must not begin with a drive or a scheme.",
            Self::EncodedSeparator => "The path must not hold an escaped separator.",
            Self::ControlCharacter => "The path must not hold control characters.",
        }
    }
}

/// What Coder has against a path, if anything. It lets pass what only other systems would
/// misread: backslashes, drives, escapes, control characters.
pub fn coder(path: &str) -> Option<PathProblem> {
    if path.is_empty() {
        return Some(PathProblem::Empty);
    }
    if path.starts_with('/') {
        return Some(PathProblem::Absolute);
    }
    path.split('/').find_map(|part| {
        if part == ".." {
            Some(PathProblem::Traversal)
        } else {
            part.starts_with('.').then_some(PathProblem::Hidden)
        }
    })
}

/// What our reader has against a path, if anything. A path that passes stays below the directory
/// it is joined to on every system, also when escapes are resolved once.
pub fn strict(path: &str) -> Option<PathProblem> {
    if path.is_empty() {
        return Some(PathProblem::Empty);
    }
    if path.chars().any(char::is_control) {
        return Some(PathProblem::ControlCharacter);
    }
    if path.contains('\\') {
        return Some(PathProblem::Backslash);
    }
    if path.starts_with('/') {
        return Some(PathProblem::Absolute);
    }
    if scheme(path).is_some() {
        return Some(PathProblem::SchemeOrDrive);
    }
    path.split('/').find_map(|part| {
        let segment = Segment::decode(part);
        if segment.has_separator() {
            Some(PathProblem::EncodedSeparator)
        } else if segment.has_control() {
            Some(PathProblem::ControlCharacter)
        } else if segment.is_empty() {
            Some(PathProblem::EmptySegment)
        } else if segment.is_parent() {
            Some(PathProblem::Traversal)
        } else {
            segment.is_hidden().then_some(PathProblem::Hidden)
        }
    })
}
