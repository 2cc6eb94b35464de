//===- Autodiff.cpp - janus.gradient to the ops it stands for -------------===//
//
// In: functions in structured control flow with janus.gradient. Out: the same with the adjoint
// of every op between the loss and what it is differentiated by; no janus.gradient and no
// janus.detach and no janus.with_slope left.
//
// Holds: the order in which a value's gradients are added up is the one that gradients.txt
// specifies, so that tier 0's tape gives the same bits: ops are visited in the reverse of their
// order in the function (nothing may reorder or share ops before this pass), operands from left
// to right. A gradient is expanded where it stands, and gradients are expanded in their order, so
// that a later one differentiates what an earlier one became.
//
// Why the structured form and not the dataflow graph: what ran before what, which the order above
// is about, is simply the order of ops in blocks; an adjoint needs one case per scf op and none
// for switch, merge, enter, exit and next_iteration, whose duals need each other to be in place.
//
// The adjoint of an scf.if is an scf.if that runs the taken branch again and then backwards; it
// starts from what has been added up so far. A call never runs again: what the adjoint reads of a
// callee, of a branch with calls, or of an iteration with calls is in a record that these leave
// (CallAdjoint.cpp, Records.cpp). For loops see LoopAdjoint.cpp. The adjoint of a loop or a call has no adjoint
// itself: a region that asks for it stays in tier 0.
//
//===----------------------------------------------------------------------===//

#include "Adjoint.h"
#include "CallAdjoint.h"
#include "Expansion.h"
#include "GradientsText.h"
#include "Records.h"
#include "janus/Transforms/Passes.h"
#include "janus/Transforms/Limitation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace janus {
#define GEN_PASS_DEF_AUTODIFF
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;
using namespace janus;

bool janus::isDifferentiable(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

Value janus::presenceOf(OpBuilder &builder, Location loc, Sum sum) {
  if (sum.value && sum.present)
    return sum.present;
  return arith::ConstantIntOp::create(builder, loc, sum.value ? 1 : 0, 1);
}

Value janus::valueOf(OpBuilder &builder, Location loc, Sum sum, Value like) {
  return sum.value ? sum.value : makeSplatLike(builder, loc, -0.0, like);
}

//===----------------------------------------------------------------------===//
// What depends on what is differentiated by
//===----------------------------------------------------------------------===//

bool Expansion::flowsTo(Operation *op, unsigned index) {
  if (isa<tensor::CastOp>(op))
    return true;
  if (!isa_and_nonnull<JanusDialect>(op->getDialect()))
    return false;
  const GradientRule *rule = table.lookup(op->getName().stripDialect());
  // An op without a rule is an error if a gradient arrives at it, so it must not go unnoticed.
  return !rule || rule->getClause(index);
}

void Expansion::copyActivity(Value other, Value value) {
  if (active.contains(other) && isDifferentiable(value))
    active.insert(value);
}

void Expansion::propagate(Block &block) {
  for (Operation &op : block)
    propagate(&op);
}

void Expansion::propagateWhile(scf::WhileOp op) {
  auto copyAll = [&](ValueRange from, ValueRange to) {
    for (auto [other, value] : llvm::zip_equal(from, to))
      copyActivity(other, value);
  };
  copyAll(op.getInits(), op.getBeforeArguments());
  // What one iteration makes active is so in the next one.
  for (size_t before = ~size_t(0); before != active.size();) {
    before = active.size();
    propagate(*op.getBeforeBody());
    copyAll(op.getConditionOp().getArgs(), op.getAfterArguments());
    propagate(*op.getAfterBody());
    copyAll(op.getYieldOp().getResults(), op.getBeforeArguments());
  }
  copyAll(op.getConditionOp().getArgs(), op.getResults());
}

void Expansion::propagate(Operation *op) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      propagate(region.front());
      for (auto [result, yielded] :
           llvm::zip(op->getResults(), region.front().getTerminator()->getOperands()))
        copyActivity(yielded, result);
    }
    return;
  }
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return propagateWhile(whileOp);
  bool isActive = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    isActive |= active.contains(operand) && flowsTo(op, i);
  // The results of another loop or of a call depend on all that goes in or is used inside.
  if (op->getNumRegions() != 0 || isa<func::CallOp>(op)) {
    isActive |= llvm::any_of(op->getOperands(), [&](Value v) { return active.contains(v); });
    op->walk([&](Operation *inner) {
      isActive |= llvm::any_of(inner->getOperands(), [&](Value v) { return active.contains(v); });
    });
  }
  if (!isActive)
    return;
  for (Value result : op->getResults())
    if (isDifferentiable(result))
      active.insert(result);
}

