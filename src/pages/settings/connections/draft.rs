//! What is typed into the form of a connection, what is wrong with it by the rules the control
//! plane decides with, and the request it comes to. Pure.

use std::collections::BTreeMap;

use contract::connections::{
    Connection, ConnectionCreate, ConnectionPatch, HEADERS_MAX, Transport,
};
use contract::requests::connections::{check_headers, command_line, is_connection_name};
use contract::rules::server_url::check_url;

/// The rule for names, as a sentence.
pub const NAME_RULE: &str = "Lower-case letters, digits and hyphens, at most 80, beginning with a letter or a digit. Its tools are named mcp__<name>__<tool>.";

/// One header of the form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Tells the rows of the form apart.
    pub key: u64,
    /// Its name.
    pub name: String,
    /// Its value; sent once and never read back.
    pub value: String,
}

/// What the form does about headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderEdit {
    /// Leaves the stored ones alone.
    #[default]
    Keep,
    /// Puts the typed ones in place of all stored ones.
    Replace,
    /// Removes all of them.
    Clear,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The name, which is also a part of the names of its tools.
    pub name: String,
    /// How it is reached.
    pub transport: Kind,
    /// Where it is; unused for stdio.
    pub url: String,
    /// The program of a stdio server.
    pub command: String,
    /// Its arguments, one a line.
    pub args: String,
    /// Whether a stored program is left alone.
    pub keep_program: bool,
    /// What is done about headers.
    pub header_edit: HeaderEdit,
    /// The typed headers.
    pub headers: Vec<Header>,
}

/// The transports the form offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Streamable HTTP.
    #[default]
    Http,
    /// The older HTTP with server-sent events.
    Sse,
    /// A child process of the control plane.
    Stdio,
}

impl Kind {
    /// As it travels.
    pub fn transport(self) -> Transport {
        match self {
            Self::Http => Transport::StreamableHttp,
            Self::Sse => Transport::Sse,
            Self::Stdio => Transport::Stdio,
        }
    }

    /// The kind of a stored transport; one this version does not know is taken for HTTP.
    pub fn of(transport: &Transport) -> Self {
        match transport {
            Transport::Sse => Self::Sse,
            Transport::Stdio => Self::Stdio,
            Transport::StreamableHttp | Transport::Unknown(_) => Self::Http,
        }
    }
}

/// What is wrong, by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// The name.
    pub name: Option<String>,
    /// The address.
    pub url: Option<String>,
    /// The program.
    pub command: Option<String>,
    /// The headers.
    pub headers: Option<String>,
    /// Anything else.
    pub other: Option<String>,
}

impl Wrong {
    /// The first thing that is wrong.
    pub fn first(&self) -> Option<&String> {
        [
            &self.name,
            &self.url,
            &self.command,
            &self.headers,
            &self.other,
        ]
        .into_iter()
        .find_map(Option::as_ref)
    }
}

impl Draft {
    /// The form of a stored connection, as it stands before anything is typed.
    pub fn of(stored: &Connection) -> Self {
        let transport = Kind::of(&stored.transport);
        Self {
            name: stored.name.clone(),
            url: if transport == Kind::Stdio {
                String::new()
            } else {
                stored.url.clone()
            },
            transport,
            keep_program: transport == Kind::Stdio,
            ..Self::default()
        }
    }

