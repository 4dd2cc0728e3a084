//! Line icons, drawn by us on a 24-pixel grid. Decoration only: the text beside an icon carries
//! the meaning.

use leptos::prelude::*;

/// The pictures there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Several agents.
    Agents,
    /// Arrow down: inherited.
    ArrowDown,
    /// Asterisk: a pattern.
    Asterisk,
    /// Circle with a bar: no effect.
    Ban,
    /// Tick.
    Check,
    /// Closed or open group.
    Chevron,
    /// Dismiss.
    Close,
    /// Copy to the clipboard.
    Copy,
    /// A page.
    File,
    /// Gear: settings.
    Gear,
    /// Question mark.
    Help,
    /// Letter i.
    Info,
    /// Crossed-out key: permission off.
    KeyOff,
    /// Two links of a chain: follows its source.
    Link,
    /// Padlock: locked from above.
    Lock,
    /// Main menu.
    Menu,
    /// Moon: theme.
    Moon,
    /// Pencil: written here.
    Pencil,
    /// Crossed-out plug: a connection that is switched off.
    PlugOff,
    /// Plus.
    Plus,
    /// Circular arrow.
    Reset,
    /// Magnifying glass.
    Search,
    /// Door: sign out.
    SignOut,
    /// Triangle with a mark.
    Warning,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Agents => "M8 12a4 4 0 1 1 8 0 4 4 0 0 1-8 0zM12 8V4M9 4h6M5 20a7 7 0 0 1 14 0",
            Self::ArrowDown => "M12 5v14M6 13l6 6 6-6",
            Self::Asterisk => "M12 4v16M5 8l14 8M19 8 5 16",
            Self::Ban => "M4 12a8 8 0 1 0 16 0 8 8 0 0 0-16 0zM6.5 6.5l11 11",
            Self::Check => "M5 12.5l4.5 4.5L19 7.5",
            Self::Chevron => "M9 6l6 6-6 6",
            Self::Close => "M6 6l12 12M18 6 6 18",
            Self::Copy => "M9 9h10v11H9zM15 9V4H5v11h4",
            Self::File => "M6 3h8l4 4v14H6zM14 3v4h4",
            Self::Gear => {
                "M9 12a3 3 0 1 0 6 0 3 3 0 0 0-6 0zM12 3.500v2.500M12 18v2.500M4.600 7.800l2.200 1.200M17.200 15l2.200 1.200M4.600 16.200 6.800 15M17.200 9l2.200-1.200"
            }
            Self::Help => {
                "M4 12a8 8 0 1 0 16 0 8 8 0 0 0-16 0zM9.7 9.6a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1.1.8-1.1 1.6M12 16.4v.2"
            }
            Self::Info => "M4 12a8 8 0 1 0 16 0 8 8 0 0 0-16 0zM12 11v5M12 7.8v.2",
            Self::KeyOff => {
                "M4.5 15.5a3.5 3.5 0 1 0 7 0 3.5 3.5 0 0 0-7 0zM10.5 13 18 5.500M15.500 8l2.500 2.500M4 4l16 16"
            }
            Self::Link => {
                "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1"
            }
            Self::Lock => "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3",
            Self::Menu => "M4 7h16M4 12h16M4 17h16",
            Self::Moon => "M20 14.500A8.200 8.200 0 0 1 9.500 4a8.200 8.200 0 1 0 10.500 10.500z",
            Self::Pencil => "M4 20h4L19 9l-4-4L4 16z",
            Self::PlugOff => {
                "M9 3v4M15 3v4M6.500 8.500H17V12a5 5 0 0 1-1 3M13 17v4M7.500 8.500V12a5 5 0 0 0 5 5M4 4l16 16"
            }
            Self::Plus => "M12 5v14M5 12h14",
            Self::Reset => "M4.500 12a7.500 7.500 0 1 0 2.500-5.600M4 4.500v4.500h4.500",
            Self::Search => "M5 11a6 6 0 1 0 12 0 6 6 0 0 0-12 0zM20 20l-4.700-4.700",
            Self::SignOut => "M14 4H5v16h9M10 12h10M16 8l4 4-4 4",
            Self::Warning => "M12 4 2.800 20h18.400zM12 10v5M12 17.300v.2",
        }
    }
}

/// One icon.
#[component]
pub fn Glyph(
    /// Which picture.
    icon: Icon,
) -> impl IntoView {
    view! {
        <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
            <path d=icon.path() />
        </svg>
    }
}
