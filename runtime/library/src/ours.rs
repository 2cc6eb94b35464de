//! The modules that are ours.

use crate::Source;

/// Every module of the standard library that is written here: what lies in `runtime/stdlib/py`.
pub const OURS: &[Source] = include!(concat!(env!("OUT_DIR"), "/ours.rs"));
