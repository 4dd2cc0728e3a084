//! What a switch writes, row by row as contract section 15 lists it, and what it shows in the
//! situations that section 16 found hard to understand.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

use contract::grants::{AgentGrantRow, Grant, GrantContent, PATTERNS_MAX, Scope};
use contract::ids::GrantId;
use contract::rules::edit::{Obstacle, check_content, toggle};
use contract::rules::explain::{AgentView, Bucket, Cause, Role, Switch};
use contract::rules::fold::{Layer, fold};
use contract::rules::permissions::{Flag, Permissions};
use serde_json::{Value, from_value, json, to_value};

/// A view from what the scopes store; `own` is the agent's row as JSON, `null` for none.
fn view(above: &[(Scope, Value)], own: &Value, permissions: Permissions) -> AgentView {
    let own: Option<GrantContent> = from_value(own.clone()).unwrap();
    let mut layers: Vec<Layer> = above
        .iter()
        .map(|(scope, grant)| Layer {
            scope: scope.clone(),
            id: Some(format!("{scope}-1")),
            grant: from_value(grant.clone()).unwrap(),
        })
        .collect();
    layers.push(Layer {
        scope: Scope::Agent,
        id: Some("agent-1".to_owned()),
        grant: own.as_ref().map(|own| Grant {
            allow: own.allow.clone(),
            deny: own.deny.clone(),
        }),
    });
    let row = own.map(|own| AgentGrantRow {
        id: GrantId::from("row"),
        allow: own.allow,
        deny: own.deny,
        note: own.note,
        revision: None,
    });
    AgentView::from_chain(&fold(&layers).chain, row.as_ref(), permissions)
}

fn alone(own: &Value) -> AgentView {
    view(&[], own, Permissions::default())
}

/// The body of the PUT for a toggle, without where it is written.
fn written(view: &AgentView, tools: &[&str], on: bool) -> Value {
    let tools: Vec<(&str, Option<&Flag>)> = tools.iter().map(|name| (*name, None)).collect();
    let edit = toggle(view, &tools, on);
    assert!(edit.skipped.is_empty(), "{:?}", edit.skipped);
    assert!(check_content(&edit.content).is_empty());
    let mut body = to_value(edit.content.write_to(Scope::Agent, "agent-1")).unwrap();
    let fields = body.as_object_mut().unwrap();
    assert_eq!(fields.remove("scopeType"), Some(json!("agent")));
    assert_eq!(fields.remove("scopeId"), Some(json!("agent-1")));
    body
}

#[test]
fn every_row_of_the_recomposition_table() {
    for (row, tool, on, expected) in [
        (
            json!(null),
            "searchWeb",
            false,
            json!({"deny": ["searchWeb"]}),
        ),
        (
            json!({"deny": ["search*"]}),
            "searchWeb",
            false,
            json!({"deny": ["search*"]}),
        ),
        (
            json!({"allow": ["searchWeb", "createTask"]}),
            "searchWeb",
            false,
            json!({"allow": ["searchWeb", "createTask"], "deny": ["searchWeb"]}),
        ),
        (
            json!({"deny": ["searchWeb", "createTask"]}),
            "searchWeb",
            true,
            json!({"deny": ["createTask"]}),
        ),
        (
            json!({"allow": ["createTask"], "deny": []}),
            "searchWeb",
            true,
            json!({"allow": ["createTask", "searchWeb"], "deny": []}),
        ),
        (
            json!({"allow": ["search*"], "deny": ["searchWeb"]}),
            "searchWeb",
            true,
            json!({"allow": ["search*"], "deny": []}),
        ),
    ] {
        let view = alone(&row);
        assert_eq!(written(&view, &[tool], on), expected, "{row} {tool} {on}");
        // The switch then shows what was asked for.
        let content: GrantContent = from_value(expected).unwrap();
        assert_eq!(
            view.with_agent_row(Some(&content)).is_on(tool, None),
            on,
            "{row}"
        );
    }
}

#[test]
fn a_toggle_keeps_the_note_the_order_the_case_and_what_it_does_not_know() {
    let row = json!({
        "allow": ["b_*", "zz", "A_*"], "deny": ["mcp__*", "SEARCHWEB", "mcp__*"], "note": "why"
    });
    assert_eq!(
        written(&alone(&row), &["a_1", "b_2"], false),
        json!({
            "allow": ["b_*", "zz", "A_*"],
            "deny": ["mcp__*", "SEARCHWEB", "mcp__*", "a_1", "b_2"],
            "note": "why"
        })
    );
}

#[test]
fn turning_the_last_tool_on_leaves_a_row_without_denials() {
    let view = alone(&json!({"deny": ["SearchWeb"], "note": ""}));
    assert_eq!(written(&view, &["searchWeb"], true), json!({"deny": []}));
}

#[test]
fn a_group_is_one_write() {
    let view = alone(&json!({"allow": ["a", "b*"], "deny": ["c", "b1"]}));
    assert_eq!(
        written(&view, &["a", "b1", "c", "d"], true),
        json!({"allow": ["a", "b*", "c", "d"], "deny": []})
    );
    assert_eq!(
        written(&view, &["a", "b1", "b2", "c"], false),
        json!({"allow": ["a", "b*"], "deny": ["c", "b1", "a", "b2"]})
    );
}

