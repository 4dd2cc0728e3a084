//! Which skills an agent finds and is offered, and what the requests about them refuse.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a test that cannot go on fails, and values written in place read best"
)]

use contract::requests::skills as requests;
use contract::rules::control_tokens;
use contract::rules::skill_bindings::{Offer, Reaching, compose, offered};
use contract::skills::{AgentSkill, BoundSkill, CatalogSkill, Skill, SkillScope};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn reaching(id: &str, skill: &str, target: SkillScope, priority: u32, minute: u8) -> Reaching {
    Reaching {
        binding_id: id.into(),
        priority,
        target_type: target,
        created_at: format!("2026-08-22T16:{minute:02}:00.000Z"),
        skill: BoundSkill {
            id: skill.into(),
            slug: skill.to_owned(),
            title: skill.to_uppercase(),
            version: "1.0.0".to_owned(),
        },
    }
}

fn short(rows: &[AgentSkill]) -> Vec<(&str, &str, Option<&str>)> {
    rows.iter()
        .map(|row| {
            let hidden = row.hidden_agent_binding_id.as_ref();
            (
                row.skill.slug.as_str(),
                row.binding_id.as_str(),
                hidden.map(contract::SkillBindingId::as_str),
            )
        })
        .collect()
}

#[test]
fn the_lowest_priority_wins_and_hides_a_direct_binding() {
    use SkillScope::{Agent, Tenant, Work};
    let rows = compose(vec![
        reaching("a-style", "style", Agent, 200, 1),
        reaching("t-style", "style", Tenant, 100, 9),
        reaching("w-style", "style", Work, 100, 5),
        reaching("a-tests", "tests", Agent, 10, 7),
        reaching("t-tests", "tests", Tenant, 20, 2),
        reaching("t-notes", "notes", Tenant, 100, 6),
    ]);
    assert_eq!(
        short(&rows),
        [
            ("tests", "a-tests", None),
            ("style", "w-style", Some("a-style")),
            ("notes", "t-notes", None),
        ]
    );
    assert!(!rows[0].is_inherited() && rows[1].is_inherited());
    let direct: Vec<Option<&str>> = rows
        .iter()
        .map(|row| row.direct_binding().map(contract::SkillBindingId::as_str))
        .collect();
    assert_eq!(direct, [Some("a-tests"), Some("a-style"), None]);
}

#[test]
fn of_equal_priorities_the_older_binding_wins() {
    let rows = compose(vec![
        reaching("direct", "s", SkillScope::Agent, 100, 5),
        reaching("tenant", "s", SkillScope::Tenant, 100, 4),
    ]);
    assert_eq!(short(&rows), [("s", "tenant", Some("direct"))]);
    let rows = compose(vec![
        reaching("tenant", "s", SkillScope::Tenant, 100, 5),
        reaching("direct", "s", SkillScope::Agent, 100, 4),
    ]);
    assert_eq!(short(&rows), [("s", "direct", None)]);
}

fn skill(id: &str, slug: &str) -> Skill {
    serde_json::from_value(json!({
        "id": id, "userId": "u", "ownerType": "tenant", "ownerId": "u", "slug": slug,
        "title": slug, "description": "d", "instructionsMd": "", "version": "1.0.0",
        "createdAt": "", "updatedAt": "",
    }))
    .unwrap()
}

fn entry(slug: &str) -> CatalogSkill {
    serde_json::from_value(json!({
        "slug": slug, "title": slug, "description": "d", "body": "", "version": "1.0.0",
    }))
    .unwrap()
}

#[test]
fn a_hidden_binding_is_never_offered_twice() {
    let rows = compose(vec![
        reaching("1", "hidden", SkillScope::Agent, 200, 1),
        reaching("2", "hidden", SkillScope::Tenant, 100, 1),
        reaching("3", "inherited", SkillScope::Work, 100, 2),
        reaching("4", "direct", SkillScope::Agent, 100, 3),
    ]);
    let installed: Vec<Skill> = ["hidden", "inherited", "direct", "free"]
        .iter()
        .map(|id| skill(id, id))
        .collect();
    let catalog = [entry("free"), entry("new")];
    let offers = offered(&rows, &installed, &catalog);
    let names: Vec<(&str, bool)> = offers
        .iter()
        .map(|offer| match offer {
            Offer::Installed(skill) => (skill.slug.as_str(), true),
            Offer::Catalog(entry) => (entry.slug.as_str(), false),
        })
        .collect();
    assert_eq!(
        names,
        [("inherited", true), ("free", true), ("new", false)],
        "what is only inherited can be attached directly; what is installed is no catalog offer"
    );
}

