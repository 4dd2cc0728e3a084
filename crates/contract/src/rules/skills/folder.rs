//! What becomes of the skills of one folder at each host (skills contract sections 3 and 4): where
//! the host looks, which of two of one name it uses, and where its budgets end.

use std::collections::HashMap;

use super::SKILL_FILE;
use super::frontmatter::CODER_FILE_MAX;
use super::prompt::{
    AvailableSkills, DEFAULT_BUDGET, ListedSkill, Variant, available_skills, coder_skills,
};
use crate::skill_folders::{
    FolderSkill, HostUse, HostUseState, PromptAnswer, PromptRequest, PromptVariant, SkillFolder,
};
use crate::skill_lint::{HostStatus, HostVerdict, LintNote, SkillHost};

/// The most skills of a folder Coder takes.
pub const CODER_SKILLS_MAX: usize = 500;

/// The most bytes of all `SKILL.md` of a folder together Coder takes.
pub const CODER_BYTES_MAX: u64 = 2 * 1024 * 1024;

/// The directory every host looks for.
const SKILLS: &str = "skills";

/// Where Coder looks below a folder, in its order, besides a folder that is itself named `skills`.
const CODER_CONTAINERS: [&[&str]; 4] = [
    &[SKILLS],
    &[".agents", SKILLS],
    &[".claude", SKILLS],
    &[".codex", SKILLS],
];

/// The parts of a skill's directory below the folder.
fn directory(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    parts
}

/// The place in Coder's order of the directory that holds the skill at `path`, if Coder looks
/// there: the skill must be an immediate child of a container. `root` is the folder's own name.
pub fn coder_rank(root: &str, path: &str) -> Option<usize> {
    let directory = directory(path);
    let (_, container) = directory.split_last()?;
    if container.is_empty() {
        return (root == SKILLS).then_some(0);
    }
    CODER_CONTAINERS
        .iter()
        .position(|known| *known == container)
        .map(|place| place + 1)
}

/// Whether `MyCodeAgent` looks at `path`: anywhere below `skills`. A folder that is itself named
/// `skills` stands for that directory of a project.
pub fn my_code_agent_looks(root: &str, path: &str) -> bool {
    root == SKILLS || directory(path).first() == Some(&SKILLS)
}

/// The directory `MyCodeAgent` names as a skill's base: relative to the project.
pub fn base_dir(root: &str, path: &str) -> String {
    let directory = directory(path).join("/");
    match (root == SKILLS, directory.is_empty()) {
        (true, true) => SKILLS.to_owned(),
        (true, false) => format!("{SKILLS}/{directory}"),
        (false, true) => ".".to_owned(),
        (false, false) => directory,
    }
}

/// Says for each skill what becomes of it at each host. `root` is the folder's own name; `budget`
/// is `MyCodeAgent`'s, in characters. Skills that Coder leaves out for lack of room get its
/// verdict `excluded`.
pub fn settle(root: &str, skills: &mut [FolderSkill], budget: i64) {
    for skill in &mut *skills {
        skill.uses = SkillHost::KNOWN
            .iter()
            .map(|host| HostUse {
                host: host.clone(),
                state: HostUseState::Refused,
                because_of: None,
                reason: "The host does not take the file.".to_owned(),
            })
            .collect();
        let suits = is_usable(skill, &SkillHost::AgentSkills);
        if suits {
            put(
                skill,
                &SkillHost::AgentSkills,
                HostUseState::Suits,
                None,
                "",
            );
        }
    }
    settle_coder(root, skills);
    settle_my_code_agent(root, skills, budget);
}

fn verdict<'a>(skill: &'a FolderSkill, host: &SkillHost) -> Option<&'a HostVerdict> {
    skill.lint.of(host)
}

fn is_usable(skill: &FolderSkill, host: &SkillHost) -> bool {
    verdict(skill, host).is_some_and(|verdict| verdict.status.is_usable())
}

fn name<'a>(skill: &'a FolderSkill, host: &SkillHost) -> &'a str {
    verdict(skill, host)
        .and_then(|verdict| verdict.name.as_deref())
        .unwrap_or_default()
}

fn put(
    skill: &mut FolderSkill,
    host: &SkillHost,
    state: HostUseState,
    because_of: Option<String>,
    reason: &str,
) {
    if let Some(place) = skill.uses.iter_mut().find(|place| &place.host == host) {
        place.state = state;
        place.because_of = because_of;
        reason.clone_into(&mut place.reason);
    }
}

