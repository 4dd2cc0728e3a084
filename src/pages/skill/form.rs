//! Writing a skill: a new one, or a stored one anew. What is typed is measured and looked through
//! for secrets as the server will do it, and judged by the hosts while it is written.

use contract::rules::secrets::{Finding, scan};
use contract::rules::skills::file::skill_file;
use contract::skill_lint::SkillLintRequest;
use contract::skills::{
    DESCRIPTION_MAX, INSTRUCTIONS_MAX, SLUG_MAX, Skill, SkillCreate, SkillPatch, SkillScope,
    TITLE_MAX, VERSION_MAX, is_slug,
};
use leptos::prelude::*;
use serde_json::{Map, Value};

use super::content::grouped;
use super::installed::head_of;
use super::lint::{LintPanel, lint_of};
use crate::api::{self, ApiError};
use crate::browser::timer::Timer;
use crate::browser::{self, field};
use crate::components::announce::use_announcer;
use crate::components::badge::{Badge, Tone};
use crate::components::form::{SendButton, SendForm, TextField, focus_wrong};
use crate::components::icon::{Glyph, Icon};
use crate::components::leave::{Save, Unsaved, use_leave};
use crate::components::words::revealed;
use crate::drafts::{Kept, Mirror, Place};
use crate::pages::settings::use_frame;
use crate::reactive::{effect, spawn};
use crate::route::{Route, SettingsPage};
use crate::session::{Account, use_session};

/// The id of the field of the instructions.
const FIELD: &str = "skill-instructions";
/// How long after the last change a text is looked through for secrets, in milliseconds.
const WAIT: u64 = 200;

/// What is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Draft {
    title: String,
    slug: String,
    description: String,
    version: String,
    instructions: String,
}

impl Draft {
    fn of(skill: &Skill) -> Self {
        Self {
            title: skill.title.clone(),
            slug: skill.slug.clone(),
            description: skill.description.clone(),
            version: skill.version.clone(),
            instructions: skill.instructions_md.clone(),
        }
    }

    fn empty() -> Self {
        Self {
            version: "1.0.0".to_owned(),
            ..Self::default()
        }
    }
}

/// What is wrong, by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Wrong {
    title: Option<String>,
    slug: Option<String>,
    description: Option<String>,
    version: Option<String>,
    instructions: Option<String>,
    other: Option<String>,
}

impl Wrong {
    fn of(error: &ApiError) -> Self {
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

fn over_by(count: usize) -> String {
    if count == 1 {
        "1 character over.".to_owned()
    } else {
        format!("{} characters over.", grouped(count))
    }
}

/// What keeps a draft from being stored.
fn problems(draft: &Draft, is_new: bool) -> Wrong {
    let within = |text: &str, max: usize, what: &str| {
        let length = text.chars().count();
        if text.trim().is_empty() {
            Some(format!("Type {what}."))
        } else if length > max {
            Some(over_by(length - max))
        } else {
            None
        }
    };
    let over = draft
        .instructions
        .chars()
        .count()
        .saturating_sub(INSTRUCTIONS_MAX);
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
        instructions: (over > 0).then(|| over_by(over)),
        other: None,
    }
}

/// The slug a title gives where none is typed, near enough for a preview.
fn slug_of(title: &str) -> String {
    let words: Vec<String> = title
        .to_lowercase()
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.join("-").chars().take(SLUG_MAX).collect()
}

/// The form's state.
#[derive(Clone, Copy)]
struct Form {
    title: RwSignal<String>,
    slug: RwSignal<String>,
    description: RwSignal<String>,
    version: RwSignal<String>,
    instructions: RwSignal<String>,
    base: RwSignal<Draft>,
    wrong: RwSignal<Wrong>,
    finding: RwSignal<Option<Finding>>,
    busy: RwSignal<bool>,
    restored: RwSignal<bool>,
    is_new: bool,
}

impl Form {
    fn start(base: Draft, is_new: bool, place: Place) -> Self {
        let form = Self {
            title: RwSignal::new(base.title.clone()),
            slug: RwSignal::new(base.slug.clone()),
            description: RwSignal::new(base.description.clone()),
            version: RwSignal::new(base.version.clone()),
            instructions: RwSignal::new(base.instructions.clone()),
            base: RwSignal::new(base),
            wrong: RwSignal::new(Wrong::default()),
            finding: RwSignal::new(None),
            busy: RwSignal::new(false),
            restored: RwSignal::new(false),
            is_new,
        };
        if let Some(kept) = place.read()
            && kept.text != form.instructions.get_untracked()
        {
            form.instructions.set(kept.text);
            form.restored.set(true);
        }
        let mirror = Mirror::new(move || {
            let Some(text) = form.instructions.try_get_untracked() else {
                return;
            };
            let base = form.base.with_untracked(|base| base.instructions.clone());
            if text == base {
                place.forget();
            } else {
                place.write(&Kept {
                    text,
                    base: Some(base),
                });
            }
        });
        let timer = Timer::new();
        let first = StoredValue::new(true);
        effect(move || {
            form.instructions.track();
            if !first.get_value() {
                mirror.touch();
            }
            first.set_value(false);
            timer.start(WAIT, move || {
                let found = form
                    .instructions
                    .with_untracked(|text| scan(text, &browser::nfkc));
                form.finding.try_set(found);
            });
        });
        form
    }

