//! The filters of the list of agents: how they stand in the address, and what they ask of the
//! control plane. Pure, so that the two can be tested against each other.

use contract::agents::AgentStatus;

use crate::route::query;

/// Rows on one page.
pub const PAGE: u64 = 25;
/// Longest search text the control plane accepts, in characters (contract section 3.2).
pub const SEARCH_MAX: usize = 80;

/// Which agents by where they belong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Belonging {
    /// All.
    #[default]
    Anywhere,
    /// Those of the whole tenant.
    Tenant,
    /// Those of one Work.
    Work(String),
}

impl Belonging {
    /// The value in the address and of the choice on screen.
    pub fn to_text(&self) -> String {
        match self {
            Self::Anywhere => String::new(),
            Self::Tenant => "tenant".to_owned(),
            Self::Work(id) => format!("work:{id}"),
        }
    }

    /// The filter a value means; unknown values filter nothing.
    pub fn from_text(text: &str) -> Self {
        match text.split_once(':') {
            Some(("work", id)) if !id.is_empty() => Self::Work(id.to_owned()),
            _ if text == "tenant" => Self::Tenant,
            _ => Self::Anywhere,
        }
    }
}

/// All filters and the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Text to find in name, slug and title.
    pub search: String,
    /// Only this status; without it everything that is not archived.
    pub status: Option<AgentStatus>,
    /// Where they belong.
    pub belonging: Belonging,
    /// The page, from 0.
    pub page: u64,
}

impl Filters {
    /// Reads them from the parts of an address.
    pub fn from_address(part: impl Fn(&str) -> Option<String>) -> Self {
        let text = |key| part(key).unwrap_or_default();
        let status = AgentStatus::from(text("status").as_str());
        let page: u64 = text("page").parse().unwrap_or(1);
        Self {
            search: text("q").chars().take(SEARCH_MAX).collect(),
            status: AgentStatus::KNOWN.contains(&status).then_some(status),
            belonging: Belonging::from_text(&text("scope")),
            page: page.saturating_sub(1),
        }
    }

    /// Writes them as the query of an address, without `?`.
    pub fn to_address(&self) -> String {
        let page = match self.page {
            0 => String::new(),
            page => (page + 1).to_string(),
        };
        query(&[
            ("q", &self.search),
            (
                "status",
                self.status.as_ref().map_or("", |one| one.as_str()),
            ),
            ("scope", &self.belonging.to_text()),
            ("page", &page),
        ])
    }

    /// The query that asks the control plane for this page.
    pub fn to_request(&self) -> String {
        self.request(self.status.as_ref(), PAGE, self.page * PAGE)
    }

    /// The query whose answer counts the agents of one status, the other filters kept.
    pub fn to_count_request(&self, status: Option<&AgentStatus>) -> String {
        self.request(status, 1, 0)
    }

    fn request(&self, status: Option<&AgentStatus>, limit: u64, offset: u64) -> String {
        let (scope, work) = match &self.belonging {
            Belonging::Anywhere => ("", ""),
            Belonging::Tenant => ("tenant", ""),
            Belonging::Work(id) => ("", id.as_str()),
        };
        query(&[
            ("search", self.search.trim()),
            ("status", status.map_or("", |one| one.as_str())),
            ("scope", scope),
            ("workId", work),
            ("limit", &limit.to_string()),
            ("offset", &offset.to_string()),
        ])
    }

    /// Whether anything but the page is chosen.
    pub fn is_filtered(&self) -> bool {
        self.status.is_some() || self.narrows()
    }

    /// Whether search or scope narrow the fleet, so that counts by status differ from the
    /// fleet's.
    pub fn narrows(&self) -> bool {
        !self.search.trim().is_empty() || self.belonging != Belonging::Anywhere
    }

    /// The filters that narrow, without status and page.
    #[must_use]
    pub fn narrowing(&self) -> Self {
        Self {
            search: self.search.clone(),
            belonging: self.belonging.clone(),
            ..Self::default()
        }
    }

    /// These filters on another page.
    #[must_use]
    pub fn at_page(mut self, page: u64) -> Self {
        self.page = page;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &str) -> Filters {
        let find = |key: &str| {
            address.split('&').find_map(|pair| {
                let (name, value) = pair.split_once('=')?;
                (name == key).then(|| value.replace("%20", " ").replace("%3A", ":"))
            })
        };
        Filters::from_address(find)
    }

    #[test]
    fn an_address_survives_being_written_and_read() {
        let filters = Filters {
            search: "ops digest".to_owned(),
            status: Some(AgentStatus::Paused),
            belonging: Belonging::Work("w1".to_owned()),
            page: 3,
        };
        assert_eq!(
            filters.to_address(),
            "q=ops%20digest&status=paused&scope=work%3Aw1&page=4"
        );
        assert_eq!(read(&filters.to_address()), filters);
        assert_eq!(read(""), Filters::default());
        assert_eq!(Filters::default().to_address(), "");
    }

    #[test]
    fn nonsense_in_the_address_filters_nothing() {
        assert_eq!(read("status=happy&scope=work:&page=-2"), Filters::default());
        assert_eq!(read("page=0"), Filters::default());
    }

    #[test]
    fn requests_ask_for_the_page_or_for_a_count() {
        let filters = Filters {
            search: " a ".to_owned(),
            status: Some(AgentStatus::Error),
            belonging: Belonging::Tenant,
            page: 2,
        };
        assert_eq!(
            filters.to_request(),
            "search=a&status=error&scope=tenant&limit=25&offset=50"
        );
        assert_eq!(
            filters.to_count_request(None),
            "search=a&scope=tenant&limit=1&offset=0"
        );
    }
}
