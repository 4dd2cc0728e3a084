//! Agents: list, read, create, change (contract section 3).

use serde_json::{Value, json};

use crate::harness::{Account, NOBODY, Server, text};

fn names(page: &Value) -> Vec<String> {
    let data = page["data"].as_array().unwrap();
    data.iter().map(|agent| text(&agent["name"])).collect()
}

async fn listed(account: &Account<'_>, query: &str) -> Vec<String> {
    names(
        &account
            .get(&format!("/api/agents?{query}"))
            .await
            .expect(200)
            .body,
    )
}

#[tokio::test]
async fn a_new_agent_is_a_draft_with_every_default() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let body =
        json!({"scope": "tenant", "name": "Déjà Vu", "permissions": {"canOpenPullRequests": true}});
    let made = ada.post("/api/agents", body).await.expect(201).body;
    let moment = made["createdAt"].clone();
    let expected = json!({
        "id": made["id"], "userId": ada.id, "scope": "tenant", "missionId": null, "ideaId": null,
        "workId": null, "name": "Déjà Vu", "slug": "deja-vu", "title": null,
        "capabilities": null, "aiProviderId": null, "modelId": null, "environmentId": null,
        "maxSkillContextTokens": 4000, "memoryRecallEnabled": true, "status": "draft",
        "permissions": {
            "canCreateAgents": false, "canAssignTasks": false, "canEditSkills": false,
            "canEditAgentFiles": false, "canSpend": false, "canCommitToRepo": true,
            "canOpenPullRequests": true, "canCallExternalTools": false,
        },
        "targets": null, "guardrails": null, "heartbeatCadence": null,
        "idleBehavior": "propose", "nextHeartbeatAt": null, "lastRunAt": null,
        "lastRunStatus": null, "errorCount": 0, "pauseAfterFailures": 3,
        "avatarMode": "initials", "avatarIcon": null, "avatarImageUploadId": null,
        "committerName": null, "committerEmail": null, "reportsToAgentId": null,
        "scorecard": null, "initScript": null, "hasInlineFiles": false, "contentHash": null,
        "createdAt": moment, "updatedAt": moment,
    });
    assert_eq!(made, expected);
    let path = format!("/api/agents/{}", text(&made["id"]));
    assert_eq!(ada.get(&path).await.expect(200).body, made);
    assert_eq!(
        ada.get(&path.to_uppercase().replace("/API/AGENTS", "/api/agents"))
            .await
            .expect(200)
            .body,
        made
    );
}

#[tokio::test]
async fn scope_and_parent_must_fit() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let create = |scope: &str, parents: Value| {
        let mut body = json!({"scope": scope, "name": "N"});
        for (key, id) in parents.as_object().unwrap() {
            body[key] = id.clone();
        }
        ada.post("/api/agents", body)
    };
    let work = json!({"workId": ada.work});
    for (scope, parents, sentence) in [
        (
            "work",
            json!({}),
            "Work-scoped Agents require workId (and only workId).",
        ),
        (
            "work",
            json!({"workId": ada.work, "ideaId": NOBODY}),
            "Work-scoped Agents require workId (and only workId).",
        ),
        (
            "mission",
            work.clone(),
            "Mission-scoped Agents require missionId (and only missionId).",
        ),
        (
            "idea",
            json!({}),
            "Idea-scoped Agents require ideaId (and only ideaId).",
        ),
        (
            "tenant",
            work.clone(),
            "Tenant-scoped Agents must not have missionId, ideaId or workId.",
        ),
    ] {
        create(scope, parents).await.refuses(400, sentence);
    }
    create("work", json!({"workId": NOBODY}))
        .await
        .refuses(404, format!("Work {NOBODY} not found."));
    create("mission", json!({"missionId": NOBODY}))
        .await
        .refuses(404, format!("Mission {NOBODY} not found."));
    create("idea", json!({"ideaId": NOBODY}))
        .await
        .refuses(404, format!("Idea {NOBODY} not found."));
    create("work", work).await.expect(201);
}

