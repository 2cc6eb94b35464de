//===- SplitDeallocations.cpp - A dealloc of its own for each buffer --------===//
//
// In: functions after ownership-based deallocation, which frees all buffers of a
// block by one op. Out: an allocation, or a call's result, which is one of the
// callee's, that is freed in any case and that no other buffer of its op may be a
// view of has an op of its own. Always: what is left is
// for upstream's simplification, which compares every buffer of an op with every
// other one and would be quadratic in all of them.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

namespace janus {
#define GEN_PASS_DEF_JANUSSPLITDEALLOCATIONS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

struct SplitDeallocations
    : janus::impl::JanusSplitDeallocationsBase<SplitDeallocations> {
  void runOnOperation() override {
    SmallVector<bufferization::DeallocOp> worklist;
    getOperation().walk([&](bufferization::DeallocOp op) {
      if (op.getMemrefs().size() > 1)
        worklist.push_back(op);
    });
    if (worklist.empty())
      return;
    BufferViewFlowAnalysis flow(getOperation());
    for (bufferization::DeallocOp op : worklist)
      split(op, flow);
  }

  void split(bufferization::DeallocOp op, const BufferViewFlowAnalysis &flow) {
    DenseMap<Value, unsigned> mentions;
    for (Value memref : op.getMemrefs())
      ++mentions[memref];
    for (Value retained : op.getRetained())
      ++mentions[retained];

    SmallVector<Value> buffers(op.getMemrefs());
    llvm::append_range(buffers, op.getRetained());
    auto isAlone = [&](Value memref) {
      if (memref.getDefiningOp<memref::AllocOp>())
        return llvm::none_of(flow.resolve(memref), [&](Value view) {
          return view != memref && mentions.contains(view);
        });
      Value root = janus::rootOf(memref);
      return root.getDefiningOp<func::CallOp>() && llvm::all_of(buffers, [&](Value other) {
               return other == memref || janus::areDistinct(root, janus::rootOf(other));
             });
    };
    OpBuilder b(op);
    SmallVector<Value> memrefs, conditions;
    for (auto [memref, condition] : llvm::zip(op.getMemrefs(), op.getConditions())) {
      bool own = matchPattern(condition, m_One()) && mentions[memref] == 1 && isAlone(memref);
      if (own) {
        bufferization::DeallocOp::create(b, op.getLoc(), TypeRange(), memref,
                                         condition, ValueRange());
        continue;
      }
      memrefs.push_back(memref);
      conditions.push_back(condition);
    }
    op.getMemrefsMutable().assign(memrefs);
    op.getConditionsMutable().assign(conditions);
  }
};

} // namespace
