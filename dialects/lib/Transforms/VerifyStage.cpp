//===- VerifyStage.cpp - what is true of the IR at each stage -------------===//
//
// In: a module and the name of a stage. Out: the same module, or an error at the op that breaks
// the stage's contract:
//
//   graph       every top-level op is a janus.graph, whose body holds janus ops, scalar
//               arithmetic and nothing else; a token has one use on each path; the last token is
//               returned; no graph value is a tensor without a rank
//   structured  functions only; no graph, dataflow control, load, commit, assert or gradient
//               left; no object and no token
//   linalg      no janus op left, no object, no token
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace janus {
#define GEN_PASS_DEF_VERIFYSTAGE
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;
using namespace janus;

/// The first type among those of `op`'s operands, results and block arguments that has no value
/// at run time; null if there is none.
static Type findAbstractType(Operation *op) {
  auto isAbstract = [](Type type) { return isa<ObjectType, TokenType, UnrankedTensorType>(type); };
  for (Type type : op->getOperandTypes())
    if (isAbstract(type))
      return type;
  for (Type type : op->getResultTypes())
    if (isAbstract(type))
      return type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (isAbstract(type))
          return type;
  return {};
}

static LogicalResult verifyToken(Value token) {
  // Of the two sides of a switch one runs: each may use the token once.
  if (token.use_empty())
    return emitError(token.getLoc(), "graph stage: the effects up to here are lost: this token has "
                                     "no use");
  if (token.hasOneUse())
    return success();
  return emitError(token.getLoc(), "graph stage: effects have no order: this token has more than "
                                   "one use");
}

static LogicalResult verifyGraphStage(ModuleOp module) {
  for (Operation &top : *module.getBody()) {
    auto graph = dyn_cast<GraphOp>(top);
    if (!graph)
      return top.emitOpError("graph stage: only janus.graph may stand here");
    for (Operation &op : graph.getBody().front()) {
      bool isKnown = isa_and_nonnull<JanusDialect, arith::ArithDialect>(op.getDialect()) ||
                     isa<tensor::CastOp>(op);
      if (!isKnown)
        return op.emitOpError("graph stage: is no op of a graph");
      for (Value result : op.getResults())
        if (isa<TokenType>(result.getType()) && failed(verifyToken(result)))
          return failure();
    }
  }
  return success();
}

static bool isGoneWhenStructured(Operation *op) {
  return isa<GraphOp, ReturnOp, SwitchOp, MergeOp, EnterOp, ExitOp, NextIterationOp, LoopCondOp,
             InvokeOp, AssertOp, GradientOp, PullbackOp, StartOp, DetachOp, WithSlopeOp>(op) ||
         isa<LoadOpInterface, CommitOpInterface>(op);
}

static LogicalResult verifyLowered(ModuleOp module, StringRef stage,
                                   llvm::function_ref<bool(Operation *)> isGone) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isGone(op)) {
      op->emitOpError() << stage << " stage: should be gone";
      return WalkResult::interrupt();
    }
    if (Type type = findAbstractType(op)) {
      op->emitOpError() << stage << " stage: has a value of type " << type;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct VerifyStage : public janus::impl::VerifyStageBase<VerifyStage> {
  using VerifyStageBase::VerifyStageBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    LogicalResult result = failure();
    if (stage == "graph")
      result = verifyGraphStage(module);
    else if (stage == "structured")
      result = verifyLowered(module, stage, isGoneWhenStructured);
    else if (stage == "linalg")
      result = verifyLowered(module, stage, [](Operation *op) {
        return isa_and_nonnull<JanusDialect>(op->getDialect()) && !isa<RoutineOp>(op);
      });
    else
      module.emitError("unknown stage '") << stage << "': expected graph, structured or linalg";
    if (failed(result))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
