//! One `SKILL.md` judged by the three hosts side by side, and the remarks about it.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use contract::rules::skills::lint::{Content, lint};
use contract::rules::skills::name::Unicode;
use contract::skill_lint::HostStatus::{Dropped, Invalid, Oversize, Unjudged, Unreadable};
use contract::skill_lint::{SkillHost, SkillLint};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const UNICODE: Unicode<'static> = Unicode {
    nfkc: &|text| text.nfkc().collect(),
    is_mark: &is_combining_mark,
};

fn told(text: &[u8]) -> SkillLint {
    lint("deploy", Content::Bytes(text), &UNICODE)
}

/// A host's status, its first reason and the line of it.
type Told<'a> = (&'a str, &'a str, Option<usize>);

fn statuses(lint: &SkillLint) -> Vec<Told<'_>> {
    lint.hosts
        .iter()
        .map(|verdict| {
            let reason = verdict.reasons.first();
            (
                verdict.status.as_str(),
                reason.map_or("", |reason| reason.code.as_str()),
                reason.and_then(|reason| reason.line),
            )
        })
        .collect()
}

fn findings(lint: &SkillLint) -> Vec<(&str, Option<usize>)> {
    lint.findings
        .iter()
        .map(|finding| (finding.code.as_str(), finding.line))
        .collect()
}

#[test]
fn a_plain_file_suits_every_host() {
    let lint = told(b"---\nname: deploy\ndescription: Use when releasing\n---\n# Deploy\n");
    assert!(lint.is_clean());
    assert_eq!(
        statuses(&lint),
        [("valid", "", None), ("ok", "", None), ("listed", "", None)]
    );
    assert_eq!(findings(&lint), []);
    for verdict in &lint.hosts {
        assert_eq!(verdict.name.as_deref(), Some("deploy"));
        assert_eq!(verdict.description.as_deref(), Some("Use when releasing"));
    }
}

#[test]
fn hosts_differ_about_the_same_file() {
    let cases: [(&str, [Told<'_>; 3]); 7] = [
        (
            "\u{feff}---\nname: deploy\ndescription: d\n---\n",
            [
                ("invalid", "no-open", Some(1)),
                ("ok", "", None),
                ("dropped", "no-frontmatter", Some(1)),
            ],
        ),
        (
            "---\nname: deploy\ndescription: Use when: x\n---\n",
            [
                ("invalid", "yaml-error", Some(3)),
                ("invalid", "yaml-error", Some(3)),
                ("listed", "", None),
            ],
        ),
        (
            "---\nname: deploy\n---\n",
            [
                ("invalid", "missing-description", None),
                ("ok", "", None),
                ("dropped", "missing-description", None),
            ],
        ),
        (
            "---\nname: other\ndescription: d\n---\n",
            [
                ("invalid", "name:dir-mismatch", Some(2)),
                ("invalid", "dir-mismatch", None),
                ("listed", "", None),
            ],
        ),
        (
            "---\nname: deploy\ndescription: d\nmetadata:\n  tags:\n    - x\n---\n",
            [
                ("valid", "", None),
                ("ok", "", None),
                ("dropped", "no-frontmatter", Some(6)),
            ],
        ),
        (
            "---\nname: deploy\ndescription: d\nextra: [a]\n---\n",
            [
                ("invalid", "yaml-error", Some(4)),
                ("ok", "", None),
                ("listed", "", None),
            ],
        ),
        (
            "---\nname: deploy\ndescription:\td\n---\n",
            [
                ("invalid", "yaml-error", Some(3)),
                ("ok", "", None),
                ("listed", "", None),
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(statuses(&told(text.as_bytes())), expected, "{text}");
    }
}

#[test]
fn what_is_no_readable_file_is_said_to_be_none() {
    let statuses = |content| {
        lint("deploy", content, &UNICODE)
            .hosts
            .into_iter()
            .map(|verdict| verdict.status)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        statuses(Content::LinkOutside),
        [Unjudged, Invalid, Unjudged]
    );
    assert_eq!(
        statuses(Content::LinkBroken),
        [Invalid, Unreadable, Dropped]
    );
    assert_eq!(
        statuses(Content::NotAFile {
            through_link: false
        }),
        [Invalid, Unreadable, Dropped]
    );
    assert_eq!(
        statuses(Content::NotAFile { through_link: true }),
        [Invalid, Invalid, Dropped]
    );
    assert_eq!(
        statuses(Content::TooLarge(9_000_000)),
        [Unjudged, Oversize, Unjudged]
    );
    assert_eq!(
        statuses(Content::Unreadable("permission denied")),
        [Invalid, Unreadable, Dropped]
    );
    let invalid = told(b"---\nname: deploy\ndescription: d\n---\nok\n\xff");
    assert_eq!(
        self::statuses(&invalid),
        [
            ("invalid", "not-utf8", None),
            ("ok", "", None),
            ("dropped", "not-utf8-raises", None)
        ]
    );
    assert_eq!(findings(&invalid), [("not-utf8", Some(6))]);
}

#[test]
fn remarks_name_their_line() {
    let text = format!(
        "\u{feff}---\nname: deploy\ndescription: {}\ndescription: {}\nallowed-tools: Bash\nmetadata:\n  name: evil\n---\nRun ${{ARGUMENTS}}\n<!-- hidden -->\nzero\u{200b}width\n",
        "d".repeat(2_000),
        "e".repeat(2_000),
    );
    let lint = told(text.as_bytes());
    assert_eq!(
        findings(&lint),
        [
            ("bom", Some(1)),
            ("long-description", None),
            ("duplicate-key", Some(4)),
            ("allowed-tools", Some(5)),
            ("nested-name", Some(7)),
            ("invisible", Some(11)),
            ("html-comment", Some(10)),
            ("arguments", Some(9)),
        ]
    );
    let long = format!("---\nname: {}\ndescription: d\n---\n", "a".repeat(65));
    assert_eq!(
        findings(&told(long.as_bytes())),
        [("long-name", None), ("dir-mismatch", None)]
    );
    let large = format!(
        "---\nname: deploy\ndescription: d\n---\n{}",
        "x".repeat(65_536)
    );
    let lint = told(large.as_bytes());
    assert_eq!(findings(&lint), [("over-64KiB", None)]);
    assert_eq!(lint.of(&SkillHost::Coder).unwrap().status, Oversize);
}

#[test]
fn a_lint_survives_the_wire() {
    let lint = told(b"---\nname: deploy\n---\n");
    let text = serde_json::to_string(&lint).unwrap();
    assert_eq!(serde_json::from_str::<SkillLint>(&text).unwrap(), lint);
    let later: SkillLint = serde_json::from_str(
        r#"{"hosts":[{"host":"gemini","status":"loved","reasons":null,"new":1}]}"#,
    )
    .unwrap();
    assert!(!later.is_clean());
}
