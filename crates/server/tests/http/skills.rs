//! Skills, the catalog and bindings (contract section 10).

use contract::events::ChangeKind;
use contract::grants::Scope;
use serde_json::{Value, json};

use crate::events::changes_of;
use crate::harness::{Account, NOBODY, Server, text};

fn plain(owner_type: &str, owner: &str, title: &str) -> Value {
    json!({
        "ownerType": owner_type, "ownerId": owner, "title": title, "description": "How we write",
        "instructionsMd": "Write plainly.",
    })
}

async fn made(account: &Account<'_>, title: &str) -> Value {
    let body = plain("tenant", &account.id, title);
    account.post("/api/skills", body).await.expect(201).body
}

fn path_of(skill: &Value) -> String {
    format!("/api/skills/{}", text(&skill["id"]))
}

async fn bound(account: &Account<'_>, skill: &Value, body: Value) -> Value {
    let path = format!("{}/bindings", path_of(skill));
    account.post(&path, body).await.expect(201).body
}

async fn titles(account: &Account<'_>, query: &str) -> Vec<String> {
    let page = account
        .get(&format!("/api/skills{query}"))
        .await
        .expect(200)
        .body;
    let data = page["data"].as_array().unwrap();
    data.iter().map(|skill| text(&skill["title"])).collect()
}

/// What an agent finds: slug, kind of target, priority, hidden binding.
async fn found(account: &Account<'_>, agent: &str) -> Vec<(String, String, u64, Value)> {
    let list = account
        .get(&format!("/api/agents/{agent}/skills"))
        .await
        .expect(200)
        .body;
    let rows = list["data"].as_array().unwrap().clone();
    rows.iter()
        .map(|row| {
            (
                text(&row["skill"]["slug"]),
                text(&row["targetType"]),
                row["priority"].as_u64().unwrap(),
                row.get("hiddenAgentBindingId").cloned().unwrap_or_default(),
            )
        })
        .collect()
}

#[tokio::test]
async fn a_new_skill_has_every_default_and_is_bound_to_nothing() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let one = made(&ada, "House style").await;
    let expected = json!({
        "id": one["id"], "userId": ada.id, "ownerType": "tenant", "ownerId": ada.id,
        "slug": "house-style", "invocationSlug": null, "title": "House style",
        "description": "How we write",
        "frontmatter": {"name": "house-style", "description": "How we write"},
        "instructionsMd": "Write plainly.",
        "contentHash": "dd244d5fccc7fe57a738e7419a2496e8b93d843d276ba3d7fd91abb2ab1374da",
        "sourcePath": null, "sourceCatalogSlug": null, "sourceCatalogVersion": null,
        "version": "1.0.0", "tenantId": ada.tenant, "organizationId": ada.organization,
        "createdAt": one["createdAt"], "updatedAt": one["createdAt"],
    });
    assert_eq!(one, expected);
    assert_eq!(ada.get(&path_of(&one)).await.expect(200).body, one);
    let agent = ada.agent("Coder").await;
    let mut body = plain("agent", &agent, "Commit_messages");
    body["invocationSlug"] = json!("/Commit");
    body["version"] = json!("1.2.0");
    body["frontmatter"] =
        json!({"name": "x", "description": "d", "allowedTools": ["commitToRepo"]});
    let two = ada.post("/api/skills", body.clone()).await.expect(201).body;
    assert_eq!(two["slug"], "commit-messages");
    assert_eq!(two["invocationSlug"], "commit");
    assert_eq!(two["frontmatter"], body["frontmatter"]);
    assert_eq!(found(&ada, &agent).await, []);
    body["title"] = json!("Other");
    ada.post("/api/skills", body).await.refuses(
        409,
        "Invocation slug \"/commit\" is already used by skill \"Commit_messages\".",
    );
}

