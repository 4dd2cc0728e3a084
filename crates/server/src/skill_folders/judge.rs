//! Judging what a walk found: each `SKILL.md` by the contract's lint, each file by its digest.
//! Both are kept for as long as the file is untouched.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use contract::rules::skills::SKILL_FILE;
use contract::rules::skills::lint::{Content, lint};
use contract::rules::skills::manifest::{BYTES_MAX, FILES_MAX};
use contract::skill_folders::{FolderFile, FolderSkill};
use contract::skill_lint::SkillLint;
use sha2::{Digest, Sha256};

use super::id_of;
use super::walk::{Entry, Kind, Stamp, Walk};
use crate::clock;
use crate::secrets;
use crate::unicode::UNICODE;

/// The most bytes of a `SKILL.md` that are judged.
pub(super) const JUDGED_MAX: u64 = 1024 * 1024;

/// The most skills of a folder.
const SKILLS_MAX: usize = 1_000;

/// The most files listed over all skills of a folder.
const LISTED_MAX: usize = 20_000;

/// The most bytes of a folder that digests are made of.
const DIGESTED_MAX: u64 = 4 * BYTES_MAX;

/// A change in the same moment as a read may leave the record as it was: what was read sooner
/// than this after the last change is read again. In milliseconds.
const UNSURE: i64 = 2_000;

/// What is kept of files, by where they are.
#[derive(Default)]
pub(super) struct Kept(HashMap<PathBuf, Known>);

struct Known {
    stamp: Stamp,
    read_at: i64,
    digest: Option<String>,
    lint: Option<SkillLint>,
}

impl Kept {
    /// What is known of a file that is untouched since; else a blank.
    fn of(&mut self, place: &Path, stamp: Stamp) -> &mut Known {
        let blank = |read_at| Known {
            stamp,
            read_at,
            digest: None,
            lint: None,
        };
        let now = clock::now();
        let known = self.0.entry(place.to_owned()).or_insert_with(|| blank(now));
        if known.stamp != stamp || known.read_at < stamp.changed_at() + UNSURE {
            *known = blank(now);
        }
        known
    }
}

/// Where the text of a skill is.
pub(super) struct Source {
    /// Id of the skill.
    pub(super) id: String,
    /// The file, if it is one that may be read.
    pub(super) place: Option<PathBuf>,
    /// Name of the directory the skill is in.
    pub(super) dir: String,
}

/// The skills of a folder.
pub(super) struct Judged {
    /// Sorted by path; not settled yet.
    pub(super) skills: Vec<FolderSkill>,
    /// Where their texts are.
    pub(super) sources: Vec<Source>,
    /// What was left out and why.
    pub(super) left_out: Vec<String>,
}

/// Judges everything a walk of the folder given as `root` found.
pub(super) fn judge(root: &Path, walk: &Walk, kept: &mut Kept) -> Judged {
    let mut found = Judged {
        skills: Vec::new(),
        sources: Vec::new(),
        left_out: Vec::new(),
    };
    let mut allowance = Room {
        files: LISTED_MAX,
        bytes: DIGESTED_MAX,
        counted: HashSet::new(),
    };
    let named = |entry: &&Entry| entry.path.rsplit('/').next() == Some(SKILL_FILE);
    for entry in walk.entries.iter().filter(named) {
        if found.skills.len() >= SKILLS_MAX {
            found.left_out.push(format!(
                "The folder holds more than {SKILLS_MAX} skills; the rest was not read."
            ));
            break;
        }
        let id = id_of(root, &entry.path);
        found.sources.push(Source {
            id: id.clone(),
            place: readable(entry).map(Path::to_owned),
            dir: directory(entry),
        });
        found
            .skills
            .push(skill(id, entry, walk, kept, &mut allowance));
    }
    let present: HashSet<&Path> = walk.entries.iter().filter_map(readable).collect();
    kept.0.retain(|place, _| {
        // Other folders keep theirs.
        !place.starts_with(&walk.root) || present.contains(place.as_path())
    });
    found
}

/// How much of a folder may still be listed and read.
struct Room<'a> {
    files: usize,
    bytes: u64,
    /// Files of nested skills belong to several; their bytes count once.
    counted: HashSet<&'a Path>,
}

/// Where the bytes of an entry are, if it may be read.
fn readable(entry: &Entry) -> Option<&Path> {
    match &entry.kind {
        Kind::File => Some(&entry.place),
        Kind::Link(target) => Some(target),
        Kind::LinkOutside
        | Kind::LinkBroken
        | Kind::LinkElsewhere
        | Kind::Directory
        | Kind::Special => None,
    }
}

fn skill<'a>(
    id: String,
    entry: &Entry,
    walk: &'a Walk,
    kept: &mut Kept,
    room: &mut Room<'a>,
) -> FolderSkill {
    let lint = judged_file(entry, kept);
    let (files, files_cut) = files(entry, walk, kept, room);
    let first = |field: fn(&contract::skill_lint::HostVerdict) -> Option<&String>| {
        lint.hosts.iter().find_map(field).cloned()
    };
    let is_file = readable(entry).is_some();
    FolderSkill {
        id,
        path: entry.path.clone(),
        name: first(|verdict| verdict.name.as_ref()),
        description: first(|verdict| verdict.description.as_ref()),
        size: is_file.then(|| entry.stamp.size()),
        modified_at: is_file.then(|| clock::iso(entry.stamp.written_at())),
        files,
        files_cut,
        lint,
        uses: Vec::new(),
    }
}

