//! Samples of skills read from folders.

use contract::skill_folders::{FolderSkillDetail, PromptAnswer, PromptRequest, SkillFolderList};
use serde_json::{Value, json};

use super::{DAY, WireType, wire};

const DIGEST: &str = "sha256:2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806";

fn skill() -> Value {
    json!({
        "id": "5f0a", "path": "skills/deploy/SKILL.md", "name": "deploy",
        "description": "Deploys.", "size": 80, "modifiedAt": DAY,
        "files": [{
            "path": "SKILL.md", "size": 80, "digest": DIGEST, "note": "It could not be read."
        }],
        "filesCut": true,
        "lint": {
            "hosts": [{
                "host": "coder", "status": "invalid", "name": "deploy", "description": "Deploys.",
                "reasons": [{"code": "dir-mismatch", "message": "Rename one.", "line": 2}]
            }],
            "findings": [{"code": "bom", "message": "A byte order mark.", "line": 1}]
        },
        "uses": [{
            "host": "myCodeAgent", "state": "shadowed", "becauseOf": "77aa",
            "reason": "The last one is used."
        }]
    })
}

pub(super) fn all() -> Vec<WireType> {
    vec![
        wire::<SkillFolderList>(
            "SkillFolderList",
            &[
                "/data/0/skills/0/lint/hosts/0/host",
                "/data/0/skills/0/lint/hosts/0/status",
                "/data/0/skills/0/uses/0/host",
                "/data/0/skills/0/uses/0/state",
            ],
            &[],
            json!({"data": [{
                "id": "90c1", "root": "/srv/skills", "readAt": DAY,
                "error": "No such file or directory", "leftOut": ["a was not read."],
                "skills": [skill()]
            }]}),
        ),
        wire::<FolderSkillDetail>(
            "FolderSkillDetail",
            &["/readings/0/host"],
            &[],
            json!({
                "folderId": "90c1", "root": "/srv/skills", "readAt": DAY,
                "baseDir": "skills/deploy", "skill": skill(), "text": "---", "textCut": true,
                "textReplaced": true,
                "readings": [{
                    "host": "agentSkills", "frontmatter": [{"key": "name", "value": "deploy"}],
                    "body": "Run it."
                }]
            }),
        ),
        wire::<PromptRequest>(
            "PromptRequest",
            &["/host", "/variant"],
            &[],
            json!({"folderId": "90c1", "host": "coder", "budget": 100, "variant": "article"}),
        ),
        wire::<PromptAnswer>(
            "PromptAnswer",
            &["/host"],
            &[],
            json!({
                "host": "myCodeAgent", "readAt": DAY, "text": "- a: b", "budget": 100, "used": 7,
                "listed": ["a"], "cut": ["b"], "firstExceeds": true, "stopped": "It stops."
            }),
        ),
    ]
}
