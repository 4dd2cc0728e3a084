//! What the palette offers for a text. Pure.

use contract::ids::AgentId;

use crate::browser::lower;
use crate::route::{Route, SettingsPage, Tab};

/// How many tools are offered at once.
const TOOLS: usize = 8;

/// An agent that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The agent.
    pub id: AgentId,
    /// Its name.
    pub name: String,
    /// Its title; empty for none.
    pub title: String,
}

/// What choosing an item does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Goes to a place.
    Go(Route),
    /// Explains a tool of an agent.
    Explain(AgentId, String),
    /// Steps to the next theme.
    Theme,
    /// Shows the keyboard shortcuts.
    Shortcuts,
    /// Ends the session.
    SignOut,
}

/// One thing that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Heading it stands under.
    pub group: &'static str,
    /// The words on it.
    pub label: String,
    /// What it is, beside the words.
    pub hint: String,
    /// What it does.
    pub action: Action,
}

impl Item {
    /// The class of its words: tools are code.
    pub fn class(&self) -> &'static str {
        if self.group == TOOL_GROUP { "mono" } else { "" }
    }
}

const AGENT_GROUP: &str = "Agents";
const TAB_GROUP: &str = "This agent";
const TOOL_GROUP: &str = "Tools of this agent";
const SETTINGS_GROUP: &str = "Settings";
const ACTION_GROUP: &str = "Actions";

/// Everything items are made of.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// What was typed.
    pub text: String,
    /// Agents the control plane found for it.
    pub agents: Vec<Found>,
    /// The agent whose page is open.
    pub here: Option<AgentId>,
    /// Names of its tools.
    pub tools: Vec<String>,
}

/// The items for the text, in the order they are shown.
pub fn collect(sources: &Sources) -> Vec<Item> {
    let needle = lower(sources.text.trim());
    let fits = |words: &str| lower(words).contains(&needle);
    let mut items = Vec::new();
    if let Some(id) = &sources.here {
        let tabs = Tab::ALL.into_iter().filter(|tab| fits(tab.label()));
        items.extend(tabs.map(|tab| Item {
            group: TAB_GROUP,
            label: tab.label().to_owned(),
            hint: "Tab".to_owned(),
            action: Action::Go(Route::Agent(id.clone(), tab)),
        }));
        // Tools are many: they are offered once something is typed.
        let tools = sources
            .tools
            .iter()
            .filter(|tool| !needle.is_empty() && fits(tool));
        items.extend(tools.take(TOOLS).map(|tool| Item {
            group: TOOL_GROUP,
            label: tool.clone(),
            hint: "Why?".to_owned(),
            action: Action::Explain(id.clone(), tool.clone()),
        }));
    }
    // The answer may still be the one to an earlier text.
    let agents = sources
        .agents
        .iter()
        .filter(|agent| fits(&agent.name) || fits(&agent.title));
    items.extend(agents.map(|agent| Item {
        group: AGENT_GROUP,
        label: agent.name.clone(),
        hint: agent.title.clone(),
        action: Action::Go(Route::Agent(agent.id.clone(), Tab::Dashboard)),
    }));
    let pages = SettingsPage::ALL
        .into_iter()
        .map(|page| (format!("Settings → {}", page.label()), page));
    items.extend(
        pages
            .filter(|(label, _)| fits(label))
            .map(|(label, page)| Item {
                group: SETTINGS_GROUP,
                label,
                hint: String::new(),
                action: Action::Go(Route::Settings(page)),
            }),
    );
    let actions = [
        ("All agents", Action::Go(Route::Agents)),
        ("Next theme", Action::Theme),
        ("Keyboard shortcuts", Action::Shortcuts),
        ("Sign out", Action::SignOut),
    ];
    let actions = actions.into_iter().filter(|(label, _)| fits(label));
    items.extend(actions.map(|(label, action)| Item {
        group: ACTION_GROUP,
        label: label.to_owned(),
        hint: String::new(),
        action,
    }));
    items
}

/// Items under their headings, each with its place in the whole list.
pub fn grouped(items: &[Item]) -> Vec<(&'static str, Vec<(usize, Item)>)> {
    let mut groups: Vec<(&'static str, Vec<(usize, Item)>)> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match groups.last_mut().filter(|(group, _)| *group == item.group) {
            Some((_, members)) => members.push((at, item.clone())),
            None => groups.push((item.group, vec![(at, item.clone())])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> Sources {
        Sources {
            text: text.to_owned(),
            agents: vec![Found {
                id: "a2".into(),
                name: "Reviewer".to_owned(),
                title: "Reads pull requests".to_owned(),
            }],
            here: Some("a1".into()),
            tools: vec!["searchWeb".to_owned(), "review_pull_request".to_owned()],
        }
    }

    fn labels(text: &str) -> Vec<String> {
        collect(&sources(text))
            .into_iter()
            .map(|item| item.label)
            .collect()
    }

    #[test]
    fn tabs_tools_agents_and_actions_are_found_by_their_words() {
        assert_eq!(labels("review"), ["review_pull_request", "Reviewer"]);
        assert_eq!(labels("SET").first().map(String::as_str), Some("Settings"));
        assert_eq!(labels("reposit"), ["Settings → Repositories"]);
        assert_eq!(labels("sign"), ["Sign out"]);
        assert!(labels("zebra").is_empty());
    }

    #[test]
    fn tools_wait_until_something_is_typed() {
        let all = labels("");
        assert!(all.contains(&"Capabilities".to_owned()));
        assert!(!all.contains(&"searchWeb".to_owned()));
    }

    #[test]
    fn groups_keep_the_order_and_the_places() {
        let items = collect(&sources(""));
        let groups = grouped(&items);
        let places: Vec<usize> = groups
            .iter()
            .flat_map(|(_, members)| members.iter().map(|(at, _)| *at))
            .collect();
        assert_eq!(places, (0..items.len()).collect::<Vec<_>>());
        assert_eq!(groups.first().map(|(group, _)| *group), Some(TAB_GROUP));
    }
}
