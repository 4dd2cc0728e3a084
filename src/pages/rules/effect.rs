//! What a rule would change: for every agent below the scope, which tools turn on or off and which
//! layer decides then. Computed from the stored rows with the rules the control plane itself runs;
//! what could not be read is unknown, never guessed.

use contract::agents::Agent;
use contract::catalog::UNLISTED;
use contract::grants::{AgentGrantRow, ChainEntry, GrantContent, GrantRow, ResolvedGrants, Scope};
use contract::organizations::Work;
use contract::rules::difference::difference;
use contract::rules::edit::blocks_everything;
use contract::rules::explain::{AgentView, Cause, Standing};
use contract::rules::pattern::sanitize;
use contract::rules::permissions::{Flag, Permissions};

/// A tool grants apply to, with the flag that gates it.
pub type KnownTool = (String, Option<Flag>);

/// An agent the rule may concern, and what the control plane resolves for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The agent.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its flags.
    pub permissions: Permissions,
    /// Its chain, or the sentence that says why it is not known.
    pub resolved: Result<ResolvedGrants, String>,
}

/// A layer of a chain.
pub type LayerId = (Scope, Option<String>);

/// One tool of one agent that turns on or off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolEffect {
    /// The tool.
    pub tool: String,
    /// Whether it is on afterwards.
    pub on: bool,
    /// The layer that refuses it: afterwards if it turns off, before if it turns on.
    pub layer: Option<LayerId>,
}

/// One agent for which something changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentEffect {
    /// The agent.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its tools that change.
    pub tools: Vec<ToolEffect>,
    /// How many tools are on before.
    pub before: usize,
    /// How many tools are on after.
    pub after: usize,
}

/// What a rule would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Agents for which something changes.
    pub agents: Vec<AgentEffect>,
    /// How many agents below the scope were looked at.
    pub checked: usize,
    /// Agents whose chain is not known, and why.
    pub unknown: Vec<(String, String)>,
    /// Agents that are left without any tool by this change.
    pub emptied: Vec<String>,
    /// Whether the rule asks for patterns and every one of them is rejected.
    pub fully_rejected: bool,
}

impl Preview {
    /// Whether applying needs a second confirmation.
    pub fn is_drastic(&self) -> bool {
        !self.emptied.is_empty() || self.fully_rejected
    }

    /// The preview in a sentence.
    pub fn headline(&self) -> String {
        match (self.agents.len(), self.unknown.len()) {
            (0, 0) => "No agent changes".to_owned(),
            (0, unknown) => format!("Not known for {}", agents_word(unknown)),
            (1, 0) => "1 agent changes".to_owned(),
            (many, 0) => format!("{many} agents change"),
            (many, unknown) => format!(
                "{} {} for certain, not known for {}",
                agents_word(many),
                if many == 1 { "changes" } else { "change" },
                agents_word(unknown)
            ),
        }
    }
}

/// `1 agent`, `2 agents`.
pub fn agents_word(count: usize) -> String {
    match count {
        1 => "1 agent".to_owned(),
        many => format!("{many} agents"),
    }
}

/// The stored row of an agent in the shape the rules take.
pub fn agent_row(rows: &[GrantRow], agent: &str) -> Option<AgentGrantRow> {
    crate::pages::agent::grant_writes::own_row(rows, agent)
}

/// The tools grants apply to: those listed, and those only runs assemble.
pub fn all_tools(listed: impl Iterator<Item = KnownTool>) -> Vec<KnownTool> {
    let mut tools: Vec<KnownTool> = listed.collect();
    for (name, gate) in UNLISTED {
        if !tools
            .iter()
            .any(|(tool, _)| tool.eq_ignore_ascii_case(name))
        {
            tools.push(((*name).to_owned(), gate.clone()));
        }
    }
    tools
}

/// Agents that may be below a scope, as far as that can be told without their chains.
pub fn candidates<'a>(
    scope: &Scope,
    id: &str,
    agents: &'a [Agent],
    works: Option<&[Work]>,
) -> Vec<&'a Agent> {
    let elsewhere = |agent: &Agent| {
        let Some(work) = &agent.work_id else {
            return false;
        };
        let found = works.and_then(|works| works.iter().find(|one| one.id == *work));
        found
            .and_then(|work| work.organization_id.as_ref())
            .is_some_and(|organization| organization.as_str() != id)
    };
    agents
        .iter()
        .filter(|agent| match scope {
            Scope::Tenant => true,
            Scope::Organization => !elsewhere(agent),
            Scope::Work => agent
                .work_id
                .as_ref()
                .is_some_and(|work| work.as_str() == id),
            Scope::Agent => agent.id.as_str() == id,
            Scope::Default | Scope::Unknown(_) => false,
        })
        .collect()
}

