//! What the pages of a server's skills share: its listing, entries that were judged anew, and files
//! an operator asked for.

use std::collections::BTreeMap;

use contract::connections::Connection;
use contract::events::ChangeKind;
use contract::ids::ConnectionId;
use contract::mcp_skills::{McpSkill, McpSkillFileContent, McpSkillListing};
use leptos::prelude::*;

use crate::api::{self, ApiError};
use crate::components::announce::{Announcer, use_announcer};
use crate::live::use_live;
use crate::reactive::spawn;
use crate::remote::Remote;
use crate::session::{SessionState, use_session};

/// What is done with one skill, of which one thing is done at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Its entry is asked for.
    Get,
    /// Its files are fetched and compared.
    Verify,
    /// Its content is approved.
    Approve,
    /// The approval is withdrawn.
    Withdraw,
}

impl Deed {
    /// "The files were not verified."
    pub fn failed(self) -> &'static str {
        match self {
            Self::Get => "The server did not answer for this address.",
            Self::Verify => "The files were not verified.",
            Self::Approve => "The content was not approved.",
            Self::Withdraw => "The approval was not withdrawn.",
        }
    }
}

/// See the module.
#[derive(Clone, Copy)]
pub struct Published {
    /// The connection.
    pub connection: StoredValue<ConnectionId>,
    /// The connection's own row, for its name while the listing is not there.
    pub row: Remote<Connection>,
    /// What the server lists.
    pub listing: Remote<McpSkillListing>,
    /// Entries judged after the listing, by address.
    pub judged: RwSignal<BTreeMap<String, McpSkill>>,
    /// Files that were inspected, by the address of the skill and of the file.
    pub inspected: RwSignal<BTreeMap<(String, String), McpSkillFileContent>>,
    /// Files being inspected.
    pub inspecting: RwSignal<BTreeMap<(String, String), Option<ApiError>>>,
    /// What is being done with a skill, by its address.
    pub doing: RwSignal<BTreeMap<String, Deed>>,
    /// What could not be done, by address.
    pub failed: RwSignal<BTreeMap<String, (Deed, ApiError)>>,
    session: SessionState,
    announcer: Announcer,
}

impl Published {
    /// Asks the server what it lists.
    pub fn start(connection: ConnectionId) -> Self {
        let session = use_session();
        let connection = StoredValue::new(connection);
        let state = Self {
            connection,
            row: Remote::new(move || async move {
                api::mcp::one(&session.client(), &connection.get_value()).await
            }),
            listing: Remote::new(move || async move {
                api::mcp_skills::list(&session.client(), &connection.get_value()).await
            }),
            judged: RwSignal::new(BTreeMap::new()),
            inspected: RwSignal::new(BTreeMap::new()),
            inspecting: RwSignal::new(BTreeMap::new()),
            doing: RwSignal::new(BTreeMap::new()),
            failed: RwSignal::new(BTreeMap::new()),
            session,
            announcer: use_announcer(),
        };
        use_live().on_change(move |event| {
            let ours = event.resource_id.as_deref() == Some(state.connection.get_value().as_str());
            match event.kind {
                ChangeKind::McpSkill if ours => state.read_again(),
                ChangeKind::McpConnection if ours => state.row.reload(),
                ChangeKind::Reset | ChangeKind::Unknown(_) => state.read_again(),
                _ => {}
            }
        });
        state
    }

    /// Asks the server anew; what was judged before counts no more once the answer is there.
    pub fn read_again(self) {
        spawn(async move {
            if matches!(self.listing.read().await, Some(Ok(_))) {
                let kept: Vec<String> = self.listing.now().map_or_else(Vec::new, |listing| {
                    listing.data.into_iter().map(|one| one.uri).collect()
                });
                let stray = self.judged.try_update(|judged| {
                    judged.retain(|uri, _| !kept.contains(uri));
                    judged.keys().cloned().collect::<Vec<_>>()
                });
                for uri in stray.unwrap_or_default() {
                    self.act(&uri, Deed::Get, None);
                }
            }
        });
    }

