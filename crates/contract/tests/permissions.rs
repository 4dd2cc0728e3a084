//! The eight flags: merging, the one implication, and what each of them gates.

use std::collections::HashSet;

use contract::catalog::{CATALOG, UNLISTED};
use contract::rules::permissions::{Flag, PermissionPatch, Permissions};

#[test]
fn a_patch_changes_its_flags_and_no_other() {
    for flag in Flag::KNOWN {
        let on = Permissions::default().merged(&PermissionPatch::one(flag.clone(), true));
        for other in Flag::KNOWN {
            let implied = *flag == Flag::CanOpenPullRequests && *other == Flag::CanCommitToRepo;
            assert_eq!(
                on.get(other),
                Some(flag == other || implied),
                "{flag} {other}"
            );
        }
        let off = on.merged(&PermissionPatch::one(flag.clone(), false));
        assert_eq!(off.get(flag), Some(false), "{flag}");
    }
    let unknown = Flag::from("canFly");
    let same = Permissions::default().merged(&PermissionPatch::one(unknown.clone(), true));
    assert_eq!(same, Permissions::default());
    assert_eq!(same.get(&unknown), None);
}

#[test]
fn open_pull_requests_keeps_commit_to_repo_on() {
    let both =
        Permissions::default().merged(&PermissionPatch::one(Flag::CanOpenPullRequests, true));
    assert_eq!(
        both.kept_on_by(&Flag::CanCommitToRepo),
        Some(Flag::CanOpenPullRequests)
    );
    assert_eq!(both.kept_on_by(&Flag::CanOpenPullRequests), None);
    let tried = both.merged(&PermissionPatch::one(Flag::CanCommitToRepo, false));
    assert_eq!(tried, both);
    // Both off in one patch is possible, and commit alone stays on when pull requests go.
    let mut patch = PermissionPatch::one(Flag::CanCommitToRepo, false);
    patch.set(Flag::CanOpenPullRequests, false);
    assert_eq!(both.merged(&patch), Permissions::default());
    let alone = both.merged(&PermissionPatch::one(Flag::CanOpenPullRequests, false));
    assert_eq!(alone.get(&Flag::CanCommitToRepo), Some(true));
    assert_eq!(alone.kept_on_by(&Flag::CanCommitToRepo), None);
    let stored = Permissions {
        can_open_pull_requests: true,
        ..Permissions::default()
    };
    assert_eq!(
        stored.with_implications().get(&Flag::CanCommitToRepo),
        Some(true)
    );
}

#[test]
fn every_gated_tool_is_named_by_its_flag() {
    let gated: Vec<(&str, &Flag)> = Flag::KNOWN
        .iter()
        .flat_map(|flag| flag.gated_tools().map(move |tool| (tool, flag)))
        .collect();
    let names: HashSet<&str> = gated.iter().map(|(tool, _)| *tool).collect();
    assert_eq!(names.len(), gated.len(), "a tool has one flag");
    assert_eq!(
        gated.len(),
        17,
        "sixteen of the catalog and delegateToAgent"
    );
    for (tool, flag) in gated {
        let listed = CATALOG.iter().find(|entry| entry.name == tool);
        let unlisted = UNLISTED.iter().find(|(name, _)| *name == tool);
        let gate = listed
            .and_then(|entry| entry.gated_by.as_ref())
            .or_else(|| unlisted.and_then(|(_, gate)| gate.as_ref()));
        assert_eq!(gate, Some(flag), "{tool}");
    }
    for flag in [Flag::CanEditSkills, Flag::CanSpend] {
        assert_eq!(flag.gated_tools().count(), 0, "{flag}");
    }
    assert_eq!(CATALOG.len(), 30);
}

#[test]
fn every_flag_has_words() {
    let labels: HashSet<&str> = Flag::KNOWN.iter().map(Flag::label).collect();
    assert_eq!(labels.len(), 8);
    for flag in Flag::KNOWN {
        assert!(flag.consequence().len() > 20, "{flag}");
        assert_eq!(flag.is_reserved(), *flag == Flag::CanSpend);
    }
    assert!(
        Flag::CanOpenPullRequests
            .consequence()
            .contains("Commit to repo")
    );
}

#[test]
fn a_flag_that_was_left_out_is_neither_on_nor_off() {
    let read = |value| serde_json::from_value::<Permissions>(value).unwrap();
    let partial = read(serde_json::json!({"canSpend": false, "canCommitToRepo": null}));
    assert_eq!(partial.get(&Flag::CanSpend), Some(false));
    for flag in Flag::KNOWN.iter().filter(|flag| **flag != Flag::CanSpend) {
        assert_eq!(partial.get(flag), None, "{flag}");
        assert_eq!(Permissions::left_out().get(flag), None, "{flag}");
        assert_eq!(partial.or_off().get(flag), Some(false), "{flag}");
        assert_eq!(partial.kept_on_by(flag), None);
        // Setting it makes it known.
        for on in [true, false] {
            let set = partial.merged(&PermissionPatch::one(flag.clone(), on));
            assert_eq!(set.get(flag), Some(on), "{flag}");
            assert_ne!(set, partial);
        }
    }
    // It is not written either, and the implication holds where it is known.
    assert_eq!(
        serde_json::to_value(partial).unwrap(),
        serde_json::json!({"canSpend": false})
    );
    assert_eq!(read(serde_json::to_value(partial).unwrap()), partial);
    let both = partial.merged(&PermissionPatch::one(Flag::CanOpenPullRequests, true));
    assert_eq!(both.get(&Flag::CanCommitToRepo), Some(true));
}
