//! Short ways to write down an agent's situation.

use contract::grants::{AgentGrantRow, Grant, GrantContent, Scope};
use contract::ids::GrantId;
use contract::rules::explain::AgentView;
use contract::rules::fold::{Layer, fold};
use contract::rules::permissions::Permissions;

/// A list from words; `-` is no list, an empty text an empty list.
pub fn list(words: &str) -> Option<Vec<String>> {
    (words != "-").then(|| words.split_whitespace().map(str::to_owned).collect())
}

/// What a row holds.
pub fn row(allow: &str, deny: &str) -> GrantContent {
    GrantContent {
        allow: list(allow),
        deny: list(deny),
        note: None,
    }
}

/// The view of an agent under layers `(scope, allow, deny)`, with its own row, every flag on.
pub fn view(above: &[(Scope, &str, &str)], own: Option<&GrantContent>) -> AgentView {
    let mut layers: Vec<Layer> = above
        .iter()
        .map(|(scope, allow, deny)| Layer {
            scope: scope.clone(),
            id: Some(format!("{scope}-1")),
            grant: Some(Grant {
                allow: list(allow),
                deny: list(deny),
            }),
        })
        .collect();
    layers.push(Layer {
        scope: Scope::Agent,
        id: Some("agent-1".to_owned()),
        grant: None,
    });
    let chain = fold(&layers).chain;
    let mut view = AgentView::from_rows(&chain, &[], None, all_on());
    for layer in &layers {
        let content = layer.grant.as_ref().map(|grant| GrantContent {
            allow: grant.allow.clone(),
            deny: grant.deny.clone(),
            note: None,
        });
        let id = layer.id.as_deref().unwrap();
        view = view.with_row(&layer.scope, id, content.as_ref());
    }
    view.with_agent_row(own)
}

/// A row of the agent as the server answers it.
pub fn stored(content: &GrantContent) -> AgentGrantRow {
    AgentGrantRow {
        id: GrantId::from("row"),
        allow: content.allow.clone(),
        deny: content.deny.clone(),
        note: content.note.clone(),
        revision: None,
    }
}

/// Every flag on.
pub fn all_on() -> Permissions {
    Permissions {
        can_create_agents: true,
        can_assign_tasks: true,
        can_edit_skills: true,
        can_edit_agent_files: true,
        can_spend: true,
        can_commit_to_repo: true,
        can_open_pull_requests: true,
        can_call_external_tools: true,
        ..Permissions::default()
    }
}
