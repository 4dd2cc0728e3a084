//! What an environment holds, the same in its registry and on an agent.

use contract::environments::{Environment, NetworkingMode};
use leptos::prelude::*;

use super::words::revealed;

/// What an environment may reach, in words.
pub fn network_words(environment: &Environment) -> String {
    let hosts = environment.allowed_hosts.as_ref().map_or(0, Vec::len);
    let managers = environment.allow_package_managers;
    match &environment.networking_mode {
        NetworkingMode::Unrestricted => "Unrestricted".to_owned(),
        NetworkingMode::Limited => match (hosts, managers) {
            (0, true) => "Limited to package registries".to_owned(),
            (0, false) => "Limited: nothing can be reached".to_owned(),
            (1, true) => "Limited to 1 host and package registries".to_owned(),
            (1, false) => "Limited to 1 host".to_owned(),
            (many, true) => format!("Limited to {many} hosts and package registries"),
            (many, false) => format!("Limited to {many} hosts"),
        },
        NetworkingMode::Unknown(word) => word.clone(),
    }
}

/// The lists an environment holds, by what they are called. Hosts count only while it is limited.
fn lists(environment: &Environment) -> [(&'static str, Vec<String>); 3] {
    let limited = environment.networking_mode != NetworkingMode::Unrestricted;
    let hosts = environment.allowed_hosts.clone().filter(|_| limited);
    [
        ("Python packages", environment.pip_packages.clone()),
        ("Node packages", environment.npm_packages.clone()),
        ("Allowed hosts", hosts.unwrap_or_default()),
    ]
}

/// Description, network, packages and hosts.
#[component]
pub fn EnvironmentFacts(
    /// The environment; nothing is drawn without one.
    environment: Signal<Option<Environment>>,
) -> impl IntoView {
    move || {
        environment.with(|environment| {
            let environment = environment.as_ref()?;
            let network = network_words(environment);
            let description = environment.description.clone().filter(|text| !text.is_empty());
            let lists = lists(environment)
                .into_iter()
                .filter(|(_, entries)| !entries.is_empty())
                .map(|(label, entries)| {
                    let entries = entries.iter().map(|entry| {
                        view! { <li><code dir="ltr">{revealed(entry)}</code></li> }
                    });
                    view! { <div><dt>{label}</dt><dd><ul class="tags">{entries.collect_view()}</ul></dd></div> }
                })
                .collect_view();
            Some(view! {
                <div class="facts">
                    {description.map(|text| view! { <p class="what"><bdi>{revealed(&text)}</bdi></p> })}
                    <dl class="fact-list">
                        <div><dt>"Network"</dt><dd>{network}</dd></div>
                        {lists}
                    </dl>
                </div>
            })
        })
    }
}