llvm::SetVector<Value> Expansion::collectOuter(Operation *op) const {
  llvm::SetVector<Value> outer;
  op->walk([&](Operation *inner) {
    if (inner == op)
      return;
    for (Value operand : inner->getOperands())
      if (active.contains(operand) && !op->isAncestor(operand.getParentBlock()->getParentOp()))
        outer.insert(operand);
  });
  return outer;
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

Sum Expansion::lookup(const Gradients &gradients, Value value) {
  auto found = gradients.find(value);
  return found == gradients.end() ? Sum() : found->second;
}

/// Whether `block` is in a loop that `value` is not in.
static bool isInLoopAround(Block *block, Value value) {
  for (Operation *at = block->getParentOp(); at; at = at->getParentOp()) {
    if (at->isAncestor(value.getParentBlock()->getParentOp()))
      return false;
    if (isa<LoopLikeOpInterface>(at))
      return true;
  }
  return false;
}

bool Expansion::mayAddAsAWhole(Value result, Value value) const {
  SmallVector<unsigned, 2> ones = times.lookup(result), others = times.lookup(value);
  if (ones.empty() || others.empty() || ones.size() + others.size() == 2)
    return true;
  auto comesLast = [](ArrayRef<unsigned> one, ArrayRef<unsigned> rest) {
    return one.size() == 1 && one.front() > rest.back();
  };
  return comesLast(ones, others) || comesLast(others, ones);
}

void Expansion::add(Gradients &gradients, Value value, Sum contribution, Location loc) {
  times[value].append(isInLoopAround(builder.getInsertionBlock(), value) ? 2 : 1, now++);
  Sum &sum = gradients[value];
  if (!sum.value) {
    sum = contribution;
    return;
  }
  sum.value = AddOp::create(builder, loc, sum.value.getType(), sum.value, contribution.value);
  if (!sum.present || !contribution.present)
    sum.present = {};
  else if (sum.present != contribution.present)
    sum.present = arith::OrIOp::create(builder, loc, sum.present, contribution.present);
}

Value Expansion::getGuard(Operation *op, const Gradients &gradients) const {
  Value guard;
  for (Value result : op->getResults()) {
    Sum sum = lookup(gradients, result);
    if (!sum.value || !active.contains(result))
      continue;
    if (!sum.present || (guard && guard != sum.present))
      return {};
    guard = sum.present;
  }
  return guard;
}

LogicalResult Expansion::visitAll(ArrayRef<Operation *> ops, Gradients &gradients) {
  while (!ops.empty()) {
    if (Value present = getGuard(ops.back(), gradients)) {
      if (failed(visitGuarded(ops, present, gradients)))
        return failure();
      continue;
    }
    if (failed(visit(ops.back(), gradients)))
      return failure();
    ops = ops.drop_back();
  }
  return success();
}

LogicalResult Expansion::visitGuarded(ArrayRef<Operation *> &ops, Value present,
                                      Gradients &gradients) {
  Location loc = ops.back()->getLoc();
  auto shell = scf::IfOp::create(builder, loc, TypeRange(), present, /*addThenBlock=*/true,
                                 /*addElseBlock=*/true);
  Gradients inside = gradients;
  for (auto &[value, sum] : inside)
    if (sum.present == present)
      sum.present = {};
  // Whether a value has a gradient here if and only if `present` holds.
  auto isGuarded = [&](Value value) {
    Sum sum = lookup(gradients, value);
    return !sum.value || sum.present == present;
  };
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(shell.thenBlock());
  while (!ops.empty()) {
    Operation *op = ops.back();
    if (!llvm::all_of(op->getResults(), [&](Value result) {
          return !active.contains(result) || !lookup(inside, result).value || isGuarded(result);
        }))
      break;
    if (failed(visit(op, inside)))
      return failure();
    ops = ops.drop_back();
  }

  SmallVector<Value> changed, then, otherwise;
  SmallVector<Type> types;
  for (auto &[value, sum] : inside) {
    Sum old = lookup(gradients, value);
    // A loop that was replaced in here has results that nothing stands for any more.
    Operation *op = value.getDefiningOp();
    if (!sum.value || sum.value == old.value || (op && !op->getBlock()))
      continue;
    changed.push_back(value);
    builder.setInsertionPointToEnd(shell.thenBlock());
    then.append({sum.value, presenceOf(builder, loc, sum)});
    builder.setInsertionPointToEnd(shell.elseBlock());
    otherwise.append({valueOf(builder, loc, old, value), presenceOf(builder, loc, old)});
    types.append({sum.value.getType(), builder.getI1Type()});
  }
  builder.setInsertionPointToEnd(shell.thenBlock());
  scf::YieldOp::create(builder, loc, then);
  builder.setInsertionPointToEnd(shell.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  builder.setInsertionPoint(shell);
  auto adjoint = scf::IfOp::create(builder, loc, types, present, /*addThenBlock=*/false,
                                   /*addElseBlock=*/false);
  adjoint.getThenRegion().takeBody(shell.getThenRegion());
  adjoint.getElseRegion().takeBody(shell.getElseRegion());
  erase(shell);
  for (auto [i, value] : llvm::enumerate(changed)) {
    Sum old = lookup(gradients, value), now{adjoint.getResult(2 * i), {}};
    bool stays = old.value && !old.present;
    // What came about in here is there where this ran.
    bool isNew = isGuarded(value) && !lookup(inside, value).present;
    now.present = stays ? Value() : isNew ? present : Value(adjoint.getResult(2 * i + 1));
    gradients[value] = now;
  }
  return success();
}

LogicalResult Expansion::visit(Operation *op, Gradients &gradients) {
  bool arrives = llvm::any_of(op->getResults(), [&](Value result) {
    return active.contains(result) && lookup(gradients, result).value;
  });
  if (!arrives)
    return success();
  bool isRepeated = isa<LoopLikeOpInterface>(op) && !op->hasAttr(recordedAttr);
  if (!isa<func::CallOp>(op) && (isRepeated || !calls) && hasCall(op))
    return limit(
        op->emitOpError(isRepeated ? "gradient of a call inside of a loop has no graph form yet"
                                   : "gradient from outside through a call has no graph form yet"),
        Limitation::gradient);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return visitIf(ifOp, gradients);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return visitWhile(*this, whileOp, gradients);
  if (isa<LoopLikeOpInterface>(op))
    return limit(op->emitOpError("gradient of a gradient through a loop has no graph form yet"),
                 Limitation::gradient);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    if (!calls)
      return limit(op->emitOpError("gradient from outside through a call has no graph form yet"),
                   Limitation::gradient);
    return calls->visit(*this, call, gradients);
  }
  Sum sum = lookup(gradients, op->getResult(0));
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    Value operand = cast.getSource();
    Location loc = gradientLocation(op);
    sum.value = conform(builder, loc, sum.value, operand.getType());
    if (active.contains(operand))
      add(gradients, operand, sum, loc);
    return success();
  }
  // What is differentiated by may be made of nothing that is.
  if (llvm::none_of(op->getOperands(), [&](Value operand) { return active.contains(operand); }))
    return success();
  const GradientRule *rule = nullptr;
  if (isa_and_nonnull<JanusDialect>(op->getDialect()))
    rule = table.lookup(op->getName().stripDialect());
  if (!rule)
    return op->emitOpError("has no gradient");
  Adjoint adjoint(builder, op, *rule, sum.value);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!active.contains(operand) || !rule->getClause(i))
      continue;
    Value contribution = adjoint.get(i);
    if (!contribution)
      return failure();
    add(gradients, operand, {contribution, sum.present}, gradientLocation(op));
  }
  return success();
}

