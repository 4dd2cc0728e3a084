//! Skills that MCP servers publish: judged entry by entry, read only when asked, approved as a set
//! (skills contract sections 1 and 7). The rules of the MUST list are named where they are tested.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Account, Answer, NOBODY, Server, text};
use crate::peer::Peer;
use crate::recorder::{Recorder, Script, body, digest, entry};

/// The skills of one connection.
struct Skills<'a> {
    account: &'a Account<'a>,
    path: String,
}

impl<'a> Skills<'a> {
    fn new(account: &'a Account<'a>, id: &str) -> Self {
        Self {
            account,
            path: format!("/api/mcp-connections/{id}/skills"),
        }
    }

    async fn list(&self) -> Value {
        self.account.get(&self.path).await.expect(200).body
    }

    async fn post(&self, what: &str, body: Value) -> Answer {
        self.account
            .post(&format!("{}/{what}", self.path), body)
            .await
    }

    async fn get(&self, uri: &str) -> Answer {
        self.post("get", json!({"uri": uri})).await
    }

    async fn verify(&self, uri: &str) -> Answer {
        self.post("verify", json!({"uri": uri})).await
    }

    async fn read(&self, skill: &str, uri: &str) -> Answer {
        self.post("read", json!({"skill": skill, "uri": uri})).await
    }

    async fn directory(&self, skill: &str, uri: &str) -> Answer {
        self.post("directory", json!({"skill": skill, "uri": uri}))
            .await
    }

    async fn approve(&self, uri: &str, fingerprint: &Value) -> Answer {
        let body = json!({"uri": uri, "fingerprint": fingerprint});
        self.account
            .put(&format!("{}/approval", self.path), body)
            .await
    }

    async fn withdraw(&self, uri: &str) -> Answer {
        let body = Some(json!({"uri": uri}));
        let path = format!("{}/approval", self.path);
        self.account.send(Method::DELETE, &path, body).await
    }
}

async fn register(account: &Account<'_>, name: &str, url: &str) -> String {
    let body = json!({"name": name, "url": url, "transport": "streamable-http"});
    let made = account.post("/api/mcp-connections", body).await;
    text(&made.expect(201).body["id"])
}

#[track_caller]
fn of<'v>(listing: &'v Value, uri: &str) -> &'v Value {
    let all = listing["data"].as_array().unwrap();
    let found = all.iter().find(|skill| skill["uri"] == uri);
    found.unwrap_or_else(|| panic!("{uri} in {listing:#}"))
}

async fn log(account: &Account<'_>, kind: &str) -> Vec<Value> {
    let log = account.get("/api/activity-log").await.expect(200).body;
    let entries = log["activities"].as_array().unwrap().clone();
    entries
        .into_iter()
        .filter(|entry| entry["actionType"] == kind)
        .collect()
}

const A: &str = "skill://a/SKILL.md";
const A_MORE: &str = "skill://a/more.md";
const B: &str = "skill://a/b/SKILL.md";

/// A server with the skill `a`, which has two files, and `b` nested in it.
fn nested() -> Script {
    let (a, b) = (body("a"), body("b"));
    let outer = entry("a", &[(A, &a), (A_MORE, "More."), (B, &b)]);
    let inner = entry("b", &[(B, &b)]);
    Script {
        pages: vec![json!({"skills": [outer, inner]})],
        entries: [(A.to_owned(), outer), (B.to_owned(), inner)].into(),
        files: [(A, a), (A_MORE, "More.".to_owned()), (B, b)]
            .map(|(uri, text)| (uri.to_owned(), text))
            .into(),
        ..Script::default()
    }
}