fn any_scope() -> impl Strategy<Value = SkillScope> {
    proptest::sample::select(vec![
        SkillScope::Agent,
        SkillScope::Work,
        SkillScope::Tenant,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn composition_keeps_one_entry_per_skill_and_loses_no_direct_binding(
        // One binding per skill and target, as the store holds it.
        bindings in proptest::collection::btree_map(
            (0_u8..5, any_scope()), (1_u32..4, 0_u8..60), 0..15,
        ),
        turn in 0_usize..15,
    ) {
        let mut list: Vec<Reaching> = bindings
            .iter()
            .enumerate()
            .map(|(number, ((skill, scope), (priority, minute)))| {
                reaching(&number.to_string(), &skill.to_string(), scope.clone(), *priority, *minute)
            })
            .collect();
        let rows = compose(list.clone());
        for row in &rows {
            let same: Vec<&Reaching> =
                list.iter().filter(|one| one.skill.id == row.skill.id).collect();
            let best = same.iter().map(|one| (one.priority, &one.created_at)).min().unwrap();
            let own = same.iter().find(|one| one.binding_id == row.binding_id).unwrap();
            prop_assert_eq!((own.priority, &own.created_at), best);
            let direct = same.iter().find(|one| one.target_type == SkillScope::Agent);
            prop_assert_eq!(row.direct_binding(), direct.map(|one| &one.binding_id));
        }
        let skills: std::collections::HashSet<_> =
            list.iter().map(|one| one.skill.id.clone()).collect();
        prop_assert_eq!(rows.len(), skills.len());
        prop_assert!(rows.is_sorted_by_key(|row| row.priority));
        // The order of rows in the store does not matter.
        let middle = turn.min(list.len());
        list.rotate_left(middle);
        prop_assert_eq!(compose(list), rows);
    }

    #[test]
    fn control_tokens_are_found_wherever_they_are(before in "[a-z<>|\\[\\]\n]{0,20}", after in any::<String>()) {
        for token in ["<|im_start|>", "[INST]", "<<SYS>>", "<|EOT_ID|>", "<end_of_turn>"] {
            let text = format!("{before}{token}{after}");
            let found = control_tokens::find(&text).unwrap();
            prop_assert_eq!(&text[found.bytes.clone()], found.token.as_str());
        }
    }
}

#[test]
fn control_tokens_are_named_with_their_line() {
    let found = control_tokens::find("One\ntwo [/inst] <|Im_End|>").unwrap();
    assert_eq!(
        (found.family, found.token.as_str(), found.line),
        ("chatml_control_token", "<|Im_End|>", 2)
    );
    assert_eq!(
        found.server_message("Skill body"),
        "Disallowed chat-template control token (chatml_control_token: \"<|Im_End|>\") detected in Skill body. Remove it before saving — a model takes it for the start or end of a turn."
    );
    for clean in [
        "",
        "a | b",
        "<s>struck</s>",
        "Vec<|x| y>",
        "[INSTALL]",
        "<|unknown|>",
        "SYS << 2",
    ] {
        assert_eq!(control_tokens::find(clean), None, "{clean}");
    }
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn requests_are_refused_field_by_field() {
    let owner = "00000000-0000-4000-8000-000000000000";
    let good = json!({
        "ownerType": "tenant", "ownerId": owner, "title": "T", "description": "D",
        "instructionsMd": "",
    });
    let create = |key: &str, value: Value| {
        let mut body = object(good.clone());
        body.insert(key.to_owned(), value);
        requests::create(&body).map_err(|problems| problems.join("; "))
    };
    assert!(requests::create(&object(good.clone())).is_ok());
    assert!(create("frontmatter", Value::Null).is_ok());
    for (key, value, problem) in [
        (
            "slug",
            json!("A"),
            "slug must match /^[a-z0-9-]{1,80}$/ regular expression",
        ),
        (
            "slug",
            json!(""),
            "slug must match /^[a-z0-9-]{1,80}$/ regular expression",
        ),
        ("frontmatter", json!([]), "frontmatter must be an object"),
        (
            "frontmatter",
            json!({"x": "y".repeat(16_384)}),
            "frontmatter must be at most 16384 bytes of JSON",
        ),
        (
            "instructionsMd",
            json!("x".repeat(65_537)),
            "instructionsMd must be shorter than or equal to 65536 characters",
        ),
        (
            "version",
            json!("x".repeat(41)),
            "version must be shorter than or equal to 40 characters",
        ),
    ] {
        assert_eq!(create(key, value).unwrap_err(), problem);
    }
    let patch = requests::patch(&object(json!({"slug": "x", "ownerId": owner, "title": ""})));
    assert_eq!(
        patch.unwrap_err(),
        [
            "property ownerId should not exist",
            "property slug should not exist",
            "title must be longer than or equal to 1 characters"
        ]
    );
    let install = requests::install(&object(json!({"slug": "../x"})));
    assert_eq!(
        install.unwrap_err(),
        [
            "slug must match /^[a-z0-9-]{1,80}$/ regular expression",
            "ownerType must be one of the following values: ",
            "ownerId must be a UUID",
        ]
    );
    let bind =
        |body: Value| requests::binding(&object(body)).map_err(|problems| problems.join("; "));
    assert_eq!(
        bind(json!({"targetType": "agent", "priority": 0})).unwrap_err(),
        "priority must not be less than 1"
    );
    let null = bind(json!({"targetType": "tenant", "targetId": null, "priority": null})).unwrap();
    assert_eq!((null.target_id, null.priority), (None, None));
}

#[test]
fn a_name_to_call_a_skill_by_is_tidied() {
    let tidy = |text: &str| requests::invocation_slug(text).ok().flatten();
    assert_eq!(tidy("/commit").as_deref(), Some("commit"));
    assert_eq!(tidy(" Plan-2 ").as_deref(), Some("plan-2"));
    assert_eq!(requests::invocation_slug("  "), Ok(None));
    for bad in ["//x", "-x", "a b", "ü", "/", &"x".repeat(65)] {
        assert!(requests::invocation_slug(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_catalog_is_searched_by_text_and_tags() {
    let mut one = entry("secret-handling");
    one.title = "Handling Secrets".to_owned();
    one.tags = vec!["security".to_owned(), "git".to_owned()];
    let wants = |query: Value| requests::catalog(&object(query)).unwrap().wants(&one);
    for query in [
        json!({}),
        json!({"search": "SECRETS"}),
        json!({"search": "secur"}),
        json!({"tags": "ops, Security"}),
        json!({"tags": ""}),
        json!({"tags": "git", "search": "handling"}),
    ] {
        assert!(wants(query.clone()), "{query}");
    }
    for query in [
        json!({"search": "nothing"}),
        json!({"tags": "secur"}),
        json!({"tags": "git", "search": "nothing"}),
    ] {
        assert!(!wants(query.clone()), "{query}");
    }
}
