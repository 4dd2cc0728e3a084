//! Skills read from folders of the server's machine, as they go over the wire (Remit only; what
//! the hosts make of them is in the skills contract, sections 3 to 5).

use serde::{Deserialize, Serialize};

use crate::open::{null_as_default, open_enum};
use crate::skill_lint::{SkillHost, SkillLint};

/// The most bytes of a `SKILL.md` that are sent.
pub const TEXT_MAX: usize = 65_536;

open_enum! {
    /// What becomes of a skill at a host, beyond the file itself.
    HostUseState {
        /// The model sees it.
        Shown = "shown",
        /// It is in the list, beyond the budget of the prompt.
        Cut = "cut",
        /// Another of the same name is used.
        Shadowed = "shadowed",
        /// The host does not take the file; its verdict says why.
        Refused = "refused",
        /// The host does not look where the file is.
        NotScanned = "notScanned",
        /// Another file keeps the host from finding any skill.
        Stopped = "stopped",
        /// The host follows no rule by which it finds skills; the file suits it.
        Suits = "suits",
    }
}

/// What becomes of a skill at one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostUse {
    /// The host.
    pub host: SkillHost,
    /// What becomes of it.
    pub state: HostUseState,
    /// Id of the skill that is used in its place, or that stops the host.
    #[serde(default)]
    pub because_of: Option<String>,
    /// Why, in a sentence; empty when it is shown or suits.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reason: String,
}

/// One file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FolderFile {
    /// Its path below the skill's directory, with `/`.
    pub path: String,
    /// Its length in bytes; absent if it is no file of its own.
    #[serde(default)]
    pub size: Option<u64>,
    /// `sha256:` and 64 hexadecimal digits over its bytes; absent if they were not read.
    #[serde(default)]
    pub digest: Option<String>,
    /// Why its bytes were not read; empty if they were.
    #[serde(default, deserialize_with = "null_as_default")]
    pub note: String,
}

/// A skill of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FolderSkill {
    /// Stable as long as the file stays where it is; 32 hexadecimal digits.
    pub id: String,
    /// Path of its `SKILL.md` below the folder, with `/`.
    pub path: String,
    /// The name the first host that sees one sees.
    #[serde(default)]
    pub name: Option<String>,
    /// The description the first host that sees one sees.
    #[serde(default)]
    pub description: Option<String>,
    /// Length of its `SKILL.md` in bytes; absent if it is no file.
    #[serde(default)]
    pub size: Option<u64>,
    /// When its `SKILL.md` was last written, ISO-8601 UTC.
    #[serde(default)]
    pub modified_at: Option<String>,
    /// Its files, `SKILL.md` among them, sorted by path.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files: Vec<FolderFile>,
    /// Whether it has more files than are listed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files_cut: bool,
    /// What the hosts make of the file.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lint: SkillLint,
    /// What becomes of it at each host, in the order of [`SkillHost::KNOWN`].
    #[serde(default, deserialize_with = "null_as_default")]
    pub uses: Vec<HostUse>,
}

impl FolderSkill {
    /// What becomes of it at a host.
    pub fn at(&self, host: &SkillHost) -> Option<&HostUse> {
        self.uses.iter().find(|place| &place.host == host)
    }
}

/// A folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillFolder {
    /// Stable as long as the folder stays where it is; 32 hexadecimal digits.
    pub id: String,
    /// Its path on the server's machine.
    pub root: String,
    /// When it was read, ISO-8601 UTC.
    pub read_at: String,
    /// Why it could not be read; the list is then unknown and not empty.
    #[serde(default)]
    pub error: Option<String>,
    /// What was left out and why; empty if nothing was.
    #[serde(default, deserialize_with = "null_as_default")]
    pub left_out: Vec<String>,
    /// Its skills, sorted by path.
    #[serde(default, deserialize_with = "null_as_default")]
    pub skills: Vec<FolderSkill>,
}

/// Answer of `GET /api/skill-folders` (Remit only), in the order of the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillFolderList {
    /// The folders.
    pub data: Vec<SkillFolder>,
}

/// A pair of a frontmatter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontmatterPair {
    /// The key; nested ones with dots where the host knows nesting.
    pub key: String,
    /// The value as text.
    pub value: String,
}

/// A file as one host reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostReading {
    /// The host.
    pub host: SkillHost,
    /// The pairs it sees.
    #[serde(default, deserialize_with = "null_as_default")]
    pub frontmatter: Vec<FrontmatterPair>,
    /// The text it hands to the model, before arguments.
    #[serde(default, deserialize_with = "null_as_default")]
    pub body: String,
}

/// Answer of `GET /api/skill-folders/:id` (Remit only).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FolderSkillDetail {
    /// The folder it is in, by id.
    pub folder_id: String,
    /// The folder it is in, by path.
    pub root: String,
    /// When it was read, ISO-8601 UTC.
    pub read_at: String,
    /// The directory `MyCodeAgent` names as the skill's base.
    pub base_dir: String,
    /// The skill.
    pub skill: FolderSkill,
    /// The file as it is, up to [`TEXT_MAX`] bytes; absent if it was not read.
    #[serde(default)]
    pub text: Option<String>,
    /// Whether the file goes on behind the text.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text_cut: bool,
    /// Whether bytes that are not UTF-8 are shown as U+FFFD.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text_replaced: bool,
    /// The file as the hosts read it that can take it apart.
    #[serde(default, deserialize_with = "null_as_default")]
    pub readings: Vec<HostReading>,
}

open_enum! {
    /// Which reading of `MyCodeAgent`'s budget is meant.
    PromptVariant {
        /// As the program does it.
        Code = "code",
        /// As the article about it shows it: the first line always fits.
        Article = "article",
    }
}

/// Body of `POST /api/skill-prompts` (Remit only).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptRequest {
    /// Id of the folder.
    pub folder_id: String,
    /// `myCodeAgent` when left out, or `coder`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<SkillHost>,
    /// Characters; 12,000 when left out. Coder has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// `code` when left out. Coder has one only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<PromptVariant>,
}

/// Answer of `POST /api/skill-prompts` (Remit only): what the model is shown of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptAnswer {
    /// The host.
    pub host: SkillHost,
    /// When the folder was read, ISO-8601 UTC.
    pub read_at: String,
    /// The text, word for word.
    pub text: String,
    /// The budget in characters; absent where the host has none.
    #[serde(default)]
    pub budget: Option<i64>,
    /// How much of it the text takes, in characters, line ends counted.
    pub used: u64,
    /// Names in the text, in order.
    pub listed: Vec<String>,
    /// Names cut by the budget, in order.
    pub cut: Vec<String>,
    /// Whether the first skill alone exceeds the budget, so that the model sees none.
    pub first_exceeds: bool,
    /// Why the host finds no skills at all; empty if nothing stops it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub stopped: String,
}
