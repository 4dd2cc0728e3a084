//! The facts about a repository, the same in the registry and on an agent.

use contract::repositories::{Provider, Repository};
use leptos::prelude::*;

use super::words::revealed;

/// The words for who hosts a repository.
pub fn provider_words(provider: &Provider) -> String {
    match provider {
        Provider::Github => "GitHub".to_owned(),
        Provider::Git => "Git".to_owned(),
        Provider::Unknown(word) => word.clone(),
    }
}

/// Bytes in words.
pub fn bytes_words(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        many => format!("{many} bytes"),
    }
}

/// Address, provider, directory, branch, environment files and description.
#[component]
pub fn RepositoryFacts(
    /// Id of the element, so that a switch can be described by it.
    id: String,
    /// The repository.
    repository: Signal<Repository>,
) -> impl IntoView {
    let fact = move |pick: fn(&Repository) -> String| move || repository.with(pick);
    let branch = move || {
        repository.with(|row| match &row.default_branch {
            Some(branch) => view! { "branch "<code dir="ltr">{revealed(branch)}</code> }.into_any(),
            None => "default branch".into_any(),
        })
    };
    let files = move || {
        repository.with(|row| {
            let files = row.env_files.iter().map(|file| {
                let (path, size) = (revealed(&file.path), bytes_words(file.size));
                view! { <li><code dir="ltr">{path}</code>" "<span class="note">{size}</span></li> }
            });
            (!row.env_files.is_empty()).then(|| {
                view! {
                    <div class="env-files">
                        <span class="note">"Environment files"</span>
                        <ul>{files.collect_view()}</ul>
                    </div>
                }
            })
        })
    };
    let description = move || {
        repository.with(|row| {
            let text = row.description.clone().filter(|text| !text.is_empty())?;
            Some(view! { <p class="what"><bdi>{revealed(&text)}</bdi></p> })
        })
    };
    view! {
        <div class="facts" id=id>
            <p class="url"><bdi><code dir="ltr">{fact(|row| revealed(&row.url))}</code></bdi></p>
            <p class="note">
                {fact(|row| provider_words(&row.provider))}" · mounted at "<code dir="ltr">{fact(|row| revealed(&row.mount_dir))}</code>" · "{branch}
            </p>
            {description}
            {files}
        </div>
    }
}
