//! A list of tool patterns that can be edited: one or many are typed or pasted, each can be
//! removed, and what is not legal stays in the field with the reason.

use contract::grants::PATTERNS_MAX;
use contract::rules::edit::parse_patterns;
use contract::rules::pattern::{LEGAL_FORMS, PatternError, check_pattern, matches};
use leptos::html;
use leptos::prelude::*;

use super::announce::use_announcer;
use super::badge::{Badge, Tone};
use super::each::Each;
use super::icon::{Glyph, Icon};
use super::words::with_code;
use crate::browser;

/// How many refused patterns are explained one by one.
const EXPLAINED: usize = 5;

/// What came of a text of patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// The list afterwards.
    pub list: Vec<String>,
    /// How many were added.
    pub added: usize,
    /// Patterns the list held already, in this or another spelling of case.
    pub repeated: Vec<String>,
    /// Patterns that are not legal, with the reason.
    pub refused: Vec<(String, String)>,
    /// Why nothing was added at all.
    pub whole: Option<String>,
}

/// Adds what `text` holds to `list`. Legal patterns are taken, the others stay behind; a text that
/// would make the list too long is refused whole.
pub fn enter(list: &[String], text: &str) -> Entered {
    let mut entered = Entered {
        list: list.to_vec(),
        ..Entered::default()
    };
    let typed = parse_patterns(text);
    if typed.is_empty() {
        entered.whole = check_pattern("").err().map(PatternError::sentence);
        return entered;
    }
    let count = typed.len();
    for (_, pattern, verdict) in typed {
        if let Err(error) = verdict {
            entered.refused.push((pattern, error.reason()));
        } else if entered
            .list
            .iter()
            .any(|present| present.eq_ignore_ascii_case(&pattern))
        {
            entered.repeated.push(pattern);
        } else if entered.list.len() >= PATTERNS_MAX {
            return Entered {
                list: list.to_vec(),
                whole: Some(too_many(list.len(), count)),
                ..Entered::default()
            };
        } else {
            entered.list.push(pattern);
            entered.added += 1;
        }
    }
    entered
}

fn too_many(present: usize, given: usize) -> String {
    let more = match given {
        1 => "1 more does not fit".to_owned(),
        many => format!("{many} more do not fit"),
    };
    format!(
        "A list holds at most {PATTERNS_MAX} patterns. It has {present}; {more}. Nothing was added."
    )
}

/// Where a pattern list stands, for the ids of its parts and the words of its buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListName {
    /// Begins every id.
    pub id: &'static str,
    /// The list in a sentence, such as "the deny list".
    pub words: &'static str,
}

