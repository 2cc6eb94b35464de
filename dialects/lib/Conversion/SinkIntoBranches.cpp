//===- SinkIntoBranches.cpp - What one branch reads is computed there --------===//
//
// In: functions of loops on tensors. Out: the same; an op whose results one branch alone reads
// stands in that branch. The others, and each call of a recursive function, would do it for
// nothing.
//
// Holds: what is written over in its place (CarryInPlace.cpp, CarrySums.cpp) is read where it was:
// an op that reads such a tensor may not come behind the write.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/ControlFlowSinkUtils.h"

namespace janus {
#define GEN_PASS_DEF_JANUSSINKINTOBRANCHES
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// Whether something is written into the memory of `value`.
bool isWrittenOver(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    if (auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(use.getOwner()))
      return write.getDest() == use.get();
    auto write = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return write && write.isDpsInit(&use);
  });
}

/// Whether the memory in which `value` lies, or may come to lie, stays as it is.
bool stays(Value value) {
  if (!isa<TensorType>(value.getType()))
    return true;
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return !isWrittenOver(value);
  Operation *op = result.getOwner();
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
    return true;
  if (isWrittenOver(value))
    return false;
  if (auto write = dyn_cast<DestinationStyleOpInterface>(op))
    return stays(write.getTiedOpOperand(result)->get());
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
          op))
    return stays(op->getOperand(0));
  return false;
}

struct SinkIntoBranches : janus::impl::JanusSinkIntoBranchesBase<SinkIntoBranches> {
  void runOnOperation() override {
    DominanceInfo dominance(getOperation());
    getOperation().walk([&](RegionBranchOpInterface branch) {
      SmallVector<Region *> regions;
      getSinglyExecutedRegionsToSink(branch, regions);
      controlFlowSink(
          regions, dominance,
          [](Operation *op, Region *) {
            return isMemoryEffectFree(op) && llvm::all_of(op->getOperands(), stays);
          },
          [](Operation *op, Region *region) { op->moveBefore(&region->front(), region->front().begin()); });
    });
  }
};

} // namespace
