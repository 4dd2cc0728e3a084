//! Who may do what: every route for nobody, its owner and a stranger. A stranger never learns
//! more than that something is not there.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Account, NOBODY, Owner, Server, text};

/// One route: what it is asked and which status each caller gets. `{…}` is replaced by an id of
/// the owner.
struct Row(&'static str, &'static str, fn() -> Value, u16, u16, u16);

fn none() -> Value {
    Value::Null
}

const MATRIX: &[Row] = &[
    // method, path, body, anonymous, owner, stranger
    Row("GET", "/api/health", none, 200, 200, 200),
    Row("GET", "/api/health/ready", none, 200, 200, 200),
    Row("GET", "/api/config", none, 200, 200, 200),
    Row("GET", "/api/auth/providers", none, 200, 200, 200),
    Row("POST", "/api/auth/register", || json!({}), 400, 400, 400),
    Row("POST", "/api/auth/login", || json!({}), 400, 400, 400),
    Row("POST", "/api/auth/link", || json!({}), 400, 400, 400),
    Row("GET", "/api/auth/session", none, 401, 200, 200),
    Row("GET", "/api/auth/profile", none, 401, 200, 200),
    Row("GET", "/api/auth/profile/fresh", none, 401, 200, 200),
    Row("GET", "/api/auth/api-keys", none, 401, 200, 200),
    Row(
        "POST",
        "/api/auth/api-keys",
        || json!({"name": "k"}),
        401,
        201,
        201,
    ),
    Row("GET", "/api/organizations", none, 401, 200, 200),
    Row(
        "POST",
        "/api/organizations",
        || json!({"name": "O"}),
        401,
        201,
        201,
    ),
    Row("GET", "/api/works", none, 401, 200, 200),
    Row("POST", "/api/works", || json!({}), 401, 400, 400),
    Row("GET", "/api/works/{work}", none, 401, 200, 404),
    Row("GET", "/api/agents", none, 401, 200, 200),
    Row(
        "POST",
        "/api/agents",
        || json!({"scope": "tenant", "name": "N"}),
        401,
        201,
        201,
    ),
    Row("GET", "/api/agents/{agent}", none, 401, 200, 404),
    Row(
        "PATCH",
        "/api/agents/{agent}",
        || json!({"title": "T"}),
        401,
        200,
        404,
    ),
    Row("POST", "/api/agents/{agent}/resume", none, 401, 200, 404),
    Row("POST", "/api/agents/{agent}/pause", none, 401, 200, 404),
    Row(
        "GET",
        "/api/agents/{agent}/capabilities",
        none,
        401,
        200,
        404,
    ),
    Row("GET", "/api/agents/{agent}/events", none, 401, 200, 404),
    Row(
        "GET",
        "/api/access-summary?agentIds={agent}",
        none,
        401,
        200,
        200,
    ),
    Row(
        "POST",
        "/api/skill-lint",
        || json!({"directory": "a", "text": "---\nname: a\ndescription: b\n---\n"}),
        401,
        200,
        200,
    ),
    Row("GET", "/api/tool-grants", none, 401, 200, 200),
    Row(
        "GET",
        "/api/tool-grants/resolve?agentId={agent}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "GET",
        "/api/tool-grants/resolve?workId={work}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "GET",
        "/api/tool-grants/resolve?organizationId={organization}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "GET",
        "/api/tool-grants/check?agentId={agent}&toolName=x",
        none,
        401,
        200,
        404,
    ),
    Row(
        "GET",
        "/api/tool-grants/check?workId={work}&toolName=x",
        none,
        401,
        200,
        404,
    ),
    Row("GET", "/api/environments", none, 401, 200, 200),
    Row(
        "POST",
        "/api/environments",
        || json!({"name": "E"}),
        401,
        201,
        201,
    ),
    Row(
        "GET",
        "/api/environments/{environment}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "PATCH",
        "/api/environments/{environment}",
        || json!({"description": "D"}),
        401,
        200,
        404,
    ),
    Row(
        "POST",
        "/api/environments/{environment}/publish",
        none,
        401,
        200,
        404,
    ),
    Row(
        "DELETE",
        "/api/environments/{environment}",
        none,
        401,
        204,
        404,
    ),
    Row("GET", "/api/repo-connections", none, 401, 200, 200),
    Row(
        "POST",
        "/api/repo-connections",
        || json!({"name": "r", "url": "https://h.example/r"}),
        401,
        201,
        201,
    ),
    Row(
        "POST",
        "/api/repo-connections/import/github-app/{repository}",
        none,
        401,
        404,
        404,
    ),
    Row(
        "GET",
        "/api/repo-connections/{repository}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "PATCH",
        "/api/repo-connections/{repository}",
        || json!({"enabled": false}),
        401,
        200,
        404,
    ),
    Row(
        "GET",
        "/api/repo-connections/{repository}/env-files",
        none,
        401,
        200,
        404,
    ),
    Row(
        "PUT",
        "/api/repo-connections/{repository}/env-files",
        || json!({"files": []}),
        401,
        200,
        404,
    ),
    Row("GET", "/api/agents/{agent}/repos", none, 401, 200, 404),
    Row(
        "PUT",
        "/api/agents/{agent}/repos/{repository}",
        || json!({"enabled": true}),
        401,
        200,
        404,
    ),
    Row(
        "DELETE",
        "/api/agents/{agent}/repos/{repository}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "DELETE",
        "/api/repo-connections/{repository}",
        none,
        401,
        200,
        404,
    ),
    Row("GET", "/api/mcp-connections", none, 401, 200, 200),
    Row("POST", "/api/mcp-connections", || json!({}), 401, 400, 400),
    Row(
        "GET",
        "/api/mcp-connections/{connection}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "GET",
        "/api/mcp-connections/{connection}/agents",
        none,
        401,
        200,
        404,
    ),
    Row(
        "PATCH",
        "/api/mcp-connections/{connection}",
        || json!({"enabled": false}),
        401,
        200,
        404,
    ),
    Row(
        "GET",
        "/api/agents/{agent}/mcp-servers",
        none,
        401,
        200,
        404,
    ),
    Row(
        "PUT",
        "/api/agents/{agent}/mcp-servers/{connection}",
        || json!({"enabled": true}),
        401,
        200,
        404,
    ),
    Row(
        "DELETE",
        "/api/agents/{agent}/mcp-servers/{connection}",
        none,
        401,
        200,
        404,
    ),
    Row(
        "DELETE",
        "/api/mcp-connections/{connection}",
        none,
        401,
        200,
        404,
    ),
    Row("GET", "/api/activity-log", none, 401, 200, 200),
    Row("GET", "/api/activity-log/{entry}", none, 401, 200, 404),
    Row("DELETE", "/api/tool-grants/{grant}", none, 401, 200, 404),
    Row("DELETE", "/api/agents/{agent}", none, 401, 200, 404),
    Row("POST", "/api/agents/{agent}/unarchive", none, 401, 200, 404),
    Row(
        "DELETE",
        "/api/agents/{agent}?hard=true",
        none,
        401,
        200,
        404,
    ),
    Row("DELETE", "/api/auth/api-keys/{key}", none, 401, 200, 404),
    Row("POST", "/api/auth/logout", none, 401, 200, 200),
];