/// Whether a chain passes through a scope.
fn passes(chain: &[ChainEntry], scope: &Scope, id: &str) -> bool {
    chain
        .iter()
        .any(|entry| entry.scope == *scope && entry.id.as_deref() == Some(id))
}

/// The view of one subject for these rows; a sentence where it cannot be trusted.
fn view_of(subject: &Subject, rows: &[GrantRow]) -> Result<AgentView, String> {
    let resolved = subject.resolved.as_ref().map_err(Clone::clone)?;
    if resolved.chain.is_empty() {
        return Err("The control plane could not look up its chain.".to_owned());
    }
    Ok(AgentView::from_rows(
        &resolved.chain,
        rows,
        agent_row(rows, &subject.id).as_ref(),
        subject.permissions,
    ))
}

/// Whether the rules make of these rows what the control plane made of them.
pub fn agrees(subject: &Subject, rows: &[GrantRow]) -> bool {
    match (&subject.resolved, view_of(subject, rows)) {
        (Ok(resolved), Ok(view)) => view.resolved() == resolved,
        _ => true,
    }
}

/// What storing `content` at a scope (or deleting what is stored there) changes.
pub fn preview(
    subjects: &[Subject],
    rows: &[GrantRow],
    tools: &[KnownTool],
    (scope, id): (&Scope, &str),
    content: Option<&GrantContent>,
) -> Preview {
    let mut preview = Preview::default();
    let named: Vec<(&str, Option<&Flag>)> = tools
        .iter()
        .map(|(name, gate)| (name.as_str(), gate.as_ref()))
        .collect();
    for subject in subjects {
        let before = match view_of(subject, rows) {
            Ok(view) if passes(&view.resolved().chain, scope, id) => view,
            Ok(_) => continue,
            Err(why) => {
                preview.unknown.push((subject.name.clone(), why));
                continue;
            }
        };
        preview.checked += 1;
        let after = before.with_row(scope, id, content);
        preview.fully_rejected |= loses_every_pattern(&after, (scope, id), content);
        let changes = difference(&before, &after, named.iter().copied());
        if changes.is_empty() {
            continue;
        }
        let on = |view: &AgentView| {
            named
                .iter()
                .filter(|(name, gate)| view.standing(name, *gate).is_on())
                .count()
        };
        if blocks_everything(&after, &named) {
            preview.emptied.push(subject.name.clone());
        }
        let tools = changes
            .into_iter()
            .map(|change| {
                let on = change.after.is_on();
                let layer = if on {
                    deciding_layer(&before, &change.before)
                } else {
                    deciding_layer(&after, &change.after)
                };
                ToolEffect {
                    tool: change.name,
                    on,
                    layer,
                }
            })
            .collect();
        preview.agents.push(AgentEffect {
            id: subject.id.clone(),
            name: subject.name.clone(),
            tools,
            before: on(&before),
            after: on(&after),
        });
    }
    preview
}

fn deciding_layer(view: &AgentView, standing: &Standing) -> Option<LayerId> {
    let chain = &view.resolved().chain;
    let place = match standing.causes.first()? {
        Cause::Denied { layer, .. } | Cause::NotGranted { layer } => *layer,
        Cause::DeniedByOwnPattern { .. } | Cause::DeniedHere { .. } | Cause::NotGrantedHere => {
            chain.iter().position(|entry| entry.scope == Scope::Agent)?
        }
        Cause::PermissionOff(_) | Cause::InvalidName => return None,
    };
    let entry = chain.get(place)?;
    Some((entry.scope.clone(), entry.id.clone()))
}

