//===- AlignLoops.cpp - One number for what a loop carries -------------------===//
//
// In: functions with scf.while. Out: the same; each scf.while passes on all
// arguments of `before`, in their order, and then whatever else it did. What is
// carried so has one number throughout, which is what bufferisation goes by.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace janus {
#define GEN_PASS_DEF_JANUSALIGNLOOPS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

bool isAligned(scf::WhileOp loop) {
  OperandRange passed = loop.getConditionOp().getArgs();
  unsigned count = loop.getBeforeArguments().size();
  return passed.size() >= count &&
         llvm::equal(passed.take_front(count), ValueRange(loop.getBeforeArguments()));
}

void align(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Value> passed(ValueRange(loop.getBeforeArguments()));
  // Where each value that was passed is now.
  SmallVector<unsigned> places;
  for (Value value : condition.getArgs()) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == loop.getBeforeBody()) {
      places.push_back(argument.getArgNumber());
      continue;
    }
    places.push_back(passed.size());
    passed.push_back(value);
  }

  OpBuilder b(loop);
  auto aligned = scf::WhileOp::create(b, loc, TypeRange(ValueRange(passed)), loop.getInits());
  aligned->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  condition.getArgsMutable().assign(passed);
  Block *after = loop.getAfterBody();
  unsigned old = after->getNumArguments();
  for (Value value : passed)
    after->addArgument(value.getType(), loc);
  for (auto [i, place] : llvm::enumerate(places)) {
    after->getArgument(i).replaceAllUsesWith(after->getArgument(old + place));
    loop.getResult(i).replaceAllUsesWith(aligned.getResult(place));
  }
  after->eraseArguments(0, old);
  aligned.getBefore().takeBody(loop.getBefore());
  aligned.getAfter().takeBody(loop.getAfter());
  loop.erase();
}

struct AlignLoops : janus::impl::JanusAlignLoopsBase<AlignLoops> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) {
      if (!isAligned(loop))
        loops.push_back(loop);
    });
    for (scf::WhileOp loop : loops)
      align(loop);
  }
};

} // namespace