/// The name of the directory an entry is in; of the folder itself for one at its top.
fn directory(entry: &Entry) -> String {
    entry
        .place
        .parent()
        .and_then(Path::file_name)
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn judged_file(entry: &Entry, kept: &mut Kept) -> SkillLint {
    let dir = directory(entry);
    let content = match &entry.kind {
        Kind::File | Kind::Link(_) if entry.stamp.size() > JUDGED_MAX => {
            Content::TooLarge(entry.stamp.size())
        }
        Kind::File => return read_and_judged(&dir, &entry.place, entry.stamp, Some(kept)),
        // One file may be linked from several directories, where its name counts differently.
        Kind::Link(target) => return read_and_judged(&dir, target, entry.stamp, None),
        Kind::LinkOutside => Content::LinkOutside,
        Kind::LinkBroken => Content::LinkBroken,
        Kind::LinkElsewhere => Content::NotAFile { through_link: true },
        Kind::Directory | Kind::Special => Content::NotAFile {
            through_link: false,
        },
    };
    lint(&dir, content, &UNICODE)
}

fn read_and_judged(dir: &str, place: &Path, stamp: Stamp, kept: Option<&mut Kept>) -> SkillLint {
    let known = kept.map(|kept| kept.of(place, stamp));
    if let Some(lint) = known.as_ref().and_then(|known| known.lint.clone()) {
        return lint;
    }
    let made = match read(place, JUDGED_MAX) {
        Ok((bytes, false)) => judge_bytes(dir, &bytes),
        Ok((_, true)) => lint(dir, Content::TooLarge(JUDGED_MAX + 1), &UNICODE),
        // Not kept: the next request tries again.
        Err(error) => return lint(dir, Content::Unreadable(&error.to_string()), &UNICODE),
    };
    if let Some(known) = known {
        known.lint = Some(made.clone());
    }
    made
}

/// Judges a file; one that makes a parser fail does not cost the others.
fn judge_bytes(dir: &str, bytes: &[u8]) -> SkillLint {
    catch_unwind(AssertUnwindSafe(|| {
        lint(dir, Content::Bytes(bytes), &UNICODE)
    }))
    .unwrap_or_else(|_| {
        let reason = "the file makes Remit's parser fail";
        lint(dir, Content::Unreadable(reason), &UNICODE)
    })
}

/// At most `most` bytes of a file, and whether it goes on.
pub(super) fn read(place: &Path, most: u64) -> io::Result<(Vec<u8>, bool)> {
    let file = File::open(place)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file any more"));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    let goes_on = u64::try_from(bytes.len()).is_ok_and(|length| length > most);
    if goes_on {
        bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    }
    Ok((bytes, goes_on))
}

/// The files below a skill's directory; whether there are more.
fn files<'a>(
    head: &Entry,
    walk: &'a Walk,
    kept: &mut Kept,
    room: &mut Room<'a>,
) -> (Vec<FolderFile>, bool) {
    let prefix = head.path.strip_suffix(SKILL_FILE).unwrap_or_default();
    let start = walk
        .entries
        .partition_point(|entry| entry.path.as_str() < prefix);
    let below = walk
        .entries
        .iter()
        .skip(start)
        .map_while(|entry| Some((entry, entry.path.strip_prefix(prefix)?)))
        .filter(|(entry, _)| entry.kind != Kind::Directory);
    let mut files = Vec::new();
    for (entry, path) in below {
        if files.len() >= FILES_MAX || room.files == 0 {
            return (files, true);
        }
        room.files -= 1;
        files.push(file(entry, path, kept, room));
    }
    (files, false)
}

fn file<'a>(entry: &'a Entry, path: &str, kept: &mut Kept, room: &mut Room<'a>) -> FolderFile {
    let without = |note: &str| FolderFile {
        path: path.to_owned(),
        size: None,
        digest: None,
        note: note.to_owned(),
    };
    let place = match &entry.kind {
        Kind::File => &entry.place,
        Kind::Link(target) => target,
        Kind::LinkOutside => return without("A link that leads out of the folder."),
        Kind::LinkBroken => return without("A link that leads nowhere."),
        Kind::LinkElsewhere => return without("A link to a directory."),
        Kind::Directory | Kind::Special => return without("A pipe, a socket or a device."),
    };
    let size = entry.stamp.size();
    let mut listed = FolderFile {
        size: Some(size),
        ..without("")
    };
    if room.counted.insert(place) {
        match room.bytes.checked_sub(size) {
            Some(rest) if size <= BYTES_MAX => room.bytes = rest,
            Some(_) | None => {
                "Too large to make a digest of.".clone_into(&mut listed.note);
                return listed;
            }
        }
    }
    let known = kept.of(place, entry.stamp);
    if known.digest.is_none() {
        match digest(place) {
            Ok(digest) => known.digest = Some(digest),
            Err(error) => listed.note = format!("It could not be read: {error}."),
        }
    }
    listed.digest.clone_from(&known.digest);
    listed
}

fn digest(place: &Path) -> io::Result<String> {
    let file = File::open(place)?;
    let mut hash = Sha256::new();
    let mut reader = file.take(BYTES_MAX);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = reader.read(&mut buffer)?;
        match buffer.get(..count) {
            Some([]) | None => break,
            Some(bytes) => hash.update(bytes),
        }
    }
    Ok(format!("sha256:{}", secrets::hex(&hash.finalize())))
}
