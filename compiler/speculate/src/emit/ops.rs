//! Ops of the graph.
//!
//! In: an op's name, operands, attributes and the types of its results. Out: its results, in the current context.
//! Always: ops are pure; what is computed from nothing stands outside of all branches.

use janus_dialect::{DType, Type, ValueId};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;

/// Graph operations at most: bounds compile time.
const OP_BUDGET: usize = 20_000;

/// What is said of a dtype that graphs do not have.
pub(crate) const RARE_DTYPE: &str = "a tensor of complex numbers, or of uint16 to uint64";

/// What is said of a tensor on the device meta.
pub(crate) const NO_NUMBERS: &str = "a tensor on the device meta, which has no numbers";

impl Executor<'_> {
    /// Emits an op in the current context and returns its results.
    pub(crate) fn emit(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, janus_dialect::Attr)],
        results: &[Type],
    ) -> Res<Vec<ValueId>> {
        // What is computed from nothing is on no side of a branch.
        let is_constant = operands.is_empty() && matches!(name, "janus.constant" | "janus.iota");
        if is_constant && self.emission.context != 0 {
            return self.at_entry(|this| this.emit(name, operands, attrs, results));
        }
        let reduced = |ty: &Type| {
            matches!(
                ty,
                Type::Tensor {
                    dtype: DType::F16 | DType::BF16,
                    ..
                }
            )
        };
        if results.iter().any(reduced) {
            return self.refuse(ReasonId::ReducedFloat, "a tensor of float16 or bfloat16");
        }
        let rare = |ty: &Type| {
            matches!(
                ty,
                Type::Tensor {
                    dtype: DType::C64 | DType::C128 | DType::U16 | DType::U32 | DType::U64,
                    ..
                }
            )
        };
        if results.iter().any(rare) {
            return self.refuse(ReasonId::RareDtype, RARE_DTYPE);
        }
        self.emission.ops += 1;
        if self.emission.ops > OP_BUDGET {
            return self.refuse(
                ReasonId::TooLarge,
                "the region is too large: more than 20,000 operations",
            );
        }
        let operands: Vec<ValueId> = operands
            .iter()
            .map(|&v| self.use_value(v))
            .collect::<Res<_>>()?;
        let loc = self.loc();
        if matches!(results, [Type::Tensor { .. }, ..])
            && !operands.is_empty()
            && !name.starts_with("janus.get_")
        {
            self.emission.computes += 1;
        }
        let results = self.graph().op(name, &operands, attrs, results, &loc)?;
        if self.emission.context != 0 {
            for &r in &results {
                self.emission.value_context.insert(r, self.emission.context);
            }
        }
        if self.emission.keeping {
            self.emission.kept.extend(results.first());
        }
        Ok(results)
    }

    /// Emits what stands outside of all branches and is there for good: loads, constants.
    pub(crate) fn at_entry<T>(&mut self, emit: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let context = std::mem::replace(&mut self.emission.context, 0);
        let keeping = std::mem::replace(&mut self.emission.keeping, true);
        let result = emit(self);
        self.emission.context = context;
        self.emission.keeping = keeping;
        result
    }

    /// As [`Self::emit`], for one result.
    pub(crate) fn emit1(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, janus_dialect::Attr)],
        result: Type,
    ) -> Res<ValueId> {
        let results = self.emit(name, operands, attrs, std::slice::from_ref(&result))?;
        match results.first() {
            Some(&r) => Ok(r),
            None => self.refuse(ReasonId::NoGraphForm, format!("{name} has no result")),
        }
    }
}