fn loses_every_pattern(
    after: &AgentView,
    (scope, id): (&Scope, &str),
    content: Option<&GrantContent>,
) -> bool {
    let asked = content.and_then(|content| sanitize(content.allow.as_deref()));
    let entry = after
        .resolved()
        .chain
        .iter()
        .find(|entry| entry.scope == *scope && entry.id.as_deref() == Some(id));
    asked.is_some_and(|asked| !asked.is_empty())
        && entry.is_some_and(|entry| entry.allow.is_empty() && !entry.rejected.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::grants::Grant;
    use contract::rules::fold::{Layer, fold};

    const HERE: (Scope, &str) = (Scope::Organization, "o1");

    #[allow(
        clippy::unnecessary_wraps,
        reason = "the wire type holds an optional list"
    )]
    fn list(items: &[&str]) -> Option<Vec<String>> {
        Some(items.iter().map(|item| (*item).to_owned()).collect())
    }

    fn row(scope: Scope, id: &str, allow: Option<Vec<String>>, deny: &[&str]) -> GrantRow {
        let body = serde_json::json!({
            "id": format!("row-{id}"), "scopeType": scope, "scopeId": id, "allow": allow, "deny": deny,
        });
        serde_json::from_value(body).expect("a grant row")
    }

    fn subject(name: &str, organization: &str, rows: &[GrantRow]) -> Subject {
        let layer = |scope: Scope, id: &str| {
            let stored = rows
                .iter()
                .find(|row| row.scope_type == scope && row.scope_id == id);
            Layer {
                scope,
                id: Some(id.to_owned()),
                grant: stored.map(|row| Grant {
                    allow: row.allow.clone(),
                    deny: row.deny.clone(),
                }),
            }
        };
        let layers = [
            layer(Scope::Tenant, "t1"),
            layer(Scope::Organization, organization),
            layer(Scope::Agent, name),
        ];
        Subject {
            id: name.to_owned(),
            name: name.to_owned(),
            permissions: Permissions::default(),
            resolved: Ok(fold(&layers)),
        }
    }

    fn tools(names: &[&str]) -> Vec<KnownTool> {
        names
            .iter()
            .map(|name| ((*name).to_owned(), None))
            .collect()
    }

    fn content(allow: Option<Vec<String>>, deny: &[&str]) -> GrantContent {
        GrantContent {
            allow,
            deny: list(deny),
            note: None,
        }
    }

    #[test]
    fn only_agents_below_the_scope_change_and_the_layer_is_named() {
        let rows = [row(Scope::Tenant, "t1", None, &["send*"])];
        let subjects = [subject("a", "o1", &rows), subject("b", "o2", &rows)];
        let preview = preview(
            &subjects,
            &rows,
            &tools(&["sendEmail", "searchWeb", "get"]),
            (&HERE.0, HERE.1),
            Some(&content(None, &["search*", "send*"])),
        );
        assert_eq!(preview.checked, 1);
        assert_eq!(preview.headline(), "1 agent changes");
        let effect = &preview.agents[0];
        assert_eq!((effect.before, effect.after), (2, 1));
        assert_eq!(
            effect.tools,
            [ToolEffect {
                tool: "searchWeb".to_owned(),
                on: false,
                layer: Some((Scope::Organization, Some("o1".to_owned()))),
            }]
        );
        assert!(!preview.is_drastic());
    }

    #[test]
    fn an_allow_list_wider_than_above_grants_nothing_and_is_drastic() {
        let rows = [row(Scope::Tenant, "t1", list(&["git_*"]), &[])];
        let subjects = [subject("a", "o1", &rows)];
        let preview = preview(
            &subjects,
            &rows,
            &tools(&["git_commit"]),
            (&HERE.0, HERE.1),
            Some(&content(list(&["*"]), &[])),
        );
        assert!(preview.fully_rejected);
        assert_eq!(preview.emptied, ["a"]);
    }

    #[test]
    fn deleting_a_row_names_the_layer_that_refused_before() {
        let rows = [row(Scope::Organization, "o1", None, &["get"])];
        let subjects = [subject("a", "o1", &rows)];
        let preview = preview(&subjects, &rows, &tools(&["get"]), (&HERE.0, HERE.1), None);
        assert!(preview.agents[0].tools[0].on);
        assert_eq!(
            preview.agents[0].tools[0].layer,
            Some((Scope::Organization, Some("o1".to_owned())))
        );
    }

    #[test]
    fn what_could_not_be_read_is_unknown() {
        let mut failed = subject("a", "o1", &[]);
        failed.resolved = Err("no answer".to_owned());
        let mut open = subject("b", "o1", &[]);
        open.resolved = Ok(contract::rules::fold::failed_open());
        let preview = preview(
            &[failed, open],
            &[],
            &tools(&["get"]),
            (&HERE.0, HERE.1),
            Some(&content(None, &["*"])),
        );
        assert_eq!(preview.headline(), "Not known for 2 agents");
        assert!(preview.agents.is_empty());
    }

    #[test]
    fn a_control_plane_that_folds_otherwise_is_noticed() {
        let rows = [row(Scope::Organization, "o1", None, &["get"])];
        assert!(agrees(&subject("a", "o1", &rows), &rows));
        assert!(!agrees(&subject("a", "o1", &[]), &rows));
    }
}
