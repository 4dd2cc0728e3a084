//! The states of a read on screen: loading, slow, failed, stale and there. The content is mounted
//! once and fed by a signal, so that a newer answer never takes focus, scroll or typed text.

use leptos::prelude::*;

use super::notice::Failure;
use crate::api::ApiError;
use crate::browser::timer::Timer;
use crate::lasting::Lasting;
use crate::remote::Remote;

/// After how long a skeleton appears, and after how long it says that it is slow, in milliseconds.
const SKELETON: u64 = 150;
const SLOW: u64 = 10_000;

/// Shows a read. See the module.
#[component]
pub fn Loaded<T, V, F>(
    /// The read.
    remote: Remote<T>,
    /// What is read, for the failure: "The tools could not be loaded."
    #[prop(into)]
    failed: String,
    /// How many skeleton rows keep the place.
    #[prop(default = 3)]
    rows: usize,
    /// The content.
    children: F,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(Memo<T>) -> V + Send + Sync + 'static,
{
    let value = remote.value();
    // The content below is mounted at the first good answer and never unmounted after it, so a
    // value is always there when it asks for one.
    let first = StoredValue::new(None::<T>);
    let ready = Memo::new(move |_| {
        value.with(|value| {
            if let Some(value) = value
                && first.with_value(Option::is_none)
            {
                first.set_value(Some(value.clone()));
            }
            value.is_some()
        })
    });
    let content = move || {
        let start = first.get_value()?;
        let current = Memo::new(move |previous: Option<&T>| {
            value
                .get()
                .or_else(|| previous.cloned())
                .unwrap_or_else(|| start.clone())
        });
        Some(children(current).into_any())
    };
    frame(
        failed,
        rows,
        remote.failure(),
        Callback::new(move |()| remote.reload()),
        ready,
        Box::new(content),
    )
}

/// What is the same for every read.
fn frame(
    failed: String,
    rows: usize,
    failure: Lasting<ReadSignal<Option<ApiError>>>,
    retry: Callback<()>,
    ready: Memo<bool>,
    content: Box<dyn Fn() -> Option<AnyView> + Send + Sync>,
) -> AnyView {
    view! {
        {move || failure.get().map(|error| {
            let what = if ready.get() {
                format!("{failed} What is shown is of an earlier read.")
            } else {
                failed.clone()
            };
            view! { <Failure what=what error=error on_retry=retry /> }
        })}
        {move || if ready.get() {
            content().into_any()
        } else {
            view! { <Skeleton hidden=Signal::derive(move || failure.with(Option::is_some)) rows=rows /> }.into_any()
        }}
    }
    .into_any()
}

/// Grey rows of the height of the real ones, with words once it takes long.
#[component]
pub fn Skeleton(
    /// Hides it while a failure is shown instead.
    #[prop(into)]
    hidden: Signal<bool>,
    /// How many rows.
    rows: usize,
) -> impl IntoView {
    let shown = RwSignal::new(false);
    let slow = RwSignal::new(false);
    for (signal, wait) in [(shown, SKELETON), (slow, SLOW)] {
        Timer::new().start(wait, move || {
            signal.try_set(true);
        });
    }
    view! {
        <div class="skeleton" aria-busy=move || (!hidden.get()).to_string() hidden=move || hidden.get()>
            <p class=move || if slow.get() { "note" } else { "visually-hidden" }>
                {move || if slow.get() { "Taking longer than usual…" } else { "Loading…" }}
            </p>
            <div class="lines" data-shown=move || shown.get().to_string()>
                {(0..rows).map(|_| view! { <div class="line"></div> }).collect_view()}
            </div>
        </div>
    }
}
