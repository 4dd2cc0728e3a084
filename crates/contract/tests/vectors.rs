//! The recorded vectors of the grant rules: layers, the matrix and chain they resolve to, and the
//! decision on one tool, compared key by key with what we would send.
#![cfg(not(target_arch = "wasm32"))]

use contract::grants::{Grant, Scope};
use contract::rules::compiled::{Compiled, Verdict};
use contract::rules::fold::{Layer, decide, fold};
use contract::rules::pattern::{covers, matches};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Vector {
    id: String,
    layers: Vec<VectorLayer>,
    tool: String,
    resolved: Value,
    decision: Value,
}

#[derive(Deserialize)]
struct VectorLayer {
    scope: Scope,
    id: Option<String>,
    grant: Option<Grant>,
}

#[test]
fn every_vector_resolves_and_decides_as_recorded() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../vectors/tool-grants.json")).unwrap();
    assert_eq!(vectors.len(), 36);
    for vector in vectors {
        let layers: Vec<Layer> = vector
            .layers
            .into_iter()
            .map(|layer| Layer {
                scope: layer.scope,
                id: layer.id,
                grant: layer.grant,
            })
            .collect();
        let resolved = fold(&layers);
        let decision = decide(&resolved, &vector.tool);
        let id = &vector.id;
        assert_eq!(
            serde_json::to_value(&resolved).unwrap(),
            vector.resolved,
            "{id}"
        );
        assert_eq!(
            serde_json::to_value(&decision).unwrap(),
            vector.decision,
            "{id}"
        );
        let verdict = Compiled::new(&resolved).verdict(&vector.tool);
        assert_eq!(verdict == Verdict::Allowed, decision.allowed, "{id}");
    }
}

#[test]
fn the_primitives_answer_as_recorded() {
    for (pattern, name, expected) in [
        ("*", "anything", true),
        ("git_*", "git_commit", true),
        ("git_*", "git_", true),
        ("a*", "A", true),
        ("git_*", "deploy_work", false),
        ("commitToRepo", "committorepo", true),
        ("commitToRepo", "commitToRepoNow", false),
        ("", "x", false),
        ("*", "", false),
    ] {
        assert_eq!(matches(pattern, name), expected, "match {pattern} / {name}");
    }
    for (outer, inner, expected) in [
        ("*", "git_*", true),
        ("git_*", "git_*", true),
        ("git_*", "git_", true),
        ("git_*", "*", false),
        ("git_*", "g*", false),
        ("git_commit", "git_*", false),
        ("git_commit", "git_commit*", false),
        ("git_commit*", "git_commit", true),
    ] {
        assert_eq!(covers(outer, inner), expected, "{outer} covers {inner}");
    }
}
