//! The error body of the control plane (contract section 1.1).

use serde::{Deserialize, Serialize};

/// `message` travels as one sentence or as a list of validation problems.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Message {
    /// One sentence, from a service.
    One(String),
    /// One entry per refused field, from validation.
    Many(Vec<String>),
}

impl Message {
    /// The whole message as one line; problems are joined by a comma and a space.
    pub fn joined(&self) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::Many(list) => list.join(", "),
        }
    }
}

/// What a refused request is answered with. Every key may be missing: the HTTP status decides,
/// never `status_code`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// What was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// The class of the error, such as `Bad Request`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The HTTP status once more; informative only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_code: Option<u16>,
}