#[tokio::test]
async fn a_proper_server_is_listed_read_and_verified_on_demand() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let peer = Peer::start("good");
    let id = peer.register(&ada, "good").await;
    let skills = Skills::new(&ada, &id);
    let listing = skills.list().await;
    assert_eq!(
        listing["server"], "good",
        "the operator's name, not the server's"
    );
    assert_eq!(listing["connectionId"], id.as_str());
    assert_eq!(listing["era"], "discover");
    assert_eq!(listing["protocolVersion"], "2026-07-28");
    for (fact, is) in [
        ("declared", true),
        ("resourcesDeclared", true),
        ("directoryRead", true),
        ("truncated", false),
    ] {
        assert_eq!(listing[fact], is, "{fact}");
    }
    assert_eq!(listing["findings"], json!([]));
    assert_eq!(listing["data"].as_array().unwrap().len(), 3, "{listing:#}");
    let review = "skill://code-review/SKILL.md";
    let skill = of(&listing, review);
    assert_eq!(skill["status"], "unverified");
    assert_eq!(skill["name"], "code-review");
    assert_eq!(skill["approval"]["state"], "none");
    assert_eq!(skill["files"].as_array().unwrap().len(), 2);
    assert_eq!(skill["files"][0]["check"], "unread");
    // Rule 7: two skills of one name, told apart by their addresses.
    let (billing, support) = (
        "skill://acme/billing/refunds/SKILL.md",
        "skill://acme/support/refunds/SKILL.md",
    );
    let refunds = of(&listing, billing);
    assert_eq!(refunds["sameName"], json!([format!("good · {support}")]));
    // Rule 19: asked for, nothing more.
    assert_eq!(refunds["requestedTools"], json!(["Bash(rm *)"]));

    let got = skills.get(review).await.expect(200).body;
    assert_eq!(&got, skill, "the same entry either way");
    skills
        .get("skill://nobody/SKILL.md")
        .await
        .refuses(404, "The server knows no skill at this address.");

    let read = skills.read(review, review).await.expect(200).body;
    assert_eq!(read["file"]["check"], "matches");
    assert_eq!(read["file"]["path"], "SKILL.md");
    assert!(text(&read["text"]).contains("# Code review"));
    let partly = skills.get(review).await.expect(200).body;
    assert_eq!(partly["status"], "consistent");
    assert_eq!(partly["reasons"], json!(["1 of 2 files were fetched."]));
    assert_eq!(
        partly["approval"]["state"], "none",
        "rule 14: a read grants nothing"
    );

    let verified = skills.verify(review).await.expect(200).body;
    assert_eq!(verified["status"], "consistent");
    assert_eq!(verified["reasons"], json!([]));
    let listed = skills.list().await;
    let files = of(&listed, review)["files"].as_array().unwrap().clone();
    assert!(
        files
            .iter()
            .all(|file| file["check"] == "matches" && file["checkedAt"].is_string())
    );

    let root = "skill://code-review";
    let seen = skills.directory(review, root).await.expect(200).body;
    let mut children: Vec<(String, bool, bool)> = seen["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|child| {
            let is = |key: &str| child[key].as_bool().unwrap();
            (text(&child["uri"]), is("directory"), is("listed"))
        })
        .collect();
    children.sort();
    assert_eq!(
        children,
        [
            (review.to_owned(), false, true),
            ("skill://code-review/references".to_owned(), true, true),
        ]
    );
    skills.directory(review, "skill://acme").await.expect(400);
}

