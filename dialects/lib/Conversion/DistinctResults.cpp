//===- DistinctResults.cpp - A buffer of its own for each result ------------===//
//
// In: functions on buffers, before deallocation. Out: every returned buffer is a
// whole allocation of the function's outermost block, returned once.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"

namespace janus {
#define GEN_PASS_DEF_JANUSDISTINCTRESULTS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// Whether `value` covers the whole of the buffer that it is a view of, from its
/// first element.
bool coversRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<memref::AllocOp>(op))
      return true;
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::ReshapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

struct DistinctResults
    : janus::impl::JanusDistinctResultsBase<DistinctResults> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Block &body = function.getBody().front();
    DenseSet<Value> returned;
    Operation *ret = body.getTerminator();
    for (OpOperand &operand : ret->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type)
        continue;
      Value value = operand.get();
      Value root = janus::rootOf(value);
      bool own = coversRoot(value) && root.getParentBlock() == &body &&
                 returned.insert(root).second;
      // A call's results are distinct buffers by this same pass.
      if (root.getDefiningOp<func::CallOp>() && root == value)
        own = returned.insert(root).second;
      if (own)
        continue;
      ImplicitLocOpBuilder b(ret->getLoc(), ret);
      SmallVector<Value> extents;
      for (int64_t i = 0; i < type.getRank(); ++i)
        if (type.isDynamicDim(i))
          extents.push_back(memref::DimOp::create(b, value, i));
      Value copy = memref::AllocOp::create(
          b, MemRefType::get(type.getShape(), type.getElementType()), extents,
          b.getI64IntegerAttr(64));
      memref::CopyOp::create(b, value, copy);
      returned.insert(copy);
      operand.set(copy);
    }
  }
};

} // namespace