/// The editor of one list. See the module.
#[component]
pub fn PatternList(
    /// Which list it is.
    name: ListName,
    /// The patterns, edited in place.
    patterns: RwSignal<Vec<String>>,
    /// Tools that are known, to count what a pattern matches; `None` when they could not be read.
    #[prop(into)]
    known: Signal<Option<Vec<String>>>,
    /// Patterns that no scope above grants.
    #[prop(into)]
    rejected: Signal<Vec<String>>,
) -> impl IntoView {
    let announcer = use_announcer();
    let field = NodeRef::<html::Textarea>::new();
    let outcome = RwSignal::new(Entered::default());
    let field_id = format!("{}-add", name.id);
    let outcome_id = format!("{}-outcome", name.id);
    let hint_id = format!("{}-hint", name.id);
    let described = format!("{hint_id} {outcome_id}");
    let is_wrong =
        move || outcome.with(|outcome| outcome.whole.is_some() || !outcome.refused.is_empty());
    let add = move || {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let entered = enter(&patterns.get_untracked(), &field.value());
        if entered.whole.is_none() {
            let rest: Vec<&str> = entered
                .refused
                .iter()
                .map(|(pattern, _)| pattern.as_str())
                .collect();
            browser::field::replace(&field, &rest.join(", "));
        }
        let words = outcome_words(&entered);
        if entered.whole.is_some() || !entered.refused.is_empty() {
            announcer.alert(words);
        } else {
            announcer.say(words);
        }
        if entered.added > 0 {
            patterns.set(entered.list.clone());
        }
        outcome.set(entered);
    };
    let remove = move |pattern: String| {
        let neighbour = patterns.with_untracked(|patterns| {
            let place = patterns.iter().position(|present| *present == pattern)?;
            patterns
                .get(place + 1)
                .or_else(|| patterns.get(place.checked_sub(1)?))
                .cloned()
        });
        let target = match neighbour {
            Some(neighbour) => row_id(name, &neighbour),
            None => format!("{}-add", name.id),
        };
        browser::focus(&target);
        patterns.update(|patterns| patterns.retain(|present| *present != pattern));
        announcer.say(format!("{pattern} removed from {}", name.words));
    };
    let row = move |pattern: String| {
        view! { <PatternRow name=name pattern=pattern known=known rejected=rejected on_remove=Callback::new(remove) /> }
    };
    view! {
        <div class="patterns">
            <ul aria-label=format!("Patterns of {}", name.words)>
                <Each each=move || patterns.get() key=Clone::clone children=row />
            </ul>
            <div class="patterns-add">
                <label for=field_id.clone()>{format!("Add to {}", name.words)}</label>
                <div class="patterns-entry">
                    <textarea
                        id=field_id.clone()
                        class="mono"
                        rows="1"
                        dir="ltr"
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        node_ref=field
                        aria-invalid=move || is_wrong().then_some("true")
                        aria-describedby=described
                        on:keydown=move |event| {
                            if event.key() == "Enter" && !event.shift_key() && !event.is_composing() {
                                event.prevent_default();
                                add();
                            }
                        }
                    ></textarea>
                    <button type="button" class="btn" on:click=move |_| add()>"Add"</button>
                    <span class="note count">
                        {move || patterns.with(|patterns| format!("{} of {PATTERNS_MAX}", patterns.len()))}
                    </span>
                </div>
                <p class="hint" id=hint_id>
                    "One pattern, or many separated by commas or lines: "<code>"*"</code>", "<code>"prefix*"</code>" or an exact name."
                </p>
                <div id=outcome_id>{move || outcome.with(draw_outcome)}</div>
            </div>
        </div>
    }
}

fn row_id(name: ListName, pattern: &str) -> String {
    format!("{}-remove-{pattern}", name.id)
}

fn outcome_words(entered: &Entered) -> String {
    if let Some(whole) = &entered.whole {
        return whole.clone();
    }
    let mut words = vec![match entered.added {
        0 => "Nothing added".to_owned(),
        1 => "1 pattern added".to_owned(),
        many => format!("{many} patterns added"),
    }];
    if !entered.repeated.is_empty() {
        words.push(format!("Listed already: {}", entered.repeated.join(", ")));
    }
    if let Some((pattern, why)) = entered.refused.first() {
        words.push(format!("{} refused", entered.refused.len()));
        words.push(format!("{}: {why} {LEGAL_FORMS}", visible(pattern)));
    }
    words.join(". ")
}

fn draw_outcome(entered: &Entered) -> impl IntoView + use<> {
    let refused = entered
        .refused
        .iter()
        .take(EXPLAINED)
        .map(|(pattern, why)| {
            let (pattern, why) = (visible(pattern), why.clone());
            view! { <p class="wrong"><code dir="ltr">{pattern}</code>" "{with_code(&why)}</p> }
        })
        .collect_view();
    let more = entered.refused.len().saturating_sub(EXPLAINED);
    let repeated = (!entered.repeated.is_empty())
        .then(|| format!("Listed already: {}", entered.repeated.join(", ")));
    view! {
        {entered.whole.as_deref().map(|whole| view! { <p class="wrong">{with_code(whole)}</p> })}
        {refused}
        {(more > 0).then(|| view! { <p class="wrong">{format!("And {more} more that are not legal.")}</p> })}
        {(!entered.refused.is_empty()).then(|| view! { <p class="wrong">{with_code(LEGAL_FORMS)}</p> })}
        {repeated.map(|words| view! { <p class="hint">{words}</p> })}
    }
}

