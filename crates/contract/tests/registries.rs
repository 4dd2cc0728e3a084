//! The grammars of packages, hosts, addresses and paths: examples, and random texts against the
//! regular expressions they restate.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a test that cannot go on fails, and values written in place read best"
)]

use std::sync::LazyLock;

use contract::organizations::Work;
use contract::repositories::EnvFileContent;
use contract::requests::{environments, repositories};
use contract::rules::packages::{is_host_pattern, is_npm_spec, is_pip_requirement, is_public_host};
use contract::rules::repositories::{
    ENV_FILE_BYTES_MAX, UrlRefusal, check_url, derived_from, env_files_refusal, is_directory_name,
    is_env_file_path, mount_dir,
};
use proptest::prelude::*;
use regex::Regex;
use serde_json::{Map, Value, json};

static PIP: Expression = LazyLock::new(|| {
    Regex::new(r"^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._,-]+\])?(?:(?:===|==|>=|<=|~=|!=|>|<)[0-9][A-Za-z0-9.*+!-]*(?:,(?:===|==|>=|<=|~=|!=|>|<)[0-9][A-Za-z0-9.*+!-]*)*)?$").unwrap()
});
static NPM: Expression = LazyLock::new(|| {
    Regex::new(r"^(?:@[A-Za-z0-9][A-Za-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*(?:@(?:[A-Za-z0-9][A-Za-z0-9.*+x-]*|[~^<>=]{1,2}[0-9][A-Za-z0-9.*+x.-]*))?$").unwrap()
});
static HOST: Expression = LazyLock::new(|| {
    Regex::new(r"^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$").unwrap()
});
static SEGMENT: Expression = LazyLock::new(|| Regex::new(r"^[A-Za-z0-9._-]{1,200}$").unwrap());

type Expression = LazyLock<Regex>;

fn agree(rule: fn(&str) -> bool, pattern: &Expression, text: &str) -> bool {
    rule(text) == pattern.is_match(text)
}

/// Short texts of the characters a grammar is about, so that many of them match.
fn text_of(alphabet: &'static str) -> impl Strategy<Value = String> {
    let characters: Vec<char> = alphabet.chars().collect();
    proptest::collection::vec(proptest::sample::select(characters), 0..14)
        .prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn pip_grammar_is_its_expression(text in text_of("aB1.-_[],=<>~!*+ ;")) {
        prop_assert!(agree(is_pip_requirement, &PIP, &text), "{text:?}");
    }

    #[test]
    fn pip_clauses_are_their_expression(
        text in "[a-c][a-c._-]{0,3}(\\[[a-c,]{0,3}\\])?([=<>~!]{0,3}[0-9*a-c!+-]{0,3},?){0,3}"
    ) {
        prop_assert!(agree(is_pip_requirement, &PIP, &text), "{text:?}");
    }

    #[test]
    fn npm_grammar_is_its_expression(text in text_of("aZ0@/.-_~^<>=*+x ")) {
        prop_assert!(agree(is_npm_spec, &NPM, &text), "{text:?}");
    }

    #[test]
    fn npm_specs_are_their_expression(
        text in "(@[a-c.-]{0,3}/?)?[a-c0-9._-]{0,4}(@[~^<>=]{0,3}[0-9a-cx.*+-]{0,4})?"
    ) {
        prop_assert!(agree(is_npm_spec, &NPM, &text), "{text:?}");
    }

    #[test]
    fn host_grammar_is_its_expression(text in text_of("aZ0-.*_:")) {
        prop_assert!(agree(is_host_pattern, &HOST, &text), "{text:?}");
    }

    #[test]
    fn hosts_are_their_expression(text in "(\\*\\.)?[a-c-]{0,3}(\\.[a-c0-9-]{0,3}){0,3}|[a-z]{60,67}") {
        prop_assert!(agree(is_host_pattern, &HOST, &text), "{text:?}");
    }

    #[test]
    fn a_directory_never_leads_elsewhere(name in any::<String>(), path in proptest::option::of(any::<String>())) {
        let directory = mount_dir(path.as_deref(), &name);
        prop_assert!(is_directory_name(&directory), "{directory:?}");
        prop_assert!(SEGMENT.is_match(&directory));
    }

    #[test]
    fn an_env_file_path_stays_inside(text in text_of("aA./\\-_~ ")) {
        if is_env_file_path(&text) {
            let plain = text.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
            prop_assert!(plain && !text.starts_with('/') && !text.contains('\\'), "{text:?}");
        }
    }

    #[test]
    fn nothing_panics(text in any::<String>()) {
        is_pip_requirement(&text);
        is_npm_spec(&text);
        is_public_host(&text);
        let _ = check_url(&text);
        let _ = check_url(&format!("https://{text}"));
        let _ = check_url(&format!("ssh://{text}"));
        if check_url(&text).is_ok() {
            prop_assert!(!text.trim().contains(char::is_whitespace));
        }
    }
}

