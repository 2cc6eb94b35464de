//===- LoopAdjoint.cpp - the adjoint of scf.while -------------------------===//
//
// In: a loop and the gradients of its results. Out: after it, a loop that takes its iterations in
// reverse; the gradients of what it started with and of what it uses. The loop itself counts its
// iterations and saves what of them is read again (LoopValues.h). One with calls, which may not run
// again, leaves records of its iterations instead (Records.h), each with the place of the one
// before, and the reverse loop follows them.
//
// The reverse loop carries the gradients of what the loop carries, and what was added up so far
// for each value from outside. One step of it goes backwards through `after` and then through
// `before`, each in the loop's order, as the tape would; the last run of `before`, which no
// `after` follows, is gone through first.
//
// Holds: gradients are added up in tier 0's order, from -0.0 where there was none. Which of them
// are there from the start, and which only after some steps, is found by trying: a step is made
// for the gradients that arrive at the end of the loop, and made again for those that it leaves
// as well, until it leaves what it started from.
//
//===----------------------------------------------------------------------===//

#include "Adjoint.h"
#include "janus/Transforms/Limitation.h"
#include "CallAdjoint.h"
#include "LoopValues.h"
#include "Records.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace janus;

namespace {
/// Whether a gradient is there at the start of a step.
enum class Presence { never, sometimes, always };

class LoopAdjoint {
public:
  LoopAdjoint(Expansion &expansion, scf::WhileOp loop, Gradients &gradients)
      : expansion(expansion), builder(expansion.builder), loop(loop), loc(gradientLocation(loop)),
        gradients(gradients), values(expansion, loop), outer(expansion.collectOuter(loop)),
        isRecorded(loop->hasAttr(recordedAttr)) {}

  LogicalResult run();

private:
  /// What the reverse loop carries, by the same numbers: gradients of the arguments of `before`,
  /// then of the values of `outer`.
  size_t getNumSums() { return loop.getInits().size() + outer.size(); }
  Value getLike(size_t i) {
    size_t carried = loop.getInits().size();
    return i < carried ? loop.getInits()[i] : outer[i - carried];
  }

  LogicalResult visitLast(SmallVectorImpl<Sum> &sums);
  /// Makes the reverse loop; `left` are the gradients that a step ends with.
  LogicalResult makeStep(ArrayRef<Sum> first, ArrayRef<Presence> presences,
                         SmallVectorImpl<Sum> &left);
  void endStep(ArrayRef<Presence> presences, ArrayRef<Sum> left);
  Value getCount() { return isRecorded ? loop.getResults().end()[-2] : values.getCount(); }
  void adoptCopy();

  Expansion &expansion;
  OpBuilder &builder;
  scf::WhileOp loop;
  Location loc;
  Gradients &gradients;
  LoopValues values;
  llvm::SetVector<Value> outer;
  scf::ForOp reverse;
  LoopCopy copy;
  Value number;
  bool isRecorded;
  std::optional<BlockRecord> record;
};
} // namespace

static Presence getPresence(Sum sum) {
  if (!sum.value)
    return Presence::never;
  return sum.present ? Presence::sometimes : Presence::always;
}

/// Goes backwards through the last run of `before`.
LogicalResult LoopAdjoint::visitLast(SmallVectorImpl<Sum> &sums) {
  LoopCopy last = values.copy(/*whole=*/false);
  for (auto [result, value] : llvm::zip(loop.getResults(), loop.getConditionOp().getArgs())) {
    Sum arriving = Expansion::lookup(gradients, result);
    Value here = last.mapping.lookupOrDefault(value);
    if (arriving.value && expansion.isActive(here))
      expansion.add(gradients, here, arriving, loc);
  }
  if (failed(expansion.visitAll(last.head, gradients)))
    return failure();
  for (Value placeholder : last.carried)
    sums.push_back(Expansion::lookup(gradients, placeholder));
  for (Value value : outer)
    sums.push_back(Expansion::lookup(gradients, value));
  values.resolveLast(last);
  return success();
}

/// Makes a copied iteration stand for one of the loop that was run, which leaves the record.
void LoopAdjoint::adoptCopy() {
  auto original = cast<scf::WhileOp>(expansion.getOriginal(loop));
  record.emplace(expansion, *original.getAfterBody());
  OperandRange passed = original.getConditionOp().getArgs();
  auto inAfter = [&](Value value) -> Value {
    return original.getAfterArguments()[llvm::find(passed, value) - passed.begin()];
  };
  for (auto [placeholder, argument] : llvm::zip(copy.carried, original.getBeforeArguments()))
    record->adopt(placeholder.getDefiningOp(), inAfter(argument));
  for (auto [again, own] :
       llvm::zip(copy.head, original.getBeforeBody()->without_terminator())) {
    expansion.setOriginal(again, &own);
    if (!own.hasTrait<OpTrait::ConstantLike>())
      record->adopt(again, llvm::map_to_vector(own.getResults(), inAfter));
  }
  for (auto [again, own] : llvm::zip(copy.body, original.getAfterBody()->without_terminator())) {
    expansion.setOriginal(again, &own);
    record->adopt(again, own.getResults());
  }
}

