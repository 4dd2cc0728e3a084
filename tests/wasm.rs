//! The rules once more in WebAssembly, as a browser runs them: the recorded grants, the size of a
//! script, and the secret scan with JavaScript's own Unicode tables instead of ours.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "a test that cannot read must fail")]

use contract::grants::{Grant, Scope};
use contract::rules::fold::{Layer, decide, fold};
use contract::rules::init_script::{ScriptSize, normalise};
use contract::rules::secrets::scan;
use remit_dashboard::browser::nfkc;
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

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

#[wasm_bindgen_test]
fn recorded_grants_resolve_and_decide_as_on_the_server() {
    let text = include_str!("../crates/contract/vectors/tool-grants.json");
    let vectors: Vec<Vector> = serde_json::from_str(text).unwrap();
    assert!(!vectors.is_empty());
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
    }
}

#[wasm_bindgen_test]
fn a_script_is_measured_in_bytes_after_its_line_ends_are_converted() {
    let stored = normalise("é\r\n漢\r😀");
    assert_eq!(stored.text, "é\n漢\n😀");
    assert!(!ScriptSize::of(&"😀".repeat(4_096)).is_over());
    assert!(ScriptSize::of(&format!("{}a", "😀".repeat(4_096))).is_over());
}

#[wasm_bindgen_test]
fn a_secret_is_found_behind_compatibility_characters() {
    let found = scan("export A=1\nexport KEY=\u{ff21}KIA1234567890ABCDEF", &nfkc).unwrap();
    assert_eq!(found.line, 2);
    assert!(
        scan(
            "git checkout 4663ff1e60912ebe508a40864db01c3d7a2e0000",
            &nfkc
        )
        .is_none()
    );
}
