//===- LowerState.cpp - loads, asserts and commits to plain values --------===//
//
// In: functions in structured control flow with janus loads, commits and asserts. Out: functions
// of tensors and scalars alone:
//
//   arguments  the function's own, then the loads that have a slot, in slot order (each has the
//              attribute `janus.slot`)
//   results    an i64, the id of the first assert that failed or -1; the function's own results,
//              objects and tokens left out; then what each commit needs, in slot order, objects
//              left out. A commit that stands in a branch has an i1 before that, which says
//              whether it happens; if not, its values mean nothing.
//
// The attribute `janus.commits` lists, for each commit in slot order, its slot, its kind, the
// number of its first result and of its results, and whether it is conditional.
//
// A function in which two extents may differ, which an assert that the function decides says they do
// not (its attribute `janus.extents`), has the attribute `janus.unchecked_extents`.
//
// Holds: every assert is decided, and a failed one changes nothing: the caller drops the results.
// A failed assert ends a loop, and nothing is called after it, so that no loop or recursion runs on
// because of it.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"
#include "janus/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"

namespace janus {
#define GEN_PASS_DEF_LOWERSTATE
#include "janus/Transforms/Passes.h.inc"
} // namespace janus

using namespace mlir;
using namespace janus;

static bool isAbstract(Type type) { return isa<ObjectType, TokenType>(type); }

namespace {
/// A commit as the results of what encloses it.
struct Commit {
  Operation *op;
  uint64_t slot;
  Value happens; ///< null if it always does
  SmallVector<Value> values;
};

/// What decides whether the asserts up to a point held: a condition with an id, or the outcome of
/// a nested region or call.
struct Check {
  Value condition;
  int64_t id = -1;
  Value outcome;
};

/// What a block leaves to its parent.
struct Effects {
  SmallVector<Check> checks;
  SmallVector<Commit> commits;
};

class StateLowering {
public:
  StateLowering(func::FuncOp function, bool isCalled)
      : function(function), isCalled(isCalled), builder(function.getContext()) {}

  LogicalResult run();

private:
  static void hoistAsserts(Block &block);
  LogicalResult lowerBlock(Block &block, Effects &effects);
  LogicalResult lowerIf(scf::IfOp op, Effects &effects);
  LogicalResult lowerWhile(scf::WhileOp op, Effects &effects);
  void lowerCall(func::CallOp op, Effects &effects);
  LogicalResult lowerLoads();
  LogicalResult lowerReturn(Effects &effects);
  /// The i64 that sums up `checks`, at the builder's place.
  Value fold(ArrayRef<Check> checks, Location loc);
  /// The same for a block of a loop that starts with `before`.
  Value foldAfter(Value before, ArrayRef<Check> checks, Location loc);
  Value isGood(Value outcome, Location loc);
  Value makeNothing(Type type, Location loc);
  /// Replaces a token, or an object that was a load, by one that vanishes at the end.
  void forgetToken(Value token) { token.replaceAllUsesWith(anyToken); }
  /// Removes the operands of `op` that are tokens.
  static void dropTokens(MutableOperandRange operands);

  func::FuncOp function;
  bool isCalled;
  bool callsOthers = false;
  OpBuilder builder;
  Value anyToken;
  /// What the blocks around the current op left so far, outermost first.
  SmallVector<const Effects *> enclosing;
};
} // namespace

Value StateLowering::isGood(Value outcome, Location loc) {
  Value good = arith::ConstantIntOp::create(builder, loc, -1, 64);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, outcome, good);
}

Value StateLowering::fold(ArrayRef<Check> checks, Location loc) {
  Value result = arith::ConstantIntOp::create(builder, loc, -1, 64);
  for (const Check &check : llvm::reverse(checks)) {
    if (check.outcome) {
      result = arith::SelectOp::create(builder, loc, isGood(check.outcome, loc), result,
                                       check.outcome);
      continue;
    }
    Value id = arith::ConstantIntOp::create(builder, loc, check.id, 64);
    result = arith::SelectOp::create(builder, loc, check.condition, result, id);
  }
  return result;
}

Value StateLowering::foldAfter(Value before, ArrayRef<Check> checks, Location loc) {
  if (checks.empty())
    return before;
  Value after = fold(checks, loc);
  return arith::SelectOp::create(builder, loc, isGood(before, loc), after, before);
}

/// A value of `type` that costs nothing and means nothing.
Value StateLowering::makeNothing(Type type, Location loc) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < tensor.getNumDynamicDims(); ++i)
    sizes.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  return FullOp::create(builder, loc, type, zero, sizes);
}

void StateLowering::dropTokens(MutableOperandRange operands) {
  for (unsigned i = operands.size(); i-- > 0;)
    if (isa<TokenType>(operands[i].get().getType()))
      operands.erase(i);
}

