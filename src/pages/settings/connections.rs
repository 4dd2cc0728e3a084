//! The registry of MCP servers (contract section 7.2): the list, the form that registers one, and
//! the page of one connection.

pub mod agents;
pub mod draft;
pub mod editor;
pub mod form;
pub mod headers;
pub mod item;
pub mod list;
pub mod review;
pub mod run;
pub mod tools;

pub use item::ConnectionPage;
pub use list::ConnectionsPage;
