//! Requests about skills, the catalog and bindings (contract section 10).

use serde_json::{Map, Value};

use super::Problems;
use super::lists::{LIMIT_DEFAULT, PageQuery, page_fields};
use super::reader::{Reader, Text};
use crate::rules::skill_bindings::PRIORITY_MAX;
use crate::skills::{SkillBindingCreate, SkillCreate, SkillInstall, SkillPatch, SkillScope};

/// Most characters of a title.
pub const TITLE_MAX: usize = 200;
/// Most characters of a description.
pub const DESCRIPTION_MAX: usize = 1_000;
/// Most characters, and most bytes of UTF-8, of a body.
pub const BODY_MAX: usize = 65_536;
/// Most characters of a version.
pub const VERSION_MAX: usize = 40;
/// Most characters of a slug.
pub const SLUG_MAX: usize = 80;
/// Most characters of the name a skill is called by.
pub const INVOCATION_MAX: usize = 64;
/// Most bytes of a frontmatter as JSON.
pub const FRONTMATTER_BYTES_MAX: usize = 16_384;
/// Most characters of a search text or of the tags asked for.
pub const SEARCH_MAX: usize = 500;

const SCOPES: [&str; 5] = ["tenant", "mission", "idea", "work", "agent"];
const TITLE: Text = Text {
    min: 1,
    max: TITLE_MAX,
    not_empty: false,
};
const DESCRIPTION: Text = Text {
    min: 1,
    max: DESCRIPTION_MAX,
    not_empty: false,
};

/// Query of `GET /api/skills`. The filters are joined by AND.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillQuery {
    /// Only skills owned at this kind of scope.
    pub owner_type: Option<SkillScope>,
    /// Only skills of this owner.
    pub owner_id: Option<String>,
    /// A text that title, slug or description contains, in any case.
    pub search: Option<String>,
    /// Which part of the list.
    pub page: PageQuery,
}

/// Query of `GET /api/skills/catalog`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogQuery {
    /// A text that title, slug, description or a tag contains, in any case.
    pub search: Option<String>,
    /// Only entries with at least one of these tags; empty filters nothing.
    pub tags: Vec<String>,
    /// Which part of the list.
    pub page: PageQuery,
}

impl CatalogQuery {
    /// Whether an entry is asked for.
    pub fn wants(&self, entry: &crate::skills::CatalogSkill) -> bool {
        let tagged = self.tags.is_empty()
            || self
                .tags
                .iter()
                .any(|tag| entry.tags.iter().any(|own| own.eq_ignore_ascii_case(tag)));
        let found = self.search.as_deref().is_none_or(|search| {
            let search = search.to_lowercase();
            [&entry.slug, &entry.title, &entry.description]
                .into_iter()
                .chain(&entry.tags)
                .any(|text| text.to_lowercase().contains(&search))
        });
        tagged && found
    }
}

/// Reads the query of `GET /api/skills`.
pub fn list(query: &Map<String, Value>) -> Result<SkillQuery, Problems> {
    let known = ["ownerType", "ownerId", "search", "limit", "offset"];
    let mut fields = Reader::new(query, &known);
    let request = SkillQuery {
        owner_type: fields
            .raw("ownerType")
            .map(|_| scope(&mut fields, "ownerType")),
        owner_id: fields.optional_uuid("ownerId"),
        search: search(&mut fields),
        page: page_fields(&mut fields, LIMIT_DEFAULT),
    };
    fields.finish(request)
}

/// Reads the query of `GET /api/skills/catalog`.
pub fn catalog(query: &Map<String, Value>) -> Result<CatalogQuery, Problems> {
    let mut fields = Reader::new(query, &["limit", "offset", "search", "tags"]);
    let tags = fields.optional_text("tags", Text::up_to(SEARCH_MAX));
    let tags = tags.unwrap_or_default();
    let request = CatalogQuery {
        search: search(&mut fields),
        tags: tags
            .split(',')
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect(),
        page: page_fields(&mut fields, LIMIT_DEFAULT),
    };
    fields.finish(request)
}

fn search(fields: &mut Reader<'_>) -> Option<String> {
    let text = fields.optional_text("search", Text::up_to(SEARCH_MAX))?;
    (!text.is_empty()).then_some(text)
}

fn scope(fields: &mut Reader<'_>, key: &str) -> SkillScope {
    SkillScope::from(fields.unlisted_choice(key, &SCOPES).as_str())
}