/// Puts each assert where its condition is known, so that it holds back the calls that follow.
void StateLowering::hoistAsserts(Block &block) {
  for (auto assertOp : llvm::to_vector(block.getOps<AssertOp>())) {
    Operation *maker = assertOp.getCondition().getDefiningOp();
    if (maker && maker->getBlock() == &block)
      assertOp->moveAfter(maker);
    else if (assertOp != &block.front())
      assertOp->moveBefore(&block.front());
  }
}

LogicalResult StateLowering::lowerBlock(Block &block, Effects &effects) {
  if (callsOthers)
    hoistAsserts(block);
  enclosing.push_back(&effects);
  auto leave = llvm::make_scope_exit([&] { enclosing.pop_back(); });
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto assertOp = dyn_cast<AssertOp>(op)) {
      Check check;
      check.condition = assertOp.getCondition();
      check.id = assertOp.getId();
      effects.checks.push_back(check);
      // What it says of extents is not known before the function runs.
      if (op.hasAttr("janus.extents"))
        function->setAttr("janus.unchecked_extents", builder.getUnitAttr());
      op.erase();
    } else if (auto commit = dyn_cast<CommitOpInterface>(op)) {
      Commit record{&op, commit.getSlot(), {}, {}};
      for (Value value : commit.getCommitted())
        if (!isAbstract(value.getType()))
          record.values.push_back(value);
      effects.commits.push_back(std::move(record));
      forgetToken(op.getResult(0)); // the op itself goes when its commit is a result
    } else if (auto start = dyn_cast<StartOp>(op)) {
      if (start.getToken() != anyToken) {
        forgetToken(start.getToken());
        op.erase();
      }
    } else if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      if (failed(lowerIf(ifOp, effects)))
        return failure();
    } else if (auto whileOp = dyn_cast<scf::WhileOp>(op)) {
      if (failed(lowerWhile(whileOp, effects)))
        return failure();
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      lowerCall(call, effects);
    } else if (op.getNumRegions() != 0) {
      return op.emitOpError("is no control flow that state can be lowered through");
    }
  }
  return success();
}

LogicalResult StateLowering::lowerIf(scf::IfOp op, Effects &effects) {
  Location loc = op.getLoc();
  Effects sides[2];
  if (failed(lowerBlock(*op.thenBlock(), sides[0])))
    return failure();
  if (op.elseBlock() && failed(lowerBlock(*op.elseBlock(), sides[1])))
    return failure();
  for (OpResult result : op.getResults())
    if (isa<ObjectType>(result.getType()))
      return op.emitOpError("yields an object: which one it is cannot depend on the data");

  bool hasChecks = !sides[0].checks.empty() || !sides[1].checks.empty();
  bool hasCommits = !sides[0].commits.empty() || !sides[1].commits.empty();
  bool hasTokens = llvm::any_of(op.getResultTypes(), llvm::IsaPred<TokenType>);
  if (!hasChecks && !hasCommits && !hasTokens)
    return success();

  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    if (!isa<TokenType>(type))
      types.push_back(type);
  unsigned outcomeAt = types.size();
  if (hasChecks)
    types.push_back(builder.getI64Type());
  for (Effects &side : sides)
    for (Commit &commit : side.commits) {
      types.push_back(builder.getI1Type());
      llvm::append_range(types, ValueRange(commit.values).getTypes());
    }

  builder.setInsertionPoint(op);
  auto lowered = scf::IfOp::create(builder, loc, types, op.getCondition(),
                                   /*addThenBlock=*/false, /*addElseBlock=*/false);
  lowered.getThenRegion().takeBody(op.getThenRegion());
  if (op.elseBlock()) {
    lowered.getElseRegion().takeBody(op.getElseRegion());
  } else {
    builder.createBlock(&lowered.getElseRegion());
    scf::YieldOp::create(builder, loc);
  }
  for (auto [i, region] : llvm::enumerate(lowered->getRegions())) {
    Operation *yield = region.front().getTerminator();
    builder.setInsertionPoint(yield);
    SmallVector<Value> yielded;
    for (Value value : yield->getOperands())
      if (!isa<TokenType>(value.getType()))
        yielded.push_back(value);
    if (hasChecks)
      yielded.push_back(fold(sides[i].checks, loc));
    for (auto [j, side] : llvm::enumerate(sides))
      for (Commit &commit : side.commits) {
        if (j == i) {
          yielded.push_back(commit.happens
                                ? commit.happens
                                : arith::ConstantIntOp::create(builder, loc, 1, 1).getResult());
          llvm::append_range(yielded, commit.values);
          continue;
        }
        yielded.push_back(arith::ConstantIntOp::create(builder, loc, 0, 1));
        for (Value value : commit.values)
          yielded.push_back(makeNothing(value.getType(), loc));
      }
    yield->setOperands(yielded);
  }

  unsigned next = 0;
  for (OpResult result : op.getResults()) {
    if (isa<TokenType>(result.getType()))
      forgetToken(result);
    else
      result.replaceAllUsesWith(lowered.getResult(next++));
  }
  if (hasChecks) {
    Check check;
    check.outcome = lowered.getResult(outcomeAt);
    effects.checks.push_back(check);
    ++next;
  }
  for (Effects &side : sides)
    for (Commit &commit : side.commits) {
      commit.happens = lowered.getResult(next++);
      for (Value &value : commit.values)
        value = lowered.getResult(next++);
      effects.commits.push_back(std::move(commit));
    }
  op.erase();
  return success();
}

