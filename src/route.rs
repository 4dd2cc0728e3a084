//! Addresses of the dashboard: the only file that writes a path.

use contract::grants::Scope;
use contract::ids::{AgentId, ConnectionId, SkillId};

/// A tab of the agent page, in the order of the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// Overview.
    Dashboard,
    /// The skills it finds.
    Skills,
    /// Tools, permissions, skills, MCP connections and init script.
    Capabilities,
    /// The MCP servers the agent may use.
    McpServers,
    /// Flags, identity and life cycle.
    Settings,
}

impl Tab {
    /// Every tab that exists.
    pub const ALL: [Self; 5] = [
        Self::Dashboard,
        Self::Skills,
        Self::Capabilities,
        Self::McpServers,
        Self::Settings,
    ];

    /// The last part of the address; empty for the first tab.
    pub fn segment(self) -> &'static str {
        match self {
            Self::Dashboard => "",
            Self::Skills => "skills",
            Self::Capabilities => "capabilities",
            Self::McpServers => "mcp-servers",
            Self::Settings => "settings",
        }
    }

    /// The words on screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Dashboard => "Dashboard",
            Self::Skills => "Skills",
            Self::Capabilities => "Capabilities",
            Self::McpServers => "MCP Servers",
            Self::Settings => "Settings",
        }
    }

    /// The key that goes there after `g`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Dashboard => "d",
            Self::Skills => "s",
            Self::Capabilities => "c",
            Self::McpServers => "m",
            Self::Settings => "e",
        }
    }
}

/// A page of the workspace's Settings area, in the order of its navigation. Only pages that exist
/// are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsPage {
    /// The registry of MCP servers.
    Connections,
    /// The registry of repositories.
    Repositories,
    /// Runtime recipes.
    Environments,
    /// Installed skills, the catalog, and what else the server finds.
    Skills,
}

impl SettingsPage {
    /// Every page that exists.
    pub const ALL: [Self; 4] = [
        Self::Connections,
        Self::Repositories,
        Self::Environments,
        Self::Skills,
    ];

    /// The page the area opens with.
    pub const FIRST: Self = Self::Connections;

    /// The part of the address after `settings/`.
    pub fn segment(self) -> &'static str {
        match self {
            Self::Connections => "connections",
            Self::Repositories => "repositories",
            Self::Environments => "environments",
            Self::Skills => "skills",
        }
    }

    /// The words on screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Connections => "Connections",
            Self::Repositories => "Repositories",
            Self::Environments => "Environments",
            Self::Skills => "Skills",
        }
    }
}

/// A skill that is not installed, by where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillPlace {
    /// An entry of the catalog, by slug.
    Catalog(String),
    /// Found in a folder of the server, by id.
    Folder(String),
    /// Published by an MCP server, by the address of its `SKILL.md`. The address stands in the
    /// query; it is empty when a place is read from a path.
    Published(ConnectionId, String),
}

/// Stands in place of an id in the address of the form that makes a new item.
pub const NEW: &str = "new";
/// Stands before the slug of an entry of the skill catalog.
const CATALOG: &str = "catalog";
/// Stands before the id of a skill found in a folder.
const FOLDERS: &str = "folders";

/// A place in the dashboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The fleet.
    Agents,
    /// One tab of one agent.
    Agent(AgentId, Tab),
    /// The grant rules written at one scope.
    Rules(Scope, String),
    /// A page of the workspace's settings.
    Settings(SettingsPage),
    /// One item of such a page, by id, or [`NEW`].
    SettingsItem(SettingsPage, String),
    /// One skill that is not installed.
    Skill(SkillPlace),
    /// Sign in.
    SignIn,
}

impl Route {
    /// The path under the base, without it and without a leading slash.
    pub fn path(&self) -> String {
        match self {
            Self::Agents => "agents".to_owned(),
            Self::Agent(id, Tab::Dashboard) => format!("agents/{id}"),
            Self::Agent(id, tab) => format!("agents/{id}/{}", tab.segment()),
            Self::Rules(scope, id) => format!("rules/{scope}/{id}"),
            Self::Settings(page) => format!("settings/{}", page.segment()),
            Self::SettingsItem(page, id) => format!("settings/{}/{id}", page.segment()),
            Self::Skill(SkillPlace::Catalog(slug)) => {
                format!("settings/skills/{CATALOG}/{}", encode(slug))
            }
            Self::Skill(SkillPlace::Folder(id)) => {
                format!("settings/skills/{FOLDERS}/{}", encode(id))
            }
            Self::Skill(SkillPlace::Published(connection, _)) => {
                format!("settings/connections/{connection}/skills")
            }
            Self::SignIn => "sign-in".to_owned(),
        }
    }

