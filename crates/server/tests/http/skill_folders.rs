//! Skills in real folders: found, judged by three hosts, fresh after every change, and never lost
//! because of a bad neighbour.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use remit_server::state::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Account, Server, text};

fn write(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, content).unwrap();
}

fn skill(root: &Path, directory: &str, name: &str, description: &str) {
    let head = format!("---\nname: {name}\ndescription: {description}\n---\n# {name}\n");
    write(root, &format!("{directory}/SKILL.md"), head);
}

async fn serving(folders: &[&Path]) -> Server {
    Server::start_with(Settings {
        allow_registration: true,
        rate_limit: false,
        skills: folders.iter().map(|path| path.to_path_buf()).collect(),
        ..Settings::default()
    })
    .await
}

/// The only folder of a server, read now.
async fn folder(account: &Account<'_>) -> Value {
    let list = account.get("/api/skill-folders").await.expect(200).body;
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    list["data"][0].clone()
}

/// The skill at a path of a folder.
#[track_caller]
fn at<'a>(folder: &'a Value, path: &str) -> &'a Value {
    let skills = folder["skills"].as_array().unwrap();
    skills
        .iter()
        .find(|skill| skill["path"] == path)
        .unwrap_or_else(|| panic!("no {path} in {folder:#}"))
}

/// Status of each host, and what becomes of the skill there.
fn hosts(skill: &Value) -> Vec<(String, String)> {
    let verdicts = skill["lint"]["hosts"].as_array().unwrap();
    let uses = skill["uses"].as_array().unwrap();
    verdicts
        .iter()
        .zip(uses)
        .map(|(verdict, place)| {
            assert_eq!(verdict["host"], place["host"]);
            (text(&verdict["status"]), text(&place["state"]))
        })
        .collect()
}

#[track_caller]
fn assert_hosts(folder: &Value, path: &str, expected: [(&str, &str); 3]) {
    let told = hosts(at(folder, path));
    let told: Vec<(&str, &str)> = told.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(told, expected, "{path}");
}

