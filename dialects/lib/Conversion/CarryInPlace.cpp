//===- CarryInPlace.cpp - Carried tensors in one buffer ----------------------===//
//
// In: functions in the structured stage, loops aligned (AlignLoops.cpp). Out: the
// same; what a loop yields for a tensor whose extents stay is written over the
// tensor that it carries.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"
#include "janus/Transforms/LoopExtents.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

namespace janus {
#define GEN_PASS_DEF_JANUSCARRYINPLACE
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// Notes which of `carried` may lie in the same buffer as `value`: ops that
/// compute make a buffer of their own.
void collectAliases(Value value, ValueRange carried, llvm::SmallBitVector &aliases) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    for (auto [i, other] : llvm::enumerate(carried))
      if (other == value)
        aliases.set(i);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (isa<janus::ReshapeOp, janus::SliceOp, janus::DetachOp, janus::UpdateSliceOp,
          tensor::CastOp>(op))
    return collectAliases(op->getOperand(0), carried, aliases);
  if (op->getNumRegions() == 0)
    return;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      collectAliases(operand, carried, aliases);
  op->walk([&](RegionBranchTerminatorOpInterface end) {
    for (Value passed : end->getOperands())
      if (isa<RankedTensorType>(passed.getType()) && passed.getParentRegion() &&
          !isa<BlockArgument>(passed))
        collectAliases(passed, carried, aliases);
      else if (llvm::is_contained(carried, passed))
        collectAliases(passed, carried, aliases);
  });
}

/// A tensor that is to be written over by another one.
struct Write {
  OpOperand *operand;
  unsigned number;             ///< of the tensor
  llvm::SmallBitVector reads;  ///< the others that must not be written over before
};

/// `carried` are the tensors at the start of an iteration, `arguments` the values
/// whose extents say whether they stay.
void writeOver(Operation *loop, ValueRange arguments, ValueRange carried,
               MutableArrayRef<OpOperand> yielded) {
  janus::LoopExtents extents(loop);
  SmallVector<Write> writes;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value value = yielded[i].get();
    if (!isa<RankedTensorType>(value.getType()) || value == carried[i] ||
        !extents.isFixed(argument))
      continue;
    Write write{&yielded[i], static_cast<unsigned>(i), llvm::SmallBitVector(carried.size())};
    collectAliases(value, carried, write.reads);
    write.reads.reset(i);
    writes.push_back(std::move(write));
  }
  if (writes.empty())
    return;
  OpBuilder b(yielded.front().getOwner());
  Location loc = loop->getLoc();
  while (!writes.empty()) {
    // One that nothing reads any more; in a circle, one is kept in a copy.
    auto isFree = [&](const Write &write) {
      return llvm::none_of(writes, [&](const Write &other) {
        return &other != &write && other.reads.test(write.number);
      });
    };
    auto next = llvm::find_if(writes, isFree);
    if (next == writes.end()) {
      for (Write &write : writes) {
        if (write.reads.none())
          continue;
        Value value = write.operand->get();
        write.operand->set(bufferization::AllocTensorOp::create(
            b, loc, cast<RankedTensorType>(value.getType()), ValueRange(), value));
        write.reads.reset();
        break;
      }
      continue;
    }
    Value value = next->operand->get();
    next->operand->set(bufferization::MaterializeInDestinationOp::create(
                           b, loc, value.getType(), value, carried[next->number])
                           .getResult());
    writes.erase(next);
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
