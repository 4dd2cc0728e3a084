//! What a switch writes: the recomposition table of contract section 15, group toggles, limits,
//! and the helpers of the rule editor.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod support;

use contract::grants::{GrantContent, NOTE_MAX, PATTERNS_MAX, Scope};
use contract::rules::edit::{
    Obstacle, Problem, blocks_everything, check_content, is_fully_rejected, note_length,
    parse_patterns, split_pattern, toggle,
};
use contract::rules::explain::{AgentView, Bucket, Cause, Switch};
use contract::rules::pattern::PatternError;
use contract::rules::permissions::{Flag, Permissions};
use support::cases::{list, row, view};

#[test]
fn the_recomposition_table_of_the_contract_holds() {
    let table = [
        (None, "searchWeb", false, row("-", "searchWeb")),
        (
            Some(row("-", "search*")),
            "searchWeb",
            false,
            row("-", "search*"),
        ),
        (
            Some(row("searchWeb createTask", "-")),
            "searchWeb",
            false,
            row("searchWeb createTask", "searchWeb"),
        ),
        (
            Some(row("-", "searchWeb createTask")),
            "searchWeb",
            true,
            row("-", "createTask"),
        ),
        (
            Some(row("createTask", "")),
            "searchWeb",
            true,
            row("createTask searchWeb", ""),
        ),
        (
            Some(row("search*", "searchWeb")),
            "searchWeb",
            true,
            row("search*", ""),
        ),
        // Turning the last tool on again leaves an empty row, which is never deleted.
        (Some(row("-", "SEARCHWEB")), "searchWeb", true, row("-", "")),
    ];
    for (stored, tool, on, expected) in table {
        let edit = toggle(&view(&[], stored.as_ref()), &[(tool, None)], on);
        assert_eq!(edit.content, expected, "{stored:?} {tool} {on}");
    }
}

