//! Where a relative link of a skill leads (skills contract section 1.8): into the directory of its
//! own `SKILL.md` as a path would, and never out of it.

use super::uri::{Segment, normalised, push_normalised, root, scheme};

/// Why a link is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The address it stands in is not that of a `SKILL.md`.
    BadSkillUri,
    /// A control character or a backslash.
    BadCharacter,
    /// A query.
    Query,
    /// A file of the reader's own machine.
    FileScheme,
    /// An address of another scheme.
    AbsoluteUri,
    /// An address outside of the skill.
    OutsideSkill,
    /// An address of another host.
    NetworkPath,
    /// A path from the root.
    AbsolutePath,
    /// An escaped separator.
    EncodedSeparator,
    /// It climbs out of the skill's directory.
    EscapesRoot,
}

impl Rejection {
    /// A short stable name of the reason.
    pub fn code(self) -> &'static str {
        match self {
            Self::BadSkillUri => "bad-skill-uri",
            Self::BadCharacter => "bad-character",
            Self::Query => "query",
            Self::FileScheme => "file-scheme",
            Self::AbsoluteUri => "absolute-uri",
            Self::OutsideSkill => "outside-skill",
            Self::NetworkPath => "network-path",
            Self::AbsolutePath => "absolute-path",
            Self::EncodedSeparator => "encoded-separator",
            Self::EscapesRoot => "escapes-root",
        }
    }

    /// What is wrong, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::BadSkillUri => "The skill’s address does not end with `/SKILL.md`.",
            Self::BadCharacter => "The link holds a control character or a backslash.",
            Self::Query => "The link has a query; files of a skill have none.",
            Self::FileScheme => "The link names a file of this machine.",
            Self::AbsoluteUri => "The link leads to another address.",
            Self::OutsideSkill => "The link leads out of the skill.",
            Self::NetworkPath => "The link leads to another host.",
            Self::AbsolutePath => "The link begins with a slash; links of a skill are relative.",
            Self::EncodedSeparator => "The link hides a separator in an escape.",
            Self::EscapesRoot => "The link climbs out of the skill’s directory.",
        }
    }
}

/// Where a link leads. Addresses are whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file of the skill; with a manifest in the manifest's spelling.
    File(String),
    /// A directory of the skill, without a final slash.
    Directory(String),
    /// The `SKILL.md` itself.
    Itself(String),
    /// A place inside of the skill that its manifest does not list.
    Unlisted(String),
    /// Nowhere.
    Rejected(Rejection),
}

/// Resolves `link`, as it stands in the `SKILL.md` at `skill_uri`. With the addresses a manifest
/// lists, only those are files.
pub fn resolve(skill_uri: &str, link: &str, manifest: Option<&[&str]>) -> Target {
    match inside(skill_uri, link) {
        Err(rejection) => Target::Rejected(rejection),
        Ok(None) => Target::Itself(skill_uri.to_owned()),
        Ok(Some(place)) => settle(place, manifest),
    }
}

/// A place inside of a skill.
struct Place {
    uri: String,
    is_directory: bool,
    is_root: bool,
}

fn inside(skill_uri: &str, link: &str) -> Result<Option<Place>, Rejection> {
    let root = root(skill_uri).ok_or(Rejection::BadSkillUri)?;
    let path = link.split_once('#').map_or(link, |(path, _)| path);
    if path.is_empty() {
        return Ok(None);
    }
    if path.chars().any(|c| c.is_control() || c == '\\') {
        return Err(Rejection::BadCharacter);
    }
    if path.contains('?') {
        return Err(Rejection::Query);
    }
    let root = normalised(root);
    match scheme(path) {
        Some(scheme) => {
            let uri = normalised(path);
            let rest = uri
                .strip_prefix(root.as_str())
                .ok_or_else(|| outside(scheme, &root))?;
            below(&root, rest).map(Some)
        }
        None if path.starts_with("//") => Err(Rejection::NetworkPath),
        None if path.starts_with('/') => Err(Rejection::AbsolutePath),
        None => below(&root, path).map(Some),
    }
}

fn outside(link: &str, root: &str) -> Rejection {
    if link.eq_ignore_ascii_case("file") {
        Rejection::FileScheme
    } else if scheme(root).is_some_and(|own| own.eq_ignore_ascii_case(link)) {
        Rejection::OutsideSkill
    } else {
        Rejection::AbsoluteUri
    }
}

/// Walks `path` from the skill's directory, as a file system would.
fn below(root: &str, path: &str) -> Result<Place, Rejection> {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_directory = true;
    for part in path.split('/') {
        let segment = Segment::decode(part);
        if segment.has_separator() {
            return Err(Rejection::EncodedSeparator);
        }
        if segment.has_control() {
            return Err(Rejection::BadCharacter);
        }
        is_directory = segment.is_empty() || segment.is_current() || segment.is_parent();
        if segment.is_parent() {
            kept.pop().ok_or(Rejection::EscapesRoot)?;
        } else if !is_directory {
            kept.push(part);
        }
    }
    let is_root = kept.is_empty();
    let mut uri = root.trim_end_matches('/').to_owned();
    for part in kept {
        uri.push('/');
        push_normalised(&mut uri, part);
    }
    Ok(Place {
        uri,
        is_directory: is_directory || is_root,
        is_root,
    })
}

fn settle(place: Place, manifest: Option<&[&str]>) -> Target {
    let Place {
        uri,
        is_directory,
        is_root,
    } = place;
    let Some(manifest) = manifest else {
        return if is_directory {
            Target::Directory(uri)
        } else {
            Target::File(uri)
        };
    };
    if is_root {
        return Target::Directory(uri);
    }
    let mut has_below = false;
    for listed in manifest {
        let key = normalised(listed);
        if key == uri && !is_directory {
            return Target::File((*listed).to_owned());
        }
        has_below |= key
            .strip_prefix(uri.as_str())
            .is_some_and(|rest| rest.starts_with('/'));
    }
    if has_below {
        Target::Directory(uri)
    } else {
        Target::Unlisted(uri)
    }
}
