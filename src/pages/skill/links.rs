//! Where a link in a skill leads, and whether it may be followed.

use contract::rules::skills::reference::{Target, resolve};

use crate::components::words::is_hidden;

/// What a link is drawn as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To a page of the web, at this host.
    Web {
        /// The whole address.
        address: String,
        /// Its host, which is told beside the link.
        host: String,
    },
    /// To a file of the skill, by its path.
    File(String),
    /// Nowhere: why.
    Nowhere(String),
}

/// Judges a link as it stands in the skill at `skill_uri`, which lists the files `manifest`; a
/// skill that is no file of a server has neither.
pub fn leads(link: &str, skill_uri: Option<&str>, manifest: &[String]) -> Leads {
    let scheme = link.split_once(':').map(|(scheme, _)| scheme);
    let is_web = scheme.is_some_and(|scheme| {
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    });
    if is_web {
        return web(link);
    }
    // A skill without an address has its links judged as those of a directory of its own.
    let place = skill_uri.unwrap_or("skill://skill/SKILL.md");
    let listed: Vec<&str> = manifest.iter().map(String::as_str).collect();
    let found = resolve(
        place,
        link,
        skill_uri.is_some().then_some(listed.as_slice()),
    );
    let root = place.strip_suffix("SKILL.md").unwrap_or(place);
    let path = |uri: &str| uri.strip_prefix(root).unwrap_or(uri).to_owned();
    match found {
        Target::File(uri) | Target::Itself(uri) => Leads::File(path(&uri)),
        Target::Directory(uri) => Leads::File(format!("{}/", path(&uri))),
        Target::Unlisted(_) => Leads::Nowhere("not in the list of files".to_owned()),
        Target::Rejected(rejection) => Leads::Nowhere(rejection.sentence().to_owned()),
    }
}

/// A link to the web, unless its address is built to mislead.
fn web(link: &str) -> Leads {
    let misleads = |why: &str| Leads::Nowhere(why.to_owned());
    let Some((_, behind)) = link.split_once("://") else {
        return misleads("no complete address");
    };
    let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
    let authority = behind.get(..end).unwrap_or_default();
    if link.contains(|character: char| is_hidden(character) || character.is_whitespace()) {
        misleads("the address holds characters that are not seen")
    } else if authority.contains(['@', '\\']) || authority.is_empty() {
        misleads("the address hides where it leads")
    } else {
        Leads::Web {
            address: link.to_owned(),
            host: authority.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_of_the_web_are_followed() {
        let Leads::Web { host, .. } = leads("HTTPS://docs.example/x?y", None, &[]) else {
            unreachable!("a link")
        };
        assert_eq!(host, "docs.example");
        for link in [
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "https://bank.example@evil.example/",
            "https://bank.example\\@evil.example/",
            "https://ev\u{202e}il.example/",
            "https:evil",
            "//evil.example/x",
            "/etc/passwd",
        ] {
            assert!(
                matches!(leads(link, None, &[]), Leads::Nowhere(_)),
                "{link}"
            );
        }
    }

    #[test]
    fn other_links_stay_inside_of_the_skill() {
        let listed = ["skill://a/b/references/x.md".to_owned()];
        let of = |link: &str| leads(link, Some("skill://a/b/SKILL.md"), &listed);
        assert_eq!(
            of("references/x.md"),
            Leads::File("references/x.md".to_owned())
        );
        assert_eq!(of("references"), Leads::File("references/".to_owned()));
        assert!(matches!(of("references/y.md"), Leads::Nowhere(_)));
        assert!(matches!(of("../../x.md"), Leads::Nowhere(_)));
        assert_eq!(
            leads("scripts/run.sh", None, &[]),
            Leads::File("scripts/run.sh".to_owned())
        );
    }
}