LogicalResult StateLowering::lowerWhile(scf::WhileOp op, Effects &effects) {
  Location loc = op.getLoc();
  Block *head = op.getBeforeBody(), *body = op.getAfterBody();
  Effects headEffects, bodyEffects;
  if (failed(lowerBlock(*head, headEffects)) || failed(lowerBlock(*body, bodyEffects)))
    return failure();
  for (Effects *part : {&headEffects, &bodyEffects})
    if (!part->commits.empty())
      return part->commits.front().op->emitOpError(
          "stands in a loop: how often it happens would depend on the data");
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (isa<ObjectType>(type))
      return op.emitOpError("carries an object: which one it is cannot depend on the data");
  bool hasChecks = !headEffects.checks.empty() || !bodyEffects.checks.empty();
  bool hasTokens = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TokenType>) ||
                   llvm::any_of(op->getResultTypes(), llvm::IsaPred<TokenType>);
  if (!hasChecks && !hasTokens)
    return success();

  builder.setInsertionPoint(op);
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (Value init : op.getInits())
    if (!isa<TokenType>(init.getType()))
      inits.push_back(init);
  for (Type type : op.getResultTypes())
    if (!isa<TokenType>(type))
      types.push_back(type);
  if (hasChecks) {
    inits.push_back(arith::ConstantIntOp::create(builder, loc, -1, 64));
    types.push_back(builder.getI64Type());
  }
  auto lowered = scf::WhileOp::create(builder, loc, types, inits);
  lowered.getBefore().takeBody(op.getBefore());
  lowered.getAfter().takeBody(op.getAfter());
  for (Block *block : {head, body})
    for (unsigned i = block->getNumArguments(); i-- > 0;)
      if (isa<TokenType>(block->getArgument(i).getType())) {
        forgetToken(block->getArgument(i));
        block->eraseArgument(i);
      }
  auto condition = cast<scf::ConditionOp>(head->getTerminator());
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  dropTokens(condition.getArgsMutable());
  dropTokens(yield.getResultsMutable());
  if (hasChecks) {
    Value before = head->addArgument(builder.getI64Type(), loc);
    builder.setInsertionPoint(condition);
    Value outcome = foldAfter(before, headEffects.checks, loc);
    Value goOn = arith::AndIOp::create(builder, loc, condition.getCondition(),
                                       isGood(outcome, loc));
    condition.getConditionMutable().assign(goOn);
    condition.getArgsMutable().append(outcome);
    before = body->addArgument(builder.getI64Type(), loc);
    builder.setInsertionPoint(yield);
    yield.getResultsMutable().append(foldAfter(before, bodyEffects.checks, loc));
    Check check;
    check.outcome = lowered.getResults().back();
    effects.checks.push_back(check);
  }
  unsigned next = 0;
  for (OpResult result : op.getResults()) {
    if (isa<TokenType>(result.getType()))
      forgetToken(result);
    else
      result.replaceAllUsesWith(lowered.getResult(next++));
  }
  op.erase();
  return success();
}

/// A callee says first whether its asserts held. It is called where all asserts before did, so that
/// no recursion runs on because of one that failed.
void StateLowering::lowerCall(func::CallOp op, Effects &effects) {
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  SmallVector<Type> types{builder.getI64Type()};
  llvm::append_range(types, op.getResultTypes());
  SmallVector<Check> before;
  for (const Effects *around : enclosing)
    llvm::append_range(before, around->checks);
  Value outcome = fold(before, loc);
  auto lowered = scf::IfOp::create(builder, loc, types, isGood(outcome, loc),
                                   /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(lowered.thenBlock());
    auto call = func::CallOp::create(builder, loc, op.getCallee(), types, op.getOperands());
    scf::YieldOp::create(builder, loc, call.getResults());
    builder.setInsertionPointToEnd(lowered.elseBlock());
    SmallVector<Value> nothing{outcome};
    for (Type type : op.getResultTypes())
      nothing.push_back(makeNothing(type, loc));
    scf::YieldOp::create(builder, loc, nothing);
  }
  Check check;
  check.outcome = lowered.getResult(0);
  effects.checks.push_back(check);
  op.replaceAllUsesWith(lowered.getResults().drop_front());
  op.erase();
}

