//! Every wire type reads tolerantly and writes exactly: unknown keys are ignored, `null` means
//! the same as an absent key, unknown words of an enumeration survive, and what was read once is
//! written and read again without a change.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod samples;

use contract::agents::{AgentCreate, AgentPatch, AgentScope};
use contract::requests;
use contract::rules::permissions::{Flag, PermissionPatch};
use proptest::prelude::*;
use proptest::sample::select;
use samples::all;
use serde_json::{Map, Value, json, to_value};

/// Every place in a value, as the way from its root.
fn places(value: &Value) -> Vec<Vec<Step>> {
    let mut found = vec![Vec::new()];
    let mut below = |step: Step, value: &Value| {
        for mut way in places(value) {
            way.insert(0, step.clone());
            found.push(way);
        }
    };
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                below(Step::Key(key.clone()), value);
            }
        }
        Value::Array(items) => {
            for (place, value) in items.iter().enumerate() {
                below(Step::Item(place), value);
            }
        }
        _ => {}
    }
    found
}

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Item(usize),
}

fn at<'a>(value: &'a mut Value, way: &[Step]) -> &'a mut Value {
    way.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Item(place) => &mut value[*place],
    })
}

/// The object that holds the key a way ends with.
fn holder<'a>(value: &'a mut Value, way: &[Step]) -> Option<(&'a mut Map<String, Value>, String)> {
    let (last, before) = way.split_last()?;
    let Step::Key(key) = last else { return None };
    Some((at(value, before).as_object_mut()?, key.clone()))
}

#[test]
fn full_samples_are_written_as_they_were_read() {
    for kind in all() {
        assert_eq!(
            kind.echo(&kind.sample).as_ref(),
            Ok(&kind.sample),
            "{}",
            kind.name
        );
    }
}

#[test]
fn unknown_keys_are_ignored_everywhere() {
    for kind in all() {
        for way in places(&kind.sample) {
            let mut value = kind.sample.clone();
            if kind.is_free(&way_text(&way)) {
                continue;
            }
            if let Some(fields) = at(&mut value, &way).as_object_mut() {
                fields.insert("unheardOf".to_owned(), json!({"a": [1, null]}));
            }
            assert_eq!(
                kind.echo(&value).as_ref(),
                Ok(&kind.sample),
                "{} {way:?}",
                kind.name
            );
        }
    }
}

#[test]
fn null_and_an_absent_key_mean_the_same() {
    for kind in all() {
        for way in places(&kind.sample) {
            let mut with_null = kind.sample.clone();
            let mut without = kind.sample.clone();
            if kind.is_free(&way_text(&way)) {
                continue;
            }
            let Some((fields, key)) = holder(&mut with_null, &way) else {
                continue;
            };
            fields.insert(key, Value::Null);
            if let Some((fields, key)) = holder(&mut without, &way) {
                fields.remove(&key);
            }
            let (null, absent) = (kind.echo(&with_null), kind.echo(&without));
            assert_eq!(
                null.is_ok(),
                absent.is_ok(),
                "{} {way:?}: {null:?} {absent:?}",
                kind.name
            );
            assert_eq!(null.ok(), absent.ok(), "{} {way:?}", kind.name);
        }
    }
}

fn way_text(way: &[Step]) -> String {
    let parts: Vec<&str> = way
        .iter()
        .map(|step| match step {
            Step::Key(key) => key.as_str(),
            Step::Item(_) => "[]",
        })
        .collect();
    parts.join(".")
}

/// What to do to one place of a value.
#[derive(Clone, Debug)]
enum Change {
    Remove,
    Null,
    Text(String),
    Number(i64),
    Flag(bool),
    Empty,
    Twice,
    Extra(String),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        2 => Just(Change::Remove),
        2 => Just(Change::Null),
        4 => any::<String>().prop_map(Change::Text),
        2 => select(vec!["agent", "tool-denied", "running", "", " ", "*", "reset"])
            .prop_map(|text| Change::Text(text.to_owned())),
        1 => any::<i64>().prop_map(Change::Number),
        1 => any::<bool>().prop_map(Change::Flag),
        1 => Just(Change::Empty),
        1 => Just(Change::Twice),
        1 => "[a-z]{1,6}".prop_map(Change::Extra),
    ]
}

