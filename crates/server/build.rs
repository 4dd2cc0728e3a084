//! Lists the dashboard's build (`dist/` of the repository) and the skills shipped with Remit
//! (`skills/`) as tables of embedded files, so that the release binary runs alone. A debug build
//! embeds no dashboard: it stays quick to compile and does not change whenever the dashboard
//! does. A missing `dist/` is an empty table.

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
    write_table("dashboard.rs", "include_bytes", files)?;

    let skills = crate_dir.join("../../skills");
    println!("cargo::rerun-if-changed={}", skills.display());
    let mut files = Vec::new();
    collect(&skills.canonicalize()?, "", &mut files)?;
    write_table("skills.rs", "include_str", files)
}

/// Writes the table `name`: of each file its name and, by the macro `include`, its content.
fn write_table(
    name: &str,
    include: &str,
    mut files: Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        writeln!(
            table,
            "    ({name:?}, {include}!({:?})),",
            path.display().to_string()
        )?;
    }
    table.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join(name), table)?;
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
