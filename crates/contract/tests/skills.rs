//! The 202 vectors of the skills contract, each compared with what our rules say, and properties
//! that hold for any input.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contract::rules::skills::arguments::{self, expand};
use contract::rules::skills::frontmatter::{agent_skills, coder, mcp, my_code_agent};
use contract::rules::skills::manifest::{
    Approval, BYTES_MAX, FILES_MAX, Resources, SkillResource, Weight, approval, fingerprint, verify,
};
use contract::rules::skills::name::{self, Unicode};
use contract::rules::skills::path;
use contract::rules::skills::prompt::{ListedSkill, Variant, available_skills};
use contract::rules::skills::reference::{Target, resolve};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

#[derive(Deserialize)]
struct Vector {
    name: String,
    kind: String,
    input: Value,
    expect: Value,
}

const UNICODE: Unicode<'static> = Unicode {
    nfkc: &|text| text.nfkc().collect(),
    is_mark: &is_combining_mark,
};

fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

fn bytes(input: &Value) -> Vec<u8> {
    if let Some(text) = input["text"].as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(text) = input["base64"].as_str() {
        return STANDARD.decode(text).unwrap();
    }
    let recipe = &input["generate"];
    let mut text = recipe["prefix"].as_str().unwrap().to_owned();
    let total = usize::try_from(recipe["total_bytes"].as_u64().unwrap()).unwrap();
    while text.len() < total {
        text.push_str(recipe["fill"].as_str().unwrap());
    }
    text.into_bytes()
}

fn frontmatter(input: &Value) -> Value {
    let bytes = bytes(input);
    let dir = input["dir"].as_str().unwrap_or_default();
    match input["host"].as_str().unwrap() {
        "mycodeagent" => {
            let flat = std::str::from_utf8(&bytes)
                .ok()
                .and_then(|text| my_code_agent::parse(text).ok());
            let verdict = my_code_agent::judge(&bytes);
            let mut told = json!({
                "parsed": flat.is_some(),
                "accepted": verdict.is_ok(),
                "reason": verdict.as_ref().err().map(|dropped| dropped.code()),
            });
            if let Some(flat) = flat {
                told["fields"] = flat
                    .fields
                    .iter()
                    .map(|(key, value)| (key.clone(), Value::from(value.as_str())))
                    .collect();
                told["body"] = json!(flat.body);
            }
            if let Ok(listed) = verdict {
                told["name"] = json!(listed.name);
                told["description"] = json!(listed.description);
            }
            told
        }
        "agentskills" => {
            let problems = agent_skills::judge(&bytes, dir, &UNICODE).problems;
            let codes: Vec<&str> = problems.iter().map(|problem| &*problem.code).collect();
            json!({ "valid": codes.is_empty(), "codes": codes })
        }
        "coder" => {
            let size = u64::try_from(bytes.len()).unwrap();
            match coder::judge(&bytes, size, dir) {
                Ok(loaded) => json!({
                    "status": "ok",
                    "name": loaded.name,
                    "description": loaded.description,
                    "body": loaded.body,
                    "body_chars": loaded.body.chars().count(),
                }),
                Err(refusal) => json!({
                    "status": refusal.status(),
                    "reason": refusal.code(),
                    "size": size,
                }),
            }
        }
        "mcp" => {
            let file = mcp::json(&bytes).unwrap();
            let differs = mcp::differences(input["entry"].as_object().unwrap(), &file);
            json!({ "match": differs.is_empty(), "loadable": differs.is_empty(), "differs": differs })
        }
        other => panic!("unknown host {other}"),
    }
}

fn names(input: &Value) -> Value {
    let name = input["name"].as_str().unwrap();
    let dir = input["dir"].as_str().unwrap();
    let told = |problems: Vec<name::NameProblem>| {
        let codes: Vec<&str> = problems.into_iter().map(name::NameProblem::code).collect();
        json!({ "valid": codes.is_empty(), "codes": codes })
    };
    json!({
        "agentskills_ref": told(name::agent_skills(name, dir, &UNICODE)),
        "ascii_1_64": name::is_portable(name),
        "coder": told(name::coder(name, dir).into_iter().collect()),
        "mycodeagent": { "valid": name::my_code_agent(name) },
    })
}

fn budget(input: &Value) -> Value {
    let skills: Vec<ListedSkill<'_>> = input["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| ListedSkill {
            name: skill["name"].as_str().unwrap(),
            description: skill["description"].as_str().unwrap(),
        })
        .collect();
    let variant = match input["variant"].as_str().unwrap() {
        "code" => Variant::Code,
        "article" => Variant::Article,
        other => panic!("unknown variant {other}"),
    };
    let list = available_skills(&skills, input["budget"].as_i64().unwrap(), variant);
    let shown = if list.included.is_empty() {
        ""
    } else {
        &list.text
    };
    json!({
        "text": list.text,
        "used": list.used,
        "included": list.included,
        "omitted": list.omitted,
        "text_chars": shown.chars().count(),
    })
}

