//===- RemoveUnused.cpp - dead code ----------------------------------------===//
//
// In: functions. Out: the same without ops whose results reach no other result of the function.
//
//===----------------------------------------------------------------------===//

#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace janus {
#define GEN_PASS_DEF_REMOVEUNUSED
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {
struct RemoveUnused : janus::impl::RemoveUnusedBase<RemoveUnused> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
