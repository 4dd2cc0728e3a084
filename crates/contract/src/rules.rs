//! The policy rules, each a pure function.
//!
//! R1 pattern: [`pattern`] · R2 fold and decision: [`fold`], fast in [`compiled`] · R3 who
//! decided: [`explain`] about a [`view`], answering with a [`standing`] · R4 what a switch writes:
//! [`edit`] · R5 what a change changes: [`difference`] · R6 the eight flags: [`permissions`] ·
//! R7 the init script: [`init_script`] · R8 secret scan: [`secrets`] · R9 skills: [`skills`] ·
//! R10 packages and hosts: [`packages`] · R11 repositories: [`repositories`] · R12 where an MCP
//! server may be, [`server_url`], and what its tools are called, [`tool_names`] · R13 what
//! an override of it comes to: [`bindings`].

pub mod bindings;
pub mod compiled;
pub mod difference;
pub mod edit;
pub mod explain;
pub mod fold;
pub mod init_script;
pub mod packages;
pub mod pattern;
pub mod permissions;
pub mod repositories;
pub mod secrets;
pub mod server_url;
pub mod skills;
pub mod standing;
pub mod tool_names;
mod trie;
pub mod view;
