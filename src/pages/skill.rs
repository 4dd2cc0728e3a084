//! The page of one skill, wherever it comes from: what it says, what it asks for, what hosts make
//! of it, and what of it was checked. Nothing is fetched from a server of skills before an operator
//! asks for it.

pub mod arguments;
pub mod bindings;
pub mod catalog;
pub mod content;
pub mod facts;
pub mod form;
pub mod frontmatter;
pub mod installed;
pub mod links;
pub mod lint;
pub mod markdown;
pub mod prompt;
pub mod remove;
pub mod reveal;

pub use self::catalog::CatalogSkillPage;
pub use self::form::NewSkillPage;
pub use self::installed::InstalledSkillPage;
