//! The files a server lists for a skill (skills contract section 1.7): whether bytes are those
//! listed, whether an approval still holds, whether there are too many. Agreement means that a
//! server is consistent with itself, never that it is to be trusted.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The most files a host must support in one skill.
pub const FILES_MAX: usize = 512;

/// The most bytes a host must support in one skill, over all its files.
pub const BYTES_MAX: u64 = 16_777_216;

/// How every digest begins.
pub const DIGEST_PREFIX: &str = "sha256:";

/// One file of a skill, as its server lists it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SkillResource {
    /// Its address.
    pub uri: String,
    /// `sha256:` and 64 lowercase hexadecimal digits over its bytes.
    pub digest: String,
    /// Its length in bytes.
    pub size: u64,
}

/// The files of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resources {
    /// Every file, each once, the `SKILL.md` among them.
    Listed(Vec<SkillResource>),
    /// The server makes them as it goes; nothing can be checked.
    Dynamic,
}

/// Whether a text is a digest: `sha256:` and 64 lowercase hexadecimal digits.
pub fn is_digest(text: &str) -> bool {
    text.strip_prefix(DIGEST_PREFIX).is_some_and(|hex| {
        hex.len() == 64
            && hex
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// What comparing bytes with their manifest gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    /// They are those listed.
    Verified,
    /// They have another length.
    SizeMismatch,
    /// They have another digest.
    DigestMismatch,
    /// The listed digest is none, so nothing could be compared.
    MalformedDigest,
}

impl Verification {
    /// The outcome in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::SizeMismatch => "size-mismatch",
            Self::DigestMismatch => "digest-mismatch",
            Self::MalformedDigest => "malformed-digest",
        }
    }
}

/// Compares bytes with what is listed, by their length and their SHA-256 in lowercase hexadecimal:
/// the length first, as it costs nothing.
pub fn verify(listed: &SkillResource, size: u64, sha256: &str) -> Verification {
    let Some(digest) = listed
        .digest
        .strip_prefix(DIGEST_PREFIX)
        .filter(|_| is_digest(&listed.digest))
    else {
        return Verification::MalformedDigest;
    };
    if size != listed.size {
        Verification::SizeMismatch
    } else if digest == sha256 {
        Verification::Verified
    } else {
        Verification::DigestMismatch
    }
}

/// Whether what was approved is still what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// The same files with the same content.
    Valid,
    /// Other files or other content: it must be asked for again. Addresses, each list sorted.
    Revoked {
        /// Files that are new.
        added: Vec<String>,
        /// Files that are gone.
        removed: Vec<String>,
        /// Files with another content.
        changed: Vec<String>,
    },
    /// Its files cannot be told, so it can never be kept.
    NeverPersistable,
}

/// Compares the approved files with the present ones. Their order does not matter; nor does their
/// size, which follows from the digest.
pub fn approval(approved: &[SkillResource], present: &Resources) -> Approval {
    let Resources::Listed(present) = present else {
        return Approval::NeverPersistable;
    };
    let before = by_uri(approved);
    let after = by_uri(present);
    if before == after {
        return Approval::Valid;
    }
    let only = |these: &BTreeMap<&str, BTreeSet<&str>>, those: &BTreeMap<&str, BTreeSet<&str>>| {
        these
            .keys()
            .filter(|uri| !those.contains_key(*uri))
            .map(|uri| (*uri).to_owned())
            .collect()
    };
    Approval::Revoked {
        added: only(&after, &before),
        removed: only(&before, &after),
        changed: before
            .iter()
            .filter(|(uri, digests)| after.get(*uri).is_some_and(|now| now != *digests))
            .map(|(uri, _)| (*uri).to_owned())
            .collect(),
    }
}

fn by_uri(files: &[SkillResource]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut map: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        map.entry(&file.uri).or_default().insert(&file.digest);
    }
    map
}

/// A short name for a set of files: the digest over their addresses and digests, sorted by address.
/// It is for people to compare; an approval is bound to the set itself. `sha256` gives lowercase
/// hexadecimal digits.
pub fn fingerprint(files: &[SkillResource], sha256: &dyn Fn(&[u8]) -> String) -> String {
    let mut pairs: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file.uri.as_str(), file.digest.as_str()))
        .collect();
    pairs.sort_unstable();
    let mut text = String::new();
    for (uri, digest) in pairs {
        text.push_str(uri);
        text.push('\t');
        text.push_str(digest);
        text.push('\n');
    }
    format!("{DIGEST_PREFIX}{}", sha256(text.as_bytes()))
}

/// How many files a skill has and how large they are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Number of files.
    pub files: usize,
    /// Bytes over all files.
    pub bytes: u64,
}

impl Weight {
    /// Adds up what is listed; `None` if nothing is.
    pub fn of(resources: &Resources) -> Option<Self> {
        match resources {
            Resources::Dynamic => None,
            Resources::Listed(files) => Some(Self {
                files: files.len(),
                bytes: files
                    .iter()
                    .fold(0, |sum: u64, file| sum.saturating_add(file.size)),
            }),
        }
    }

    /// Whether there are more than [`FILES_MAX`] files.
    pub fn is_over_files(self) -> bool {
        self.files > FILES_MAX
    }

    /// Whether they have more than [`BYTES_MAX`] bytes.
    pub fn is_over_bytes(self) -> bool {
        self.bytes > BYTES_MAX
    }
}