#[tokio::test]
async fn each_file_is_judged_by_all_hosts_and_no_bad_one_costs_the_others() {
    let place = TempDir::new().unwrap();
    let outside = TempDir::new().unwrap();
    skill(outside.path(), "secret", "secret", "must not be read");
    let root = place.path();
    skill(root, "skills/deploy", "deploy", "Use when releasing");
    write(root, "skills/deploy/references/steps.md", "one\n");
    write(
        root,
        "skills/bom/SKILL.md",
        "\u{feff}---\nname: bom\ndescription: d\n---\n",
    );
    let large = format!(
        "---\nname: large\ndescription: d\n---\n{}",
        "x".repeat(70_000)
    );
    write(root, "skills/large/SKILL.md", large);
    let huge = format!(
        "---\nname: huge\ndescription: d\n---\n{}",
        "x".repeat(1_100_000)
    );
    write(root, "skills/huge/SKILL.md", huge);
    skill(root, "skills/deep/inner/nested", "nested", "d");
    skill(root, "skills/one", "twin", "first");
    skill(root, "skills/two", "twin", "second");
    skill(root, ".agents/skills/deploy", "deploy", "the other one");
    skill(root, "elsewhere/apart", "apart", "d");
    fs::create_dir_all(root.join("skills/directory/SKILL.md")).unwrap();
    fs::create_dir_all(root.join("skills/pipe")).unwrap();
    let made = Command::new("mkfifo")
        .arg(root.join("skills/pipe/SKILL.md"))
        .status();
    assert!(made.unwrap().success());
    for (directory, target) in [
        ("out", outside.path().join("secret/SKILL.md")),
        ("gone", root.join("nowhere")),
        ("linked", root.join("elsewhere/apart/SKILL.md")),
    ] {
        let directory = root.join("skills").join(directory);
        fs::create_dir_all(&directory).unwrap();
        symlink(target, directory.join("SKILL.md")).unwrap();
    }
    symlink(outside.path(), root.join("skills/way-out")).unwrap();

    let server = serving(&[root]).await;
    let account = server.register("ada").await;
    let told = folder(&account).await;
    assert_eq!(told["error"], Value::Null);
    assert_eq!(told["root"], root.to_str().unwrap());
    assert_eq!(told["skills"].as_array().unwrap().len(), 14);
    assert!(!told.to_string().contains("must not be read"));

    let all = [("valid", "suits"), ("ok", "shown"), ("listed", "shown")];
    assert_hosts(&told, "skills/deploy/SKILL.md", all);
    let deploy = at(&told, "skills/deploy/SKILL.md");
    assert_eq!(deploy["name"], "deploy");
    assert_eq!(deploy["description"], "Use when releasing");
    assert_eq!(
        deploy["files"][1],
        json!({
            "path": "references/steps.md", "size": 4, "note": "",
            "digest": "sha256:2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
        })
    );
    assert_hosts(
        &told,
        "skills/bom/SKILL.md",
        [
            ("invalid", "refused"),
            ("ok", "shown"),
            ("dropped", "refused"),
        ],
    );
    assert_hosts(
        &told,
        "skills/large/SKILL.md",
        [
            ("valid", "suits"),
            ("oversize", "refused"),
            ("listed", "shown"),
        ],
    );
    assert_hosts(
        &told,
        "skills/huge/SKILL.md",
        [
            ("unjudged", "refused"),
            ("oversize", "refused"),
            ("unjudged", "refused"),
        ],
    );
    assert_hosts(
        &told,
        "skills/deep/inner/nested/SKILL.md",
        [
            ("valid", "suits"),
            ("ok", "notScanned"),
            ("listed", "shown"),
        ],
    );
    assert_hosts(
        &told,
        "skills/one/SKILL.md",
        [
            ("invalid", "refused"),
            ("invalid", "refused"),
            ("listed", "shadowed"),
        ],
    );
    assert_eq!(
        at(&told, "skills/one/SKILL.md")["uses"][2]["becauseOf"],
        at(&told, "skills/two/SKILL.md")["id"]
    );
    assert_hosts(
        &told,
        ".agents/skills/deploy/SKILL.md",
        [
            ("valid", "suits"),
            ("ok", "shadowed"),
            ("listed", "notScanned"),
        ],
    );
    assert_eq!(
        at(&told, ".agents/skills/deploy/SKILL.md")["uses"][1]["becauseOf"],
        deploy["id"]
    );
    assert_hosts(
        &told,
        "elsewhere/apart/SKILL.md",
        [
            ("valid", "suits"),
            ("ok", "notScanned"),
            ("listed", "notScanned"),
        ],
    );
    let no_file = [
        ("invalid", "refused"),
        ("unreadable", "refused"),
        ("dropped", "refused"),
    ];
    for directory in ["directory", "pipe", "gone"] {
        assert_hosts(&told, &format!("skills/{directory}/SKILL.md"), no_file);
    }
    assert_hosts(
        &told,
        "skills/out/SKILL.md",
        [
            ("unjudged", "refused"),
            ("invalid", "refused"),
            ("unjudged", "refused"),
        ],
    );
    // The linked file says `apart` in a directory named `linked`.
    assert_hosts(
        &told,
        "skills/linked/SKILL.md",
        [
            ("invalid", "refused"),
            ("invalid", "refused"),
            ("listed", "shown"),
        ],
    );
}

#[tokio::test]
async fn one_file_that_is_not_utf_8_stops_one_host_and_no_list() {
    let place = TempDir::new().unwrap();
    let root = place.path().join("skills");
    skill(&root, "good", "good", "d");
    write(
        &root,
        "bad/SKILL.md",
        b"---\nname: bad\ndescription: \xff\n---\n",
    );
    let server = serving(&[&root]).await;
    let account = server.register("ada").await;
    let told = folder(&account).await;
    assert_hosts(
        &told,
        "good/SKILL.md",
        [("valid", "suits"), ("ok", "shown"), ("listed", "stopped")],
    );
    let bad = at(&told, "bad/SKILL.md");
    assert_eq!(
        at(&told, "good/SKILL.md")["uses"][2]["becauseOf"],
        bad["id"]
    );
    assert_eq!(bad["lint"]["findings"][0]["code"], "not-utf8");
    assert_eq!(bad["lint"]["findings"][0]["line"], 3);

    let detail = account
        .get(&format!("/api/skill-folders/{}", text(&bad["id"])))
        .await
        .expect(200)
        .body;
    assert_eq!(
        detail["text"],
        "---\nname: bad\ndescription: \u{fffd}\n---\n"
    );
    assert_eq!(detail["textReplaced"], true);
    assert_eq!(detail["readings"], json!([]));

    let request = json!({"folderId": told["id"]});
    let prompt = account
        .post("/api/skill-prompts", request)
        .await
        .expect(200)
        .body;
    assert_eq!(prompt["text"], "(none)");
    assert!(text(&prompt["stopped"]).contains("bad/SKILL.md"));

    fs::remove_file(root.join("bad/SKILL.md")).unwrap();
    let told = folder(&account).await;
    assert_eq!(told["skills"].as_array().unwrap().len(), 1);
    assert_eq!(told["skills"][0]["uses"][2]["state"], "shown");
}

