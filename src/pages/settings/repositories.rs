//! The registry of repositories (contract section 8.1).

use contract::repositories::Repository;
use leptos::prelude::*;

use crate::api;
use crate::components::each::Each;
use crate::components::section::Loaded;
use crate::remote::Remote;
use crate::session::use_session;

/// The page.
#[component]
pub fn RepositoriesPage() -> impl IntoView {
    let session = use_session();
    let registry: Remote<Vec<Repository>> =
        Remote::new(move || async move { api::repositories::registry(&session.client()).await });
    view! {
        <div class="page">
            <section class="panel" aria-labelledby="repositories-heading">
                <header><h2 id="repositories-heading">"Repositories"</h2></header>
                <Loaded remote=registry failed="The repositories could not be loaded." rows=4 let(rows)>
                    {move || rows.with(Vec::is_empty).then(|| view! {
                        <p class="empty">"No repository is registered yet."</p>
                    })}
                    <ul>
                        <Each each=move || rows.get() key=|row| row.id.0.clone() let(row)>
                            <li><bdi>{row.name.clone()}</bdi></li>
                        </Each>
                    </ul>
                </Loaded>
            </section>
        </div>
    }
}
