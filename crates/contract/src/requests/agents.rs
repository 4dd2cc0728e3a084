//! Bodies that make and change agents (contract section 3.2).

use serde_json::{Map, Value};

use super::reader::{Reader, Text};
use super::{Problems, cadence};
use crate::agents::{AgentScope, AvatarMode, IdleBehavior, NAME_MAX, TITLE_MAX};
use crate::rules::init_script::{LIMIT, normalise};
use crate::rules::permissions::{Flag, PermissionPatch};

const CAPABILITIES_MAX: usize = 5000;
const NAME_OF_PROVIDER_MAX: usize = 100;
const ICON_MAX: usize = 64;
const TARGETS_MAX: usize = 50;
const SCORECARD_MAX: usize = 20;
const SKILL_TOKENS_MAX: i64 = 20_000;
const FAILURES_MAX: i64 = 20;

pub(super) const SCOPES: [&str; 4] = ["tenant", "mission", "idea", "work"];
const IDLE: [&str; 3] = ["propose", "noop", "observe"];
const AVATARS: [&str; 3] = ["initials", "icon", "image"];

/// Fields that create and PATCH share. An outer `None` means "not in the request", an inner `None`
/// means `null`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentFields {
    /// 1 to 120 characters.
    pub name: Option<String>,
    /// At most 200 characters.
    pub title: Option<Option<String>>,
    /// At most 5000 characters.
    pub capabilities: Option<Option<String>>,
    /// At most 100 characters.
    pub ai_provider_id: Option<Option<String>>,
    /// At most 100 characters.
    pub model_id: Option<Option<String>>,
    /// An environment of the caller.
    pub environment_id: Option<Option<String>>,
    /// 0 to 20000.
    pub max_skill_context_tokens: Option<i64>,
    /// Cron text or `manual`, at most 64 characters.
    pub heartbeat_cadence: Option<Option<String>>,
    /// What to do when idle.
    pub idle_behavior: Option<IdleBehavior>,
    /// 1 to 20.
    pub pause_after_failures: Option<i64>,
    /// Flags to set.
    pub permissions: Option<PermissionPatch>,
    /// What the agent is pointed at.
    pub targets: Option<Option<Value>>,
    /// How it is pictured.
    pub avatar_mode: Option<AvatarMode>,
    /// At most 64 characters.
    pub avatar_icon: Option<Option<String>>,
    /// An upload.
    pub avatar_image_upload_id: Option<Option<String>>,
    /// At most 120 characters.
    pub committer_name: Option<Option<String>>,
    /// A mail address of at most 254 characters.
    pub committer_email: Option<Option<String>>,
}

const SHARED: [&str; 17] = [
    "name",
    "title",
    "capabilities",
    "aiProviderId",
    "modelId",
    "environmentId",
    "maxSkillContextTokens",
    "heartbeatCadence",
    "idleBehavior",
    "pauseAfterFailures",
    "permissions",
    "targets",
    "avatarMode",
    "avatarIcon",
    "avatarImageUploadId",
    "committerName",
    "committerEmail",
];

const NAME_RULE: Text = Text {
    min: 1,
    max: NAME_MAX,
    not_empty: true,
};