/// A text with its control characters written out, shortened where it is very long.
fn visible(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// What one pattern comes to among the tools that are known.
fn match_words(pattern: &str, known: &[String]) -> (usize, String) {
    let count = known.iter().filter(|tool| matches(pattern, tool)).count();
    let words = match count {
        0 => "Matches no known tool now".to_owned(),
        1 => "1 tool".to_owned(),
        many => format!("{many} tools"),
    };
    (count, words)
}

#[component]
fn PatternRow(
    name: ListName,
    pattern: String,
    known: Signal<Option<Vec<String>>>,
    rejected: Signal<Vec<String>>,
    on_remove: Callback<String>,
) -> impl IntoView {
    let counted = {
        let pattern = pattern.clone();
        Memo::new(move |_| {
            known.with(|known| known.as_ref().map(|known| match_words(&pattern, known)))
        })
    };
    let is_rejected = {
        let pattern = pattern.clone();
        Memo::new(move |_| rejected.with(|rejected| rejected.contains(&pattern)))
    };
    let fault = check_pattern(&pattern).err().map(|error| error.sentence());
    let id = row_id(name, &pattern);
    let label = format!("Remove {pattern} from {}", name.words);
    view! {
        <li>
            <code dir="ltr"><bdi>{pattern.clone()}</bdi></code>
            <span class="marks">
                {move || is_rejected.get().then(|| view! {
                    <Badge tone=Tone::Warn icon=Icon::Ban text="Rejected" />
                    <span class="note">"Never granted above, so it has no effect"</span>
                })}
                {fault.map(|fault| view! { <span class="wrong">{fault}</span> })}
                {move || counted.get().map(|(count, words)| view! {
                    <span class=if count == 0 { "note none" } else { "note" }>{words}</span>
                })}
            </span>
            <button
                type="button"
                class="btn quiet icon"
                id=id
                aria-label=label
                on:click=move |_| on_remove.run(pattern.clone())
            >
                <Glyph icon=Icon::Close />
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> Vec<String> {
        items.iter().map(|item| (*item).to_owned()).collect()
    }

    #[test]
    fn legal_patterns_are_taken_and_the_others_stay_behind() {
        let entered = enter(&list(&["git_*"]), "send*, mcp__*__get\ngit_?\n GIT_* ,a b");
        assert_eq!(entered.list, list(&["git_*", "send*"]));
        assert_eq!(entered.added, 1);
        assert_eq!(entered.repeated, list(&["GIT_*"]));
        let refused: Vec<&str> = entered
            .refused
            .iter()
            .map(|(text, _)| text.as_str())
            .collect();
        assert_eq!(refused, ["mcp__*__get", "git_?", "a b"]);
        assert!(outcome_words(&entered).contains("`prefix*`"));
    }

    #[test]
    fn the_limit_is_named_and_nothing_is_taken() {
        let full: Vec<String> = (0..PATTERNS_MAX).map(|n| format!("t{n}")).collect();
        let entered = enter(&full, "one_more");
        assert_eq!(entered.list, full);
        assert!(
            entered.whole.is_some_and(
                |why| why.contains("at most 200") && why.contains("1 more does not fit")
            )
        );
        assert_eq!(enter(&full, "t1").repeated, list(&["t1"]));
        let many: Vec<String> = (0..=PATTERNS_MAX).map(|n| format!("t{n}")).collect();
        assert!(enter(&[], &many.join("\n")).list.is_empty());
    }

    #[test]
    fn blank_text_names_the_three_forms() {
        for text in ["", " ", "\n,\n"] {
            assert!(
                enter(&[], text)
                    .whole
                    .is_some_and(|why| why.contains("exact name"))
            );
        }
    }

    #[test]
    fn very_long_and_invisible_text_is_shown_readably() {
        assert_eq!(visible("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(visible(&"x".repeat(500)).chars().count(), 61);
    }
}