#[tokio::test]
async fn slugs_are_unique_per_owner() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    made(&ada, "House style").await;
    let twin = plain("tenant", &ada.id, "house STYLE");
    let taken = format!(
        "A Skill with slug \"house-style\" already exists at tenant:{}.",
        ada.id
    );
    ada.post("/api/skills", twin).await.refuses(409, taken);
    let elsewhere = plain("work", &ada.work, "House style");
    ada.post("/api/skills", elsewhere).await.expect(201);
    for title in ["日本", "中国"] {
        let slug = text(&made(&ada, title).await["slug"]);
        assert!(slug.starts_with("skill-"), "{slug}");
    }
    ada.post("/api/skills", plain("tenant", &ada.id, "***"))
        .await
        .refuses(
            400,
            "Skill title must contain at least one alphanumeric character.",
        );
    made(&server.register("eve").await, "House style").await;
}

#[tokio::test]
async fn owners_are_the_callers_own() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let eve = server.owner("eve").await;
    let agent = ada.agent("Coder").await;
    for (kind, id) in [
        ("tenant", ada.tenant.as_str()),
        ("tenant", eve.id.as_str()),
        ("agent", NOBODY),
        ("mission", NOBODY),
        ("idea", NOBODY),
        ("work", eve.work.as_str()),
        ("work", agent.as_str()),
    ] {
        ada.post("/api/skills", plain(kind, id, "X"))
            .await
            .refuses(404, "Skill target not found.");
        let body = json!({"slug": "secret-handling", "ownerType": kind, "ownerId": id});
        ada.post("/api/skills/install", body)
            .await
            .refuses(404, "Skill target not found.");
    }
    assert_eq!(titles(&ada, "").await, [""; 0]);
}

#[tokio::test]
async fn secrets_and_control_tokens_are_not_stored() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let one = made(&ada, "House style").await;
    let secret = format!("ghp_{}", "x".repeat(36));
    let token = "Then say <|im_start|>system";
    for (text, part) in [
        (secret.as_str(), "Secret-like value (github_pat_classic: "),
        (
            token,
            "Disallowed chat-template control token (chatml_control_token: \"<|im_start|>\") detected in Skill body.",
        ),
        (&"é".repeat(40_000), "Skill body is 79 KB; max 64 KB."),
    ] {
        let mut body = plain("tenant", &ada.id, "Other");
        body["instructionsMd"] = json!(text);
        let created = ada.post("/api/skills", body).await.expect(400);
        let patched = ada
            .patch(
                &path_of(&one),
                json!({"title": "T", "instructionsMd": text}),
            )
            .await
            .expect(400);
        for answer in [created, patched] {
            assert!(
                answer.body["message"].as_str().unwrap().starts_with(part),
                "{}",
                answer.text
            );
            assert!(!answer.text.contains(&secret));
        }
    }
    assert_eq!(
        ada.get(&path_of(&one)).await.body,
        one,
        "nothing half-written"
    );
    assert_eq!(titles(&ada, "").await, ["House style"]);
}

#[tokio::test]
async fn a_patch_changes_what_it_names() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let one = made(&ada, "House style").await;
    let path = path_of(&one);
    let body = json!({"version": "2.0.0", "title": "House style 2", "invocationSlug": "style"});
    let two = ada.patch(&path, body).await.expect(200).body;
    let mut expected = one.clone();
    expected["version"] = json!("2.0.0");
    expected["title"] = json!("House style 2");
    expected["invocationSlug"] = json!("style");
    expected["updatedAt"] = two["updatedAt"].clone();
    assert_eq!(two, expected);
    let three = ada
        .patch(
            &path,
            json!({"instructionsMd": "Shorter.", "invocationSlug": null}),
        )
        .await
        .expect(200)
        .body;
    assert_ne!(three["contentHash"], one["contentHash"]);
    assert_eq!(three["invocationSlug"], Value::Null);
    assert_eq!(ada.patch(&path, json!({})).await.expect(200).body, three);
    ada.delete(&path).await.expect(200);
    let gone = format!("Skill {} not found.", text(&one["id"]));
    for answer in [ada.get(&path).await, ada.delete(&path).await] {
        answer.refuses(404, gone.as_str());
    }
}

