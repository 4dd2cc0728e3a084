//! The fold, the decision and the trie against an independent oracle, and the laws they keep.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::panic, reason = "a test fails by panicking")]

mod support;

use contract::grants::{RefusalCode, Scope};
use contract::rules::compiled::{Compiled, Verdict};
use contract::rules::fold::{Layer, decide, fold};
use contract::rules::pattern::{check_pattern, covers, is_tool_name, matches, trim};
use proptest::prelude::*;
use support::{generate, oracle};

fn verdict_of(code: Option<&RefusalCode>) -> Verdict {
    match code {
        None => Verdict::Allowed,
        Some(RefusalCode::ToolDenied) => Verdict::Denied,
        Some(RefusalCode::ToolNotGranted) => Verdict::NotGranted,
        Some(RefusalCode::ToolNameInvalid) => Verdict::InvalidName,
        Some(RefusalCode::Unknown(text)) => panic!("unknown code {text}"),
    }
}

fn cased(text: &str, upper: u32) -> String {
    text.chars()
        .enumerate()
        .map(|(place, character)| match upper >> (place % 32) & 1 {
            0 => character.to_ascii_lowercase(),
            _ => character.to_ascii_uppercase(),
        })
        .collect()
}

fn with_case(layers: &[Layer], upper: u32) -> Vec<Layer> {
    let list = |list: Option<Vec<String>>| {
        list.map(|list| list.iter().map(|item| cased(item, upper)).collect())
    };
    let mut changed = layers.to_vec();
    for grant in changed.iter_mut().filter_map(|layer| layer.grant.as_mut()) {
        grant.allow = list(grant.allow.take());
        grant.deny = list(grant.deny.take());
    }
    changed
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn patterns_are_what_the_grammar_says(text in "[aZ0_.:*é -]{0,6}", length in 115_usize..125) {
        let grammar = regex::Regex::new(r"\A(\*|[A-Za-z0-9_.:-]{1,120}\*?)\z").unwrap();
        let long = "x".repeat(length);
        for text in [text.clone(), format!("{text}*"), long.clone(), format!("{long}*")] {
            prop_assert_eq!(check_pattern(&text).is_ok(), grammar.is_match(&text), "{}", &text);
            prop_assert_eq!(check_pattern(&text).is_ok(), oracle::is_legal(&text), "{}", &text);
            let name = grammar.is_match(&text) && !text.ends_with('*');
            prop_assert_eq!(is_tool_name(&text), name, "{}", &text);
        }
    }

    #[test]
    fn trimming_is_that_of_ecmascript(
        text in "[\u{9}-\u{d} \u{85}\u{a0}\u{1680}\u{180e}\u{1fff}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{2060}\u{3000}\u{feff}a]{0,8}"
    ) {
        prop_assert_eq!(trim(&text), oracle::strip(&text));
    }

    #[test]
    fn matching_agrees_with_the_oracle(pattern in generate::pattern(), name in generate::name()) {
        if oracle::is_legal(pattern.trim()) {
            prop_assert_eq!(matches(&pattern, &name), oracle::hits(&pattern, &name));
            prop_assert_eq!(covers(&pattern, &name), oracle::hits(&pattern, &name));
        }
    }

    #[test]
    fn what_is_covered_matches_nothing_new(
        outer in generate::stored_pattern(),
        inner in generate::stored_pattern(),
        name in generate::name(),
    ) {
        if covers(&outer, &inner) && matches(&inner, &name) {
            prop_assert!(matches(&outer, &name));
        }
    }

    #[test]
    fn the_fold_agrees_with_the_oracle(layers in generate::layers()) {
        let resolved = fold(&layers);
        let sorted = oracle::sorted(&layers);
        prop_assert_eq!(&resolved.matrix.allow, &oracle::granted(&sorted, sorted.len()));
        let mut all: Vec<String> = Vec::new();
        for pattern in sorted.iter().flat_map(oracle::denied) {
            if !all.contains(&pattern) {
                all.push(pattern);
            }
        }
        prop_assert_eq!(&resolved.matrix.deny, &all);
        let last = sorted
            .iter()
            .rfind(|layer| oracle::declares(layer) || !oracle::denied(layer).is_empty());
        prop_assert_eq!(
            &resolved.source,
            &last.map_or(Scope::Default, |layer| layer.scope.clone())
        );
        prop_assert_eq!(resolved.chain.len(), sorted.len() + 1);
        for (place, (entry, layer)) in resolved.chain[1..].iter().zip(&sorted).enumerate() {
            prop_assert_eq!((&entry.scope, &entry.id), (&layer.scope, &layer.id));
            prop_assert_eq!(&entry.deny, &oracle::denied(layer));
            let kept = oracle::granted(&sorted, place + 1);
            let asked = oracle::clean(layer.grant.as_ref().and_then(|grant| grant.allow.as_ref()));
            match asked {
                None => prop_assert!(entry.allow.is_empty() && entry.rejected.is_empty()),
                Some(asked) => {
                    let (stay, go): (Vec<String>, Vec<String>) =
                        asked.into_iter().partition(|pattern| kept.contains(pattern));
                    prop_assert_eq!(&entry.allow, &stay);
                    prop_assert_eq!(&entry.rejected, &go);
                }
            }
        }
    }

    #[test]
    fn the_decision_agrees_with_the_oracle_and_the_trie(
        layers in generate::layers(),
        names in proptest::collection::vec(generate::name(), 1..8),
    ) {
        let resolved = fold(&layers);
        let compiled = Compiled::new(&resolved);
        for name in &names {
            let expected = oracle::refusal(&layers, name);
            let decision = decide(&resolved, name);
            prop_assert_eq!(decision.allowed, expected.is_none());
            prop_assert_eq!(&decision.code, &expected);
            prop_assert_eq!(decision.reason.is_some(), expected.is_some());
            prop_assert_eq!(compiled.verdict(name), verdict_of(expected.as_ref()));
            let hits = compiled.hits(name);
            for (place, entry) in resolved.chain.iter().enumerate() {
                let first = |list: &[String]| list.iter().position(|item| oracle::hits(item, name));
                let wild = entry
                    .deny
                    .iter()
                    .position(|item| item.ends_with('*') && oracle::hits(item, name));
                prop_assert_eq!(hits.allows(place), first(&entry.allow).is_some());
                prop_assert_eq!(hits.denies(place), first(&entry.deny).is_some());
                prop_assert_eq!(compiled.first_denial(place, name), first(&entry.deny));
                prop_assert_eq!(compiled.first_prefix_denial(place, name), wild);
            }
        }
    }

    #[test]
    fn no_layer_undoes_a_denial_or_widens_a_grant(
        layers in generate::layers(),
        name in generate::name(),
    ) {
        let sorted = oracle::sorted(&layers);
        let mut refused: Option<RefusalCode> = None;
        for depth in 0..=sorted.len() {
            let code = decide(&fold(&sorted[..depth]), &name).code;
            match refused {
                Some(RefusalCode::ToolNotGranted) => prop_assert!(
                    // Refused above: a layer below may deny it on top, and nothing else.
                    matches!(code, Some(RefusalCode::ToolNotGranted | RefusalCode::ToolDenied))
                ),
                Some(_) => prop_assert_eq!(&code, &refused),
                None => {}
            }
            refused = code;
        }
    }

    #[test]
    fn case_never_matters(
        layers in generate::layers(),
        name in generate::name(),
        upper in any::<u32>(),
        name_upper in any::<u32>(),
    ) {
        let plain = decide(&fold(&layers), &name);
        let shouted = decide(&fold(&with_case(&layers, upper)), &cased(&name, name_upper));
        prop_assert_eq!(plain.code, shouted.code);
        prop_assert_eq!(plain.source, shouted.source);
    }

    #[test]
    fn the_order_of_the_layers_is_irrelevant(
        (layers, shuffled) in generate::layers().prop_flat_map(|layers| {
            (Just(layers.clone()), Just(layers).prop_shuffle())
        })
    ) {
        prop_assert_eq!(fold(&layers), fold(&shuffled));
    }
}
