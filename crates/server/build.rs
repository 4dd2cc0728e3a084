//! Lists the dashboard's build (`dist/` of the repository) as a table of embedded files, so that
//! the release binary runs alone. A debug build embeds nothing: it stays quick to compile and
//! does not change whenever the dashboard does. A missing `dist/` is an empty table.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let crate_dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let dist = crate_dir.join("../../dist");
    let mut files = Vec::new();
    if env::var("PROFILE")? == "release" {
        println!("cargo::rerun-if-changed={}", dist.display());
        if dist.is_dir() {
            collect(&dist.canonicalize()?, "", &mut files)?;
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    files.sort();

    let mut table = String::from("&[\n");
    for (name, path) in files {
        writeln!(
            table,
            "    ({name:?}, include_bytes!({:?})),",
            path.display().to_string()
        )?;
    }
    table.push_str("]\n");
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("dashboard.rs"),
        table,
    )?;
    Ok(())
}

/// Every file below `folder` with its name relative to the build, `/` between its parts.
fn collect(
    folder: &Path,
    prefix: &str,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry
            .file_name()
            .into_string()
            .map_err(|name| format!("{} is not UTF-8", name.display()))?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else {
            files.push((format!("{prefix}{name}"), entry.path()));
        }
    }
    Ok(())
}
