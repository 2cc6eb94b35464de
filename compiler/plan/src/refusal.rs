//! Why a region stays in its lower tier.
//!
//! In: what kept it back, as it was found. Out: [`NotConverted`], with the user's line. Always: a refusal has its
//! reason from where it is made; what is wrong with the compiler itself is a [`Cause::Defect`] and no refusal. A line
//! of library code is told by the user's line that led there.

use std::fmt;
use std::rc::Rc;

use crate::reason::ReasonId;

/// There is no form in graphs for something of the region's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which kind of thing it is.
    pub reason: ReasonId,
    /// Which one it is, in words.
    pub detail: String,
}

impl Refusal {
    /// For a reason, with what it is about.
    #[must_use]
    pub fn new(reason: ReasonId, detail: impl Into<String>) -> Self {
        Refusal {
            reason,
            detail: detail.into(),
        }
    }
}

/// The compiler contradicts itself: a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// What was found that cannot be.
    pub detail: String,
}

/// What kept a region back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Something of the region's.
    Refused(Refusal),
    /// Something of ours.
    Defect(Defect),
}

impl Cause {
    /// A bug of ours.
    #[must_use]
    pub fn defect(detail: impl Into<String>) -> Self {
        Cause::Defect(Defect {
            detail: detail.into(),
        })
    }

    /// Which kind of thing it is.
    #[must_use]
    pub fn reason(&self) -> ReasonId {
        match self {
            Cause::Refused(refusal) => refusal.reason,
            Cause::Defect(_) => ReasonId::CompilerError,
        }
    }

    /// Which one it is, in words.
    #[must_use]
    pub fn detail(&self) -> &str {
        match self {
            Cause::Refused(refusal) => &refusal.detail,
            Cause::Defect(defect) => &defect.detail,
        }
    }
}

impl From<Refusal> for Cause {
    fn from(refusal: Refusal) -> Self {
        Cause::Refused(refusal)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.detail())
    }
}

/// Why a region stays in its lower tier, and where.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}:{line}: {cause}")]
pub struct NotConverted {
    /// What kept it back.
    pub cause: Cause,
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
    /// For a cause that is no call's.
    #[must_use]
    pub fn new(cause: impl Into<Cause>, file: &Rc<str>, line: u32) -> Self {
        NotConverted {
            cause: cause.into(),
            file: file.clone(),
            line,
            call: None,
            computed: false,
            recursive: false,
        }
    }

    /// Which kind of thing kept it back.
    #[must_use]
    pub fn reason(&self) -> ReasonId {
        self.cause.reason()
    }

    /// What kept it back, in words.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.cause.detail()
    }
}
