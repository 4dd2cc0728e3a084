//! What a call can end with, and the sentence a person reads about it.

use contract::error::{ErrorBody, Message};

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiError {
    /// The control plane could not be reached.
    Offline,
    /// It did not answer in time.
    TimedOut,
    /// The session is over (401, or a sign-in page in place of an answer).
    SignedOut,
    /// 404: not there, or not the caller's.
    Missing(String),
    /// 412: the row changed since it was read; the body holds its present form.
    Changed(String),
    /// Any other refusal.
    Refused {
        /// HTTP status.
        status: u16,
        /// What the server said.
        said: String,
        /// Identifies the request in the server's log.
        request_id: Option<String>,
    },
    /// A success whose body is not what the contract says.
    Unreadable(String),
}

impl ApiError {
    /// Reads an unsuccessful answer. `message` may be a sentence, a list or missing, and a proxy
    /// may answer with a page instead.
    pub fn from_answer(status: u16, body: &str, request_id: Option<String>) -> Self {
        let said = serde_json::from_str::<ErrorBody>(body)
            .ok()
            .and_then(|body| body.message)
            .as_ref()
            .map(Message::joined)
            .filter(|said| !said.trim().is_empty())
            .unwrap_or_else(|| plain_status(status));
        match status {
            401 => Self::SignedOut,
            404 => Self::Missing(said),
            412 => Self::Changed(body.to_owned()),
            _ => Self::Refused {
                status,
                said,
                request_id,
            },
        }
    }

    /// The sentence for people: what happened, and what they can do.
    pub fn sentence(&self) -> String {
        match self {
            Self::Offline => {
                "The control plane cannot be reached. Check the connection, then retry.".to_owned()
            }
            Self::TimedOut => "The control plane did not answer within 30 seconds.".to_owned(),
            Self::SignedOut => {
                "Your session has ended. Sign in again; nothing you typed is lost.".to_owned()
            }
            Self::Missing(said) | Self::Refused { said, .. } => said.clone(),
            Self::Changed(_) => "It was changed elsewhere meanwhile.".to_owned(),
            Self::Unreadable(at) => format!("The answer could not be read ({at})."),
        }
    }

    /// Everything worth pasting into a report; no secret is ever part of it.
    pub fn details(&self) -> String {
        match self {
            Self::Refused {
                status,
                said,
                request_id,
            } => {
                format!(
                    "HTTP {status}: {said} (request {})",
                    request_id.as_deref().unwrap_or("unknown")
                )
            }
            other => other.sentence(),
        }
    }
}

fn plain_status(status: u16) -> String {
    let meaning = match status {
        400 => "the request was refused as malformed",
        403 => "this is not permitted",
        404 => "not found, or not yours",
        409 => "it conflicts with the present state",
        413 => "the request is too large",
        422 => "the request cannot be carried out",
        429 => "too many requests, wait a moment",
        502..=504 => "a gateway in front of the control plane failed",
        500.. => "the control plane failed",
        _ => "the request was refused",
    };
    format!("HTTP {status}: {meaning}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_the_server_said_or_what_the_status_means() {
        let said = |status, body| ApiError::from_answer(status, body, None).sentence();
        assert_eq!(said(500, r#"{"message":"db down"}"#), "db down");
        assert_eq!(said(400, r#"{"message":["a","b"]}"#), "a, b");
        assert!(said(502, "<html>").contains("gateway"));
        assert!(said(422, "").starts_with("HTTP 422"));
        assert_eq!(ApiError::from_answer(401, "", None), ApiError::SignedOut);
    }
}
