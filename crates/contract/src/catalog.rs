//! The tool catalog of the embedded control plane (contract section 6), in assembly order.

use crate::capabilities::ToolSource;
use crate::rules::permissions::Flag;

/// One tool the platform can assemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogTool {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub description: &'static str,
    /// Where it comes from.
    pub source: ToolSource,
    /// The flag without which it is never assembled.
    pub gated_by: Option<Flag>,
}

macro_rules! catalog {
    ($($name:literal $source:ident $flag:expr, $description:literal;)+) => {
        /// The 30 tools of the catalog, in assembly order (contract section 6.1).
        pub const CATALOG: &[CatalogTool] = &[$(CatalogTool {
            name: $name,
            description: $description,
            source: ToolSource::$source,
            gated_by: $flag,
        }),+];
    };
}

catalog! {
    "getSkillBody" Builtin None, "Reads the full text of one skill that is bound to this agent, by its slug.";
    "editAgentFile" Builtin Some(Flag::CanEditAgentFiles), "Rewrites one of the agent’s own five instruction files, once per file and run; at most 64 KB, scanned for secrets.";
    "createSubAgent" Builtin Some(Flag::CanCreateAgents), "Creates a draft agent in the same scope, with every permission off.";
    "commitToRepo" Facade Some(Flag::CanCommitToRepo), "Commits file edits to the Work’s repository. Agents of another scope are refused when they call it.";
    "openPullRequest" Facade Some(Flag::CanOpenPullRequests), "Opens a pull request on the Work’s repository.";
    "searchWeb" Facade Some(Flag::CanCallExternalTools), "Searches the web through the configured search plugin.";
    "screenshot" Facade Some(Flag::CanCallExternalTools), "Captures a picture of a web page.";
    "extractContent" Facade Some(Flag::CanCallExternalTools), "Fetches a web page and returns its main text, cleaned.";
    "sendEmail" Facade Some(Flag::CanCallExternalTools), "Sends e-mail from one of the agent’s outbound addresses.";
    "messageAgent" Facade Some(Flag::CanCallExternalTools), "Sends a message to the inbound address of another agent.";
    "notifyChannel" Facade Some(Flag::CanCallExternalTools), "Posts to one of the owner’s notification channels.";
    "getActivity" Builtin None, "Reads recent activity in the agent’s scope.";
    "getKbDocument" Builtin None, "Reads one knowledge-base document by its slug.";
    "createTask" Domain Some(Flag::CanAssignTasks), "Creates a task in the agent’s scope.";
    "commentOnTask" Domain None, "Writes to the chat of a task the agent takes part in.";
    "transitionTask" Domain Some(Flag::CanAssignTasks), "Moves a task to another status.";
    "list_recent_events" Domain None, "Lists external events that were ingested recently.";
    "get_digest" Domain None, "Composes a daily or weekly briefing of activity.";
    "list_meetings" Domain None, "Lists captured meetings.";
    "get_meeting_summary" Domain None, "Reads the summary and the details of one meeting.";
    "list_fleet_nodes" Domain None, "Lists the owner’s machines and cluster nodes.";
    "browse_url" Domain Some(Flag::CanCallExternalTools), "Opens a page of an allowed host in a headless browser, for reading only.";
    "list_escalations" Domain None, "Lists decisions that wait for the owner.";
    "resolve_escalation" Domain None, "Closes one escalation with a note.";
    "review_pull_request" Domain Some(Flag::CanCallExternalTools), "Reviews a pull request and posts a summary comment.";
    "resolve_merge_policy" Domain None, "Explains the merge policy in force.";
    "resolve_tool_grants" Domain None, "Explains the tool-grant matrix in force.";
    "check_tool_grant" Domain None, "Says whether one tool is allowed, and which scope decided.";
    "run_workflow_graph" Domain Some(Flag::CanAssignTasks), "Runs a bounded workflow of several steps.";
    "validate_workflow_graph" Domain Some(Flag::CanAssignTasks), "Checks a workflow without running it.";
}

/// Tools that runs can assemble although the catalog does not list them (contract section 6.1),
/// with the flag that gates them. Grants apply to them all the same.
pub const UNLISTED: &[(&str, Option<Flag>)] = &[
    ("getSkillFile", None),
    ("delegateToAgent", Some(Flag::CanAssignTasks)),
    ("ask_human", None),
];
