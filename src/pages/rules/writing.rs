//! Stores or deletes the row of one scope, on the condition that nobody else changed it since it
//! was read, and takes a write back.

use std::sync::Arc;

use contract::grants::{GrantConflict, GrantContent, GrantRow, Scope};

use super::state::{Base, RulesState};
use crate::api::grants::Expected;
use crate::api::{self, ApiError, Client};
use crate::components::announce::{Action, Announcer};
use crate::reactive::spawn;
use crate::session::SessionState;

/// Which row, and how its versions are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The kind of scope.
    pub scope: Scope,
    /// The tenant, organization, Work or agent.
    pub id: String,
    /// Whether the control plane numbers the versions of a row.
    pub has_revisions: bool,
}

/// Why a row was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It was changed meanwhile; this is what is stored now.
    Conflict(Option<GrantRow>),
    /// Anything else.
    Failed(ApiError),
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Self {
        if let ApiError::Changed(body) = &error
            && let Ok(conflict) = serde_json::from_str::<GrantConflict>(body)
        {
            return Self::Conflict(conflict.current);
        }
        Self::Failed(error)
    }
}

fn same_content(row: Option<&GrantRow>, content: Option<&GrantContent>) -> bool {
    let plain = |content: &GrantContent| super::draft::Draft::from_stored(Some(content));
    match (row.map(GrantRow::content), content) {
        (None, None) => true,
        (Some(row), Some(content)) => plain(&row).is_same(&plain(content)),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// The row stored at the target now.
async fn stored(client: &Client, target: &Target) -> Result<Option<GrantRow>, ApiError> {
    let rows = api::grants::rows(client).await?;
    Ok(rows
        .into_iter()
        .find(|row| row.scope_type == target.scope && row.scope_id == target.id))
}

/// Stores `content` at the target, or deletes what is stored there. Answers with the row as it is
/// stored then, also when only the answer of the write was lost.
pub async fn write(
    client: &Client,
    target: &Target,
    base: &Base,
    content: Option<&GrantContent>,
) -> Result<Option<GrantRow>, Refused> {
    match send(client, target, base, content).await {
        Err(Refused::Failed(error)) if error.may_be_stored() => {
            match stored(client, target).await {
                Ok(row) if same_content(row.as_ref(), content) => Ok(row),
                Ok(_) | Err(_) => Err(Refused::Failed(error)),
            }
        }
        outcome => outcome,
    }
}

async fn send(
    client: &Client,
    target: &Target,
    base: &Base,
    content: Option<&GrantContent>,
) -> Result<Option<GrantRow>, Refused> {
    let mut present = base.row.clone();
    if !target.has_revisions {
        // Without versions the best that can be done is to look right before writing.
        present = stored(client, target).await?;
        if !same_content(present.as_ref(), base.content.as_ref()) {
            return Err(Refused::Conflict(present));
        }
    }
    let expected = match (&present, target.has_revisions) {
        (_, false) => Expected::Anything,
        (None, true) => Expected::Absent,
        (Some(row), true) => row.etag().map_or(Expected::Anything, Expected::Version),
    };
    match (content, present) {
        (Some(content), _) => {
            let body = content.write_to(target.scope.clone(), &target.id);
            Ok(Some(api::grants::put(client, &body, expected).await?))
        }
        (None, None) => Ok(None),
        (None, Some(row)) => match api::grants::delete(client, &row.id, expected).await {
            // Deleted by somebody else meanwhile: what was wanted is so.
            Ok(_) | Err(ApiError::Missing(_)) => Ok(None),
            Err(error) => Err(error.into()),
        },
    }
}

/// What is needed to take a write back, also after its page was left.
#[derive(Clone)]
pub struct TakeBack {
    /// The row written.
    pub target: Target,
    /// What the write left.
    pub after: Base,
    /// What was stored before.
    pub before: Option<GrantContent>,
    /// Its page, whose reads are repeated if it is still open.
    pub state: RulesState,
    /// How to call the control plane.
    pub session: SessionState,
    /// Tells how it went.
    pub announcer: Announcer,
}

impl TakeBack {
    /// The action of the toast that offers it.
    pub fn action(self) -> (String, Action) {
        let run = move || {
            let back = self.clone();
            spawn(async move { back.run().await });
        };
        ("Undo".to_owned(), Arc::new(run))
    }

    async fn run(self) {
        let outcome = write(
            &self.session.client(),
            &self.target,
            &self.after,
            self.before.as_ref(),
        )
        .await;
        match outcome {
            Ok(_) => {
                self.announcer.toast("Taken back.", None);
                self.state.rows.reload();
            }
            Err(Refused::Conflict(_)) => {
                let text = "Not taken back: the rule was changed elsewhere since.";
                self.announcer.toast(text, None);
            }
            Err(Refused::Failed(error)) => {
                let sentence = error.sentence();
                drop(self.session.watch::<()>(Err(error)));
                self.announcer.alert(format!("Not taken back. {sentence}"));
                self.announcer
                    .toast(format!("Not taken back. {sentence}"), Some(self.action()));
            }
        }
    }
}
