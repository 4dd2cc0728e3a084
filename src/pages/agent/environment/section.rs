//! The section Environment: the picker of published environments and what the chosen one holds. It
//! stands on the Capabilities tab and on the Settings tab.

use contract::environments::Environment;
use leptos::prelude::*;

use super::{is_published, use_environments};
use crate::browser;
use crate::components::combobox::{Choice, Combobox};
use crate::components::environment::EnvironmentFacts;
use crate::components::icon::{Glyph, Icon};
use crate::components::notice::Failure;
use crate::components::section::Loaded;
use crate::components::switch::Saving;
use crate::edits::refusal_heading;
use crate::pages::agent::state::use_agent;
use crate::reactive::effect;
use crate::route::{NEW, Route, SettingsPage};

/// The words for no environment.
const NONE: &str = "None (default)";

/// The published environments, with none before them, by name.
fn choices(list: &[Environment]) -> Vec<Choice> {
    let mut published: Vec<Choice> = list
        .iter()
        .filter(|one| is_published(one))
        .map(|one| Choice {
            value: one.id.as_str().to_owned(),
            label: one.name.clone(),
            ..Choice::default()
        })
        .collect();
    published.sort_by(|left, right| left.label.cmp(&right.label));
    let none = Choice {
        value: String::new(),
        label: NONE.to_owned(),
        ..Choice::default()
    };
    std::iter::once(none).chain(published).collect()
}

/// Why nothing can be chosen: no environment, or none that is published.
fn nothing_to_choose(list: &[Environment]) -> Option<&'static str> {
    if list.iter().any(is_published) {
        return None;
    }
    Some(match list.len() {
        0 => "There is no environment yet. A published one can be chosen here.",
        1 => {
            "There is one environment, a draft. Only published environments can be given to an agent."
        }
        _ => {
            "There are environments, but none is published. Only published ones can be given to an agent."
        }
    })
}

/// The section.
#[component]
pub fn EnvironmentSection() -> impl IntoView {
    let state = use_agent();
    let environments = use_environments();
    environments.list.want();
    let unknown = Memo::new(move |_| {
        let error = state.agent.failure().get()?;
        state.agent.value().with(Option::is_none).then_some(error)
    });
    view! {
        <section class="panel" aria-labelledby="environment">
            <header>
                <h3 id="environment" tabindex="-1">"Environment"</h3>
                {move || environments.is_busy().then(|| view! { <Saving /> })}
                <span class="grow"></span>
                <a href=Route::Settings(SettingsPage::Environments).href()>"Manage environments"</a>
            </header>
            {move || unknown.get().map(|error| view! {
                <Failure
                    what="It could not be read which environment is chosen."
                    error=error
                    on_retry=Callback::new(move |()| state.agent.reload())
                />
            })}
            <Loaded remote=environments.list failed="The environments could not be loaded." rows=2 let(list)>
                {move || environments.shown.with(Option::is_some).then(|| view! { <Picker list=list /> })}
            </Loaded>
        </section>
    }
}

/// The picker and what is chosen, once both are known.
#[component]
fn Picker(list: Memo<Vec<Environment>>) -> impl IntoView {
    let environments = use_environments();
    let chosen = RwSignal::new(None::<String>);
    effect(move || {
        let shown = environments.shown.get().flatten();
        chosen.set(Some(shown.unwrap_or_default()));
    });
    let present = Memo::new(move |_| {
        let id = environments.shown.get().flatten()?;
        list.with(|list| list.iter().find(|one| one.id.as_str() == id).cloned())
    });
    let lost = Memo::new(move |_| {
        let id = environments.shown.get().flatten()?;
        present.with(Option::is_none).then_some(id)
    });
    let nothing = Memo::new(move |_| list.with(|list| nothing_to_choose(list)));
    let pickable = Memo::new(move |_| {
        // None can always be returned to.
        nothing.with(Option::is_none) || environments.shown.get().flatten().is_some()
    });
    let is_known = Memo::new(move |_| present.with(Option::is_some));
    view! {
        <div class="inner environment">
            {move || nothing.get().map(|why| view! {
                <div class="empty-inline">
                    <p>{why}</p>
                    {move || if list.with(Vec::is_empty) { view! {
                        <a class="btn" href=Route::SettingsItem(SettingsPage::Environments, NEW.to_owned()).href()>"Make an environment"</a>
                    } } else { view! {
                        <a class="btn" href=Route::Settings(SettingsPage::Environments).href()>"Publish one under Settings → Environments"</a>
                    } }}
                </div>
            })}
            {move || pickable.get().then(|| view! {
                <Combobox
                    id="environment-picker"
                    label="Environment for the next run"
                    choices=Signal::derive(move || list.with(|list| choices(list)))
                    chosen=chosen
                    problem=Signal::stored(None::<String>)
                    busy=Signal::derive(move || environments.is_busy())
                    described_by=Signal::stored("environment-facts".to_owned())
                    on_choose=Callback::new(move |value: String| {
                        environments.set(Some(value).filter(|value| !value.is_empty()));
                    })
                />
            })}
            {move || environments.refusal().map(|(said, unsure)| view! {
                <div class="notice deny" role="group" aria-label="Not saved">
                    <Glyph icon=Icon::Warning />
                    <p><strong>{refusal_heading(unsure)}</strong>" "<bdi>{said}</bdi></p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            environments.retry();
                            browser::focus("environment-picker");
                        }>"Retry"</button>
                        <button type="button" class="btn quiet" on:click=move |_| {
                            environments.dismiss();
                            browser::focus("environment-picker");
                        }>"Dismiss"</button>
                    </div>
                </div>
            })}
            <div id="environment-facts">
                {move || lost.get().map(|id| view! {
                    <p class="note">
                        "The chosen environment is not among those that can be read: "<code dir="ltr">{id}</code>
                    </p>
                })}
                {move || if is_known.get() { view! {
                    <EnvironmentFacts environment=Signal::derive(move || present.get()) />
                }.into_any() } else { view! {
                    <p class="note" hidden=move || lost.with(Option::is_some)>
                        "The agent runs in the platform’s default runtime."
                    </p>
                }.into_any() }}
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::environments::{EnvironmentStatus, NetworkingMode};

    fn environment(name: &str, status: EnvironmentStatus) -> Environment {
        Environment {
            id: name.into(),
            user_id: "u".into(),
            name: name.to_owned(),
            slug: name.to_owned(),
            description: None,
            pip_packages: Vec::new(),
            npm_packages: Vec::new(),
            networking_mode: NetworkingMode::Unrestricted,
            allowed_hosts: None,
            allow_package_managers: true,
            status,
            available_in_all_projects: true,
            created_at: String::new(),
            updated_at: String::new(),
        }
    }

    #[test]
    fn only_what_is_published_is_offered_by_name_after_none() {
        let list = [
            environment("Node", EnvironmentStatus::Published),
            environment("Draft", EnvironmentStatus::Draft),
            environment("Base", EnvironmentStatus::Published),
        ];
        let labels: Vec<String> = choices(&list).into_iter().map(|one| one.label).collect();
        assert_eq!(labels, [NONE, "Base", "Node"]);
        assert_eq!(nothing_to_choose(&list), None);
    }

    #[test]
    fn no_environment_and_none_published_are_told_apart() {
        let draft = [environment("Draft", EnvironmentStatus::Draft)];
        assert_ne!(nothing_to_choose(&draft), nothing_to_choose(&[]));
        assert!(nothing_to_choose(&draft).is_some());
    }
}
