//===- RoutineOps.cpp - what a routine reads and writes -------------------===//

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
