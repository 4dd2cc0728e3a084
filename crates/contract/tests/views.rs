//! Who decided, what a switch can do and what it writes, against the oracle: the three must never
//! contradict each other.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use contract::capabilities::AccessSummary;
use contract::grants::{GrantContent, Scope};
use contract::rules::difference::difference;
use contract::rules::edit::{Obstacle, split_pattern, toggle};
use contract::rules::explain::{AgentView, Bucket, Cause, Role, Switch};
use contract::rules::fold::fold;
use contract::rules::permissions::{Flag, Permissions};
use proptest::prelude::*;
use support::{generate, oracle};

fn is_gate_off(gate: Option<&Flag>) -> bool {
    gate == Some(&Flag::CanSpend)
}

/// What is stored, apart from entries equal to one of the names.
fn others<'a>(list: Option<&'a Vec<String>>, names: &[String]) -> Vec<&'a String> {
    let is_named = |item: &str| {
        names
            .iter()
            .any(|name| oracle::strip(name).eq_ignore_ascii_case(&oracle::strip(item)))
    };
    list.into_iter()
        .flatten()
        .filter(|item| !is_named(item))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_standing_is_on_exactly_when_flag_and_matrix_agree(world in generate::world()) {
        let view = world.view();
        prop_assert_eq!(view.resolved(), &fold(&world.layers));
        for (name, gate) in world.asked() {
            let standing = view.standing(name, gate);
            let allowed = oracle::refusal(&world.layers, name).is_none();
            prop_assert_eq!(standing.is_on(), allowed && !is_gate_off(gate));
            prop_assert_eq!(view.is_on(name, gate), standing.is_on());
            prop_assert_eq!(standing.is_on(), standing.causes.is_empty());
            prop_assert_eq!(standing.is_on(), standing.switch == Switch::On);
            prop_assert_eq!(
                standing.bucket == Bucket::PermissionOff,
                is_gate_off(gate)
            );
        }
    }

    #[test]
    fn a_switch_is_locked_exactly_when_turning_it_on_is_impossible(world in generate::world()) {
        let view = world.view();
        for (name, gate) in world.asked() {
            let standing = view.standing(name, gate);
            let edit = toggle(&view, &[(name, gate)], true);
            match standing.switch {
                Switch::On => prop_assert!(edit.changed.is_empty() && edit.skipped.is_empty()),
                Switch::Off => prop_assert_eq!(&edit.changed, &[name.to_owned()]),
                Switch::Locked => {
                    prop_assert!(edit.changed.is_empty() && !edit.is_change);
                    prop_assert_eq!(edit.skipped.len(), 1);
                    prop_assert!(!edit.skipped[0].1.sentence(&view).is_empty());
                }
            }
        }
    }

    #[test]
    fn a_locked_switch_names_a_true_obstacle(world in generate::world()) {
        let view = world.view();
        let sorted = oracle::sorted(&world.layers);
        for (name, gate) in world.asked() {
            for (_, obstacle) in toggle(&view, &[(name, gate)], true).skipped {
                let above = oracle::decider(&sorted[..sorted.len() - 1], name);
                match obstacle {
                    Obstacle::PermissionOff(_) => prop_assert!(is_gate_off(gate)),
                    Obstacle::Denied { layer } => prop_assert_eq!(above, Some((layer, true))),
                    Obstacle::NotGranted { layer } => prop_assert_eq!(above, Some((layer, false))),
                    Obstacle::OwnPattern(pattern) => {
                        let own = oracle::denied(&sorted[sorted.len() - 1]);
                        prop_assert!(own.contains(&pattern) && pattern.ends_with('*'));
                        prop_assert!(oracle::hits(&pattern, name));
                    }
                    Obstacle::NotAPattern => prop_assert!(!oracle::is_legal(&oracle::strip(name))
                        || oracle::strip(name).ends_with('*')),
                    Obstacle::TooManyPatterns => prop_assert!(false, "lists are short here"),
                }
            }
        }
    }

    #[test]
    fn toggling_gives_the_intended_verdicts_and_touches_nothing_else(
        world in generate::world(),
        on in any::<bool>(),
        asked in proptest::collection::vec(any::<bool>(), 12),
    ) {
        let view = world.view();
        let all = world.asked();
        let meant: Vec<(&str, Option<&Flag>)> = all
            .iter()
            .zip(&asked)
            .filter(|(_, is_asked)| **is_asked)
            .map(|(tool, _)| *tool)
            .collect();
        let edit = toggle(&view, &meant, on);
        prop_assert_eq!(edit.is_change, !edit.changed.is_empty());
        prop_assert!(edit.content.deny.is_some());
        let stored = view.agent_content().cloned().unwrap_or_default();
        prop_assert_eq!(edit.content.allow.is_some(), stored.allow.is_some());
        prop_assert_eq!(&edit.content.note, &stored.note);
        // Everything that is not the name of a changed tool stays, in its order.
        for (before, after) in [
            (&stored.allow, &edit.content.allow),
            (&stored.deny, &edit.content.deny),
        ] {
            prop_assert_eq!(
                others(before.as_ref(), &edit.changed),
                others(after.as_ref(), &edit.changed)
            );
        }
        let after_layers = generate::with_own(&world.layers, &edit.content);
        let after = view.with_agent_row(Some(&edit.content));
        prop_assert_eq!(after.resolved(), &fold(&after_layers));
        for (name, gate) in &all {
            let is_changed = edit
                .changed
                .iter()
                .any(|changed| {
                    oracle::strip(changed).eq_ignore_ascii_case(&oracle::strip(name))
                });
            let before = oracle::refusal(&world.layers, name);
            let now = oracle::refusal(&after_layers, name);
            if is_changed {
                prop_assert_eq!(now.is_none(), on, "{}", name);
                if !is_gate_off(*gate) {
                    prop_assert_eq!(after.is_on(name, *gate), on);
                }
            } else {
                prop_assert_eq!(before, now, "{}", name);
            }
        }
        for (name, gate) in &meant {
            let settled = edit.changed.iter().any(|changed| changed == name)
                || edit.skipped.iter().any(|(skipped, _)| skipped == name)
                || after.is_on(name, *gate) == on
                || meant.iter().any(|(other, _)| {
                    other != name && other.trim().eq_ignore_ascii_case(name.trim())
                });
            prop_assert!(settled, "{} is neither changed nor skipped nor as wanted", name);
        }
    }

    #[test]
    fn off_and_on_again_is_back_where_it_was(world in generate::world()) {
        let view = world.view();
        for (name, gate) in world.asked() {
            if view.standing(name, gate).switch != Switch::On {
                continue;
            }
            let off = toggle(&view, &[(name, gate)], false);
            if !off.is_change {
                prop_assert_eq!(&off.skipped[0].1, &Obstacle::NotAPattern);
                continue;
            }
            let between = view.with_agent_row(Some(&off.content));
            prop_assert_eq!(between.standing(name, gate).switch, Switch::Off);
            let on = toggle(&between, &[(name, gate)], true);
            prop_assert!(on.is_change);
            let stored = view.agent_content().cloned().unwrap_or_default();
            prop_assert_eq!(on.content.allow, stored.allow);
            prop_assert_eq!(on.content.deny.unwrap_or_default(), stored.deny.unwrap_or_default());
        }
    }

    #[test]
    fn the_explanation_finds_the_one_layer_that_decided(world in generate::world()) {
        let view = world.view();
        let sorted = oracle::sorted(&world.layers);
        for (name, gate) in world.asked() {
            let explanation = view.explain(name, gate);
            let decider = oracle::decider(&world.layers, name)
                .filter(|_| !oracle::strip(name).is_empty());
            prop_assert_eq!(explanation.deciding, decider.map(|(place, _)| place));
            prop_assert_eq!(&explanation.standing, &view.standing(name, gate));
            prop_assert_eq!(
                &explanation.decision.code,
                &oracle::refusal(&world.layers, name)
            );
            prop_assert_eq!(explanation.layers.len(), sorted.len() + 1);
            for (place, report) in explanation.layers.iter().enumerate() {
                let decides = decider.filter(|(decider, _)| *decider == place);
                prop_assert_eq!(report.role == Role::Denies, decides.is_some_and(|(_, deny)| deny));
                prop_assert_eq!(
                    report.role == Role::Excludes,
                    decides.is_some_and(|(_, deny)| !deny)
                );
                let after = decider.is_some_and(|(decider, _)| place > decider);
                prop_assert_eq!(report.after_decision, after);
                if let Role::AlsoDenies | Role::AlsoExcludes = report.role {
                    prop_assert!(after);
                }
                prop_assert_eq!(
                    matches!(report.role, Role::Denies | Role::AlsoDenies),
                    !report.matching_deny.is_empty()
                );
                if report.role == Role::Grants {
                    prop_assert!(!report.matching_allow.is_empty());
                }
                if let Some(asked) = &report.declared_allow {
                    prop_assert_eq!(asked.len(), report.kept.len() + report.rejected.len());
                }
                let declares = place == 0 || oracle::declares(&sorted[place - 1]);
                prop_assert_eq!(report.declared_allow.is_some(), declares);
            }
        }
    }

    #[test]
    fn causes_come_in_the_order_of_badges_and_each_stands_alone(world in generate::world()) {
        let view = world.view();
        let rank = |cause: &Cause| match cause {
            Cause::PermissionOff(_) => 0,
            Cause::Denied { .. } | Cause::NotGranted { .. } | Cause::InvalidName => 1,
            Cause::DeniedByOwnPattern { .. } | Cause::DeniedHere { .. } => 2,
            Cause::NotGrantedHere => 3,
        };
        for (name, gate) in world.asked() {
            let causes = view.standing(name, gate).causes;
            prop_assert!(causes.windows(2).all(|two| rank(&two[0]) < rank(&two[1])));
            let own = |cause: &Cause| rank(cause) >= 2;
            // Without the agent's row its own causes are gone and the others stay.
            let bare = view.with_agent_row(None).standing(name, gate).causes;
            let kept: Vec<Cause> = causes.iter().filter(|cause| !own(cause)).cloned().collect();
            prop_assert_eq!(bare, kept);
        }
    }

    #[test]
    fn a_view_made_from_the_answer_alone_gives_the_same_verdicts(world in generate::world()) {
        let resolved = fold(&world.layers);
        let view = AgentView::from_resolved(&resolved, world.own().as_ref(), world.permissions);
        for (name, gate) in world.asked() {
            prop_assert_eq!(view.is_on(name, gate), world.view().is_on(name, gate), "{}", name);
        }
        // The fold too, if something is left.
        if !resolved.matrix.allow.is_empty() {
            prop_assert_eq!(view.resolved(), &resolved);
        }
    }

    #[test]
    fn the_difference_is_what_differs(
        world in generate::world(),
        own in generate::grant(generate::pattern().boxed()),
    ) {
        let before = world.view();
        let content = own.map(|grant| GrantContent {
            allow: grant.allow,
            deny: grant.deny,
            note: None,
        });
        let after = before.with_agent_row(content.as_ref());
        let changes = difference(&before, &after, world.asked().into_iter());
        let mut rest = changes.as_slice();
        for (name, gate) in world.asked() {
            let (old, new) = (before.standing(name, gate), after.standing(name, gate));
            if old.is_on() != new.is_on() {
                let (first, others) = rest.split_first().unwrap();
                prop_assert_eq!((&first.name, &first.before, &first.after), (&name.to_owned(), &old, &new));
                rest = others;
            }
        }
        prop_assert!(rest.is_empty());
        prop_assert!(difference(&before, &before, world.asked().into_iter()).is_empty());
        // The same change made at the agent's scope by its identifier is the same view.
        let by_scope = before.with_row(&Scope::Agent, "agent-1", content.as_ref());
        prop_assert_eq!(by_scope.resolved(), after.resolved());
        let elsewhere = before.with_row(&Scope::Agent, "agent-2", content.as_ref());
        prop_assert_eq!(elsewhere.resolved(), before.resolved());
    }

    #[test]
    fn a_change_above_is_folded_in(world in generate::world(), row in generate::grant(generate::pattern().boxed())) {
        let content = row.map(|grant| GrantContent { allow: grant.allow, deny: grant.deny, note: None });
        let view = world.view();
        for scope in [Scope::Tenant, Scope::Organization, Scope::Work] {
            let mut layers = world.layers.clone();
            for layer in layers.iter_mut().filter(|layer| layer.scope == scope) {
                layer.grant = content.as_ref().map(GrantContent::grant);
            }
            let after = view.with_row(&scope, &format!("{scope}-1"), content.as_ref());
            prop_assert_eq!(after.resolved(), &fold(&layers));
            prop_assert_eq!(after.agent_content(), view.agent_content());
        }
    }

    #[test]
    fn the_summary_adds_up(world in generate::world()) {
        let view = world.view();
        let summary = view.summary(world.asked().into_iter());
        let count = |bucket| {
            let all = world.asked();
            let found = all.iter().filter(|(name, gate)| view.standing(name, *gate).bucket == bucket);
            u32::try_from(found.count()).unwrap()
        };
        prop_assert_eq!(summary, AccessSummary {
            on: count(Bucket::On),
            off_here: count(Bucket::OffHere),
            denied_above: count(Bucket::DeniedAbove),
            permission_off: count(Bucket::PermissionOff),
        });
        prop_assert_eq!(usize::try_from(summary.total()).unwrap(), world.tools.len());
    }

    #[test]
    fn splitting_a_wildcard_frees_one_tool_and_no_other(world in generate::world(), keep in "[abAB]{1,4}") {
        let view = world.view();
        let own = view.agent_content().and_then(|own| own.deny.clone()).unwrap_or_default();
        let Some(pattern) = own.iter().find(|item| item.ends_with('*') && oracle::hits(item, &keep)) else {
            return Ok(());
        };
        let names: Vec<&str> = world.asked().iter().map(|(name, _)| *name).collect();
        match split_pattern(&view, pattern, &keep, &names) {
            Ok(content) => {
                let after = view.with_agent_row(Some(&content));
                prop_assert!(after.is_on(&keep, None));
                prop_assert_eq!(&content.note, &view.agent_content().unwrap().note);
                for name in names.iter().filter(|name| !name.trim().eq_ignore_ascii_case(&keep)) {
                    prop_assert_eq!(after.is_on(name, None), view.is_on(name, None), "{}", name);
                }
            }
            Err(Obstacle::Denied { .. } | Obstacle::NotGranted { .. }) => {
                prop_assert!(!view.with_agent_row(None).is_on(&keep, None));
            }
            Err(Obstacle::OwnPattern(other)) => {
                prop_assert!(oracle::hits(&other, &keep));
                prop_assert!(!other.trim().eq_ignore_ascii_case(pattern.trim()));
            }
            Err(Obstacle::NotAPattern) => {
                let is_unwritable = |name: &&str| {
                    let name = oracle::strip(name);
                    oracle::hits(pattern, &name) && (!oracle::is_legal(&name) || name.ends_with('*'))
                };
                prop_assert!(names.iter().any(is_unwritable));
            }
            Err(other) => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn flags_change_nothing_but_the_flags(world in generate::world()) {
        let view = world.view();
        let all_on = view.with_permissions(Permissions { can_spend: true, ..world.permissions });
        for (name, gate) in world.asked() {
            prop_assert_eq!(all_on.standing(name, gate), view.standing(name, None));
        }
    }
}