#[test]
fn packages_people_write() {
    for good in [
        "requests",
        "pandas==2.2.0",
        "uvicorn[standard]>=0.30,<1",
        "zope.interface",
        "a~=1.0",
        "a===1",
        "numpy!=1.*",
    ] {
        assert!(is_pip_requirement(good), "{good}");
    }
    for bad in [
        "",
        "x; rm -rf /",
        "-r other.txt",
        "--index-url=x",
        "git+https://example.com/x",
        "a==",
        "a[]",
        "a==1,",
        "a @ file:x",
        "a====1",
        "requests ",
        "a-",
    ] {
        assert!(!is_pip_requirement(bad), "{bad}");
    }
    for good in [
        "typescript",
        "@scope/pkg@^1.2.0",
        "vite@latest",
        "a@1.x",
        "a@>=2",
    ] {
        assert!(is_npm_spec(good), "{good}");
    }
    for bad in [
        "",
        "@scope",
        "@scope/",
        "a@",
        "a@>=x",
        "a@>>>1",
        "file:../x",
        "a b",
        "-g",
        "a@1@2",
        "@/a",
    ] {
        assert!(!is_npm_spec(bad), "{bad}");
    }
}

#[test]
fn hosts_lead_out() {
    for good in ["api.github.com", "*.example.com", "a", "xn--mnchen-3ya.de"] {
        assert!(is_host_pattern(good) && is_public_host(good), "{good}");
    }
    for bad in [
        "", "*", "*.*.com", "a..b", "-a", "a-", "a_b", "a:80", "[::1]", "a.b.",
    ] {
        assert!(!is_host_pattern(bad), "{bad}");
    }
    for inside in [
        "localhost",
        "LOCALHOST",
        "*.localhost",
        "printer.local",
        "db.internal",
        "127.0.0.1",
        "10.1",
        "2130706433",
        "0x7f.1",
        "0x7f",
        "*.1",
    ] {
        assert!(
            is_host_pattern(inside) && !is_public_host(inside),
            "{inside}"
        );
    }
    assert!(is_public_host("0xdad.example"));
}

#[test]
fn addresses_to_clone_from() {
    for good in [
        "https://github.com/acme/x",
        " https://git.example.com:8443/x.git ",
        "https://[2001:db8::1]/x",
        "ssh://git@host/x",
        "ssh://host:2222/x/y.git",
        "git@host:acme/x.git",
        "deploy-1@h.example:~/x",
    ] {
        assert_eq!(check_url(good), Ok(()), "{good}");
    }
    for bad in [
        "",
        "x",
        "http://github.com/acme/x",
        "https://",
        "https:///x",
        "https://a b/x",
        "https://host:99999/x",
        "ssh://host",
        "ssh://host/",
        "ssh://-oProxyCommand=x/y",
        "git@host",
        "git@host:",
        "-x@host:y",
        "git@-host:y",
        "file:///etc",
        "https://host\u{202e}/x y",
    ] {
        assert_eq!(check_url(bad), Err(UrlRefusal::Form), "{bad}");
    }
    for secret in [
        "https://ada:pw@host/x",
        "https://token@host/x",
        "ssh://git:pw@host/x",
    ] {
        assert_eq!(check_url(secret), Err(UrlRefusal::Credentials), "{secret}");
    }
    assert_eq!(
        check_url(&format!("https://h/{}", "x".repeat(503))),
        Err(UrlRefusal::Form)
    );
}

#[test]
fn directories_of_repositories() {
    assert_eq!(mount_dir(None, "my-service"), "my-service");
    assert_eq!(mount_dir(Some("api"), "my-service"), "api");
    assert_eq!(mount_dir(None, "../../etc/pass wd"), "etc-pass-wd");
    assert_eq!(mount_dir(None, "Größe  42"), "Gr-e-42");
    assert_eq!(mount_dir(None, "日本"), "repo");
    assert_eq!(mount_dir(Some(".."), "x"), "repo");
    assert_eq!(mount_dir(None, &"x".repeat(300)).len(), 200);
}

