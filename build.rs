//! Asks the linker to keep what scripts/split.mjs needs to divide the release build into pieces.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let set_to = |name, value: &str| env::var(name).is_ok_and(|found| found == value);
    if set_to("CARGO_CFG_TARGET_FAMILY", "wasm") && set_to("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
}