fn shared_fields(fields: &mut Reader<'_>, name: Option<String>) -> AgentFields {
    AgentFields {
        name,
        title: fields.text_or_null("title", Text::up_to(TITLE_MAX)),
        capabilities: fields.text_or_null("capabilities", Text::up_to(CAPABILITIES_MAX)),
        ai_provider_id: fields.text_or_null("aiProviderId", Text::up_to(NAME_OF_PROVIDER_MAX)),
        model_id: fields.text_or_null("modelId", Text::up_to(NAME_OF_PROVIDER_MAX)),
        environment_id: fields.uuid_or_null("environmentId"),
        max_skill_context_tokens: fields.optional_integer(
            "maxSkillContextTokens",
            0,
            SKILL_TOKENS_MAX,
        ),
        heartbeat_cadence: fields
            .text_or_null("heartbeatCadence", Text::up_to(cadence::CADENCE_MAX)),
        idle_behavior: fields
            .optional_choice("idleBehavior", &IDLE)
            .map(|text| IdleBehavior::from(text.as_str())),
        pause_after_failures: fields.optional_integer("pauseAfterFailures", 1, FAILURES_MAX),
        permissions: permissions(fields),
        targets: fields.objects_or_null("targets", TARGETS_MAX, &["type", "id"], |target| {
            target.choice("type", &["mission", "idea", "work", "wildcard"]);
            target.optional_uuid("id");
        }),
        avatar_mode: fields
            .optional_choice("avatarMode", &AVATARS)
            .map(|text| AvatarMode::from(text.as_str())),
        avatar_icon: fields.text_or_null("avatarIcon", Text::up_to(ICON_MAX)),
        avatar_image_upload_id: fields.uuid_or_null("avatarImageUploadId"),
        committer_name: fields.text_or_null("committerName", Text::up_to(NAME_MAX)),
        committer_email: fields.email_or_null("committerEmail"),
    }
}

fn permissions(fields: &mut Reader<'_>) -> Option<PermissionPatch> {
    let known: Vec<&str> = Flag::KNOWN.iter().map(Flag::as_str).collect();
    let mut patch = None;
    fields.optional_object("permissions", &known, |inner| {
        let mut flags = PermissionPatch::default();
        for flag in Flag::KNOWN {
            if let Some(on) = inner.optional_boolean(flag.as_str()) {
                flags.set(flag.clone(), on);
            }
        }
        patch = Some(flags);
    });
    patch
}

impl AgentFields {
    /// The rules that speak in one sentence: a name with a letter or digit, and a readable cadence
    /// (contract section 3.2).
    pub fn check(&self) -> Result<(), String> {
        if let Some(name) = &self.name
            && !name.chars().any(char::is_alphanumeric)
        {
            return Err("Agent name must contain at least one letter or digit.".to_owned());
        }
        if let Some(Some(text)) = &self.heartbeat_cadence
            && !cadence::is_manual(text)
            && cadence::parse(text).is_none()
        {
            return Err(format!(
                "Invalid heartbeatCadence \"{text}\". Use \"manual\" or five cron fields in UTC, such as \"0 9 * * 1-5\"."
            ));
        }
        Ok(())
    }
}

/// Body of `POST /api/agents`.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAgent {
    /// Where it belongs.
    pub scope: AgentScope,
    /// The parent for mission agents.
    pub mission_id: Option<String>,
    /// The parent for idea agents.
    pub idea_id: Option<String>,
    /// The parent for Work agents.
    pub work_id: Option<String>,
    /// Its name, once more as a value that is always there.
    pub name: String,
    /// Everything else.
    pub fields: AgentFields,
}

impl NewAgent {
    /// The rules that speak in one sentence: the parent fits the scope, and those of
    /// [`AgentFields::check`].
    pub fn check(&self) -> Result<(), String> {
        let parents = (
            self.mission_id.is_some(),
            self.idea_id.is_some(),
            self.work_id.is_some(),
        );
        let (wanted, sentence) = match self.scope {
            AgentScope::Mission => (
                (true, false, false),
                "Mission-scoped Agents require missionId (and only missionId).",
            ),
            AgentScope::Idea => (
                (false, true, false),
                "Idea-scoped Agents require ideaId (and only ideaId).",
            ),
            AgentScope::Work => (
                (false, false, true),
                "Work-scoped Agents require workId (and only workId).",
            ),
            AgentScope::Tenant | AgentScope::Unknown(_) => (
                (false, false, false),
                "Tenant-scoped Agents must not have missionId, ideaId or workId.",
            ),
        };
        if parents != wanted {
            return Err(sentence.to_owned());
        }
        self.fields.check()
    }
}