/// Runs `block` again in `into`, then backwards. With a record, what is read of `block` is still to
/// be resolved.
LogicalResult Expansion::visitBranch(scf::IfOp op, Block &block, Block &into, Gradients &gradients,
                                     BlockRecord *record) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&into);
  IRMapping mapping;
  SmallVector<Operation *> again;
  if (record) {
    record->copy(block, mapping);
    llvm::append_range(again, record->getCopies());
  } else {
    for (Operation &inner : block.without_terminator()) {
      again.push_back(builder.clone(inner, mapping));
      propagate(again.back());
    }
  }
  for (auto [result, yielded] : llvm::zip(op.getResults(), block.getTerminator()->getOperands())) {
    Sum arriving = lookup(gradients, result);
    Value value = mapping.lookupOrDefault(yielded);
    if (arriving.value && active.contains(value))
      add(gradients, value, arriving, op.getLoc());
  }
  return visitAll(again, gradients);
}

LogicalResult Expansion::visitIf(scf::IfOp op, Gradients &gradients) {
  Location loc = op.getLoc();
  llvm::SetVector<Value> outer = collectOuter(op);
  if (outer.empty())
    return success();
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    for (auto [result, yielded] :
         llvm::zip(op.getResults(), region.front().getTerminator()->getOperands()))
      if (outer.contains(yielded) && lookup(gradients, result).value &&
          !mayAddAsAWhole(result, yielded))
        return limit(op->emitOpError("gradient of a tensor with another name on one side of a "
                                     "branch has no graph form yet"),
                     Limitation::anotherName);
  }
  auto shell = scf::IfOp::create(builder, loc, TypeRange(), op.getCondition(),
                                 /*addThenBlock=*/true, /*addElseBlock=*/true);
  Gradients sides[2] = {gradients, gradients};
  Block *blocks[2] = {shell.thenBlock(), shell.elseBlock()};
  SmallVector<BlockRecord, 0> records;
  if (hasCall(op))
    for (Region &region : getOriginal(op)->getRegions())
      records.emplace_back(*this, region.front());
  for (auto [i, region] : llvm::enumerate(op->getRegions()))
    if (failed(visitBranch(op, region.front(), *blocks[i], sides[i],
                           records.empty() ? nullptr : &records[i])))
      return failure();

  // A value, and an i1 where it is there on one side only.
  SmallVector<std::pair<Value, bool>> changed;
  SmallVector<Type> types;
  SmallVector<Value> yielded[2];
  OpBuilder::InsertionGuard guard(builder);
  for (Value value : outer) {
    Sum sums[2] = {lookup(sides[0], value), lookup(sides[1], value)};
    // The same on both sides: nothing was added, or a gradient from outside of them was passed on.
    if (sums[0].value == sums[1].value && sums[0].present == sums[1].present) {
      if (sums[0].value)
        gradients[value] = sums[0];
      continue;
    }
    bool isFlagged = llvm::any_of(sums, [](Sum sum) { return !sum.value || sum.present; });
    changed.push_back({value, isFlagged});
    types.push_back(value.getType());
    if (isFlagged)
      types.push_back(builder.getI1Type());
    for (auto [sum, block, list] : llvm::zip(sums, blocks, yielded)) {
      builder.setInsertionPointToEnd(block);
      list.push_back(valueOf(builder, loc, sum, value));
      if (isFlagged)
        list.push_back(presenceOf(builder, loc, sum));
    }
  }
  for (auto [block, list] : llvm::zip(blocks, yielded)) {
    builder.setInsertionPointToEnd(block);
    scf::YieldOp::create(builder, loc, list);
  }
  builder.setInsertionPoint(shell);
  auto adjoint = scf::IfOp::create(builder, loc, types, op.getCondition(),
                                   /*addThenBlock=*/false, /*addElseBlock=*/false);
  adjoint.getThenRegion().takeBody(shell.getThenRegion());
  adjoint.getElseRegion().takeBody(shell.getElseRegion());
  erase(shell);
  for (auto [record, block] : llvm::zip(records, blocks))
    record.resolve(*block, op->getResults().back());
  unsigned next = 0;
  for (auto [value, isFlagged] : changed) {
    Sum &sum = gradients[value];
    sum.value = adjoint.getResult(next++);
    sum.present = isFlagged ? Value(adjoint.getResult(next++)) : Value();
  }
  return success();
}

