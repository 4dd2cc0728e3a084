//! The grant rules once more, written from contract section 5 without looking at the product's
//! code: recursive, quadratic, on vectors of characters. It shares types with the product, no
//! functions.

use contract::grants::{Grant, RefusalCode, Scope};
use contract::rules::fold::Layer;

/// A pattern, understood.
#[derive(Clone, Debug)]
enum Form {
    All,
    Starts(Vec<char>),
    Is(Vec<char>),
}

fn lower(text: &str) -> Vec<char> {
    text.chars()
        .map(|character| match character {
            'A'..='Z' => char::from(character as u8 + 32),
            other => other,
        })
        .collect()
}

/// ECMAScript's trim, from its list of code points.
pub fn strip(text: &str) -> String {
    let space = |character: &char| {
        [
            0x9, 0xA, 0xB, 0xC, 0xD, 0x20, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
            0xFEFF,
        ]
        .contains(&u32::from(*character))
            || (0x2000..=0x200A).contains(&u32::from(*character))
    };
    let characters: Vec<char> = text.chars().collect();
    let Some(first) = characters.iter().position(|character| !space(character)) else {
        return String::new();
    };
    let last = characters
        .iter()
        .rposition(|character| !space(character))
        .unwrap();
    characters[first..=last].iter().collect()
}

/// Reads a stored pattern; `None` if it is none.
fn form(text: &str) -> Option<Form> {
    const LEGAL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-";
    let mut stem = lower(&strip(text));
    let star = stem.last() == Some(&'*');
    if star {
        stem.pop();
    }
    if !stem.iter().all(|character| LEGAL.contains(*character)) || stem.len() > 120 {
        return None;
    }
    match (star, stem.is_empty()) {
        (true, true) => Some(Form::All),
        (true, false) => Some(Form::Starts(stem)),
        (false, true) => None,
        (false, false) => Some(Form::Is(stem)),
    }
}

/// Whether a text is a legal pattern as it stands.
pub fn is_legal(text: &str) -> bool {
    strip(text) == text && form(text).is_some()
}

/// Whether a legal stored pattern matches a name, or covers the text of another pattern.
pub fn hits(pattern: &str, text: &str) -> bool {
    let text = lower(&strip(text));
    match form(pattern) {
        _ if text.is_empty() => false,
        None => false,
        Some(Form::All) => true,
        Some(Form::Starts(stem)) => {
            text.len() >= stem.len() && (0..stem.len()).all(|at| text[at] == stem[at])
        }
        Some(Form::Is(stem)) => text == stem,
    }
}

/// A stored list as it counts: `None` is inherit.
pub fn clean(list: Option<&Vec<String>>) -> Option<Vec<String>> {
    let list = list?;
    if list.is_empty() {
        return Some(Vec::new());
    }
    let mut kept: Vec<String> = Vec::new();
    for item in list {
        if form(item).is_some() && !kept.contains(&strip(item)) {
            kept.push(strip(item));
        }
    }
    if kept.is_empty() { None } else { Some(kept) }
}

/// Layers from tenant to agent.
pub fn sorted(layers: &[Layer]) -> Vec<Layer> {
    [
        Scope::Tenant,
        Scope::Organization,
        Scope::Work,
        Scope::Agent,
    ]
    .iter()
    .flat_map(|scope| layers.iter().filter(move |layer| layer.scope == *scope))
    .cloned()
    .collect()
}

fn list_of(layer: &Layer, list: fn(&Grant) -> Option<&Vec<String>>) -> Option<Vec<String>> {
    clean(layer.grant.as_ref().and_then(list))
}

/// What the first `depth` of these sorted layers grant.
pub fn granted(layers: &[Layer], depth: usize) -> Vec<String> {
    let Some(layer) = depth.checked_sub(1).and_then(|last| layers.get(last)) else {
        return vec!["*".to_owned()];
    };
    let above = granted(layers, depth - 1);
    match list_of(layer, |grant| grant.allow.as_ref()) {
        None => above,
        Some(asked) => asked
            .into_iter()
            .filter(|pattern| above.iter().any(|outer| hits(outer, pattern)))
            .collect(),
    }
}

/// What one layer denies.
pub fn denied(layer: &Layer) -> Vec<String> {
    list_of(layer, |grant| grant.deny.as_ref()).unwrap_or_default()
}

/// Whether a layer declares an allow list.
pub fn declares(layer: &Layer) -> bool {
    list_of(layer, |grant| grant.allow.as_ref()).is_some()
}

fn any_hits(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| hits(pattern, name))
}

/// The verdict on a name: `None` is allowed.
pub fn refusal(layers: &[Layer], name: &str) -> Option<RefusalCode> {
    let layers = sorted(layers);
    if strip(name).is_empty() {
        Some(RefusalCode::ToolNameInvalid)
    } else if layers.iter().any(|layer| any_hits(&denied(layer), name)) {
        Some(RefusalCode::ToolDenied)
    } else if !any_hits(&granted(&layers, layers.len()), name) {
        Some(RefusalCode::ToolNotGranted)
    } else {
        None
    }
}

/// Who decided a refusal, by the walk of contract section 18: the place in the chain (1 is the
/// first of the sorted layers) and whether it denied.
pub fn decider(layers: &[Layer], name: &str) -> Option<(usize, bool)> {
    let layers = sorted(layers);
    (1..=layers.len()).find_map(|place| {
        let layer = &layers[place - 1];
        if any_hits(&denied(layer), name) {
            Some((place, true))
        } else if declares(layer) && !any_hits(&granted(&layers, place), name) {
            Some((place, false))
        } else {
            None
        }
    })
}
