//! What the list of agents holds: the page of rows that was asked for, counts by status, how many
//! tools each agent may use, and the names of scopes. Each is read and fails alone.

use std::collections::BTreeMap;

use contract::agents::{Agent, AgentScope, AgentStatus};
use contract::capabilities::AccessSummary;
use contract::events::ChangeKind;
use contract::ids::AgentId;
use contract::order::sorted_by;
use contract::organizations::{Organization, WorkList};
use contract::server::Page;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_query_map};

use super::filters::{Filters, SEARCH_MAX};
use crate::api::{self, ApiError};
use crate::browser::timer::Timer;
use crate::live::use_live;
use crate::reactive::follow;
use crate::remote::{Remote, together};
use crate::session::{Account, SessionState, use_session};

/// How long typing must pause before it is searched for, in milliseconds.
const TYPING: u64 = 250;
/// How long changes made elsewhere are gathered before they are read, in milliseconds.
const GATHER: u64 = 100;

/// Rows, and the filters they are the answer to.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// What was asked.
    pub filters: Filters,
    /// What was answered.
    pub page: Page<Agent>,
}

/// How many agents there are in each status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Everything that is not archived.
    pub present: u64,
    /// By status.
    pub by_status: BTreeMap<AgentStatus, u64>,
}

impl Counts {
    /// How many have a status.
    pub fn of(&self, status: &AgentStatus) -> u64 {
        self.by_status.get(status).copied().unwrap_or(0)
    }

    /// How many an operator should look at: stopped by failures, or suspended.
    pub fn need_attention(&self) -> u64 {
        self.of(&AgentStatus::Error) + self.of(&AgentStatus::Paused)
    }
}

/// See the module.
#[derive(Clone, Copy)]
pub struct Fleet {
    /// The filters of the address.
    pub filters: Memo<Filters>,
    /// The status of the address that is none of the known ones, so that nothing is chosen by it.
    pub strange_status: Memo<Option<String>>,
    /// The search text as typed.
    pub typed: RwSignal<String>,
    /// The rows.
    pub list: Remote<Listing>,
    /// Counts of the whole fleet.
    pub counts: Remote<Counts>,
    /// Counts under the present search and scope.
    pub narrowed: Remote<Counts>,
    /// Tools by state, of the agents on the page.
    pub access: Remote<BTreeMap<AgentId, AccessSummary>>,
    /// Organizations, to name scopes.
    pub organizations: Remote<Vec<Organization>>,
    /// Works, to name scopes.
    pub works: Remote<WorkList>,
    /// The agents shown, in the order they stand on the page.
    pub order: Memo<Vec<AgentId>>,
    session: SessionState,
    go: StoredValue<Go, LocalStorage>,
    typing: Timer,
    gathering: Timer,
    changes: StoredValue<Changes>,
}

type Go = std::rc::Rc<dyn Fn(&Filters, bool)>;

/// What changes made elsewhere will make us read.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    waiting: bool,
    agents: bool,
    scopes: bool,
}

async fn count(session: SessionState, filters: Filters) -> Result<Counts, ApiError> {
    let ask = |status: Option<&AgentStatus>| {
        let query = filters.to_count_request(status);
        async move { api::agents::list(&session.client(), &query).await }
    };
    let mut answers = together(
        std::iter::once(None)
            .chain(AgentStatus::KNOWN.iter().map(Some))
            .map(ask),
    )
    .await
    .into_iter();
    let mut counts = Counts::default();
    if let Some(present) = answers.next() {
        counts.present = present?.meta.total;
    }
    for (status, answer) in AgentStatus::KNOWN.iter().zip(answers) {
        counts.by_status.insert(status.clone(), answer?.meta.total);
    }
    Ok(counts)
}

/// Keeps rows where they are: agents that are still there keep their order, new ones come first.
/// Only another question puts rows in the order of its answer.
fn settle(before: Option<&(Filters, Vec<AgentId>)>, listing: &Listing) -> Vec<AgentId> {
    let fresh: Vec<AgentId> = listing.page.data.iter().map(|one| one.id.clone()).collect();
    let Some((filters, shown)) = before else {
        return fresh;
    };
    if *filters != listing.filters {
        return fresh;
    }
    let mut order: Vec<AgentId> = fresh
        .iter()
        .filter(|id| !shown.contains(id))
        .cloned()
        .collect();
    order.extend(shown.iter().filter(|id| fresh.contains(id)).cloned());
    order
}