fn file(path: &str, content: &str) -> EnvFileContent {
    EnvFileContent {
        path: path.to_owned(),
        content: content.to_owned(),
    }
}

#[test]
fn environment_files_are_judged_without_their_content() {
    let large = "s".repeat(ENV_FILE_BYTES_MAX);
    assert_eq!(env_files_refusal(&[file(".env", &large)]), None);
    for (files, sentence) in [
        (
            vec![file(".env", &format!("{large}x"))],
            "Env file \".env\" exceeds the 32KB limit.",
        ),
        (
            vec![file(".env", "a"), file(".env", "b")],
            "Duplicate env file path: \".env\".",
        ),
        (
            vec![file("../.env", "secret")],
            "Invalid env file path: \"../.env\".",
        ),
        (
            vec![file(".Git/hooks/post-checkout", "secret")],
            "Invalid env file path: \".Git/hooks/post-checkout\".",
        ),
        (
            vec![file("/etc/x", "secret")],
            "Invalid env file path: \"/etc/x\".",
        ),
        (
            (0..9).map(|n| file(&n.to_string(), "secret")).collect(),
            "At most 8 env files are allowed per repository.",
        ),
    ] {
        assert_eq!(env_files_refusal(&files).as_deref(), Some(sentence));
        assert!(!format!("{files:?}").contains("secret"));
    }
}

#[test]
fn only_a_work_with_an_owner_has_repositories() {
    let mut work: Work = serde_json::from_value(json!({
        "id": "w", "name": "Site", "slug": "site", "owner": "acme",
    }))
    .unwrap();
    let urls: Vec<String> = derived_from(&work).into_iter().map(|row| row.url).collect();
    assert_eq!(
        urls,
        [
            "https://github.com/acme/site",
            "https://github.com/acme/site-website",
            "https://github.com/acme/site-data"
        ]
    );
    for owner in [None, Some(""), Some("a b"), Some("../x")] {
        work.owner = owner.map(str::to_owned);
        assert_eq!(derived_from(&work), []);
    }
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn requests_are_refused_field_by_field() {
    let problems = environments::create(&object(json!({
        "name": "x", "pipPackages": ["a b"], "npmPackages": "x", "allowedHosts": [1],
        "networkingMode": "off", "status": "published",
    })))
    .unwrap_err();
    assert_eq!(
        problems,
        [
            "property status should not exist",
            "each pipPackages entry must be a plain pip requirement specifier",
            "each npmPackages entry must be a plain npm package spec",
            "each value in npmPackages must be shorter than or equal to 128 characters",
            "each value in npmPackages must be a string",
            "npmPackages must contain no more than 100 elements",
            "npmPackages must be an array",
            "networkingMode must be one of the following values: unrestricted, limited",
            "each allowedHosts entry must be a hostname (optional \"*.\" wildcard)",
            "each value in allowedHosts must be shorter than or equal to 253 characters",
            "each value in allowedHosts must be a string",
        ]
    );
    let long = environments::patch(&object(json!({"pipPackages": ["x".repeat(129)]})));
    assert_eq!(
        long.unwrap_err(),
        ["each value in pipPackages must be shorter than or equal to 128 characters"]
    );
    let many = environments::patch(&object(json!({"pipPackages": vec!["x"; 101]})));
    assert_eq!(
        many.unwrap_err(),
        ["pipPackages must contain no more than 100 elements"]
    );
    let files = repositories::env_files_put(&object(json!({"files": [{"path": 5}]})));
    assert_eq!(
        files.unwrap_err(),
        [
            "files.0.path must be shorter than or equal to 200 characters",
            "files.0.path must be longer than or equal to 1 characters",
            "files.0.path must be a string",
            "files.0.content must be shorter than or equal to 65536 characters",
            "files.0.content must be a string",
        ]
    );
    for absent in [json!({}), json!({"files": null})] {
        assert_eq!(
            repositories::env_files_put(&object(absent)).unwrap_err(),
            [
                "files must contain no more than 8 elements",
                "files must be an array"
            ]
        );
    }
    assert!(repositories::env_files_put(&object(json!({"files": []}))).is_ok());
}