#[tokio::test]
async fn what_an_agent_refers_to_must_exist() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let id = ada.agent("Coder").await;
    let path = format!("/api/agents/{id}");
    let change = |body: Value| ada.patch(&path, body);
    change(json!({"environmentId": NOBODY}))
        .await
        .refuses(404, "Environment not found");
    change(json!({"environmentId": null})).await.expect(200);
    change(json!({"heartbeatCadence": "every day"}))
        .await
        .expect(400);
    change(json!({"heartbeatCadence": "61 * * * *"}))
        .await
        .expect(400);
    change(json!({"heartbeatCadence": "manual"}))
        .await
        .expect(200);
    change(json!({"name": "***"}))
        .await
        .refuses(400, "Agent name must contain at least one letter or digit.");
    change(json!({"avatarMode": "icon"}))
        .await
        .refuses(400, "avatarMode icon requires avatarIcon.");
    change(json!({"targets": [{"type": "work", "id": NOBODY}]}))
        .await
        .refuses(404, format!("Work {NOBODY} not found."));
    change(json!({"targets": [{"type": "work"}]}))
        .await
        .refuses(400, "A target of type work needs an id.");
    change(json!({"reportsToAgentId": NOBODY}))
        .await
        .refuses(404, format!("Agent {NOBODY} not found."));
    change(json!({"reportsToAgentId": id}))
        .await
        .refuses(409, "An Agent cannot report to itself.");
    let lead = ada.agent("Lead").await;
    change(json!({"reportsToAgentId": lead})).await.expect(200);
    ada.patch(
        &format!("/api/agents/{lead}"),
        json!({"reportsToAgentId": id}),
    )
    .await
    .refuses(409, "This reporting line would form a cycle.");
    ada.delete(&format!("/api/agents/{lead}?hard=true"))
        .await
        .expect(200);
    assert_eq!(ada.get(&path).await.body["reportsToAgentId"], Value::Null);
}

#[tokio::test]
async fn names_are_unique_in_their_scope() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    ada.agent("Coder").await;
    let twin = json!({"scope": "tenant", "name": "coder!"});
    ada.post("/api/agents", twin).await.refuses(
        409,
        "An Agent named \"coder!\" already exists in this scope.",
    );
    ada.work_agent("Coder").await;
    let other = ada.agent("Other").await;
    ada.patch(&format!("/api/agents/{other}"), json!({"name": "Coder"}))
        .await
        .refuses(
            409,
            "An Agent named \"Coder\" already exists in this scope.",
        );
    ada.agent("日本").await;
    ada.agent("中国").await;
    server.owner("eve").await.agent("Coder").await;
}

#[tokio::test]
async fn the_list_filters_and_pages() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    for name in ["Alpha", "Beta 100%", "Gamma_1"] {
        ada.agent(name).await;
    }
    let worker = ada.work_agent("Worker").await;
    let titled = ada.agent("Zeta").await;
    ada.patch(
        &format!("/api/agents/{titled}"),
        json!({"title": "ÄRZTE alphabet"}),
    )
    .await
    .expect(200);

    let page = ada.get("/api/agents").await.expect(200).body;
    assert_eq!(
        names(&page),
        ["Zeta", "Worker", "Gamma_1", "Beta 100%", "Alpha"]
    );
    assert_eq!(page["meta"], json!({"total": 5, "limit": 50, "offset": 0}));
    let page = ada
        .get("/api/agents?limit=2&offset=1")
        .await
        .expect(200)
        .body;
    assert_eq!(names(&page), ["Worker", "Gamma_1"]);
    assert_eq!(page["meta"], json!({"total": 5, "limit": 2, "offset": 1}));
    assert_eq!(listed(&ada, "offset=9").await, [""; 0]);
    assert_eq!(listed(&ada, "search=ALPHA").await, ["Zeta", "Alpha"]);
    assert_eq!(
        listed(&ada, "search=%C3%A4rzte").await,
        ["Zeta"],
        "any script, any case"
    );
    assert_eq!(
        listed(&ada, "search=%25").await,
        ["Beta 100%"],
        "a percent sign is itself"
    );
    assert_eq!(
        listed(&ada, "search=_").await,
        ["Gamma_1"],
        "an underscore is itself"
    );
    assert_eq!(listed(&ada, "scope=work").await, ["Worker"]);
    assert_eq!(
        listed(&ada, &format!("workId={}&scope=tenant", ada.work)).await,
        [""; 0]
    );
    assert_eq!(
        listed(&ada, &format!("workId={}", ada.work)).await,
        ["Worker"]
    );
    assert_eq!(listed(&ada, "status=active").await, [""; 0]);

    let target = json!({"targets": [{"type": "work", "id": ada.work}, {"type": "wildcard"}]});
    ada.patch(&format!("/api/agents/{titled}"), target)
        .await
        .expect(200);
    assert_eq!(
        listed(&ada, &format!("assignedWorkId={}", ada.work)).await,
        ["Zeta"]
    );

    ada.delete(&format!("/api/agents/{worker}"))
        .await
        .expect(200);
    assert_eq!(
        listed(&ada, "scope=work").await,
        [""; 0],
        "archived ones are left out"
    );
    assert_eq!(listed(&ada, "status=archived").await, ["Worker"]);
}