    /// The label under which the skills of this server are kept apart.
    pub fn server_name(self) -> Option<String> {
        let listed = self
            .listing
            .value()
            .with(|listing| listing.as_ref().map(|listing| listing.server.clone()));
        listed.or_else(|| {
            self.row
                .value()
                .with(|row| row.as_ref().map(|row| row.name.clone()))
        })
    }

    /// The newest judged entry of an address, if there is one.
    pub fn entry(self, uri: &str) -> Option<McpSkill> {
        self.judged
            .with(|judged| judged.get(uri).cloned())
            .or_else(|| {
                self.listing.value().with(|listing| {
                    let found = listing.as_ref()?.data.iter().find(|one| one.uri == uri)?;
                    Some(found.clone())
                })
            })
    }

    /// Does something with one skill.
    pub fn act(self, uri: &str, deed: Deed, fingerprint: Option<String>) {
        let uri = uri.to_owned();
        let is_new = self
            .doing
            .try_update(|doing| doing.insert(uri.clone(), deed).is_none());
        if is_new != Some(true) {
            return;
        }
        self.failed.try_update(|failed| failed.remove(&uri));
        spawn(async move {
            let Some(connection) = self.connection.try_get_value() else {
                return;
            };
            let client = self.session.client();
            let answer = match deed {
                Deed::Get => api::mcp_skills::by_address(&client, &connection, &uri).await,
                Deed::Verify => api::mcp_skills::verify(&client, &connection, &uri).await,
                Deed::Approve => {
                    let fingerprint = fingerprint.unwrap_or_default();
                    api::mcp_skills::approve(&client, &connection, &uri, &fingerprint).await
                }
                Deed::Withdraw => api::mcp_skills::withdraw(&client, &connection, &uri).await,
            };
            let answer = self.session.watch(answer);
            self.doing.try_update(|doing| doing.remove(&uri));
            match answer {
                Ok(skill) => {
                    self.announcer.say(match deed {
                        Deed::Get => "Entry refreshed",
                        Deed::Verify => "Files verified",
                        Deed::Approve => "Content approved",
                        Deed::Withdraw => "Approval withdrawn",
                    });
                    self.judged.try_update(|judged| judged.insert(uri, skill));
                }
                Err(error) => {
                    let said = format!("{} {}", deed.failed(), error.sentence());
                    self.announcer.alert(said);
                    self.failed
                        .try_update(|failed| failed.insert(uri, (deed, error)));
                }
            }
        });
    }

    /// Fetches one file to be looked at.
    pub fn inspect(self, skill: &str, file: &str) {
        let key = (skill.to_owned(), file.to_owned());
        let is_waiting = self
            .inspecting
            .with_untracked(|all| matches!(all.get(&key), Some(None)));
        if is_waiting {
            return;
        }
        self.inspecting
            .try_update(|all| all.insert(key.clone(), None));
        spawn(async move {
            let Some(connection) = self.connection.try_get_value() else {
                return;
            };
            let client = self.session.client();
            let answer = api::mcp_skills::read(&client, &connection, &key.0, &key.1).await;
            match self.session.watch(answer) {
                Ok(content) => {
                    self.inspecting.try_update(|all| all.remove(&key));
                    self.note_check(&key.0, &content);
                    self.inspected.try_update(|all| all.insert(key, content));
                }
                Err(error) => {
                    let said = format!("The file was not fetched. {}", error.sentence());
                    self.announcer.alert(said);
                    self.inspecting
                        .try_update(|all| all.insert(key, Some(error)));
                }
            }
        });
    }

    /// Puts what inspecting found about a file into the list of files.
    fn note_check(self, skill: &str, content: &McpSkillFileContent) {
        let Some(mut entry) = untrack(move || self.entry(skill)) else {
            return;
        };
        if let Some(file) = entry
            .files
            .iter_mut()
            .find(|file| file.uri == content.file.uri)
        {
            *file = content.file.clone();
            self.judged
                .try_update(|judged| judged.insert(skill.to_owned(), entry));
        }
    }
}

/// The state of the page around the caller.
pub fn use_published() -> Published {
    expect_context()
}
