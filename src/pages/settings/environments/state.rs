//! What the pages about environments share: the list, the question before a step that cannot be
//! taken back, and the step itself.

use contract::agents::AgentUse;
use contract::environments::Environment;
use contract::events::ChangeKind;
use leptos::prelude::*;

use crate::api;
use crate::components::announce::{Announcer, use_announcer};
use crate::live::use_live;
use crate::remote::Remote;
use crate::session::{SessionState, use_session};

/// A step that cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Let agents be given it.
    Publish,
    /// Delete it.
    Delete,
}

/// A step that waits for a second thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What would be done.
    pub step: Step,
    /// To which environment.
    pub row: Environment,
}

/// See the module.
#[derive(Clone, Copy)]
pub struct Recipes {
    /// Every environment, latest change first.
    pub list: Remote<Vec<Environment>>,
    /// The step that is asked about.
    pub asked: RwSignal<Option<Asked>>,
    /// The agents that have the environment asked about.
    pub reached: Remote<Vec<AgentUse>>,
    /// The session of the page.
    pub session: SessionState,
    /// Tells people things.
    pub announcer: Announcer,
}

impl Recipes {
    /// Starts for the page around the caller.
    pub fn start() -> Self {
        let session = use_session();
        let list: Remote<Vec<Environment>> =
            Remote::new(move || async move { api::environments::all(&session.client()).await });
        let asked = RwSignal::new(None::<Asked>);
        let recipes = Self {
            list,
            asked,
            reached: Remote::idle(move || async move {
                match asked.try_get_untracked().flatten() {
                    Some(asked) => {
                        api::environments::agents(&session.client(), &asked.row.id).await
                    }
                    None => Ok(Vec::new()),
                }
            }),
            session,
            announcer: use_announcer(),
        };
        use_live().on_change(move |event| match event.kind {
            ChangeKind::Environment | ChangeKind::Reset => list.reload(),
            // An agent may have been given it, or have given it up.
            ChangeKind::Agent => recipes.reached.refresh(),
            _ => {}
        });
        recipes
    }

    /// Asks about a step, with the agents it is about.
    pub fn ask(self, step: Step, row: Environment) {
        self.asked.set(Some(Asked { step, row }));
        self.reached.confirm(Vec::new());
        self.reached.reload();
    }
}

/// The environments of the page around the caller.
pub fn use_recipes() -> Recipes {
    expect_context()
}
