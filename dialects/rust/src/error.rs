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

impl DialectError {
    /// What there is no form for in a graph that is not wrong.
    #[must_use]
    pub fn limitation(&self) -> Option<(Limitation, &Diagnostic)> {
        match self {
            DialectError::Mlir { diagnostics, .. } => {
                let mut all = diagnostics.0.iter();
                all.find_map(|d| Some((d.limitation?, d)))
            }
            _ => None,
        }
    }
}

/// What a pass has no form for; `janus/Transforms/Limitation.h` has the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limitation {
    /// A gradient.
    Gradient,
    /// A gradient of a tensor that a branch gives another name; with the sides apart there is one.
    AnotherName,
    /// A kernel or a routine for a device.
    Device,
}

impl Limitation {
    pub(crate) fn of_code(code: u32) -> Option<Limitation> {
        match code {
            1 => Some(Limitation::Gradient),
            2 => Some(Limitation::AnotherName),
            3 => Some(Limitation::Device),
            _ => None,
        }
    }
}

/// Something that MLIR said.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// All of it, with its position and notes.
    pub text: String,
    /// The message alone.
    pub message: String,
    /// The line that it is about; 0 is unknown.
    pub line: u32,
    /// What there is no form for, if it is that.
    pub limitation: Option<Limitation>,
}

/// What MLIR said, in order.
#[derive(Debug, Default, Clone)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl fmt::Display for Diagnostics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str("no diagnostic");
        }
        for (i, diagnostic) in self.0.iter().enumerate() {
            if i > 0 {
                formatter.write_str("\n")?;
            }
            formatter.write_str(&diagnostic.text)?;
        }
        Ok(())
    }
}
