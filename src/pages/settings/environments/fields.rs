//! The fields of an environment's form: what is stored as texts, and the rules for what is typed.
//! The rules are those of the contract; only the words are the page's.

use contract::environments::{Environment, NetworkingMode};
use contract::requests::environments::{DESCRIPTION_MAX, NAME_MAX};
use contract::rules::packages::{
    HOST_MAX, HOSTS_MAX, PACKAGE_MAX, PACKAGES_MAX, is_host_pattern, is_npm_spec,
    is_pip_requirement, is_public_host,
};

use crate::components::form::{OFF, ON, RadioChoice, over};
use crate::components::words::revealed;
use crate::pages::settings::record::{Field, Kind, entries};

/// How many wrong lines are named.
const NAMED: usize = 3;

/// The fields, in the order of [`texts`].
pub const FIELDS: &[Field] = &[
    field("name", "Name", Kind::Text),
    field("description", "Description", Kind::Optional),
    field("pipPackages", "Python packages", Kind::Lines),
    field("npmPackages", "Node packages", Kind::Lines),
    field("networkingMode", "Network", Kind::Text),
    field("allowedHosts", "Allowed hosts", Kind::Lines),
    field("allowPackageManagers", "Package registries", Kind::Flag),
    field("availableInAllProjects", "Every project", Kind::Flag),
];

const fn field(key: &'static str, label: &'static str, kind: Kind) -> Field {
    Field { key, label, kind }
}

fn flag(on: bool) -> String {
    if on { ON } else { OFF }.to_owned()
}

/// A stored environment as one text per field; `None` for a new one.
pub fn texts(row: Option<&Environment>) -> Vec<String> {
    let lines =
        |pick: fn(&Environment) -> Vec<String>| row.map(pick).unwrap_or_default().join("\n");
    vec![
        row.map(|row| row.name.clone()).unwrap_or_default(),
        row.and_then(|row| row.description.clone())
            .unwrap_or_default(),
        lines(|row| row.pip_packages.clone()),
        lines(|row| row.npm_packages.clone()),
        row.map_or(NetworkingMode::Unrestricted.as_str(), |row| {
            row.networking_mode.as_str()
        })
        .to_owned(),
        lines(|row| row.allowed_hosts.clone().unwrap_or_default()),
        flag(row.is_none_or(|row| row.allow_package_managers)),
        flag(row.is_none_or(|row| row.available_in_all_projects)),
    ]
}

/// What is wrong with the lines of a list, one problem per line.
fn wrong_lines(
    text: &str,
    most: usize,
    longest: usize,
    judge: fn(&str) -> Option<&'static str>,
) -> Option<String> {
    let mut problems: Vec<String> = Vec::new();
    let mut count = 0;
    for (line, entry) in entries(text) {
        count += 1;
        let wrong = match over(entry, longest) {
            Some(over) => Some(over),
            None => judge(entry).map(str::to_owned),
        };
        if let Some(wrong) = wrong {
            let shown: String = revealed(entry).chars().take(60).collect();
            problems.push(format!("Line {line}, “{shown}”: {wrong}"));
        }
    }
    if count > most {
        problems.insert(0, format!("{count} lines, {most} are allowed."));
    }
    let more = problems.len().saturating_sub(NAMED);
    problems.truncate(NAMED);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    (!problems.is_empty()).then(|| problems.join("\n"))
}

fn wrong_pip(entry: &str) -> Option<&'static str> {
    (!is_pip_requirement(entry))
        .then_some("not a plain requirement such as pandas or requests>=2.31,<3.")
}

fn wrong_npm(entry: &str) -> Option<&'static str> {
    (!is_npm_spec(entry)).then_some("not a plain package such as vite or @scope/pkg@^1.2.0.")
}

fn wrong_host(entry: &str) -> Option<&'static str> {
    if !is_host_pattern(entry) {
        return Some("not a host name such as api.example.com or *.example.com.");
    }
    (!is_public_host(entry)).then_some("not a public name. Addresses and local names are refused.")
}

/// What is wrong with a typed text.
pub fn judge(key: &str, text: &str) -> Option<String> {
    match key {
        "name" if text.trim().is_empty() => Some("An environment needs a name.".to_owned()),
        "name" if !text.chars().any(char::is_alphanumeric) => {
            Some("The name needs a letter or digit.".to_owned())
        }
        "name" => over(text.trim(), NAME_MAX),
        "description" => over(text.trim(), DESCRIPTION_MAX),
        "pipPackages" => wrong_lines(text, PACKAGES_MAX, PACKAGE_MAX, wrong_pip),
        "npmPackages" => wrong_lines(text, PACKAGES_MAX, PACKAGE_MAX, wrong_npm),
        "allowedHosts" => wrong_lines(text, HOSTS_MAX, HOST_MAX, wrong_host),
        _ => None,
    }
}

/// What it may reach.
pub const NETWORK: &[RadioChoice] = &[
    RadioChoice {
        value: "unrestricted",
        label: "Unrestricted",
        hint: "Every host can be reached.",
    },
    RadioChoice {
        value: "limited",
        label: "Limited",
        hint: "Only the hosts named below.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_lines_are_named_with_their_number() {
        assert_eq!(judge("pipPackages", "pandas\nrequests>=2.31,<3\n\n"), None);
        let wrong = judge("pipPackages", "pandas\n\nx; rm -rf /").unwrap();
        assert!(wrong.starts_with("Line 3, “x; rm -rf /”: "), "{wrong}");
        assert!(judge("npmPackages", "vite@latest\n../x").is_some());
    }

    #[test]
    fn hosts_must_be_public_names() {
        assert_eq!(judge("allowedHosts", "api.github.com\n*.example.com"), None);
        for host in ["localhost", "127.0.0.1", "db.internal", "http://x.com"] {
            assert!(judge("allowedHosts", host).is_some(), "{host}");
        }
    }

    #[test]
    fn many_wrong_lines_are_counted() {
        let wrong = judge("npmPackages", "/\n/\n/\n/\n/").unwrap();
        assert_eq!(wrong.lines().last(), Some("and 2 more"));
        let many = "vite\n".repeat(PACKAGES_MAX + 1);
        assert_eq!(
            judge("npmPackages", &many).as_deref(),
            Some("101 lines, 100 are allowed.")
        );
    }

    #[test]
    fn every_field_has_a_text() {
        assert_eq!(texts(None).len(), FIELDS.len());
    }
}
