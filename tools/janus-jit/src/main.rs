//! The command: run, explain, bench, cache.

fn main() {}
