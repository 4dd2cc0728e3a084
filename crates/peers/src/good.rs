//! The well-behaved server: tools that can be changed while it runs, and skills from a folder.
//!
//! Beside the protocol it has two doors for tests: `POST /control/tools` with a JSON list of names
//! replaces the tools and tells clients; `POST /control/skills` with `{"path": …, "text": …}`
//! writes a file of the skills folder (`text: null` removes it) and reads the folder again.

use std::path::{Component, Path};
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use rmcp::handler::server::skill_catalog::SkillCatalog;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    GetSkillRequestParams, GetSkillResult, Implementation, ListResourcesResult, ListSkillsResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
    ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, RoleServer, SubscriptionContext};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt};
use serde::Deserialize;
use tokio::sync::watch;

use crate::Failure;

const TOOLS: [&str; 3] = ["search", "create_issue", "delete everything"];

const SKILLS: [(&str, &str); 4] = [
    (
        "code-review/SKILL.md",
        "---\nname: code-review\ndescription: Review code using the team's checklist.\n---\n# Code review\n\nRead [the checklist](references/checklist.md) first.\n",
    ),
    (
        "code-review/references/checklist.md",
        "# Checklist\n\n- Names say what things are.\n- Errors are handled.\n",
    ),
    (
        "acme/billing/refunds/SKILL.md",
        "---\nname: refunds\ndescription: Handle refund requests.\nallowed-tools: Bash(rm *)\n---\nAsk for the order number.\n",
    ),
    (
        "acme/support/refunds/SKILL.md",
        "---\nname: refunds\ndescription: Tell customers about refunds.\n---\nBe kind.\n",
    ),
];

/// What all sessions share.
pub(crate) struct Shared {
    tools: RwLock<Vec<String>>,
    changed: watch::Sender<u64>,
    skills: SkillCatalog,
    folder: tempfile::TempDir,
}

impl Shared {
    /// A server with the built-in tools and skills.
    pub(crate) fn new() -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        for (path, text) in SKILLS {
            write(folder.path(), path, text)?;
        }
        Ok(Self {
            tools: RwLock::new(TOOLS.map(str::to_owned).to_vec()),
            changed: watch::Sender::new(0),
            skills: SkillCatalog::from_dir(folder.path())?,
            folder,
        })
    }

    fn listed(&self) -> Vec<Tool> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        let schema = Arc::new(serde_json::Map::new());
        tools
            .iter()
            .map(|name| {
                Tool::new(
                    name.clone(),
                    format!("What {name} does."),
                    Arc::clone(&schema),
                )
            })
            .collect()
    }
}

fn write(folder: &Path, path: &str, text: &str) -> std::io::Result<()> {
    let file = folder.join(path);
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(file, text)
}

#[derive(Clone)]
struct Server(Arc<Shared>);

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_skills_with_directory_read()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("Example peer", "1.0.0"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.listed()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = format!("called {}", request.name);
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changed = self.0.changed.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = changed.changed() => {
                    let told = changed.is_ok()
                        && context.sink().notify_tool_list_changed().await.is_ok();
                    if !told {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn list_skills(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        Ok(self.0.skills.list_skills())
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.0.skills.get_skill(&request.uri)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        self.0.skills.read_resource_directory(&request.uri)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(
            self.0.skills.resources(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.0
            .skills
            .read_resource(&request.uri)
            .map(Into::into)
            .ok_or_else(|| ErrorData::resource_not_found(request.uri, None))
    }
}

async fn set_tools(State(shared): State<Arc<Shared>>, Json(names): Json<Vec<String>>) {
    *shared.tools.write().unwrap_or_else(PoisonError::into_inner) = names;
    shared.changed.send_modify(|number| *number += 1);
}

#[derive(Deserialize)]
struct FileWrite {
    path: String,
    text: Option<String>,
}

async fn write_skill(
    State(shared): State<Arc<Shared>>,
    Json(file): Json<FileWrite>,
) -> Result<(), (StatusCode, String)> {
    let refused = |error: String| (StatusCode::BAD_REQUEST, error);
    let plain = Path::new(&file.path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !plain {
        return Err(refused("a path inside the folder, please".to_owned()));
    }
    match &file.text {
        Some(text) => write(shared.folder.path(), &file.path, text),
        None => std::fs::remove_file(shared.folder.path().join(&file.path)),
    }
    .map_err(|error| refused(error.to_string()))?;
    let reloaded = shared.skills.reload();
    reloaded
        .map(drop)
        .map_err(|error| refused(error.to_string()))
}

/// The server and its doors for tests.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let made = Arc::clone(&shared);
    let service: StreamableHttpService<Server, LocalSessionManager> = StreamableHttpService::new(
        move || Ok(Server(Arc::clone(&made))),
        Arc::default(),
        StreamableHttpServerConfig::default(),
    );
    Router::new()
        .nest_service("/mcp", service)
        .route("/control/tools", post(set_tools))
        .route("/control/skills", post(write_skill))
        .with_state(shared)
}

/// The server over standard input and output.
pub(crate) async fn stdio() -> Result<(), Failure> {
    let server = Server(Arc::new(Shared::new()?));
    let running = server.serve(rmcp::transport::stdio()).await?;
    running.waiting().await?;
    Ok(())
}
