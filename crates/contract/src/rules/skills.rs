//! R9: the rules of skills (skills contract sections 1 to 4), each a pure function. They say what
//! the hosts Agent Skills, Coder and `MyCodeAgent` make of a `SKILL.md`, and what an MCP host must
//! check before it lets a skill of a server be read.
//!
//! [`name`] the name by four rules · [`frontmatter`] the head of a `SKILL.md` by host, and compared
//! with a server's entry · [`prompt`] the list of skills a model is shown, and its budget ·
//! [`arguments`] what a call's arguments turn the text into · [`reference`] where a relative link
//! leads · [`path`] which paths inside a skill may be read · [`manifest`] size, digest, approval and
//! limits of a skill's files · [`entry`] the shape of what a server lists · [`file`] a `SKILL.md`
//! written from its parts · [`lint`] one file judged
//! by all three hosts.
//!
//! What needs YAML is there with the feature `yaml` only, which the server has and the browser
//! has not.

pub mod arguments;
pub mod entry;
pub mod file;
pub mod frontmatter;
#[cfg(feature = "yaml")]
pub mod lint;
pub mod manifest;
pub mod name;
pub mod path;
pub mod prompt;
pub mod reference;
mod text;
mod uri;

/// The file every skill has at its root.
pub const SKILL_FILE: &str = "SKILL.md";