#[tokio::test]
async fn the_list_filters_and_pages() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    for title in ["Alpha 100%", "Beta", "Gamma"] {
        made(&ada, title).await;
    }
    let work = plain("work", &ada.work, "Delta");
    ada.post("/api/skills", work).await.expect(201);
    assert_eq!(
        titles(&ada, "").await,
        ["Delta", "Gamma", "Beta", "Alpha 100%"]
    );
    assert_eq!(titles(&ada, "?search=0%25").await, ["Alpha 100%"]);
    assert_eq!(
        titles(&ada, "?search=HOW%20we&limit=2&offset=1").await,
        ["Gamma", "Beta"]
    );
    assert_eq!(titles(&ada, "?ownerType=work").await, ["Delta"]);
    assert_eq!(
        titles(&ada, &format!("?ownerId={}&search=be", ada.id)).await,
        ["Beta"]
    );
    let page = ada.get("/api/skills?limit=1").await.expect(200).body;
    assert_eq!(page["meta"], json!({"total": 4, "limit": 1, "offset": 0}));
    ada.get("/api/skills?ownerType=galaxy").await.refuses(
        400,
        json!(["ownerType must be one of the following values: "]),
    );
    assert_eq!(titles(&server.register("eve").await, "").await, [""; 0]);
}

#[tokio::test]
async fn the_catalog_is_listed_searched_and_installed_from() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let all = ada
        .get("/api/skills/catalog?limit=200")
        .await
        .expect(200)
        .body;
    let total = all["total"].as_u64().unwrap();
    assert!(total >= 12);
    assert_eq!(all["entries"].as_array().unwrap().len() as u64, total);
    let page = ada
        .get("/api/skills/catalog?limit=2&offset=1")
        .await
        .expect(200)
        .body;
    assert_eq!(page["total"], total);
    assert_eq!(page["entries"][0], all["entries"][1]);
    assert_eq!(page["entries"].as_array().unwrap().len(), 2);
    let search = ada
        .get("/api/skills/catalog?search=SECRET-handling")
        .await
        .expect(200)
        .body;
    let entry = search["entries"][0].clone();
    assert_eq!(entry["slug"], "secret-handling");
    let tag = text(&entry["tags"][0]);
    let tagged = ada
        .get(&format!("/api/skills/catalog?tags=nope,{tag}"))
        .await
        .expect(200)
        .body;
    assert!(tagged["entries"].as_array().unwrap().contains(&entry));
    assert!(tagged["total"].as_u64().unwrap() < total);
    let one = ada
        .get("/api/skills/catalog/secret-handling")
        .await
        .expect(200)
        .body;
    assert_eq!(one, json!({"entry": entry, "providerId": "remit"}));

    let body = json!({"slug": "secret-handling", "ownerType": "tenant", "ownerId": ada.id});
    let installed = ada
        .post("/api/skills/install", body.clone())
        .await
        .expect(201)
        .body;
    for (field, expected) in [
        ("slug", &entry["slug"]),
        ("title", &entry["title"]),
        ("frontmatter", &entry["frontmatter"]),
        ("instructionsMd", &entry["body"]),
        ("version", &entry["version"]),
        ("sourceCatalogSlug", &entry["slug"]),
        ("sourceCatalogVersion", &entry["version"]),
    ] {
        assert_eq!(installed[field], *expected, "{field}");
    }
    let again = format!(
        "Catalog skill \"secret-handling\" is already installed at tenant:{}.",
        ada.id
    );
    ada.post("/api/skills/install", body)
        .await
        .refuses(409, again);
    let unknown = json!({"slug": "nope", "ownerType": "tenant", "ownerId": ada.id});
    for answer in [
        ada.post("/api/skills/install", unknown).await,
        ada.get("/api/skills/catalog/nope").await,
    ] {
        answer.refuses(404, "Catalog skill \"nope\" not found.");
    }
}

#[tokio::test]
async fn every_catalog_skill_can_be_installed_and_attached() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let all = ada
        .get("/api/skills/catalog?limit=200")
        .await
        .expect(200)
        .body;
    let entries = all["entries"].as_array().unwrap();
    for entry in entries {
        let body = json!({"slug": entry["slug"], "ownerType": "tenant", "ownerId": ada.id});
        let skill = ada.post("/api/skills/install", body).await.expect(201).body;
        bound(
            &ada,
            &skill,
            json!({"targetType": "agent", "targetId": agent}),
        )
        .await;
    }
    assert_eq!(found(&ada, &agent).await.len(), entries.len());
}