#[tokio::test]
async fn an_answer_is_never_older_than_the_file() {
    let place = TempDir::new().unwrap();
    let root = place.path();
    skill(root, "skills/a", "a", "first");
    let server = serving(&[root]).await;
    let account = server.register("ada").await;
    let before = folder(&account).await;
    assert_eq!(before["skills"][0]["description"], "first");

    // As many bytes, and the time of the last write put back: only the content differs.
    let file = root.join("skills/a/SKILL.md");
    let written = fs::metadata(&file).unwrap().modified().unwrap();
    skill(root, "skills/a", "a", "again");
    let handle = fs::File::options().write(true).open(&file).unwrap();
    handle.set_modified(written).unwrap();
    let after = folder(&account).await;
    assert_eq!(after["skills"][0]["description"], "again");
    assert_eq!(after["skills"][0]["id"], before["skills"][0]["id"]);
    assert_ne!(
        after["skills"][0]["files"][0]["digest"],
        before["skills"][0]["files"][0]["digest"]
    );

    // What is old enough to be kept is the same, and dropped all the same when it changes.
    tokio::time::sleep(std::time::Duration::from_millis(2_200)).await;
    assert_eq!(timeless(folder(&account).await), timeless(after.clone()));
    assert_eq!(timeless(folder(&account).await), timeless(after));
    skill(root, "skills/a", "a", "third");
    handle.set_modified(written).unwrap();
    let last = folder(&account).await;
    assert_eq!(last["skills"][0]["description"], "third");
}

/// A folder without the moment it was read.
fn timeless(mut folder: Value) -> Value {
    folder["readAt"] = Value::Null;
    folder
}

