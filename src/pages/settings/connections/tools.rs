//! The last listing of a connection: every tool as the server spells it, the name grants decide
//! under, and why some were left out.

use std::sync::Arc;

use contract::connections::KnownTool;
use leptos::prelude::*;

use super::item::use_connection;
use crate::browser;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Loaded;
use crate::components::virtual_rows::VirtualRows;
use crate::components::words::revealed;

/// From how many tools on the list can be filtered.
const MANY: usize = 12;

fn count_words(tools: &[KnownTool]) -> String {
    let dropped = tools.iter().filter(|tool| tool.dropped.is_some()).count();
    let all = match tools.len() {
        1 => "1 tool".to_owned(),
        many => format!("{many} tools"),
    };
    if dropped == 0 {
        all
    } else {
        format!("{all} · {dropped} left out")
    }
}

/// The section.
#[component]
pub fn ToolListing() -> impl IntoView {
    let state = use_connection();
    let known = Memo::new(move |_| state.tools.value().get());
    let read_at = Memo::new(move |_| {
        known.with(|known| known.as_ref().and_then(|known| known.read_at.clone()))
    });
    let count = move || {
        known.with(|known| {
            let known = known.as_ref().filter(|known| known.read_at.is_some())?;
            Some(count_words(&known.data))
        })
    };
    let is_cut =
        Memo::new(move |_| known.with(|known| known.as_ref().is_some_and(|known| known.truncated)));
    let total =
        Memo::new(move |_| known.with(|known| known.as_ref().map_or(0, |known| known.data.len())));
    let query = RwSignal::new(String::new());
    let places: Memo<Arc<Vec<usize>>> = Memo::new(move |_| {
        let needle = query.get().trim().to_lowercase();
        known.with(|known| {
            let tools = known.iter().flat_map(|known| known.data.iter());
            let fits = |tool: &KnownTool| {
                needle.is_empty()
                    || tool.name.to_lowercase().contains(&needle)
                    || tool.description.to_lowercase().contains(&needle)
            };
            let found = tools.enumerate().filter(|(_, tool)| fits(tool));
            Arc::new(found.map(|(place, _)| place).collect())
        })
    });
    let is_unmatched =
        Memo::new(move |_| total.get() > 0 && places.with(|places| places.is_empty()));
    view! {
        <section class="panel tools-section" aria-labelledby="listing-heading">
            <header>
                <div class="section-title">
                    <h3 id="listing-heading" tabindex="-1">"Tools"</h3>
                    <span class="note">{count}</span>
                </div>
                <span class="note">
                    {move || read_at.get().map(|at| format!("Read {}", browser::local_time(&at)))}
                </span>
            </header>
            <Loaded remote=state.tools failed="The tools could not be loaded." rows=3 let(_known)>
                {move || read_at.with(Option::is_none).then(|| view! {
                    <div class="empty"><p>"The tools were not read yet. Test the connection to read them."</p></div>
                })}
                {move || (read_at.with(Option::is_some) && total.get() == 0).then(|| view! {
                    <div class="empty"><p>"The server answered and offers no tool."</p></div>
                })}
                {move || is_cut.get().then(|| view! {
                    <p class="group-line warn"><Glyph icon=Icon::Warning /><span>"The server offers more tools than are read from one server, so this list is not complete."</span></p>
                })}
                {move || (total.get() > MANY).then(|| view! {
                    <div class="toolbar">
                        <label class="field">
                            <Glyph icon=Icon::Search />
                            <span class="visually-hidden">"Filter tools"</span>
                            <input
                                type="search"
                                placeholder="Filter tools"
                                autocomplete="off"
                                spellcheck="false"
                                prop:value=query
                                on:input:target=move |event| query.set(event.target().value())
                                on:keydown=move |event: web_sys::KeyboardEvent| {
                                    if event.key() == "Escape" {
                                        event.prevent_default();
                                        query.set(String::new());
                                    }
                                }
                            />
                        </label>
                        <span class="note" role="status">
                            {move || (!query.with(String::is_empty)).then(|| format!("{} of {} tools", places.with(|places| places.len()), total.get()))}
                        </span>
                    </div>
                })}
                {move || is_unmatched.get().then(|| view! {
                    <div class="empty">
                        <p>"No tool matches “"<bdi>{query}</bdi>"”."</p>
                        <button type="button" class="btn" on:click=move |_| query.set(String::new())>"Clear filter"</button>
                    </div>
                })}
                {move || (total.get() > 0).then(|| view! {
                    <table class="tools known" aria-rowcount=move || places.with(|places| places.len())>
                        <caption class="visually-hidden">"Tools of this server"</caption>
                        <thead class="visually-hidden"><tr><th scope="col">"Tool"</th><th scope="col">"Granted as"</th></tr></thead>
                        <VirtualRows
                            id="known-tools".to_owned()
                            items=places
                            keep=Signal::derive(|| None)
                            row=move |place, index| view! { <Row place=place index=index /> }
                        />
                    </table>
                })}
            </Loaded>
        </section>
    }
}

#[component]
fn Row(place: usize, index: Signal<Option<usize>>) -> impl IntoView {
    let state = use_connection();
    let tool = Memo::new(move |_| {
        state.tools.value().with(|known| {
            known
                .as_ref()
                .and_then(|known| known.data.get(place).cloned())
        })
    });
    let of = move |part: fn(&KnownTool) -> String| {
        Memo::new(move |_| tool.with(|tool| tool.as_ref().map(part).unwrap_or_default()))
    };
    let name = of(|tool| revealed(&tool.name));
    let what = of(|tool| revealed(&tool.description));
    let full = of(|tool| tool.full_name.as_deref().map(revealed).unwrap_or_default());
    let dropped =
        Memo::new(move |_| tool.with(|tool| tool.as_ref().and_then(|tool| tool.dropped.clone())));
    view! {
        <tr class="tool-row" aria-rowindex=move || index.get()>
            <th scope="row">
                <div class="tool">
                    <div class="tool-name"><bdi class="mono">{name}</bdi></div>
                    <p class="what"><bdi>{what}</bdi></p>
                </div>
            </th>
            <td class="granted">
                {move || match dropped.get() {
                    Some(reason) => view! {
                        <Badge tone=Tone::Warn icon=Icon::Ban text="Left out" />
                        <p class="note"><bdi>{revealed(&reason)}</bdi></p>
                    }.into_any(),
                    None => view! { <bdi class="mono" dir="ltr">{full}</bdi> }.into_any(),
                }}
            </td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_counted() {
        let tool = |dropped: Option<&str>| KnownTool {
            name: "a".to_owned(),
            full_name: None,
            description: String::new(),
            dropped: dropped.map(str::to_owned),
        };
        assert_eq!(count_words(&[tool(None)]), "1 tool");
        assert_eq!(
            count_words(&[tool(None), tool(Some("clash"))]),
            "2 tools · 1 left out"
        );
    }
}
