//! The fields of the form, with the verdicts of the hosts beside them.

use contract::requests::skills::{BODY_MAX, DESCRIPTION_MAX};
use contract::rules::skills::file::skill_file;
use contract::skill_lint::SkillLintRequest;
use leptos::prelude::*;
use serde_json::{Map, Value};

use super::draft::{Wrong, over_by, slug_of};
use super::state::{FIELD, Form};
use crate::browser::field;
use crate::components::badge::{Badge, Tone};
use crate::components::form::{SendButton, SendForm, TextField};
use crate::components::icon::{Glyph, Icon};
use crate::components::words::revealed;
use crate::pages::skill::content::grouped;
use crate::pages::skill::lint::{LintPanel, lint_of};
use crate::reactive::effect;

/// The fields and the verdicts beside them.
#[component]
pub fn Fields(
    /// The state.
    form: Form,
    /// The other fields of the frontmatter.
    head: Memo<Map<String, Value>>,
    /// Sends it.
    send: Callback<()>,
    /// Gives it up.
    cancel: Callback<()>,
    /// What sending is called.
    label: &'static str,
    /// What is told above the fields.
    #[prop(into)]
    notice: ViewFn,
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
    let bytes = Memo::new(move |_| form.instructions.with(String::len));
    let counter = move || {
        let characters = form.instructions.with(|text| text.chars().count());
        let bytes = bytes.get();
        if bytes > BODY_MAX {
            return over_by(bytes - BODY_MAX, "byte");
        }
        format!(
            "{} of {} bytes · {} characters",
            grouped(bytes),
            grouped(BODY_MAX),
            grouped(characters)
        )
    };
    let over = Memo::new(move |_| bytes.get() > BODY_MAX);
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