#[tokio::test]
async fn a_skill_is_read_with_its_text_as_each_host_reads_it() {
    let place = TempDir::new().unwrap();
    let root = place.path();
    let file = "---\nname: deploy\ndescription: d\nmetadata:\n  team: ops\n---\n<!-- hidden -->\nRun $ARGUMENTS\n";
    write(root, "skills/deploy/SKILL.md", file);
    let long = format!(
        "---\nname: long\ndescription: d\n---\n{}",
        "é".repeat(40_000)
    );
    write(root, "skills/long/SKILL.md", &long);
    let server = serving(&[root]).await;
    let account = server.register("ada").await;
    let told = folder(&account).await;
    let detail = async |path: &str| {
        let id = text(&at(&told, path)["id"]);
        account
            .get(&format!("/api/skill-folders/{id}"))
            .await
            .expect(200)
            .body
    };
    let deploy = detail("skills/deploy/SKILL.md").await;
    assert_eq!(deploy["text"], file);
    assert_eq!(deploy["textCut"], false);
    assert_eq!(deploy["baseDir"], "skills/deploy");
    assert_eq!(deploy["folderId"], told["id"]);
    assert_eq!(deploy["skill"], *at(&told, "skills/deploy/SKILL.md"));
    let readings: Vec<(String, String)> = deploy["readings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reading| (text(&reading["host"]), text(&reading["body"])))
        .collect();
    assert_eq!(
        readings,
        [
            (
                "agentSkills".into(),
                "<!-- hidden -->\nRun $ARGUMENTS".into()
            ),
            ("coder".into(), "Run $ARGUMENTS".into()),
            (
                "myCodeAgent".into(),
                "<!-- hidden -->\nRun $ARGUMENTS".into()
            ),
        ]
    );
    assert_eq!(
        deploy["readings"][0]["frontmatter"][2],
        json!({"key": "metadata.team", "value": "ops"})
    );
    assert_eq!(
        deploy["readings"][2]["frontmatter"][3],
        json!({"key": "team", "value": "ops"})
    );

    let cut = detail("skills/long/SKILL.md").await;
    assert_eq!(cut["textCut"], true);
    assert_eq!(cut["textReplaced"], false, "not cut within a character");
    let shown = text(&cut["text"]);
    assert!((65_533..=65_536).contains(&shown.len()) && long.starts_with(&shown));

    for id in ["unknown", "..%2f..%2fetc%2fpasswd", &"0".repeat(32)] {
        let answer = account.get(&format!("/api/skill-folders/{id}")).await;
        assert_eq!(answer.status, 404, "{id}: {}", answer.text);
    }
}

#[tokio::test]
async fn the_prompt_is_the_exact_text_within_its_budget() {
    let place = TempDir::new().unwrap();
    let root = place.path();
    for name in ["c", "a", "b"] {
        skill(root, &format!("skills/{name}"), name, &"d".repeat(10));
    }
    let server = serving(&[root]).await;
    let account = server.register("ada").await;
    let id = folder(&account).await["id"].clone();
    let prompt = async |more: Value| {
        let mut body = json!({"folderId": id});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        account
            .post("/api/skill-prompts", body)
            .await
            .expect(200)
            .body
    };
    let whole = prompt(json!({})).await;
    assert_eq!(
        whole["text"],
        "- a: dddddddddd\n- b: dddddddddd\n- c: dddddddddd"
    );
    assert_eq!(
        (&whole["used"], &whole["budget"]),
        (&json!(48), &json!(12_000))
    );
    let cut = prompt(json!({"budget": 32})).await;
    assert_eq!(
        (&cut["listed"], &cut["cut"]),
        (&json!(["a", "b"]), &json!(["c"]))
    );
    let nothing = prompt(json!({"budget": 15})).await;
    assert_eq!(
        (&nothing["text"], &nothing["firstExceeds"]),
        (&json!("(none)"), &json!(true))
    );
    let article = prompt(json!({"budget": 15, "variant": "article"})).await;
    assert_eq!(article["text"], "- a: dddddddddd");
    let coder = prompt(json!({"host": "coder"})).await;
    assert_eq!(
        coder["text"],
        "<available-skills>\n- a: dddddddddd\n- b: dddddddddd\n- c: dddddddddd\n</available-skills>"
    );
    assert_eq!(coder["budget"], Value::Null);

    let refused = account
        .post("/api/skill-prompts", json!({"folderId": id, "budget": 1e9}))
        .await;
    refused.refuses(400, json!(["budget must not be greater than 1000000"]));
    let unknown = account
        .post("/api/skill-prompts", json!({"folderId": "x"}))
        .await;
    unknown.refuses(404, "Skill folder x not found.");
}

#[tokio::test]
async fn a_folder_that_cannot_be_read_is_not_an_empty_one() {
    let place = TempDir::new().unwrap();
    let root = place.path().join("later");
    let file = place.path().join("file");
    fs::write(&file, "x").unwrap();
    let server = serving(&[&root, &file, &root]).await;
    let account = server.register("ada").await;
    let list = account.get("/api/skill-folders").await.expect(200).body;
    let folders = list["data"].as_array().unwrap();
    assert_eq!(folders.len(), 2, "a folder given twice is one");
    for folder in folders {
        assert_ne!(folder["error"], Value::Null);
        assert_eq!(folder["skills"], json!([]));
        let request = json!({"folderId": folder["id"]});
        let prompt = account.post("/api/skill-prompts", request).await;
        assert_eq!(prompt.status, 409, "{}", prompt.text);
    }
    skill(&root, "skills/a", "a", "d");
    let list = account.get("/api/skill-folders").await.expect(200).body;
    assert_eq!(list["data"][0]["error"], Value::Null);
    assert_eq!(list["data"][0]["skills"][0]["path"], "skills/a/SKILL.md");

    let without = Server::start().await;
    let account = without.register("ada").await;
    let list = account.get("/api/skill-folders").await.expect(200).body;
    assert_eq!(list, json!({"data": []}));
}

#[tokio::test]
async fn what_is_too_much_is_left_out_and_said() {
    let place = TempDir::new().unwrap();
    let root = place.path();
    let deep = "a/".repeat(12);
    skill(root, &format!("skills/{deep}x"), "x", "d");
    skill(root, "node_modules/skills/y", "y", "d");
    for number in 0..510 {
        skill(
            root,
            &format!("skills/s-{number:03}"),
            &format!("s-{number:03}"),
            &"d".repeat(60),
        );
    }
    let many = root.join("skills/s-000");
    for number in 0..600 {
        fs::write(many.join(format!("{number:03}.txt")), "x").unwrap();
    }
    let server = serving(&[root]).await;
    let account = server.register("ada").await;
    let started = std::time::Instant::now();
    let told = folder(&account).await;
    assert!(started.elapsed().as_secs() < 10);
    let skills = told["skills"].as_array().unwrap();
    assert_eq!(skills.len(), 510);
    assert_eq!(skills[0]["filesCut"], true);
    assert_eq!(skills[0]["files"].as_array().unwrap().len(), 512);
    assert!(text(&told["leftOut"][0]).contains("deeper than 8"));
    assert_hosts(
        &told,
        "skills/s-505/SKILL.md",
        [
            ("valid", "suits"),
            ("excluded", "refused"),
            ("listed", "cut"),
        ],
    );
    let shown = |host: usize| {
        skills
            .iter()
            .filter(|skill| skill["uses"][host]["state"] == "shown")
            .count()
    };
    assert_eq!((shown(1), shown(2)), (500, 12_000 / 70));
}
