//! Settings → Environments: runtime recipes agents can be given (contract section 9).

pub mod ask;
pub mod fields;
pub mod form;
pub mod row;
pub mod state;

use contract::environments::{Environment, EnvironmentStatus};
use leptos::prelude::*;

use self::ask::AskDialog;
use self::row::EnvironmentRow;
use self::state::Recipes;
use crate::components::each::Each;
use crate::components::filter::{Filter, fits};
use crate::components::section::Loaded;
use crate::route::{NEW, Route, SettingsPage};

/// From how many rows on the list can be filtered.
const MANY: usize = 8;

fn counts(list: &[Environment]) -> String {
    let lead = match list.len() {
        1 => "1 environment".to_owned(),
        many => format!("{many} environments"),
    };
    let published = list
        .iter()
        .filter(|one| one.status == EnvironmentStatus::Published);
    format!("{lead} · {} published", published.count())
}

/// The page.
#[component]
pub fn EnvironmentsPage() -> impl IntoView {
    let recipes = Recipes::start();
    provide_context(recipes);
    let filter = RwSignal::new(String::new());
    let counted = move || {
        recipes.list.value().with(|list| {
            let list = list.as_ref().filter(|list| !list.is_empty())?;
            Some(counts(list))
        })
    };
    let new = || Route::SettingsItem(SettingsPage::Environments, NEW.to_owned()).href();
    view! {
        <div class="page">
            <section class="panel" aria-labelledby="recipes">
                <header>
                    <h2 id="recipes" tabindex="-1">"Environments"</h2>
                    <span class="note">{counted}</span>
                    <span class="grow"></span>
                    <a class="btn primary" href=new()>"Make an environment"</a>
                </header>
                <Loaded remote=recipes.list failed="The environments could not be loaded." rows=4 let(list)>
                    {
                        let shown = Memo::new(move |_| {
                            filter.with(|text| list.with(|list| {
                                list.iter().filter(|row| fits(text, &[&row.name])).cloned().collect::<Vec<_>>()
                            }))
                        });
                        let many = Memo::new(move |_| list.with(|list| list.len() >= MANY));
                        view! {
                            {move || list.with(Vec::is_empty).then(|| view! {
                                <div class="empty">
                                    <p>"There is no environment yet. One names the packages an agent finds and the hosts it may reach."</p>
                                    <a class="btn" href=new()>"Make the first environment"</a>
                                </div>
                            })}
                            {move || many.get().then(|| view! {
                                <Filter label="Filter environments" text=filter list="recipe-list"
                                    found=Signal::derive(move || shown.with(Vec::len))
                                    of=Signal::derive(move || list.with(Vec::len)) />
                            })}
                            <ul class="item-list" id="recipe-list">
                                <Each each=move || shown.get() key=|row| row.id.as_str().to_owned() let(row)>
                                    <EnvironmentRow start=row list=list />
                                </Each>
                            </ul>
                        }
                    }
                </Loaded>
            </section>
        </div>
        <AskDialog />
    }
}