/// Switching off what is off already, by whatever layer, is no obstacle and no change.
#[test]
fn what_is_off_can_be_turned_off_without_complaint() {
    let above = [(Scope::Tenant, json!({"deny": ["mcp__*"]}))];
    let view = view(&above, &json!({"deny": ["send*"]}), Permissions::default());
    let tools = [("mcp__x", None), ("sendEmail", None), ("searchWeb", None)];
    let edit = toggle(&view, &tools, false);
    assert_eq!(edit.changed, ["searchWeb"]);
    assert!(edit.skipped.is_empty());
    assert_eq!(edit.content.deny.unwrap(), ["send*", "searchWeb"]);
    let flag = Flag::CanCallExternalTools;
    let gated = toggle(&view, &[("searchWeb", Some(&flag))], false);
    assert_eq!(
        gated.skipped,
        [("searchWeb".to_owned(), Obstacle::PermissionOff(flag))]
    );
}

#[test]
fn a_list_that_is_full_is_an_obstacle_and_not_a_loss() {
    let full: Vec<String> = (0..PATTERNS_MAX).map(|place| format!("t{place}")).collect();
    let off = toggle(&alone(&json!({"deny": full})), &[("x", None)], false);
    assert_eq!(off.skipped, [("x".to_owned(), Obstacle::TooManyPatterns)]);
    assert_eq!(off.content.deny.as_ref(), Some(&full));
    let view = alone(&json!({"allow": full}));
    assert_eq!(view.standing("x", None).switch, Switch::Locked);
    let on = toggle(&view, &[("x", None), ("t0", None)], true);
    assert_eq!(on.skipped, [("x".to_owned(), Obstacle::TooManyPatterns)]);
    assert!(!on.is_change);
}

/// Section 16, 2: under a tenant's `git_*` the agent's own `*` is rejected whole.
#[test]
fn a_rejected_list_of_the_agent_is_the_agents_fault() {
    let above = [(Scope::Tenant, json!({"allow": ["git_*"]}))];
    let view = view(&above, &json!({"allow": ["*"]}), Permissions::default());
    let standing = view.standing("git_commit", None);
    assert_eq!(standing.causes, [Cause::NotGrantedHere]);
    assert_eq!(standing.bucket, Bucket::OffHere);
    assert_eq!(
        written(&view, &["git_commit"], true),
        json!({"allow": ["*", "git_commit"], "deny": []})
    );
    assert!(view.with_agent_row(None).is_on("git_commit", None));
    let explanation = view.explain("git_commit", None);
    assert_eq!(explanation.deciding, Some(2));
    assert_eq!(explanation.layers[2].rejected, ["*"]);
    assert_eq!(explanation.decision.source, Scope::Tenant);
}

/// Section 16, 3: a Work that left the tool out is named, not the default.
#[test]
fn the_layer_that_left_a_tool_out_is_named() {
    let above = [(Scope::Work, json!({"allow": ["createTask"]}))];
    let view = view(&above, &json!(null), Permissions::default());
    let explanation = view.explain("searchWeb", None);
    assert_eq!(
        explanation.standing.causes,
        [Cause::NotGranted { layer: 1 }]
    );
    assert_eq!(explanation.standing.switch, Switch::Locked);
    assert_eq!(explanation.deciding, Some(1));
    assert_eq!(explanation.layers[1].role, Role::Excludes);
    assert_eq!(explanation.layers[1].scope, Scope::Work);
    assert_eq!(explanation.decision.source, Scope::Default);
}

/// Section 16, 4: neither list has the tool; switching on could not work, so it is locked.
#[test]
fn no_switch_is_usable_that_cannot_work() {
    let above = [(Scope::Work, json!({"allow": ["createTask", "commit*"]}))];
    let view = view(
        &above,
        &json!({"allow": ["createTask"]}),
        Permissions::default(),
    );
    assert_eq!(view.standing("searchWeb", None).switch, Switch::Locked);
    let edit = toggle(&view, &[("searchWeb", None), ("commitToRepo", None)], true);
    assert_eq!(
        edit.skipped,
        [("searchWeb".to_owned(), Obstacle::NotGranted { layer: 1 })]
    );
    assert_eq!(edit.changed, ["commitToRepo"]);
    assert_eq!(
        edit.content.allow.unwrap(),
        ["createTask".to_owned(), "commitToRepo".to_owned()]
    );
}

/// Section 16, 5: an exact and a wildcard denial; taking the exact one away would not help.
#[test]
fn a_wildcard_of_the_agent_is_named_also_beside_the_exact_name() {
    let view = alone(&json!({"deny": ["searchWeb", "search*"]}));
    let standing = view.standing("searchWeb", None);
    let pattern = "search*".to_owned();
    assert_eq!(standing.causes, [Cause::DeniedByOwnPattern { pattern }]);
    assert_eq!(
        (standing.bucket, standing.switch),
        (Bucket::OffHere, Switch::Locked)
    );
}

/// Section 16, 6: a missing permission does not hide a denial above.
#[test]
fn every_lock_is_reported_at_once() {
    let above = [(Scope::Organization, json!({"deny": ["send*"]}))];
    let view = view(
        &above,
        &json!({"deny": ["sendEmail"]}),
        Permissions::default(),
    );
    let flag = Flag::CanCallExternalTools;
    let standing = view.standing("sendEmail", Some(&flag));
    assert_eq!(
        standing.causes,
        [
            Cause::PermissionOff(flag),
            Cause::Denied {
                layer: 1,
                pattern: "send*".to_owned()
            },
            Cause::DeniedHere {
                pattern: "sendEmail".to_owned()
            },
        ]
    );
    assert_eq!(
        (standing.bucket, standing.switch),
        (Bucket::PermissionOff, Switch::Locked)
    );
}
