//! The bar that shows how many tools are in which state; the numbers stand beside it as text.

use contract::capabilities::AccessSummary;
use leptos::prelude::*;

/// Width of the drawing, in its own units.
const WIDTH: f64 = 1000.0;

/// A bar of four parts, described in words for those who do not see it.
#[component]
pub fn AccessBar(
    /// The numbers.
    #[prop(into)]
    summary: Signal<AccessSummary>,
) -> impl IntoView {
    let words = move || {
        let counts = summary.get();
        format!(
            "{} on, {} off here, {} denied above, {} permission off",
            counts.on, counts.off_here, counts.denied_above, counts.permission_off
        )
    };
    let parts = move || {
        let counts = summary.get();
        let total = f64::from(counts.total().max(1));
        let mut start = 0.0;
        [("on", counts.on), ("off", counts.off_here), ("deny", counts.denied_above), ("perm", counts.permission_off)]
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(class, count)| {
                let width = WIDTH * f64::from(count) / total;
                let part = view! {
                    <rect class=class x=start.to_string() y="0" width=(width - 3.0).max(1.0).to_string() height="8" />
                };
                start += width;
                part
            })
            .collect_view()
    };
    view! {
        <svg class="bar" role="img" aria-label=words viewBox="0 0 1000 8" preserveAspectRatio="none">
            {parts}
        </svg>
    }
}
