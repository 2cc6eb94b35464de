//===- CarryInPlace.cpp - Carried tensors in one buffer ----------------------===//
//
// In: functions in the structured stage, loops aligned (AlignLoops.cpp). Out: the
// same; what a loop yields for a tensor whose extents stay is written over the
// tensor that it carries.
//
// Holds: nothing reads a tensor after it was written over. Bufferisation cannot
// make a copy there, so the order of writes, and the copies that a circle of them
// needs, are made here.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"
#include "janus/Transforms/LoopExtents.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace janus {
#define GEN_PASS_DEF_JANUSCARRYINPLACE
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

bool isView(Operation *op) {
  return isa<janus::ReshapeOp, janus::SliceOp, janus::DetachOp, tensor::CastOp>(op);
}

/// A carried tensor that is to be written over by what `operand` is.
struct Write {
  OpOperand *operand;
  Value destination;
};

/// The writes of one loop, made before the terminators of its body.
class WriteOver {
public:
  explicit WriteOver(ValueRange carried) : carried(carried) {}

  void emit(SmallVector<Write> writes);

private:
  /// Adds the carried tensors in whose buffer `value` may lie: ops that compute
  /// make a buffer of their own.
  void collectAliases(Value value, llvm::SmallPtrSetImpl<void *> &aliases);
  /// Takes out the writes of an scf.if's results, and makes them in its branches.
  void sink(SmallVectorImpl<Write> &writes);

  ValueRange carried;
};

void WriteOver::collectAliases(Value value, llvm::SmallPtrSetImpl<void *> &aliases) {
  if (llvm::is_contained(carried, value))
    aliases.insert(value.getAsOpaquePointer());
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isView(op) || isa<janus::UpdateSliceOp, janus::FillSliceOp>(op))
    return collectAliases(op->getOperand(0), aliases);
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    for (Region *region : {&ifOp.getThenRegion(), &ifOp.getElseRegion()})
      collectAliases(region->front().getTerminator()->getOperand(number), aliases);
    return;
  }
  if (op->getNumRegions() == 0)
    return;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (llvm::is_contained(carried, operand))
        aliases.insert(operand.getAsOpaquePointer());
  });
}

/// Whether nothing reads `value`, or a view of it, after `op`, one result of which is `written` over it.
bool isLastUse(Value value, Operation *op, Value written) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (ancestor && ancestor != op && op->isBeforeInBlock(ancestor))
      return false;
    // What a branch passes on may be it.
    auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
    if (branch && isa<scf::YieldOp>(user)) {
      Value result = branch.getResult(use.getOperandNumber());
      if (branch == op)
        return result == written || result.use_empty();
      return isLastUse(result, op, written);
    }
    return !isView(user) || isLastUse(user->getResult(0), op, written);
  });
}

void WriteOver::sink(SmallVectorImpl<Write> &writes) {
  llvm::MapVector<Operation *, SmallVector<Write>> sunk;
  llvm::erase_if(writes, [&](Write &write) {
    auto ifOp = write.operand->get().getDefiningOp<scf::IfOp>();
    if (!ifOp || ifOp->getBlock() != write.operand->getOwner()->getBlock() ||
        !write.operand->get().hasOneUse() || !isLastUse(write.destination, ifOp, write.operand->get()))
      return false;
    sunk[ifOp].push_back(write);
    return true;
  });
  for (auto &[op, group] : sunk)
    for (Region &region : op->getRegions()) {
      SmallVector<Write> inside;
      for (Write &write : group) {
        unsigned number = cast<OpResult>(write.operand->get()).getResultNumber();
        OpOperand &yielded = region.front().getTerminator()->getOpOperand(number);
        if (yielded.get() != write.destination)
          inside.push_back({&yielded, write.destination});
      }
      emit(std::move(inside));
    }
}

void WriteOver::emit(SmallVector<Write> writes) {
  sink(writes);
  if (writes.empty())
    return;
  OpBuilder b(writes.front().operand->getOwner());
  Location loc = b.getInsertionPoint()->getLoc();
  auto copy = [&](Write &write) {
    Value value = write.operand->get();
    write.operand->set(bufferization::AllocTensorOp::create(
        b, loc, cast<RankedTensorType>(value.getType()), ValueRange(), value));
  };
  // Which buffer a branch leaves its result in is open, and what a branch shares with others must
  // not be computed where only that branch wants it: a copy says.
  for (Write &write : writes) {
    Value value = write.operand->get();
    bool isShared = !value.hasOneUse() && !isa<BlockArgument>(value) &&
                    value.getParentBlock() != write.operand->getOwner()->getBlock();
    if (value.getDefiningOp<scf::IfOp>() || isShared)
      copy(write);
  }
  SmallVector<llvm::SmallPtrSet<void *, 4>> reads(writes.size());
  SmallVector<bool> done(writes.size(), false);
  for (auto [write, aliases] : llvm::zip(writes, reads)) {
    collectAliases(write.operand->get(), aliases);
    aliases.erase(write.destination.getAsOpaquePointer());
  }
  for (size_t left = writes.size(); left != 0;) {
    // One that no other reads any more; in a circle, one is kept in a copy.
    std::optional<size_t> next;
    for (size_t i = 0; i < writes.size() && !next; ++i) {
      bool isRead = false;
      for (size_t j = 0; j < writes.size(); ++j)
        isRead |= i != j && !done[j] &&
                  reads[j].contains(writes[i].destination.getAsOpaquePointer());
      if (!done[i] && !isRead)
        next = i;
    }
    if (!next) {
      size_t kept = 0;
      while (done[kept] || reads[kept].empty())
        ++kept;
      copy(writes[kept]);
      reads[kept].clear();
      continue;
    }
    Write &write = writes[*next];
    Value value = write.operand->get();
    write.operand->set(bufferization::MaterializeInDestinationOp::create(
                           b, loc, value.getType(), value, write.destination)
                           .getResult());
    done[*next] = true;
    --left;
  }
}

/// `carried` are the tensors at the start of an iteration, `arguments` the values
/// whose extents say whether they stay.
void writeOver(Operation *loop, ValueRange arguments, ValueRange carried,
               MutableArrayRef<OpOperand> yielded) {
  janus::LoopExtents extents(loop);
  SmallVector<Write> writes;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value value = yielded[i].get();
    if (isa<RankedTensorType>(value.getType()) && value != carried[i] &&
        extents.isFixed(argument))
      writes.push_back({&yielded[i], carried[i]});
  }
  WriteOver(carried).emit(std::move(writes));
}

struct CarryInPlace : janus::impl::JanusCarryInPlaceBase<CarryInPlace> {
  void runOnOperation() override {
    // A write can be sunk into a branch.
    janus::branchOnSelects(getOperation());
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