void Expansion::erase(Operation *op) {
  op->dropAllReferences();
  op->remove();
  erased.push_back(op);
}

Expansion::~Expansion() {
  for (Operation *op : erased)
    op->erase();
}

/// What runs before `op`: ops above it, and above what encloses it.
static SmallVector<Operation *> getOpsBefore(Operation *op) {
  SmallVector<Operation *> ops;
  for (Operation *at = op; !isa<func::FuncOp>(at); at = at->getParentOp()) {
    SmallVector<Operation *> before;
    for (Operation &other : *at->getBlock()) {
      if (&other == at)
        break;
      before.push_back(&other);
    }
    ops.insert(ops.begin(), before.begin(), before.end());
  }
  return ops;
}

/// Whether what leads from `wrt` to `outputs`, values in the body of `loop`, goes through
/// iterations before.
bool Expansion::goesThroughIterations(scf::WhileOp loop, ValueRange outputs, ValueRange wrt) {
  Expansion around(table, builder, nullptr), inside(table, builder, nullptr);
  for (Value value : wrt)
    if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
      around.activate(value);
  for (Operation *other : getOpsBefore(loop))
    around.propagate(other);
  around.propagate(loop);
  for (auto arguments : {loop.getBeforeArguments(), loop.getAfterArguments()})
    for (Value argument : arguments)
      if (around.isActive(argument))
        inside.activate(argument);
  // Loops inside of it that are around `op` begin with what it carries.
  inside.propagate(*loop.getBeforeBody());
  inside.propagate(*loop.getAfterBody());
  return llvm::any_of(outputs, [&](Value value) { return inside.isActive(value); });
}