#[tokio::test]
async fn a_changed_set_ends_the_approval_for_good() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let peer = Peer::start("good");
    let id = peer.register(&ada, "good").await;
    let skills = Skills::new(&ada, &id);
    let review = "skill://code-review/SKILL.md";
    let list = "skill://code-review/references/checklist.md";
    let listing = skills.list().await;
    let shown = of(&listing, review)["approval"]["fingerprint"].clone();
    let approved = skills.approve(review, &shown).await.expect(200).body;
    assert_eq!(approved["approval"]["state"], "approved");
    assert_eq!(approved["approval"]["approvedBy"], "ada");
    assert_eq!(
        approved["status"], "unverified",
        "rule 12: nothing was fetched"
    );
    // Once more changes nothing and is no entry in the log.
    skills.approve(review, &shown).await.expect(200);
    let given = log(&ada, "mcp_skill_approved").await;
    assert_eq!(given.len(), 1);
    assert_eq!(given[0]["details"]["actor"]["username"], "ada");
    assert_eq!(given[0]["details"]["resourceId"], id.as_str());
    assert_eq!(given[0]["details"]["after"]["fingerprint"], shown);
    let old = skills.get(review).await.body;
    assert_eq!(old["approval"]["state"], "approved", "the same set again");

    let change = |text: &str| json!({"path": "code-review/references/checklist.md", "text": text});
    peer.control("skills", change("# Other\n")).await;
    // The held entry is the one of before: the bytes do not fit, and the server is asked anew.
    let read = skills.read(review, list).await.expect(200).body;
    assert!(["size", "digest"].contains(&text(&read["file"]["check"]).as_str()));
    assert_eq!(read["text"], Value::Null, "rule 9");
    let after = skills.list().await;
    let approval = &of(&after, review)["approval"];
    assert_eq!(approval["state"], "revoked");
    assert_eq!(approval["changes"]["changed"], json!([list]));
    assert_eq!(approval["changes"]["added"], json!([]));
    let ended = log(&ada, "mcp_skill_approval_revoked").await;
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0]["details"]["changes"]["changed"], json!([list]));
    skills.approve(review, &shown).await.expect(409);

    // Back to the approved files: what ended stays ended until somebody approves again.
    let before = "# Checklist\n\n- Names say what things are.\n- Errors are handled.\n";
    peer.control("skills", change(before)).await;
    let back = skills.get(review).await.expect(200).body;
    assert_eq!(back["approval"]["fingerprint"], shown);
    assert_eq!(back["approval"]["state"], "revoked");
    assert_eq!(back["approval"]["changes"]["changed"], json!([list]));
    let again = skills.approve(review, &shown).await.expect(200).body;
    assert_eq!(again["approval"]["state"], "approved");
    assert_eq!(again["approval"]["changes"], Value::Null);

    let withdrawn = skills.withdraw(review).await.expect(200).body;
    assert_eq!(withdrawn["approval"]["state"], "none");
    skills.withdraw(review).await.expect(200);
    assert_eq!(log(&ada, "mcp_skill_approval_withdrawn").await.len(), 1);
}

/// Rules 8, 9, 10, 19, 22 and the eleven modes of skills contract section 7: the skill that is
/// wrong never costs the one that is not.
#[tokio::test]
async fn one_bad_entry_is_told_and_costs_nothing_else() {
    let (good, wrong) = ("skill://good/SKILL.md", "skill://wrong/SKILL.md");
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for (mode, status, reason) in [
        ("nosize", "invalid", "resources[0].size: "),
        ("noresources", "invalid", "resources: "),
        ("badstring", "invalid", "resources: "),
        ("nodesc", "invalid", "frontmatter.description: "),
        ("mismatch", "invalid", "frontmatter.name: "),
        ("upper", "invalid", "resources[0].digest: "),
        ("escape", "invalid", "resources[1].uri: "),
        ("dynamic", "dynamic", ""),
        ("allowlist", "unverified", ""),
    ] {
        let peer = Peer::start(mode);
        let id = peer.register(&ada, mode).await;
        let skills = Skills::new(&ada, &id);
        let listing = skills.list().await;
        assert_eq!(of(&listing, good)["status"], "unverified", "{mode}");
        let bad = of(&listing, wrong);
        assert_eq!(bad["status"], status, "{mode}: {bad:#}");
        let reasons = bad["reasons"].as_array().unwrap();
        assert_eq!(reasons.is_empty(), reason.is_empty(), "{mode}: {bad:#}");
        assert!(
            reason.is_empty() || reasons.iter().any(|one| text(one).starts_with(reason)),
            "{mode}: {bad:#}"
        );
        if status == "invalid" {
            assert_eq!(bad["approval"]["fingerprint"], Value::Null, "{mode}");
            let any = json!(digest(mode));
            skills.approve(wrong, &any).await.expect(409);
            skills.read(wrong, wrong).await.expect(409);
            skills.verify(wrong).await.expect(409);
            let got = skills.get(wrong).await.expect(200).body;
            assert_eq!(&got, bad, "{mode}");
        }
        if mode == "dynamic" {
            assert_eq!(bad["approval"]["state"], "impossible");
            let refused = skills.approve(wrong, &json!(digest(""))).await.expect(409);
            assert!(text(&refused.body["message"]).contains("no list of files"));
            skills.verify(wrong).await.expect(409);
            let read = skills.read(wrong, wrong).await.expect(200).body;
            assert_eq!(read["file"]["check"], "unverifiable");
            assert!(read["text"].is_string());
            let outside = skills.read(wrong, good).await.expect(200).body;
            assert_eq!(outside["file"]["check"], "unlisted");
        }
        if mode == "allowlist" {
            assert_eq!(bad["requestedTools"], json!(["Bash(*)", "Write"]));
            let verified = skills.verify(wrong).await.expect(200).body;
            assert_eq!(verified["status"], "consistent");
        }
    }
    for (mode, check) in [("tampered", "digest"), ("frontmatter", "frontmatter")] {
        let peer = Peer::start(mode);
        let id = peer.register(&ada, mode).await;
        let skills = Skills::new(&ada, &id);
        let listing = skills.list().await;
        let shown = of(&listing, wrong)["approval"]["fingerprint"].clone();
        let read = skills.read(wrong, wrong).await.expect(200).body;
        assert_eq!(read["file"]["check"], check);
        assert_eq!(
            read["text"],
            Value::Null,
            "bytes that fail are not returned"
        );
        assert!(read["withheld"].is_string());
        let verified = skills.verify(wrong).await.expect(200).body;
        assert_eq!(verified["status"], "mismatch");
        assert!(text(&verified["reasons"][0]).starts_with("SKILL.md: "));
        let refused = skills.approve(wrong, &shown).await.expect(409);
        assert!(text(&refused.body["message"]).contains("does not match"));
        assert_eq!(skills.verify(good).await.body["status"], "consistent");
    }
}