impl Fleet {
    /// Starts the reads and keeps them fresh while the page is open.
    pub fn start() -> Self {
        let session = use_session();
        let query = use_query_map();
        let filters =
            Memo::new(move |_| query.with(|query| Filters::from_address(|key| query.get(key))));
        let strange_status = Memo::new(move |_| {
            let said = query.with(|query| query.get("status"));
            said.filter(|said| !said.is_empty() && filters.with(|known| known.status.is_none()))
        });
        let list = Remote::new(move || {
            let filters = filters.get_untracked();
            async move {
                let page = api::agents::list(&session.client(), &filters.to_request()).await?;
                Ok(Listing { filters, page })
            }
        });
        let ordered: Memo<(Filters, Vec<AgentId>)> = Memo::new(move |before| {
            list.value().with(|listing| match listing {
                Some(listing) => (listing.filters.clone(), settle(before, listing)),
                None => (Filters::default(), Vec::new()),
            })
        });
        let order = Memo::new(move |_| ordered.with(|(_, order)| order.clone()));
        let access = Remote::idle(move || {
            let ids = order.try_get_untracked().unwrap_or_default();
            async move {
                if ids.is_empty() {
                    return Ok(BTreeMap::new());
                }
                let answer = api::agents::access(&session.client(), &ids).await?;
                Ok(answer
                    .data
                    .into_iter()
                    .map(|one| (one.agent_id, one.summary))
                    .collect())
            }
        });
        let navigate = use_navigate();
        let location = use_location();
        let go = move |filters: &Filters, replace: bool| {
            let query = filters.to_address();
            let mark = if query.is_empty() { "" } else { "?" };
            navigate(
                &format!("{}{mark}{query}", location.pathname.get_untracked()),
                NavigateOptions {
                    resolve: false,
                    replace,
                    scroll: !replace,
                    ..NavigateOptions::default()
                },
            );
        };
        let fleet = Self {
            filters,
            strange_status,
            typed: RwSignal::new(filters.get_untracked().search),
            list,
            counts: Remote::new(move || count(session, Filters::default())),
            narrowed: Remote::idle(move || count(session, filters.get_untracked().narrowing())),
            access,
            organizations: Remote::new(move || async move {
                api::auth::organizations(&session.client()).await
            }),
            works: Remote::new(move || async move { api::auth::works(&session.client()).await }),
            order,
            session,
            go: StoredValue::new_local(std::rc::Rc::new(go)),
            typing: Timer::new(),
            gathering: Timer::new(),
            changes: StoredValue::new(Changes::default()),
        };
        fleet.follow_address();
        fleet.follow_changes();
        // Another set of agents on the page: their tools are counted anew.
        follow(move |before: Option<Vec<AgentId>>| {
            let now = sorted_by(order.get(), Ord::cmp);
            if !now.is_empty() && before.as_ref() != Some(&now) {
                access.reload();
            }
            now
        });
        fleet
    }

    fn follow_address(self) {
        follow(move |before: Option<Filters>| {
            let now = self.filters.get();
            let Some(before) = before else {
                if now.narrows() {
                    self.narrowed.reload();
                }
                return now;
            };
            if before != now {
                self.list.reload();
            }
            if now.narrows() && before.narrowing() != now.narrowing() {
                self.narrowed.reload();
            }
            // Back and Forward change the address first.
            if !self.typing.is_waiting()
                && self
                    .typed
                    .with_untracked(|typed| typed.trim() != now.search.trim())
            {
                self.typed.set(now.search.clone());
            }
            now
        });
    }

    fn follow_changes(self) {
        use_live().on_change(move |event| {
            self.changes.update_value(|changes| {
                let all = matches!(event.kind, ChangeKind::Reset | ChangeKind::Unknown(_));
                changes.agents |= all || event.kind == ChangeKind::Agent;
                changes.scopes |=
                    all || matches!(event.kind, ChangeKind::Organization | ChangeKind::Work);
            });
            let waiting = self
                .changes
                .try_update_value(|changes| std::mem::replace(&mut changes.waiting, true));
            if waiting == Some(false) {
                self.gathering.start(GATHER, move || self.read_changes());
            }
        });
    }

    fn read_changes(self) {
        let Some(changes) = self.changes.try_update_value(std::mem::take) else {
            return;
        };
        if changes.agents {
            self.list.reload();
            self.counts.reload();
            if self.filters.with_untracked(Filters::narrows) {
                self.narrowed.reload();
            }
        }
        if changes.scopes {
            self.organizations.reload();
            self.works.reload();
        }
        self.access.reload();
    }

    /// Chooses other filters, in the address and without a history entry.
    pub fn choose(self, filters: Filters) {
        self.go(&filters, true);
    }

    /// Turns to another page.
    pub fn turn_to(self, page: u64) {
        self.go(&self.filters.get_untracked().at_page(page), false);
    }

    fn go(self, filters: &Filters, replace: bool) {
        if let Some(go) = self.go.try_get_value() {
            go(filters, replace);
        }
    }

