//! The Capabilities tab: which tools the agent may use, who decided that, and safe changes.

pub mod bulk;
pub mod causes;
pub mod group;
pub mod init_script;
pub mod model;
pub mod permissions;
pub mod reset;
pub mod row;
pub mod sections;
pub mod server_state;
pub mod tools;
pub mod why;

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_query_map};

use self::init_script::InitScriptSection;
use self::model::ToolModel;
use self::permissions::PermissionsSection;
use self::sections::SectionList;
use self::tools::ToolsSection;
use self::why::WhyDrawer;
use crate::browser;
use crate::pages::agent::environment::section::EnvironmentSection;
use crate::pages::agent::repositories::section::RepositoriesSection;
use crate::pages::agent::servers::list::ServersSection;
use crate::pages::agent::skills::SkillsSection;
use crate::pages::agent::state::use_agent;
use crate::reactive::follow;

/// Which tool the drawer explains: kept in the address, so that a link opens it.
#[derive(Clone, Copy)]
pub struct OpenTool {
    /// The tool, if the drawer is open.
    pub name: Memo<Option<String>>,
    set: Callback<Option<String>>,
    opener: StoredValue<Option<String>>,
}

impl OpenTool {
    fn start() -> Self {
        let query = use_query_map();
        let name = Memo::new(move |_| {
            query
                .with(|query| query.get("tool"))
                .filter(|name| !name.is_empty())
        });
        let navigate = use_navigate();
        let location = use_location();
        let set = Callback::new(move |name: Option<String>| {
            let mut query = location.query.get_untracked();
            query.remove("tool");
            if let Some(name) = name {
                query.insert("tool", name);
            }
            let address = format!(
                "{}{}",
                location.pathname.get_untracked(),
                query.to_query_string()
            );
            navigate(
                &address,
                NavigateOptions {
                    resolve: false,
                    scroll: false,
                    ..Default::default()
                },
            );
        });
        Self {
            name,
            set,
            opener: StoredValue::new(None),
        }
    }

    /// Opens the drawer for a tool; closing it returns focus to the element `opener`.
    pub fn open(self, name: &str, opener: String) {
        self.opener.set_value(Some(opener));
        self.set.run(Some(name.to_owned()));
    }

    /// Closes the drawer.
    pub fn close(self) {
        self.set.run(None);
        self.focus_opener();
    }

    fn focus_opener(self) -> bool {
        self.opener
            .get_value()
            .is_some_and(|opener| browser::focus(&opener))
    }
}

/// The tab.
#[component]
pub fn CapabilitiesPage() -> impl IntoView {
    let state = use_agent();
    let model = ToolModel::start(state);
    let open = OpenTool::start();
    provide_context(model);
    provide_context(open);
    let is_open = Memo::new(move |_| open.name.with(Option::is_some));
    // However the drawer closed, by Back or from an address that opened it, the focus it had goes
    // to the row it was about.
    follow(move |before: Option<Option<String>>| {
        let now = open.name.get();
        if let (Some(Some(before)), None) = (before, &now) {
            request_animation_frame(move || {
                if browser::has_focus() || open.focus_opener() {
                    return;
                }
                let row = model.place_of(&before).map(|place| format!("tool-{place}"));
                if !row.is_some_and(|row| browser::focus(&row)) {
                    browser::focus("agent-tools");
                }
            });
        }
        now
    });
    view! {
        <div class="page" class:with-drawer=is_open>
            <h2 class="visually-hidden">"Capabilities"</h2>
            <div class="stack">
                <SectionList />
                <ToolsSection />
                <PermissionsSection />
                <SkillsSection />
                <ServersSection id="mcp-connections" heading="MCP Connections" />
                <RepositoriesSection />
                <EnvironmentSection />
                <InitScriptSection />
            </div>
            <WhyDrawer />
        </div>
    }
}

/// The tool list of the tab around the caller.
pub fn use_tools() -> ToolModel {
    expect_context()
}

/// The drawer of the tab around the caller.
pub fn use_open_tool() -> OpenTool {
    expect_context()
}
