//! What can go wrong, with the text of MLIR's diagnostics.

use std::fmt;

/// An error of building, parsing or transforming a graph.
#[derive(Debug, thiserror::Error)]
pub enum DialectError {
    /// MLIR rejected something.
    #[error("{action}: {diagnostics}")]
    Mlir {
        /// What was tried.
        action: &'static str,
        /// What MLIR said, one per line, each with its position.
        diagnostics: Diagnostics,
    },
    /// No loaded dialect has this op.
    #[error("unknown op '{0}'")]
    UnknownOp(String),
    /// A value of another builder, or a forward value that stands for another one by now.
    #[error("{op}: operand {operand} is no value of this graph")]
    UnknownValue {
        /// The op that was to be built.
        op: String,
        /// The number of the operand.
        operand: usize,
    },
    /// An attribute that cannot be.
    #[error("{op}: attribute '{attribute}': {reason}")]
    BadAttribute {
        /// The op that was to be built.
        op: String,
        /// The attribute's name.
        attribute: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A forward value was never given its value.
    #[error("{0} forward values were never resolved")]
    Unresolved(usize),
    /// A forward value was given a value of another type.
    #[error("a forward value of type {expected:?} cannot stand for one of type {found:?}")]
    ForwardType {
        /// The forward value's type.
        expected: crate::Type,
        /// The value's type.
        found: crate::Type,
    },
}

/// The texts of diagnostics.
#[derive(Debug, Default, Clone)]
pub struct Diagnostics(pub Vec<String>);

impl fmt::Display for Diagnostics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str("no diagnostic");
        }
        formatter.write_str(&self.0.join("\n"))
    }
}