    fn draft(self) -> Draft {
        Draft {
            title: self.title.get(),
            slug: self.slug.get(),
            description: self.description.get(),
            version: self.version.get(),
            instructions: self.instructions.get(),
        }
    }

    fn put(self, draft: &Draft) {
        self.title.set(draft.title.clone());
        self.slug.set(draft.slug.clone());
        self.description.set(draft.description.clone());
        self.version.set(draft.version.clone());
        self.instructions.set(draft.instructions.clone());
    }

    /// Whether it can be sent; what is wrong is shown.
    fn check(self) -> bool {
        let wrong = untrack(move || problems(&self.draft(), self.is_new));
        let found = self
            .instructions
            .with_untracked(|text| scan(text, &browser::nfkc));
        let is_fine = wrong == Wrong::default() && found.is_none();
        self.wrong.set(wrong);
        self.finding.set(found);
        is_fine
    }
}

/// The fields and the verdicts beside them.
#[component]
fn Fields(
    form: Form,
    /// The other fields of the frontmatter.
    head: Memo<Map<String, Value>>,
    send: Callback<()>,
    cancel: Callback<()>,
    label: &'static str,
    #[prop(into)] notice: ViewFn,
) -> impl IntoView {
    let dirty = Memo::new(move |_| form.draft() != form.base.get());
    let name = Memo::new(move |_| {
        let slug = form.slug.get();
        if slug.is_empty() {
            form.title.with(|title| slug_of(title))
        } else {
            slug
        }
    });
    let file = Memo::new(move |_| {
        let mut fields = head.get();
        fields.insert("description".to_owned(), form.description.get().into());
        fields.entry("name").or_insert_with(|| name.get().into());
        let directory = fields
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        SkillLintRequest {
            text: form.instructions.with(|text| skill_file(&fields, text)),
            directory,
        }
    });
    let lint = lint_of(file);
    let directory = Memo::new(move |_| file.with(|file| file.directory.clone()));
    let problem = move |pick: fn(&Wrong) -> &Option<String>| {
        Signal::derive(move || form.wrong.with(|wrong| pick(wrong).clone()))
    };
    let slug_hint = Signal::derive(move || {
        if !form.is_new {
            "It stays as it is.".to_owned()
        } else if form.slug.with(String::is_empty) {
            format!("Left empty, it is made from the title: {}", name.get())
        } else {
            String::new()
        }
    });
    let description_hint = Signal::derive(move || {
        let length = form.description.with(|text| text.chars().count());
        format!(
            "What it is for and when to use it. {} of {} characters",
            grouped(length),
            grouped(DESCRIPTION_MAX)
        )
    });
    view! {
        <div class="skill-columns">
            <section class="panel skill-form" aria-label="Skill">
                {move || notice.run()}
                <SendForm busy=form.busy on_send=send>
                    <TextField id="skill-title-field" label="Title" value=form.title problem=problem(|wrong| &wrong.title) />
                    <div class="form-pair">
                        {if form.is_new {
                            view! { <TextField id="skill-slug" label="Slug" value=form.slug problem=problem(|wrong| &wrong.slug) hint=slug_hint /> }.into_any()
                        } else {
                            view! {
                                <div class="form-field">
                                    <span class="label">"Slug"</span>
                                    <bdi class="mono" dir="ltr">{form.slug.get_untracked()}</bdi>
                                    <p class="hint">{slug_hint}</p>
                                </div>
                            }
                            .into_any()
                        }}
                        <TextField id="skill-version" label="Version" value=form.version problem=problem(|wrong| &wrong.version) />
                    </div>
                    <TextField id="skill-description" label="Description" value=form.description problem=problem(|wrong| &wrong.description) hint=description_hint />
                    <Instructions form=form />
                    {move || form.wrong.with(|wrong| wrong.other.clone()).map(|said| view! {
                        <div class="notice deny" role="group" aria-label="Problem">
                            <Glyph icon=Icon::Warning />
                            <p><strong>"Not saved."</strong>" "<bdi>{revealed(&said)}</bdi></p>
                        </div>
                    })}
                    <div class="form-actions">
                        <SendButton label=label busy_label="Saving…" busy=form.busy />
                        <button type="button" class="btn" on:click=move |_| cancel.run(())>"Cancel"</button>
                        {move || dirty.get().then(|| view! { <Badge tone=Tone::Info icon=Icon::Pencil text="Unsaved" /> })}
                    </div>
                </SendForm>
            </section>
            <div class="stack">
                <LintPanel lint=lint directory=directory lead="As a `SKILL.md` file, in a directory of its name, this text would be:" />
            </div>
        </div>
    }
}

/// The text with its size and what looks like a secret in it.
#[component]
fn Instructions(form: Form) -> impl IntoView {
    let area = NodeRef::<leptos::html::Textarea>::new();
    // Written only on purpose, so that caret and undo survive everything else.
    effect(move || {
        let text = form.instructions.get();
        if let Some(area) = area.get() {
            field::replace(&area, &text);
        }
    });
    let length = Memo::new(move |_| form.instructions.with(|text| text.chars().count()));
    let counter = move || {
        let bytes = form.instructions.with(String::len);
        format!(
            "{} of {} characters · {} bytes",
            grouped(length.get()),
            grouped(INSTRUCTIONS_MAX),
            grouped(bytes)
        )
    };
    let over = Memo::new(move |_| length.get() > INSTRUCTIONS_MAX);
    let wrong = Memo::new(move |_| {
        over.get()
            || form.finding.with(Option::is_some)
            || form.wrong.with(|wrong| wrong.instructions.is_some())
    });
    let select = move |_| {
        let Some(found) = form.finding.get_untracked() else {
            return;
        };
        if let Some(area) = area.get_untracked() {
            let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let lines = form
                .instructions
                .with_untracked(|text| text.matches('\n').count() + 1);
            field::select(
                &area,
                place(found.utf16.start),
                place(found.utf16.end),
                place(found.line.saturating_sub(1)),
                place(lines),
            );
        }
    };
    view! {
        <div class="form-field">
            <label for=FIELD>"Instructions"</label>
            <textarea
                id=FIELD
                class="instructions"
                dir="ltr"
                rows="18"
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                node_ref=area
                aria-invalid=move || wrong.get().then_some("true")
                aria-describedby="skill-instructions-size skill-instructions-wrong"
                on:input=move |_| if let Some(area) = area.get_untracked() {
                    form.instructions.set(field::text(&area));
                }
            ></textarea>
            <p class="hint counter" id="skill-instructions-size" class:over=over>{counter}</p>
            <div id="skill-instructions-wrong">
                {move || form.finding.get().map(|found| view! {
                    <div class="notice deny" role="group" aria-label="Looks like a secret">
                        <Glyph icon=Icon::KeyOff />
                        <p>{found.sentence()}</p>
                        <div class="actions">
                            <button type="button" class="btn" on:click=select>{format!("Select it in line {}", found.line)}</button>
                        </div>
                    </div>
                })}
                {move || form.wrong.with(|wrong| wrong.instructions.clone()).map(|said| view! { <p class="wrong"><bdi>{revealed(&said)}</bdi></p> })}
            </div>
        </div>
    }
}

/// Asks before what is typed is left behind.
fn guard(form: Form, what: &str, save: Save, place: Place) {
    let dirty = Signal::derive(move || form.draft() != form.base.get());
    use_frame().mark(dirty);
    use_leave().guard(Unsaved {
        what: what.to_owned(),
        dirty,
        blocked: Signal::derive(move || {
            let wrong = problems(&form.draft(), form.is_new);
            let found = form.finding.get().map(|found| found.sentence());
            [
                wrong.title,
                wrong.slug,
                wrong.description,
                wrong.version,
                wrong.instructions,
                found,
            ]
            .into_iter()
            .flatten()
            .next()
        }),
        save,
        discard: std::rc::Rc::new(move || {
            let base = form.base.get_untracked();
            form.put(&base);
            place.forget();
        }),
    });
}

/// What is said about a draft that outlived its page.
fn restored(form: Form) -> AnyView {
    (move || {
        form.restored.get().then(|| view! {
            <div class="notice" role="group" aria-label="Draft">
                <Glyph icon=Icon::Pencil />
                <p><strong>"Unsaved draft"</strong>" · The instructions you typed before this page was reloaded are back."</p>
                <div class="actions">
                    <button type="button" class="btn" on:click=move |_| {
                        let base = form.base.get_untracked();
                        form.instructions.set(base.instructions);
                        form.restored.set(false);
                        browser::focus(FIELD);
                    }>"Discard draft"</button>
                </div>
            </div>
        })
    })
    .into_any()
}

/// The page that makes a skill.
#[component]
pub fn NewSkillPage() -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let leave = use_leave();
    use_frame().show(Signal::derive(|| "New skill".to_owned()));
    let place = Place::new("skill.new", "instructions");
    let form = Form::start(Draft::empty(), true, place.clone());
    let store = move || async move {
        if !form.check() {
            announcer.alert("Not sent. Something is missing or too long.");
            focus_wrong();
            return None;
        }
        let owner = session.account().with_untracked(|account| match account {
            Account::In(session) | Account::Expired(session) => Some(session.user.id.0.clone()),
            Account::Unknown | Account::Failed(_) | Account::Out => None,
        });
        let draft = untrack(move || form.draft());
        let request = SkillCreate {
            owner_type: SkillScope::Tenant,
            owner_id: owner.unwrap_or_default(),
            title: draft.title.trim().to_owned(),
            description: draft.description.trim().to_owned(),
            instructions_md: draft.instructions.clone(),
            frontmatter: None,
            slug: (!draft.slug.is_empty()).then(|| draft.slug.clone()),
            version: Some(draft.version.trim().to_owned()),
            invocation_slug: None,
        };
        form.busy.set(true);
        let answer = session.watch(api::skills::create(&session.client(), &request).await);
        form.busy.try_set(false);
        match answer {
            Ok(skill) => {
                // Nothing is unsaved any more, so that leaving asks nothing.
                form.base.try_set(draft);
                announcer.toast(format!("{} saved", revealed(&skill.title)), None);
                Some(skill)
            }
            Err(error) => {
                announcer.alert(format!("Not saved. {}", error.sentence()));
                form.wrong.try_set(Wrong::of(&error));
                focus_wrong();
                None
            }
        }
    };
    let done = place.clone();
    let send = Callback::new(move |()| {
        let place = done.clone();
        spawn(async move {
            if let Some(skill) = store().await {
                place.forget();
                leave.go(&Route::installed_skill(&skill.id));
            }
        });
    });
    let save: Save = std::rc::Rc::new(move || Box::pin(async move { store().await.is_some() }));
    guard(form, "the new skill", save, place);
    let head = Memo::new(|_| Map::new());
    view! {
        <div class="page">
            <header class="panel skill-head">
                <div class="identity">
                    <p class="crumb"><a href=Route::Settings(SettingsPage::Skills).href()>"Skills"</a>" › New"</p>
                    <h2 id="skill-title" tabindex="-1">"New skill"</h2>
                    <p class="skill-lead">"It belongs to the workspace. Agents find it once it is bound to them or to a scope above them."</p>
                </div>
            </header>
            <Fields
                form=form
                head=head
                send=send
                cancel=Callback::new(move |()| leave.go(&Route::Settings(SettingsPage::Skills)))
                label="Save skill"
                notice=move || restored(form)
            />
        </div>
    }
}

