//! Asks before text that is not stored is left behind: on links, Back and Forward, jumps by
//! keyboard and sign-out. Closing or reloading the window is asked about by the browser itself.
//!
//! Editors register what they hold; whoever leads away in code goes through [`Leave::go`] or
//! [`Leave::ask`].

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};

use super::announce::use_announcer;
use super::dialog::Dialog;
use crate::browser;
use crate::browser::address::{self, HistorySteps};
use crate::reactive::spawn;
use crate::route::Route;

/// Stores an editor's text; `true` once the control plane confirmed it.
pub type Save = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = bool>>>>;

/// An editor that may hold text which is not stored.
#[derive(Clone)]
pub struct Unsaved {
    /// What is edited, as it reads in "Unsaved changes to …".
    pub what: String,
    /// Whether its text differs from what is stored.
    pub dirty: Signal<bool>,
    /// Why it cannot be saved as it is; `None` when it can.
    pub blocked: Signal<Option<String>>,
    /// Stores the text.
    pub save: Save,
    /// Gives the text up, for good.
    pub discard: Rc<dyn Fn()>,
}

type Onward = Rc<dyn Fn()>;
type Navigate = Rc<dyn Fn(&str)>;

/// The guard of the page, from context.
#[derive(Clone, Copy)]
pub struct Leave {
    editors: StoredValue<Vec<(u64, Unsaved)>, LocalStorage>,
    next: StoredValue<u64>,
    onward: StoredValue<Option<Onward>, LocalStorage>,
    asking: RwSignal<bool>,
    navigate: StoredValue<Navigate, LocalStorage>,
}

impl Leave {
    /// Starts guarding; called once, by the shell, inside the router.
    pub fn start() -> Self {
        let navigate = use_navigate();
        let go = move |address: &str| {
            let options = NavigateOptions {
                resolve: false,
                ..Default::default()
            };
            navigate(address, options);
        };
        let leave = Self {
            editors: StoredValue::new_local(Vec::new()),
            next: StoredValue::new(0),
            onward: StoredValue::new_local(None),
            asking: RwSignal::new(false),
            navigate: StoredValue::new_local(Rc::new(go)),
        };
        let location = use_location();
        let here = move || {
            let search = location.search.get_untracked();
            let mark = if search.is_empty() || search.starts_with('?') {
                ""
            } else {
                "?"
            };
            format!(
                "{}{mark}{search}{}",
                location.pathname.get_untracked(),
                location.hash.get_untracked()
            )
        };
        address::on_link_press(move |target| {
            if !target.starts_with(&browser::base_path()) || same_page(target, &here()) {
                return false;
            }
            let target = target.to_owned();
            leave.hold_back(Rc::new(move || leave.follow(&target)))
        });
        // The address has changed by the time this is called, the router's has not.
        expect_context::<HistorySteps>()
            .guard(move |again| !same_page(&address::address(), &here()) && leave.hold_back(again));
        address::on_unload(move || leave.holds_unsaved());
        leave
    }

    /// Registers an editor until the current owner is gone.
    pub fn guard(self, editor: Unsaved) {
        let id = self.next.try_update_value(|next| {
            *next += 1;
            *next
        });
        let Some(id) = id else { return };
        self.editors
            .update_value(|editors| editors.push((id, editor)));
        on_cleanup(move || {
            self.editors
                .try_update_value(|editors| editors.retain(|(present, _)| *present != id));
        });
    }

    fn unsaved(self) -> Vec<Unsaved> {
        self.editors
            .try_with_value(|editors| {
                editors
                    .iter()
                    .map(|(_, editor)| editor.clone())
                    .filter(|editor| editor.dirty.try_get_untracked() == Some(true))
                    .collect()
            })
            .unwrap_or_default()
    }

    /// Whether any editor holds text that is not stored.
    pub fn holds_unsaved(self) -> bool {
        !self.unsaved().is_empty()
    }

    /// Goes to another place of the dashboard, asking first where text would be lost.
    pub fn go(self, route: &Route) {
        self.go_to(&route.href());
    }

    /// Goes to an address of the dashboard, asking first where text would be lost.
    pub fn go_to(self, address: &str) {
        let target = address.to_owned();
        if same_page(&target, &address::address()) {
            self.follow(&target);
        } else {
            self.ask(move || self.follow(&target));
        }
    }

