//! What holds for skills whatever is read: no path and no link leaves its directory, no budget is
//! exceeded, arguments are put in literally, and no file makes a reader fail.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Component, Path};

use contract::rules::skills::arguments::{Mode, PLACEHOLDER, expand};
use contract::rules::skills::entry;
use contract::rules::skills::frontmatter::mcp;
use contract::rules::skills::lint::{Content, lint};
use contract::rules::skills::name::{self, Unicode};
use contract::rules::skills::path;
use contract::rules::skills::prompt::{ListedSkill, NONE, Variant, available_skills};
use contract::rules::skills::reference::{Target, resolve};
use contract::skill_lint::{HostStatus, SkillHost};
use proptest::prelude::*;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const UNICODE: Unicode<'static> = Unicode {
    nfkc: &|text| text.nfkc().collect(),
    is_mark: &is_combining_mark,
};

/// Parts of paths and links, with all that has ever been used to climb out of a directory.
fn parts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just(String::new()),
        Just("%2e%2e".to_owned()),
        Just("%2E.".to_owned()),
        Just("..%2f".to_owned()),
        Just("%5c..".to_owned()),
        Just("..\\".to_owned()),
        Just("%252e%252e".to_owned()),
        Just("a".to_owned()),
        Just("C:".to_owned()),
        Just("skill:".to_owned()),
        "[a-z%2e./\\\\:?#é ]{0,6}",
    ];
    prop::collection::vec(part, 0..7).prop_map(|parts| parts.join("/"))
}

/// How far down a path stands at each step, escapes resolved; negative is out.
fn lowest(path: &str) -> i32 {
    let mut depth = 0;
    let mut lowest = 0;
    for component in Path::new(path).components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return -1,
        }
        lowest = lowest.min(depth);
    }
    lowest
}

fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = text.get(at + 1..at + 3).filter(|_| byte == b'%');
        let escaped = escape.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn skills() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(("[a-z]{1,12}", ".{0,60}"), 0..40)
}

