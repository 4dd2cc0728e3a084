//! The tools a skill's frontmatter asks for. What asks is no reason to grant: grants and
//! permissions alone decide (skills contract section 1.9, host rule 19).

use serde_json::{Map, Value};

/// How the field is spelled: in files, and in stored skills.
const KEYS: [&str; 2] = ["allowed-tools", "allowedTools"];

/// The tools in the order given, from either form: a list, or a text with white space between
/// tools. White space inside parentheses belongs to a tool: `Bash(git add *)`.
pub fn requested_tools(frontmatter: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    for key in KEYS {
        match frontmatter.get(key) {
            Some(Value::Array(list)) => found.extend(list.iter().map(text)),
            Some(Value::String(list)) => split(list, &mut found),
            Some(_) | None => {}
        }
    }
    found
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn split(list: &str, found: &mut Vec<String>) {
    let mut depth = 0_usize;
    let parts = list.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    });
    found.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_forms_and_spellings_are_read() {
        let read = |value: Value| requested_tools(value.as_object().unwrap_or(&Map::new()));
        assert_eq!(
            read(json!({"allowed-tools": "Read  Bash(git add *) Write"})),
            ["Read", "Bash(git add *)", "Write"]
        );
        assert_eq!(
            read(json!({"allowedTools": ["searchWeb", 7]})),
            ["searchWeb", "7"]
        );
        assert!(read(json!({"allowed-tools": 7})).is_empty());
        assert!(read(json!({})).is_empty());
        assert_eq!(read(json!({"allowed-tools": "Bash(a b"})), ["Bash(a b"]);
    }
}
