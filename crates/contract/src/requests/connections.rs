//! Requests about MCP connections (contract section 7).

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::connections::{
    ConnectionCreate, ConnectionPatch, Enabled, HEADER_NAME_MAX, HEADER_VALUE_MAX, HEADERS_MAX,
    NAME_MAX, STDIO_ARGS_MAX, STDIO_TEXT_MAX, Transport,
};
use crate::rules::server_url::{URL_MAX, check_url};

const CREATE: [&str; 4] = ["name", "url", "transport", "authHeaders"];
const PATCH: [&str; 5] = ["name", "url", "transport", "authHeaders", "enabled"];
const STDIO: [&str; 2] = ["command", "args"];

/// Headers that belong to HTTP or to the protocol; a server cannot be sent others in their place.
const PROTOCOL_HEADERS: [&str; 16] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "keep-alive",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Whether `name` is `^[a-z0-9][a-z0-9-]{0,79}$`.
pub fn is_connection_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=NAME_MAX).contains(&name.len())
        && name.bytes().next().is_some_and(plain)
        && name.bytes().all(|byte| plain(byte) || byte == b'-')
}

/// Checks the headers to send along; the error is the sentence to refuse with (contract
/// section 7.2).
pub fn check_headers(headers: &BTreeMap<String, String>) -> Result<(), String> {
    if headers.len() > HEADERS_MAX {
        return Err(format!("At most {HEADERS_MAX} auth headers are supported."));
    }
    let mut seen = HashSet::new();
    for (name, value) in headers {
        let name_ok = (1..=HEADER_NAME_MAX).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !name_ok {
            return Err(format!("Invalid header name \"{name}\"."));
        }
        let key = name.to_ascii_lowercase();
        if PROTOCOL_HEADERS.contains(&key.as_str()) {
            return Err(format!(
                "Header \"{name}\" is set by the protocol and cannot be replaced."
            ));
        }
        if !seen.insert(key) {
            return Err(format!("Header \"{name}\" is given twice."));
        }
        if !(1..=HEADER_VALUE_MAX).contains(&value.chars().count()) {
            return Err(format!("Invalid value for header \"{name}\"."));
        }
        if value.chars().any(char::is_control) {
            return Err(format!(
                "Value for header \"{name}\" contains control characters."
            ));
        }
    }
    Ok(())
}

