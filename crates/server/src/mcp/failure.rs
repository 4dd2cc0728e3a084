//! Why a server could not be reached or did not answer, in the sentences of contract section 7.2.
//! Header values never appear in them.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use rmcp::ServiceError;
use rmcp::service::ClientInitializeError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

/// Longest message that is passed on as it is, in characters.
const MESSAGE_MAX: usize = 200;
/// Shorter secrets cannot be cut out of a text without cutting elsewhere too.
const SECRET_MIN: usize = 4;

const UNREACHABLE: &str = "Server unreachable (connection failed).";
const TIMED_OUT: &str = "Request timed out.";
const FAILED: &str = "MCP request failed.";
/// Why nothing can be done about a connection of this transport.
pub(crate) const NO_SSE: &str = "This control plane cannot open the older sse transport. Register the server with streamable-http if it offers that.";
/// Why a program is not started.
pub(crate) const NO_STDIO: &str =
    "This control plane starts no programs: it runs without --allow-stdio-mcp.";

/// A failed attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// One sentence for people, without secrets.
    pub(crate) text: String,
    /// Whether trying again cannot help before the registration changes.
    pub(crate) is_final: bool,
}

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_final: false,
        }
    }

    /// One that only another registration can mend.
    pub(crate) fn for_good(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_final: true,
        }
    }

    /// Opening took too long.
    pub(crate) fn connect_timeout(name: &str, limit: Duration) -> Self {
        Self::new(format!(
            "Connection to MCP server \"{name}\" timed out after {}ms.",
            limit.as_millis()
        ))
    }

    /// A request took too long.
    pub(crate) fn timeout() -> Self {
        Self::new(TIMED_OUT)
    }

    /// Opening failed.
    pub(crate) fn of_opening(error: &ClientInitializeError, secrets: &Secrets) -> Self {
        match error {
            // The second attempt tells more, unless it only found the connection closed.
            ClientInitializeError::LegacyFallbackFailed { discover, fallback } => {
                match fallback.as_ref() {
                    ClientInitializeError::ConnectionClosed(_) => {
                        Self::of_opening(discover, secrets)
                    }
                    fallback => Self::of_opening(fallback, secrets),
                }
            }
            ClientInitializeError::TransportError { error, .. } => {
                Self::of_cause(error.error.as_ref(), secrets)
            }
            ClientInitializeError::ConnectionClosed(_) => {
                Self::new("The server closed the connection before it answered.")
            }
            ClientInitializeError::JsonRpcError(error) => {
                Self::new(secrets.shown(&format!("The server refused: {}", error.message)))
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
                Self::new("The server speaks no protocol version this control plane knows.")
            }
            ClientInitializeError::ExpectedInitResponse(_)
            | ClientInitializeError::ExpectedInitResult(_) => {
                Self::new("The server answered with something that is not the protocol.")
            }
            other => Self::new(secrets.shown(&other.to_string())),
        }
    }

    /// A request failed.
    pub(crate) fn of_request(error: &ServiceError, secrets: &Secrets) -> Self {
        match error {
            ServiceError::Timeout { .. } => Self::timeout(),
            ServiceError::TransportSend(error) => Self::of_cause(error.error.as_ref(), secrets),
            ServiceError::TransportClosed => Self::new("The server closed the connection."),
            ServiceError::McpError(error) => {
                Self::new(secrets.shown(&format!("The server refused: {}", error.message)))
            }
            other => Self::new(secrets.shown(&other.to_string())),
        }
    }

    fn of_cause(error: &(dyn Error + 'static), secrets: &Secrets) -> Self {
        let mut cause = Some(error);
        while let Some(inner) = cause {
            if let Some(error) = inner.downcast_ref::<StreamableHttpError<reqwest13::Error>>() {
                if let Some(known) = Self::of_http(error, secrets) {
                    return known;
                }
            } else if let Some(error) = inner.downcast_ref::<reqwest13::Error>() {
                return Self::of_reqwest(error);
            }
            cause = inner.source();
        }
        Self::new(secrets.shown(&error.to_string()))
    }

    fn of_http(error: &StreamableHttpError<reqwest13::Error>, secrets: &Secrets) -> Option<Self> {
        Some(match error {
            StreamableHttpError::Client(error) => Self::of_reqwest(error),
            StreamableHttpError::AuthRequired(_) => Self::of_status(401),
            StreamableHttpError::InsufficientScope(_) => Self::of_status(403),
            StreamableHttpError::SessionExpired => Self::of_status(404),
            StreamableHttpError::HttpStatus(error) => Self::of_status(error.status),
            // `HTTP 404 Not Found: …`, the only form in which other statuses are told.
            StreamableHttpError::UnexpectedServerResponse(text) => {
                let status = text
                    .strip_prefix("HTTP ")
                    .and_then(|rest| rest.get(..3))
                    .and_then(|digits| digits.parse().ok());
                match status {
                    Some(status) => Self::of_status(status),
                    None => Self::new(
                        secrets
                            .shown("The server answered with something that is not the protocol."),
                    ),
                }
            }
            StreamableHttpError::UnexpectedContentType(_) => {
                Self::new("The server answered with something that is not the protocol.")
            }
            StreamableHttpError::ResponseBodyTooLarge { max_size } => Self::new(format!(
                "The server's answer is larger than {max_size} bytes."
            )),
            _ => return None,
        })
    }

    fn of_status(status: u16) -> Self {
        match status {
            401 => Self::new("Authentication failed (401). Check the auth header."),
            403 => Self::new("Access forbidden (403)."),
            404 => Self::new("Endpoint not found (404). Check the URL."),
            300..=399 => Self::new(format!(
                "The server redirects elsewhere ({status}), which is not followed."
            )),
            _ => Self::new(format!("The server answered with status {status}.")),
        }
    }

    fn of_reqwest(error: &reqwest13::Error) -> Self {
        match error.status() {
            Some(status) => Self::of_status(status.as_u16()),
            None if error.is_timeout() => Self::timeout(),
            None if error.is_redirect() => {
                Self::new("The server redirects elsewhere, which is not followed.")
            }
            None => Self::new(UNREACHABLE),
        }
    }
}