#[tokio::test]
async fn patch_changes_what_it_names_and_nothing_else() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let path = format!("/api/agents/{}", ada.agent("Coder").await);
    let before = ada.get(&path).await.body;
    let after = ada.patch(&path, json!({})).await.expect(200).body;
    assert!(text(&after["updatedAt"]) > text(&before["updatedAt"]));
    for field in ["status", "scope", "workId", "guardrails", "nope"] {
        ada.patch(&path, json!({field: "x"}))
            .await
            .refuses(400, json!([format!("property {field} should not exist")]));
    }
    let body = json!({"title": "T", "capabilities": "C", "scorecard": [
        {"key": "k", "label": "L", "target": 5, "current": 1.5, "period": "weekly"}]});
    let after = ada.patch(&path, body).await.expect(200).body;
    assert_eq!(after["scorecard"][0]["current"], 1.5);
    let after = ada
        .patch(&path, json!({"title": null}))
        .await
        .expect(200)
        .body;
    assert_eq!(
        (&after["title"], &after["capabilities"]),
        (&Value::Null, &json!("C"))
    );
    // A refused field means that nothing changed.
    ada.patch(&path, json!({"title": "New", "reportsToAgentId": NOBODY}))
        .await
        .expect(404);
    assert_eq!(ada.get(&path).await.body["title"], Value::Null);
}

#[tokio::test]
async fn permissions_are_merged_and_pull_requests_bring_commits() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let path = format!("/api/agents/{}", ada.agent("Coder").await);
    let set = async |flags: Value| {
        let answer = ada
            .patch(&path, json!({"permissions": flags}))
            .await
            .expect(200);
        let flags = answer.body["permissions"].as_object().unwrap().clone();
        let on = flags.into_iter().filter(|(_, on)| on == true);
        on.map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(set(json!({"canSpend": true})).await, ["canSpend"]);
    let with_pulls = ["canCommitToRepo", "canOpenPullRequests", "canSpend"];
    assert_eq!(set(json!({"canOpenPullRequests": true})).await, with_pulls);
    assert_eq!(set(json!({"canCommitToRepo": false})).await, with_pulls);
    assert_eq!(
        set(json!({"canOpenPullRequests": false})).await,
        ["canCommitToRepo", "canSpend"]
    );
    assert_eq!(
        set(json!({"canCommitToRepo": null})).await,
        ["canCommitToRepo", "canSpend"]
    );
    ada.patch(&path, json!({"permissions": {"canSpend": "yes"}}))
        .await
        .refuses(400, json!(["permissions.canSpend must be a boolean value"]));
}

#[tokio::test]
async fn init_scripts_are_cleaned_measured_and_scanned() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let path = format!("/api/agents/{}", ada.agent("Coder").await);
    let store = |script: Value| ada.patch(&path, json!({"initScript": script}));
    let kept = store(json!("#!/bin/sh\r\necho 1\recho 2\n"))
        .await
        .expect(200)
        .body;
    assert_eq!(kept["initScript"], "#!/bin/sh\necho 1\necho 2\n");
    for blank in [json!(""), json!(" \n\t"), json!(null)] {
        store(json!("echo\n")).await.expect(200);
        assert_eq!(
            store(blank).await.expect(200).body["initScript"],
            Value::Null
        );
    }
    store(json!("😀".repeat(4_096))).await.expect(200);
    store(json!("é".repeat(8_193)))
        .await
        .refuses(400, "Init script is 16 KB; max 16 KB.");
    store(json!("é".repeat(10_000)))
        .await
        .refuses(400, "Init script is 20 KB; max 16 KB.");
    store(json!("x\r\n".repeat(8_192))).await.expect(200);
    store(json!("x".repeat(16_384))).await.expect(200);
    store(json!("x".repeat(16_385))).await.refuses(
        400,
        json!(["initScript must be shorter than or equal to 16384 characters"]),
    );
}

#[tokio::test]
async fn secrets_in_init_scripts_are_refused() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let path = format!("/api/agents/{}", ada.agent("Coder").await);
    let store = |script: &str| ada.patch(&path, json!({"initScript": script}));
    let refusal = |found: &str| {
        format!(
            "Secret-like value ({found}) detected in Agent init script. Remove it before saving — credentials must live in plugin settings, not in Agent files or Skill bodies."
        )
    };
    store("export ID=AKIAABCDEFGHIJ123456\n")
        .await
        .refuses(400, refusal("aws_access_key: \"AKIAAB…456\""));
    store("export ID=AKIA\u{200b}ABCDEFGHIJ12345\u{ff16}\n")
        .await
        .refuses(400, refusal("aws_access_key: \"AKIAAB…456\""));
    store("export ID=$AWS_ACCESS_KEY_ID\n").await.expect(200);
}
