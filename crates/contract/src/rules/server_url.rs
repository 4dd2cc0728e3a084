//! Where a registered MCP server may be: the lexical guard against addresses of the control
//! plane's own network (contract section 7.2). Names are not looked up.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Most characters of a server's address.
pub const URL_MAX: usize = 2048;

/// The sentence an address is refused with (contract section 7.2, recorded).
pub const URL_REFUSED: &str = "URL must be http(s) to a public host (private, loopback, link-local, and cloud-metadata addresses are blocked).";

/// The sentence an address with a name and password is refused with: the address is shown to
/// people and written to the activity log.
pub const URL_WITH_CREDENTIALS: &str =
    "URL must not contain a user name or password. Use an auth header.";

/// Names under which clouds serve the credentials of a machine.
const METADATA_HOSTS: [&str; 6] = [
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "instance-data",
];

/// Checks an address by its spelling: `http` or `https`, a host, and no literal address that is
/// private, loopback, link-local, shared (CGNAT), multicast, reserved or unspecified, in any
/// spelling URL parsers accept, and no name of a metadata service. The error is the sentence to
/// refuse with.
///
/// A name such as `localhost` passes, as in the reference. Whoever connects should apply the rule
/// again to the address as its URL parser spells it, so that spellings this rule does not know
/// cannot hide a host.
pub fn check_url(text: &str) -> Result<(), &'static str> {
    let refused = Err(URL_REFUSED);
    if text.chars().count() > URL_MAX
        || text
            .chars()
            .any(|c| c.is_control() || c.is_whitespace() || c == '\\')
    {
        return refused;
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return refused;
    };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return refused;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err(URL_WITH_CREDENTIALS);
    }
    match host_of(authority) {
        Some(host) if !is_blocked_host(host) => Ok(()),
        _ => refused,
    }
}

/// The host of an authority without its port; `None` when there is none or it is malformed.
fn host_of(authority: &str) -> Option<&str> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (inner, after) = rest.split_once(']')?;
            let port = match after {
                "" => "",
                _ => after.strip_prefix(':')?,
            };
            // With its brackets, so that it is told apart from names.
            (authority.get(..inner.len() + 2)?, port)
        }
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    let port_ok = port.is_empty()
        || (port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok());
    // An escaped host is decoded by URL parsers; nobody needs one.
    (port_ok && !host.is_empty() && !host.contains('%')).then_some(host)
}

fn is_blocked_host(host: &str) -> bool {
    if let Some(inner) = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        // What is no address cannot be connected to either.
        return inner
            .parse::<Ipv6Addr>()
            .map_or(true, |address| is_blocked_v6(&address));
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.is_empty() {
        return true;
    }
    match v4_of(name) {
        HostForm::Address(address) => is_blocked_v4(address),
        HostForm::Malformed => true,
        HostForm::Name => METADATA_HOSTS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known)),
    }
}

enum HostForm {
    Name,
    Address(Ipv4Addr),
    /// Ends like an address but is none: URL parsers refuse it.
    Malformed,
}

