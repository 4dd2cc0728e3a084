//! The field that attaches a skill, what is waiting to be attached, and what was refused.

use std::collections::BTreeSet;

use contract::skills::{AgentSkill, CatalogSkill, Skill};
use leptos::prelude::*;

use super::state::{AgentSkills, Asked, Trouble, bound_here, use_agent_skills};
use super::writes::{self, Pick};
use crate::api::ApiError;
use crate::browser;
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::combobox::{Choice, Picker};
use crate::components::each::Each;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::words::revealed;

/// Id of the field.
const FIELD: &str = "skill-picker";
/// What the choice of an entry of the catalog does besides.
const HINT: &str = "install & attach";

/// What can be attached: installed skills that are not bound to the agent, hidden bindings
/// included, then entries of the catalog that are not installed. Without the list of installed
/// skills it is not known which those are, so none is offered.
pub fn choices(
    found: Option<&[AgentSkill]>,
    installed: Option<&[Skill]>,
    catalog: Option<&[CatalogSkill]>,
) -> Vec<Choice> {
    let (Some(found), Some(installed)) = (found, installed) else {
        return Vec::new();
    };
    let bound = bound_here(found);
    let mut offered: Vec<Choice> = installed
        .iter()
        .filter(|skill| !bound.contains(&skill.id))
        .map(|skill| Choice {
            value: Pick::Installed(skill.id.clone()).value(),
            label: revealed(&skill.title),
            about: revealed(&skill.description),
            hint: String::new(),
            terms: format!("{} {}", skill.slug, tags(skill)),
        })
        .collect();
    let known: BTreeSet<&str> = installed
        .iter()
        .flat_map(|skill| {
            [
                Some(skill.slug.as_str()),
                skill.source_catalog_slug.as_deref(),
            ]
            .into_iter()
            .flatten()
        })
        .collect();
    offered.extend(
        catalog
            .unwrap_or_default()
            .iter()
            .filter(|entry| !known.contains(entry.slug.as_str()))
            .map(|entry| Choice {
                value: Pick::Catalog(entry.slug.clone()).value(),
                label: revealed(&entry.title),
                about: revealed(&entry.description),
                hint: HINT.to_owned(),
                terms: format!("{} {} {HINT}", entry.slug, entry.tags.join(" ")),
            }),
    );
    offered
}

/// The tags in the frontmatter of an installed skill, as one text.
fn tags(skill: &Skill) -> String {
    let words = skill
        .frontmatter
        .get("tags")
        .and_then(|tags| tags.as_array());
    let words: Vec<&str> = words
        .into_iter()
        .flatten()
        .filter_map(|tag| tag.as_str())
        .collect();
    words.join(" ")
}

/// The field. What it offers is read when it is first opened.
#[component]
pub fn AttachField() -> impl IntoView {
    let state = use_agent_skills();
    let announcer = use_announcer();
    let offered = Memo::new(move |_| {
        let all = state.found.value().with(|found| {
            state.installed.value().with(|installed| {
                state.catalog.value().with(|catalog| {
                    choices(found.as_deref(), installed.as_deref(), catalog.as_deref())
                })
            })
        });
        state.attaching.with(|waiting| {
            let free = all
                .into_iter()
                .filter(|choice| !waiting.contains_key(&choice.value));
            free.collect::<Vec<_>>()
        })
    });
    let waiting = Signal::derive(move || {
        state.found.pending().get()
            || state.installed.pending().get()
            || state.catalog.pending().get()
    });
    let pick = Callback::new(move |choice: Choice| {
        if let Some(pick) = Pick::of(&choice.value) {
            writes::attach(state, announcer, pick, choice.label);
        }
    });
    let failed = move |which: fn(AgentSkills) -> Option<ApiError>| Memo::new(move |_| which(state));
    let no_skills = failed(|state| state.installed.failure().get());
    let no_catalog = failed(|state| state.catalog.failure().get());
    view! {
        <div class="skill-attach">
            <Picker
                id=FIELD
                label="Attach a skill…"
                choices=offered
                waiting=waiting
                on_open=Callback::new(move |()| state.want_choices())
                on_pick=pick
            />
        </div>
        {move || no_skills.get().map(|error| view! {
            <Failure
                what="The installed skills could not be loaded, so none can be attached."
                error=error
                on_retry=Callback::new(move |()| state.installed.reload())
            />
        })}
        {move || no_catalog.get().map(|error| view! {
            <Failure
                what="The catalog could not be loaded. Only installed skills are offered."
                error=error
                on_retry=Callback::new(move |()| state.catalog.reload())
            />
        })}
    }
}

/// Rows for what is being attached, until the list has it.
#[component]
pub fn Waiting() -> impl IntoView {
    let state = use_agent_skills();
    let rows = move || {
        state.attaching.with(|all| {
            let rows = all.iter().map(|(key, title)| (key.clone(), title.clone()));
            rows.collect::<Vec<_>>()
        })
    };
    view! {
        <Each each=rows key=|(key, _)| key.clone() children=|(key, title)| {
            let word = if key.starts_with("catalog:") { "Installing and attaching…" } else { "Attaching…" };
            view! {
                <li class="skill-row waiting" aria-busy="true">
                    <div class="skill-text">
                        <p class="skill-name"><bdi>{title}</bdi></p>
                        <p class="skill-facts"><span class="saving">{word}</span></p>
                    </div>
                </li>
            }
        } />
    }
}