fn heads() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,200}",
        prop::collection::vec(
            prop_oneof![
                Just("---".to_owned()),
                Just("name: a".to_owned()),
                Just("description: d".to_owned()),
                Just("a: &x [*x, {b: c}]".to_owned()),
                Just("b: !!str 1".to_owned()),
                Just("- x".to_owned()),
                Just("? y".to_owned()),
                Just("c: |".to_owned()),
                Just("d: >-".to_owned()),
                Just("  e: \"\\x41".to_owned()),
                Just("...".to_owned()),
                Just("%YAML 1.2".to_owned()),
                Just("\t: x".to_owned()),
                "[ -~\t]{0,20}",
            ],
            0..12
        )
        .prop_map(|lines| lines.join("\n")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn a_path_that_passes_stays_in_its_directory(path in parts()) {
        if path::strict(&path).is_none() {
            prop_assert!(lowest(&path) >= 0, "{path}");
            prop_assert!(lowest(&decoded(&path)) >= 0, "{path}");
            prop_assert!(lowest(&decoded(&path).replace('\\', "/")) >= 0, "{path}");
            prop_assert!(path::coder(&path).is_none(), "stricter than Coder: {path}");
        }
        if path::coder(&path).is_none() {
            prop_assert!(lowest(&path) >= 0, "{path}");
        }
    }

    #[test]
    fn a_link_stays_in_its_skill(link in parts()) {
        let root = "skill://acme/refunds";
        match resolve(&format!("{root}/SKILL.md"), &link, None) {
            Target::File(uri) | Target::Directory(uri) | Target::Unlisted(uri) => {
                let inside = uri.strip_prefix(root).unwrap_or("..");
                prop_assert!(inside.is_empty() || inside.starts_with('/'), "{link}: {uri}");
                prop_assert!(lowest(&decoded(inside.trim_start_matches('/'))) >= 0, "{link}: {uri}");
            }
            Target::Itself(_) | Target::Rejected(_) => {}
        }
    }

    #[test]
    fn a_link_leads_to_listed_files_only(link in parts(), listed in prop::collection::vec("[a-c./]{1,5}", 0..6)) {
        let uris: Vec<String> = listed.iter().map(|path| format!("skill://a/{path}")).collect();
        let manifest: Vec<&str> = uris.iter().map(String::as_str).collect();
        if let Target::File(uri) = resolve("skill://a/SKILL.md", &link, Some(&manifest)) {
            prop_assert!(uris.contains(&uri), "{link}: {uri}");
        }
    }

    #[test]
    fn no_budget_is_exceeded(skills in skills(), budget in -10_i64..3_000) {
        let listed: Vec<ListedSkill<'_>> = skills
            .iter()
            .map(|(name, description)| ListedSkill { name, description })
            .collect();
        let list = available_skills(&listed, budget, Variant::Code);
        prop_assert!(i64::try_from(list.used).unwrap() <= budget.max(0));
        prop_assert_eq!(list.included.len() + list.omitted.len(), skills.len());
        if list.included.is_empty() {
            prop_assert_eq!(&list.text, NONE);
        } else {
            prop_assert_eq!(list.text.chars().count() + 1, list.used);
        }
        let mut names: Vec<&String> = skills.iter().map(|(name, _)| name).collect();
        names.sort();
        let told: Vec<&String> = list.included.iter().chain(&list.omitted).collect();
        prop_assert_eq!(told, names, "sorted, and cut in one place");
        let article = available_skills(&listed, budget, Variant::Article);
        prop_assert!(article.included.len() <= list.included.len().max(1));
        if !list.first_exceeds {
            prop_assert_eq!(article, list);
        }
    }

    #[test]
    fn arguments_are_put_in_literally(
        pieces in prop::collection::vec("[^$]{0,10}", 1..6),
        arguments in "\\PC{0,20}",
    ) {
        let body = pieces.join(PLACEHOLDER);
        let expansion = expand(&body, &arguments);
        let trimmed = arguments.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c));
        match expansion.mode {
            Mode::Replace => {
                prop_assert_eq!(expansion.replacements, pieces.len() - 1);
                prop_assert_eq!(expansion.expanded, pieces.join(trimmed));
            }
            Mode::Append => prop_assert_eq!(expansion.expanded, format!("{body}\n\nARGUMENTS: {trimmed}")),
            Mode::Unchanged => prop_assert_eq!(expansion.expanded, body),
        }
    }

    #[test]
    fn no_file_makes_a_reader_fail(head in heads(), bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        for content in [
            format!("---\n{head}\n---\nbody").into_bytes(),
            head.into_bytes(),
            [b"---\n", bytes.as_slice(), b"\n---\n"].concat(),
        ] {
            let told = lint("a", Content::Bytes(&content), &UNICODE);
            prop_assert_eq!(told.hosts.len(), 3);
            for verdict in &told.hosts {
                prop_assert_eq!(verdict.status.is_usable(), verdict.reasons.is_empty());
            }
            let _ = mcp::json(&content);
        }
    }

    #[test]
    fn a_portable_name_is_valid_everywhere(name in "[a-z0-9-]{1,70}") {
        if name::is_portable(&name) {
            prop_assert!(name::agent_skills(&name, &name, &UNICODE).is_empty());
            prop_assert!(name::coder(&name, &name).is_none());
            prop_assert!(name::my_code_agent(&name));
        }
    }

    #[test]
    fn an_entry_that_passes_has_its_files_inside(path in parts(), size in any::<u32>()) {
        let uri = "skill://acme/refunds/SKILL.md";
        let digest = format!("sha256:{}", "0".repeat(64));
        let other = format!("skill://acme/refunds/{path}");
        let value = json!({
            "uri": uri,
            "frontmatter": { "name": "refunds", "description": "d" },
            "resources": [
                { "uri": uri, "digest": digest, "size": size },
                { "uri": other, "digest": digest, "size": 1 },
            ],
        });
        if entry::judge(&value).is_ok() {
            prop_assert!(!path.is_empty() && lowest(&decoded(&path)) >= 0, "{path}");
            prop_assert_ne!(decoded(&path), "SKILL.md");
        }
    }
}

#[test]
fn aliases_cannot_multiply() {
    let mut head = "---\nname: a\ndescription: d\na0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for step in 1..12 {
        let before = format!("*a{}, ", step - 1).repeat(9);
        head = format!("{head}a{step}: &a{step} [{before}x]\n");
    }
    head.push_str("---\n");
    let told = lint("a", Content::Bytes(head.as_bytes()), &UNICODE);
    let coder = told.of(&SkillHost::Coder).unwrap();
    assert_eq!(coder.status, HostStatus::Invalid);
    assert!(
        coder
            .reasons
            .iter()
            .any(|reason| reason.message.contains("too many values"))
    );
    let deep = format!(
        "---\nname: {}x{}\n---\n",
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    let told = lint("a", Content::Bytes(deep.as_bytes()), &UNICODE);
    assert_eq!(
        told.of(&SkillHost::Coder).unwrap().status,
        HostStatus::Invalid
    );
}

