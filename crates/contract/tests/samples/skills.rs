//! Samples of installed skills, the catalog and bindings.

use contract::skills::{
    AgentSkillList, CatalogAnswer, CatalogPage, SkillBinding, SkillBindingCreate, SkillCreate,
    SkillInstall, SkillPage,
};
use serde_json::{Value, json};

use super::{DAY, ID, OTHER, WireType, wire};

fn entry() -> Value {
    json!({
        "slug": "seo-audit", "title": "SEO audit", "description": "Audits a site.",
        "frontmatter": {"name": "seo-audit"}, "body": "# Audit", "version": "1.0.0",
        "tags": ["web"], "sourceUrl": "https://example.com/seo-audit"
    })
}

pub(super) fn all() -> Vec<WireType> {
    [installed(), bindings()].into_iter().flatten().collect()
}

fn installed() -> Vec<WireType> {
    vec![
        wire::<SkillPage>(
            "SkillPage",
            &["/data/0/ownerType"],
            &["frontmatter"],
            json!({
                "data": [{
                    "id": ID, "userId": OTHER, "ownerType": "tenant", "ownerId": OTHER,
                    "slug": "house-style", "invocationSlug": "style", "title": "House style",
                    "description": "How we write", "frontmatter": {"name": "house-style"},
                    "instructionsMd": "Write plainly.", "contentHash": "dd24",
                    "sourcePath": "skills/house-style", "sourceCatalogSlug": "house-style",
                    "sourceCatalogVersion": "1.0.0", "version": "1.2.0", "tenantId": OTHER,
                    "organizationId": OTHER, "createdAt": DAY, "updatedAt": DAY
                }],
                "meta": {"total": 9, "limit": 50, "offset": 5}
            }),
        ),
        wire::<CatalogPage>(
            "CatalogPage",
            &[],
            &["frontmatter"],
            json!({"entries": [entry()], "total": 12}),
        ),
        wire::<CatalogAnswer>(
            "CatalogAnswer",
            &[],
            &["frontmatter"],
            json!({"entry": entry(), "providerId": "remit"}),
        ),
        wire::<SkillInstall>(
            "SkillInstall",
            &["/ownerType"],
            &[],
            json!({"slug": "seo-audit", "ownerType": "tenant", "ownerId": ID}),
        ),
        wire::<SkillCreate>(
            "SkillCreate",
            &["/ownerType"],
            &["frontmatter"],
            json!({
                "ownerType": "tenant", "ownerId": ID, "title": "House style",
                "description": "How we write", "instructionsMd": "Write plainly.",
                "frontmatter": {"name": "house-style"}, "slug": "house-style",
                "version": "1.0.0", "invocationSlug": "style"
            }),
        ),
    ]
}

fn bindings() -> Vec<WireType> {
    vec![
        wire::<AgentSkillList>(
            "AgentSkillList",
            &["/data/0/targetType"],
            &[],
            json!({"data": [{
                "bindingId": ID, "priority": 10, "targetType": "work",
                "skill": {"id": OTHER, "slug": "house-style", "title": "House style", "version": "1.0.0"},
                "hiddenAgentBindingId": OTHER
            }]}),
        ),
        wire::<SkillBinding>(
            "SkillBinding",
            &["/targetType"],
            &[],
            json!({
                "id": ID, "skillId": OTHER, "targetType": "agent", "targetId": OTHER,
                "userId": OTHER, "injectIntoAgent": true, "injectIntoGenerator": true,
                "priority": 10, "tenantId": OTHER, "organizationId": OTHER, "createdAt": DAY
            }),
        ),
        wire::<SkillBindingCreate>(
            "SkillBindingCreate",
            &["/targetType"],
            &[],
            json!({
                "targetType": "agent", "targetId": ID, "priority": 10, "injectIntoAgent": true,
                "injectIntoGenerator": true
            }),
        ),
    ]
}
