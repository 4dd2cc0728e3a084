//! What goes over the wire between the Remit dashboard and a control plane, and the policy
//! rules both sides share.
//!
//! Invariants: nothing here performs I/O, reads a clock or draws a random number; everything
//! compiles natively and to WebAssembly. The server *decides* with these functions and the
//! dashboard *explains* with the same ones, so a rule exists once.
//!
//! Wire types are tolerant when reading (unknown fields ignored, unknown enum values kept,
//! absent and `null` alike) and exact when writing (no key the receiver does not know).

mod open;

pub mod agents;
pub mod auth;
pub mod capabilities;
pub mod catalog;
pub mod connections;
pub mod environments;
pub mod error;
pub mod events;
pub mod grants;
pub mod ids;
pub mod mcp_skills;
pub mod order;
pub mod organizations;
pub mod repositories;
pub mod requests;
pub mod rules;
pub mod server;
pub mod skill_lint;
pub mod skills;
pub mod workload;

pub use ids::{
    AgentId, ConnectionId, EnvironmentId, GrantId, OrganizationId, RepositoryId, SkillBindingId,
    SkillId, TenantId, UserId, WorkId,
};
