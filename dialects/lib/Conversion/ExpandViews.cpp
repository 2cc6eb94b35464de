//===- ExpandViews.cpp - Views with several unknown extents -----------------===//
//
// In: functions on buffers. Out: no `memref.expand_shape` is left that splits one
// dimension into several of unknown extent. Upstream's expansion of strided
// metadata derives one unknown extent from the whole and cannot derive two; the
// extents are operands of the op, so nothing has to be derived.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"

namespace janus {
#define GEN_PASS_DEF_JANUSEXPANDVIEWS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

bool splitsIntoSeveralUnknown(memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  return llvm::any_of(op.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
    return llvm::count_if(group, [&](int64_t dim) {
             return type.isDynamicDim(dim);
           }) > 1;
  });
}

/// The product of two extents or strides.
OpFoldResult product(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y) {
  std::optional<int64_t> left = getConstantIntValue(x);
  std::optional<int64_t> right = getConstantIntValue(y);
  if (left && right)
    return b.getIndexAttr(*left * *right);
  if (left == 1)
    return y;
  if (right == 1)
    return x;
  return arith::MulIOp::create(b, getValueOrCreateConstantIndexOp(b, b.getLoc(), x),
                               getValueOrCreateConstantIndexOp(b, b.getLoc(), y))
      .getResult();
}

void expand(memref::ExpandShapeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto source = memref::ExtractStridedMetadataOp::create(b, op.getSrc());
  SmallVector<OpFoldResult> strides = source.getConstifiedMixedStrides();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> made(sizes.size());
  for (auto [group, stride] : llvm::zip(op.getReassociationIndices(), strides)) {
    OpFoldResult next = stride;
    for (int64_t dim : llvm::reverse(group)) {
      made[dim] = next;
      next = product(b, next, sizes[dim]);
    }
  }
  auto view = memref::ReinterpretCastOp::create(
      b, op.getResultType(), source.getBaseBuffer(),
      source.getConstifiedMixedOffset(), sizes, made);
  op.replaceAllUsesWith(view.getResult());
  op.erase();
}

struct ExpandViews : janus::impl::JanusExpandViewsBase<ExpandViews> {
  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> found;
    getOperation()->walk([&](memref::ExpandShapeOp op) {
      if (splitsIntoSeveralUnknown(op))
        found.push_back(op);
    });
    llvm::for_each(found, expand);
  }
};

} // namespace