    /// The address for links and navigation.
    pub fn href(&self) -> String {
        let query = match self {
            Self::Skill(SkillPlace::Published(_, uri)) if !uri.is_empty() => {
                format!("?{}", query(&[("uri", uri)]))
            }
            _ => String::new(),
        };
        format!("{}{}{query}", crate::browser::base_path(), self.path())
    }

    /// The place an address path (under `base`) means, if it means one.
    pub fn parse(base: &str, path: &str) -> Option<Self> {
        let rest = path.strip_prefix(base)?;
        let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            [] | ["agents"] => Some(Self::Agents),
            ["sign-in"] => Some(Self::SignIn),
            ["agents", id] => Some(Self::Agent((*id).into(), Tab::Dashboard)),
            ["agents", id, segment] => {
                let tab = Tab::ALL.into_iter().find(|tab| tab.segment() == *segment)?;
                Some(Self::Agent((*id).into(), tab))
            }
            ["rules", scope, id] => Some(Self::Rules(Scope::from(*scope), (*id).to_owned())),
            ["settings"] => Some(Self::Settings(SettingsPage::FIRST)),
            ["settings", segment] => settings_page(segment).map(Self::Settings),
            ["settings", "connections", id, "skills"] => Some(Self::Skill(SkillPlace::Published(
                (*id).into(),
                String::new(),
            ))),
            ["settings", "skills", CATALOG, slug] => {
                Some(Self::Skill(SkillPlace::Catalog((*slug).to_owned())))
            }
            ["settings", "skills", FOLDERS, id] => {
                Some(Self::Skill(SkillPlace::Folder((*id).to_owned())))
            }
            ["settings", segment, id] => {
                let page = settings_page(segment)?;
                Some(Self::SettingsItem(page, (*id).to_owned()))
            }
            _ => None,
        }
    }
}

impl Route {
    /// The page of an installed skill.
    pub fn installed_skill(id: &SkillId) -> Self {
        Self::SettingsItem(SettingsPage::Skills, encode(id.as_str()))
    }

    /// The page of the Settings area a place belongs to.
    pub fn settings_page(&self) -> Option<SettingsPage> {
        match self {
            Self::Settings(page) | Self::SettingsItem(page, _) => Some(*page),
            Self::Skill(SkillPlace::Published(..)) => Some(SettingsPage::Connections),
            Self::Skill(SkillPlace::Catalog(_) | SkillPlace::Folder(_)) => {
                Some(SettingsPage::Skills)
            }
            Self::Agents | Self::Agent(..) | Self::Rules(..) | Self::SignIn => None,
        }
    }
}

fn settings_page(segment: &str) -> Option<SettingsPage> {
    let mut pages = SettingsPage::ALL.into_iter();
    pages.find(|page| page.segment() == segment)
}

/// Encodes a text for the value of a query, as `encodeURIComponent` does.
pub fn encode(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            for part in [byte >> 4, byte & 15] {
                encoded.push(char::from(DIGITS[usize::from(part)]));
            }
        }
    }
    encoded
}

/// Writes a query without `?`, leaving out what is empty.
pub fn query(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
    let written: Vec<String> = pairs
        .map(|(key, value)| format!("{key}={}", encode(value)))
        .collect();
    written.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_survives_being_written_and_read() {
        let places = Tab::ALL
            .map(|tab| Route::Agent("a1".into(), tab))
            .into_iter()
            .chain(SettingsPage::ALL.map(Route::Settings))
            .chain(SettingsPage::ALL.map(|page| Route::SettingsItem(page, NEW.to_owned())))
            .chain([
                Route::Agents,
                Route::SignIn,
                Route::Rules(Scope::Tenant, "t1".into()),
                Route::Skill(SkillPlace::Catalog("code-review".into())),
                Route::Skill(SkillPlace::Folder("f1".into())),
                Route::Skill(SkillPlace::Published("c1".into(), String::new())),
            ]);
        for place in places {
            for base in ["/", "/ops/"] {
                assert_eq!(
                    Route::parse(base, &format!("{base}{}", place.path())),
                    Some(place.clone())
                );
            }
        }
        assert_eq!(Route::parse("/", "/agents/a1/nothing"), None);
        assert_eq!(Route::parse("/ops/", "/agents"), None);
        assert_eq!(Route::parse("/", "/settings/nothing"), None);
        assert_eq!(
            Route::parse("/", "/settings"),
            Some(Route::Settings(SettingsPage::FIRST))
        );
    }

    #[test]
    fn values_of_a_query_are_encoded() {
        assert_eq!(encode("a b&c=%é"), "a%20b%26c%3D%25%C3%A9");
        assert_eq!(
            query(&[("q", "x y"), ("status", ""), ("page", "2")]),
            "q=x%20y&page=2"
        );
    }
}