LogicalResult StateLowering::lowerLoads() {
  SmallVector<LoadOpInterface> loads;
  function.walk([&](LoadOpInterface load) { loads.push_back(load); });
  llvm::stable_sort(loads, [](LoadOpInterface a, LoadOpInterface b) {
    return a.getSlot().value_or(~0ull) < b.getSlot().value_or(~0ull);
  });
  SmallVector<LoadOpInterface> objects;
  std::optional<uint64_t> last;
  for (LoadOpInterface load : loads) {
    if (isCalled)
      return load->emitOpError("stands in a graph that is invoked: it gets arguments only");
    Value result = load->getResult(0);
    if (isAbstract(result.getType())) {
      objects.push_back(load);
      continue;
    }
    if (last == load.getSlot())
      return load->emitOpError("has load slot ") << *last << ", which another op has";
    last = load.getSlot();
    NamedAttrList attrs;
    attrs.set("janus.slot", builder.getI64IntegerAttr(*load.getSlot()));
    if (isa<IncomingOp>(load))
      attrs.set("janus.incoming", builder.getUnitAttr());
    unsigned index = function.getNumArguments();
    if (failed(function.insertArgument(index, result.getType(),
                                       attrs.getDictionary(builder.getContext()),
                                       load->getLoc())))
      return failure();
    result.replaceAllUsesWith(function.getArgument(index));
    load->erase();
  }
  // An object's last uses were commits and loads, which are gone or go before it does.
  while (!objects.empty()) {
    size_t before = objects.size();
    llvm::erase_if(objects, [](LoadOpInterface load) {
      bool isUnused = load->use_empty();
      if (isUnused)
        load->erase();
      return isUnused;
    });
    if (objects.size() == before) {
      Operation *user = *objects.front()->user_begin();
      return user->emitOpError("uses an object in a way that has no meaning without Python");
    }
  }
  return success();
}

LogicalResult StateLowering::lowerReturn(Effects &effects) {
  auto terminator = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
  if (!terminator)
    return function.emitOpError("does not return");
  Location loc = terminator.getLoc();
  builder.setInsertionPoint(terminator);
  if (isCalled && !effects.commits.empty())
    return effects.commits.front().op->emitOpError("stands in a graph that is invoked");
  SmallVector<Value> results{fold(effects.checks, loc)};
  for (Value value : terminator.getOperands())
    if (!isAbstract(value.getType()))
      results.push_back(value);
  llvm::stable_sort(effects.commits,
                    [](const Commit &a, const Commit &b) { return a.slot < b.slot; });
  SmallVector<Attribute> layout;
  for (Commit &commit : effects.commits) {
    NamedAttrList entry;
    entry.set("slot", builder.getI64IntegerAttr(commit.slot));
    entry.set("kind", builder.getStringAttr(commit.op->getName().stripDialect()));
    entry.set("first", builder.getI64IntegerAttr(results.size()));
    if (commit.happens) {
      entry.set("conditional", builder.getUnitAttr());
      results.push_back(commit.happens);
    }
    entry.set("count", builder.getI64IntegerAttr(commit.values.size()));
    llvm::append_range(results, commit.values);
    layout.push_back(entry.getDictionary(builder.getContext()));
  }
  terminator->setOperands(results);
  if (!layout.empty())
    function->setAttr("janus.commits", builder.getArrayAttr(layout));
  for (Commit &commit : effects.commits)
    commit.op->erase();
  return success();
}

LogicalResult StateLowering::run() {
  if (function.isExternal())
    return success();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has unstructured control flow");
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  auto start = StartOp::create(builder, function.getLoc());
  anyToken = start.getToken();
  for (BlockArgument argument : entry.getArguments())
    if (isAbstract(argument.getType()))
      return function.emitOpError("has an argument of type ")
             << argument.getType() << ", which has no value at run time";
  Effects effects;
  callsOthers = function.walk([](func::CallOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (failed(lowerBlock(entry, effects)) || failed(lowerReturn(effects)) || failed(lowerLoads()))
    return failure();
  // Whatever else used a token, a merge in a block that is gone, say, is gone as well.
  if (!start->use_empty())
    return (*start->user_begin())->emitOpError("uses a token but is no commit");
  start.erase();
  function.setFunctionType(builder.getFunctionType(
      entry.getArgumentTypes(), entry.getTerminator()->getOperandTypes()));
  function.removeResAttrsAttr();
  return success();
}

namespace {
struct LowerState : public janus::impl::LowerStateBase<LowerState> {
  void runOnOperation() override {
    llvm::StringSet<> called;
    getOperation().walk([&](func::CallOp call) { called.insert(call.getCallee()); });
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(StateLowering(function, called.contains(function.getName())).run()))
        return signalPassFailure();
  }
};
} // namespace
