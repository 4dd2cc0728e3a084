//! Who is blamed: the situations in which the reference's own page names the wrong scope, shows a
//! switch that does nothing or hides a second reason (contract section 16, 2 to 6).
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod support;

use contract::capabilities::{Capabilities, Tool, ToolSource};
use contract::grants::Scope;
use contract::rules::explain::{AgentView, Bucket, Cause, Role, Standing, Switch};
use contract::rules::fold::{decide, fold};
use contract::rules::permissions::{Flag, Permissions};
use serde_json::{Value, from_value, json};
use support::cases::{all_on, row, stored, view};

fn standing(view: &AgentView, tool: &str) -> Standing {
    view.standing(tool, None)
}

fn roles(view: &AgentView, tool: &str) -> Vec<Role> {
    let layers = view.explain(tool, None).layers;
    layers.iter().map(|layer| layer.role).collect()
}

#[test]
fn an_agent_list_that_was_rejected_is_the_agents_own_doing() {
    let agent = view(&[(Scope::Tenant, "git_*", "-")], Some(&row("*", "-")));
    assert_eq!(
        standing(&agent, "git_commit"),
        Standing {
            bucket: Bucket::OffHere,
            switch: Switch::Off,
            causes: vec![Cause::NotGrantedHere],
        }
    );
    assert_eq!(agent.explain("git_commit", None).deciding, Some(2));
    assert_eq!(
        roles(&agent, "git_commit"),
        [Role::Grants, Role::Grants, Role::Excludes]
    );
    // Another tool is the tenant's doing, although the agent asks for it.
    assert_eq!(
        standing(&agent, "deploy").causes,
        [Cause::NotGranted { layer: 1 }]
    );
}

#[test]
fn a_work_that_leaves_a_tool_out_is_named_not_the_default() {
    let agent = view(&[(Scope::Work, "createTask", "-")], None);
    assert_eq!(
        standing(&agent, "searchWeb"),
        Standing {
            bucket: Bucket::DeniedAbove,
            switch: Switch::Locked,
            causes: vec![Cause::NotGranted { layer: 1 }],
        }
    );
    let explanation = agent.explain("searchWeb", None);
    assert_eq!(explanation.decision.source, Scope::Default);
    assert_eq!(
        explanation.layers[explanation.deciding.unwrap()].scope,
        Scope::Work
    );
}

#[test]
fn a_tool_missing_above_and_here_is_locked_not_dead() {
    let agent = view(
        &[(Scope::Work, "createTask", "-")],
        Some(&row("createTask", "-")),
    );
    let found = standing(&agent, "searchWeb");
    assert_eq!(found.switch, Switch::Locked);
    assert_eq!(
        found.causes,
        [Cause::NotGranted { layer: 1 }, Cause::NotGrantedHere]
    );
    assert_eq!(
        roles(&agent, "searchWeb"),
        [Role::Grants, Role::Excludes, Role::AlsoExcludes]
    );
}

#[test]
fn a_wildcard_beside_the_exact_name_locks() {
    for deny in ["search* searchWeb", "searchWeb search*", "searchWeb *"] {
        let agent = view(&[], Some(&row("-", deny)));
        let found = standing(&agent, "searchWeb");
        assert_eq!(found.switch, Switch::Locked, "{deny}");
        assert!(matches!(
            found.causes.as_slice(),
            [Cause::DeniedByOwnPattern { pattern }] if pattern.ends_with('*')
        ));
    }
}

#[test]
fn a_flag_that_is_off_hides_no_second_reason() {
    let above = [
        (Scope::Tenant, "-", "-"),
        (Scope::Organization, "-", "x search* *"),
        (Scope::Work, "createTask", "searchWeb"),
    ];
    let agent = view(&above, Some(&row("createTask", "sea* searchWeb")))
        .with_permissions(Permissions::default());
    let gate = Flag::CanCallExternalTools;
    let found = agent.standing("searchWeb", Some(&gate));
    assert_eq!(found.bucket, Bucket::PermissionOff);
    assert_eq!(
        found.causes,
        [
            Cause::PermissionOff(gate.clone()),
            Cause::Denied {
                layer: 2,
                pattern: "search*".to_owned()
            },
            Cause::DeniedByOwnPattern {
                pattern: "sea*".to_owned()
            },
            Cause::NotGrantedHere,
        ]
    );
    let report = agent.explain("searchWeb", Some(&gate));
    assert_eq!(report.deciding, Some(2));
    assert_eq!(report.layers[2].matching_deny, ["search*", "*"]);
    let after: Vec<(Role, bool)> = report
        .layers
        .iter()
        .map(|layer| (layer.role, layer.after_decision))
        .collect();
    assert_eq!(
        after,
        [
            (Role::Grants, false),
            (Role::Silent, false),
            (Role::Denies, false),
            (Role::AlsoDenies, true),
            (Role::AlsoDenies, true),
        ]
    );
    // With the flag on the rest stays.
    let on = agent
        .with_permissions(all_on())
        .standing("searchWeb", Some(&gate));
    assert_eq!(on.causes, found.causes[1..]);
}

