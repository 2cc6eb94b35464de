//! Nothing: see the Cargo.toml beside it.
