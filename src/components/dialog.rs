//! A modal dialog on the browser's own `<dialog>`: focus stays inside, Escape is the safe choice,
//! and closing returns focus to what opened it.

use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlElement;

use crate::browser;
use crate::reactive::effect;

/// A dialog that is open while `open` is true.
#[component]
pub fn Dialog(
    /// Whether it is open.
    #[prop(into)]
    open: Signal<bool>,
    /// Its heading.
    #[prop(into)]
    title: Signal<String>,
    /// Called on Escape and by the safe button; must make `open` false.
    on_close: Callback<()>,
    /// Its content, made anew each time it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    let opener = StoredValue::new_local(None::<HtmlElement>);
    let heading = format!("dialog-{}", browser::random_id());
    effect(move || {
        let Some(dialog): Option<web_sys::HtmlDialogElement> = node.get() else {
            return;
        };
        if open.get() {
            if !dialog.open() {
                opener.set_value(browser::focused());
                drop(dialog.show_modal());
            }
        } else if dialog.open() {
            dialog.close();
            if let Some(opener) = opener
                .try_update_value(Option::<HtmlElement>::take)
                .flatten()
            {
                drop(opener.focus());
            }
        }
    });
    let children = StoredValue::new(children);
    view! {
        <dialog
            class="dialog"
            node_ref=node
            aria-labelledby=heading.clone()
            on:cancel=move |event: web_sys::Event| {
                event.prevent_default();
                on_close.run(());
            }
        >
            <h2 id=heading.clone()>{title}</h2>
            {move || open.get().then(|| children.with_value(|children| children()))}
        </dialog>
    }
}
