//! Effects and tasks whose code exists once. Leptos compiles what surrounds a closure anew for
//! every closure it is given; handing it a boxed one instead keeps the download small.

use std::future::Future;
use std::pin::Pin;

use leptos::prelude::Effect;

/// Runs now and whenever something it read has changed, until the current owner is gone.
pub fn effect(run: impl FnMut() + 'static) {
    boxed_effect(Box::new(run));
}

/// As [`effect`], and hands each run what the one before returned.
pub fn follow<T: 'static>(mut run: impl FnMut(Option<T>) -> T + 'static) {
    let mut before = None;
    effect(move || before = Some(run(before.take())));
}

fn boxed_effect(mut run: Box<dyn FnMut()>) {
    Effect::new(move |_: Option<()>| run());
}

/// Carries out a task beside what the page does.
pub fn spawn(task: impl Future<Output = ()> + 'static) {
    spawn_boxed(Box::pin(task));
}

fn spawn_boxed(task: Pin<Box<dyn Future<Output = ()>>>) {
    wasm_bindgen_futures::spawn_local(task);
}