fn settle_coder(root: &str, skills: &mut [FolderSkill]) {
    let host = SkillHost::Coder;
    let mut order: Vec<(usize, String, usize)> = Vec::new();
    for (place, skill) in skills.iter_mut().enumerate() {
        if let Some(rank) = coder_rank(root, &skill.path) {
            order.push((rank, skill.path.clone(), place));
        } else {
            put(
                skill,
                &host,
                HostUseState::NotScanned,
                None,
                "Coder looks in the immediate children of `skills`, `.agents/skills`, `.claude/skills` and `.codex/skills` only.",
            );
        }
    }
    order.sort();
    let mut first: HashMap<String, String> = HashMap::new();
    let mut kept: Vec<(String, usize)> = Vec::new();
    for (_, path, place) in order {
        let Some(skill) = skills.get_mut(place) else {
            continue;
        };
        if is_usable(skill, &host) {
            let name = name(skill, &host).to_owned();
            if let Some(winner) = first.get(&name) {
                let winner = winner.clone();
                put(
                    skill,
                    &host,
                    HostUseState::Shadowed,
                    Some(winner),
                    "Coder uses the first of several skills of one name.",
                );
                continue;
            }
            first.insert(name, skill.id.clone());
            put(skill, &host, HostUseState::Shown, None, "");
        }
        kept.push((path, place));
    }
    exclude(skills, kept);
}

/// Applies the caps of Coder's snapshot, in order of the directories.
fn exclude(skills: &mut [FolderSkill], mut kept: Vec<(String, usize)>) {
    let host = SkillHost::Coder;
    let directory = |path: &str| path.strip_suffix(SKILL_FILE).map(str::to_owned);
    kept.sort_by_key(|(path, _)| directory(path).unwrap_or_default());
    let mut total = 0_u64;
    for (number, (_, place)) in kept.into_iter().enumerate() {
        let Some(skill) = skills.get_mut(place) else {
            continue;
        };
        let size = skill.size.unwrap_or_default().min(CODER_FILE_MAX);
        let reason = if number >= CODER_SKILLS_MAX {
            "Coder takes 500 skills of a folder; this one is beyond them."
        } else if !is_usable(skill, &host) {
            continue;
        } else if total + size > CODER_BYTES_MAX {
            "Coder takes 2 MiB of `SKILL.md` files of a folder; this one does not fit any more."
        } else {
            total += size;
            continue;
        };
        put(skill, &host, HostUseState::Refused, None, reason);
        let verdict = skill.lint.hosts.iter_mut();
        for verdict in verdict.filter(|verdict| verdict.host == host) {
            verdict.status = HostStatus::Excluded;
            verdict.reasons = vec![LintNote {
                code: "excluded".to_owned(),
                message: reason.to_owned(),
                line: None,
            }];
        }
    }
}

fn settle_my_code_agent(root: &str, skills: &mut [FolderSkill], budget: i64) {
    let host = SkillHost::MyCodeAgent;
    let looked: Vec<usize> = looked_at(root, skills);
    for (place, skill) in skills.iter_mut().enumerate() {
        if !looked.contains(&place) {
            put(
                skill,
                &host,
                HostUseState::NotScanned,
                None,
                "MyCodeAgent looks below `skills` only.",
            );
        }
    }
    let stopper = stopper(skills, &looked).map(|skill| skill.id.clone());
    let mut last: HashMap<String, String> = HashMap::new();
    for skill in looked.iter().filter_map(|place| skills.get(*place)) {
        if is_usable(skill, &host) {
            last.insert(name(skill, &host).to_owned(), skill.id.clone());
        }
    }
    let cut = my_code_agent_prompt(root, skills, budget, Variant::Code).omitted;
    for place in looked {
        let Some(skill) = skills.get_mut(place) else {
            continue;
        };
        if let Some(stopper) = stopper.clone() {
            let reason = if stopper == skill.id {
                "MyCodeAgent stops at this file, as it is not UTF-8, and finds no skills at all."
            } else {
                "MyCodeAgent stops at another file that is not UTF-8, and finds no skills at all."
            };
            let because = Some(stopper).filter(|id| *id != skill.id);
            put(skill, &host, HostUseState::Stopped, because, reason);
            continue;
        }
        if !is_usable(skill, &host) {
            continue;
        }
        let name = name(skill, &host).to_owned();
        match last.get(&name) {
            Some(winner) if *winner != skill.id => {
                let winner = winner.clone();
                put(
                    skill,
                    &host,
                    HostUseState::Shadowed,
                    Some(winner),
                    "MyCodeAgent uses the last of several skills of one name.",
                );
            }
            Some(_) | None if cut.contains(&name) => put(
                skill,
                &host,
                HostUseState::Cut,
                None,
                "It is beyond the budget of the prompt, so the model does not see it.",
            ),
            Some(_) | None => put(skill, &host, HostUseState::Shown, None, ""),
        }
    }
}

