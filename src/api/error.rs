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
        /// What the server said, on one line.
        said: String,
        /// The same, one entry per refused field, when it answered with a list.
        problems: Vec<String>,
        /// Identifies the request in the server's log.
        request_id: Option<String>,
    },
    /// A success whose body is not what the contract says.
    Unreadable(String),
}

impl ApiError {
    /// Reads an unsuccessful answer by what its status means for a signed-in page.
    pub fn from_answer(status: u16, body: &str, request_id: Option<String>) -> Self {
        match (status, Self::refused(status, body, request_id)) {
            (401, _) => Self::SignedOut,
            (404, Self::Refused { said, .. }) => Self::Missing(said),
            (412, _) => Self::Changed(body.to_owned()),
            (_, refusal) => refusal,
        }
    }

    /// Reads an unsuccessful answer as a plain refusal. `message` may be a sentence, a list or
    /// missing, and a proxy may answer with a page instead.
    pub fn refused(status: u16, body: &str, request_id: Option<String>) -> Self {
        let message = serde_json::from_str::<ErrorBody>(body)
            .ok()
            .and_then(|body| body.message);
        let said = message
            .as_ref()
            .map(Message::joined)
            .filter(|said| !said.trim().is_empty())
            .unwrap_or_else(|| plain_status(status));
        Self::Refused {
            status,
            said,
            problems: match message {
                Some(Message::Many(list)) => list,
                Some(Message::One(_)) | None => Vec::new(),
            },
            request_id,
        }
    }

    /// What the server said about one field of the request; it names the field first.
    pub fn problem_of(&self, field: &str) -> Option<String> {
        let Self::Refused { problems, .. } = self else {
            return None;
        };
        let names = |text: &&String| {
            text.split([' ', '.'])
                .next()
                .is_some_and(|word| word.eq_ignore_ascii_case(field))
        };
        let found: Vec<&str> = problems.iter().filter(names).map(String::as_str).collect();
        (!found.is_empty()).then(|| found.join(", "))
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

    /// Whether a write that ended so may have been carried out all the same: its answer was lost
    /// on the way, or what came back says nothing about it.
    pub fn may_be_stored(&self) -> bool {
        match self {
            Self::Offline | Self::TimedOut | Self::Unreadable(_) => true,
            Self::Refused { status, .. } => *status >= 500,
            Self::SignedOut | Self::Missing(_) | Self::Changed(_) => false,
        }
    }

    /// Everything worth pasting into a report; no secret is ever part of it.
    pub fn details(&self) -> String {
        match self {
            Self::Refused {
                status,
                said,
                request_id,
                ..
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

    #[test]
    fn problems_are_told_apart_by_the_field_they_name() {
        let body = r#"{"message":["name must be a string","name should not be empty","Title is too long"]}"#;
        let refused = ApiError::from_answer(400, body, None);
        assert_eq!(
            refused.problem_of("name").as_deref(),
            Some("name must be a string, name should not be empty")
        );
        assert_eq!(
            refused.problem_of("title").as_deref(),
            Some("Title is too long")
        );
        assert_eq!(refused.problem_of("nam"), None);
        let one = ApiError::from_answer(409, r#"{"message":"name is taken"}"#, None);
        assert_eq!(one.problem_of("name"), None);
    }

    #[test]
    fn only_an_answer_that_says_no_is_believed_to_have_changed_nothing() {
        let refused = |status| ApiError::from_answer(status, "", None);
        assert!(ApiError::Offline.may_be_stored());
        assert!(ApiError::TimedOut.may_be_stored());
        assert!(refused(502).may_be_stored());
        for status in [400, 401, 404, 409, 412, 422, 429] {
            assert!(!refused(status).may_be_stored(), "{status}");
        }
    }

    #[test]
    fn a_wrong_password_is_not_the_end_of_a_session() {
        let body = r#"{"statusCode":401,"message":"Invalid email or password"}"#;
        let refused = ApiError::refused(401, body, None);
        assert_eq!(refused.sentence(), "Invalid email or password");
    }
}
