//! What the tool list shows, derived: the catalog, how each tool stands with all waiting edits
//! applied, the filters of the address and the rows they leave.

use std::collections::BTreeSet;
use std::sync::Arc;

use contract::capabilities::{AccessSummary, ToolSource};
use contract::order::sorted_by;
use contract::rules::explain::{AgentView, Bucket, Standing, Switch};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_query_map};

use crate::browser::lower;
use crate::lasting::Lasting;
use crate::pages::agent::catalog::{GroupKey, ToolInfo};
use crate::pages::agent::state::AgentState;
use crate::reactive::follow;

/// One group of the list, with the places in the catalog of the tools the filters leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What its tools have in common.
    pub key: GroupKey,
    /// Places in the catalog.
    pub places: Arc<Vec<usize>>,
}

/// See the module.
#[derive(Clone, Copy)]
pub struct ToolModel {
    /// The agent page around the list.
    pub state: AgentState,
    /// All tools, in their order.
    pub catalog: Lasting<Memo<Arc<Vec<ToolInfo>>>>,
    /// The rules' view with waiting edits applied; `None` until the answers are there.
    pub view: Memo<Option<Arc<AgentView>>>,
    /// How each tool of the catalog stands in `view`.
    pub standings: Memo<Arc<Vec<Standing>>>,
    /// The filter text as typed.
    pub query: RwSignal<String>,
    /// The chosen states; none means all.
    pub states: RwSignal<Vec<Bucket>>,
    /// Whether the list is sorted by name inside each group.
    pub by_name: RwSignal<bool>,
    /// Slugs of the collapsed groups.
    pub collapsed: RwSignal<BTreeSet<String>>,
    /// Tools switched since the filters last changed: they stay in the list.
    held: RwSignal<BTreeSet<String>>,
    /// The groups with the rows the filters leave.
    pub groups: Memo<Vec<Group>>,
    /// The place in the catalog of the row the keyboard is at.
    pub cursor: RwSignal<Option<usize>>,
}

