//! How things look: components know no address, make no call and hold no page state.

pub mod announce;
pub mod badge;
pub mod bar;
pub mod chips;
pub mod combobox;
pub mod connection_health;
pub mod dialog;
pub mod draft;
pub mod each;
pub mod environment;
pub mod filter;
pub mod flag_state;
pub mod form;
pub mod icon;
pub mod leave;
pub mod notice;
pub mod pattern_test;
pub mod patterns;
pub mod repository;
pub mod section;
pub mod switch;
pub mod virtual_rows;
pub mod words;
