//! Says what a pattern would match before anybody stores it: whether it is legal, and which of the
//! known tools it matches.

use contract::catalog::UNLISTED;
use contract::rules::pattern::{check_pattern, matches, trim};
use leptos::prelude::*;

use super::badge::{Badge, Tone};
use super::icon::Icon;
use super::words::with_code;

/// How many matching tools are listed.
const LISTED: usize = 60;

/// The verdict on a typed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// Nothing was typed yet.
    Nothing,
    /// It is not a pattern.
    Illegal(String),
    /// What it matches, of how many tools.
    Legal { matching: Vec<String>, of: usize },
}

/// The tools grants apply to: the ones listed, and those that only runs assemble.
pub fn with_unlisted(tools: &[String]) -> Vec<String> {
    let missing = UNLISTED
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !tools.iter().any(|tool| tool.eq_ignore_ascii_case(name)))
        .map(str::to_owned);
    tools.iter().cloned().chain(missing).collect()
}

fn judge(text: &str, tools: &[String]) -> Verdict {
    let pattern = trim(text);
    if pattern.is_empty() {
        return Verdict::Nothing;
    }
    if let Err(error) = check_pattern(pattern) {
        return Verdict::Illegal(error.sentence());
    }
    Verdict::Legal {
        matching: tools
            .iter()
            .filter(|tool| matches(pattern, tool))
            .cloned()
            .collect(),
        of: tools.len(),
    }
}

/// A field for a pattern, and what it matches.
#[component]
pub fn PatternTester(
    /// The tools that are listed.
    #[prop(into)]
    tools: Signal<Vec<String>>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let all = Memo::new(move |_| tools.with(|tools| with_unlisted(tools)));
    let verdict = Memo::new(move |_| text.with(|text| all.with(|all| judge(text, all))));
    let is_illegal = move || verdict.with(|verdict| matches!(verdict, Verdict::Illegal(_)));
    view! {
        <div class="tester">
            <label for="pattern-test">"Pattern to test"</label>
            <input
                id="pattern-test"
                class="input mono"
                type="text"
                dir="ltr"
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                aria-describedby="pattern-test-verdict"
                aria-invalid=move || is_illegal().then_some("true")
                prop:value=text
                on:input:target=move |event| text.set(event.target().value())
            />
            <div id="pattern-test-verdict" role="status">
                {move || verdict.with(draw)}
            </div>
        </div>
    }
}

fn draw(verdict: &Verdict) -> AnyView {
    match verdict {
        Verdict::Nothing => view! {
            <p class="hint">
                "Write "<code>"*"</code>", "<code>"prefix*"</code>" or an exact name. Upper and lower case are the same."
            </p>
        }
        .into_any(),
        Verdict::Illegal(why) => {
            view! { <p class="wrong">{with_code(why)}</p> }.into_any()
        }
        Verdict::Legal { matching, of } => {
            let more = matching.len().saturating_sub(LISTED);
            let rows = matching
                .iter()
                .take(LISTED)
                .map(|tool| {
                    let unlisted = UNLISTED.iter().any(|(name, _)| name == tool);
                    let tool = tool.clone();
                    view! {
                        <li>
                            <code dir="ltr"><bdi>{tool}</bdi></code>
                            {unlisted.then(|| view! { <Badge tone=Tone::Info icon=Icon::Info text="Run time only" /> })}
                        </li>
                    }
                })
                .collect_view();
            let words = match matching.len() {
                0 => "Matches no known tool now. It may still match tools of servers that are connected later.".to_owned(),
                count => format!("Matches {count} of {of} known tools"),
            };
            view! {
                <p>{words}</p>
                <ul class="matching">{rows}</ul>
                {(more > 0).then(|| view! { <p class="note">{format!("And {more} more")}</p> })}
            }
            .into_any()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn matching(text: &str, names: &[&str]) -> Vec<String> {
        match judge(text, &tools(names)) {
            Verdict::Legal { matching, .. } => matching,
            other => vec![format!("{other:?}")],
        }
    }

    #[test]
    fn prefixes_and_case_are_judged_as_the_server_does() {
        let names = ["mcp__linear__list_issues", "mcp__linear__get", "git_commit"];
        assert_eq!(
            matching("mcp__linear__list_*", &names),
            ["mcp__linear__list_issues"]
        );
        assert_eq!(matching("GIT_*", &names), ["git_commit"]);
        assert!(matching("git_", &names).is_empty());
        assert_eq!(matching(" * ", &names).len(), 3);
    }

    #[test]
    fn tools_of_runs_alone_are_known_too() {
        let all = with_unlisted(&tools(&["ASK_HUMAN", "git_commit"]));
        assert_eq!(
            all.iter()
                .filter(|name| name.eq_ignore_ascii_case("ask_human"))
                .count(),
            1
        );
        assert!(all.contains(&"delegateToAgent".to_owned()));
    }

    #[test]
    fn an_illegal_pattern_is_explained() {
        assert!(matches!(judge("git_?", &[]), Verdict::Illegal(_)));
        assert_eq!(judge("  ", &[]), Verdict::Nothing);
    }
}
