//! Badges: an icon and words, never colour alone.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};

/// The meaning a badge's colour supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Refused.
    Deny,
    /// Needs attention.
    Warn,
    /// Fine.
    Ok,
    /// For information.
    Info,
    /// Written on this agent.
    Override,
    /// Nothing special.
    Neutral,
}

impl Tone {
    /// The class that colours it.
    pub fn class(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Warn => "warn",
            Self::Ok => "ok",
            Self::Info => "info",
            Self::Override => "over",
            Self::Neutral => "neutral",
        }
    }
}

/// One badge.
#[component]
pub fn Badge(
    /// Supports the words by colour.
    tone: Tone,
    /// Supports the words by shape.
    icon: Icon,
    /// What it says.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    view! {
        <span class=format!("badge {}", tone.class())>
            <Glyph icon=icon />
            <span>{text}</span>
        </span>
    }
}