fn apply(value: &mut Value, way: &[Step], change: &Change) {
    match change {
        Change::Remove => {
            if let Some((fields, key)) = holder(value, way) {
                fields.remove(&key);
            }
        }
        Change::Null => *at(value, way) = Value::Null,
        Change::Text(text) => *at(value, way) = json!(text),
        Change::Number(number) => *at(value, way) = json!(number),
        Change::Flag(flag) => *at(value, way) = json!(flag),
        Change::Empty => match at(value, way) {
            Value::Array(items) => items.clear(),
            Value::Object(fields) => fields.clear(),
            Value::String(text) => text.clear(),
            _ => {}
        },
        Change::Twice => {
            if let Value::Array(items) = at(value, way) {
                items.extend(items.clone());
            }
        }
        Change::Extra(key) => {
            if let Value::Object(fields) = at(value, way) {
                fields.insert(key.clone(), json!("extra"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// For every type: whatever a damaged sample is read as, it is the same after being written
    /// and read again. A sample that is damaged too much is refused, never misread.
    #[test]
    fn what_was_read_survives_being_written_and_read(
        changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 1..4)
    ) {
        for kind in all() {
            let mut value = kind.sample.clone();
            for (place, change) in &changes {
                let ways = places(&value);
                apply(&mut value, &ways[place.index(ways.len())], change);
            }
            prop_assert!(kind.is_stable(&value), "{} {}", kind.name, value);
        }
    }
}

/// Types that are an enumeration of words keep a word they do not know.
#[test]
fn unknown_words_survive() {
    for kind in all() {
        for place in kind.words {
            let mut value = kind.sample.clone();
            let slot = value.pointer_mut(place).unwrap();
            assert!(slot.is_string(), "{} {place}", kind.name);
            *slot = json!("something newer");
            assert_eq!(
                kind.echo(&value).as_ref(),
                Ok(&value),
                "{} {place}",
                kind.name
            );
        }
    }
}

#[test]
fn bodies_the_dashboard_writes_are_exact_and_accepted() {
    let object = |value: &Value| value.as_object().unwrap().clone();
    let create = AgentCreate {
        scope: AgentScope::Work,
        work_id: Some("c2a6b8d4-1e9f-4c77-8f35-6d4b3a2c1e13".into()),
        name: "Coder".to_owned(),
        title: None,
    };
    let body = to_value(&create).unwrap();
    assert_eq!(
        body,
        json!({"scope": "work", "workId": "c2a6b8d4-1e9f-4c77-8f35-6d4b3a2c1e13", "name": "Coder"})
    );
    assert!(requests::agents::create(&object(&body)).is_ok());

    let untouched = to_value(AgentPatch::default()).unwrap();
    assert_eq!(untouched, json!({}));
    let mut flags = PermissionPatch::one(Flag::CanSpend, true);
    flags.set(Flag::CanCommitToRepo, false);
    flags.set(Flag::CanSpend, false);
    let patch = AgentPatch {
        name: Some("Coder".to_owned()),
        title: Some(None),
        permissions: Some(flags),
        init_script: Some(Some("#!/bin/sh\n".to_owned())),
        environment_id: Some(None),
    };
    let body = to_value(&patch).unwrap();
    assert_eq!(
        body,
        json!({
            "name": "Coder",
            "title": null,
            "permissions": {"canCommitToRepo": false, "canSpend": false},
            "initScript": "#!/bin/sh\n",
            "environmentId": null
        })
    );
    assert!(requests::agents::patch(&object(&body)).is_ok());
}

/// Every sample is complete: with any key taken away it is read as something else, or refused.
#[test]
fn samples_leave_nothing_at_its_default() {
    for kind in all() {
        for way in places(&kind.sample) {
            let mut value = kind.sample.clone();
            let Some((fields, key)) = holder(&mut value, &way) else {
                continue;
            };
            fields.remove(&key);
            if kind.is_free(&way_text(&way)) {
                continue;
            }
            assert_ne!(
                kind.echo(&value).as_ref(),
                Ok(&kind.sample),
                "{} {way:?}",
                kind.name
            );
        }
    }
}
