//===- RemoveUnused.cpp - dead code ----------------------------------------===//
//
// In: functions. Out: the same without ops whose results reach no other result of the function,
// and without what loops carry for themselves alone.
//
//===----------------------------------------------------------------------===//

#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"

namespace janus {
#define GEN_PASS_DEF_REMOVEUNUSED
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// What one loop's results, its end and its side effects depend on.
class Needed {
public:
  explicit Needed(LoopLikeOpInterface loop) : loop(loop) {
    loop->walk([&](Operation *op) {
      if (op == loop || op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() ||
          isPure(op))
        return;
      // Whether it runs, too.
      for (; op != loop; op = op->getParentOp())
        addOperands(op);
    });
  }

  void add(Value value) {
    if (!values.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      return;
    addOperands(op);
  }
  bool contains(Value value) const { return values.contains(value); }

private:
  /// What an op reads, in its regions too.
  void addOperands(Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        add(operand);
    });
  }

  LoopLikeOpInterface loop;
  llvm::DenseSet<Value> values;
};

/// Repeats `step` until it finds nothing more.
template <typename Step> void untilStable(Step step) {
  while (step())
    ;
}

/// What is carried for nothing is passed on as it is.
void stopCarrying(scf::WhileOp loop) {
  Needed needed(loop);
  scf::ConditionOp condition = loop.getConditionOp();
  scf::YieldOp yield = loop.getYieldOp();
  needed.add(condition.getCondition());
  size_t carried = loop.getInits().size(), passed = loop.getNumResults();
  llvm::SmallVector<bool> isCarried(carried, false), isPassed(passed, false);
  untilStable([&] {
    bool changed = false;
    for (size_t i = 0; i < passed; ++i)
      if (!isPassed[i] &&
          (!loop.getResult(i).use_empty() || needed.contains(loop.getAfterArguments()[i]))) {
        needed.add(condition.getArgs()[i]);
        changed = isPassed[i] = true;
      }
    for (size_t i = 0; i < carried; ++i)
      if (!isCarried[i] && needed.contains(loop.getBeforeArguments()[i])) {
        needed.add(yield.getOperand(i));
        changed = isCarried[i] = true;
      }
    return changed;
  });
  for (size_t i = 0; i < carried; ++i)
    if (!isCarried[i])
      yield->setOperand(i, loop.getInits()[i]);
}

void stopCarrying(scf::ForOp loop) {
  Needed needed(loop);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  llvm::SmallVector<bool> isCarried(loop.getInitArgs().size(), false);
  untilStable([&] {
    bool changed = false;
    for (size_t i = 0; i < isCarried.size(); ++i)
      if (!isCarried[i] &&
          (!loop.getResult(i).use_empty() || needed.contains(loop.getRegionIterArg(i)))) {
        needed.add(yield.getOperand(i));
        changed = isCarried[i] = true;
      }
    return changed;
  });
  for (size_t i = 0; i < isCarried.size(); ++i)
    if (!isCarried[i])
      yield->setOperand(i, loop.getRegionIterArg(i));
}

struct RemoveUnused : janus::impl::RemoveUnusedBase<RemoveUnused> {
  void runOnOperation() override {
    SmallVector<Operation *> loops;
    getOperation().walk([&](Operation *op) {
      if (isa<scf::WhileOp, scf::ForOp>(op))
        loops.push_back(op);
    });
    for (Operation *op : loops) {
      if (auto loop = dyn_cast<scf::WhileOp>(op))
        stopCarrying(loop);
      else
        stopCarrying(cast<scf::ForOp>(op));
    }
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    if (loops.empty())
      return;
    RewritePatternSet patterns(&getContext());
    scf::WhileOp::getCanonicalizationPatterns(patterns, &getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    loops.clear();
    getOperation().walk([&](Operation *op) {
      if (isa<scf::WhileOp, scf::ForOp>(op))
        loops.push_back(op);
    });
    (void)applyOpPatternsGreedily(loops, std::move(patterns));
  }
};
} // namespace
