//! R10: what an environment may name (contract section 9): pip requirement specifiers, npm package
//! specs and host names. Allow-lists, matched by hand: whatever reaches an install command or a
//! network filter holds no white space, quote, option or shell sign.

/// Most packages of one list, and most characters of one entry.
pub const PACKAGES_MAX: usize = 100;
/// See [`PACKAGES_MAX`].
pub const PACKAGE_MAX: usize = 128;
/// Most allowed hosts.
pub const HOSTS_MAX: usize = 200;
/// Most characters of a host name.
pub const HOST_MAX: usize = 253;
/// Most characters between two dots of a host name (RFC 1035).
const LABEL_MAX: usize = 63;

/// What is told about a pip list with an entry that is no requirement specifier.
pub const PIP_MESSAGE: &str = "each pipPackages entry must be a plain pip requirement specifier";
/// What is told about an npm list with an entry that is no package spec.
pub const NPM_MESSAGE: &str = "each npmPackages entry must be a plain npm package spec";
/// What is told about a host list with an entry that is no host name.
pub const HOST_MESSAGE: &str =
    "each allowedHosts entry must be a hostname (optional \"*.\" wildcard)";

fn is_alphanumeric(text: &str, place: Option<usize>) -> bool {
    place
        .and_then(|place| text.as_bytes().get(place))
        .is_some_and(u8::is_ascii_alphanumeric)
}

fn holds_only(text: &str, besides: &[u8]) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || besides.contains(&byte))
}

/// Whether a text is a name, optional extras in brackets and optional version clauses:
/// `pandas`, `uvicorn[standard]`, `requests>=2.31,<3`. No markers, no URLs, no options.
pub fn is_pip_requirement(text: &str) -> bool {
    let in_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let end = text
        .bytes()
        .position(|byte| !in_name(byte))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    if !is_alphanumeric(name, Some(0)) || !is_alphanumeric(name, name.len().checked_sub(1)) {
        return false;
    }
    let clauses = match rest.strip_prefix('[') {
        None => rest,
        Some(bracket) => match bracket.split_once(']') {
            Some((extras, clauses)) if !extras.is_empty() && holds_only(extras, b"._,-") => clauses,
            _ => return false,
        },
    };
    clauses.is_empty() || clauses.split(',').all(is_version_clause)
}

fn is_version_clause(clause: &str) -> bool {
    // Longest first, so that `===1` is not taken for `==` and a version `=1`.
    const OPERATORS: [&str; 8] = ["===", "==", ">=", "<=", "~=", "!=", ">", "<"];
    let version = OPERATORS
        .iter()
        .find_map(|operator| clause.strip_prefix(operator));
    version.is_some_and(|version| {
        version.starts_with(|first: char| first.is_ascii_digit()) && holds_only(version, b".*+!-")
    })
}

/// Whether a text is an npm package name, optionally scoped, with an optional version, range or
/// tag behind `@`: `typescript`, `@scope/pkg@^1.2.0`, `vite@latest`. No URLs, no paths.
pub fn is_npm_spec(text: &str) -> bool {
    let is_name = |name: &str| is_alphanumeric(name, Some(0)) && holds_only(name, b"._-");
    let unscoped = match text.strip_prefix('@') {
        None => text,
        Some(scoped) => match scoped.split_once('/') {
            Some((scope, rest)) if is_name(scope) => rest,
            _ => return false,
        },
    };
    match unscoped.split_once('@') {
        None => is_name(unscoped),
        Some((name, version)) => is_name(name) && is_npm_version(version),
    }
}

fn is_npm_version(version: &str) -> bool {
    let is_range_sign = |sign: char| matches!(sign, '~' | '^' | '<' | '>' | '=');
    let plain = version.trim_start_matches(is_range_sign);
    let starts_well = match version.len() - plain.len() {
        0 => is_alphanumeric(plain, Some(0)),
        1 | 2 => plain.starts_with(|first: char| first.is_ascii_digit()),
        _ => false,
    };
    starts_well && holds_only(plain, b".*+-")
}

/// Whether a text has the form of a host name, with an optional leading `*.` for all names below
/// it.
pub fn is_host_pattern(text: &str) -> bool {
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_label = |label: &str| {
        (1..=LABEL_MAX).contains(&label.len())
            && is_alphanumeric(label, Some(0))
            && is_alphanumeric(label, label.len().checked_sub(1))
            && holds_only(label, b"-")
    };
    name.split('.').all(is_label)
}

/// Whether a host name leads out to a public one: not an address in numbers, not this machine, not
/// a name of the local network. `text` has the form of [`is_host_pattern`].
pub fn is_public_host(text: &str) -> bool {
    let name = text.strip_prefix("*.").unwrap_or(text).to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    // URLs take a host whose last part is a number, decimal or hexadecimal, for an IPv4 address.
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = digits(last) || last.strip_prefix("0x").is_some_and(hexadecimal);
    !is_number && !matches!(last, "localhost" | "local" | "internal")
}

/// The first host of a list that [`is_public_host`] turns down, in the server's words.
pub fn host_refusal<'a>(hosts: impl IntoIterator<Item = &'a String>) -> Option<String> {
    let refused = hosts.into_iter().find(|host| !is_public_host(host))?;
    Some(format!("Invalid allowed host: {refused}"))
}
