//===- CollapseLoops.cpp - Merge contiguous loop dimensions -----------------===//
//
// In: linalg ops on buffers. Out: the same, where adjacent dimensions of one kind
// that every operand walks in one contiguous run are one dimension. Long inner
// loops vectorise; rows of ten elements do not. The order of elements is kept.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace janus {
#define GEN_PASS_DEF_JANUSCOLLAPSELOOPS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// Whether loop dimensions `dim` and `dim + 1` can be one.
bool canMerge(linalg::GenericOp op, unsigned dim) {
  auto iterators = op.getIteratorTypesArray();
  if (iterators[dim] != iterators[dim + 1])
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<unsigned> first, second;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      if (expr == getAffineDimExpr(dim, op.getContext()))
        first = i;
      if (expr == getAffineDimExpr(dim + 1, op.getContext()))
        second = i;
    }
    if (first.has_value() != second.has_value())
      return false;
    if (!first)
      continue;
    if (*second != *first + 1)
      return false;
    auto type = cast<MemRefType>(operand.get().getType());
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (i == static_cast<int64_t>(*second))
        groups.back().push_back(i);
      else
        groups.push_back({i});
    }
    if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
      return false;
  }
  return true;
}

struct CollapseLoops : janus::impl::JanusCollapseLoopsBase<CollapseLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> worklist;
    getOperation().walk([&](linalg::GenericOp op) {
      bool plain = llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation();
      });
      if (plain && op.hasPureBufferSemantics() && !op.hasIndexSemantics())
        worklist.push_back(op);
    });
    for (linalg::GenericOp op : worklist) {
      SmallVector<ReassociationIndices> groups;
      bool merged = false;
      for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
        if (dim > 0 && canMerge(op, dim - 1)) {
          groups.back().push_back(dim);
          merged = true;
        } else {
          groups.push_back({static_cast<int64_t>(dim)});
        }
      }
      if (!merged)
        continue;
      rewriter.setInsertionPoint(op);
      auto collapsed = linalg::collapseOpIterationDims(op, groups, rewriter);
      if (succeeded(collapsed))
        rewriter.eraseOp(op);
    }
  }
};

} // namespace
