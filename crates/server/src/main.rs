//! The `remit` command.

fn main() {}
