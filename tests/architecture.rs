//! What must stay absent from the sources, checked by reading them.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot read must fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
        &mut found,
    );
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Fails with the places of `word` in files that `allowed` does not name.
fn only_in(folder: &str, word: &str, allowed: &[&str]) {
    let places: Vec<String> = sources(folder)
        .iter()
        .filter(|(path, _)| !allowed.iter().any(|name| path.ends_with(name)))
        .flat_map(|(path, text)| {
            text.lines()
                .enumerate()
                .filter(|(_, line)| line.contains(word) && !line.trim_start().starts_with("//"))
                .map(|(number, _)| format!("{}:{}", path.display(), number + 1))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(
        places,
        Vec::<String>::new(),
        "`{word}` outside of {allowed:?}"
    );
}

#[test]
fn the_browser_is_named_in_one_file() {
    only_in("src", "web_sys::window", &["browser.rs"]);
    // A timer of Leptos' own keeps its closure for good once it is stopped.
    only_in("src", "set_timeout_with", &["browser/timer.rs"]);
    only_in("src", "_storage()", &["browser.rs"]);
}

#[test]
fn effects_and_tasks_are_compiled_once() {
    only_in("src", "Effect::new", &["reactive.rs"]);
    only_in("src", "spawn_local", &["reactive.rs"]);
}

#[test]
fn data_never_becomes_markup() {
    only_in("src", "inner_html", &[]);
}

#[test]
fn sql_stays_in_the_store() {
    let store = Path::new("crates/server/src/store");
    let places: Vec<_> = sources("crates/server/src")
        .into_iter()
        .filter(|(path, text)| {
            let inside = path.to_string_lossy().contains(&*store.to_string_lossy())
                || path.ends_with("store.rs");
            !inside
                && ["SELECT ", "INSERT INTO ", "DELETE FROM "]
                    .iter()
                    .any(|word| text.contains(word))
        })
        .map(|(path, _)| path)
        .collect();
    assert_eq!(places, Vec::<PathBuf>::new());
}

#[test]
fn the_contract_needs_no_server_no_browser_and_no_regular_expressions() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "--package",
            "contract",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let tree = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(names.contains(&"serde"), "{tree}");
    for name in [
        "axum",
        "sqlx",
        "tokio",
        "leptos",
        "web-sys",
        "wasm-bindgen",
        "regex",
        "chrono",
    ] {
        assert!(!names.contains(&name), "{name}");
    }
}
