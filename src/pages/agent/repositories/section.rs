//! The section Repositories: on the Capabilities tab, and as the card on the Settings tab.

use contract::repositories::AgentRepository;
use leptos::prelude::*;

use super::row::RepositoryRow;
use super::use_repositories;
use crate::components::each::Each;
use crate::components::section::Loaded;
use crate::route::{NEW, Route, SettingsPage};

/// How many are attached, in words, over what is shown.
fn counts(total: usize, attached: usize, disabled: usize) -> String {
    let lead = format!("{attached} of {total} attached");
    match disabled {
        0 => lead,
        some => format!("{lead} · {some} disabled in the registry"),
    }
}

/// The section.
#[component]
pub fn RepositoriesSection() -> impl IntoView {
    let repositories = use_repositories();
    repositories.list.want();
    let counted = move || {
        repositories.list.value().with(|list| {
            let list = list.as_ref().filter(|list| !list.is_empty())?;
            let mounts = |row: &&AgentRepository| {
                row.repository.enabled && repositories.shown(row) == Some(true)
            };
            Some(counts(
                list.len(),
                list.iter().filter(mounts).count(),
                list.iter().filter(|row| !row.repository.enabled).count(),
            ))
        })
    };
    view! {
        <section class="panel" aria-labelledby="repositories">
            <header>
                <h3 id="repositories" tabindex="-1">"Repositories"</h3>
                <span class="note">{counted}</span>
                <span class="grow"></span>
                <a href=Route::Settings(SettingsPage::Repositories).href()>"Manage repositories"</a>
            </header>
            <Loaded remote=repositories.list failed="The repositories could not be loaded." rows=2 let(list)>
                {move || if list.with(Vec::is_empty) { view! {
                    <div class="empty">
                        <p>"The registry holds no repository yet. What is added there can be attached here."</p>
                        <a class="btn" href=Route::SettingsItem(SettingsPage::Repositories, NEW.to_owned()).href()>"Add a repository"</a>
                    </div>
                }.into_any() } else { view! {
                    <p class="lead">
                        "An attached repository is mounted for the agent’s next run. Committing to it still needs Commit to repo."
                    </p>
                }.into_any() }}
                <ul class="item-list">
                    <Each each=move || list.get() key=|row| row.repository.id.as_str().to_owned() let(row)>
                        <RepositoryRow start=row list=list />
                    </Each>
                </ul>
            </Loaded>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn what_is_disabled_is_not_counted_as_attached() {
        assert_eq!(counts(3, 1, 0), "1 of 3 attached");
        assert_eq!(
            counts(3, 1, 2),
            "1 of 3 attached · 2 disabled in the registry"
        );
    }
}