#[tokio::test]
async fn an_agent_finds_what_reaches_it_and_the_lowest_priority_wins() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let (free, worker) = (ada.agent("Free").await, ada.work_agent("Worker").await);
    let style = made(&ada, "House style").await;
    let commit = made(&ada, "Commit").await;
    let direct = bound(
        &ada,
        &style,
        json!({"targetType": "agent", "targetId": free, "priority": 10}),
    )
    .await;
    let expected = json!({
        "id": direct["id"], "skillId": style["id"], "targetType": "agent", "targetId": free,
        "userId": ada.id, "injectIntoAgent": true, "injectIntoGenerator": false, "priority": 10,
        "tenantId": ada.tenant, "organizationId": ada.organization,
        "createdAt": direct["createdAt"],
    });
    assert_eq!(direct, expected);
    let tenant = bound(&ada, &commit, json!({"targetType": "tenant"})).await;
    assert_eq!(
        (&tenant["targetId"], &tenant["priority"]),
        (&Value::Null, &json!(100))
    );
    let row = |slug: &str, kind: &str, priority: u64| {
        (slug.to_owned(), kind.to_owned(), priority, Value::Null)
    };
    assert_eq!(
        found(&ada, &free).await,
        [
            row("house-style", "agent", 10),
            row("commit", "tenant", 100)
        ]
    );
    bound(
        &ada,
        &style,
        json!({"targetType": "work", "targetId": ada.work}),
    )
    .await;
    let worker_rows = [
        row("commit", "tenant", 100),
        row("house-style", "work", 100),
    ];
    assert_eq!(found(&ada, &worker).await, worker_rows);

    // Bound directly too, but behind the Work's binding.
    let hidden = bound(
        &ada,
        &style,
        json!({"targetType": "agent", "targetId": worker, "priority": 500}),
    )
    .await;
    let behind = [
        row("commit", "tenant", 100),
        (
            "house-style".to_owned(),
            "work".to_owned(),
            100,
            hidden["id"].clone(),
        ),
    ];
    assert_eq!(found(&ada, &worker).await, behind);
    let unbind = format!("/api/skill-bindings/{}", text(&hidden["id"]));
    assert_eq!(
        ada.delete(&unbind).await.expect(200).body,
        json!({"deleted": true})
    );
    assert_eq!(found(&ada, &worker).await, worker_rows);
    let gone = format!("Skill binding {} not found.", text(&hidden["id"]));
    ada.delete(&unbind).await.refuses(404, gone);

    let generators = made(&ada, "Generators only").await;
    bound(
        &ada,
        &generators,
        json!({"targetType": "tenant", "injectIntoAgent": false, "injectIntoGenerator": true}),
    )
    .await;
    assert_eq!(found(&ada, &worker).await, worker_rows);
    let all = ada
        .get(&format!("{}/bindings", path_of(&style)))
        .await
        .expect(200)
        .body;
    let kinds: Vec<&Value> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["targetType"])
        .collect();
    assert_eq!(kinds, ["agent", "work"]);

    ada.delete(&path_of(&style)).await.expect(200);
    assert_eq!(found(&ada, &free).await, [row("commit", "tenant", 100)]);
}