/// Texts that must not be shown: the values of auth headers, and of each the part behind the
/// scheme.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    pub(crate) fn of(headers: &BTreeMap<String, String>) -> Self {
        let mut texts: Vec<String> = headers
            .values()
            .flat_map(|value| std::iter::once(value.as_str()).chain(value.split_whitespace()))
            .map(str::to_owned)
            .collect();
        // The longest first, so that a part does not break up the whole.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        texts.dedup();
        Self(texts)
    }

    /// A server's message as it may be shown: short, on one line, without secrets.
    pub(crate) fn shown(&self, message: &str) -> String {
        let mut text = message.to_owned();
        for secret in &self.0 {
            if !text.contains(secret.as_str()) {
                continue;
            }
            if secret.chars().count() < SECRET_MIN {
                return FAILED.to_owned();
            }
            text = text.replace(secret.as_str(), "***");
        }
        if text.trim().is_empty() || text.chars().count() > MESSAGE_MAX {
            return FAILED.to_owned();
        }
        text.chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(values: &[&str]) -> Secrets {
        let headers = values
            .iter()
            .map(|value| ((*value).to_owned(), (*value).to_owned()));
        Secrets::of(&headers.collect())
    }

    #[test]
    fn secrets_are_cut_out_of_messages() {
        let secrets = secrets(&["Bearer sesame", "k"]);
        assert_eq!(secrets.shown("got Bearer sesame!"), "got ***!");
        assert_eq!(
            secrets.shown("no token sesame here"),
            "no to***en *** here"
                .replace("to***en", "token")
                .replace("no token *** here", FAILED)
        );
        assert_eq!(secrets.shown("plain"), "plain");
        assert_eq!(secrets.shown("with k"), FAILED);
        assert_eq!(secrets.shown(&"x".repeat(201)), FAILED);
        assert_eq!(secrets.shown("a\nb"), "a b");
    }

    #[test]
    fn statuses_have_the_contract_s_sentences() {
        for (status, text) in [
            (401, "Authentication failed (401). Check the auth header."),
            (403, "Access forbidden (403)."),
            (404, "Endpoint not found (404). Check the URL."),
        ] {
            assert_eq!(Failure::of_status(status).text, text);
        }
        let late = Failure::connect_timeout("x", Duration::from_secs(10));
        assert_eq!(
            late.text,
            "Connection to MCP server \"x\" timed out after 10000ms."
        );
    }
}
