//! Tier 1: scalar bytecode to machine code with Cranelift.

use std::rc::Rc;

use janus_interp::{Entry, Frame, Interp};
use janus_object::CodeObject;

/// Why a region is not compiled by tier 1.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Refused {
    reason: String,
    line: u32,
}

impl Refused {
    /// The user's line.
    pub fn line(&self) -> u32 {
        self.line
    }
}

/// Where tier 1's code was left for tier 0.
pub struct Left {
    /// An int did not fit.
    pub overflow: bool,
    /// The user's line.
    pub line: u32,
    /// What was assumed.
    pub expected: String,
    /// What was found.
    pub actual: String,
}

/// Tier 1's compiler.
pub struct Baseline;

impl Baseline {
    /// The compiler for this machine.
    pub fn new() -> Result<Baseline, Refused> {
        Ok(Baseline)
    }

    /// Compiles a function (`head` is none) or the loop at `head`.
    pub fn compile(
        &mut self,
        code: &Rc<CodeObject>,
        head: Option<u32>,
        _frame: &Frame,
    ) -> Result<CompiledRegion, Refused> {
        let line = head
            .and_then(|h| code.code.spans.get(h as usize))
            .map_or(code.code.first_line, |s| s.line);
        Err(Refused {
            reason: "tier 1 has no machine code for this yet".to_owned(),
            line,
        })
    }
}

/// A compiled region.
pub struct CompiledRegion {}

impl CompiledRegion {
    /// Runs it.
    pub fn enter(&self, _vm: &mut Interp, _frame: &mut Frame) -> Entry {
        Entry::Interpret
    }

    /// Its Cranelift IR.
    pub fn clif(&self) -> &str {
        ""
    }

    /// The last departure, if there was one since the last call.
    pub fn take_deopt(&self) -> Option<Left> {
        None
    }

    /// Whether it keeps being left.
    pub fn hopeless(&self) -> bool {
        false
    }
}
