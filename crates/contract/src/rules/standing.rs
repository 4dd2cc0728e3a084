//! How a tool stands for one agent: its state, what its switch can do, and every reason for it.

use crate::rules::permissions::Flag;

/// In which of four states a tool is; every tool is in exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bucket {
    /// Usable now.
    On,
    /// Off by this agent's own row.
    OffHere,
    /// Denied or not granted above the agent.
    DeniedAbove,
    /// Never assembled: the permission flag is off.
    PermissionOff,
}

impl Bucket {
    /// All states, in the order they are shown.
    pub const KNOWN: [Self; 4] = [
        Self::On,
        Self::OffHere,
        Self::DeniedAbove,
        Self::PermissionOff,
    ];

    /// The state's name in addresses.
    pub fn slug(&self) -> &'static str {
        match self {
            Self::On => "on",
            Self::OffHere => "off-here",
            Self::DeniedAbove => "denied-above",
            Self::PermissionOff => "permission-off",
        }
    }

    /// The state with this name in addresses.
    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::KNOWN.into_iter().find(|bucket| bucket.slug() == slug)
    }

    /// The words on screen.
    pub fn label(&self) -> &'static str {
        match self {
            Self::On => "On",
            Self::OffHere => "Off here",
            Self::DeniedAbove => "Denied above",
            Self::PermissionOff => "Permission off",
        }
    }
}

/// What the switch of a tool can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// On; can be turned off.
    On,
    /// Off; can be turned on.
    Off,
    /// Off, and cannot be turned on from this agent's row.
    Locked,
}

/// One reason why a tool is off. A `layer` is a place in the resolved chain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The flag that gates it is off.
    PermissionOff(Flag),
    /// A layer above the agent denies it.
    Denied {
        /// The first layer from the top that refuses the tool.
        layer: usize,
        /// Its first matching pattern.
        pattern: String,
    },
    /// A layer above the agent leaves it out of its allow list.
    NotGranted {
        /// The first layer from the top that refuses the tool.
        layer: usize,
    },
    /// A wildcard deny on the agent's own row covers it.
    DeniedByOwnPattern {
        /// The first such pattern.
        pattern: String,
    },
    /// The agent's own row denies exactly this name.
    DeniedHere {
        /// The pattern as stored.
        pattern: String,
    },
    /// The agent's own allow list leaves it out, or asks for it by a pattern that is wider than
    /// what the layers above grant and was rejected whole.
    NotGrantedHere,
    /// The name is empty.
    InvalidName,
}

impl Cause {
    /// The state this cause puts a tool in when it is the first one.
    pub(super) fn bucket(&self) -> Bucket {
        match self {
            Self::PermissionOff(_) => Bucket::PermissionOff,
            Self::Denied { .. } | Self::NotGranted { .. } | Self::InvalidName => {
                Bucket::DeniedAbove
            }
            Self::DeniedByOwnPattern { .. } | Self::DeniedHere { .. } | Self::NotGrantedHere => {
                Bucket::OffHere
            }
        }
    }
}

/// How a tool stands for one agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Its state, after its first cause.
    pub bucket: Bucket,
    /// What its switch can do. [`Switch::Locked`] exactly when
    /// [`toggle`](crate::rules::edit::toggle) could not turn it on.
    pub switch: Switch,
    /// Every reason why it is off, in the order of badges: permission, above, own row. Empty when
    /// it is on. Further layers above that refuse it too are in the
    /// [`Explanation`](crate::rules::explain::Explanation) only.
    pub causes: Vec<Cause>,
}

impl Standing {
    /// Whether the agent can use the tool now.
    pub fn is_on(&self) -> bool {
        self.bucket == Bucket::On
    }
}
