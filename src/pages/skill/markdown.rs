//! Markdown as part of the page: events of the parser become elements and text nodes. Raw HTML is
//! shown as text, images are named and not loaded, links lead to the web only and say where.

use leptos::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::links::{Leads, leads};
use super::reveal::marked;
use crate::components::words::revealed;

/// How deep elements are nested; what is nested deeper is drawn at this depth.
const DEPTH: usize = 24;
/// How many events are drawn of one text; the rest is only in the raw view.
const EVENTS: usize = 20_000;
/// The level of the heading that stands above the text on the page.
const ABOVE: u8 = 3;

/// A text as it is drawn.
pub struct Drawn {
    /// Its elements.
    pub view: AnyView,
    /// Whether it was so long that its end is missing.
    pub is_cut: bool,
}

/// What an open element will be.
enum Kind {
    Paragraph,
    Heading(u8),
    Quote,
    Code(String),
    Html,
    List(Option<u64>),
    Item,
    Table,
    Head,
    Row,
    Cell,
    Emphasis,
    Strong,
    Struck,
    Link(String),
    Image(String),
    /// No element of its own.
    Nothing,
}

struct Open {
    kind: Kind,
    children: Vec<AnyView>,
}

/// Draws a text. `skill_uri` and `files` say where its relative links lead.
pub fn draw(text: &str, skill_uri: Option<&str>, files: &[String]) -> Drawn {
    let mut drawing = Drawing {
        stack: Vec::new(),
        top: Vec::new(),
        heading: ABOVE,
        in_head: false,
        in_html: false,
        skill_uri,
        files,
    };
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut is_cut = false;
    for (number, event) in Parser::new_ext(text, options).enumerate() {
        if number >= EVENTS {
            is_cut = true;
            break;
        }
        drawing.take(event);
    }
    while !drawing.stack.is_empty() {
        drawing.close();
    }
    Drawn {
        view: drawing.top.collect_view().into_any(),
        is_cut,
    }
}

struct Drawing<'a> {
    stack: Vec<Open>,
    top: Vec<AnyView>,
    heading: u8,
    in_head: bool,
    in_html: bool,
    skill_uri: Option<&'a str>,
    files: &'a [String],
}

