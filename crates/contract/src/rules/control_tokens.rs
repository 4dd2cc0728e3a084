//! R13: control tokens of chat templates (contract section 10, "POST /api/skills"): sequences a
//! model takes for the start or end of a turn. In the text of a skill they could end the passage
//! it is quoted in, so such a text is not stored.

use std::ops::Range;

/// The sequences in lower case, by family. Families are tried in this order.
const FAMILIES: [(&str, &[&str]); 4] = [
    (
        "chatml_control_token",
        &[
            "<|im_start|>",
            "<|im_end|>",
            "<|im_sep|>",
            "<|system|>",
            "<|user|>",
            "<|assistant|>",
            "<|endoftext|>",
            "<|end|>",
            "<|begin_of_text|>",
            "<|end_of_text|>",
            "<|start_header_id|>",
            "<|end_header_id|>",
            "<|eot_id|>",
            "<|eom_id|>",
        ],
    ),
    ("inst_block", &["[inst]", "[/inst]"]),
    ("llama_sys_block", &["<<sys>>", "<</sys>>"]),
    ("turn_token", &["<start_of_turn>", "<end_of_turn>"]),
];

/// A control token in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlToken {
    /// Name of its family, as the server reports it.
    pub family: &'static str,
    /// The token as it is written in the text.
    pub token: String,
    /// Its place in the text, in bytes.
    pub bytes: Range<usize>,
    /// Line on which it starts, from 1.
    pub line: usize,
}

impl ControlToken {
    /// The server's refusal of a text, where `subject` names the text: `Skill body`.
    pub fn server_message(&self, subject: &str) -> String {
        format!(
            "Disallowed chat-template control token ({}: \"{}\") detected in {subject}. Remove it before saving — a model takes it for the start or end of a turn.",
            self.family, self.token
        )
    }
}

/// Finds the first control token: the first family that occurs anywhere, at its leftmost place.
/// Letters count in either case.
pub fn find(text: &str) -> Option<ControlToken> {
    let lower = text.to_ascii_lowercase();
    FAMILIES.iter().find_map(|(family, tokens)| {
        let found = tokens
            .iter()
            .filter_map(|token| lower.find(token).map(|start| start..start + token.len()));
        let bytes = found.min_by_key(|bytes| bytes.start)?;
        let before = text.get(..bytes.start)?;
        Some(ControlToken {
            family,
            token: text.get(bytes.clone())?.to_owned(),
            line: before.matches('\n').count() + 1,
            bytes,
        })
    })
}
