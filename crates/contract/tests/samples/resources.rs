//! Samples of repositories and environments.

use contract::environments::{EnvironmentCreate, EnvironmentList};
use contract::repositories::{
    AgentRepository, Attachment, EnvFileContents, EnvFiles, Repository, RepositoryCreate,
};
use serde_json::{Value, json};

use super::{DAY, ID, OTHER, WireType, wire};

fn repository() -> Value {
    json!({
        "id": ID, "name": "my-service", "url": "https://github.com/acme/my-service",
        "provider": "github", "defaultBranch": "main", "mountPath": "service",
        "mountDir": "service", "description": "The service", "credentialMode": "secret-ref",
        "credentialRef": "env:DEPLOY", "envFiles": [{"path": ".env", "size": 42}],
        "availableInAllProjects": true, "sourceType": "work", "sourceWorkId": OTHER,
        "sourceInstallationRepoId": OTHER, "enabled": true, "readonly": true, "createdAt": DAY,
        "updatedAt": DAY
    })
}

fn attached() -> Value {
    let mut row = repository();
    row["attached"] = json!(true);
    row["attachmentEnabled"] = json!(true);
    row
}

pub(super) fn all() -> Vec<WireType> {
    let files = json!([{"path": ".env", "content": "LEVEL=info\n"}]);
    vec![
        wire::<Repository>(
            "Repository",
            &["/provider", "/credentialMode", "/sourceType"],
            &[],
            repository(),
        ),
        wire::<AgentRepository>("AgentRepository", &["/sourceType"], &[], attached()),
        wire::<Attachment>(
            "Attachment",
            &[],
            &[],
            json!({"agentId": ID, "repoConnectionId": OTHER, "enabled": true}),
        ),
        wire::<EnvFileContents>("EnvFileContents", &[], &[], json!({"files": files})),
        wire::<EnvFiles>(
            "EnvFiles",
            &[],
            &[],
            json!({"files": [{"path": ".env", "size": 42}]}),
        ),
        wire::<RepositoryCreate>(
            "RepositoryCreate",
            &["/provider", "/credentialMode"],
            &[],
            json!({
                "name": "my-service", "url": "https://github.com/acme/my-service",
                "provider": "git", "defaultBranch": "main", "mountPath": "service",
                "description": "The service", "credentialMode": "secret-ref",
                "credentialRef": "env:DEPLOY", "envFiles": files, "availableInAllProjects": true,
                "enabled": true
            }),
        ),
        wire::<EnvironmentList>(
            "EnvironmentList",
            &["/data/0/networkingMode", "/data/0/status"],
            &[],
            json!({"data": [{
                "id": ID, "userId": OTHER, "name": "Node 22", "slug": "node-22",
                "description": "For the site", "pipPackages": ["requests"],
                "npmPackages": ["typescript@^5.6.0"], "networkingMode": "limited",
                "allowedHosts": ["packages.example.com"], "allowPackageManagers": true,
                "status": "published", "availableInAllProjects": true, "createdAt": DAY,
                "updatedAt": DAY
            }]}),
        ),
        wire::<EnvironmentCreate>(
            "EnvironmentCreate",
            &["/networkingMode"],
            &[],
            json!({
                "name": "Node 22", "description": "For the site", "pipPackages": ["requests"],
                "npmPackages": ["typescript"], "networkingMode": "limited",
                "allowedHosts": ["packages.example.com"], "allowPackageManagers": true,
                "availableInAllProjects": true
            }),
        ),
    ]
}