#[tokio::test]
async fn listings_are_bounded_and_an_empty_one_proves_nothing() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let peer = Peer::start("loop");
    let id = peer.register(&ada, "loop").await;
    let listing = Skills::new(&ada, &id).list().await;
    assert_eq!(listing["truncated"], true);
    assert_eq!(listing["pages"], 2);
    assert!(text(&listing["findings"][0]).contains("repeated a page cursor"));
    // The second page had the same skill again: of two entries of an address the first counts.
    let statuses: Vec<&Value> = listing["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| &skill["status"])
        .collect();
    assert_eq!(statuses, ["unverified", "invalid"]);

    let peer = Peer::start("empty");
    let id = peer.register(&ada, "empty").await;
    let skills = Skills::new(&ada, &id);
    let listing = skills.list().await;
    assert_eq!(listing["data"], json!([]));
    let told = "The server listed none. It may still serve some by address.";
    assert_eq!(listing["findings"], json!([told]));
    let hidden = skills.get("skill://good/SKILL.md").await.expect(200).body;
    assert_eq!(hidden["status"], "unverified");

    // A later page that fails takes nothing of what was read.
    let mut script = nested();
    script.pages[0]["nextCursor"] = json!("1");
    script.pages.push(json!({"error": "out of order"}));
    let recorder = Recorder::start(script).await;
    let id = register(&ada, "pages", &recorder.url).await;
    let listing = Skills::new(&ada, &id).list().await;
    assert_eq!(listing["data"].as_array().unwrap().len(), 2);
    assert_eq!(listing["truncated"], true);
    assert_eq!(
        listing["findings"],
        json!(["Page 2 could not be read: The server refused: out of order"])
    );
    // The first one that fails is a failure, not an empty list.
    recorder.change(|script| script.pages = vec![json!({"error": "out of order"})]);
    let path = format!("/api/mcp-connections/{id}/skills");
    ada.get(&path)
        .await
        .refuses(502, "The server refused: out of order");
}

