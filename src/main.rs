//! Mounts the dashboard.

fn main() {}
