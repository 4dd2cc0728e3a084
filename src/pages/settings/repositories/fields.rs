//! The fields of a repository's form: what is stored as texts, and the rules for what is typed. The
//! rules are those of the contract; only the words are the page's.

use contract::repositories::{CredentialMode, Provider, Repository};
use contract::rules::repositories::{
    BRANCH_MAX, CREDENTIAL_REF_MAX, DESCRIPTION_MAX, NAME_MAX, PATH_MAX, check_url,
    is_directory_name,
};

use crate::components::form::{OFF, ON, RadioChoice, over};
use crate::pages::settings::record::{Field, Kind};

/// The fields, in the order of [`texts`].
pub const FIELDS: &[Field] = &[
    field("name", "Name", Kind::Text),
    field("url", "URL", Kind::Text),
    field("provider", "Provider", Kind::Text),
    field("defaultBranch", "Default branch", Kind::Optional),
    field("mountPath", "Directory", Kind::Optional),
    field("description", "Description", Kind::Optional),
    field("credentialMode", "Access", Kind::Text),
    field("credentialRef", "Secret", Kind::Optional),
    field("availableInAllProjects", "Every project", Kind::Flag),
    field("enabled", "Enabled", Kind::Flag),
];

const fn field(key: &'static str, label: &'static str, kind: Kind) -> Field {
    Field { key, label, kind }
}

fn flag(on: bool) -> String {
    if on { ON } else { OFF }.to_owned()
}

/// A stored repository as one text per field; `None` for a new one.
pub fn texts(row: Option<&Repository>) -> Vec<String> {
    let text = |pick: fn(&Repository) -> Option<String>| row.and_then(pick).unwrap_or_default();
    vec![
        text(|row| Some(row.name.clone())),
        text(|row| Some(row.url.clone())),
        row.map_or(Provider::Github.as_str(), |row| row.provider.as_str())
            .to_owned(),
        text(|row| row.default_branch.clone()),
        text(|row| row.mount_path.clone()),
        text(|row| row.description.clone()),
        row.map_or(CredentialMode::Inherit.as_str(), |row| {
            row.credential_mode.as_str()
        })
        .to_owned(),
        text(|row| row.credential_ref.clone()),
        flag(row.is_none_or(|row| row.available_in_all_projects)),
        flag(row.is_none_or(|row| row.enabled)),
    ]
}

/// What is wrong with a typed text.
pub fn judge(key: &str, text: &str) -> Option<String> {
    let text = text.trim();
    match key {
        "name" if text.is_empty() => Some("A repository needs a name.".to_owned()),
        "name" => over(text, NAME_MAX),
        "url" if text.is_empty() => Some("A repository needs a URL.".to_owned()),
        "url" => check_url(text)
            .err()
            .map(|refusal| refusal.sentence().to_owned()),
        "defaultBranch" => over(text, BRANCH_MAX),
        "mountPath" if text.is_empty() || is_directory_name(text) => None,
        "mountPath" => Some(over(text, PATH_MAX).unwrap_or_else(|| {
            "Type one directory name: letters, digits, “.”, “_” and “-”.".to_owned()
        })),
        "description" => over(text, DESCRIPTION_MAX),
        "credentialRef" => over(text, CREDENTIAL_REF_MAX),
        _ => None,
    }
}

/// Who hosts it.
pub const PROVIDERS: &[RadioChoice] = &[
    RadioChoice {
        value: "github",
        label: "GitHub",
        hint: "Pull requests can be opened.",
    },
    RadioChoice {
        value: "git",
        label: "Git",
        hint: "Any other git server.",
    },
];

/// How access is obtained.
pub const ACCESS: &[RadioChoice] = &[
    RadioChoice {
        value: "inherit",
        label: "As the workspace has it",
        hint: "The access the workspace has to this host.",
    },
    RadioChoice {
        value: "github-app",
        label: "GitHub App",
        hint: "Through the installed GitHub App.",
    },
    RadioChoice {
        value: "secret-ref",
        label: "A named secret",
        hint: "Through a pointer such as env:NAME. The secret itself is never stored here.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_judged_by_the_rules_of_the_registry() {
        assert!(judge("name", " ").is_some());
        assert!(judge("name", &"n".repeat(121)).is_some());
        assert_eq!(judge("name", &"n".repeat(120)), None);
        assert_eq!(judge("url", "https://github.com/acme/x"), None);
        assert!(judge("url", "http://github.com/acme/x").is_some());
        assert!(judge("url", "https://user:secret@github.com/acme/x").is_some());
        assert_eq!(judge("mountPath", ""), None);
        assert!(judge("mountPath", "../x").is_some());
    }

    #[test]
    fn every_field_has_a_text() {
        assert_eq!(texts(None).len(), FIELDS.len());
    }
}