#[test]
fn an_explicit_denial_wins_over_a_list_of_the_same_layer() {
    let agent = view(&[(Scope::Work, "createTask", "searchWeb")], None);
    assert_eq!(
        standing(&agent, "searchWeb").causes,
        [Cause::Denied {
            layer: 1,
            pattern: "searchWeb".to_owned()
        }]
    );
    // But not over a list of a layer before it.
    let agent = view(
        &[
            (Scope::Tenant, "createTask", "-"),
            (Scope::Work, "-", "searchWeb"),
        ],
        None,
    );
    assert_eq!(
        standing(&agent, "searchWeb").causes,
        [Cause::NotGranted { layer: 1 }]
    );
    assert_eq!(
        roles(&agent, "searchWeb"),
        [Role::Grants, Role::Excludes, Role::AlsoDenies, Role::Silent]
    );
}

#[test]
fn reasons_and_sources_of_the_wire_may_point_elsewhere() {
    let agent = view(
        &[(Scope::Tenant, "-", "git_*")],
        Some(&row("-", "git_push")),
    );
    let explanation = agent.explain("git_push", None);
    assert_eq!(explanation.decision, decide(agent.resolved(), "git_push"));
    assert_eq!(explanation.decision.source, Scope::Agent);
    assert_eq!(explanation.deciding, Some(1));
    assert_eq!(
        explanation.standing.causes,
        [
            Cause::Denied {
                layer: 1,
                pattern: "git_*".to_owned()
            },
            Cause::DeniedHere {
                pattern: "git_push".to_owned()
            },
        ]
    );
}

#[test]
fn an_empty_name_is_refused_by_nobody() {
    let agent = view(&[(Scope::Work, "createTask", "*")], None);
    let explanation = agent.explain("  ", None);
    assert_eq!(explanation.standing.causes, [Cause::InvalidName]);
    assert_eq!(explanation.standing.switch, Switch::Locked);
    assert_eq!(explanation.deciding, None);
    assert!(roles(&agent, "  ").iter().all(|role| *role == Role::Silent));
}

#[test]
fn a_layer_that_grants_nothing_is_noticed_without_its_row() {
    let own = row("createTask", "-");
    for own in [None, Some(&own)] {
        let truth = view(
            &[(Scope::Tenant, "", "-"), (Scope::Work, "create*", "-")],
            own,
        );
        let row = own.map(stored);
        let seen = AgentView::from_resolved(truth.resolved(), row.as_ref(), all_on());
        assert!(!seen.is_on("createTask", None));
        assert_eq!(
            seen.standing("createTask", None).causes,
            truth.standing("createTask", None).causes
        );
    }
    // With nothing asked for below, only the matrix gives it away.
    let truth = view(&[(Scope::Work, "", "-")], None);
    assert!(!AgentView::from_resolved(truth.resolved(), None, all_on()).is_on("a", None));
    // The agent's own empty list explains an empty matrix: nobody above is suspected.
    let own = row("", "-");
    let truth = view(&[(Scope::Work, "-", "-")], Some(&own));
    let seen = AgentView::from_resolved(truth.resolved(), Some(&stored(&own)), all_on());
    assert_eq!(seen.standing("a", None).causes, [Cause::NotGrantedHere]);
    assert!(seen.with_agent_row(None).is_on("a", None));
}

#[test]
fn the_server_is_believed_about_flags_we_do_not_know() {
    let gate = Flag::from("canFly");
    let tool = |name: &str, permission_enabled| Tool {
        name: name.to_owned(),
        description: String::new(),
        gated_by_permission: Some(gate.clone()),
        source: ToolSource::Domain,
        permission_enabled,
        decision: decide(&fold(&[]), name),
        effective: permission_enabled,
    };
    let agent = view(&[], None);
    assert!(agent.is_on("fly", Some(&gate)));
    let told = agent.with_unknown_flags(&[tool("fly", false)]);
    assert_eq!(
        told.standing("fly", Some(&gate)).causes,
        [Cause::PermissionOff(gate.clone())]
    );
    // Also in what-if views made from it.
    assert!(
        !told
            .with_agent_row(Some(&row("-", "")))
            .is_on("fly", Some(&gate))
    );
    assert!(
        agent
            .with_unknown_flags(&[tool("fly", true)])
            .is_on("fly", Some(&gate))
    );
}

#[test]
fn a_flag_the_answer_left_out_is_as_the_server_says_and_a_flag_it_holds_is_ours() {
    let gate = Flag::CanCallExternalTools;
    let mut answer = json!({
        "agentId": "a1", "permissions": {"canSpend": true, "canCallExternalTools": null},
        "tools": [{
            "name": "searchWeb", "gatedByPermission": "canCallExternalTools", "source": "facade",
            "permissionEnabled": true, "decision": decide(&fold(&[]), "searchWeb"), "effective": true,
        }],
        "grants": fold(&[]),
    });
    let view = |answer: &Value| {
        let read: Capabilities = from_value(answer.clone()).unwrap();
        AgentView::from_resolved(&read.grants, None, read.permissions)
            .with_unknown_flags(&read.tools)
    };
    assert_eq!(view(&answer).permissions().get(&gate), None);
    assert!(view(&answer).is_on("searchWeb", Some(&gate)));
    answer["tools"][0]["permissionEnabled"] = json!(false);
    assert_eq!(
        view(&answer).standing("searchWeb", Some(&gate)).causes,
        [Cause::PermissionOff(gate.clone())]
    );
    answer["permissions"] = Value::Null;
    assert!(!view(&answer).is_on("searchWeb", Some(&gate)));
    // What the flags say about themselves goes before what the tools say about them.
    answer["permissions"] = json!({"canCallExternalTools": true});
    assert!(view(&answer).is_on("searchWeb", Some(&gate)));
}