#[test]
fn a_large_head_is_read_in_no_time() {
    let mut head = "---\nname: a\ndescription: d\n".to_owned();
    while head.len() < 1_000_000 {
        head.push_str("k: \"x\ty\"\n");
    }
    head.push_str("---\n");
    let started = std::time::Instant::now();
    let told = lint("a", Content::Bytes(head.as_bytes()), &UNICODE);
    assert!(
        told.of(&SkillHost::AgentSkills)
            .is_some_and(|verdict| verdict.status == HostStatus::Invalid)
    );
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn each_bad_entry_is_told_apart() {
    let digest = format!("sha256:{}", "a".repeat(64));
    let good = json!({
        "uri": "skill://acme/re%66unds/SKILL.md",
        "frontmatter": { "name": "refunds", "description": "d", "allowed-tools": "Bash" },
        "resources": [
            { "uri": "skill://acme/re%66unds/SKILL.md", "digest": digest, "size": 10.0 },
            { "uri": "skill://acme/refunds/regional/eu/SKILL.md", "digest": digest, "size": 0 },
        ],
        "_meta": {},
    });
    let entry = entry::judge(&good).unwrap();
    assert_eq!(
        (entry.name.as_str(), entry.description.as_str()),
        ("refunds", "d")
    );
    assert_eq!(entry.frontmatter["allowed-tools"], "Bash");
    let dynamic = {
        let mut value = good.clone();
        value["resources"] = json!("dynamic");
        value
    };
    assert!(entry::judge(&dynamic).is_ok());

    let set = |pointer: &str, value: Value| {
        let mut entry = good.clone();
        *entry.pointer_mut(pointer).unwrap() = value;
        entry
    };
    let without = |key: &str| {
        let mut entry = good.clone();
        entry.as_object_mut().unwrap().remove(key);
        entry
    };
    for (value, at) in [
        (json!([]), ""),
        (without("uri"), "uri"),
        (set("/uri", json!("skill://acme/refunds/README.md")), "uri"),
        (
            set("/uri", json!("skill://acme/x/../refunds/SKILL.md")),
            "uri",
        ),
        (without("frontmatter"), "frontmatter"),
        (
            set("/frontmatter/name", json!("billing")),
            "frontmatter.name",
        ),
        (
            set("/frontmatter/name", json!("Refunds")),
            "frontmatter.name",
        ),
        (set("/frontmatter/name", json!(7)), "frontmatter.name"),
        (
            set("/frontmatter/description", json!(" ")),
            "frontmatter.description",
        ),
        (without("resources"), "resources"),
        (set("/resources", json!("static")), "resources"),
        (set("/resources", json!([])), "resources"),
        (
            set("/resources/0/uri", json!("skill://acme/refunds/SKILL.md")),
            "resources",
        ),
        (
            set("/resources/1/uri", json!("skill://acme/refunds/SKILL%2Emd")),
            "resources[1].uri",
        ),
        (
            set("/resources/1/uri", json!("skill://acme/refunds-evil/x")),
            "resources[1].uri",
        ),
        (
            set("/resources/1/uri", json!("skill://acme/refunds/%2e%2e/x")),
            "resources[1].uri",
        ),
        (
            set("/resources/1/uri", json!("skill://acme/refunds/")),
            "resources[1].uri",
        ),
        (
            set("/resources/1/digest", json!(digest.to_uppercase())),
            "resources[1].digest",
        ),
        (set("/resources/1/size", json!(-1)), "resources[1].size"),
        (set("/resources/1/size", json!(1.5)), "resources[1].size"),
        (set("/resources/1/size", json!("1")), "resources[1].size"),
        (
            set(
                "/resources/1",
                json!({ "uri": "skill://acme/refunds/x", "digest": digest }),
            ),
            "resources[1].size",
        ),
        (set("/_meta", json!(1)), "_meta"),
    ] {
        let problems = entry::judge(&value).unwrap_err();
        assert!(
            problems.iter().any(|problem| problem.at == at),
            "{value}: {problems:?}"
        );
    }
}