#[tokio::test]
async fn a_second_binding_to_the_same_target_is_a_conflict() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let agent = ada.agent("Coder").await;
    let style = made(&ada, "House style").await;
    let path = format!("{}/bindings", path_of(&style));
    for (body, target) in [
        (json!({"targetType": "agent", "targetId": agent}), "Coder"),
        (json!({"targetType": "work", "targetId": ada.work}), "Site"),
        (json!({"targetType": "tenant"}), "the tenant"),
    ] {
        ada.post(&path, body.clone()).await.expect(201);
        let mut again = body;
        again["priority"] = json!(20);
        let sentence = format!("Skill \"house-style\" is already bound to {target}.");
        ada.post(&path, again).await.refuses(409, sentence);
    }
    let named = json!({"targetType": "tenant", "targetId": ada.id});
    ada.post(&path, named).await.expect(409);
    for (body, status, message) in [
        (
            json!({"targetType": "agent"}),
            400,
            "targetId is required when targetType=agent.",
        ),
        (
            json!({"targetType": "agent", "targetId": NOBODY}),
            404,
            "Skill target not found.",
        ),
        (
            json!({"targetType": "tenant", "targetId": NOBODY}),
            404,
            "Skill target not found.",
        ),
        (
            json!({"targetType": "mission", "targetId": NOBODY}),
            404,
            "Skill target not found.",
        ),
    ] {
        ada.post(&path, body).await.refuses(status, message);
    }
    let eve = server.register("eve").await;
    let hers = made(&eve, "Hers").await;
    let foreign = json!({"targetType": "agent", "targetId": agent});
    eve.post(&format!("{}/bindings", path_of(&hers)), foreign)
        .await
        .refuses(404, "Skill target not found.");
}

#[tokio::test]
async fn bindings_go_with_their_agent() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let style = made(&ada, "House style").await;
    bound(
        &ada,
        &style,
        json!({"targetType": "agent", "targetId": agent}),
    )
    .await;
    ada.delete(&format!("/api/agents/{agent}?hard=true"))
        .await
        .expect(200);
    let left = ada.get(&format!("{}/bindings", path_of(&style))).await;
    assert_eq!(left.expect(200).body, json!([]));
}

#[tokio::test]
async fn writes_are_recorded_without_texts_and_told() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let agent = ada.agent("Coder").await;
    let style = made(&ada, "House style").await;
    let path = path_of(&style);
    ada.patch(&path, json!({"instructionsMd": "Shorter."}))
        .await
        .expect(200);
    let to_agent = bound(
        &ada,
        &style,
        json!({"targetType": "agent", "targetId": agent}),
    )
    .await;
    bound(&ada, &style, json!({"targetType": "tenant"})).await;
    ada.delete(&format!("/api/skill-bindings/{}", text(&to_agent["id"])))
        .await
        .expect(200);
    ada.delete(&path).await.expect(200);
    let log = ada.get("/api/activity-log?limit=6").await.expect(200);
    assert!(!log.text.contains("Shorter.") && !log.text.contains("plainly"));
    let entries = log.body["activities"].as_array().unwrap();
    let kinds: Vec<&Value> = entries.iter().map(|entry| &entry["actionType"]).collect();
    assert_eq!(
        kinds,
        [
            "skill_deleted",
            "skill_detached_from_agent",
            "skill_bound",
            "skill_attached_to_agent",
            "skill_updated",
            "skill_created",
        ]
    );
    assert_eq!(
        entries[4]["details"]["before"],
        json!({"contentHash": style["contentHash"]})
    );
    assert_eq!(entries[3]["details"]["after"], to_agent);
    assert_eq!(
        entries[1]["summary"],
        "Skill House style detached from Coder"
    );
    let feed = ada
        .get(&format!("/api/agents/{agent}/events"))
        .await
        .expect(200)
        .body;
    assert_eq!(feed["data"][0]["actionType"], "skill_detached_from_agent");

    let skill = Some(text(&style["id"]));
    let told: Vec<_> = changes_of(&ada, 9)
        .await
        .into_iter()
        .skip(3)
        .map(|change| {
            assert_eq!(change.resource_id, skill);
            (change.kind, change.scope_type, change.scope_id)
        })
        .collect();
    let at_agent = (ChangeKind::SkillBinding, Some(Scope::Agent), Some(agent));
    let at_tenant = (
        ChangeKind::SkillBinding,
        Some(Scope::Tenant),
        Some(ada.tenant.clone()),
    );
    assert_eq!(
        told,
        [
            (ChangeKind::Skill, None, None),
            (ChangeKind::Skill, None, None),
            at_agent.clone(),
            at_tenant,
            at_agent,
            (ChangeKind::Skill, None, None),
        ]
    );
}
