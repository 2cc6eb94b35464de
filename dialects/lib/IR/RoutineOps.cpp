//===- RoutineOps.cpp - what a routine reads and writes, and a call --------===//

#include "janus/IR/Janus.h"

using namespace mlir;
using namespace janus;

void RoutineOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<BaseMemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input, SideEffects::DefaultResource::get());
  if (isa<BaseMemRefType>(getInit().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &getInitMutable(),
                         SideEffects::DefaultResource::get());
}

LogicalResult ApplyOp::verify() {
  if (getCarried().size() != getNumResults())
    return emitOpError("needs one number per result in `carried`");
  for (auto [operand, result] : llvm::zip(getCarried(), getResults()))
    if (operand >= static_cast<int64_t>(getInputs().size()) ||
        (operand >= 0 && getInputs()[operand].getType() != result.getType()))
      return emitOpError("carries a result in an operand of another type");
  return success();
}
