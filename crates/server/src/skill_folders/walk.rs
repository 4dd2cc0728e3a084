//! Walking a folder: what is in it, without following links to directories, leaving its bounds or
//! opening anything but directories.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How deep directories are entered, from 0 for the folder itself.
const DEPTH_MAX: usize = 8;

/// How many directories are entered.
const DIRECTORIES_MAX: usize = 2_000;

/// How many entries are noted.
const ENTRIES_MAX: usize = 20_000;

/// How many directories that could not be read are named.
const UNREADABLE_MAX: usize = 20;

/// Directories that are never entered: they hold no skills and very many files.
const SKIPPED: [&str; 2] = [".git", "node_modules"];

/// What tells that a file was touched. The change time cannot be put back, unlike the time of the
/// last write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    size: u64,
    written: (i64, i64),
    changed: (i64, i64),
    inode: u64,
    device: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            size: metadata.size(),
            written: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            device: metadata.dev(),
        }
    }

    /// Bytes.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// When the content was last written, in milliseconds since 1970.
    pub(super) fn written_at(&self) -> i64 {
        self.written.0.saturating_mul(1_000) + self.written.1 / 1_000_000
    }

    /// When anything about the file last changed, in milliseconds since 1970.
    pub(super) fn changed_at(&self) -> i64 {
        self.changed.0.saturating_mul(1_000) + self.changed.1 / 1_000_000
    }
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file.
    File,
    /// A link to a file inside of the folder; where the file is.
    Link(PathBuf),
    /// A link that leads out of the folder.
    LinkOutside,
    /// A link that leads nowhere.
    LinkBroken,
    /// A link to something else than a file.
    LinkElsewhere,
    /// A directory.
    Directory,
    /// A pipe, a socket or a device.
    Special,
}

/// An entry of the folder.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its path below the folder, with `/`; what is not UTF-8 in it is replaced.
    pub(super) path: String,
    /// Where it is.
    pub(super) place: PathBuf,
    /// What it is.
    pub(super) kind: Kind,
    /// Of the file it is or leads to.
    pub(super) stamp: Stamp,
}

/// What a folder holds.
pub(super) struct Walk {
    /// The folder, links resolved.
    pub(super) root: PathBuf,
    /// Its entries, sorted by path.
    pub(super) entries: Vec<Entry>,
    /// What was left out and why, in sentences.
    pub(super) left_out: Vec<String>,
}

/// A directory that is still to be entered.
struct Pending {
    place: PathBuf,
    path: String,
    depth: usize,
}

/// Walks a folder. Fails if the folder itself cannot be read; what cannot be read below it is
/// told in `left_out`.
pub(super) fn walk(root: &Path) -> io::Result<Walk> {
    let root = fs::canonicalize(root)?;
    let mut walk = Walk {
        entries: Vec::new(),
        left_out: Vec::new(),
        root: root.clone(),
    };
    let mut unreadable = 0;
    let mut pending = vec![Pending {
        place: root,
        path: String::new(),
        depth: 0,
    }];
    let mut entered = 0;
    while let Some(directory) = pending.pop() {
        entered += 1;
        if entered > DIRECTORIES_MAX || walk.entries.len() >= ENTRIES_MAX {
            walk.left_out.push(format!(
                "The folder holds more than {DIRECTORIES_MAX} directories or {ENTRIES_MAX} entries; the rest was not read."
            ));
            break;
        }
        match entries(&walk.root, &directory) {
            Ok(found) => {
                let deeper = directory.depth + 1;
                for entry in found {
                    let name = entry.place.file_name().unwrap_or_default();
                    let enters = entry.kind == Kind::Directory
                        && !SKIPPED.iter().any(|skipped| name == *skipped);
                    if enters && deeper > DEPTH_MAX {
                        walk.left_out.push(format!(
                            "{} is deeper than {DEPTH_MAX} directories and was not read.",
                            entry.path
                        ));
                    } else if enters {
                        pending.push(Pending {
                            place: entry.place.clone(),
                            path: entry.path.clone(),
                            depth: deeper,
                        });
                    }
                    walk.entries.push(entry);
                }
            }
            Err(error) if directory.depth == 0 => return Err(error),
            Err(error) => {
                unreadable += 1;
                if unreadable <= UNREADABLE_MAX {
                    walk.left_out
                        .push(format!("{} could not be read: {error}.", directory.path));
                }
            }
        }
    }
    walk.left_out.truncate(2 * UNREADABLE_MAX);
    walk.entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(walk)
}

fn entries(root: &Path, directory: &Pending) -> io::Result<Vec<Entry>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(&directory.place)?.take(ENTRIES_MAX) {
        let entry = entry?;
        let place = entry.path();
        // Gone between being listed and being looked at: as if it had never been there.
        let Ok(own) = fs::symlink_metadata(&place) else {
            continue;
        };
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path = if directory.path.is_empty() {
            name.into_owned()
        } else {
            format!("{}/{name}", directory.path)
        };
        let (kind, stamp) = kind(root, &place, &own);
        found.push(Entry {
            path,
            place,
            kind,
            stamp,
        });
    }
    Ok(found)
}

fn kind(root: &Path, place: &Path, own: &Metadata) -> (Kind, Stamp) {
    let stamp = Stamp::of(own);
    if own.is_file() {
        return (Kind::File, stamp);
    }
    if own.is_dir() {
        return (Kind::Directory, stamp);
    }
    if !own.is_symlink() {
        return (Kind::Special, stamp);
    }
    let Ok(target) = fs::canonicalize(place) else {
        return (Kind::LinkBroken, stamp);
    };
    if !target.starts_with(root) {
        return (Kind::LinkOutside, stamp);
    }
    match fs::symlink_metadata(&target) {
        Ok(metadata) if metadata.is_file() => (Kind::Link(target), Stamp::of(&metadata)),
        Ok(_) => (Kind::LinkElsewhere, stamp),
        Err(_) => (Kind::LinkBroken, stamp),
    }
}
