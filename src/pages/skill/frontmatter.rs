//! The fields at the head of a skill, with the limits of the specification, and what they ask for.

use contract::rules::skills::frontmatter::{COMPATIBILITY_MAX, DESCRIPTION_MAX};
use contract::rules::skills::name::NAME_MAX;
use leptos::prelude::*;
use serde_json::{Map, Value};

use super::reveal::marked;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;

/// The longest value drawn, in characters.
const SHOWN: usize = 4_000;

/// The fields the Agent Skills specification knows, with the most characters it allows.
const KNOWN: [(&str, Option<usize>); 6] = [
    ("name", Some(NAME_MAX)),
    ("description", Some(DESCRIPTION_MAX)),
    ("license", None),
    ("compatibility", Some(COMPATIBILITY_MAX)),
    ("metadata", None),
    ("allowed-tools", None),
];

/// How a name for the tools a skill asks for is spelled: in files, and in stored skills.
const TOOLS: [&str; 2] = ["allowed-tools", "allowedTools"];

/// One field as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub key: String,
    /// Its value on one or more lines.
    pub value: String,
    /// Its length and the most it may have, in characters.
    pub length: Option<(usize, usize)>,
    /// Whether the specification knows it.
    pub known: bool,
}

/// The fields in the order of the specification, then the others.
pub fn fields(frontmatter: &Map<String, Value>) -> Vec<Field> {
    let known = KNOWN.iter().filter_map(|(key, limit)| {
        let value = frontmatter.get(*key)?;
        let shown = text(value);
        let length = limit.map(|limit| (shown.chars().count(), limit));
        Some(Field {
            key: (*key).to_owned(),
            length,
            value: shorten(shown),
            known: true,
        })
    });
    let others = frontmatter
        .iter()
        .filter(|(key, _)| !KNOWN.iter().any(|(known, _)| known == key))
        .map(|(key, value)| Field {
            key: key.clone(),
            value: shorten(text(value)),
            length: None,
            known: false,
        });
    known.chain(others).collect()
}

/// The tools a skill asks for, whichever way it writes them.
pub fn requested_tools(frontmatter: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    for key in TOOLS {
        match frontmatter.get(key) {
            Some(Value::Array(list)) => found.extend(list.iter().map(text)),
            Some(Value::String(list)) => {
                found.extend(list.split_whitespace().map(str::to_owned));
            }
            Some(_) | None => {}
        }
    }
    found
}

/// A value as people read it.
fn text(value: &Value) -> String {
    match value {
        Value::String(value) => value.clone(),
        Value::Array(list) if list.iter().all(|one| !one.is_object() && !one.is_array()) => {
            list.iter().map(text).collect::<Vec<_>>().join(", ")
        }
        Value::Object(map) if map.values().all(|one| !one.is_object() && !one.is_array()) => map
            .iter()
            .map(|(key, value)| format!("{key}: {}", text(value)))
            .collect::<Vec<_>>()
            .join("\n"),
        other => other.to_string(),
    }
}

fn shorten(value: String) -> String {
    if value.chars().count() <= SHOWN {
        return value;
    }
    value.chars().take(SHOWN).chain(['…']).collect()
}

/// The table and what is asked for.
#[component]
pub fn FrontmatterPanel(
    /// The fields.
    #[prop(into)]
    frontmatter: Signal<Map<String, Value>>,
) -> impl IntoView {
    let rows = Memo::new(move |_| frontmatter.with(fields));
    let tools = Memo::new(move |_| frontmatter.with(requested_tools));
    view! {
        <section class="panel" aria-labelledby="frontmatter">
            <header><h3 id="frontmatter">"Frontmatter"</h3></header>
            {move || if rows.with(Vec::is_empty) {
                view! { <p class="empty">"It has no fields."</p> }.into_any()
            } else {
                view! {
                    <table class="frontmatter">
                        <caption class="visually-hidden">"Fields at the head of the skill"</caption>
                        <thead class="visually-hidden"><tr><th scope="col">"Field"</th><th scope="col">"Value"</th></tr></thead>
                        <tbody>{rows.get().into_iter().map(row).collect_view()}</tbody>
                    </table>
                }
                .into_any()
            }}
            {move || (!tools.with(Vec::is_empty)).then(|| view! {
                <div class="requested" role="group" aria-labelledby="requested-tools">
                    <p class="requested-head" id="requested-tools">
                        <Glyph icon=Icon::Lock />
                        <strong>"Requested, not granted"</strong>
                    </p>
                    <p class="requested-list">
                        {tools.get().into_iter().map(|tool| view! { <bdi class="tag mono" dir="ltr">{revealed(&tool)}</bdi>" " }).collect_view()}
                    </p>
                    <p class="note">"The skill asks for these tools. What an agent may use is decided by its grants and permissions alone."</p>
                </div>
            })}
        </section>
    }
}

fn row(field: Field) -> AnyView {
    let over = field.length.is_some_and(|(length, limit)| length > limit);
    view! {
        <tr>
            <th scope="row"><code dir="ltr">{revealed(&field.key)}</code></th>
            <td>
                <bdi class="frontmatter-value">{marked(&field.value)}</bdi>
                {field.length.map(|(length, limit)| view! {
                    <span class="limit" class:over=over>
                        {format!("{length} of {limit} characters")}
                    </span>
                })}
                {(!field.known).then(|| view! {
                    <Badge tone=Tone::Neutral icon=Icon::Info text="Not in the specification" />
                })}
            </td>
        </tr>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn fields_of_the_specification_come_first_with_their_limits() {
        let found = fields(&map(
            r#"{"author":"a","description":"dé","name":"x","metadata":{"a":"b"},"allowed-tools":["Read"]}"#,
        ));
        let keys: Vec<&str> = found.iter().map(|field| field.key.as_str()).collect();
        assert_eq!(
            keys,
            ["name", "description", "metadata", "allowed-tools", "author"]
        );
        assert_eq!(found.get(1).and_then(|field| field.length), Some((2, 1024)));
        assert_eq!(found.get(2).map(|field| field.value.as_str()), Some("a: b"));
        assert_eq!(found.last().map(|field| field.known), Some(false));
    }

    #[test]
    fn requested_tools_are_read_from_both_forms() {
        assert_eq!(
            requested_tools(&map(r#"{"allowed-tools":"Read Bash(git:*)"}"#)),
            ["Read", "Bash(git:*)"]
        );
        assert_eq!(
            requested_tools(&map(r#"{"allowedTools":["searchWeb"]}"#)),
            ["searchWeb"]
        );
        assert!(requested_tools(&map(r#"{"allowed-tools":7}"#)).is_empty());
    }
}
