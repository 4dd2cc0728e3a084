//! The rules as the browser runs them: compiled to WebAssembly, with JavaScript's own NFKC. The
//! recorded grant vectors and the secret examples give the same answers there.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

use contract::grants::{Grant, Scope};
use contract::rules::compiled::{Compiled, Verdict};
use contract::rules::edit::toggle;
use contract::rules::explain::AgentView;
use contract::rules::fold::{Layer, decide, fold};
use contract::rules::init_script::{ScriptSize, normalise, refusal};
use contract::rules::permissions::Permissions;
use contract::rules::secrets::scan;
use contract::workload::workload;
use serde_json::{Value, from_value, to_value};
use unicode_normalization::UnicodeNormalization;
use wasm_bindgen_test::wasm_bindgen_test;

/// What the browser offers, as the dashboard uses it.
fn browser_nfkc(text: &str) -> String {
    js_sys::JsString::from(text).normalize("NFKC").into()
}

/// What the server uses.
fn server_nfkc(text: &str) -> String {
    text.nfkc().collect()
}

fn parsed(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn layers(vector: &Value) -> Vec<Layer> {
    let layers: Vec<Value> = from_value(vector["layers"].clone()).unwrap();
    layers
        .into_iter()
        .map(|layer| Layer {
            scope: Scope::from(layer["scope"].as_str().unwrap()),
            id: layer["id"].as_str().map(str::to_owned),
            grant: from_value::<Option<Grant>>(layer["grant"].clone()).unwrap(),
        })
        .collect()
}

#[wasm_bindgen_test]
fn recorded_grant_vectors_resolve_and_decide_alike() {
    let vectors = parsed(include_str!("../vectors/tool-grants.json"));
    assert_eq!(vectors.len(), 36);
    for vector in &vectors {
        let resolved = fold(&layers(vector));
        let tool = vector["tool"].as_str().unwrap();
        let decision = decide(&resolved, tool);
        assert_eq!(
            to_value(&resolved).unwrap(),
            vector["resolved"],
            "{}",
            vector["id"]
        );
        assert_eq!(
            to_value(&decision).unwrap(),
            vector["decision"],
            "{}",
            vector["id"]
        );
        let verdict = Compiled::new(&resolved).verdict(tool);
        assert_eq!(
            verdict == Verdict::Allowed,
            decision.allowed,
            "{}",
            vector["id"]
        );
    }
}

#[wasm_bindgen_test]
fn secret_examples_are_found_where_they_are() {
    for example in parsed(include_str!("../vectors/secrets.json")) {
        let text = example["text"].as_str().unwrap();
        let found = scan(text, &browser_nfkc);
        assert_eq!(found, scan(text, &server_nfkc), "{text}");
        assert_eq!(
            found.as_ref().map(|found| found.rule),
            example["rule"].as_str(),
            "{text}"
        );
        let Some(found) = found else { continue };
        assert_eq!(
            text[found.bytes.clone()],
            *example["written"].as_str().unwrap()
        );
        assert_eq!(
            u64::try_from(found.line).ok(),
            example["line"].as_u64(),
            "{text}"
        );
        assert_eq!(
            u64::try_from(found.column).ok(),
            example["column"].as_u64(),
            "{text}"
        );
        // The DOM selects by UTF-16 units.
        let (start, end) = (found.utf16.start, found.utf16.end);
        let selected = js_sys::JsString::from(text)
            .slice(u32::try_from(start).unwrap(), u32::try_from(end).unwrap());
        assert_eq!(
            String::from(selected),
            *example["written"].as_str().unwrap()
        );
    }
}

#[wasm_bindgen_test]
fn scripts_are_measured_and_refused_alike() {
    let script = "echo é\r\nexport A=ＡＫＩＡABCDEFGHIJ123456\r";
    let clean = normalise(script);
    assert!(clean.converted);
    assert_eq!(ScriptSize::of(script), ScriptSize::of(&clean.text));
    assert_eq!(ScriptSize::of(script).bytes, clean.text.len());
    let refused = refusal(&clean.text, &browser_nfkc);
    assert_eq!(refused, refusal(&clean.text, &server_nfkc));
    assert!(refused.is_some_and(|refused| refused.server_message().contains("AKIAAB…456")));
}

#[wasm_bindgen_test]
fn a_large_workload_is_judged_switched_and_explained_alike() {
    let many = workload(200, 2_000);
    let resolved = fold(&many.layers);
    let compiled = Compiled::new(&resolved);
    for tool in &many.tools {
        let allowed = decide(&resolved, tool).allowed;
        assert_eq!(
            compiled.verdict(tool) == Verdict::Allowed,
            allowed,
            "{tool}"
        );
    }
    // The agent without a row of its own, then with the one that a group toggle writes.
    let view = AgentView::from_resolved(&resolved, None, Permissions::default());
    let tools: Vec<_> = many
        .tools
        .iter()
        .take(50)
        .map(|name| (name.as_str(), None))
        .collect();
    let edit = toggle(&view, &tools, false);
    let after = view.with_agent_row(Some(&edit.content));
    assert!(!edit.changed.is_empty());
    for (name, gate) in tools {
        let explanation = view.explain(name, gate);
        let is_on = view.is_on(name, gate);
        assert_eq!(explanation.decision.allowed, is_on);
        assert_eq!(explanation.deciding.is_none(), is_on);
        assert_eq!(edit.changed.iter().any(|changed| changed == name), is_on);
        assert!(!after.is_on(name, gate));
    }
}
