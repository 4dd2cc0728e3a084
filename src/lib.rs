//! The Remit dashboard.
