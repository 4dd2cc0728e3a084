//! The question before an environment is published or deleted, neither of which can be taken back.
//! Deleting names the agents that have it: the control plane refuses while there are any.

use leptos::prelude::*;

use super::state::{Step, use_recipes};
use crate::api::{self, ApiError};
use crate::browser;
use crate::components::dialog::Dialog;
use crate::components::words::revealed;
use crate::pages::settings::reach::{AgentsReached, agents_words};
use crate::reactive::spawn;

fn keeps(count: usize) -> String {
    let (verb, whom) = if count == 1 {
        ("uses", "that agent")
    } else {
        ("use", "those agents")
    };
    format!(
        "{} {verb} it. Give {whom} another environment first:",
        agents_words(count)
    )
}

/// The dialog.
#[component]
pub fn AskDialog() -> impl IntoView {
    let recipes = use_recipes();
    let busy = RwSignal::new(false);
    let failed = RwSignal::new(None::<String>);
    let open = Signal::derive(move || recipes.asked.with(Option::is_some));
    let title = Signal::derive(move || {
        recipes.asked.with(|asked| {
            let Some(asked) = asked else {
                return String::new();
            };
            let name = revealed(&asked.row.name);
            match asked.step {
                Step::Publish => format!("Publish {name}?"),
                Step::Delete => format!("Delete {name}?"),
            }
        })
    });
    let step = move || {
        recipes
            .asked
            .with(|asked| asked.as_ref().map(|asked| asked.step))
    };
    let close = move || {
        failed.set(None);
        recipes.asked.set(None);
    };
    let go = move |_| {
        let Some(asked) = recipes.asked.get_untracked() else {
            return;
        };
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn(async move {
            let client = recipes.session.client();
            let answer = match asked.step {
                Step::Publish => api::environments::publish(&client, &asked.row.id)
                    .await
                    .map(drop),
                Step::Delete => match api::environments::delete(&client, &asked.row.id).await {
                    // It is gone already: that is what was wanted.
                    Ok(_) | Err(ApiError::Missing(_)) => Ok(()),
                    Err(error) => Err(error),
                },
            };
            busy.try_set(false);
            let (done, not_done) = match asked.step {
                Step::Publish => ("is published. Agents can be given it", "Not published."),
                Step::Delete => ("was deleted", "Not deleted."),
            };
            match recipes.session.watch(answer) {
                Ok(()) => {
                    failed.try_set(None);
                    recipes.asked.try_set(None);
                    recipes
                        .announcer
                        .toast(format!("{} {done}", asked.row.name), None);
                    request_animation_frame(|| {
                        browser::focus("recipes");
                    });
                }
                Err(error) => {
                    let said = format!("{not_done} {}", error.sentence());
                    recipes.announcer.alert(said.clone());
                    failed.try_set(Some(said));
                    recipes.reached.reload();
                }
            }
            recipes.list.reload();
        });
    };
    view! {
        <Dialog open=open title=title on_close=Callback::new(move |()| close())>
            {move || match step() {
                Some(Step::Publish) => view! {
                    <p>"Agents can be given it from then on. A published environment can be edited, but never becomes a draft again."</p>
                }.into_any(),
                Some(Step::Delete) => view! {
                    <p>"This cannot be undone."</p>
                    <AgentsReached agents=recipes.reached sentence=keeps none="No agent uses it." />
                }.into_any(),
                None => ().into_any(),
            }}
            {move || failed.get().map(|said| view! { <p class="notice deny"><bdi>{said}</bdi></p> })}
            <div class="dialog-actions">
                <button type="button" class="btn primary" autofocus on:click=move |_| close()>
                    {move || if step() == Some(Step::Publish) { "Not now" } else { "Keep it" }}
                </button>
                <button
                    type="button"
                    class=move || if step() == Some(Step::Publish) { "btn" } else { "btn danger" }
                    aria-busy=move || busy.get().then_some("true")
                    on:click=go
                >
                    {move || match (step(), busy.get()) {
                        (Some(Step::Publish), false) => "Publish it",
                        (Some(Step::Publish), true) => "Publishing…",
                        (_, false) => "Delete it",
                        (_, true) => "Deleting…",
                    }}
                </button>
            </div>
        </Dialog>
    }
}
