//! A list that keeps the rows of the entries that stay. It is Leptos' own keyed list, given entries
//! of one type only, so that its code exists once and not for every kind of list.

use std::sync::Arc;

use leptos::prelude::*;

/// What tells the entries of one list apart. An entry whose key changes is drawn anew.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

impl From<u64> for Key {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Key {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<String> for Key {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

struct Entry {
    key: Key,
    view: Box<dyn FnOnce() -> AnyView + Send>,
}

type Entries = Box<dyn Fn() -> Vec<Entry> + Send + Sync>;

/// See the module.
#[component]
pub fn Each<T, E, K, N, C, V>(
    /// The entries, in order.
    each: E,
    /// What tells them apart.
    key: K,
    /// Draws one.
    children: C,
) -> impl IntoView
where
    T: Send + 'static,
    E: Fn() -> Vec<T> + Send + Sync + 'static,
    K: Fn(&T) -> N + Send + Sync + 'static,
    N: Into<Key>,
    C: Fn(T) -> V + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let children = Arc::new(children);
    list(Box::new(move || {
        each()
            .into_iter()
            .map(|one| {
                let children = Arc::clone(&children);
                Entry {
                    key: key(&one).into(),
                    view: Box::new(move || children(one).into_any()),
                }
            })
            .collect()
    }))
}

fn list(entries: Entries) -> AnyView {
    view! { <For each=entries key=|entry| entry.key.clone() children=|entry: Entry| (entry.view)() /> }
        .into_any()
}