    /// The arguments of the program.
    fn arguments(&self) -> Vec<String> {
        self.args
            .lines()
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// The command line the control plane would run; `None` while there is none.
    pub fn command_line(&self) -> Option<String> {
        let command = self.command.trim();
        (!command.is_empty()).then(|| command_line(command, &self.arguments()))
    }

    /// The typed headers that are not quite empty.
    fn typed(&self) -> impl Iterator<Item = &Header> {
        self.headers
            .iter()
            .filter(|header| !header.name.trim().is_empty() || !header.value.is_empty())
    }

    fn header_map(&self) -> BTreeMap<String, String> {
        self.typed()
            .map(|header| (header.name.trim().to_owned(), header.value.clone()))
            .collect()
    }

    fn wrong_headers(&self) -> Option<String> {
        if self.header_edit != HeaderEdit::Replace {
            return None;
        }
        let map = self.header_map();
        let count = self.typed().count();
        if count > HEADERS_MAX {
            return Some(format!("At most {HEADERS_MAX} auth headers are supported."));
        }
        if map.len() < count {
            return Some("A header is given twice.".to_owned());
        }
        check_headers(&map).err()
    }

    /// What is wrong with it as it stands.
    pub fn wrong(&self) -> Wrong {
        let name = self.name.trim();
        let is_stdio = self.transport == Kind::Stdio;
        Wrong {
            name: match name {
                "" => Some("A connection needs a name.".to_owned()),
                name if is_connection_name(name) => None,
                _ => Some(NAME_RULE.to_owned()),
            },
            url: match self.url.trim() {
                _ if is_stdio => None,
                "" => Some("A connection needs an address.".to_owned()),
                url => check_url(url).err().map(str::to_owned),
            },
            command: (is_stdio && !self.keep_program && self.command.trim().is_empty())
                .then(|| "A stdio server needs a command.".to_owned()),
            headers: if is_stdio { None } else { self.wrong_headers() },
            other: None,
        }
    }

    /// The request that registers it.
    pub fn create(&self) -> ConnectionCreate {
        let is_stdio = self.transport == Kind::Stdio;
        let headers = self.header_map();
        ConnectionCreate {
            name: self.name.trim().to_owned(),
            url: (!is_stdio).then(|| self.url.trim().to_owned()),
            transport: self.transport.transport(),
            auth_headers: Some(headers).filter(|headers| !is_stdio && !headers.is_empty()),
            command: is_stdio.then(|| self.command.trim().to_owned()),
            args: is_stdio.then(|| self.arguments()),
        }
    }

    /// The request that changes a stored one: only what differs.
    pub fn patch(&self, stored: &Connection) -> ConnectionPatch {
        let changed = |text: &str, old: &str| (text.trim() != old).then(|| text.trim().to_owned());
        let is_stdio = self.transport == Kind::Stdio;
        let transport = self.transport.transport();
        let program = is_stdio && !self.keep_program;
        ConnectionPatch {
            name: changed(&self.name, &stored.name),
            url: if is_stdio {
                None
            } else {
                changed(&self.url, &stored.url)
            },
            transport: (transport != stored.transport).then_some(transport),
            auth_headers: match self.header_edit {
                _ if is_stdio => None,
                HeaderEdit::Keep => None,
                HeaderEdit::Clear => Some(None),
                HeaderEdit::Replace => Some(Some(self.header_map())),
            },
            enabled: None,
            command: program.then(|| self.command.trim().to_owned()),
            args: program.then(|| self.arguments()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stored() -> Connection {
        serde_json::from_value(json!({
            "id": "c1", "name": "docs", "url": "https://docs.example/mcp",
            "transport": "streamable-http", "enabled": true, "source": "manual",
            "authHeaderNames": ["Authorization"], "createdAt": "", "updatedAt": ""
        }))
        .unwrap()
    }

    fn header(name: &str, value: &str) -> Header {
        Header {
            key: 1,
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn nothing_typed_changes_nothing_and_headers_stay() {
        let draft = Draft::of(&stored());
        assert_eq!(draft.wrong(), Wrong::default());
        assert_eq!(draft.patch(&stored()), ConnectionPatch::default());
    }

    #[test]
    fn only_what_differs_is_sent() {
        let mut draft = Draft::of(&stored());
        draft.url = " https://docs.example/v2 ".to_owned();
        let patch = serde_json::to_value(draft.patch(&stored())).unwrap();
        assert_eq!(patch, json!({"url": "https://docs.example/v2"}));
        draft.header_edit = HeaderEdit::Clear;
        let patch = serde_json::to_value(draft.patch(&stored())).unwrap();
        assert_eq!(
            patch,
            json!({"url": "https://docs.example/v2", "authHeaders": null})
        );
        draft.header_edit = HeaderEdit::Replace;
        draft.headers = vec![header("X-Team", "ops"), Header::default()];
        let patch = serde_json::to_value(draft.patch(&stored())).unwrap();
        assert_eq!(patch["authHeaders"], json!({"X-Team": "ops"}));
    }

    #[test]
    fn what_is_wrong_is_said_at_its_field() {
        let mut draft = Draft {
            name: "Not OK".to_owned(),
            url: "http://127.0.0.1:9000/mcp".to_owned(),
            header_edit: HeaderEdit::Replace,
            headers: vec![header("X-A", "1"), header("X-A", "2")],
            ..Draft::default()
        };
        let wrong = draft.wrong();
        assert_eq!(wrong.name.as_deref(), Some(NAME_RULE));
        assert!(wrong.url.is_some());
        assert_eq!(wrong.headers.as_deref(), Some("A header is given twice."));
        draft.name = "ok-1".to_owned();
        draft.url = "http://localhost:9000/mcp".to_owned();
        draft.headers = vec![header("bad name", "1")];
        assert_eq!(
            draft.wrong().first().map(String::as_str),
            Some("Invalid header name \"bad name\".")
        );
        // Headers that will not be sent are not in the way.
        draft.header_edit = HeaderEdit::Keep;
        assert_eq!(draft.wrong(), Wrong::default());
    }

    #[test]
    fn a_program_is_shown_as_it_will_run_and_sent_without_an_address() {
        let draft = Draft {
            name: "everything".to_owned(),
            transport: Kind::Stdio,
            command: "node".to_owned(),
            args: "server.mjs\n--root\n/a folder".to_owned(),
            url: "https://left.over".to_owned(),
            ..Draft::default()
        };
        assert_eq!(
            draft.command_line().as_deref(),
            Some("node server.mjs --root '/a folder'")
        );
        assert_eq!(
            serde_json::to_value(draft.create()).unwrap(),
            json!({
                "name": "everything", "transport": "stdio", "command": "node",
                "args": ["server.mjs", "--root", "/a folder"]
            })
        );
        let none = Draft {
            command: String::new(),
            ..draft
        };
        assert!(none.wrong().command.is_some());
    }
}
