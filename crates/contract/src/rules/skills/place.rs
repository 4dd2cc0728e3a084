//! Where the files of a published skill lie in relation to it (skills contract sections 1.1, 1.8):
//! paths for people, and which skill is nested in which.

use super::uri::{normalised, root};

/// The path of a file below the directory of its skill, as spelled; `None` when it is not there.
pub fn path_below(skill_uri: &str, uri: &str) -> Option<String> {
    let root = root(skill_uri)?;
    if let Some(path) = uri.strip_prefix(root) {
        return (!path.is_empty()).then(|| path.to_owned());
    }
    let path = normalised(uri);
    let path = path.strip_prefix(normalised(root).as_str())?;
    (!path.is_empty()).then(|| path.to_owned())
}

/// The directory of a skill in the form in which equal ones compare equal, with a final slash;
/// `None` when the address is not that of a skill.
pub fn directory(skill_uri: &str) -> Option<String> {
    root(skill_uri).map(normalised)
}

/// The directories around a [`directory`], the nearest first.
pub fn around(directory: &str) -> impl Iterator<Item = &str> {
    let mut rest = directory.strip_suffix('/').unwrap_or(directory);
    std::iter::from_fn(move || {
        let end = rest.rfind('/')?;
        let outer = rest.get(..=end)?;
        rest = rest.get(..end)?;
        Some(outer)
    })
}

/// Whether two addresses name one file.
pub fn is_same(one: &str, other: &str) -> bool {
    one == other || normalised(one) == normalised(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_below_the_skill() {
        let skill = "skill://acme/refunds/SKILL.md";
        let path = |uri| path_below(skill, uri);
        assert_eq!(path(skill).as_deref(), Some("SKILL.md"));
        assert_eq!(
            path("skill://acme/refunds/a/b%20c.md").as_deref(),
            Some("a/b%20c.md")
        );
        assert_eq!(
            path("SKILL://acme/%72efunds/x.md").as_deref(),
            Some("x.md"),
            "another spelling of the directory"
        );
        assert_eq!(path("skill://acme/refunds/"), None);
        assert_eq!(path("skill://acme/refunds-2/x.md"), None);
        assert_eq!(path("skill://acme/x.md"), None);
    }

    #[test]
    fn directories_around_are_told_from_inside_out() {
        let inner = directory("skill://a/b/c/SKILL.md");
        assert_eq!(inner.as_deref(), Some("skill://a/b/c/"));
        let found: Vec<&str> = around("skill://a/b/c/").take(2).collect();
        assert_eq!(found, ["skill://a/b/", "skill://a/"]);
        assert_eq!(around("x").count(), 0);
        assert!(is_same("skill://a/%41.md", "skill://a/A.md"));
        assert!(!is_same("skill://a/a.md", "skill://a/A.md"));
    }
}
