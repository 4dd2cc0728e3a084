//! The skills shipped with Remit: the folder `skills/` of the repository, embedded at build time.
//! Each is a directory with a `SKILL.md` that suits every host, and maybe further files.

use std::sync::OnceLock;

use contract::rules::skills::SKILL_FILE;
use contract::rules::skills::frontmatter::{mcp, my_code_agent};
use contract::skills::CatalogSkill;
use serde_json::{Map, Value, json};

/// Who provides these skills, as `GET /api/skills/catalog/:slug` names it.
pub const PROVIDER: &str = "remit";

/// Every file: its path below `skills/` and its text, sorted by path.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/skills.rs"));

/// The shipped skills, sorted by slug. They are read once.
pub fn entries() -> &'static [CatalogSkill] {
    static ENTRIES: OnceLock<Vec<CatalogSkill>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        FILES
            .iter()
            .filter_map(|(path, text)| {
                let slug = path.strip_suffix(SKILL_FILE)?.strip_suffix('/')?;
                let entry = entry(slug, text);
                if entry.is_none() {
                    tracing::error!(skill = slug, "a shipped skill cannot be read");
                }
                entry
            })
            .collect()
    })
}

/// The entry of a slug.
pub fn find(slug: &str) -> Option<&'static CatalogSkill> {
    entries().iter().find(|entry| entry.slug == slug)
}

/// Reads one skill; `None` if its head lacks what an entry needs.
fn entry(slug: &str, text: &str) -> Option<CatalogSkill> {
    let head = mcp::json(text.as_bytes()).ok()?;
    let flat = my_code_agent::parse(text).ok()?;
    let own = |key: &str| head.get(key).and_then(Value::as_str);
    let more = |key: &str| head.get("metadata")?.get(key)?.as_str();
    let description = own("description")?;
    let tags = words(more("tags").unwrap_or_default());
    let version = more("version")?;
    let mut frontmatter = Map::new();
    frontmatter.insert("name".to_owned(), json!(own("name")?));
    frontmatter.insert("description".to_owned(), json!(description));
    if let Some(license) = own("license") {
        frontmatter.insert("license".to_owned(), json!(license));
    }
    if let Some(tools) = own("allowed-tools") {
        frontmatter.insert("allowedTools".to_owned(), json!(words(tools)));
    }
    frontmatter.insert("tags".to_owned(), json!(tags));
    frontmatter.insert("version".to_owned(), json!(version));
    Some(CatalogSkill {
        slug: slug.to_owned(),
        title: more("title")?.to_owned(),
        description: description.to_owned(),
        frontmatter,
        body: body(slug, &flat.body),
        version: version.to_owned(),
        tags,
        source_url: None,
    })
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The text of a skill with its further files behind it: an installed skill is one text.
fn body(slug: &str, text: &str) -> String {
    let mut body = text.trim().to_owned();
    for (path, content) in FILES {
        let further = path
            .strip_prefix(slug)
            .and_then(|rest| rest.strip_prefix('/'))
            .filter(|path| *path != SKILL_FILE);
        if let Some(path) = further {
            body.push_str("\n\n---\n\nFile `");
            body.push_str(path);
            body.push_str("`:\n\n");
            body.push_str(content.trim());
        }
    }
    body.push('\n');
    body
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use contract::catalog::{CATALOG, UNLISTED};
    use contract::rules::secrets;
    use contract::rules::skills::lint::{Content, lint};
    use contract::rules::skills::path;
    use contract::rules::skills::reference::{Target, resolve};

    use super::{FILES, SKILL_FILE, entries, find};
    use crate::unicode::UNICODE;

    fn heads() -> impl Iterator<Item = (&'static str, &'static str)> {
        FILES.iter().filter_map(|(path, text)| {
            let slug = path.strip_suffix(SKILL_FILE)?.strip_suffix('/')?;
            Some((slug, *text))
        })
    }

    #[test]
    fn every_shipped_skill_suits_every_host() {
        assert!(heads().count() >= 12);
        for (slug, text) in heads() {
            let lint = lint(slug, Content::Bytes(text.as_bytes()), &UNICODE);
            assert!(lint.is_clean(), "{slug}: {lint:#?}");
            let remarks: Vec<_> = lint
                .findings
                .iter()
                .filter(|finding| finding.code != "allowed-tools")
                .collect();
            assert!(remarks.is_empty(), "{slug}: {remarks:#?}");
        }
    }

    #[test]
    fn every_shipped_skill_is_an_entry_that_can_be_installed() {
        assert_eq!(entries().len(), heads().count());
        let slugs: Vec<&str> = entries().iter().map(|entry| &*entry.slug).collect();
        assert!(slugs.is_sorted());
        for entry in entries() {
            let slug = &entry.slug;
            assert_eq!(entry.frontmatter["name"], slug.as_str());
            assert!((1..=200).contains(&entry.title.chars().count()), "{slug}");
            assert!(
                (40..=1_000).contains(&entry.description.chars().count()),
                "{slug}"
            );
            assert!((500..=65_536).contains(&entry.body.len()), "{slug}");
            assert!(
                !entry.tags.is_empty() && !entry.version.is_empty(),
                "{slug}"
            );
            let secret = secrets::scan(&entry.body, UNICODE.nfkc);
            assert_eq!(secret, None, "{slug}");
        }
        assert!(find("secret-handling").is_some());
        assert!(find("no-such-skill").is_none());
    }

    #[test]
    fn shipped_skills_ask_only_for_tools_there_are() {
        let known: HashSet<&str> = CATALOG
            .iter()
            .map(|tool| tool.name)
            .chain(UNLISTED.iter().map(|(name, _)| *name))
            .collect();
        for entry in entries() {
            let Some(tools) = entry.frontmatter.get("allowedTools") else {
                continue;
            };
            for tool in tools.as_array().into_iter().flatten() {
                assert!(
                    tool.as_str().is_some_and(|tool| known.contains(tool)),
                    "{}: {tool}",
                    entry.slug
                );
            }
        }
    }

    #[test]
    fn links_lead_to_files_that_are_shipped_and_come_along() {
        let mut links = 0;
        for (slug, text) in heads() {
            let root = format!("skill://{slug}");
            let uris: Vec<String> = FILES
                .iter()
                .filter(|(path, _)| path.split('/').next() == Some(slug))
                .map(|(path, _)| format!("skill://{path}"))
                .collect();
            let manifest: Vec<&str> = uris.iter().map(String::as_str).collect();
            for rest in text.split("](").skip(1) {
                let link = rest.split(')').next().unwrap_or_default();
                let target = resolve(&format!("{root}/{SKILL_FILE}"), link, Some(&manifest));
                assert!(
                    matches!(target, Target::File(_)),
                    "{slug}: {link} {target:?}"
                );
                assert_eq!(path::strict(link), None, "{slug}: {link}");
                let body = find(slug)
                    .map(|entry| entry.body.clone())
                    .unwrap_or_default();
                assert!(body.contains(&format!("File `{link}`:")), "{slug}: {link}");
                links += 1;
            }
        }
        assert!(links >= 2);
    }
}