impl Drawing<'_> {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(end) => {
                self.close();
                match end {
                    TagEnd::HtmlBlock => self.in_html = false,
                    TagEnd::TableHead => self.in_head = false,
                    _ => {}
                }
            }
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push(marked(&text));
            }
            Event::Code(text) => {
                self.push(view! { <code dir="ltr">{marked(&text)}</code> }.into_any());
            }
            Event::Html(text) | Event::InlineHtml(text) => {
                let text = marked(&text);
                self.push(if self.in_html {
                    text
                } else {
                    view! { <code class="md-html" dir="ltr">{text}</code> }.into_any()
                });
            }
            Event::FootnoteReference(name) => self.push(marked(&format!("[^{name}]"))),
            Event::SoftBreak => self.push("\n".into_any()),
            Event::HardBreak => self.push(view! { <br /> }.into_any()),
            Event::Rule => self.push(view! { <hr /> }.into_any()),
            Event::TaskListMarker(done) => {
                let (mark, word) = if done {
                    ("☑ ", "done: ")
                } else {
                    ("☐ ", "to do: ")
                };
                self.push(
                    view! {
                        <span aria-hidden="true">{mark}</span>
                        <span class="visually-hidden">{word}</span>
                    }
                    .into_any(),
                );
            }
        }
    }

    fn push(&mut self, view: AnyView) {
        match self.stack.last_mut() {
            Some(open) => open.children.push(view),
            None => self.top.push(view),
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        let kind = match tag {
            Tag::Paragraph => Kind::Paragraph,
            Tag::Heading { level, .. } => Kind::Heading(self.heading_level(level)),
            Tag::BlockQuote(_) => Kind::Quote,
            Tag::CodeBlock(CodeBlockKind::Fenced(language)) => Kind::Code(revealed(&language)),
            Tag::CodeBlock(CodeBlockKind::Indented) => Kind::Code(String::new()),
            Tag::HtmlBlock => {
                self.in_html = true;
                Kind::Html
            }
            Tag::List(start) => Kind::List(start),
            Tag::Item => Kind::Item,
            Tag::Table(_) => Kind::Table,
            Tag::TableHead => {
                self.in_head = true;
                Kind::Head
            }
            Tag::TableRow => Kind::Row,
            Tag::TableCell => Kind::Cell,
            Tag::Emphasis => Kind::Emphasis,
            Tag::Strong => Kind::Strong,
            Tag::Strikethrough => Kind::Struck,
            Tag::Link { dest_url, .. } => Kind::Link(dest_url.into_string()),
            Tag::Image { dest_url, .. } => Kind::Image(dest_url.into_string()),
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => Kind::Nothing,
        };
        // A table or a list needs its parts in place; what is too deep for them is plain text.
        let kind = if self.stack.len() >= DEPTH {
            Kind::Nothing
        } else {
            kind
        };
        self.stack.push(Open {
            kind,
            children: Vec::new(),
        });
    }

    /// Headings continue those of the page and skip no level, whatever the text does.
    fn heading_level(&mut self, level: HeadingLevel) -> u8 {
        let wanted = ABOVE.saturating_add(level as u8);
        let level = wanted.min(self.heading.saturating_add(1)).min(6);
        self.heading = level;
        level
    }

    fn close(&mut self) {
        let Some(open) = self.stack.pop() else { return };
        let inside = open.children.collect_view();
        let view = match open.kind {
            Kind::Paragraph => view! { <p>{inside}</p> }.into_any(),
            Kind::Heading(4) => view! { <h4>{inside}</h4> }.into_any(),
            Kind::Heading(5) => view! { <h5>{inside}</h5> }.into_any(),
            Kind::Heading(_) => view! { <h6>{inside}</h6> }.into_any(),
            Kind::Quote => view! { <blockquote>{inside}</blockquote> }.into_any(),
            Kind::Code(language) => view! {
                <pre dir="ltr" tabindex="0" aria-label=code_label(&language)><code>{inside}</code></pre>
            }
            .into_any(),
            Kind::Html => view! {
                <pre class="md-html" dir="ltr" tabindex="0" aria-label="HTML, shown as text">{inside}</pre>
            }
            .into_any(),
            Kind::List(None) => view! { <ul>{inside}</ul> }.into_any(),
            Kind::List(Some(start)) => view! { <ol start=start.to_string()>{inside}</ol> }.into_any(),
            Kind::Item => view! { <li>{inside}</li> }.into_any(),
            Kind::Table => view! {
                <div class="md-table" tabindex="0" role="group" aria-label="Table"><table>{inside}</table></div>
            }
            .into_any(),
            Kind::Head => view! { <thead><tr>{inside}</tr></thead> }.into_any(),
            Kind::Row => view! { <tr>{inside}</tr> }.into_any(),
            // A heading without words would name its column nothing.
            Kind::Cell if self.in_head && !inside.is_empty() => view! { <th scope="col">{inside}</th> }.into_any(),
            Kind::Cell => view! { <td>{inside}</td> }.into_any(),
            Kind::Emphasis => view! { <em>{inside}</em> }.into_any(),
            Kind::Strong => view! { <strong>{inside}</strong> }.into_any(),
            Kind::Struck => view! { <del>{inside}</del> }.into_any(),
            Kind::Link(link) => self.link(&link, inside.into_any()),
            Kind::Image(link) => view! {
                <span class="md-image">
                    <span class="md-note">"image: "</span>{inside}
                    <span class="md-note" dir="ltr">{format!(" ({}, not loaded)", revealed(&link))}</span>
                </span>
            }
            .into_any(),
            Kind::Nothing => inside.into_any(),
        };
        self.push(view);
    }

    fn link(&self, link: &str, inside: AnyView) -> AnyView {
        match leads(link, self.skill_uri, self.files) {
            Leads::Web { address, host } => view! {
                <a href=address rel="noopener noreferrer nofollow" target="_blank">{inside}</a>
                <span class="md-note" dir="ltr">{format!(" ({host})")}</span>
            }
            .into_any(),
            Leads::File(path) => view! {
                {inside}<span class="md-note" dir="ltr">{format!(" ({})", revealed(&path))}</span>
            }
            .into_any(),
            Leads::Nowhere(why) => view! {
                {inside}<span class="md-note md-refused" dir="ltr">{format!(" ({}: {why})", revealed(link))}</span>
            }
            .into_any(),
        }
    }
}

fn code_label(language: &str) -> String {
    if language.is_empty() {
        "Code".to_owned()
    } else {
        format!("Code, {language}")
    }
}
