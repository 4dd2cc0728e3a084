//! The question before a repository is disabled for every agent or taken out of the registry: it
//! names the agents that feel it.

use leptos::prelude::*;

use super::state::{Step, use_registry};
use crate::api::{self, ApiError};
use crate::browser;
use crate::components::dialog::Dialog;
use crate::components::words::revealed;
use crate::pages::settings::reach::{AgentsReached, agents_words};
use crate::reactive::spawn;

fn loses(count: usize) -> String {
    let verb = if count == 1 { "has" } else { "have" };
    format!("{} {verb} it attached:", agents_words(count))
}

/// The dialog.
#[component]
pub fn AskDialog() -> impl IntoView {
    let registry = use_registry();
    let busy = RwSignal::new(false);
    let failed = RwSignal::new(None::<String>);
    let open = Signal::derive(move || registry.asked.with(Option::is_some));
    let title = Signal::derive(move || {
        registry.asked.with(|asked| {
            let Some(asked) = asked else {
                return String::new();
            };
            let name = revealed(&asked.row.name);
            match asked.step {
                Step::Disable => format!("Disable {name} for every agent?"),
                Step::Delete => format!("Delete {name} from the registry?"),
            }
        })
    });
    let step = move || {
        registry
            .asked
            .with(|asked| asked.as_ref().map(|asked| asked.step))
    };
    let close = move || {
        failed.set(None);
        registry.asked.set(None);
    };
    let delete = move || {
        let Some(asked) = registry.asked.get_untracked() else {
            return;
        };
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn(async move {
            let answer = api::repositories::delete(&registry.session.client(), &asked.row.id).await;
            busy.try_set(false);
            match registry.session.watch(answer) {
                // It is gone already: that is what was wanted.
                Ok(_) | Err(ApiError::Missing(_)) => {
                    registry.asked.try_set(None);
                    registry
                        .announcer
                        .toast(format!("{} was deleted", asked.row.name), None);
                    registry.list.reload();
                    request_animation_frame(|| {
                        browser::focus("registry");
                    });
                }
                Err(error) => {
                    let said = format!("Not deleted. {}", error.sentence());
                    registry.announcer.alert(said.clone());
                    failed.try_set(Some(said));
                    registry.list.reload();
                }
            }
        });
    };
    let go = move |_| match step() {
        Some(Step::Disable) => {
            if let Some(asked) = registry.asked.get_untracked() {
                close();
                registry.set(asked.row.id.as_str(), false);
            }
        }
        Some(Step::Delete) => delete(),
        None => {}
    };
    view! {
        <Dialog open=open title=title on_close=Callback::new(move |()| close())>
            {move || match step() {
                Some(Step::Disable) => "No agent finds it from its next run. Attachments are kept and count again once it is enabled.",
                Some(Step::Delete) => "It is taken away from every agent, and its environment files are deleted. This cannot be undone.",
                None => "",
            }}
            <AgentsReached agents=registry.reached sentence=loses none="No agent has it attached." />
            {move || failed.get().map(|said| view! { <p class="notice deny"><bdi>{said}</bdi></p> })}
            <div class="dialog-actions">
                <button type="button" class="btn primary" autofocus on:click=move |_| close()>"Keep it"</button>
                <button
                    type="button"
                    class="btn danger"
                    aria-busy=move || busy.get().then_some("true")
                    on:click=go
                >
                    {move || match step() {
                        Some(Step::Delete) if busy.get() => "Deleting…",
                        Some(Step::Delete) => "Delete it",
                        _ => "Disable it",
                    }}
                </button>
            </div>
        </Dialog>
    }
}