LogicalResult Expansion::prepare(Operation *op, ValueRange outputs, ValueRange wrt) {
  active.insert(wrt.begin(), wrt.end());
  SmallVector<Operation *> ops = getOpsBefore(op);
  for (Operation *other : ops)
    propagate(other);
  for (Operation *at = op->getParentOp(); !isa<func::FuncOp>(at); at = at->getParentOp()) {
    auto loop = dyn_cast<scf::WhileOp>(at);
    if (loop ? goesThroughIterations(loop, outputs, wrt) : isa<LoopLikeOpInterface>(at))
      return limit(op->emitOpError("gradient from within a loop to what it started with has no "
                                   "graph form yet"),
                   Limitation::gradient);
  }
  if (calls)
    for (Operation *other : ops)
      calls->prepare(*this, other);
  return success();
}

LogicalResult Expansion::expand(Operation *op, ArrayRef<Start> starts, Gradients &gradients) {
  builder.setInsertionPoint(op);
  for (auto [value, seed, present] : starts) {
    if (!active.contains(value))
      continue;
    // The adjoint of a loop replaces its results, so what is added up must not be one of them.
    if (seed.getDefiningOp<scf::WhileOp>())
      seed = tensor::CastOp::create(builder, op->getLoc(), seed.getType(), seed);
    add(gradients, value, {seed, present}, op->getLoc());
  }
  return visitAll(getOpsBefore(op), gradients);
}