/// Whether a text is a slug: `^[a-z0-9-]{1,80}$`.
pub fn is_slug(text: &str) -> bool {
    (1..=SLUG_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn slug_problem(fields: &mut Reader<'_>) {
    fields.problem("slug", "must match /^[a-z0-9-]{1,80}$/ regular expression");
}

fn frontmatter(fields: &mut Reader<'_>) -> Option<Map<String, Value>> {
    match fields.raw("frontmatter")? {
        Value::Null => None,
        value @ Value::Object(object) => {
            if value.to_string().len() > FRONTMATTER_BYTES_MAX {
                let rest = format!("must be at most {FRONTMATTER_BYTES_MAX} bytes of JSON");
                fields.problem("frontmatter", &rest);
            }
            Some(object.clone())
        }
        _ => {
            fields.problem("frontmatter", "must be an object");
            None
        }
    }
}

/// Reads the body of `POST /api/skills`.
pub fn create(body: &Map<String, Value>) -> Result<SkillCreate, Problems> {
    let known = [
        "ownerType",
        "ownerId",
        "title",
        "description",
        "instructionsMd",
        "frontmatter",
        "slug",
        "version",
        "invocationSlug",
    ];
    let mut fields = Reader::new(body, &known);
    let request = SkillCreate {
        owner_type: scope(&mut fields, "ownerType"),
        owner_id: fields.uuid("ownerId"),
        title: fields.text("title", TITLE),
        description: fields.text("description", DESCRIPTION),
        instructions_md: fields.text("instructionsMd", Text::up_to(BODY_MAX)),
        frontmatter: frontmatter(&mut fields),
        slug: fields.optional_text("slug", Text::default()),
        version: fields.optional_text("version", Text::up_to(VERSION_MAX)),
        invocation_slug: fields.optional_text("invocationSlug", Text::up_to(SLUG_MAX)),
    };
    if request.slug.as_deref().is_some_and(|slug| !is_slug(slug)) {
        slug_problem(&mut fields);
    }
    fields.finish(request)
}

/// Reads the body of `PATCH /api/skills/:id`.
pub fn patch(body: &Map<String, Value>) -> Result<SkillPatch, Problems> {
    let known = [
        "title",
        "description",
        "instructionsMd",
        "frontmatter",
        "version",
        "invocationSlug",
    ];
    let mut fields = Reader::new(body, &known);
    let request = SkillPatch {
        title: fields.optional_text("title", TITLE),
        description: fields.optional_text("description", DESCRIPTION),
        instructions_md: fields.optional_text("instructionsMd", Text::up_to(BODY_MAX)),
        frontmatter: frontmatter(&mut fields),
        version: fields.optional_text("version", Text::up_to(VERSION_MAX)),
        invocation_slug: fields.text_or_null("invocationSlug", Text::up_to(SLUG_MAX)),
    };
    fields.finish(request)
}

/// Reads the body of `POST /api/skills/install`.
pub fn install(body: &Map<String, Value>) -> Result<SkillInstall, Problems> {
    let mut fields = Reader::new(body, &["slug", "ownerType", "ownerId"]);
    let slug = body.get("slug").and_then(Value::as_str).unwrap_or_default();
    if !is_slug(slug) {
        slug_problem(&mut fields);
    }
    let request = SkillInstall {
        slug: fields.text("slug", Text::default()),
        owner_type: scope(&mut fields, "ownerType"),
        owner_id: fields.uuid("ownerId"),
    };
    fields.finish(request)
}

/// Reads the body of `POST /api/skills/:id/bindings`.
pub fn binding(body: &Map<String, Value>) -> Result<SkillBindingCreate, Problems> {
    let known = [
        "targetType",
        "targetId",
        "priority",
        "injectIntoAgent",
        "injectIntoGenerator",
    ];
    let mut fields = Reader::new(body, &known);
    let request = SkillBindingCreate {
        target_type: scope(&mut fields, "targetType"),
        target_id: fields.optional_uuid("targetId"),
        priority: fields
            .optional_integer("priority", 1, i64::from(PRIORITY_MAX))
            .and_then(|priority| u32::try_from(priority).ok()),
        inject_into_agent: fields.optional_boolean("injectIntoAgent"),
        inject_into_generator: fields.optional_boolean("injectIntoGenerator"),
    };
    fields.finish(request)
}

/// The name a skill is called by, as it is stored: without the slash people type before it, in
/// lower case; `None` for a blank one. Otherwise the sentence to refuse with.
pub fn invocation_slug(given: &str) -> Result<Option<String>, String> {
    let given = given.trim();
    if given.is_empty() {
        return Ok(None);
    }
    let name = given.strip_prefix('/').unwrap_or(given).to_lowercase();
    if name.len() <= INVOCATION_MAX && !name.starts_with('-') && is_slug(&name) {
        return Ok(Some(name));
    }
    Err(
        "invocationSlug must be lowercase letters, digits and hyphens, starting with a letter or digit (max 64 chars)."
            .to_owned(),
    )
}
