//===- CarryInPlace.cpp - Carried tensors in one buffer ----------------------===//
//
// In: functions in the structured stage, loops aligned (AlignLoops.cpp). Out: the
// same; what a loop yields for a tensor whose extents stay is written over the
// tensor that it carries.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"
#include "janus/Transforms/LoopExtents.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace janus {
#define GEN_PASS_DEF_JANUSCARRYINPLACE
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// `carried` are the tensors at the start of an iteration, `arguments` the values
/// whose extents say whether they stay.
void writeOver(Operation *loop, ValueRange arguments, ValueRange carried,
               MutableArrayRef<OpOperand> yielded) {
  janus::LoopExtents extents(loop);
  if (yielded.empty())
    return;
  Operation *yield = yielded.front().getOwner();
  OpBuilder b(yield);
  for (auto [argument, destination, operand] : llvm::zip(arguments, carried, yielded)) {
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || value == destination || !extents.isFixed(argument))
      continue;
    operand.set(bufferization::MaterializeInDestinationOp::create(b, yield->getLoc(), type, value,
                                                                  destination)
                    .getResult());
  }
}

struct CarryInPlace : janus::impl::JanusCarryInPlaceBase<CarryInPlace> {
  void runOnOperation() override {
    // Outer loops first: what is inside of them still has the ops that say extents.
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        if (auto yielded = loop.getYieldedValuesMutable())
          writeOver(loop, loop.getRegionIterArgs(), loop.getRegionIterArgs(), *yielded);
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        writeOver(loop, loop.getBeforeArguments(), loop.getAfterArguments(),
                  loop.getYieldOp()->getOpOperands());
      }
    });
  }
};

} // namespace