LogicalResult Expansion::run(GradientOp op) {
  Gradients gradients;
  if (failed(prepare(op, op.getLoss(), op.getWrt())) ||
      failed(expand(op, {{op.getLoss(), op.getSeed(), {}}}, gradients)))
    return failure();
  SmallVector<Value> results;
  for (Value value : op.getWrt()) {
    Sum sum = lookup(gradients, value);
    if (!sum.value) {
      sum.value = makeZeros(builder, op.getLoc(), value);
    } else if (sum.present) {
      auto choice = scf::IfOp::create(builder, op.getLoc(), TypeRange(value.getType()),
                                      sum.present, /*addThenBlock=*/true, /*addElseBlock=*/true);
      OpBuilder inner = choice.getThenBodyBuilder();
      scf::YieldOp::create(inner, op.getLoc(), sum.value);
      inner = choice.getElseBodyBuilder();
      scf::YieldOp::create(inner, op.getLoc(), makeZeros(inner, op.getLoc(), value));
      sum.value = choice.getResult(0);
    }
    results.push_back(sum.value);
  }
  op->replaceAllUsesWith(results);
  op.erase();
  return success();
}

LogicalResult Expansion::run(PullbackOp op) {
  if (failed(prepare(op, op.getOutputs(), op.getWrt())))
    return failure();
  builder.setInsertionPoint(op);
  SmallVector<Start> starts;
  for (auto [value, seed, present] :
       llvm::zip_equal(op.getOutputs(), op.getSeeds(), op.getPresent()))
    starts.push_back({value, seed, matchPattern(present, m_One()) ? Value() : present});
  Gradients gradients;
  auto never = arith::ConstantIntOp::create(builder, op.getLoc(), 0, 1);
  for (auto [value, sum] : llvm::zip_equal(op.getWrt(), op.getSums()))
    gradients[value] = {sum, never.getResult()};
  if (failed(expand(op, starts, gradients)))
    return failure();
  SmallVector<Value> results;
  for (Value value : op.getWrt())
    results.push_back(lookup(gradients, value).value);
  for (Value value : op.getWrt())
    results.push_back(presenceOf(builder, op.getLoc(), lookup(gradients, value)));
  // What came about here, and where it leaves the function, for janus-split-backward.
  for (Operation *at = never->getNextNode(); at != op; at = at->getNextNode())
    at->setDiscardableAttr("janus.backward", builder.getUnitAttr());
  SmallVector<int64_t> returned;
  for (OpOperand &use : op->getUses())
    if (isa<func::ReturnOp>(use.getOwner()))
      returned.push_back(use.getOperandNumber());
  llvm::sort(returned);
  op->getParentOfType<func::FuncOp>()->setAttr("janus.backward_results",
                                               builder.getDenseI64ArrayAttr(returned));
  op->replaceAllUsesWith(results);
  op.erase();
  return success();
}

namespace {
struct Autodiff : public janus::impl::AutodiffBase<Autodiff> {
  LogicalResult initialize(MLIRContext *context) override {
    std::string error;
    if (table.parse(gradientsText, error))
      return success();
    return emitError(UnknownLoc::get(context)) << "gradients.txt: " << error;
  }

  void runOnOperation() override {
    SmallVector<Operation *> gradients;
    getOperation().walk([&](Operation *op) {
      if (isa<GradientOp, PullbackOp>(op))
        gradients.push_back(op);
    });
    OpBuilder builder(&getContext());
    CallAdjoints calls(getOperation(), table, builder);
    for (Operation *op : gradients) {
      if (!op->getParentOfType<func::FuncOp>()) {
        op->emitOpError("stands in a graph: structurise first");
        return signalPassFailure();
      }
      auto gradient = dyn_cast<GradientOp>(op);
      // What a call saves is gone when the run ends.
      Expansion expansion(table, builder, gradient ? &calls : nullptr);
      if (failed(gradient ? expansion.run(gradient) : expansion.run(cast<PullbackOp>(op))))
        return signalPassFailure();
    }
    if (failed(calls.finish()))
      return signalPassFailure();
    // Nothing asks where gradients stop, or what they are, any more.
    getOperation().walk([](DetachOp op) {
      op.replaceAllUsesWith(op.getOperand());
      op.erase();
    });
    getOperation().walk([](WithSlopeOp op) {
      op.replaceAllUsesWith(op.getValue());
      op.erase();
    });
  }

  GradientTable table;
};
} // namespace