    /// Does something that takes the page away, asking first where text would be lost.
    pub fn ask(self, onward: impl Fn() + 'static) {
        let onward: Onward = Rc::new(onward);
        if !self.hold_back(onward.clone()) {
            onward();
        }
    }

    /// Opens the question if there is something to lose.
    fn hold_back(self, onward: Onward) -> bool {
        let holds = self.holds_unsaved();
        if holds {
            self.onward.set_value(Some(onward));
            self.asking.set(true);
        }
        holds
    }

    fn follow(self, target: &str) {
        if let Some(navigate) = self.navigate.try_get_value() {
            navigate(target);
        }
    }

    fn stay(self) {
        self.onward.set_value(None);
        self.asking.set(false);
    }

    fn proceed(self) {
        let onward = self.onward.try_update_value(Option::take).flatten();
        self.asking.set(false);
        if let Some(onward) = onward {
            onward();
        }
    }
}

/// Whether two addresses show the same page; query and fragment belong to the page.
fn same_page(left: &str, right: &str) -> bool {
    let path = |address: &'_ str| -> String {
        let end = address.find(['?', '#']).unwrap_or(address.len());
        let path: String = address.chars().take(end).collect();
        path.trim_end_matches('/').to_owned()
    };
    path(left) == path(right)
}

/// The guard of the page.
pub fn use_leave() -> Leave {
    expect_context()
}

/// The question; stands once, in the shell.
#[component]
pub fn LeaveDialog() -> impl IntoView {
    let leave = use_leave();
    let announcer = use_announcer();
    let saving = RwSignal::new(false);
    let title = move || {
        leave.asking.track();
        let names: Vec<String> = leave
            .unsaved()
            .into_iter()
            .map(|editor| editor.what)
            .collect();
        format!("Unsaved changes to {}", names.join(" and "))
    };
    let save = move || {
        if saving.get_untracked() {
            return;
        }
        saving.set(true);
        spawn(async move {
            let mut all_stored = true;
            for editor in leave.unsaved() {
                all_stored &= (editor.save)().await;
            }
            if saving.try_set(false).is_some() {
                return;
            }
            // Staying was chosen while the request was on its way.
            if !leave.asking.get_untracked() {
                return;
            }
            if all_stored && !leave.holds_unsaved() {
                leave.proceed();
            } else {
                leave.stay();
                announcer.alert("Not saved, so you are still here. The editor says why.");
            }
        });
    };
    let discard = move || {
        for editor in leave.unsaved() {
            (editor.discard)();
        }
        leave.proceed();
    };
    let blocked = move || {
        leave.unsaved().into_iter().find_map(|editor| {
            let reason = editor.blocked.get()?;
            Some(reason)
        })
    };
    view! {
        <Dialog
            open=leave.asking
            title=Signal::derive(title)
            on_close=Callback::new(move |()| leave.stay())
        >
            <p>"What you typed is not stored. Leaving without saving gives it up."</p>
            {move || blocked().map(|reason| view! {
                <p class="note" id="leave-blocked">{format!("It cannot be saved as it is. {reason}")}</p>
            })}
            <div class="dialog-actions">
                <button type="button" class="btn danger" on:click=move |_| discard()>"Discard"</button>
                <button
                    type="button"
                    class="btn"
                    aria-disabled=move || blocked().is_some().then_some("true")
                    aria-describedby=move || blocked().is_some().then_some("leave-blocked")
                    aria-busy=move || saving.get().then_some("true")
                    on:click=move |_| match blocked() {
                        Some(reason) => announcer.alert(reason),
                        None => save(),
                    }
                >
                    {move || if saving.get() { "Saving…" } else { "Save" }}
                </button>
                <button type="button" class="btn primary" autofocus on:click=move |_| leave.stay()>"Stay"</button>
            </div>
        </Dialog>
    }
}

#[cfg(test)]
mod tests {
    use super::same_page;

    #[test]
    fn query_and_fragment_belong_to_the_page() {
        assert!(same_page(
            "/agents/a1/capabilities?q=git#top",
            "/agents/a1/capabilities/"
        ));
        assert!(!same_page("/agents/a1", "/agents/a1/capabilities"));
        assert!(!same_page("/agents/a1?x=/agents/a2", "/agents/a2"));
    }
}
