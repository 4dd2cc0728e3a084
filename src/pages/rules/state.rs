//! What the parts of the rules page share: the reads of one account's scopes, agents and rows, and
//! the rule that is being written for the scope shown.

use contract::agents::Agent;
use contract::events::{ActivityPage, ChangeEvent, ChangeKind};
use contract::grants::{GrantContent, GrantRow, ResolvedGrants, Scope};
use contract::organizations::{Organization, WorkList};
use contract::rules::explain::AgentView;
use leptos::prelude::*;

use super::draft::Draft;
use crate::api::{self, ApiError, Client};
use crate::live::use_live;
use crate::remote::Remote;
use crate::session::{Account, SessionState, use_session};

/// How many agents one read of the list asks for, and how many such reads are made.
const AGENTS_PAGE: u64 = 200;
const AGENTS_PAGES: u64 = 5;

/// The agents of the account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fleet {
    /// Agents that can run, as far as they were read.
    pub agents: Vec<Agent>,
    /// Agents in the archive; their rules are still stored.
    pub archived: Vec<Agent>,
    /// How many agents that can run there are.
    pub total: u64,
}

impl Fleet {
    async fn read(client: &Client) -> Result<Self, ApiError> {
        let mut fleet = Self::default();
        for page in 0..AGENTS_PAGES {
            let offset = page * AGENTS_PAGE;
            let query = format!("limit={AGENTS_PAGE}&offset={offset}");
            let answer = api::agents::list(client, &query).await?;
            fleet.total = answer.meta.total;
            let is_last = answer.data.is_empty() || offset + AGENTS_PAGE >= answer.meta.total;
            fleet.agents.extend(answer.data);
            if is_last {
                break;
            }
        }
        let query = format!("status=archived&limit={AGENTS_PAGE}");
        fleet.archived = api::agents::list(client, &query).await?.data;
        Ok(fleet)
    }

    /// An agent, in the archive or not.
    pub fn find(&self, id: &str) -> Option<&Agent> {
        self.agents
            .iter()
            .chain(&self.archived)
            .find(|agent| agent.id.as_str() == id)
    }
}

/// What was stored when the rule being written was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// What the row held; `None` when nothing was stored.
    pub content: Option<GrantContent>,
    /// The row itself; `None` when there is none, or when the content comes from a kept draft.
    pub row: Option<GrantRow>,
}

impl Base {
    /// A stored row, or that there is none.
    pub fn stored(row: Option<GrantRow>) -> Self {
        Self {
            content: row.as_ref().map(GrantRow::content),
            row,
        }
    }

    /// The row as a rule.
    pub fn draft(&self) -> Draft {
        Draft::from_stored(self.content.as_ref())
    }
}

/// See the module.
#[derive(Clone, Copy)]
pub struct RulesState {
    /// The kind of scope shown.
    pub scope: StoredValue<Scope>,
    /// The tenant, organization, Work or agent shown.
    pub id: StoredValue<String>,
    /// Every stored row of the account.
    pub rows: Remote<Vec<GrantRow>>,
    /// Organizations of the account.
    pub organizations: Remote<Vec<Organization>>,
    /// Works of the account.
    pub works: Remote<WorkList>,
    /// Agents of the account.
    pub fleet: Remote<Fleet>,
    /// What the chain down to this scope resolves to.
    pub here: Remote<ResolvedGrants>,
    /// Who wrote grant rows lately.
    pub activity: Remote<ActivityPage>,
    /// What was stored when the rule being written was begun; `None` until the rows were read.
    pub base: RwSignal<Option<Base>>,
    /// Everything granted above is granted on.
    pub inherits: RwSignal<bool>,
    /// The allow list being written.
    pub allow: RwSignal<Vec<String>>,
    /// The deny list being written.
    pub deny: RwSignal<Vec<String>>,
    /// The note being written.
    pub note: RwSignal<String>,
    /// Counts the times the note was replaced by something else than typing.
    pub note_replaced: RwSignal<u32>,
    session: SessionState,
}

