//===- CallAdjoint.cpp - functions that save, and their adjoints ----------===//

#include "CallAdjoint.h"
#include "janus/Transforms/Limitation.h"
#include "Adjoint.h"
#include "Records.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace janus;

bool janus::hasCall(Operation *op) {
  return op->walk([](func::CallOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// The numbers of the values that have gradients.
static SmallVector<unsigned> getDifferentiable(TypeRange types) {
  SmallVector<unsigned> numbers;
  for (auto [i, type] : llvm::enumerate(types))
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && isa<FloatType>(tensor.getElementType()))
      numbers.push_back(i);
  return numbers;
}

static SmallVector<unsigned> getActive(Expansion &expansion, ValueRange values) {
  SmallVector<unsigned> numbers = getDifferentiable(values.getTypes());
  llvm::erase_if(numbers, [&](unsigned i) { return !expansion.isActive(values[i]); });
  return numbers;
}

//===----------------------------------------------------------------------===//
// Calls that save
//===----------------------------------------------------------------------===//

void CallAdjoints::prepare(Expansion &expansion, Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return prepareCall(expansion, call);
  if (!hasCall(op) || getActive(expansion, op->getResults()).empty())
    return;
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    prepareIf(expansion, ifOp);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    prepareWhile(expansion, whileOp);
}

void CallAdjoints::prepareCall(Expansion &expansion, func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  SmallVector<unsigned> active = getActive(expansion, call.getOperands());
  if (active.empty() || !callee || callee.isExternal() ||
      getDifferentiable(call.getResultTypes()).empty())
    return;
  // What an earlier gradient made stays.
  if (llvm::any_of(pairs, [&](auto &pair) {
        return pair->saving == callee || pair->adjoint == callee;
      }))
    return;
  Pair &pair = get(callee, active);
  builder.setInsertionPoint(call);
  auto saving = func::CallOp::create(builder, call.getLoc(), pair.saving, call.getOperands());
  for (auto [old, result] : llvm::zip(call.getResults(), saving.getResults())) {
    expansion.copyActivity(old, result);
    old.replaceAllUsesWith(result);
  }
  expansion.erase(call);
}

void CallAdjoints::prepareIf(Expansion &expansion, scf::IfOp op) {
  for (Region &region : op->getRegions())
    for (Operation &inner : llvm::make_early_inc_range(region.front()))
      prepare(expansion, &inner);
  SmallVector<Type> types(op.getResultTypes());
  types.push_back(builder.getI64Type());
  builder.setInsertionPoint(op);
  auto saving = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(),
                                  /*addThenBlock=*/false, /*addElseBlock=*/false);
  for (auto [from, to] : llvm::zip(op->getRegions(), saving->getRegions())) {
    to.takeBody(from);
    Operation *yield = to.front().getTerminator();
    builder.setInsertionPoint(yield);
    yield->insertOperands(yield->getNumOperands(), makeEmptyRecord(builder, op.getLoc()));
  }
  for (auto [old, result] : llvm::zip(op.getResults(), saving.getResults())) {
    expansion.copyActivity(old, result);
    old.replaceAllUsesWith(result);
  }
  expansion.erase(op);
}

void CallAdjoints::prepareWhile(Expansion &expansion, scf::WhileOp op) {
  Block *before = op.getBeforeBody(), *after = op.getAfterBody();
  for (Block *block : {before, after})
    for (Operation &inner : llvm::make_early_inc_range(*block))
      prepare(expansion, &inner);
  Location loc = op.getLoc();
  scf::ConditionOp condition = op.getConditionOp();
  scf::YieldOp yield = op.getYieldOp();
  SmallVector<Value> inits(op.getInits()), passed;
  auto pass = [&](Value value) {
    if (!llvm::is_contained(condition.getArgs(), value))
      passed.push_back(value);
  };
  llvm::for_each(before->getArguments(), pass);
  for (Operation &inner : before->without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>())
      llvm::for_each(inner.getResults(), pass);

  builder.setInsertionPoint(op);
  inits.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  inits.push_back(makeEmptyRecord(builder, loc));
  for (Value init : ArrayRef(inits).take_back(2))
    passed.push_back(before->addArgument(init.getType(), loc));
  for (Value value : passed)
    expansion.copyActivity(value, after->addArgument(value.getType(), loc));
  condition.getArgsMutable().append(passed);
  builder.setInsertionPoint(yield);
  ArrayRef<BlockArgument> own = after->getArguments().take_back(2);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  yield.getResultsMutable().append({arith::AddIOp::create(builder, loc, own[0], one), own[1]});

  builder.setInsertionPoint(op);
  auto recorded = scf::WhileOp::create(builder, loc, after->getArgumentTypes(), inits);
  recorded.getBefore().takeBody(op.getBefore());
  recorded.getAfter().takeBody(op.getAfter());
  recorded->setAttr(recordedAttr, builder.getUnitAttr());
  for (auto [value, result] : llvm::zip(recorded.getAfterArguments(), recorded.getResults()))
    expansion.copyActivity(value, result);
  for (auto [old, result] : llvm::zip(op.getResults(), recorded.getResults()))
    old.replaceAllUsesWith(result);
  expansion.erase(op);
}

void CallAdjoints::close(func::FuncOp callee, SmallVectorImpl<unsigned> &active) {
  for (size_t before = 0; before != active.size();) {
    before = active.size();
    Expansion inside(table, builder, nullptr);
    for (unsigned i : active)
      inside.activate(callee.getArgument(i));
    inside.propagate(callee.getBody().front());
    callee.walk([&](func::CallOp call) {
      if (call.getCallee() != callee.getName())
        return;
      for (unsigned i : getActive(inside, call.getOperands()))
        if (!llvm::is_contained(active, i))
          active.push_back(i);
    });
  }
  llvm::sort(active);
}

CallAdjoints::Pair &CallAdjoints::get(func::FuncOp callee, SmallVector<unsigned> active) {
  close(callee, active);
  for (auto &pair : pairs)
    if (pair->callee == callee && pair->active == active)
      return *pair;
  pairs.push_back(std::make_unique<Pair>(Pair{callee, {}, {}, active}));
  declare(*pairs.back());
  return *pairs.back();
}

/// Makes the functions, and of their bodies what the callee gives.
void CallAdjoints::declare(Pair &pair) {
  func::FuncOp callee = pair.callee;
  Location loc = callee.getLoc();
  Type record = builder.getI64Type(), flag = builder.getI1Type();
  auto name = [&](StringRef suffix) {
    return builder.getStringAttr((callee.getName() + suffix).str());
  };

  pair.saving = callee.clone();
  pair.saving.setSymNameAttr(name(".saving"));
  pair.saving.setPrivate();
  SmallVector<Type> results(callee.getResultTypes());
  results.push_back(record);
  pair.saving.setFunctionType(builder.getFunctionType(callee.getArgumentTypes(), results));
  Operation *terminator = pair.saving.front().getTerminator();
  builder.setInsertionPoint(terminator);
  terminator->insertOperands(terminator->getNumOperands(), makeEmptyRecord(builder, loc));
  symbols.insert(pair.saving, std::next(Block::iterator(callee)));

  SmallVector<Type> arguments{record}, sums;
  llvm::append_range(arguments, callee.getArgumentTypes());
  SmallVector<unsigned> returned = getDifferentiable(callee.getResultTypes());
  for (unsigned i : returned) {
    arguments.push_back(callee.getResultTypes()[i]);
    if (returned.size() > 1)
      arguments.push_back(flag);
  }
  unsigned firstSum = arguments.size();
  for (unsigned i : pair.active)
    sums.append({callee.getArgumentTypes()[i], flag});
  llvm::append_range(arguments, sums);
  pair.adjoint = func::FuncOp::create(loc, name(".adjoint").getValue(),
                                      builder.getFunctionType(arguments, sums));
  pair.adjoint.setPrivate();
  symbols.insert(pair.adjoint, std::next(Block::iterator(pair.saving)));
  for (unsigned i = 0; i < sums.size(); i += 2)
    pair.adjoint.setArgAttr(firstSum + i, "janus.carried", builder.getI64IntegerAttr(i));
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

LogicalResult CallAdjoints::visit(Expansion &expansion, func::CallOp call, Gradients &gradients) {
  auto found = llvm::find_if(pairs, [&](auto &pair) {
    return llvm::is_contained({pair->saving.getName(), pair->adjoint.getName()}, call.getCallee());
  });
  if (found == pairs.end())
    return call.emitOpError("gradient through a call of a function without a body");
  Pair &pair = **found;
  if (pair.adjoint.getName() == call.getCallee())
    return limit(call.emitOpError("gradient of a gradient through a call has no graph form yet"),
                 Limitation::gradient);
  ValueRange operands = call.getOperands();
  for (unsigned i : getActive(expansion, operands))
    if (!llvm::is_contained(pair.active, i))
      return call.emitOpError("two gradients through a call, with respect to different arguments, "
                              "are not supported");

  Location loc = gradientLocation(call);
  ValueRange results = call.getResults().drop_back();
  SmallVector<Value> arguments{call.getResults().back()};
  llvm::append_range(arguments, operands);
  SmallVector<unsigned> returned = getDifferentiable(results.getTypes());
  for (unsigned i : returned) {
    Sum sum = Expansion::lookup(gradients, results[i]);
    arguments.push_back(valueOf(builder, loc, sum, results[i]));
    if (returned.size() > 1)
      arguments.push_back(presenceOf(builder, loc, sum));
  }
  // A value that is passed twice gets what its second place adds up to after the first.
  llvm::DenseSet<Value> threaded;
  for (unsigned i : pair.active) {
    Sum sum;
    if (expansion.isActive(operands[i]) && threaded.insert(operands[i]).second)
      sum = Expansion::lookup(gradients, operands[i]);
    arguments.push_back(valueOf(builder, loc, sum, operands[i]));
    arguments.push_back(presenceOf(builder, loc, sum));
  }
  auto adjoint = func::CallOp::create(builder, loc, pair.adjoint, arguments);
  threaded.clear();
  for (auto [at, i] : llvm::enumerate(pair.active)) {
    Value operand = operands[i];
    if (!expansion.isActive(operand))
      continue;
    Sum sum{adjoint.getResult(2 * at), adjoint.getResult(2 * at + 1)};
    if (!threaded.insert(operand).second) {
      expansion.add(gradients, operand, sum, loc);
      continue;
    }
    Sum &known = gradients[operand];
    if (known.value && !known.present)
      sum.present = {};
    known = sum;
  }
  return success();
}

LogicalResult CallAdjoints::build(Pair &pair) {
  Block &body = pair.saving.front();
  Location loc = pair.saving.getLoc();
  WalkResult gradientsInside = pair.saving.walk([](Operation *op) {
    return isa<GradientOp, PullbackOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (gradientsInside.wasInterrupted())
    return pair.callee.emitOpError("gradient through a call of a function that takes gradients");
  {
    Expansion inside(table, builder, this);
    for (unsigned i : pair.active)
      inside.activate(body.getArgument(i));
    inside.propagate(body);
    for (Operation &op : llvm::make_early_inc_range(body))
      prepare(inside, &op);
  }

  Block *block = pair.adjoint.addEntryBlock();
  ValueRange arguments = block->getArguments();
  Value record = arguments.front();
  Expansion expansion(table, builder, this);
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments.slice(1, body.getNumArguments()));
  for (unsigned i : pair.active)
    expansion.activate(arguments[1 + i]);
  builder.setInsertionPointToEnd(block);
  BlockRecord values(expansion, body);
  values.copy(body, mapping);

  Gradients gradients;
  ValueRange sums = arguments.take_back(2 * pair.active.size());
  for (auto [at, i] : llvm::enumerate(pair.active))
    gradients[arguments[1 + i]] = {sums[2 * at], sums[2 * at + 1]};
  ValueRange seeds = arguments.drop_front(1 + body.getNumArguments());
  Operation *terminator = body.getTerminator();
  SmallVector<unsigned> returned = getDifferentiable(pair.callee.getResultTypes());
  for (unsigned i : returned) {
    Sum seed{seeds.front(), {}};
    seeds = seeds.drop_front();
    if (returned.size() > 1) {
      seed.present = seeds.front();
      seeds = seeds.drop_front();
    }
    Value value = mapping.lookupOrDefault(terminator->getOperand(i));
    if (expansion.isActive(value))
      expansion.add(gradients, value, seed, loc);
  }
  if (failed(expansion.visitAll(values.getCopies(), gradients)))
    return failure();
  SmallVector<Value> results;
  for (unsigned i : pair.active) {
    Sum sum = Expansion::lookup(gradients, arguments[1 + i]);
    results.append({sum.value, presenceOf(builder, loc, sum)});
  }
  func::ReturnOp::create(builder, loc, results);
  values.resolve(*block, record);
  return success();
}

LogicalResult CallAdjoints::finish() {
  for (; built < pairs.size(); ++built)
    if (failed(build(*pairs[built])))
      return failure();
  return success();
}