#[test]
fn what_the_page_cannot_see_is_kept() {
    let stored = GrantContent {
        allow: list("b* createTask createTask nothing_like_it"),
        deny: Some(
            [
                "mcp__x*",
                "not a pattern",
                "searchweb",
                " searchWeb ",
                "mcp__x*",
                "SEARCHWEB",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
        note: Some("ask Ada first".to_owned()),
    };
    let agent = view(&[], Some(&stored));
    let on = toggle(&agent, &[("searchWeb", None)], true);
    assert_eq!(on.content.note, stored.note);
    assert_eq!(
        on.content.deny.unwrap(),
        ["mcp__x*", "not a pattern", "mcp__x*"]
    );
    assert_eq!(
        on.content.allow,
        list("b* createTask createTask nothing_like_it searchWeb")
    );
    let off = toggle(&agent, &[("createTask", None)], false);
    assert_eq!(off.content.allow, stored.allow);
    let mut longer = stored.deny.unwrap();
    longer.push("createTask".to_owned());
    assert_eq!(off.content.deny, Some(longer));
}

#[test]
fn a_group_is_switched_in_one_write_and_says_what_it_left_alone() {
    let above = [
        (Scope::Organization, "-", "git_*"),
        (Scope::Work, "git_* a b c d_*", "-"),
    ];
    let agent = view(&above, Some(&row("-", "a d_*"))).with_permissions(Permissions::default());
    let gate = Flag::CanSpend;
    let tools = [
        ("a", None),
        ("b", None),
        ("B", None),
        ("c", Some(&gate)),
        ("git_push", None),
        ("other", None),
        ("d_1", None),
        ("", None),
    ];
    let off = toggle(&agent, &tools, false);
    assert_eq!(off.content, row("-", "a d_* b"));
    assert_eq!(off.changed, ["b"]);
    let on = toggle(&agent, &tools, true);
    assert_eq!(on.content, row("-", "d_*"));
    assert_eq!(on.changed, ["a"]);
    assert_eq!(
        on.skipped,
        [
            ("c".to_owned(), Obstacle::PermissionOff(Flag::CanSpend)),
            ("git_push".to_owned(), Obstacle::Denied { layer: 1 }),
            ("other".to_owned(), Obstacle::NotGranted { layer: 2 }),
            ("d_1".to_owned(), Obstacle::OwnPattern("d_*".to_owned())),
            (String::new(), Obstacle::NotAPattern),
        ]
    );
    let words: Vec<String> = on
        .skipped
        .iter()
        .map(|(_, obstacle)| obstacle.sentence(&agent))
        .collect();
    for (sentence, word) in
        words
            .iter()
            .zip(["Spend budget", "organization", "Work", "d_*", "pattern"])
    {
        assert!(sentence.contains(word), "{sentence}");
    }
    assert!(!toggle(&agent, &[("a", None)], false).is_change);
}

#[test]
fn what_is_off_can_be_turned_off_without_complaint() {
    let agent = view(&[(Scope::Tenant, "-", "mcp__*")], Some(&row("-", "send*")))
        .with_permissions(Permissions::default());
    let tools = [("mcp__x", None), ("sendEmail", None), ("searchWeb", None)];
    let edit = toggle(&agent, &tools, false);
    assert_eq!(edit.content, row("-", "send* searchWeb"));
    assert_eq!(edit.changed, ["searchWeb"]);
    assert!(edit.skipped.is_empty());
    let flag = Flag::CanCallExternalTools;
    let gated = toggle(&agent, &[("searchWeb", Some(&flag))], false);
    assert_eq!(
        gated.skipped,
        [("searchWeb".to_owned(), Obstacle::PermissionOff(flag))]
    );
}

#[test]
fn full_lists_lock_or_refuse_by_name() {
    let full = |start: &str| -> Option<Vec<String>> {
        Some((0..PATTERNS_MAX).map(|n| format!("{start}{n}")).collect())
    };
    let many = GrantContent {
        allow: full("granted_"),
        deny: full("denied_"),
        note: None,
    };
    let agent = view(&[], Some(&many));
    let standing = agent.standing("searchWeb", None);
    assert_eq!(standing.causes, [Cause::NotGrantedHere]);
    assert_eq!(standing.switch, Switch::Locked);
    let on = toggle(&agent, &[("searchWeb", None)], true);
    assert_eq!(
        on.skipped,
        [("searchWeb".to_owned(), Obstacle::TooManyPatterns)]
    );
    assert!(!on.is_change && on.content == many);
    let off = toggle(&agent, &[("granted_1", None)], false);
    assert_eq!(
        off.skipped,
        [("granted_1".to_owned(), Obstacle::TooManyPatterns)]
    );

    // The last free place goes to the first tool of a group.
    let mut almost = many.clone();
    almost.deny.as_mut().unwrap().pop();
    let both = toggle(
        &view(&[], Some(&almost)),
        &[("granted_1", None), ("granted_2", None)],
        false,
    );
    assert_eq!(both.changed, ["granted_1"]);
    assert_eq!(both.skipped.len(), 1);
}

#[test]
fn a_name_no_pattern_can_hold_cannot_be_switched() {
    let long = "x".repeat(121);
    for name in ["two words", "naïve", long.as_str()] {
        let off = toggle(&view(&[], None), &[(name, None)], false);
        assert_eq!(off.skipped, [(name.to_owned(), Obstacle::NotAPattern)]);
        let agent = view(&[], Some(&row("a", "-")));
        assert_eq!(agent.standing(name, None).switch, Switch::Locked);
    }
    // A wildcard reaches such a name all the same.
    assert!(!view(&[], Some(&row("-", "two*"))).is_on("two words", None));
}

#[test]
fn a_failed_open_view_lets_everything_through_and_still_edits_the_row() {
    let stored = row("-", "b");
    let open = AgentView::from_rows(
        &[],
        &[],
        Some(&support::cases::stored(&stored)),
        Permissions::default(),
    );
    assert!(open.failed_open());
    assert!(open.is_on("a", None) && open.is_on("b", None));
    let edit = toggle(&open, &[("a", None)], false);
    assert_eq!(edit.content, row("-", "b a"));
    let after = open.with_agent_row(Some(&edit.content));
    assert!(after.failed_open() && after.is_on("a", None));
    assert_eq!(after.agent_content(), Some(&edit.content));
    assert!(open.explain("a", None).layers.is_empty());
    assert!(!view(&[], None).failed_open());
}

#[test]
fn a_split_wildcard_gives_way_to_exact_names_in_its_place() {
    let tools = [
        "searchWeb",
        "searchMail",
        "SEARCHMAIL",
        "createTask",
        "search",
    ];
    let split = |deny: &str, allow: &str| {
        split_pattern(
            &view(&[], Some(&row(allow, deny))),
            "search*",
            "searchWeb",
            &tools,
        )
    };
    assert_eq!(
        split("x search* y", "-").unwrap(),
        row("-", "x searchMail search y")
    );
    // Repeated in another case, beside the exact name, and with an allow list that leaves it out.
    assert_eq!(
        split("SEARCH* searchweb search* searchmail", "createTask").unwrap(),
        row("createTask searchWeb", "search searchmail")
    );
    assert_eq!(
        split("search* sea*", "-"),
        Err(Obstacle::OwnPattern("sea*".to_owned()))
    );
    let denied = view(
        &[(Scope::Tenant, "-", "searchWeb")],
        Some(&row("-", "search*")),
    );
    assert_eq!(
        split_pattern(&denied, "search*", "searchWeb", &tools),
        Err(Obstacle::Denied { layer: 1 })
    );
    let odd = split_pattern(
        &view(&[], Some(&row("-", "search*"))),
        "search*",
        "searchWeb",
        &["search it"],
    );
    assert_eq!(odd, Err(Obstacle::NotAPattern));
    let many: Vec<String> = (0..=PATTERNS_MAX).map(|n| format!("search{n}")).collect();
    let names: Vec<&str> = many.iter().map(String::as_str).collect();
    let agent = view(&[], Some(&row("-", "search*")));
    assert_eq!(
        split_pattern(&agent, "search*", "searchWeb", &names),
        Err(Obstacle::TooManyPatterns)
    );
    assert!(split_pattern(&agent, "search*", "search0", &names).is_ok());
    // What stands behind the wildcard counts too.
    let mut deny: Vec<String> = (0..150).map(|n| format!("other{n}")).collect();
    deny.insert(0, "search*".to_owned());
    let crowded = GrantContent {
        deny: Some(deny),
        ..GrantContent::default()
    };
    let agent = view(&[], Some(&crowded));
    let split = |tools: &[&str]| split_pattern(&agent, "search*", "search0", tools);
    assert_eq!(split(&names[..52]), Err(Obstacle::TooManyPatterns));
    let fits = split(&names[..51]).unwrap().deny.unwrap();
    assert_eq!(fits.len(), PATTERNS_MAX);
}

#[test]
fn typed_patterns_are_taken_apart_with_their_lines() {
    let typed = parse_patterns("git_*, deploy\r\n\r\n  two words ,\rmcp__*\n*,a*b\n");
    let expected = [
        (1, "git_*", Ok(())),
        (1, "deploy", Ok(())),
        (3, "two words", Err(PatternError::Character(' '))),
        (4, "mcp__*", Ok(())),
        (5, "*", Ok(())),
        (5, "a*b", Err(PatternError::InnerStar)),
    ];
    let typed: Vec<_> = typed
        .iter()
        .map(|(line, text, result)| (*line, text.as_str(), *result))
        .collect();
    assert_eq!(typed, expected);
    assert!(parse_patterns(" ,\n,, \u{feff}\n").is_empty());
}

#[test]
fn contents_are_checked_against_every_limit() {
    let full: Vec<String> = (0..PATTERNS_MAX).map(|n| format!("p{n}")).collect();
    let mut over = full.clone();
    over.push("one_more".to_owned());
    let content = |allow: &[String], note: &str| GrantContent {
        allow: Some(allow.to_vec()),
        deny: None,
        note: Some(note.to_owned()),
    };
    assert_eq!(check_content(&content(&full, &"n".repeat(NOTE_MAX))), []);
    // A crab is one character, whatever its size in bytes or UTF-16 units.
    assert_eq!(note_length(&"🦀".repeat(NOTE_MAX)), NOTE_MAX);
    assert_eq!(check_content(&content(&full, &"🦀".repeat(NOTE_MAX))), []);
    assert_eq!(
        check_content(&content(&over, &"🦀".repeat(NOTE_MAX + 1))),
        [
            Problem::TooMany {
                list: "allow",
                count: 201
            },
            Problem::NoteTooLong(NOTE_MAX + 1)
        ]
    );
    assert_eq!(check_content(&row("-", "-")), [Problem::Empty]);
    assert_eq!(check_content(&row("", "-")), []);
    let spaced = GrantContent {
        deny: Some(vec![" git_*".to_owned(), "x".repeat(121)]),
        ..GrantContent::default()
    };
    let problems = check_content(&spaced);
    assert!(matches!(
        problems.as_slice(),
        [
            Problem::Pattern {
                list: "deny",
                error: PatternError::Character(' '),
                ..
            },
            Problem::Pattern {
                error: PatternError::TooLong,
                ..
            }
        ]
    ));
    assert!(
        problems
            .iter()
            .all(|problem| problem.sentence().contains("deny"))
    );
}

#[test]
fn warnings_are_given_when_nothing_is_left() {
    let tools = [("a", None), ("b", None)];
    assert!(blocks_everything(&view(&[], Some(&row("", "-"))), &tools));
    assert!(blocks_everything(&view(&[], Some(&row("-", "*"))), &tools));
    assert!(!blocks_everything(&view(&[], Some(&row("-", "a"))), &tools));
    assert!(!blocks_everything(&view(&[], Some(&row("-", "*"))), &[]));

    let under = [(Scope::Tenant, "git_*", "-")];
    assert!(is_fully_rejected(&view(&under, Some(&row("* g*", "-")))));
    assert!(!is_fully_rejected(&view(
        &under,
        Some(&row("* git_c*", "-"))
    )));
    // Nothing asked for, or nothing legible: nothing rejected.
    assert!(!is_fully_rejected(&view(&under, Some(&row("", "-")))));
    assert!(!is_fully_rejected(&view(&under, Some(&row("a*b", "-")))));
    assert!(!is_fully_rejected(&view(&under, None)));
}

#[test]
fn states_have_names_in_addresses() {
    for bucket in Bucket::KNOWN {
        assert_eq!(Bucket::from_slug(bucket.slug()), Some(bucket));
    }
    assert_eq!(Bucket::from_slug("On"), None);
}
