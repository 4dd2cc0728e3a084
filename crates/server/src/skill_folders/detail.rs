//! One skill of a folder with its text, as it is and as each host reads it.

use contract::rules::skills::folder::base_dir;
use contract::rules::skills::frontmatter::{agent_skills, coder, my_code_agent};
use contract::skill_folders::{FolderSkillDetail, FrontmatterPair, HostReading, TEXT_MAX};
use contract::skill_lint::SkillHost;

use super::Reading;
use super::judge::{JUDGED_MAX, read};
use crate::unicode::UNICODE;

/// The skill whose source is at `position`; `None` if there is none.
pub(super) fn of(reading: Reading, position: Option<usize>) -> Option<FolderSkillDetail> {
    let source = reading.sources.into_iter().nth(position?)?;
    let folder = reading.folder;
    let skill = folder
        .skills
        .into_iter()
        .find(|skill| skill.id == source.id)?;
    let mut detail = FolderSkillDetail {
        folder_id: folder.id,
        root: folder.root,
        read_at: folder.read_at,
        base_dir: base_dir(&reading.name, &skill.path),
        skill,
        text: None,
        text_cut: false,
        text_replaced: false,
        readings: Vec::new(),
    };
    // Without the bytes the rest is told all the same; the lint says why they are missing.
    let Some(Ok((bytes, goes_on))) = source.place.as_deref().map(|place| read(place, JUDGED_MAX))
    else {
        return Some(detail);
    };
    let shown = shown(&bytes);
    detail.text_cut = goes_on || shown.len() < bytes.len();
    let text = String::from_utf8_lossy(shown);
    detail.text_replaced = std::str::from_utf8(shown).is_err();
    detail.text = Some(text.into_owned());
    if !goes_on {
        detail.readings = readings(&bytes, &source.dir);
    }
    Some(detail)
}

/// The first [`TEXT_MAX`] bytes, not cut within a character.
fn shown(bytes: &[u8]) -> &[u8] {
    if bytes.len() <= TEXT_MAX {
        return bytes;
    }
    let mut end = TEXT_MAX;
    // A byte 10xxxxxx continues a character; there are at most three of them.
    while end > TEXT_MAX - 3 && bytes.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
        end -= 1;
    }
    bytes.get(..end).unwrap_or(bytes)
}

fn readings(bytes: &[u8], dir: &str) -> Vec<HostReading> {
    let mut found = Vec::new();
    let report = agent_skills::judge(bytes, dir, &UNICODE);
    if !report.fields.is_empty() {
        found.push(HostReading {
            host: SkillHost::AgentSkills,
            frontmatter: pairs(report.fields),
            body: bounded(report.body),
        });
    }
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if let Ok(loaded) = coder::judge(bytes, size, dir) {
        found.push(HostReading {
            host: SkillHost::Coder,
            frontmatter: pairs(vec![
                ("name".to_owned(), loaded.name),
                ("description".to_owned(), loaded.description),
            ]),
            body: bounded(loaded.body),
        });
    }
    let flat = std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| my_code_agent::parse(text).ok());
    if let Some(flat) = flat {
        found.push(HostReading {
            host: SkillHost::MyCodeAgent,
            frontmatter: pairs(flat.fields),
            body: bounded(flat.body),
        });
    }
    found
}

/// The most pairs of a frontmatter that are sent.
const PAIRS_MAX: usize = 200;

fn pairs(fields: Vec<(String, String)>) -> Vec<FrontmatterPair> {
    fields
        .into_iter()
        .take(PAIRS_MAX)
        .map(|(key, value)| FrontmatterPair {
            key: bounded(key),
            value: bounded(value),
        })
        .collect()
}

fn bounded(mut text: String) -> String {
    let end = shown(text.as_bytes()).len();
    text.truncate(end);
    text
}
