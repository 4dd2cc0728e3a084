//! One `SKILL.md` judged by all three hosts, with the same functions the vectors test, and the
//! remarks that help to understand where they differ (skills contract sections 3 and 4.6).

mod findings;

use crate::skill_lint::{HostStatus, HostVerdict, LintNote, SkillHost, SkillLint};

use super::frontmatter::{CODER_FILE_MAX, agent_skills, coder, my_code_agent};
use super::name::Unicode;

/// What was found where a `SKILL.md` should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// A file and all its bytes.
    Bytes(&'a [u8]),
    /// A file too large for us to read; its length in bytes.
    TooLarge(u64),
    /// A link that leads out of the folder that is read. It is not followed.
    LinkOutside,
    /// A link that leads nowhere.
    LinkBroken,
    /// No file: a directory, a pipe or a device; whether a link leads to it.
    NotAFile {
        /// Whether a link leads to it.
        through_link: bool,
    },
    /// A file that could not be read, and why.
    Unreadable(&'a str),
}

/// Judges the file in the directory `dir`, which is a name and not a path.
pub fn lint(dir: &str, content: Content<'_>, unicode: &Unicode<'_>) -> SkillLint {
    let hosts = vec![
        by_agent_skills(dir, content, unicode),
        by_coder(dir, content),
        by_my_code_agent(content),
    ];
    let mut findings = match content {
        Content::Bytes(bytes) => findings::of(bytes),
        Content::LinkOutside => vec![note(
            "link-outside",
            "The file is a link that leads out of the folder. It is not followed.",
        )],
        Content::TooLarge(_)
        | Content::LinkBroken
        | Content::NotAFile { .. }
        | Content::Unreadable(_) => Vec::new(),
    };
    let named = hosts
        .iter()
        .find_map(|verdict| verdict.name.as_deref())
        .filter(|name| *name != dir);
    if let Some(name) = named {
        findings.push(note(
            "dir-mismatch",
            &format!(
                "The name is “{name}”, the directory is “{dir}”. Agent Skills and Coder want them to be the same."
            ),
        ));
    }
    SkillLint { hosts, findings }
}

/// A reason or remark without a line.
fn note(code: &str, message: &str) -> LintNote {
    LintNote {
        code: code.to_owned(),
        message: message.to_owned(),
        line: None,
    }
}

fn refused(host: SkillHost, status: HostStatus, reason: LintNote) -> HostVerdict {
    HostVerdict {
        host,
        status,
        name: None,
        description: None,
        reasons: vec![reason],
    }
}

/// The verdict of a host that follows links anywhere and reads files of any size, where we do not.
fn unjudged(host: SkillHost, content: Content<'_>) -> HostVerdict {
    let reason = match content {
        Content::TooLarge(size) => LintNote {
            code: "too-large-to-judge".to_owned(),
            message: format!("The file has {size} bytes, more than Remit reads."),
            line: None,
        },
        Content::LinkOutside
        | Content::Bytes(_)
        | Content::LinkBroken
        | Content::NotAFile { .. }
        | Content::Unreadable(_) => note(
            "link-outside",
            "The host follows the link out of the folder; Remit does not.",
        ),
    };
    refused(host, HostStatus::Unjudged, reason)
}

fn missing(content: Content<'_>) -> LintNote {
    match content {
        Content::LinkBroken => note("link-broken", "The link leads nowhere."),
        Content::Unreadable(error) => LintNote {
            code: "unreadable".to_owned(),
            message: format!("The file could not be read: {error}."),
            line: None,
        },
        Content::NotAFile { .. }
        | Content::Bytes(_)
        | Content::TooLarge(_)
        | Content::LinkOutside => note(
            "not-a-file",
            "`SKILL.md` is a directory, a pipe or a device. It must be a file.",
        ),
    }
}

fn by_agent_skills(dir: &str, content: Content<'_>, unicode: &Unicode<'_>) -> HostVerdict {
    let host = SkillHost::AgentSkills;
    match content {
        Content::Bytes(bytes) => {
            let report = agent_skills::judge(bytes, dir, unicode);
            HostVerdict {
                host,
                status: if report.problems.is_empty() {
                    HostStatus::Valid
                } else {
                    HostStatus::Invalid
                },
                name: report.name,
                description: report.description,
                reasons: report
                    .problems
                    .into_iter()
                    .map(|problem| LintNote {
                        code: problem.code,
                        message: problem.message,
                        line: problem.line,
                    })
                    .collect(),
            }
        }
        Content::TooLarge(_) | Content::LinkOutside => unjudged(host, content),
        Content::LinkBroken | Content::NotAFile { .. } | Content::Unreadable(_) => {
            refused(host, HostStatus::Invalid, missing(content))
        }
    }
}

fn by_coder(dir: &str, content: Content<'_>) -> HostVerdict {
    let host = SkillHost::Coder;
    let outcome = match content {
        Content::Bytes(bytes) => {
            let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            coder::judge(bytes, size, dir)
        }
        Content::TooLarge(size) => Err(coder::Refusal::Oversize(size.max(CODER_FILE_MAX + 1))),
        Content::LinkOutside => {
            return refused(
                host,
                HostStatus::Invalid,
                note(
                    "link-outside",
                    "The link leads out of the folder, where Coder does not follow it.",
                ),
            );
        }
        Content::NotAFile { through_link: true } => {
            return refused(host, HostStatus::Invalid, missing(content));
        }
        Content::LinkBroken | Content::NotAFile { .. } | Content::Unreadable(_) => {
            return refused(host, HostStatus::Unreadable, missing(content));
        }
    };
    match outcome {
        Ok(loaded) => HostVerdict {
            host,
            status: HostStatus::Ok,
            name: Some(loaded.name),
            description: Some(loaded.description),
            reasons: Vec::new(),
        },
        Err(refusal) => refused(
            host,
            HostStatus::from(refusal.status()),
            LintNote {
                code: refusal.code().to_owned(),
                message: refusal.sentence(),
                line: refusal.line(),
            },
        ),
    }
}

fn by_my_code_agent(content: Content<'_>) -> HostVerdict {
    let host = SkillHost::MyCodeAgent;
    match content {
        Content::Bytes(bytes) => match my_code_agent::judge(bytes) {
            Ok(listed) => HostVerdict {
                host,
                status: HostStatus::Listed,
                name: Some(listed.name),
                description: Some(listed.description),
                reasons: Vec::new(),
            },
            Err(dropped) => refused(
                host,
                HostStatus::Dropped,
                LintNote {
                    code: dropped.code().to_owned(),
                    message: dropped.sentence().to_owned(),
                    line: dropped.line(),
                },
            ),
        },
        Content::TooLarge(_) | Content::LinkOutside => unjudged(host, content),
        Content::LinkBroken | Content::NotAFile { .. } | Content::Unreadable(_) => {
            refused(host, HostStatus::Dropped, missing(content))
        }
    }
}
