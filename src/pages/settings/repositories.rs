//! Settings → Repositories: the registry (contract section 8.1), with each row's own switch.

pub mod ask;
pub mod env_files;
pub mod fields;
pub mod form;
pub mod row;
pub mod state;

use leptos::prelude::*;

use self::ask::AskDialog;
use self::row::RegistryRow;
use self::state::Registry;
use crate::components::each::Each;
use crate::components::filter::{Filter, fits};
use crate::components::section::Loaded;
use crate::route::{NEW, Route, SettingsPage};

/// From how many rows on the list can be filtered.
const MANY: usize = 8;

fn counts(total: usize, derived: usize) -> String {
    let lead = match total {
        1 => "1 repository".to_owned(),
        many => format!("{many} repositories"),
    };
    match derived {
        0 => lead,
        some => format!("{lead} · {some} from a Work"),
    }
}

/// The page.
#[component]
pub fn RepositoriesPage() -> impl IntoView {
    let registry = Registry::start();
    provide_context(registry);
    let filter = RwSignal::new(String::new());
    let counted = move || {
        registry.list.value().with(|list| {
            let list = list.as_ref().filter(|list| !list.is_empty())?;
            let derived = list.iter().filter(|row| row.readonly).count();
            Some(counts(list.len(), derived))
        })
    };
    let new = || Route::SettingsItem(SettingsPage::Repositories, NEW.to_owned()).href();
    view! {
        <div class="page">
            <section class="panel" aria-labelledby="registry">
                <header>
                    <h2 id="registry" tabindex="-1">"Repositories"</h2>
                    <span class="note">{counted}</span>
                    <span class="grow"></span>
                    <a class="btn primary" href=new()>"Add a repository"</a>
                </header>
                <Loaded remote=registry.list failed="The repositories could not be loaded." rows=4 let(list)>
                    {
                        let shown = Memo::new(move |_| {
                            filter.with(|text| list.with(|list| {
                                list.iter()
                                    .filter(|row| fits(text, &[&row.name, &row.url]))
                                    .cloned()
                                    .collect::<Vec<_>>()
                            }))
                        });
                        let many = Memo::new(move |_| list.with(|list| list.len() >= MANY));
                        view! {
                            {move || list.with(Vec::is_empty).then(|| view! {
                                <div class="empty">
                                    <p>"No repository is registered yet. What is registered here can be attached to any agent under its Capabilities."</p>
                                    <a class="btn" href=new()>"Add the first repository"</a>
                                </div>
                            })}
                            {move || many.get().then(|| view! {
                                <Filter label="Filter repositories" text=filter list="registry-list"
                                    found=Signal::derive(move || shown.with(Vec::len))
                                    of=Signal::derive(move || list.with(Vec::len)) />
                            })}
                            <ul class="item-list" id="registry-list">
                                <Each each=move || shown.get() key=|row| row.id.as_str().to_owned() let(row)>
                                    <RegistryRow start=row list=list />
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

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn derived_rows_are_named_apart() {
        assert_eq!(counts(1, 0), "1 repository");
        assert_eq!(counts(5, 3), "5 repositories · 3 from a Work");
    }
}
