//! The list of skills a model is shown in its prompt, and the budget `MyCodeAgent` keeps to (skills
//! contract section 4.3, seed 003 "Step 4").

/// The budget of `MyCodeAgent` unless it is told another, in characters (Unicode scalar values).
pub const DEFAULT_BUDGET: i64 = 12_000;

/// What stands in place of an empty list.
pub const NONE: &str = "(none)";

/// A skill as a list shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedSkill<'a> {
    /// Its name; at Coder its alias, which may carry the source: `workspace/deploy`.
    pub name: &'a str,
    /// Its description; may be empty at Coder only.
    pub description: &'a str,
}

/// Which reading of `MyCodeAgent` is meant. They differ when the first line alone exceeds the
/// budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As the program does it: nothing exceeds the budget, so the model then sees no skill.
    Code,
    /// As the article about it shows it: the first line always fits.
    Article,
}

/// The list as the model gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AvailableSkills {
    /// The text, word for word; [`NONE`] if no skill is in it.
    pub text: String,
    /// How much of the budget it takes, in characters: each line and a line end behind it.
    pub used: usize,
    /// Names of the skills in it, in order.
    pub included: Vec<String>,
    /// Names of the skills that are cut, in order.
    pub omitted: Vec<String>,
    /// Whether the first skill alone exceeds the budget, so that the model sees none although
    /// later ones would fit. Worth a warning.
    pub first_exceeds: bool,
}

/// The list `MyCodeAgent` gives the model: sorted by name, cut before the first line that would
/// exceed `budget` characters. A shorter one behind it is not tried. Zero or less leaves nothing.
pub fn available_skills(
    skills: &[ListedSkill<'_>],
    budget: i64,
    variant: Variant,
) -> AvailableSkills {
    let mut sorted = skills.to_vec();
    sorted.sort_by_key(|skill| skill.name);
    let budget = usize::try_from(budget).unwrap_or(0);
    let mut list = AvailableSkills {
        text: String::new(),
        used: 0,
        included: Vec::new(),
        omitted: Vec::new(),
        first_exceeds: false,
    };
    for skill in sorted {
        let line = format!("- {}: {}", skill.name, skill.description);
        let cost = line.chars().count() + 1;
        let first = list.included.is_empty();
        let exceeds = list.used + cost > budget;
        list.first_exceeds |= exceeds && first && list.omitted.is_empty();
        let shown = !exceeds || (first && variant == Variant::Article);
        if shown && list.omitted.is_empty() {
            if !first {
                list.text.push('\n');
            }
            list.text.push_str(&line);
            list.used += cost;
            list.included.push(skill.name.to_owned());
        } else {
            list.omitted.push(skill.name.to_owned());
        }
    }
    if list.included.is_empty() {
        NONE.clone_into(&mut list.text);
    }
    list
}

/// The list Coder gives the model, in the given order and without a budget; empty for no skills.
/// Coder's own sentences on how to call its tools stand above the list and are not repeated here.
pub fn coder_skills(skills: &[ListedSkill<'_>]) -> String {
    if skills.is_empty() {
        return String::new();
    }
    let mut text = String::from("<available-skills>\n");
    for skill in skills {
        text.push_str("- ");
        text.push_str(skill.name);
        if !skill.description.is_empty() {
            text.push_str(": ");
            text.push_str(skill.description);
        }
        text.push('\n');
    }
    text.push_str("</available-skills>");
    text
}