    /// The search text was typed: it is searched for once typing pauses.
    pub fn search(self, text: String) {
        self.typed.set(text);
        self.typing.start(TYPING, move || self.search_now());
    }

    fn search_now(self) {
        let (Some(typed), Some(filters)) = (
            self.typed.try_get_untracked(),
            self.filters.try_get_untracked(),
        ) else {
            return;
        };
        let search: String = typed.trim().chars().take(SEARCH_MAX).collect();
        if filters.search.trim() != search {
            let filters = Filters { search, ..filters };
            self.choose(filters.at_page(0));
        }
    }

    /// Takes every filter away at once.
    pub fn clear(self) {
        self.typing.stop();
        self.typed.set(String::new());
        self.choose(Filters::default());
    }

    /// Whether the rows are the answer to the present filters.
    pub fn fits(self) -> bool {
        self.filters.with(|filters| {
            self.list.value().with(|listing| {
                listing
                    .as_ref()
                    .is_some_and(|listing| listing.filters == *filters)
            })
        })
    }

    /// The counts that the status chips show.
    pub fn chip_counts(self) -> Option<Counts> {
        if self.filters.with(Filters::narrows) {
            self.narrowed.value().get()
        } else {
            self.counts.value().get()
        }
    }

    /// The tenant's name.
    pub fn tenant_name(self) -> String {
        let known = self.session.account().with(|account| match account {
            Account::In(session) | Account::Expired(session) => session.user.tenant_name.clone(),
            Account::Unknown | Account::Failed(_) | Account::Out => None,
        });
        known.unwrap_or_else(|| "Tenant".to_owned())
    }

    /// How a Work is called, after its organization: `Acme Engineering › Payments`.
    pub fn work_name(self, id: &str) -> Option<String> {
        let (name, organization) = self.works.value().with(|list| {
            let work = list
                .as_ref()?
                .works
                .iter()
                .find(|work| work.id.as_str() == id)?;
            Some((work.name.clone(), work.organization_id.clone()))
        })?;
        let organization = self.organizations.value().with(|list| {
            let found = list
                .as_ref()?
                .iter()
                .find(|one| Some(&one.id) == organization.as_ref())?;
            Some(found.shown_name().to_owned())
        });
        Some(match organization {
            Some(organization) => format!("{organization} › {name}"),
            None => name,
        })
    }

    /// Where an agent belongs, by name.
    pub fn scope_name(self, agent: &Agent) -> String {
        match &agent.scope {
            AgentScope::Tenant => self.tenant_name(),
            AgentScope::Work => agent
                .work_id
                .as_ref()
                .and_then(|id| self.work_name(id.as_str()))
                .unwrap_or_else(|| "A Work".to_owned()),
            AgentScope::Mission => "A mission".to_owned(),
            AgentScope::Idea => "An idea".to_owned(),
            AgentScope::Unknown(text) => text.clone(),
        }
    }
}

/// The list of agents around the caller.
pub fn use_fleet() -> Fleet {
    expect_context()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::server::PageMeta;

    fn listing(search: &str, ids: &[&str]) -> Listing {
        let agents = ids.iter().map(|id| {
            serde_json::from_value(serde_json::json!({
                "id": id, "scope": "tenant", "name": id, "status": "active"
            }))
            .unwrap()
        });
        Listing {
            filters: Filters {
                search: search.to_owned(),
                ..Filters::default()
            },
            page: Page {
                data: agents.collect(),
                meta: PageMeta::default(),
            },
        }
    }

    fn ids(ids: &[&str]) -> Vec<AgentId> {
        ids.iter().map(|id| AgentId::from(*id)).collect()
    }

    #[test]
    fn rows_keep_their_place_until_something_else_is_asked() {
        let first = listing("", &["a", "b", "c"]);
        let shown = settle(None, &first);
        assert_eq!(shown, ids(&["a", "b", "c"]));
        let before = (first.filters, shown);
        // `c` changed and `d` is new: the server puts both first.
        let next = listing("", &["d", "c", "a"]);
        assert_eq!(settle(Some(&before), &next), ids(&["d", "a", "c"]));
        let other = listing("x", &["c", "a"]);
        assert_eq!(settle(Some(&before), &other), ids(&["c", "a"]));
    }

    #[test]
    fn attention_is_due_to_errors_and_pauses() {
        let counts = Counts {
            present: 9,
            by_status: [
                (AgentStatus::Error, 1),
                (AgentStatus::Paused, 2),
                (AgentStatus::Active, 6),
            ]
            .into(),
        };
        assert_eq!(counts.need_attention(), 3);
        assert_eq!(counts.of(&AgentStatus::Draft), 0);
    }
}
