//! Why a region stays in its lower tier.
//!
//! In: what kept it back. Out: [`NotConverted`], with the user's line. Always: a line of library code is told by the
//! user's line that led there.

use std::rc::Rc;

/// Why a region stays in its lower tier.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub struct NotConverted {
    /// In words, for `explain`.
    pub reason: String,
    /// The user's file.
    pub file: Rc<str>,
    /// The user's line: of the code at hand, or of the call that led into library code.
    pub line: u32,
    /// The call in the region's own code that kept it back.
    pub call: Option<u32>,
    /// Something was computed on tensors before.
    pub computed: bool,
    /// A graph that invokes itself was made, or tried.
    pub recursive: bool,
}

impl NotConverted {
    /// For a reason that is no call's.
    #[must_use]
    pub fn new(reason: impl Into<String>, file: &Rc<str>, line: u32) -> Self {
        NotConverted {
            reason: reason.into(),
            file: file.clone(),
            line,
            call: None,
            computed: false,
            recursive: false,
        }
    }
}
