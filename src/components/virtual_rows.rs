//! Rows of a long list, of which only those near the visible part of the page exist. Short lists
//! are simply drawn whole, with rows as high as they need to be.

use leptos::html;
use leptos::prelude::*;

use super::each::Each;
use crate::browser;
use crate::reactive::effect;

/// Up to this many rows everything is drawn.
const WHOLE: usize = 150;
/// Rows kept above and below the visible part.
const MARGIN: usize = 8;
/// Rows of a long list that are drawn before its place on the page is known.
const FIRST: usize = 2 * MARGIN;
/// Height of a row until the first one could be measured, in pixels.
const GUESS: f64 = 52.0;

/// The table body of a list. `items` are stable keys; a row is made once for each key.
#[component]
pub fn VirtualRows<F, V>(
    /// The keys of all rows, in order.
    #[prop(into)]
    items: Signal<std::sync::Arc<Vec<usize>>>,
    /// A key whose row must exist although it may be out of sight: the one with the focus.
    #[prop(into)]
    keep: Signal<Option<usize>>,
    /// Id of the body, for the control that opens and closes it.
    #[prop(into)]
    id: String,
    /// Makes the row of a key; the signal is its place from 1 while the list is cut.
    row: F,
) -> impl IntoView
where
    F: Fn(usize, Signal<Option<usize>>) -> V + Copy + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let body = NodeRef::<html::Tbody>::new();
    let window = RwSignal::new((0_usize, FIRST));
    let height = RwSignal::new(GUESS);
    let measure = move || {
        let Some(element): Option<web_sys::HtmlTableSectionElement> =
            body.try_get_untracked().flatten()
        else {
            return;
        };
        let total = items.with_untracked(|items| items.len());
        if total <= WHOLE {
            return;
        }
        let row = element.query_selector("tr.tool-row").ok().flatten();
        let row_height = row
            .map_or(GUESS, |row| row.get_bounding_client_rect().height())
            .max(1.0);
        if (height.get_untracked() - row_height).abs() > 0.5 {
            height.set(row_height);
        }
        let top = element.get_bounding_client_rect().top();
        // Of a list that is out of sight only the nearest rows are drawn.
        let first = count((-top / row_height).floor()).saturating_sub(MARGIN);
        let bottom = browser::viewport_height() - top;
        let last = count((bottom / row_height).ceil()).saturating_add(MARGIN);
        // Moving in steps keeps small scrolls from touching the page at all.
        let next = (first / MARGIN * MARGIN, last.div_ceil(MARGIN) * MARGIN);
        let drawn = window.get_untracked();
        let is_small = drawn.0 <= next.0 && next.1 <= drawn.1 && drawn.1 - drawn.0 <= FIRST;
        if !is_small && drawn != next {
            window.set(next);
        }
    };
    for event in ["scroll", "resize"] {
        browser::on_window(event, move |_| measure());
    }
    effect(move || {
        items.track();
        body.track();
        request_animation_frame(measure);
    });
    let range = Memo::new(move |_| {
        let total = items.with(|items| items.len());
        if total <= WHOLE {
            return (0, total);
        }
        let (first, last) = window.get();
        (first.min(total), last.min(total))
    });
    let drawn = move || {
        let (first, last) = range.get();
        items.with(|items| {
            let mut rows: Vec<(usize, usize)> = items
                .iter()
                .copied()
                .enumerate()
                .skip(first)
                .take(last - first)
                .collect();
            if let Some(kept) = keep.get()
                && let Some(place) = items.iter().position(|item| *item == kept)
            {
                if place < first {
                    rows.insert(0, (place, kept));
                } else if place >= last {
                    rows.push((place, kept));
                }
            }
            rows.into_iter().map(|(_, key)| key).collect::<Vec<usize>>()
        })
    };
    let kept_outside = move |before: bool| {
        let (first, last) = range.get();
        let place = keep
            .get()
            .and_then(|kept| items.with(|items| items.iter().position(|item| *item == kept)));
        usize::from(place.is_some_and(|place| if before { place < first } else { place >= last }))
    };
    let above = move || range.get().0 - kept_outside(true).min(range.get().0);
    let below = move || {
        let left = items.with(|items| items.len()) - range.get().1;
        left - kept_outside(false).min(left)
    };
    let spacer = move |rows: usize| {
        (rows > 0).then(|| {
            let pixels = format!("{}px", count((number(rows) * height.get()).round()));
            view! { <tr class="spacer" aria-hidden="true"><td colspan="3" style:height=pixels></td></tr> }
        })
    };
    let index_of = move |key: usize| {
        Signal::derive(move || {
            items.with(|items| {
                if items.len() <= WHOLE {
                    None
                } else {
                    items
                        .iter()
                        .position(|item| *item == key)
                        .map(|place| place + 1)
                }
            })
        })
    };
    view! {
        <tbody node_ref=body id=id class:cut=move || items.with(|items| items.len() > WHOLE)>
            {move || spacer(above())}
            <Each each=drawn key=|key| *key children=move |key| row(key, index_of(key)) />
            {move || spacer(below())}
        </tbody>
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count of rows or pixels, never negative, far below the limits"
)]
fn count(rows: f64) -> usize {
    rows.max(0.0) as usize
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a row count, far below the limits"
)]
fn number(rows: usize) -> f64 {
    rows as f64
}
