//! `Showing 1–25 of 130`, and the way to the other pages.

use contract::server::PageMeta;
use leptos::prelude::*;

use super::agents_word;
use super::filters::PAGE;
use super::state::{Listing, use_fleet};
use crate::components::announce::use_announcer;

/// Which rows are shown.
fn showing(meta: PageMeta, rows: usize) -> String {
    let rows = rows as u64;
    if rows == 0 {
        return String::new();
    }
    if rows == meta.total {
        let all = if rows == 1 { "" } else { "all " };
        return format!("Showing {all}{}", agents_word(rows));
    }
    let first = meta.offset + 1;
    format!("Showing {first}–{} of {}", meta.offset + rows, meta.total)
}

/// The line below the rows. Its buttons appear when there is more than one page.
#[component]
pub fn Paging(
    /// The rows above it.
    listing: Memo<Listing>,
) -> impl IntoView {
    let fleet = use_fleet();
    let announcer = use_announcer();
    let meta = Memo::new(move |_| listing.with(|listing| listing.page.meta));
    let words = move || listing.with(|listing| showing(listing.page.meta, listing.page.data.len()));
    let paged = Memo::new(move |_| meta.get().total > PAGE);
    let page = Memo::new(move |_| fleet.filters.with(|filters| filters.page));
    let at_start = Memo::new(move |_| page.get() == 0);
    let at_end = Memo::new(move |_| (page.get() + 1) * PAGE >= meta.get().total);
    let turn = move |forward: bool| {
        let page = page.get_untracked();
        match (forward, at_start.get_untracked(), at_end.get_untracked()) {
            (true, _, false) => fleet.turn_to(page + 1),
            (false, false, _) => fleet.turn_to(page.saturating_sub(1)),
            (true, _, true) => announcer.alert("This is the last page."),
            (false, true, _) => announcer.alert("This is the first page."),
        }
    };
    let has_words = move || !words().is_empty();
    view! {
        <div class="paging" hidden=move || !has_words()>
            <span class="note">{words}</span>
            <nav aria-label="Pages" hidden=move || !paged.get()>
                <button
                    type="button"
                    class="btn"
                    aria-disabled=move || at_start.get().then_some("true")
                    aria-describedby=move || at_start.get().then_some("paging-first")
                    on:click=move |_| turn(false)
                >"Previous"</button>
                <button
                    type="button"
                    class="btn"
                    aria-disabled=move || at_end.get().then_some("true")
                    aria-describedby=move || at_end.get().then_some("paging-last")
                    on:click=move |_| turn(true)
                >"Next"</button>
                <span class="visually-hidden" id="paging-first">"This is the first page."</span>
                <span class="visually-hidden" id="paging-last">"This is the last page."</span>
            </nav>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_counts_from_one_and_names_the_total() {
        let meta = |total, offset| PageMeta {
            total,
            limit: 25,
            offset,
        };
        assert_eq!(showing(meta(130, 0), 25), "Showing 1–25 of 130");
        assert_eq!(showing(meta(130, 125), 5), "Showing 126–130 of 130");
        assert_eq!(showing(meta(5, 0), 5), "Showing all 5 agents");
        assert_eq!(showing(meta(1, 0), 1), "Showing 1 agent");
        assert_eq!(showing(meta(0, 0), 0), "");
    }
}