/// The form over a stored skill.
#[component]
pub fn EditSkill(
    /// The skill as it is stored.
    skill: Memo<Skill>,
    /// Closes the form when it becomes false.
    editing: RwSignal<bool>,
) -> impl IntoView {
    let session = use_session();
    let announcer = use_announcer();
    let id = skill.with_untracked(|skill| skill.id.clone());
    let place = Place::new(&format!("skill.{id}"), "instructions");
    let form = Form::start(skill.with_untracked(Draft::of), false, place.clone());
    // What is stored may change under the form: fields that were not touched follow.
    let elsewhere = RwSignal::new(false);
    effect(move || {
        let stored = skill.with(Draft::of);
        let base = form.base.get_untracked();
        if stored == base {
            return;
        }
        if untrack(move || form.draft()) == base {
            form.put(&stored);
        } else if untrack(move || form.draft()) != stored && !form.busy.get_untracked() {
            elsewhere.set(true);
        }
        form.base.set(stored);
    });
    let close = move || {
        editing.set(false);
        request_animation_frame(|| {
            browser::focus("edit-skill");
        });
    };
    let done = place.clone();
    let store = StoredValue::new_local(std::rc::Rc::new(move || {
        let place = done.clone();
        async move {
            if !form.check() {
                announcer.alert("Not sent. Something is missing or too long.");
                focus_wrong();
                return false;
            }
            let (draft, base) = untrack(move || (form.draft(), form.base.get()));
            let Some(stored) = skill.try_get_untracked() else {
                return false;
            };
            let changed = |new: &str, old: &str| (new != old).then(|| new.to_owned());
            let description = changed(&draft.description, &base.description);
            let patch = SkillPatch {
                title: changed(&draft.title, &base.title),
                frontmatter: description
                    .as_ref()
                    .filter(|_| stored.frontmatter.contains_key("description"))
                    .map(|text| {
                        let mut fields = stored.frontmatter.clone();
                        fields.insert("description".to_owned(), text.clone().into());
                        fields
                    }),
                description,
                instructions_md: changed(&draft.instructions, &base.instructions),
                version: changed(&draft.version, &base.version),
                invocation_slug: None,
            };
            form.busy.set(true);
            let answer =
                session.watch(api::skills::patch(&session.client(), &stored.id, &patch).await);
            form.busy.try_set(false);
            match answer {
                Ok(saved) => {
                    form.base.try_set(draft);
                    place.forget();
                    announcer.toast(format!("{} saved", revealed(&saved.title)), None);
                    true
                }
                Err(error) => {
                    announcer.alert(format!("Not saved. {}", error.sentence()));
                    form.wrong.try_set(Wrong::of(&error));
                    focus_wrong();
                    false
                }
            }
        }
    }));
    let send = Callback::new(move |()| {
        let stored = store.with_value(|store| store());
        spawn(async move {
            if stored.await {
                close();
            }
        });
    });
    let save: Save = std::rc::Rc::new(move || Box::pin(store.with_value(|store| store())));
    guard(form, "the skill", save, place.clone());
    let head = Memo::new(move |_| skill.with(head_of));
    let cancel = Callback::new(move |()| {
        place.forget();
        let base = form.base.get_untracked();
        form.put(&base);
        close();
    });
    let notice = move || {
        view! {
            {restored(form)}
            {move || elsewhere.get().then(|| view! {
                <div class="notice warn" role="group" aria-label="Changed elsewhere">
                    <Glyph icon=Icon::Warning />
                    <p><strong>"Changed elsewhere"</strong>" · Somebody stored another version meanwhile. What you typed is kept; saving puts it on top."</p>
                    <div class="actions">
                        <button type="button" class="btn" on:click=move |_| {
                            form.put(&skill.with_untracked(Draft::of));
                            elsewhere.set(false);
                            browser::focus(FIELD);
                        }>"Take theirs"</button>
                        <button type="button" class="btn" on:click=move |_| {
                            elsewhere.set(false);
                            browser::focus(FIELD);
                        }>"Keep mine"</button>
                    </div>
                </div>
            })}
        }
        .into_any()
    };
    request_animation_frame(|| {
        browser::focus("skill-title-field");
    });
    view! { <Fields form=form head=head send=send cancel=cancel label="Save changes" notice=notice /> }
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
            instructions: "x".repeat(INSTRUCTIONS_MAX),
        };
        assert_eq!(problems(&draft, true), Wrong::default());
        let bad = Draft {
            title: " ".to_owned(),
            slug: "A B".to_owned(),
            description: "d".repeat(DESCRIPTION_MAX + 1),
            version: String::new(),
            instructions: "é".repeat(INSTRUCTIONS_MAX + 2),
        };
        let wrong = problems(&bad, true);
        assert!(wrong.title.is_some() && wrong.slug.is_some() && wrong.version.is_some());
        assert_eq!(wrong.description.as_deref(), Some("1 character over."));
        assert_eq!(wrong.instructions.as_deref(), Some("2 characters over."));
        assert_eq!(problems(&bad, false).slug, None);
    }

    #[test]
    fn a_title_gives_a_slug() {
        assert_eq!(slug_of("Code Review (team)"), "code-review-team");
        assert_eq!(slug_of("…"), "");
    }
}
