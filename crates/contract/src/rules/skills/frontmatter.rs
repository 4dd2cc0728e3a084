//! The head of a `SKILL.md` as each host reads it (skills contract sections 2 to 4): `MyCodeAgent`
//! line by line, Agent Skills and Coder as YAML of two kinds; and compared with what a server says
//! it is.

#[cfg(feature = "yaml")]
pub mod agent_skills;
#[cfg(feature = "yaml")]
pub mod coder;
#[cfg(feature = "yaml")]
pub mod mcp;
pub mod my_code_agent;
#[cfg(feature = "yaml")]
pub mod yaml;

/// The line that opens and closes a head.
pub(super) const DELIMITER: &str = "---";

/// The most characters (Unicode scalar values) a description may have by Agent Skills.
pub const DESCRIPTION_MAX: usize = 1024;

/// The most characters (Unicode scalar values) `compatibility` may have by Agent Skills.
pub const COMPATIBILITY_MAX: usize = 500;

/// The most bytes Coder reads of a `SKILL.md`; exactly so many are read.
pub const CODER_FILE_MAX: u64 = 65_536;
