//! Pages whose code is fetched when they are first shown. A release build is divided at every
//! [`lazy!`](crate::lazy) by scripts/divide.mjs; every other build holds all code from the start.

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use leptos::prelude::*;
pub use leptos::wasm_split::SplitLoaderError;

use crate::browser;
use crate::components::icon::{Glyph, Icon};
use crate::components::section::Skeleton;
use crate::reactive::spawn;

/// What a piece of code hands out: how its page is drawn.
pub type Draw = fn() -> AnyView;

/// A piece on its way. A failure is not kept: loading again asks again.
pub type Loading = Pin<Box<dyn Future<Output = Result<Draw, SplitLoaderError>>>>;

/// A page, or a part of one, that is fetched when it is first shown: `view=lazy!(rules: RulesPage)`.
/// It takes no properties; a part finds what it is about in its context. The name is that
/// of its piece and stands in the page's line of `public/boot.js`. Pages with one name are one
/// piece; the name of a page inside another begins with the other's, as `agent_settings` does.
#[macro_export]
macro_rules! lazy {
    ($name:ident: $page:expr) => {{
        #[cfg_attr(
            all(target_family = "wasm", not(debug_assertions)),
            ::leptos::wasm_split::wasm_split($name, wasm_split_path = ::leptos::wasm_split, fallible)
        )]
        fn load() -> ::core::result::Result<$crate::lazy::Draw, $crate::lazy::SplitLoaderError> {
            Ok(|| ::leptos::prelude::IntoAny::into_any($page()))
        }
        || {
            static LOADED: ::std::sync::OnceLock<$crate::lazy::Draw> =
                ::std::sync::OnceLock::new();
            $crate::lazy::show(&LOADED, || {
                ::std::boxed::Box::pin(async { $crate::load_piece!(load()) })
            })
        }
    }};
}

/// Awaits a piece where the build is divided, and calls it where it is not.
#[doc(hidden)]
#[macro_export]
macro_rules! load_piece {
    ($load:expr) => {{
        #[cfg(all(target_family = "wasm", not(debug_assertions)))]
        {
            $load.await
        }
        #[cfg(not(all(target_family = "wasm", not(debug_assertions))))]
        {
            $load
        }
    }};
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Loading,
    Failed,
    Ready,
}

/// Context of what is drawn inside a page that was itself fetched.
#[derive(Clone, Copy)]
struct InsidePage;

/// Draws a page once its code is there, and at once when it was there before. A piece that is not
/// there any more, because a newer version is served, ends in the notice of `public/boot.js`.
pub fn show(loaded: &'static OnceLock<Draw>, load: fn() -> Loading) -> AnyView {
    let inside = use_context::<InsidePage>().is_some();
    provide_context(InsidePage);
    if let Some(draw) = loaded.get() {
        return draw();
    }
    let phase = RwSignal::new(Phase::Loading);
    let fetch = move || {
        phase.set(Phase::Loading);
        spawn(async move {
            let outcome = load().await.map(|draw| loaded.get_or_init(|| draw));
            // Focus on what stands in for the page goes away with it.
            if browser::focused_within("#main").is_some() {
                WANTS_FOCUS.store(true, Ordering::Relaxed);
            }
            phase.try_set(match outcome {
                Ok(_) => Phase::Ready,
                Err(_) => Phase::Failed,
            });
            give_focus();
        });
    };
    fetch();
    (move || match (phase.get(), loaded.get()) {
        (Phase::Ready, Some(draw)) => draw(),
        (now, _) => {
            let stand_in = if now == Phase::Failed {
                view! {
                    <div class="notice deny" role="alert">
                        <Glyph icon=Icon::Warning />
                        <p><strong>{if inside { "This part of the page could not be loaded." } else { "This page could not be loaded." }}</strong>" Its code did not arrive from the control plane."</p>
                        <div class="actions">
                            <button type="button" class="btn" on:click=move |_| fetch()>"Retry"</button>
                        </div>
                    </div>
                }
                .into_any()
            } else {
                view! { <Skeleton hidden=false rows=6 /> }.into_any()
            };
            if inside {
                stand_in
            } else {
                view! { <main id="main" class="page" tabindex="-1"><h1 class="visually-hidden">"Remit"</h1>{stand_in}</main> }.into_any()
            }
        }
    })
    .into_any()
}

static WANTS_FOCUS: AtomicBool = AtomicBool::new(false);

/// Moves focus to the page, now or as soon as its code is there.
pub fn focus_page() {
    WANTS_FOCUS.store(!browser::focus("main"), Ordering::Relaxed);
}

fn give_focus() {
    if WANTS_FOCUS.swap(false, Ordering::Relaxed) {
        request_animation_frame(|| {
            if !browser::has_focus() {
                focus_page();
            }
        });
    }
}
