//! The fields of a connection, for registering one and for changing one.

use leptos::prelude::*;

use super::draft::{Draft, Kind, NAME_RULE, Wrong};
use super::headers::HeaderFields;
use crate::components::form::TextField;
use crate::components::icon::{Glyph, Icon};
use crate::session::use_session;

/// A text of the draft as a signal of its own, kept in step both ways.
fn text_of(
    draft: RwSignal<Draft>,
    read: fn(&Draft) -> &String,
    write: fn(&mut Draft) -> &mut String,
) -> RwSignal<String> {
    let text = RwSignal::new(draft.with_untracked(|draft| read(draft).clone()));
    crate::reactive::effect(move || {
        let now = draft.with(|draft| read(draft).clone());
        if text.with_untracked(|text| *text != now) {
            text.set(now);
        }
    });
    crate::reactive::follow(move |before: Option<()>| {
        let now = text.get();
        if before.is_some() && draft.with_untracked(|draft| *read(draft) != now) {
            draft.update(|draft| *write(draft) = now);
        }
    });
    text
}

/// The fields.
#[component]
pub fn ConnectionFields(
    /// What is typed.
    draft: RwSignal<Draft>,
    /// What is wrong; shown at its field.
    #[prop(into)]
    wrong: Signal<Wrong>,
    /// Names of the headers that are stored; none for a new connection.
    stored_headers: Memo<Vec<String>>,
    /// The command line that is stored, for a stdio connection.
    #[prop(into)]
    stored_command: Signal<Option<String>>,
    /// Whether it is registered already, so that the kind of process cannot change.
    is_stored: bool,
) -> impl IntoView {
    let session = use_session();
    let stdio_offered = Memo::new(move |_| {
        session.config().with(|config| {
            config
                .as_ref()
                .is_some_and(|config| config.features.stdio_mcp)
        })
    });
    let kind = Memo::new(move |_| draft.with(|draft| draft.transport));
    let is_stdio = Memo::new(move |_| kind.get() == Kind::Stdio);
    let name = text_of(draft, |draft| &draft.name, |draft| &mut draft.name);
    let url = text_of(draft, |draft| &draft.url, |draft| &mut draft.url);
    let of = move |part: fn(&Wrong) -> &Option<String>| {
        Signal::derive(move || wrong.with(|wrong| part(wrong).clone()))
    };
    let choices = move || {
        let mut all = Vec::new();
        if !is_stored || !is_stdio.get() {
            all.push((
                Kind::Http,
                "Streamable HTTP",
                "A server at an address. What most servers speak today.",
            ));
            all.push((Kind::Sse, "HTTP with SSE", "The older form. It can be registered; this control plane cannot open it and says so."));
        }
        if (!is_stored && stdio_offered.get()) || (is_stored && is_stdio.get()) {
            all.push((
                Kind::Stdio,
                "Command (stdio)",
                "A program that the control plane starts on its own machine.",
            ));
        }
        all
    };
    view! {
        <TextField
            id="connection-name"
            label="Name"
            hint=NAME_RULE
            value=name
            problem=of(|wrong| &wrong.name)
        />
        <fieldset class="choices">
            <legend>"Transport"</legend>
            {move || choices().into_iter().map(|(value, label, meaning)| view! {
                <label class="choice">
                    <input
                        type="radio"
                        name="connection-transport"
                        prop:checked=move || kind.get() == value
                        on:change=move |_| draft.update(|draft| draft.transport = value)
                    />
                    <span><strong>{label}</strong><span class="note">{meaning}</span></span>
                </label>
            }).collect_view()}
        </fieldset>
        {move || if is_stdio.get() {
            view! { <Program draft=draft wrong=of(|wrong| &wrong.command) stored=stored_command /> }.into_any()
        } else {
            view! {
                <TextField
                    id="connection-url"
                    label="Address"
                    hint="http or https. Addresses of this machine and of private networks are refused when they are written as numbers; a host name is not looked up."
                    value=url
                    problem=of(|wrong| &wrong.url)
                />
                <HeaderFields draft=draft stored=stored_headers problem=of(|wrong| &wrong.headers) />
            }.into_any()
        }}
    }
}

/// The program of a stdio server, shown as it will run before it does.
#[component]
fn Program(
    draft: RwSignal<Draft>,
    wrong: Signal<Option<String>>,
    stored: Signal<Option<String>>,
) -> impl IntoView {
    let command = text_of(draft, |draft| &draft.command, |draft| &mut draft.command);
    let keeps = Memo::new(move |_| draft.with(|draft| draft.keep_program));
    let line = Memo::new(move |_| draft.with(Draft::command_line));
    view! {
        {move || stored.get().map(|stored| view! {
            <div class="command-line">
                <p class="hint">"This runs now:"</p>
                <pre dir="ltr">{stored}</pre>
                <label class="check">
                    <input
                        type="checkbox"
                        prop:checked=move || !keeps.get()
                        on:change=move |_| draft.update(|draft| draft.keep_program = !draft.keep_program)
                    />
                    "Run another command instead"
                </label>
            </div>
        })}
        {move || (!keeps.get()).then(|| view! {
            <TextField
                id="connection-command"
                label="Command"
                hint="A program on the machine of the control plane. No shell reads it."
                value=command
                problem=wrong
            />
            <div class="form-field">
                <label for="connection-args">"Arguments"</label>
                <textarea
                    id="connection-args"
                    class="mono"
                    rows="3"
                    dir="ltr"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    aria-describedby="connection-args-hint"
                    prop:value=move || draft.with(|draft| draft.args.clone())
                    on:input:target=move |event| { let text = event.target().value(); draft.update(|draft| draft.args = text); }
                ></textarea>
                <p class="hint" id="connection-args-hint">"One a line, each passed on as it stands."</p>
            </div>
            <div class="command-line">
                <p class="hint" id="command-line-label"><Glyph icon=Icon::Warning />"This will run, with the rights of the control plane:"</p>
                <pre dir="ltr" aria-labelledby="command-line-label" role="group">{move || line.get().unwrap_or_else(|| "No command yet".to_owned())}</pre>
            </div>
        })}
    }
}