/// Reads a host the way URL parsers read addresses: one to four parts, each decimal, octal with a
/// leading `0` or hexadecimal with `0x`; the last part fills the bytes that are left.
fn v4_of(host: &str) -> HostForm {
    let parts: Vec<&str> = host.split('.').collect();
    let is_number = |part: &str| {
        (!part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
            || number(part).is_some()
    };
    if !parts.last().is_some_and(|last| is_number(last)) {
        return HostForm::Name;
    }
    let Some((last, first)) = parts.split_last().filter(|_| parts.len() <= 4) else {
        return HostForm::Malformed;
    };
    let mut address: u64 = 0;
    for part in first {
        match number(part) {
            Some(value) if value <= 255 => address = (address << 8) | value,
            _ => return HostForm::Malformed,
        }
    }
    let bytes_left = 4 - first.len();
    let limit = 1_u64 << (8 * bytes_left);
    match number(last) {
        Some(value) if value < limit => {
            let whole = address * limit + value;
            u32::try_from(whole).map_or(HostForm::Malformed, |bits| {
                HostForm::Address(Ipv4Addr::from(bits))
            })
        }
        _ => HostForm::Malformed,
    }
}

/// One part of an address; values beyond 32 bits count as too large, not as a name.
fn number(part: &str) -> Option<u64> {
    let (digits, radix) = match part.get(..2) {
        Some("0x" | "0X") => (part.get(2..)?, 16),
        _ if part.len() > 1 && part.starts_with('0') => (part.get(1..)?, 8),
        _ => (part, 10),
    };
    if digits.is_empty() {
        return (radix == 16).then_some(0);
    }
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some(u64::from_str_radix(digits, radix).unwrap_or(u64::MAX))
}

fn is_blocked_v4(address: Ipv4Addr) -> bool {
    match address.octets() {
        // This network, private, loopback; multicast, reserved, broadcast.
        [0 | 10 | 127 | 224..=255, ..] => true,
        // Shared by carriers.
        [100, second, ..] => (64..=127).contains(&second),
        // Link-local, with the metadata services.
        [169, second, ..] => second == 254,
        [172, second, ..] => (16..=31).contains(&second),
        // Private, protocol assignments, documentation.
        [192, second, third, _] => second == 168 || (second == 0 && matches!(third, 0 | 2)),
        // Benchmarks, documentation.
        [198, second, third, _] => matches!(second, 18 | 19) || (second, third) == (51, 100),
        [203, second, third, _] => (second, third) == (0, 113),
        _ => false,
    }
}

fn is_blocked_v6(address: &Ipv6Addr) -> bool {
    let embedded = |high: u16, low: u16| {
        let bits = (u32::from(high) << 16) | u32::from(low);
        is_blocked_v4(Ipv4Addr::from(bits))
    };
    match address.segments() {
        // The forms that carry one at the end: mapped, translated, behind NAT64.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        // 6to4 carries it after the prefix.
        | [0x2002, high, low, ..] => embedded(high, low),
        // Unspecified, loopback and the withdrawn form that carries an IPv4 address.
        [0, 0, 0, 0, 0, 0, ..]
        // Local NAT64, Teredo (which hides its address) and documentation.
        | [0x64, 0xff9b, ..]
        | [0x2001, 0 | 0xdb8, ..]
        // Unique local, link-local, site-local, multicast.
        | [0xfc00..=0xfdff | 0xfe80..=0xffff, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_hosts_and_names_pass() {
        for url in [
            "https://mcp.example.com/mcp",
            "HTTP://mcp.example.com",
            "http://localhost:9000/mcp",
            "https://mcp.example.com:8443/mcp?tenant=a#x",
            "http://8.8.8.8/",
            "http://172.32.0.1",
            "http://100.128.0.1",
            "http://[2606:4700::1111]:80/x",
            "http://[::ffff:8.8.8.8]/",
            "http://1password.com",
            "http://10.example.com/",
            "https://xn--bcher-kva.example/",
            "https://bücher.example/",
            "https://host-1.internal/?x=http://127.0.0.1",
        ] {
            assert_eq!(check_url(url), Ok(()), "{url}");
        }
    }

    #[test]
    fn own_networks_are_refused_in_every_spelling() {
        for url in [
            "http://127.0.0.1:9000/mcp",
            "http://127.1",
            "http://2130706433/",
            "http://0x7f000001",
            "http://0x7f.1",
            "http://0177.0.0.1",
            "http://0",
            "http://0x",
            "http://127.0.0.1./",
            "http://10.1.2.3",
            "http://172.16.0.1",
            "http://172.31.255.255",
            "http://192.168.0.1",
            "http://169.254.169.254/latest",
            "http://100.64.0.1",
            "http://100.100.100.200",
            "http://192.0.0.192",
            "http://198.19.0.1",
            "http://224.0.0.1",
            "http://255.255.255.255",
            "http://[::1]/",
            "http://[::]",
            "http://[::127.0.0.1]",
            "http://[::ffff:127.0.0.1]",
            "http://[::ffff:7f00:1]",
            "http://[0:0:0:0:0:ffff:0a00:0001]",
            "http://[::ffff:0:127.0.0.1]",
            "http://[64:ff9b::10.0.0.1]",
            "http://[2002:7f00:1::]",
            "http://[2001::1]",
            "http://[fe80::1]",
            "http://[fc00::1]",
            "http://[fd00:ec2::254]",
            "http://[ff02::1]",
            "http://metadata.google.internal/",
            "http://METADATA.google.internal./",
            "http://metadata",
            "http://instance-data/latest",
        ] {
            assert_eq!(check_url(url), Err(URL_REFUSED), "{url}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for url in [
            "",
            "nope",
            "ftp://mcp.example.com",
            "file:///etc/passwd",
            "javascript://x.example",
            "http://",
            "http:///127.0.0.1",
            "http:127.0.0.1",
            "http:\\\\127.0.0.1",
            "http://a.example\\@127.0.0.1",
            "http://mcp.example.com:99999",
            "http://mcp.example.com:x",
            "http://[::1",
            "http://[::1]x",
            "http://[fe80::1%25eth0]/",
            "http://%31%32%37.0.0.1/",
            "http://1.2.3.4.5",
            "http://256.1.1.1",
            "http://1.2.3.08",
            "http://.",
            " http://mcp.example.com",
            "http://mcp.example.com/a b",
            "http://mcp.example.com/\u{7}",
        ] {
            assert_eq!(check_url(url), Err(URL_REFUSED), "{url}");
        }
        let long = format!("http://mcp.example.com/{}", "x".repeat(URL_MAX));
        assert_eq!(check_url(&long), Err(URL_REFUSED));
    }

    #[test]
    fn credentials_do_not_belong_in_the_address() {
        for url in [
            "https://ada:secret@mcp.example.com/",
            "https://ada@mcp.example.com",
        ] {
            assert_eq!(check_url(url), Err(URL_WITH_CREDENTIALS), "{url}");
        }
    }
}
