//! The names under which the tools of MCP servers are granted: `mcp__<server>__<tool>`
//! (contract section 7.3, last rule).

use std::collections::HashSet;

/// Most characters of a full name. Longer ones are left out.
pub const FULL_NAME_MAX: usize = 128;

/// Longest name an exact grant pattern can hold; longer names are reached by a prefix only.
pub const EXACT_NAME_MAX: usize = crate::grants::TOOL_NAME_MAX;

/// The prefix all tools of a server share, such as `mcp__github__`. With `*` behind it, it is the
/// pattern for all of them.
pub fn server_prefix(server: &str) -> String {
    format!("mcp__{server}__")
}

/// A tool's own name in the form grants accept: each character outside `[A-Za-z0-9_-]` becomes
/// `_`, runs of three or more underscores become two, outer underscores go.
pub fn sanitized(tool: &str) -> String {
    let mut clean = String::with_capacity(tool.len());
    let mut run = 0;
    for character in tool.chars() {
        let kept = character.is_ascii_alphanumeric() || character == '-';
        let mut push_run = |clean: &mut String| {
            let length = if run > 2 { 2 } else { run };
            (0..length).for_each(|_| clean.push('_'));
            run = 0;
        };
        if kept {
            push_run(&mut clean);
            clean.push(character);
        } else {
            run += 1;
        }
    }
    clean.trim_matches('_').to_owned()
}

/// The full name of a tool; `None` when nothing of its own name is left.
pub fn full_name(server: &str, tool: &str) -> Option<String> {
    let tool = sanitized(tool);
    (!tool.is_empty()).then(|| format!("{}{tool}", server_prefix(server)))
}

/// Whether a full name is too long for an exact pattern, so that only a prefix can deny it.
pub fn only_by_prefix(full: &str) -> bool {
    full.chars().count() > EXACT_NAME_MAX
}

/// What became of one tool of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// Offered under this full name.
    Named(String),
    /// Left out, with one sentence that says why.
    Dropped(String),
}

/// Names all tools of a server in the order it listed them. `taken` are the names of the
/// catalog. Of tools that would share a name the first is kept; grants compare names without
/// case, so does this.
pub fn name_all<'a>(
    server: &str,
    tools: impl IntoIterator<Item = &'a str>,
    taken: impl IntoIterator<Item = &'a str>,
) -> Vec<Naming> {
    let catalog: HashSet<String> = taken.into_iter().map(str::to_ascii_lowercase).collect();
    let mut used: HashSet<String> = HashSet::new();
    let name = |tool: &str| {
        let Some(full) = full_name(server, tool) else {
            return Naming::Dropped("Its name has no letter, digit or hyphen.".to_owned());
        };
        let length = full.chars().count();
        if length > FULL_NAME_MAX {
            return Naming::Dropped(format!(
                "Its full name has {length} characters; {FULL_NAME_MAX} is the limit."
            ));
        }
        let key = full.to_ascii_lowercase();
        if catalog.contains(&key) {
            return Naming::Dropped(format!("The catalog has a tool named {full}."));
        }
        if !used.insert(key) {
            return Naming::Dropped(format!(
                "Another tool of this server is already named {full}."
            ));
        }
        Naming::Named(full)
    };
    tools.into_iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_as_the_contract_says() {
        for (given, expected) in [
            ("search", "search"),
            ("create_issue", "create_issue"),
            ("a-b", "a-b"),
            ("a.b", "a_b"),
            ("a b", "a_b"),
            ("a__b", "a__b"),
            ("a___b", "a__b"),
            ("a......b", "a__b"),
            ("a._.b", "a__b"),
            ("_a_", "a"),
            ("__a", "a"),
            ("..a..", "a"),
            ("größe", "gr__e"),
            ("a\u{202e}b", "a_b"),
            ("a\u{0}\u{1}\u{2}b", "a__b"),
            ("工具", ""),
            ("___", ""),
            ("", ""),
        ] {
            assert_eq!(sanitized(given), expected, "{given:?}");
        }
        assert_eq!(
            full_name("github", "create issue").as_deref(),
            Some("mcp__github__create_issue")
        );
        assert_eq!(full_name("github", "…"), None);
    }

    #[test]
    fn clashes_and_long_names_are_dropped_with_a_reason() {
        let long = "x".repeat(FULL_NAME_MAX);
        let fits = "y".repeat(FULL_NAME_MAX - server_prefix("s").len());
        let tools = [
            "a b",
            "a.b",
            "A_B",
            "taken",
            "!",
            long.as_str(),
            fits.as_str(),
        ];
        let named = name_all("s", tools, ["mcp__s__TAKEN"]);
        let reasons: Vec<String> = named
            .iter()
            .map(|naming| match naming {
                Naming::Named(full) => format!("ok {}", full.len()),
                Naming::Dropped(reason) => reason.clone(),
            })
            .collect();
        assert_eq!(
            reasons,
            [
                "ok 11",
                "Another tool of this server is already named mcp__s__a_b.",
                "Another tool of this server is already named mcp__s__A_B.",
                "The catalog has a tool named mcp__s__taken.",
                "Its name has no letter, digit or hyphen.",
                "Its full name has 136 characters; 128 is the limit.",
                "ok 128",
            ]
        );
    }

    #[test]
    fn long_names_are_denied_by_prefix_only() {
        let name = full_name("s", &"y".repeat(113)).unwrap_or_default();
        assert_eq!(name.len(), 121);
        assert!(only_by_prefix(&name));
        assert!(!only_by_prefix(&name[..120]));
        assert!(crate::rules::pattern::check_pattern(&name).is_err());
        assert!(crate::rules::pattern::check_pattern(&name[..120]).is_ok());
    }
}