/// Rule 1.
#[tokio::test]
async fn nothing_is_asked_before_it_is_declared() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for (name, legacy, finding) in [
        (
            "new",
            false,
            "The server does not declare the skills extension, so it was not asked for skills.",
        ),
        (
            "old",
            true,
            "The connection speaks an older protocol: skills may exist, but this connection cannot list them.",
        ),
    ] {
        let recorder = Recorder::start(Script {
            capabilities: json!({"tools": {}, "resources": {}}),
            legacy,
            ..nested()
        })
        .await;
        let id = register(&ada, name, &recorder.url).await;
        let skills = Skills::new(&ada, &id);
        let listing = skills.list().await;
        assert_eq!(listing["declared"], false);
        assert_eq!(listing["findings"], json!([finding]));
        assert_eq!(
            listing["era"],
            if legacy { "initialize" } else { "discover" }
        );
        skills.get(A).await.expect(409);
        skills.read(A, A).await.expect(409);
        skills.verify(A).await.expect(409);
        skills.directory(A, "skill://a").await.expect(409);
        skills.approve(A, &json!(digest(""))).await.expect(409);
        assert_eq!(recorder.asked(), []);
    }

    let recorder = Recorder::start(Script {
        capabilities: json!({"extensions": {"io.modelcontextprotocol/skills": {}}}),
        ..nested()
    })
    .await;
    let id = register(&ada, "bare", &recorder.url).await;
    let skills = Skills::new(&ada, &id);
    let listing = skills.list().await;
    assert_eq!(listing["resourcesDeclared"], false);
    assert_eq!(listing["directoryRead"], false);
    assert!(text(&listing["findings"][0]).contains("not resources"));
    skills.directory(A, "skill://a").await.expect(409);
    assert_eq!(
        recorder.asked(),
        [("skills/list".to_owned(), String::new())]
    );
}

/// Rules 11, 12, 14 and 18.
#[tokio::test]
async fn files_are_fetched_from_their_own_server_when_asked_and_only_listed_ones() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let (one, other) = (
        Recorder::start(nested()).await,
        Recorder::start(nested()).await,
    );
    let id = register(&ada, "one", &one.url).await;
    let twin = register(&ada, "other", &other.url).await;
    let (skills, twins) = (Skills::new(&ada, &id), Skills::new(&ada, &twin));
    let listing = skills.list().await;
    skills.get(A).await.expect(200);
    let shown = of(&listing, A)["approval"]["fingerprint"].clone();
    skills.approve(A, &shown).await.expect(200);
    assert_eq!(one.count("resources/read"), 0, "no prefetch");

    let read = skills.read(A, A_MORE).await.expect(200).body;
    assert_eq!(read["text"], "More.", "the item that was asked for");
    let read = |uri: &str| ("resources/read".to_owned(), uri.to_owned());
    assert_eq!(one.asked().last(), Some(&read(A_MORE)));
    assert_eq!(other.asked(), [], "reads stay with their server");

    let before = one.count("resources/read");
    one.change(|script| {
        let (uri, text) = ("skill://a/new.md".to_owned(), "x".to_owned());
        script.files.insert(uri, text);
    });
    for uri in [
        "skill://a/new.md",
        "skill://a/../b/SKILL.md",
        "file:///etc/passwd",
    ] {
        let refused = skills.read(A, uri).await.expect(200).body;
        assert_eq!(refused["file"]["check"], "unlisted", "{uri}");
        assert_eq!(refused["text"], Value::Null);
    }
    assert_eq!(one.count("resources/read"), before, "not even sent");

    // Rules 6 and 7: the same address on another connection is another skill.
    let listed = twins.list().await;
    let twin_skill = of(&listed, A);
    assert_eq!(twin_skill["approval"]["state"], "none");
    assert_eq!(twin_skill["files"][1]["check"], "unread");
    assert_eq!(twin_skill["sameName"], json!([format!("one · {A}")]));
    // Rule 20: approving the outer skill says nothing of the inner one.
    let listing = skills.list().await;
    let inner = of(&listing, B);
    assert_eq!(inner["inside"], A);
    assert_eq!(inner["approval"]["state"], "none");
    assert_eq!(of(&listing, A)["approval"]["state"], "approved");
}