struct Ids(Vec<(&'static str, String)>);

impl Ids {
    async fn of(owner: &Owner<'_>) -> Self {
        let agent = owner.work_agent("Coder").await;
        let grant = owner.grant("agent", &agent, json!({"deny": ["x"]})).await;
        let key = owner.post("/api/auth/api-keys", json!({"name": "k"})).await;
        let environment = json!({"name": "Node"});
        let environment = owner.post("/api/environments", environment).await;
        let repository = json!({"name": "service", "url": "https://h.example/x"});
        let repository = owner.post("/api/repo-connections", repository).await;
        let server = json!({
            "name": "docs", "url": "https://docs.example/mcp", "transport": "sse",
        });
        let server = owner.post("/api/mcp-connections", server).await.expect(201);
        let log = owner.get("/api/activity-log").await.body;
        Self(vec![
            ("{agent}", agent),
            ("{work}", owner.work.clone()),
            ("{organization}", owner.organization.clone()),
            ("{grant}", text(&grant["id"])),
            ("{environment}", text(&environment.body["id"])),
            ("{repository}", text(&repository.body["id"])),
            ("{key}", text(&key.body["id"])),
            ("{connection}", text(&server.body["id"])),
            ("{entry}", text(&log["activities"][0]["id"])),
        ])
    }

    fn fill(&self, path: &str) -> String {
        let replace = |path: String, (name, id): &(&str, String)| path.replace(name, id);
        self.0.iter().fold(path.to_owned(), replace)
    }
}

#[tokio::test]
async fn every_route_for_nobody_its_owner_and_a_stranger() {
    let server = Server::start().await;
    let owner = server.owner("ada").await;
    let stranger = server.owner("eve").await;
    let ids = Ids::of(&owner).await;
    let mut wrong = Vec::new();
    for Row(method, path, body, anonymous, own, foreign) in MATRIX {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let path = ids.fill(path);
        let body = Some(body()).filter(|body| !body.is_null());
        let nobody = server.anonymous(method.clone(), &path, body.clone()).await;
        // The stranger before the owner: a deletion by the owner must not explain the 404.
        let refused = stranger.send(method.clone(), &path, body.clone()).await;
        let done = owner.send(method.clone(), &path, body).await;
        let seen = (nobody.status, done.status, refused.status);
        if seen != (*anonymous, *own, *foreign) {
            wrong.push(format!("{method} {path}: {seen:?}, {}", done.text));
        }
        if path.contains(&owner.work) || refused.status == 404 {
            assert!(!refused.text.contains("ada"), "{path} reveals its owner");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Read leniently: probes may carry anything, and the activity log ignores what it cannot read.
const LENIENT: [&str; 5] = [
    "/api/health",
    "/api/config",
    "/api/activity-log",
    "/api/auth/providers",
    "/api/auth/log",
];

#[tokio::test]
async fn a_query_key_that_no_endpoint_knows_is_refused_and_changes_nothing() {
    let server = Server::start().await;
    let owner = server.owner("ada").await;
    let ids = Ids::of(&owner).await;
    for Row(method, path, body, anonymous, ..) in MATRIX {
        let lenient = LENIENT.iter().any(|prefix| path.starts_with(prefix));
        if (lenient && !path.contains("{entry}")) || *anonymous == 400 {
            continue;
        }
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mark = if path.contains('?') { '&' } else { '?' };
        let path = ids.fill(&format!("{path}{mark}zz=1"));
        let body = Some(body()).filter(|body| !body.is_null());
        let answer = owner.send(method.clone(), &path, body).await;
        assert_eq!(answer.status, 400, "{method} {path}: {}", answer.text);
        assert!(
            answer.text.contains("property zz should not exist"),
            "{method} {path}: {}",
            answer.text
        );
    }
    let agent = owner.get(&ids.fill("/api/agents/{agent}")).await.body;
    assert_ne!(agent["status"], "archived");
}

#[tokio::test]
async fn foreign_and_unknown_ids_are_told_apart_by_nothing() {
    let server = Server::start().await;
    let owner = server.owner("ada").await;
    let stranger = server.owner("eve").await;
    let ids = Ids::of(&owner).await;
    for Row(method, path, body, .., foreign) in MATRIX {
        if *foreign != 404 {
            continue;
        }
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let body = Some(body()).filter(|body| !body.is_null());
        let unknown = [
            "{agent}",
            "{work}",
            "{organization}",
            "{grant}",
            "{environment}",
            "{repository}",
            "{key}",
            "{connection}",
            "{entry}",
        ]
        .iter()
        .fold((*path).to_owned(), |path, name| path.replace(name, NOBODY));
        let path = ids.fill(path);
        let one = stranger.send(method.clone(), &path, body.clone()).await;
        let other = stranger.send(method, &unknown, body).await;
        let same_form = |answer: &crate::harness::Answer| {
            let found = path.split(|c: char| !(c.is_ascii_hexdigit() || c == '-'));
            let id = found
                .into_iter()
                .find(|part| part.len() == 36)
                .unwrap()
                .to_owned();
            answer.text.replace(&id, "ID").replace(NOBODY, "ID")
        };
        assert_eq!(one.status, other.status, "{path}");
        assert_eq!(same_form(&one), same_form(&other), "{path}");
    }
}

async fn grant_at(account: &Account<'_>, scope: &str, id: &str) -> u16 {
    let body = json!({"scopeType": scope, "scopeId": id, "deny": ["x"]});
    account.put("/api/tool-grants", body).await.status
}

#[tokio::test]
async fn grants_are_written_at_own_scopes_only() {
    let server = Server::start().await;
    let owner = server.owner("ada").await;
    let stranger = server.owner("eve").await;
    let agent = owner.work_agent("Coder").await;
    for (scope, id) in [
        ("tenant", owner.tenant.as_str()),
        ("organization", owner.organization.as_str()),
        ("work", owner.work.as_str()),
        ("agent", agent.as_str()),
    ] {
        assert_eq!(grant_at(&stranger, scope, id).await, 404, "{scope}");
        assert_eq!(grant_at(&owner, scope, id).await, 200, "{scope}");
        assert_eq!(grant_at(&owner, scope, NOBODY).await, 404, "{scope}");
    }
    assert_eq!(stranger.get("/api/tool-grants").await.body, json!([]));
}
