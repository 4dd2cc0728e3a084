//! Organizations and Works (contract section 2.4).

use serde_json::{Value, json};

use crate::harness::{NOBODY, Server, text};

#[tokio::test]
async fn the_first_organization_makes_the_tenant() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    assert_eq!(
        ada.get("/api/organizations").await.expect(200).body,
        json!([])
    );
    let made = ada
        .post(
            "/api/organizations",
            json!({"name": "Acme Inc.", "tenantName": "Acme"}),
        )
        .await
        .expect(201)
        .body;
    assert_eq!(made["slug"], "acme-inc");
    assert_eq!(made["displayName"], "Acme Inc.");
    assert_eq!(made["legalName"], Value::Null);
    let fresh = ada.get("/api/auth/profile/fresh").await.expect(200).body;
    assert_eq!(fresh["tenantId"], made["tenantId"]);
    assert_eq!(fresh["tenantName"], "Acme");
    assert_eq!(fresh["lastScopeOrganizationId"], made["id"]);

    let second = ada
        .post("/api/organizations", json!({"name": "Acme, Inc"}))
        .await
        .expect(201)
        .body;
    assert_eq!(second["tenantId"], made["tenantId"]);
    assert_ne!(
        second["slug"], made["slug"],
        "short names differ in a tenant"
    );
    let list = ada.get("/api/organizations").await.expect(200).body;
    assert_eq!(list, json!([second, made]), "newest first");
}

#[tokio::test]
async fn organizations_are_seen_by_their_tenant_only() {
    let server = Server::start().await;
    server.owner("ada").await;
    let eve = server.register("eve").await;
    assert_eq!(
        eve.get("/api/organizations").await.expect(200).body,
        json!([])
    );
    assert_eq!(
        eve.get("/api/works").await.expect(200).body["works"],
        json!([])
    );
}

#[tokio::test]
async fn works_are_made_with_200_and_listed_newest_first() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let body = json!({
        "slug": "docs", "name": "Docs", "description": "Pages", "organization": true,
        "owner": "acme",
    });
    let made = ada.post("/api/works", body.clone()).await.expect(200).body;
    assert_eq!(made["status"], "success");
    let work = &made["work"];
    assert_eq!(work["userId"], ada.id.as_str());
    assert_eq!(work["tenantId"], ada.tenant.as_str());
    assert_eq!(work["organizationId"], ada.organization.as_str());
    let list = ada.get("/api/works").await.expect(200).body;
    assert_eq!(list["works"][0], *work);
    assert_eq!((&list["total"], &list["offset"]), (&json!(2), &json!(0)));
    let one = ada.get(&format!("/api/works/{}", text(&work["id"]))).await;
    assert_eq!(one.expect(200).body, made);
    ada.post("/api/works", body)
        .await
        .refuses(409, "A Work with slug \"docs\" already exists.");
    for id in [NOBODY, "abc"] {
        let expected =
            json!({"status": "error", "message": format!("Work with id '{id}' not found")});
        let missing = ada.get(&format!("/api/works/{id}")).await.expect(404);
        assert_eq!(missing.body, expected);
    }
}

#[tokio::test]
async fn a_work_needs_its_fields() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    ada.post("/api/works", json!({"slug": "A b", "name": "", "extra": 1}))
        .await
        .refuses(
            400,
            json!([
                "property extra should not exist",
                "slug must match /^[a-z0-9-]+$/ regular expression",
                "name should not be empty",
                "description must be shorter than or equal to 2000 characters",
                "description must be a string",
                "organization must be a boolean value",
            ]),
        );
}
