//===- ControlToBranches.cpp - scf to branches, the last op first ------------===//
//
// In: functions with scf ops. Out: the same with cf ops, by upstream's patterns.
// Always: an op's block is split where the op is. Going from the last op to the
// first, what is moved by a split is only what lies before the next op; from the
// first to the last it would be all the rest of the function each time.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace janus {
#define GEN_PASS_DEF_JANUSCONTROLTOBRANCHES
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

struct ControlToBranches
    : janus::impl::JanusControlToBranchesBase<ControlToBranches> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();

    SmallVector<Operation *> worklist;
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
      if (isa<scf::SCFDialect>(op->getDialect()) &&
          !op->hasTrait<OpTrait::IsTerminator>())
        worklist.push_back(op);
    });
    PatternRewriter rewriter(&getContext());
    for (Operation *op : worklist) {
      rewriter.setInsertionPoint(op);
      if (failed(applicator.matchAndRewrite(op, rewriter))) {
        op->emitError("has no lowering to branches");
        return signalPassFailure();
      }
    }
  }
};

} // namespace
