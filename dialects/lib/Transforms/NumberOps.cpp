//===- NumberOps.cpp - each op's number in its location -------------------===//
//
// In: graphs. Out: the same; each op's location is fused with the op's number.
//
//===----------------------------------------------------------------------===//

#include "janus/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace janus {
#define GEN_PASS_DEF_NUMBEROPS
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {
struct NumberOps : public janus::impl::NumberOpsBase<NumberOps> {
  void runOnOperation() override {
    Builder builder(&getContext());
    int64_t number = 0;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      op->setLoc(builder.getFusedLoc({op->getLoc()}, builder.getI64IntegerAttr(number++)));
    });
  }
};
} // namespace
