//! What is typed about a skill, and what keeps it from being stored: the limits of the server.

use contract::requests::skills::{
    BODY_MAX, DESCRIPTION_MAX, SLUG_MAX, TITLE_MAX, VERSION_MAX, is_slug,
};
use contract::rules::control_tokens;
use contract::skills::Skill;

use crate::api::ApiError;
use crate::pages::skill::content::grouped;

/// What is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The title.
    pub title: String,
    /// The slug.
    pub slug: String,
    /// The description.
    pub description: String,
    /// The version.
    pub version: String,
    /// The instructions.
    pub instructions: String,
}

impl Draft {
    /// As a skill is stored.
    pub fn of(skill: &Skill) -> Self {
        Self {
            title: skill.title.clone(),
            slug: skill.slug.clone(),
            description: skill.description.clone(),
            version: skill.version.clone(),
            instructions: skill.instructions_md.clone(),
        }
    }

    /// Of a new skill.
    pub fn empty() -> Self {
        Self {
            version: "1.0.0".to_owned(),
            ..Self::default()
        }
    }
}

/// What is wrong, by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// The title.
    pub title: Option<String>,
    /// The slug.
    pub slug: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// The instructions.
    pub instructions: Option<String>,
    /// What belongs to no field.
    pub other: Option<String>,
}

impl Wrong {
    /// What the server has against it.
    pub fn of(error: &ApiError) -> Self {
        let mut wrong = Self {
            title: error.problem_of("title"),
            slug: error.problem_of("slug"),
            description: error.problem_of("description"),
            version: error.problem_of("version"),
            instructions: error.problem_of("instructionsMd"),
            other: None,
        };
        match error {
            ApiError::Refused {
                status: 409, said, ..
            } => wrong.slug = Some(said.clone()),
            other if wrong == Self::default() => wrong.other = Some(other.sentence()),
            _ => {}
        }
        wrong
    }
}

/// By how much something is too long.
pub fn over_by(count: usize, unit: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {unit}{plural} over.", grouped(count))
}

/// What keeps a draft from being stored.
pub fn problems(draft: &Draft, is_new: bool) -> Wrong {
    let within = |text: &str, max: usize, what: &str| {
        let length = text.chars().count();
        if text.trim().is_empty() {
            Some(format!("Type {what}."))
        } else if length > max {
            Some(over_by(length - max, "character"))
        } else {
            None
        }
    };
    let over = draft.instructions.len().saturating_sub(BODY_MAX);
    let token = control_tokens::find(&draft.instructions);
    Wrong {
        title: within(&draft.title, TITLE_MAX, "a title"),
        description: within(
            &draft.description,
            DESCRIPTION_MAX,
            "what it is for and when",
        ),
        version: within(&draft.version, VERSION_MAX, "a version"),
        slug: (is_new && !draft.slug.is_empty() && !is_slug(&draft.slug))
            .then(|| format!("Use lowercase letters, digits and hyphens, at most {SLUG_MAX}.")),
        instructions: if over > 0 {
            Some(over_by(over, "byte"))
        } else {
            token.map(|found| {
                format!(
                    "Line {}: a model takes {} for the start or end of a turn, so it is not stored. Remove it.",
                    found.line, found.token
                )
            })
        },
        other: None,
    }
}

/// The slug a title gives where none is typed, near enough for a preview.
pub fn slug_of(title: &str) -> String {
    let words: Vec<String> = title
        .to_lowercase()
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.join("-").chars().take(SLUG_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_held_to_the_limits_of_the_server() {
        let draft = Draft {
            title: "T".to_owned(),
            slug: "a-b".to_owned(),
            description: "d".to_owned(),
            version: "1".to_owned(),
            instructions: "x".repeat(BODY_MAX),
        };
        assert_eq!(problems(&draft, true), Wrong::default());
        let bad = Draft {
            title: " ".to_owned(),
            slug: "A B".to_owned(),
            description: "d".repeat(DESCRIPTION_MAX + 1),
            version: String::new(),
            instructions: "é".repeat(BODY_MAX / 2 + 1),
        };
        let wrong = problems(&bad, true);
        assert!(wrong.title.is_some() && wrong.slug.is_some() && wrong.version.is_some());
        assert_eq!(wrong.description.as_deref(), Some("1 character over."));
        assert_eq!(wrong.instructions.as_deref(), Some("2 bytes over."));
        assert_eq!(problems(&bad, false).slug, None);
    }

    #[test]
    fn a_title_gives_a_slug() {
        assert_eq!(slug_of("Code Review (team)"), "code-review-team");
        assert_eq!(slug_of("…"), "");
    }
}