/// Reads the body of `POST /api/agents`.
pub fn create(body: &Map<String, Value>) -> Result<NewAgent, Problems> {
    let known: Vec<&str> = ["scope", "missionId", "ideaId", "workId"]
        .into_iter()
        .chain(SHARED)
        .collect();
    let mut fields = Reader::new(body, &known);
    let scope = AgentScope::from(fields.choice("scope", &SCOPES).as_str());
    let mission_id = fields.optional_uuid("missionId");
    let idea_id = fields.optional_uuid("ideaId");
    let work_id = fields.optional_uuid("workId");
    let name = fields.text("name", NAME_RULE);
    let shared = shared_fields(&mut fields, Some(name.clone()));
    fields.finish(NewAgent {
        scope,
        mission_id,
        idea_id,
        work_id,
        name,
        fields: shared,
    })
}

/// Body of `PATCH /api/agents/:id`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentChanges {
    /// Fields that create accepts too.
    pub fields: AgentFields,
    /// Whether memory is recalled.
    pub memory_recall_enabled: Option<bool>,
    /// Its lead.
    pub reports_to_agent_id: Option<Option<String>>,
    /// Targets to measure it by.
    pub scorecard: Option<Option<Value>>,
    /// Stored, never sent.
    pub merge_policy: Option<Option<Value>>,
    /// The bootstrap script.
    pub init_script: Option<Option<String>>,
}

/// Reads the body of `PATCH /api/agents/:id`.
pub fn patch(body: &Map<String, Value>) -> Result<AgentChanges, Problems> {
    let known: Vec<&str> = SHARED
        .into_iter()
        .chain([
            "memoryRecallEnabled",
            "reportsToAgentId",
            "scorecard",
            "mergePolicy",
            "initScript",
        ])
        .collect();
    let mut fields = Reader::new(body, &known);
    let name = fields.optional_text("name", NAME_RULE);
    let shared = shared_fields(&mut fields, name);
    let changes = AgentChanges {
        fields: shared,
        memory_recall_enabled: fields.optional_boolean("memoryRecallEnabled"),
        reports_to_agent_id: fields.uuid_or_null("reportsToAgentId"),
        scorecard: scorecard(&mut fields),
        merge_policy: merge_policy(&mut fields),
        init_script: init_script(&mut fields),
    };
    fields.finish(changes)
}

/// The script with line feeds only; its characters are counted after the conversion.
fn init_script(fields: &mut Reader<'_>) -> Option<Option<String>> {
    let given = fields.text_or_null("initScript", Text::default())?;
    let script = given.map(|text| normalise(&text).text.into_owned());
    if script
        .as_ref()
        .is_some_and(|script| script.chars().count() > LIMIT)
    {
        fields.problem(
            "initScript",
            &format!("must be shorter than or equal to {LIMIT} characters"),
        );
    }
    Some(script)
}

fn scorecard(fields: &mut Reader<'_>) -> Option<Option<Value>> {
    const KEYS: [&str; 8] = [
        "key", "label", "target", "current", "floor", "stretch", "unit", "period",
    ];
    fields.objects_or_null("scorecard", SCORECARD_MAX, &KEYS, |entry| {
        entry.text(
            "key",
            Text {
                min: 1,
                ..Text::up_to(80)
            },
        );
        entry.text(
            "label",
            Text {
                min: 1,
                ..Text::up_to(120)
            },
        );
        entry.number("target");
        entry.number("current");
        entry.optional_number("floor");
        entry.optional_number("stretch");
        entry.optional_text("unit", Text::up_to(40));
        entry.choice("period", &["weekly", "monthly", "quarterly"]);
    })
}

fn merge_policy(fields: &mut Reader<'_>) -> Option<Option<Value>> {
    const BYTES_MAX: usize = 8192;
    match fields.raw("mergePolicy")? {
        Value::Null => Some(None),
        value @ Value::Object(_) if value.to_string().len() <= BYTES_MAX => {
            Some(Some(value.clone()))
        }
        Value::Object(_) => {
            fields.problem("mergePolicy", "must be at most 8192 bytes of JSON");
            None
        }
        _ => {
            fields.problem("mergePolicy", "must be an object");
            None
        }
    }
}