/// The sentence before the reason.
fn heading(trouble: &Trouble) -> String {
    let title = &trouble.title;
    match &trouble.asked {
        Asked::Install { .. } => format!("{title} was not installed, so it is not attached."),
        Asked::Attach {
            just_installed: true,
            ..
        } => format!("{title} was installed, but not attached."),
        Asked::Attach {
            just_installed: false,
            ..
        } => format!("{title} was not attached."),
        Asked::Remove { .. } => format!("{title} was not removed."),
    }
}

/// What was refused, each with a way to try again and to let it be.
#[component]
pub fn Troubles() -> impl IntoView {
    let state = use_agent_skills();
    let all = move || {
        state.troubles.with(|all| {
            let all = all
                .iter()
                .map(|(key, trouble)| (key.clone(), trouble.clone()));
            all.collect::<Vec<_>>()
        })
    };
    view! {
        <Each each=all key=|(key, trouble)| format!("{key} {:?}", trouble.asked) children=|(key, trouble)| view! {
            <Refusal key=key trouble=trouble />
        } />
    }
}

#[component]
fn Refusal(key: String, trouble: Trouble) -> impl IntoView {
    let state = use_agent_skills();
    let announcer = use_announcer();
    let half = matches!(
        trouble.asked,
        Asked::Attach {
            just_installed: true,
            ..
        }
    );
    let again = {
        let (key, trouble) = (key.clone(), trouble.clone());
        move |_| {
            let title = trouble.title.clone();
            browser::focus(FIELD);
            match trouble.asked.clone() {
                Asked::Install { slug } => {
                    writes::attach(state, announcer, Pick::Catalog(slug), title);
                }
                Asked::Attach { skill, .. } => {
                    writes::attach_again(state, announcer, key.clone(), skill, title);
                }
                Asked::Remove { skill, binding } => {
                    writes::remove(state, announcer, skill, binding, title, || ());
                }
            }
        }
    };
    view! {
        <div class="notice deny" role="group" aria-label="Problem">
            <Glyph icon=Icon::Warning />
            <p>
                {half.then(|| view! { <Badge tone=Tone::Ok icon=Icon::Check text="Installed" />" " })}
                <strong><bdi>{heading(&trouble)}</bdi></strong>" "<bdi>{revealed(&trouble.error.sentence())}</bdi>
            </p>
            <div class="actions">
                <button type="button" class="btn" on:click=again>
                    {if half { "Retry attaching" } else { "Retry" }}
                </button>
                <button type="button" class="btn quiet" on:click=move |_| {
                    state.dismiss(&key);
                    browser::focus(FIELD);
                }>"Dismiss"</button>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(id: &str, slug: &str) -> Skill {
        let text = format!(
            r#"{{"id":"{id}","userId":"u","ownerType":"tenant","ownerId":"u","slug":"{slug}","title":"{slug}","description":"d","frontmatter":{{"tags":["mail"]}},"instructionsMd":"","version":"1.0.0","createdAt":"","updatedAt":""}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn bound(skill: &str, target: &str, hidden: bool) -> AgentSkill {
        let hidden = if hidden {
            r#","hiddenAgentBindingId":"h""#
        } else {
            ""
        };
        let text = format!(
            r#"{{"bindingId":"b-{skill}","priority":100,"targetType":"{target}","skill":{{"id":"{skill}","slug":"s","title":"t","version":"1"}}{hidden}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn entry(slug: &str) -> CatalogSkill {
        let text = format!(
            r#"{{"slug":"{slug}","title":"{slug}","description":"d","body":"","version":"1.0.0","tags":["seo"]}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn values(choices: &[Choice]) -> Vec<&str> {
        choices.iter().map(|choice| choice.value.as_str()).collect()
    }

    #[test]
    fn what_is_bound_here_is_not_offered_even_when_it_is_hidden() {
        let found = [
            bound("a", "agent", false),
            bound("b", "tenant", true),
            bound("c", "tenant", false),
        ];
        let installed = [
            skill("a", "a"),
            skill("b", "b"),
            skill("c", "c"),
            skill("d", "d"),
        ];
        let offered = choices(Some(&found), Some(&installed), None);
        assert_eq!(values(&offered), ["skill:c", "skill:d"]);
        assert!(offered.iter().all(|choice| choice.terms.contains("mail")));
    }

    #[test]
    fn the_catalog_offers_what_is_not_installed() {
        let mut renamed = skill("a", "other");
        renamed.source_catalog_slug = Some("seo-audit".to_owned());
        let installed = [renamed, skill("b", "risk-filter")];
        let catalog = [
            entry("seo-audit"),
            entry("risk-filter"),
            entry("lead-scoring"),
        ];
        let offered = choices(Some(&[]), Some(&installed), Some(&catalog));
        assert_eq!(
            values(&offered),
            ["skill:a", "skill:b", "catalog:lead-scoring"]
        );
        assert_eq!(offered.last().map(|one| one.hint.as_str()), Some(HINT));
    }

    #[test]
    fn without_the_installed_skills_nothing_is_offered() {
        assert!(choices(Some(&[]), None, Some(&[entry("x")])).is_empty());
        assert!(choices(None, Some(&[skill("a", "a")]), None).is_empty());
    }
}