impl RulesState {
    /// Starts the reads for one scope and keeps them fresh while its page is open.
    pub fn start(scope: Scope, id: String) -> Self {
        let session = use_session();
        let (scope, id) = (StoredValue::new(scope), StoredValue::new(id));
        let state = Self {
            scope,
            id,
            rows: Remote::new(move || async move { api::grants::rows(&session.client()).await }),
            organizations: Remote::new(move || async move {
                api::auth::organizations(&session.client()).await
            }),
            works: Remote::new(move || async move { api::auth::works(&session.client()).await }),
            fleet: Remote::new(move || async move { Fleet::read(&session.client()).await }),
            here: Remote::new(move || async move {
                api::grants::resolve_at(&session.client(), &scope.get_value(), &id.get_value())
                    .await
            }),
            activity: Remote::new(
                move || async move { api::activity::latest(&session.client()).await },
            ),
            base: RwSignal::new(None),
            inherits: RwSignal::new(true),
            allow: RwSignal::new(Vec::new()),
            deny: RwSignal::new(Vec::new()),
            note: RwSignal::new(String::new()),
            note_replaced: RwSignal::new(0),
            session,
        };
        use_live().on_change(move |event| state.follow(event));
        state
    }

    /// Reads again what a change made elsewhere may have touched.
    fn follow(self, event: &ChangeEvent) {
        match event.kind {
            ChangeKind::ToolGrant => {
                self.rows.reload();
                self.here.reload();
                self.activity.reload();
            }
            ChangeKind::Agent => self.fleet.reload(),
            ChangeKind::Organization => self.organizations.reload(),
            ChangeKind::Work => self.works.reload(),
            ChangeKind::Reset | ChangeKind::Unknown(_) => {
                self.rows.reload();
                self.here.reload();
                self.activity.reload();
                self.fleet.reload();
                self.organizations.reload();
                self.works.reload();
            }
            // Nothing here shows them.
            ChangeKind::McpConnection
            | ChangeKind::McpBinding
            | ChangeKind::McpSkill
            | ChangeKind::Repository
            | ChangeKind::RepositoryAttachment
            | ChangeKind::Environment
            | ChangeKind::Skill
            | ChangeKind::SkillBinding => {}
        }
    }

    /// The row stored at the scope shown, among these.
    pub fn row_in(self, rows: &[GrantRow]) -> Option<GrantRow> {
        let (scope, id) = (self.scope.try_get_value()?, self.id.try_get_value()?);
        rows.iter()
            .find(|row| row.scope_type == scope && row.scope_id == id)
            .cloned()
    }

    /// How many patterns are written at a scope; `None` while that is not known.
    pub fn rule_count(self, scope: &Scope, id: &str) -> Option<usize> {
        self.rows.value().with(|rows| {
            let rows = rows.as_ref()?;
            let row = rows
                .iter()
                .find(|row| row.scope_type == *scope && row.scope_id == id);
            let length = |list: &Option<Vec<String>>| list.as_ref().map_or(0, Vec::len);
            Some(row.map_or(0, |row| {
                // An empty allow list is a rule as well, and a strict one.
                let nothing = usize::from(row.allow.as_ref().is_some_and(Vec::is_empty));
                length(&row.allow) + length(&row.deny) + nothing
            }))
        })
    }

    /// The rule being written.
    pub fn draft(self) -> Draft {
        Draft {
            inherits: self.inherits.get(),
            allow: self.allow.get(),
            deny: self.deny.get(),
            note: self.note.get(),
        }
    }

    /// The rule being written, without following it.
    pub fn draft_now(self) -> Draft {
        Draft {
            inherits: self.inherits.get_untracked(),
            allow: self.allow.get_untracked(),
            deny: self.deny.get_untracked(),
            note: self.note.get_untracked(),
        }
    }

    /// Puts another rule in place of the one being written. Fields that hold it already are not
    /// touched.
    pub fn replace_draft(self, draft: Draft) {
        if self.inherits.get_untracked() != draft.inherits {
            self.inherits.set(draft.inherits);
        }
        if self.allow.with_untracked(|allow| *allow != draft.allow) {
            self.allow.set(draft.allow);
        }
        if self.deny.with_untracked(|deny| *deny != draft.deny) {
            self.deny.set(draft.deny);
        }
        if self.note.with_untracked(|note| *note != draft.note) {
            self.note.set(draft.note);
            self.note_replaced.update(|count| *count += 1);
        }
    }