#[tokio::test]
async fn a_list_without_a_skill_says_nothing_and_other_entries_end_its_approval() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let recorder = Recorder::start(nested()).await;
    let id = register(&ada, "one", &recorder.url).await;
    let skills = Skills::new(&ada, &id);
    let fingerprint =
        |listing: &Value, uri: &str| of(listing, uri)["approval"]["fingerprint"].clone();
    let listing = skills.list().await;
    skills.approve(A, &json!(digest(""))).await.expect(409);
    skills
        .approve(A, &fingerprint(&listing, A))
        .await
        .expect(200);
    skills
        .approve(B, &fingerprint(&listing, B))
        .await
        .expect(200);
    // Rule 3.
    recorder.change(|script| script.pages = vec![json!({"skills": []})]);
    skills.list().await;
    let kept = skills.get(A).await.expect(200).body;
    assert_eq!(kept["approval"]["state"], "approved");
    // A file more, then no list at all.
    let more = entry("a", &[(A, &body("a")), ("skill://a/x.md", "x")]);
    let inner = json!({"uri": B, "frontmatter": {"name": "b", "description": "Does b."}, "resources": "dynamic"});
    recorder.change(|script| script.pages = vec![json!({"skills": [more, inner]})]);
    let changed = skills.list().await;
    let approval = &of(&changed, A)["approval"];
    assert_eq!(approval["state"], "revoked");
    assert_eq!(approval["changes"]["added"], json!(["skill://a/x.md"]));
    assert_eq!(approval["changes"]["removed"], json!([B, A_MORE]));
    assert_eq!(of(&changed, B)["approval"]["state"], "impossible");
    assert_eq!(log(&ada, "mcp_skill_approval_revoked").await.len(), 2);
    let again = skills.get(B).await.expect(200).body;
    assert_eq!(
        again["approval"]["state"], "revoked",
        "back to the list that was approved"
    );
}

#[tokio::test]
async fn approvals_end_with_their_server() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let (one, other) = (
        Recorder::start(nested()).await,
        Recorder::start(nested()).await,
    );
    let id = register(&ada, "one", &one.url).await;
    let skills = Skills::new(&ada, &id);
    let path = format!("/api/mcp-connections/{id}");
    let approve = || async {
        let listing = skills.list().await;
        let shown = of(&listing, A)["approval"]["fingerprint"].clone();
        skills.approve(A, &shown).await.expect(200);
        skills.verify(A).await.expect(200);
    };
    approve().await;
    // Another name is still the same server.
    ada.patch(&path, json!({"name": "renamed"}))
        .await
        .expect(200);
    let listing = skills.list().await;
    assert_eq!(listing["server"], "renamed");
    assert_eq!(of(&listing, A)["approval"]["state"], "approved");
    assert_eq!(of(&listing, A)["status"], "consistent");
    // Another address is another one.
    ada.patch(&path, json!({"url": other.url}))
        .await
        .expect(200);
    let listing = skills.list().await;
    assert_eq!(of(&listing, A)["approval"]["state"], "none");
    assert_eq!(of(&listing, A)["status"], "unverified");
    approve().await;
    // Off: the server is not asked, and an approval can be withdrawn still.
    ada.patch(&path, json!({"enabled": false}))
        .await
        .expect(200);
    let refused = ada.get(&skills.path).await.expect(409);
    assert!(text(&refused.body["message"]).contains("disabled"));
    let withdrawn = skills.withdraw(A).await.expect(200).body;
    assert_eq!(withdrawn["approval"]["state"], "none");
    ada.delete(&path).await.expect(200);
    ada.get(&skills.path)
        .await
        .refuses(404, format!("MCP connection {id} not found."));
}

#[tokio::test]
async fn answers_that_are_not_to_the_question_are_not_used() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let recorder = Recorder::start(nested()).await;
    let id = register(&ada, "one", &recorder.url).await;
    let skills = Skills::new(&ada, &id);
    let swapped = entry("b", &[(B, &body("b"))]);
    recorder.change(|script| drop(script.entries.insert(A.to_owned(), swapped)));
    let refused = skills.get(A).await.expect(502);
    assert!(text(&refused.body["message"]).contains("another address"));
    // Both codes for what is not there, by revision.
    for code in [-32602, -32002] {
        recorder.change(|script| script.refusal = code);
        skills.get("skill://x/SKILL.md").await.expect(404);
    }
    // A file that is listed and not handed out.
    recorder.change(|script| drop(script.files.remove(A_MORE)));
    skills.list().await;
    let read = skills.read(A, A_MORE).await.expect(200).body;
    assert_eq!(read["file"]["check"], "unreadable");
    let verified = skills.verify(A).await.expect(200).body;
    assert_eq!(verified["status"], "consistent");
    assert!(text(&verified["reasons"][0]).starts_with("more.md: "));
    // More than a host takes.
    let file = |number: usize| json!({"uri": format!("skill://a/{number}.md"), "digest": digest(""), "size": 0});
    let mut large = entry("a", &[(A, &body("a"))]);
    let files = large["resources"].as_array_mut().unwrap();
    files.extend((0..512).map(file));
    recorder.change(|script| script.pages = vec![json!({"skills": [large]})]);
    let listing = skills.list().await;
    let over = of(&listing, A);
    assert_eq!(over["status"], "over-limits");
    assert!(text(&over["reasons"][0]).contains("513 files"));
    let shown = over["approval"]["fingerprint"].clone();
    let before = recorder.count("resources/read");
    skills.approve(A, &shown).await.expect(409);
    skills.read(A, A).await.expect(409);
    skills.verify(A).await.expect(409);
    assert_eq!(recorder.count("resources/read"), before);
}

