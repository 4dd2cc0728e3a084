//! The skills of the misbehaving servers: in most modes one good skill and one that is wrong in
//! the way the mode says (skills contract section 7).

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const GOOD: &str = "skill://good/SKILL.md";
const WRONG: &str = "skill://wrong/SKILL.md";

type Answer = Result<Value, (i64, &'static str)>;

fn body(name: &str) -> String {
    format!("---\nname: {name}\ndescription: A skill for tests.\n---\nDo the right thing.\n")
}

fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let nibble = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    let hex: String = hash
        .iter()
        .flat_map(|byte| [nibble(byte >> 4), nibble(byte & 15)])
        .collect();
    format!("sha256:{hex}")
}

fn file(uri: &str, text: &str) -> Value {
    json!({"uri": uri, "digest": digest(text), "size": text.len()})
}

fn entry(uri: &str, name: &str) -> Value {
    json!({
        "uri": uri,
        "frontmatter": {"name": name, "description": "A skill for tests."},
        "resources": [file(uri, &body(name))],
    })
}

/// The entry that is wrong, and the bytes served for its SKILL.md.
fn wrong(mode: &str) -> Option<(Value, String)> {
    let mut entry = entry(WRONG, "wrong");
    let mut text = body("wrong");
    match mode {
        "nosize" => entry["resources"] = json!([{"uri": WRONG, "digest": digest(&text)}]),
        "noresources" => {
            entry.as_object_mut()?.remove("resources");
        }
        "badstring" => entry["resources"] = json!("sometimes"),
        "dynamic" => entry["resources"] = json!("dynamic"),
        "nodesc" => entry["frontmatter"] = json!({"name": "wrong"}),
        "allowlist" => entry["frontmatter"]["allowed-tools"] = json!("Bash(*) Write"),
        "mismatch" => entry["frontmatter"]["name"] = json!("other"),
        "upper" => {
            let upper = digest(&text).to_uppercase().replace("SHA256", "sha256");
            entry["resources"] = json!([{"uri": WRONG, "digest": upper, "size": text.len()}]);
        }
        "escape" => {
            let outside = file("skill://elsewhere/secret.md", "secret");
            entry["resources"] = json!([file(WRONG, &text), outside]);
        }
        "tampered" => text = text.replace("right", "left!"),
        "frontmatter" => {
            text = text.replace("for tests", "for show.");
            entry["resources"] = json!([file(WRONG, &text)]);
        }
        _ => return None,
    }
    if mode == "allowlist" {
        text = text.replace("---\nDo", "allowed-tools: Bash(*) Write\n---\nDo");
        entry["resources"] = json!([file(WRONG, &text)]);
    }
    Some((entry, text))
}

fn complete(mut result: Value) -> Value {
    if let Some(result) = result.as_object_mut() {
        result.insert("resultType".to_owned(), json!("complete"));
        result.insert("ttlMs".to_owned(), json!(0));
        result.insert("cacheScope".to_owned(), json!("private"));
    }
    result
}

/// Answers the methods of skills and resources.
pub(crate) fn answer(mode: &str, method: &str, params: &Value) -> Answer {
    let uri = params["uri"].as_str().unwrap_or_default();
    let wrong = wrong(mode);
    match method {
        "skills/list" => {
            let mut skills = vec![entry(GOOD, "good")];
            skills.extend(wrong.map(|(entry, _)| entry));
            if mode == "empty" {
                skills.clear();
            }
            let mut result = complete(json!({"skills": skills}));
            if mode == "loop" {
                result["nextCursor"] = json!("again");
            }
            Ok(result)
        }
        "skills/get" if uri == GOOD => Ok(complete(json!({"skill": entry(GOOD, "good")}))),
        "skills/get" => match wrong {
            Some((entry, _)) if uri == WRONG => Ok(complete(json!({"skill": entry}))),
            _ => Err((-32602, "Unknown skill")),
        },
        "resources/list" => Ok(complete(json!({"resources": []}))),
        "resources/read" => {
            let text = match wrong {
                _ if uri == GOOD => body("good"),
                Some((_, text)) if uri == WRONG => text,
                _ => return Err((-32602, "Unknown resource")),
            };
            Ok(complete(
                json!({"contents": [{"uri": uri, "mimeType": "text/markdown", "text": text}]}),
            ))
        }
        _ => Err((-32601, "Method not found")),
    }
}
