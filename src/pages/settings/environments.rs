//! Environments: runtime recipes agents can be given (contract section 9).

use contract::environments::Environment;
use leptos::prelude::*;

use crate::api;
use crate::components::each::Each;
use crate::components::section::Loaded;
use crate::remote::Remote;
use crate::session::use_session;

/// The page.
#[component]
pub fn EnvironmentsPage() -> impl IntoView {
    let session = use_session();
    let environments: Remote<Vec<Environment>> =
        Remote::new(move || async move { api::environments::all(&session.client()).await });
    view! {
        <div class="page">
            <section class="panel" aria-labelledby="environments-heading">
                <header><h2 id="environments-heading">"Environments"</h2></header>
                <Loaded remote=environments failed="The environments could not be loaded." rows=4 let(rows)>
                    {move || rows.with(Vec::is_empty).then(|| view! {
                        <p class="empty">"There is no environment yet."</p>
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
