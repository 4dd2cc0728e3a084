//! Writing a skill: a new one, or a stored one anew. What is typed is measured and looked through
//! for secrets as the server will do it, and judged by the hosts while it is written.

pub mod draft;
pub mod edit;
pub mod fields;
pub mod state;

use contract::skills::{SkillCreate, SkillScope};
use leptos::prelude::*;
use serde_json::Map;

use self::draft::{Draft, Wrong};
use self::fields::Fields;
use self::state::{Form, guard, restored};
use crate::api;
use crate::components::announce::use_announcer;
use crate::components::form::focus_wrong;
use crate::components::leave::{Save, use_leave};
use crate::components::words::revealed;
use crate::drafts::Place;
use crate::pages::settings::use_frame;
use crate::reactive::spawn;
use crate::route::{Route, SettingsPage};
use crate::session::{Account, use_session};

/// The page that makes a skill.
#[component]
pub fn NewSkillPage() -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let leave = use_leave();
    use_frame().show(Signal::derive(|| "New skill".to_owned()));
    let place = Place::new("skill.new", "instructions");
    let form = Form::start(Draft::empty(), true, place.clone());
    let store = move || async move {
        if !form.check() {
            announcer.alert("Not sent. Something is missing or too long.");
            focus_wrong();
            return None;
        }
        let owner = session.account().with_untracked(|account| match account {
            Account::In(session) | Account::Expired(session) => Some(session.user.id.0.clone()),
            Account::Unknown | Account::Failed(_) | Account::Out => None,
        });
        let draft = untrack(move || form.draft());
        let request = SkillCreate {
            owner_type: SkillScope::Tenant,
            owner_id: owner.unwrap_or_default(),
            title: draft.title.trim().to_owned(),
            description: draft.description.trim().to_owned(),
            instructions_md: draft.instructions.clone(),
            frontmatter: None,
            slug: (!draft.slug.is_empty()).then(|| draft.slug.clone()),
            version: Some(draft.version.trim().to_owned()),
            invocation_slug: None,
        };
        form.busy.set(true);
        let answer = session.watch(api::skills::create(&session.client(), &request).await);
        form.busy.try_set(false);
        match answer {
            Ok(skill) => {
                // Nothing is unsaved any more, so that leaving asks nothing.
                form.base.try_set(draft);
                announcer.toast(format!("{} saved", revealed(&skill.title)), None);
                Some(skill)
            }
            Err(error) => {
                announcer.alert(format!("Not saved. {}", error.sentence()));
                form.wrong.try_set(Wrong::of(&error));
                focus_wrong();
                None
            }
        }
    };
    let done = place.clone();
    let send = Callback::new(move |()| {
        let place = done.clone();
        spawn(async move {
            if let Some(skill) = store().await {
                place.forget();
                leave.go(&Route::installed_skill(&skill.id));
            }
        });
    });
    let save: Save = std::rc::Rc::new(move || Box::pin(async move { store().await.is_some() }));
    guard(form, "the new skill", save, place);
    let head = Memo::new(|_| Map::new());
    view! {
        <div class="page">
            <header class="panel skill-head">
                <div class="identity">
                    <p class="crumb"><a href=Route::Settings(SettingsPage::Skills).href()>"Skills"</a>" › New"</p>
                    <h2 id="skill-title" tabindex="-1">"New skill"</h2>
                    <p class="skill-lead">"It belongs to the workspace. Agents find it once it is bound to them or to a scope above them."</p>
                </div>
            </header>
            <Fields
                form=form
                head=head
                send=send
                cancel=Callback::new(move |()| leave.go(&Route::Settings(SettingsPage::Skills)))
                label="Save skill"
                notice=move || restored(form)
            />
        </div>
    }
}