fn argument(input: &Value) -> Value {
    let expansion = expand(
        input["body"].as_str().unwrap(),
        input["args"].as_str().unwrap(),
    );
    json!({
        "content": arguments::content(input["base_dir"].as_str().unwrap(), &expansion.expanded),
        "expanded": expansion.expanded,
        "mode": expansion.mode.as_str(),
        "replacements": expansion.replacements,
    })
}

fn reference(input: &Value) -> Value {
    let manifest: Option<Vec<&str>> = input["manifest"]
        .as_array()
        .map(|list| list.iter().map(|uri| uri.as_str().unwrap()).collect());
    let told = |status: &str, uri: String| json!({ "status": status, "uri": uri });
    match resolve(
        input["skill_uri"].as_str().unwrap(),
        input["ref"].as_str().unwrap(),
        manifest.as_deref(),
    ) {
        Target::File(uri) => told("file", uri),
        Target::Directory(uri) => told("directory", uri),
        Target::Itself(uri) => told("self", uri),
        Target::Unlisted(uri) => told("unlisted", uri),
        Target::Rejected(reason) => json!({ "status": "rejected", "reason": reason.code() }),
    }
}

fn resources(value: &Value) -> Resources {
    if value == "dynamic" {
        return Resources::Dynamic;
    }
    Resources::Listed(serde_json::from_value(value.clone()).unwrap())
}

fn digest(input: &Value) -> Value {
    match input["op"].as_str().unwrap() {
        "verify" => {
            let bytes = bytes(input);
            let listed = SkillResource {
                uri: String::new(),
                digest: input["entry"]["digest"].as_str().unwrap().to_owned(),
                size: input["entry"]["size"].as_u64().unwrap(),
            };
            let (size, hex) = (u64::try_from(bytes.len()).unwrap(), sha256(&bytes));
            json!({
                "status": verify(&listed, size, &hex).as_str(),
                "size": size,
                "digest": format!("sha256:{hex}"),
            })
        }
        "approval" => {
            let Resources::Listed(approved) = resources(&input["approved"]) else {
                panic!("nothing approved");
            };
            let present = resources(&input["current"]);
            let prints = |files: &[SkillResource]| fingerprint(files, &sha256);
            match (approval(&approved, &present), &present) {
                (Approval::Valid, Resources::Listed(files)) => json!({
                    "approval": "valid", "added": [], "removed": [], "changed": [],
                    "old_fingerprint": prints(&approved), "new_fingerprint": prints(files),
                }),
                (
                    Approval::Revoked {
                        added,
                        removed,
                        changed,
                    },
                    Resources::Listed(files),
                ) => json!({
                    "approval": "revoked", "added": added, "removed": removed, "changed": changed,
                    "old_fingerprint": prints(&approved), "new_fingerprint": prints(files),
                }),
                (Approval::NeverPersistable, Resources::Dynamic) => {
                    json!({ "approval": "never-persistable" })
                }
                other => panic!("{other:?}"),
            }
        }
        "limits" => {
            let resources = if let Some(recipe) = input["generate"].as_object() {
                Resources::Listed(
                    (0..recipe["files"].as_u64().unwrap())
                        .map(|number| SkillResource {
                            uri: format!("skill://a/{number}"),
                            digest: String::new(),
                            size: recipe["size_each"].as_u64().unwrap(),
                        })
                        .collect(),
                )
            } else {
                resources(&input["resources"])
            };
            Weight::of(&resources).map_or(json!({ "checkable": false }), |weight| {
                json!({
                    "checkable": true,
                    "files": weight.files,
                    "bytes": weight.bytes,
                    "over_files": weight.is_over_files(),
                    "over_bytes": weight.is_over_bytes(),
                })
            })
        }
        other => panic!("unknown operation {other}"),
    }
}

fn paths(input: &Value) -> Value {
    let path = input["path"].as_str().unwrap();
    let told = |problem: Option<path::PathProblem>| {
        json!({
            "ok": problem.is_none(),
            "reason": problem.map(path::PathProblem::code),
        })
    };
    json!({ "coder": told(path::coder(path)), "strict": told(path::strict(path)) })
}

#[test]
fn every_vector_is_answered_as_recorded() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../vectors/skills.json")).unwrap();
    assert_eq!(vectors.len(), 202);
    let mut wrong = Vec::new();
    for Vector {
        name,
        kind,
        input,
        expect,
    } in vectors
    {
        let told = match kind.as_str() {
            "frontmatter" => frontmatter(&input),
            "name" => names(&input),
            "budget" => budget(&input),
            "arguments" => argument(&input),
            "relative-ref" => reference(&input),
            "digest" => digest(&input),
            "path-safety" => paths(&input),
            other => panic!("unknown kind {other}"),
        };
        // What is expected must be told; a vector may leave out what it is not about.
        for (key, expected) in expect.as_object().unwrap() {
            if told.get(key) != Some(expected) {
                wrong.push(format!("{name} {key}: {} instead of {expected}", told[key]));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_limits_are_those_of_the_extension() {
    assert_eq!((FILES_MAX, BYTES_MAX), (512, 16 * 1024 * 1024));
}