LogicalResult LoopAdjoint::makeStep(ArrayRef<Sum> first, ArrayRef<Presence> presences,
                                    SmallVectorImpl<Sum> &left) {
  SmallVector<Value> inits;
  for (auto [i, presence] : llvm::enumerate(presences)) {
    if (presence == Presence::never)
      continue;
    inits.push_back(valueOf(builder, loc, first[i], getLike(i)));
    if (presence == Presence::sometimes)
      inits.push_back(presenceOf(builder, loc, first[i]));
  }
  if (isRecorded)
    inits.push_back(loop.getResults().back());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  reverse = scf::ForOp::create(builder, loc, zero, getCount(), one, inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(reverse.getBody());
  Value rest = arith::SubIOp::create(builder, loc, getCount(), reverse.getInductionVar());
  number = arith::SubIOp::create(builder, loc, rest, one);

  copy = values.copy(/*whole=*/true);
  if (isRecorded)
    adoptCopy();
  Gradients inside;
  unsigned next = 0;
  for (auto [i, presence] : llvm::enumerate(presences)) {
    if (presence == Presence::never)
      continue;
    Sum sum{reverse.getRegionIterArg(next++), {}};
    if (presence == Presence::sometimes)
      sum.present = reverse.getRegionIterArg(next++);
    size_t carried = loop.getInits().size();
    if (i >= carried) {
      // What goes on to the next iteration comes after it, backwards.
      Sum &known = inside[outer[i - carried]];
      Sum arrived = known;
      known = sum;
      if (arrived.value)
        expansion.add(inside, outer[i - carried], arrived, loc);
      continue;
    }
    Value value = copy.mapping.lookupOrDefault(loop.getYieldOp().getResults()[i]);
    if (expansion.isActive(value))
      expansion.add(inside, value, sum, loc);
  }
  if (failed(expansion.visitAll(copy.body, inside)) ||
      failed(expansion.visitAll(copy.head, inside)))
    return failure();
  for (Value placeholder : copy.carried)
    left.push_back(Expansion::lookup(inside, placeholder));
  for (Value value : outer)
    left.push_back(Expansion::lookup(inside, value));
  return success();
}

void LoopAdjoint::endStep(ArrayRef<Presence> presences, ArrayRef<Sum> left) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(reverse.getBody());
  SmallVector<Value> yielded;
  for (auto [i, presence] : llvm::enumerate(presences)) {
    if (presence == Presence::never)
      continue;
    yielded.push_back(valueOf(builder, loc, left[i], getLike(i)));
    if (presence == Presence::sometimes)
      yielded.push_back(presenceOf(builder, loc, left[i]));
  }
  // The record of the iteration before.
  if (isRecorded)
    yielded.push_back(copy.carried.back());
  if (yielded.empty())
    return; // there is a yield already
  scf::YieldOp::create(builder, loc, yielded);
}

LogicalResult LoopAdjoint::run() {
  getCount(); // stands before all that reads it
  SmallVector<Sum> first;
  if (failed(visitLast(first)))
    return failure();
  size_t carried = loop.getInits().size();
  bool goesOn = llvm::any_of(ArrayRef(first).take_front(carried),
                             [](Sum sum) { return static_cast<bool>(sum.value); });
  if (!goesOn)
    return values.finish(gradients);

  SmallVector<Presence> presences = llvm::to_vector(llvm::map_range(first, getPresence));
  SmallVector<Sum> left;
  for (;;) {
    if (failed(makeStep(first, presences, left)))
      return failure();
    bool isStable = true;
    for (auto [presence, sum] : llvm::zip_equal(presences, left))
      if (presence != Presence::sometimes && presence != getPresence(sum)) {
        presence = Presence::sometimes;
        isStable = false;
      }
    if (isStable)
      break;
    expansion.erase(reverse);
    left.clear();
  }
  // The tensors that are carried must stay what they are.
  for (auto [i, presence] : llvm::enumerate(presences)) {
    if (i == carried)
      break;
    SmallVector<Value> extents;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(reverse);
    if (presence != Presence::never &&
        failed(values.getExtents().get(builder, loc, loop.getBeforeArguments()[i], extents)))
      return limit(emitError(loop.getLoc(), "a gradient through a loop that carries a ")
                       << loop.getBeforeArguments()[i].getType()
                       << " of changing extents has no graph form yet",
                   Limitation::gradient);
  }
  endStep(presences, left);
  if (isRecorded)
    record->resolve(*reverse.getBody(), reverse.getRegionIterArgs().back());
  else if (failed(values.resolve(copy, *reverse.getBody(), number)))
    return failure();

  SmallVector<Sum> last(getNumSums());
  unsigned next = 0;
  for (auto [i, presence] : llvm::enumerate(presences)) {
    if (presence == Presence::never)
      continue;
    last[i].value = reverse.getResult(next++);
    if (presence == Presence::sometimes)
      last[i].present = reverse.getResult(next++);
  }
  SmallVector<Value> inits(loop.getInits());
  for (auto [value, sum] : llvm::zip(outer, ArrayRef(last).drop_front(carried)))
    if (sum.value)
      gradients[value] = sum;
  for (auto [init, sum] : llvm::zip(inits, ArrayRef(last).take_front(carried)))
    if (sum.value && expansion.isActive(init))
      expansion.add(gradients, init, sum, loc);
  return values.finish(gradients);
}

LogicalResult janus::visitWhile(Expansion &expansion, scf::WhileOp loop, Gradients &gradients) {
  return LoopAdjoint(expansion, loop, gradients).run();
}