impl ToolModel {
    /// Derives the model for the agent page around the caller.
    pub fn start(state: AgentState) -> Self {
        let catalog = state.catalog;
        let truth = state.truth;
        let view = Memo::new(move |_| {
            let truth = truth.get()?;
            state.queue.with(|queue| {
                if queue.is_idle() {
                    Some(truth.clone())
                } else {
                    Some(Arc::new(queue.shown(&truth)))
                }
            })
        });
        let standings = Memo::new(move |_| {
            let catalog = catalog.get();
            view.with(|view| {
                Arc::new(view.as_ref().map_or_else(Vec::new, |view| {
                    catalog
                        .iter()
                        .map(|tool| view.standing(&tool.name, tool.gate.as_ref()))
                        .collect()
                }))
            })
        });
        let address = use_query_map().get_untracked();
        let listed = |key: &str| -> Vec<String> {
            let text = address.get(key).unwrap_or_default();
            text.split(',')
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let model = Self {
            state,
            catalog,
            view,
            standings,
            query: RwSignal::new(address.get("q").unwrap_or_default()),
            states: RwSignal::new(
                listed("state")
                    .iter()
                    .filter_map(|slug| Bucket::from_slug(slug))
                    .collect(),
            ),
            by_name: RwSignal::new(address.get("sort").as_deref() == Some("name")),
            collapsed: RwSignal::new(listed("group").into_iter().collect()),
            held: RwSignal::new(BTreeSet::new()),
            groups: Memo::new(|_| Vec::new()),
            cursor: RwSignal::new(None),
        };
        let model = Self {
            groups: Memo::new(move |_| model.group()),
            ..model
        };
        model.write_address();
        model
    }

    /// Keeps the filters in the address, without history entries and without scrolling.
    fn write_address(self) {
        let navigate = use_navigate();
        let location = use_location();
        follow(move |before: Option<String>| {
            let states: Vec<&str> = self
                .states
                .with(|states| states.iter().map(Bucket::slug).collect());
            let collapsed: Vec<String> = self
                .collapsed
                .with(|groups| groups.iter().cloned().collect());
            let wanted = [
                ("q", self.query.get()),
                ("state", states.join(",")),
                (
                    "sort",
                    if self.by_name.get() {
                        "name".to_owned()
                    } else {
                        String::new()
                    },
                ),
                ("group", collapsed.join(",")),
            ];
            let mut query = location.query.get_untracked();
            for (key, value) in wanted {
                query.remove(key);
                if !value.is_empty() {
                    query.insert(key, value);
                }
            }
            let address = format!(
                "{}{}",
                location.pathname.get_untracked(),
                query.to_query_string()
            );
            if before.is_some_and(|before| before != address) {
                navigate(
                    &address,
                    NavigateOptions {
                        resolve: false,
                        replace: true,
                        scroll: false,
                        ..Default::default()
                    },
                );
            }
            address
        });
        // Back and Forward change the address first.
        let query = use_query_map();
        follow(move |before: Option<()>| {
            let now = query.get();
            if before.is_none() {
                return;
            }
            let text = now.get("q").unwrap_or_default();
            if self.query.with_untracked(|present| *present != text) && !crate::browser::is_typing()
            {
                self.query.set(text);
            }
        });
    }

    /// Keeps a switched tool in the list although its state no longer fits the filter.
    pub fn hold(self, tool: &str) {
        self.held.update(|held| {
            held.insert(tool.to_owned());
        });
    }

    /// Changes the filter text.
    pub fn filter(self, text: String) {
        self.held.update(BTreeSet::clear);
        self.query.set(text);
    }

    /// Chooses or unchooses a state; the empty slug chooses all.
    pub fn toggle_state(self, slug: &str) {
        self.held.update(BTreeSet::clear);
        match Bucket::from_slug(slug) {
            None => self.states.set(Vec::new()),
            Some(bucket) => self.states.update(|states| {
                if states.contains(&bucket) {
                    states.retain(|present| *present != bucket);
                } else {
                    states.push(bucket);
                }
            }),
        }
    }

    /// Whether any filter is set.
    pub fn is_filtered(self) -> bool {
        !self.query.with(String::is_empty) || !self.states.with(Vec::is_empty)
    }

    fn group(self) -> Vec<Group> {
        let needle = lower(self.query.get().trim());
        let states = self.states.get();
        let held = self.held.get();
        let by_name = self.by_name.get();
        let catalog = self.catalog.get();
        let standings = if states.is_empty() {
            None
        } else {
            Some(self.standings.get())
        };
        let mut groups: Vec<(GroupKey, Vec<usize>)> = ToolSource::KNOWN
            .iter()
            .map(|source| (GroupKey::Source(source.clone()), Vec::new()))
            .collect();
        // A server without a tool that is known says why in its group.
        let is_filtered = !needle.is_empty() || !states.is_empty();
        if !is_filtered && !catalog.is_empty() {
            groups.extend(self.servers().into_iter().map(|key| (key, Vec::new())));
        }
        let mut last = 0;
        for (place, tool) in catalog.iter().enumerate() {
            let in_state = standings
                .as_ref()
                .and_then(|standings| standings.get(place));
            let fits = held.contains(&tool.name)
                || in_state.is_none_or(|standing| states.contains(&standing.bucket));
            if !fits
                || !(needle.is_empty()
                    || contains(&tool.name, &needle)
                    || contains(&tool.description, &needle))
            {
                continue;
            }
            // Tools of a group stand together, so the group of the one before is nearly always it.
            if groups.get(last).is_none_or(|(key, _)| *key != tool.group) {
                let known = groups.iter().position(|(key, _)| *key == tool.group);
                last = known.unwrap_or_else(|| {
                    groups.push((tool.group.clone(), Vec::new()));
                    groups.len() - 1
                });
            }
            if let Some((_, places)) = groups.get_mut(last) {
                places.push(place);
            }
        }
        groups
            .into_iter()
            .filter(|(key, places)| !places.is_empty() || (!is_filtered && key.server().is_some()))
            .map(|(key, mut places)| {
                if by_name {
                    let named = places
                        .into_iter()
                        .map(|place| (catalog.get(place).map(|tool| lower(&tool.name)), place))
                        .collect();
                    places = sorted_by(named, Ord::cmp)
                        .into_iter()
                        .map(|(_, place)| place)
                        .collect();
                }
                Group {
                    key,
                    places: Arc::new(places),
                }
            })
            .collect()
    }

    /// The groups of the MCP servers that are on for the agent.
    fn servers(self) -> Vec<GroupKey> {
        self.state.server_tools.value().with(|servers| {
            let servers = servers.as_ref().map(|servers| servers.data.as_slice());
            let servers = servers.unwrap_or_default().iter();
            servers
                .map(|server| GroupKey::Server(server.server.as_str().into()))
                .collect()
        })
    }

    /// Counts by state over the whole catalog.
    pub fn summary(self) -> AccessSummary {
        self.standings.with(|standings| {
            let mut counts = AccessSummary::default();
            for standing in standings.iter() {
                let count = match standing.bucket {
                    Bucket::On => &mut counts.on,
                    Bucket::OffHere => &mut counts.off_here,
                    Bucket::DeniedAbove => &mut counts.denied_above,
                    Bucket::PermissionOff => &mut counts.permission_off,
                };
                *count += 1;
            }
            counts
        })
    }

    /// How many tools are locked.
    pub fn locked(self) -> usize {
        self.standings.with(|standings| {
            standings
                .iter()
                .filter(|standing| standing.switch == Switch::Locked)
                .count()
        })
    }

    /// How many rows the filters leave.
    pub fn shown(self) -> usize {
        self.groups
            .with(|groups| groups.iter().map(|group| group.places.len()).sum())
    }

    /// The tool at a place of the catalog.
    pub fn tool(self, place: usize) -> Option<ToolInfo> {
        self.catalog.with(|catalog| catalog.get(place).cloned())
    }

    /// The place of a tool in the catalog.
    pub fn place_of(self, name: &str) -> Option<usize> {
        self.catalog
            .with(|catalog| catalog.iter().position(|tool| tool.name == name))
    }

    /// The rows of all open groups, in the order they stand on the page.
    pub fn open_places(self) -> Vec<usize> {
        let collapsed = self.collapsed.get_untracked();
        self.groups.with_untracked(|groups| {
            let open = groups
                .iter()
                .filter(|group| !collapsed.contains(&group.key.slug()));
            open.flat_map(|group| group.places.iter().copied())
                .collect()
        })
    }
}

/// Whether a text contains a lower-case needle. ASCII text, which is nearly all of it, is compared
/// without making a copy.
fn contains(text: &str, needle: &str) -> bool {
    if needle.is_empty() {
        return true;
    }
    if !text.is_ascii() {
        return lower(text).contains(needle);
    }
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    needle.len() <= text.len()
        && text
            .windows(needle.len())
            .any(|part| part.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn the_filter_ignores_case_in_every_script() {
        assert!(contains("searchWeb", "web"));
        assert!(contains("ÄPFEL", "äpf"));
        assert!(!contains("git_commit", "push"));
        assert!(contains("anything", ""));
    }
}