/// The command line of a stdio server as one text for people, with quotes where a shell would
/// need them.
pub fn command_line(command: &str, args: &[String]) -> String {
    let quoted = |word: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    std::iter::once(command)
        .chain(args.iter().map(String::as_str))
        .map(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Why a body with the right field types is refused still: one sentence.
type Sentence = String;

/// Checks what a connection will be as a whole: address, headers, program. The error is the
/// sentence to refuse with.
pub fn check_create(request: &ConnectionCreate) -> Result<(), Sentence> {
    if request.transport == Transport::Stdio {
        if request.url.is_some() {
            return Err("A stdio server has a command, no url.".to_owned());
        }
        if request.auth_headers.is_some() {
            return Err("A stdio server is sent no headers.".to_owned());
        }
        if request.command.is_none() {
            return Err("A stdio server needs a command.".to_owned());
        }
        return Ok(());
    }
    if request.command.is_some() || request.args.is_some() {
        return Err("Only a stdio server has a command and arguments.".to_owned());
    }
    check_url(request.url.as_deref().unwrap_or_default()).map_err(str::to_owned)?;
    match &request.auth_headers {
        Some(headers) => check_headers(headers),
        None => Ok(()),
    }
}

fn name(fields: &mut Reader<'_>) -> String {
    let text = fields.raw("name").and_then(Value::as_str);
    if !text.is_some_and(is_connection_name) {
        fields.problem(
            "name",
            "must match /^[a-z0-9][a-z0-9-]{0,79}$/ regular expression",
        );
    }
    if text.is_none() {
        fields.problem("name", "must be a string");
    }
    text.unwrap_or_default().to_owned()
}

/// The reference declares its transports as a list, which leaves the list in the text empty.
fn transport(fields: &mut Reader<'_>, stdio: bool) -> Transport {
    let text = fields.raw("transport").and_then(Value::as_str);
    let known = text
        .map(Transport::from)
        .filter(|transport| match transport {
            Transport::StreamableHttp | Transport::Sse => true,
            Transport::Stdio => stdio,
            Transport::Unknown(_) => false,
        });
    known.unwrap_or_else(|| {
        fields.problem("transport", "must be one of the following values: ");
        Transport::Unknown(String::new())
    })
}

/// The headers as given; a value that is no text becomes the empty text, which
/// [`check_headers`] refuses with the sentence clients know.
fn headers(fields: &mut Reader<'_>) -> Option<Option<BTreeMap<String, String>>> {
    match fields.raw("authHeaders")? {
        Value::Null => Some(None),
        Value::Object(object) => Some(Some(
            object
                .iter()
                .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
                .collect(),
        )),
        _ => {
            fields.problem("authHeaders", "must be an object");
            None
        }
    }
}

fn program(fields: &mut Reader<'_>) -> (Option<String>, Option<Vec<String>>) {
    let rule = Text {
        not_empty: true,
        ..Text::up_to(STDIO_TEXT_MAX)
    };
    let command = fields.optional_text("command", rule);
    let no_nul = |text: &str| !text.contains('\0');
    if command.as_deref().is_some_and(|text| !no_nul(text)) {
        fields.problem("command", "must not contain a NUL character");
    }
    let args = fields.raw("args").filter(|value| !value.is_null());
    let list: Option<Vec<String>> = args.and_then(Value::as_array).and_then(|list| {
        let fits = |text: &&str| text.chars().count() <= STDIO_TEXT_MAX && no_nul(text);
        let text = |item: &Value| item.as_str().filter(fits).map(str::to_owned);
        list.iter().map(text).collect()
    });
    if args.is_some() && list.is_none() {
        fields.sentence(&format!(
            "each value in args must be a string of at most {STDIO_TEXT_MAX} characters without NUL"
        ));
    }
    if list
        .as_ref()
        .is_some_and(|list| list.len() > STDIO_ARGS_MAX)
    {
        let rest = format!("must contain no more than {STDIO_ARGS_MAX} elements");
        fields.problem("args", &rest);
    }
    (command, list)
}

fn with_stdio(known: &[&'static str], stdio: bool) -> Vec<&'static str> {
    let more: &[&'static str] = if stdio { &STDIO } else { &[] };
    [known, more].concat()
}

/// Reads the body of `POST /api/mcp-connections`. `stdio` says whether this control plane starts
/// child processes; without it their fields are unknown, as in the reference.
pub fn create(body: &Map<String, Value>, stdio: bool) -> Result<ConnectionCreate, Problems> {
    let mut fields = Reader::new(body, &with_stdio(&CREATE, stdio));
    let name = name(&mut fields);
    let is_stdio = stdio && body.get("transport").and_then(Value::as_str) == Some("stdio");
    let url = if is_stdio {
        fields.optional_text("url", Text::up_to(URL_MAX))
    } else {
        Some(fields.text("url", Text::up_to(URL_MAX)))
    };
    let transport = transport(&mut fields, stdio);
    let auth_headers = headers(&mut fields).flatten();
    let (command, args) = program(&mut fields);
    fields.finish(ConnectionCreate {
        name,
        url,
        transport,
        auth_headers,
        command,
        args,
    })
}

/// Reads the body of `PATCH /api/mcp-connections/:id`; `null` counts as absent, except for
/// `authHeaders`, which it clears.
pub fn patch(body: &Map<String, Value>, stdio: bool) -> Result<ConnectionPatch, Problems> {
    let mut fields = Reader::new(body, &with_stdio(&PATCH, stdio));
    let given = |key: &str| body.get(key).is_some_and(|value| !value.is_null());
    let name = given("name").then(|| name(&mut fields));
    let url = fields.optional_text("url", Text::up_to(URL_MAX));
    let transport = given("transport").then(|| transport(&mut fields, stdio));
    let auth_headers = headers(&mut fields);
    let enabled = fields.optional_boolean("enabled");
    let (command, args) = program(&mut fields);
    fields.finish(ConnectionPatch {
        name,
        url,
        transport,
        auth_headers,
        enabled,
        command,
        args,
    })
}

/// Reads the body of `PUT /api/agents/:agentId/mcp-servers/:connectionId`.
pub fn enabled(body: &Map<String, Value>) -> Result<Enabled, Problems> {
    let mut fields = Reader::new(body, &["enabled"]);
    let enabled = fields.boolean("enabled");
    fields.finish(Enabled { enabled })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn create_names_each_broken_field() {
        let body = json!({"name": "Not Ok", "transport": "stdio", "command": "x"});
        assert_eq!(
            create(&object(&body), false),
            Err(vec![
                "property command should not exist".to_owned(),
                "name must match /^[a-z0-9][a-z0-9-]{0,79}$/ regular expression".to_owned(),
                "url must be shorter than or equal to 2048 characters".to_owned(),
                "url must be a string".to_owned(),
                "transport must be one of the following values: ".to_owned(),
            ])
        );
        let body = json!({"name": "ok-1", "url": "https://a.example", "transport": "sse"});
        assert!(create(&object(&body), false).is_ok());
        assert!(is_connection_name(&"a".repeat(80)));
        for wrong in ["", "-a", "A", "a_b", &"a".repeat(81)] {
            assert!(!is_connection_name(wrong), "{wrong}");
        }
    }

    #[test]
    fn stdio_needs_a_command_and_nothing_of_http() {
        let read = |body: Value| create(&object(&body), true).map(|request| check_create(&request));
        let ok = json!({"name": "a", "transport": "stdio", "command": "/bin/x", "args": ["-v"]});
        assert_eq!(read(ok), Ok(Ok(())));
        let none = json!({"name": "a", "transport": "stdio"});
        assert_eq!(
            read(none),
            Ok(Err("A stdio server needs a command.".to_owned()))
        );
        let both =
            json!({"name": "a", "transport": "sse", "url": "https://a.example", "command": "x"});
        let refused = "Only a stdio server has a command and arguments.";
        assert_eq!(read(both), Ok(Err(refused.to_owned())));
        let nul = json!({"name": "a", "transport": "stdio", "command": "x", "args": ["a\u{0}b"]});
        assert!(read(nul).is_err());
        let many =
            json!({"name": "a", "transport": "stdio", "command": "x", "args": vec!["a"; 65]});
        assert!(read(many).is_err());
    }

    #[test]
    fn patch_tells_clearing_headers_from_leaving_them() {
        let read = |body: Value| patch(&object(&body), false);
        assert_eq!(read(json!({})), Ok(ConnectionPatch::default()));
        let cleared = read(json!({"authHeaders": null, "name": null}));
        assert_eq!(
            cleared,
            Ok(ConnectionPatch {
                auth_headers: Some(None),
                ..ConnectionPatch::default()
            })
        );
        assert!(read(json!({"enabled": "yes"})).is_err());
        assert!(read(json!({"authHeaders": []})).is_err());
    }

    #[test]
    fn headers_are_refused_in_the_contract_s_words() {
        let check = |pairs: &[(&str, &str)]| {
            let map = pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            check_headers(&map).err()
        };
        assert_eq!(
            check(&[("Authorization", "Bearer x"), ("X-Key", "ü")]),
            None
        );
        assert_eq!(
            check(&[("X Key", "v")]).as_deref(),
            Some("Invalid header name \"X Key\".")
        );
        assert_eq!(
            check(&[("X-Key", "")]).as_deref(),
            Some("Invalid value for header \"X-Key\".")
        );
        assert_eq!(
            check(&[("X-Key", "a\r\nb")]).as_deref(),
            Some("Value for header \"X-Key\" contains control characters.")
        );
        assert_eq!(
            check(&[("Host", "a.example")]).as_deref(),
            Some("Header \"Host\" is set by the protocol and cannot be replaced.")
        );
        assert_eq!(
            check(&[("X-KEY", "a"), ("x-key", "b")]).as_deref(),
            Some("Header \"x-key\" is given twice.")
        );
        assert!(check(&[("X-Key", &"v".repeat(HEADER_VALUE_MAX + 1))]).is_some());
    }

    #[test]
    fn command_lines_are_quoted_for_reading() {
        let args = ["--root", "/a b", "it's", ""].map(str::to_owned);
        assert_eq!(
            command_line("/usr/bin/server", &args),
            "/usr/bin/server --root '/a b' 'it'\\''s' ''"
        );
    }
}
