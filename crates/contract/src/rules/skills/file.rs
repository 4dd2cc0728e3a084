//! A `SKILL.md` written from its parts, so that a skill that is kept as fields and a text can be
//! judged as the file it would be (skills contract section 2).

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// Words YAML reads as something else than text, in any spelling.
const RESERVED: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// Writes the file: `name` and `description` first, then the other fields in their order, then the
/// text. Whatever the fields hold, the head ends where it should.
pub fn skill_file(frontmatter: &Map<String, Value>, body: &str) -> String {
    let mut file = String::from("---\n");
    for key in ["name", "description"] {
        if let Some(value) = frontmatter.get(key) {
            field(&mut file, key, value);
        }
    }
    for (key, value) in frontmatter {
        if key != "name" && key != "description" {
            field(&mut file, key, value);
        }
    }
    file.push_str("---\n");
    if !body.is_empty() {
        file.push('\n');
        file.push_str(body);
        if !body.ends_with('\n') {
            file.push('\n');
        }
    }
    file
}

fn field(file: &mut String, key: &str, value: &Value) {
    let key = text(key);
    let written = match value {
        Value::Object(map) if !map.is_empty() => {
            let lines = map
                .iter()
                .map(|(key, value)| format!("\n  {}: {}", text(key), scalar(value)));
            format!("{key}:{}", lines.collect::<String>())
        }
        Value::Array(list) if !list.is_empty() => {
            let lines = list.iter().map(|value| format!("\n  - {}", scalar(value)));
            format!("{key}:{}", lines.collect::<String>())
        }
        other => format!("{key}: {}", scalar(other)),
    };
    // Writing to a text cannot fail.
    let _ = writeln!(file, "{written}");
}

/// A value on one line. What is nested deeper is written as JSON, which is YAML too.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(value) => text(value),
        other => other.to_string(),
    }
}

/// A text that is read back as the same text: plain where that is safe, in the quotes that need
/// the fewest escapes elsewhere.
fn text(value: &str) -> String {
    if is_plain(value) {
        return value.to_owned();
    }
    let is_simple = !value.chars().any(|character| {
        character.is_control()
            || matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
    });
    if is_simple && !value.contains(['"', '\\']) {
        format!("\"{value}\"")
    } else if is_simple && !value.contains('\'') {
        format!("'{value}'")
    } else {
        quoted(value)
    }
}

/// A text in double quotes with escapes YAML knows.
fn quoted(value: &str) -> String {
    let mut written = String::from("\"");
    for character in value.chars() {
        match character {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            '\r' => written.push_str("\\r"),
            other
                if other.is_control() || matches!(other, '\u{2028}' | '\u{2029}' | '\u{feff}') =>
            {
                let _ = write!(written, "\\u{:04x}", u32::from(other));
            }
            other => written.push(other),
        }
    }
    written.push('"');
    written
}

/// Whether a text without quotes is read as the same text by every YAML.
fn is_plain(value: &str) -> bool {
    let starts = value
        .chars()
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic());
    let harmless =
        |character: char| character.is_ascii_alphanumeric() || " -_./,()+;?".contains(character);
    starts
        && !value.ends_with(' ')
        && value.chars().all(harmless)
        && !value.contains("---")
        && !RESERVED.iter().any(|word| value.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    #[test]
    fn name_and_description_come_first_and_the_text_last() {
        let fields = map(json!({
            "license": "MIT",
            "description": "Use when: asked",
            "name": "code-review",
            "allowed-tools": ["Read", "Bash(git:*)"],
            "metadata": {"version": "1.0"}
        }));
        assert_eq!(
            skill_file(&fields, "Do it."),
            "---\nname: code-review\ndescription: \"Use when: asked\"\nallowed-tools:\n  - Read\n  - \"Bash(git:*)\"\nlicense: MIT\nmetadata:\n  version: \"1.0\"\n---\n\nDo it.\n"
        );
        assert_eq!(skill_file(&Map::new(), ""), "---\n---\n");
    }

    #[cfg(feature = "yaml")]
    #[test]
    fn every_text_is_read_back_by_the_hosts_that_read_yaml() {
        use super::super::frontmatter::coder;

        for description in [
            "plain words",
            "true",
            "1.0",
            "say \"hi\"",
            "it's",
            "both \" and '",
            "back\\slash",
            "x --- y",
            "# no comment",
            "- no list",
            "two\nlines",
            "tab\there",
            "bell\u{7}",
            "ümlaut: 語 🦀",
            "line\u{2028}separator",
            "{{cred.name}}",
            "*star &amp",
            " edge ",
        ] {
            let fields = map(json!({"name": "x", "description": description}));
            let file = skill_file(&fields, "Body.\n---\nmore");
            let loaded = coder::judge(file.as_bytes(), file.len() as u64, "x")
                .map(|loaded| loaded.description);
            assert_eq!(loaded.as_deref(), Ok(description), "{file}");
        }
    }
}