#[tokio::test]
async fn a_child_that_is_not_listed_is_told_apart_and_the_entry_asked_for_again() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let recorder = Recorder::start(nested()).await;
    let id = register(&ada, "one", &recorder.url).await;
    let skills = Skills::new(&ada, &id);
    let listing = skills.list().await;
    let shown = of(&listing, A)["approval"]["fingerprint"].clone();
    skills.approve(A, &shown).await.expect(200);
    recorder.change(|script| {
        let child = |uri: &str| json!({"uri": uri, "name": uri.rsplit('/').next()});
        let mut directory = child("skill://a/b");
        directory["mimeType"] = json!("inode/directory");
        let children = json!([
            child(A),
            directory,
            child("skill://a/new.md"),
            child("file:///etc/passwd")
        ]);
        script.directories.insert("skill://a".to_owned(), children);
        let more = entry("a", &[(A, &body("a")), ("skill://a/new.md", "x")]);
        script.entries.insert(A.to_owned(), more);
    });
    let seen = skills.directory(A, "skill://a/").await.expect(200).body;
    let listed: Vec<bool> = seen["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|child| child["listed"].as_bool().unwrap())
        .collect();
    assert_eq!(listed, [true, true, false, false]);
    assert_eq!(recorder.count("resources/read"), 0, "looked at, not read");
    let ended = log(&ada, "mcp_skill_approval_revoked").await;
    assert_eq!(ended.len(), 1, "the entry has other files now");
    for uri in [
        "skill://a/../x",
        "skill://other",
        "file:///etc",
        "skill://a/b/..",
    ] {
        skills.directory(A, uri).await.expect(400);
    }
}

#[tokio::test]
async fn a_server_that_hangs_delays_nobody_else() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let recorder = Recorder::start(Script {
        hangs: vec!["skills/list", "resources/read"],
        ..nested()
    })
    .await;
    let good = Recorder::start(nested()).await;
    let id = register(&ada, "hangs", &recorder.url).await;
    let fine = register(&ada, "good", &good.url).await;
    let (skills, others) = (Skills::new(&ada, &id), Skills::new(&ada, &fine));
    others.list().await;
    skills.get(A).await.expect(200);
    let hanging = async {
        let reads = (0..8).map(|_| skills.read(A, A));
        tokio::join!(skills.list(), futures_util::future::join_all(reads));
    };
    let others = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let begun = Instant::now();
        others.list().await;
        others.verify(A).await.expect(200);
        ada.get("/api/agents").await.expect(200);
        ada.get("/api/mcp-connections").await.expect(200);
        skills.get(A).await.expect(200);
        begun.elapsed()
    };
    tokio::select! {
        () = hanging => panic!("a server that hangs was answered for"),
        took = others => assert!(took < Duration::from_secs(3), "{took:?}"),
    }
}

#[tokio::test]
async fn skills_of_others_are_not_there() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    let recorder = Recorder::start(nested()).await;
    let id = register(&ada, "one", &recorder.url).await;
    for id in [id.as_str(), NOBODY] {
        let skills = Skills::new(&eve, id);
        let missing = format!("MCP connection {id} not found.");
        for answer in [
            eve.get(&skills.path).await,
            skills.get(A).await,
            skills.read(A, A).await,
            skills.verify(A).await,
            skills.directory(A, A).await,
            skills.approve(A, &json!(digest(""))).await,
            skills.withdraw(A).await,
        ] {
            answer.refuses(404, missing.as_str());
        }
    }
    assert_eq!(recorder.asked(), []);
}