/// The places of the skills `MyCodeAgent` looks at, in its order: by the parts of their paths.
fn looked_at(root: &str, skills: &[FolderSkill]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..skills.len())
        .filter(|place| {
            skills
                .get(*place)
                .is_some_and(|skill| my_code_agent_looks(root, &skill.path))
        })
        .collect();
    places.sort_by_key(|place| {
        let path = skills.get(*place).map_or("", |skill| skill.path.as_str());
        path.split('/').collect::<Vec<_>>()
    });
    places
}

/// The file that ends `MyCodeAgent`'s scan, if one does.
fn stopper<'a>(skills: &'a [FolderSkill], looked: &[usize]) -> Option<&'a FolderSkill> {
    looked
        .iter()
        .filter_map(|place| skills.get(*place))
        .find(|skill| {
            verdict(skill, &SkillHost::MyCodeAgent).is_some_and(|verdict| {
                verdict
                    .reasons
                    .iter()
                    .any(|reason| reason.code == "not-utf8-raises")
            })
        })
}

/// Whether a file keeps `MyCodeAgent` from finding any skill of the folder: its path.
pub fn my_code_agent_stops_at<'a>(root: &str, skills: &'a [FolderSkill]) -> Option<&'a str> {
    stopper(skills, &looked_at(root, skills)).map(|skill| skill.path.as_str())
}

/// What `MyCodeAgent` shows the model of a folder; nothing if a file stops it.
pub fn my_code_agent_prompt(
    root: &str,
    skills: &[FolderSkill],
    budget: i64,
    variant: Variant,
) -> AvailableSkills {
    let host = SkillHost::MyCodeAgent;
    let looked = looked_at(root, skills);
    let mut last: HashMap<&str, &str> = HashMap::new();
    if stopper(skills, &looked).is_none() {
        for skill in looked.iter().filter_map(|place| skills.get(*place)) {
            if let Some(verdict) = verdict(skill, &host).filter(|v| v.status.is_usable()) {
                last.insert(
                    verdict.name.as_deref().unwrap_or_default(),
                    verdict.description.as_deref().unwrap_or_default(),
                );
            }
        }
    }
    let listed: Vec<ListedSkill<'_>> = last
        .into_iter()
        .map(|(name, description)| ListedSkill { name, description })
        .collect();
    available_skills(&listed, budget, variant)
}

/// What Coder shows the model of a settled folder, sorted by name.
pub fn coder_prompt(skills: &[FolderSkill]) -> AvailableSkills {
    let host = SkillHost::Coder;
    let mut listed: Vec<ListedSkill<'_>> = skills
        .iter()
        .filter(|skill| {
            skill
                .at(&host)
                .is_some_and(|place| place.state == HostUseState::Shown)
        })
        .filter_map(|skill| verdict(skill, &host))
        .map(|verdict| ListedSkill {
            name: verdict.name.as_deref().unwrap_or_default(),
            description: verdict.description.as_deref().unwrap_or_default(),
        })
        .collect();
    listed.sort_by_key(|skill| skill.name);
    let text = coder_skills(&listed);
    AvailableSkills {
        used: text.chars().count(),
        included: listed.iter().map(|skill| skill.name.to_owned()).collect(),
        omitted: Vec::new(),
        first_exceeds: false,
        text,
    }
}

/// Answers what the model is shown of a settled folder, whose own name is `root`.
pub fn prompt(root: &str, folder: &SkillFolder, request: &PromptRequest) -> PromptAnswer {
    let host = request.host.clone().unwrap_or(SkillHost::MyCodeAgent);
    let is_coder = host == SkillHost::Coder;
    let budget = request.budget.unwrap_or(DEFAULT_BUDGET);
    let variant = match &request.variant {
        Some(PromptVariant::Article) => Variant::Article,
        Some(PromptVariant::Code | PromptVariant::Unknown(_)) | None => Variant::Code,
    };
    let list = if is_coder {
        coder_prompt(&folder.skills)
    } else {
        my_code_agent_prompt(root, &folder.skills, budget, variant)
    };
    let stopped = my_code_agent_stops_at(root, &folder.skills).filter(|_| !is_coder);
    PromptAnswer {
        host,
        read_at: folder.read_at.clone(),
        text: list.text,
        budget: (!is_coder).then_some(budget),
        used: u64::try_from(list.used).unwrap_or(u64::MAX),
        listed: list.included,
        cut: list.omitted,
        first_exceeds: list.first_exceeds,
        stopped: stopped.map_or_else(String::new, |path| {
            format!(
                "MyCodeAgent stops at `{path}`, which is not UTF-8, and finds no skills at all."
            )
        }),
    }
}