    /// How a scope is called on screen; `None` while its name is not known.
    pub fn name_of(self, scope: &Scope, id: &str) -> Option<String> {
        match scope {
            Scope::Default => Some("Platform default".to_owned()),
            Scope::Tenant => self.tenant().and_then(|(tenant, name)| {
                (tenant == id).then_some(name.unwrap_or_else(|| "Your tenant".to_owned()))
            }),
            Scope::Organization => self.organizations.value().with(|list| {
                let found = list.as_ref()?.iter().find(|one| one.id.as_str() == id)?;
                Some(found.shown_name().to_owned())
            }),
            Scope::Work => self.works.value().with(|list| {
                let works = &list.as_ref()?.works;
                Some(works.iter().find(|one| one.id.as_str() == id)?.name.clone())
            }),
            Scope::Agent => self
                .fleet
                .value()
                .with(|fleet| Some(fleet.as_ref()?.find(id)?.name.clone())),
            Scope::Unknown(_) => None,
        }
    }

    /// How a scope is called on screen, by its kind where its name is not known.
    pub fn shown_name(self, scope: &Scope, id: &str) -> String {
        self.name_of(scope, id)
            .unwrap_or_else(|| format!("The {}", scope.label()))
    }

    /// The tenant of the account and its name.
    pub fn tenant(self) -> Option<(String, Option<String>)> {
        self.session.account().with(|account| match account {
            Account::In(session) | Account::Expired(session) => {
                let tenant = session.user.tenant_id.clone()?;
                Some((tenant.0, session.user.tenant_name.clone()))
            }
            Account::Unknown | Account::Failed(_) | Account::Out => None,
        })
    }

    /// Whether the scope shown is known not to exist, or not to be the caller's.
    pub fn is_missing(self) -> bool {
        let (scope, id) = (self.scope.get_value(), self.id.get_value());
        let is_read = match scope {
            Scope::Default | Scope::Unknown(_) => return true,
            Scope::Tenant => self
                .session
                .account()
                .with(|account| matches!(account, Account::In(_) | Account::Expired(_))),
            Scope::Organization => self.organizations.value().with(Option::is_some),
            Scope::Work => self.works.value().with(Option::is_some),
            Scope::Agent => {
                // An id that is none is refused as malformed.
                let failure = self.here.failure().get();
                return matches!(
                    failure,
                    Some(ApiError::Missing(_) | ApiError::Refused { status: 400, .. })
                );
            }
        };
        is_read && self.name_of(&scope, &id).is_none()
    }

    /// Whether the control plane numbers the versions of a row.
    pub fn has_revisions(self) -> bool {
        self.session.config().with_untracked(|config| {
            config
                .as_ref()
                .is_some_and(|config| config.features.grant_revisions)
        })
    }

    /// How to call the control plane now.
    pub fn client(self) -> Client {
        self.session.client()
    }

    /// Notices the end of the session in the outcome of a call.
    pub fn watch<T>(self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        self.session.watch(outcome)
    }

    /// Allow patterns of the rule being written that no scope above grants; `None` while what is
    /// above is not known.
    pub fn rejected(self) -> Option<Vec<String>> {
        let (scope, id) = (self.scope.get_value(), self.id.get_value());
        let draft = self.draft().to_content();
        self.here.value().with(|here| {
            let here = here.as_ref()?;
            self.rows.value().with(|rows| {
                let rows = rows.as_ref()?;
                let own = super::effect::agent_row(rows, &id);
                let view = AgentView::from_rows(
                    &here.chain,
                    rows,
                    own.as_ref(),
                    contract::rules::permissions::Permissions::default(),
                );
                let changed = view.with_row(&scope, &id, Some(&draft));
                let entry = changed
                    .resolved()
                    .chain
                    .iter()
                    .find(|entry| entry.scope == scope && entry.id.as_deref() == Some(&*id))?;
                Some(entry.rejected.clone())
            })
        })
    }
}

/// The state of the rules page around the caller.
pub fn use_rules() -> RulesState {
    expect_context()
}
