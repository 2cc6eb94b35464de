//===- LoopValues.cpp - what a loop's adjoint reads of each iteration -----===//

#include "LoopValues.h"
#include "janus/Transforms/Limitation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace janus;

LoopValues::LoopValues(Expansion &expansion, scf::WhileOp loop)
    : expansion(expansion), builder(expansion.builder), loop(loop), loc(loop.getLoc()),
      extents(loop) {}

Value LoopValues::makePlaceholder(Type type) {
  return UnrealizedConversionCastOp::create(builder, loc, type, ValueRange()).getResult(0);
}

Value LoopValues::getCount() {
  if (!count)
    count = makePlaceholder(builder.getIndexType());
  return count;
}

/// The number of the result that `value`, which `before` has, is passed on as.
unsigned LoopValues::pass(Value value) {
  OperandRange args = loop.getConditionOp().getArgs();
  if (auto found = llvm::find(args, value); found != args.end())
    return found - args.begin();
  auto found = llvm::find(passed, value);
  if (found == passed.end()) {
    passed.push_back(value);
    return args.size() + passed.size() - 1;
  }
  return args.size() + (found - passed.begin());
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void LoopValues::copyBlock(Block &block, SmallVectorImpl<Operation *> &ops, LoopCopy &copy) {
  for (Operation &op : block.without_terminator()) {
    Operation *again = builder.clone(op, copy.mapping);
    ops.push_back(again);
    expansion.propagate(again);
    for (auto [original, result] : llvm::zip(op.getResults(), again->getResults()))
      copy.originals[result] = original;
  }
}

LoopCopy LoopValues::copy(bool whole) {
  LoopCopy copy;
  for (BlockArgument argument : loop.getBeforeArguments()) {
    Value placeholder = makePlaceholder(argument.getType());
    expansion.copyActivity(argument, placeholder);
    copy.carried.push_back(placeholder);
    copy.originals[placeholder] = argument;
    copy.mapping.map(argument, placeholder);
  }
  copyBlock(*loop.getBeforeBody(), copy.head, copy);
  if (!whole)
    return copy;
  for (auto [argument, value] :
       llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
    copy.mapping.map(argument, copy.mapping.lookupOrDefault(value));
  copyBlock(*loop.getAfterBody(), copy.body, copy);
  return copy;
}

void janus::eraseUnused(Expansion &expansion, ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops))
    if (op->getBlock() && op->use_empty())
      expansion.erase(op);
}

void LoopValues::resolveLast(LoopCopy &copy) {
  eraseUnused(expansion, copy.head);
  OpBuilder::InsertionGuard guard(builder);
  OperandRange args = loop.getConditionOp().getArgs();
  for (Operation *op : copy.head)
    if (op->getBlock())
      for (Value result : op->getResults())
        if (llvm::is_contained(args, copy.originals.lookup(result)))
          result.replaceAllUsesWith(loop.getResult(pass(copy.originals.lookup(result))));
  eraseUnused(expansion, copy.head);
  for (Value placeholder : copy.carried) {
    if (placeholder.use_empty()) {
      expansion.erase(placeholder.getDefiningOp());
      continue;
    }
    unsigned result = pass(copy.originals.lookup(placeholder));
    if (result >= args.size()) {
      results.push_back({placeholder, result});
      continue;
    }
    placeholder.replaceAllUsesWith(loop.getResult(result));
    expansion.erase(placeholder.getDefiningOp());
  }
}

//===----------------------------------------------------------------------===//
// What is read of an iteration
//===----------------------------------------------------------------------===//

bool janus::isCheapOp(Operation *op) {
  if (op->getNumRegions() != 0)
    return false;
  if (isa<arith::ArithDialect>(op->getDialect()))
    return true;
  return isa<ConstantOp, FullOp, IotaOp, DimOp, ItemOp, BroadcastOp, ReshapeOp, PermuteOp, SliceOp,
             DetachOp, CastOp, CompareOp, SelectOp, NegOp, AbsOp, SignOp, NotOp, AndOp, OrOp, XorOp,
             AddOp, SubOp, MulOp, MaximumOp, MinimumOp, tensor::CastOp>(op);
}

Value LoopValues::getStep(unsigned argument) {
  BlockArgument carried = loop.getBeforeArguments()[argument];
  if (!carried.getType().isIntOrIndex())
    return {};
  auto add = loop.getYieldOp().getResults()[argument].getDefiningOp<arith::AddIOp>();
  if (!add)
    return {};
  auto isCarried = [&](Value value) {
    auto inner = dyn_cast<BlockArgument>(value);
    if (!inner || inner.getOwner() != loop.getAfterBody())
      return false;
    return loop.getConditionOp().getArgs()[inner.getArgNumber()] == Value(carried);
  };
  for (auto [base, step] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())})
    if (isCarried(base) &&
        (matchPattern(step, m_Constant()) || step.getParentRegion()->isProperAncestor(
                                                 loop.getAfterBody()->getParent())))
      return step;
  return {};
}

/// `value`, a constant if it stands where it cannot be used.
static Value hoist(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  if (op && matchPattern(value, m_Constant()))
    return builder.clone(*op)->getResult(0);
  return value;
}

Value LoopValues::recompute(unsigned argument, Value number) {
  Value next = loop.getYieldOp().getResults()[argument], init = loop.getInits()[argument];
  if (auto inner = dyn_cast<BlockArgument>(next);
      inner && inner.getOwner() == loop.getAfterBody() &&
      loop.getConditionOp().getArgs()[inner.getArgNumber()] ==
          Value(loop.getBeforeArguments()[argument]))
    return init;
  Value step = getStep(argument);
  if (!step)
    return {};
  step = hoist(builder, step);
  Value times = number;
  if (!init.getType().isIndex())
    times = arith::IndexCastOp::create(builder, loc, init.getType(), times);
  return arith::AddIOp::create(builder, loc, init,
                               arith::MulIOp::create(builder, loc, times, step));
}

bool LoopValues::isCheap(Value value, LoopCopy &copy, const llvm::DenseSet<Value> &available,
                         unsigned depth) {
  // A number takes little to save.
  if (!copy.originals.contains(value) || available.contains(value) ||
      !isa<RankedTensorType>(value.getType()))
    return true;
  Operation *op = value.getDefiningOp();
  if (depth == maxRepeated || isa<UnrealizedConversionCastOp>(op) || !isCheapOp(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isCheap(operand, copy, available, depth + 1);
  });
}

/// Makes the numbers that `value` is computed from again available.
LogicalResult LoopValues::saveNumbers(Value value, LoopCopy &copy, Value number) {
  if (!copy.originals.contains(value))
    return success();
  Operation *op = value.getDefiningOp();
  bool isTensor = isa<RankedTensorType>(value.getType());
  if (isTensor ? !isa<UnrealizedConversionCastOp>(op)
               : isa<arith::ArithDialect>(op->getDialect())) {
    for (Value operand : op->getOperands())
      if (failed(saveNumbers(operand, copy, number)))
        return failure();
    return success();
  }
  Value again;
  if (failed(read(copy.originals.lookup(value), number, again)))
    return failure();
  value.replaceAllUsesWith(again);
  return success();
}

LogicalResult LoopValues::resolve(LoopCopy &copy, Block &block, Value number) {
  OpBuilder::InsertionGuard guard(builder);
  llvm::SmallPtrSet<Operation *, 16> copies;
  for (ArrayRef<Operation *> part : {ArrayRef(copy.head), ArrayRef(copy.body)})
    copies.insert(part.begin(), part.end());
  for (Value placeholder : copy.carried)
    copies.insert(placeholder.getDefiningOp());

  // Extents that stay the same are those before the loop.
  SmallVector<DimOp> dims;
  block.walk([&](DimOp dim) {
    if (copy.originals.contains(dim.getSource()))
      dims.push_back(dim);
  });
  for (DimOp dim : dims) {
    builder.setInsertionPoint(dim);
    Value extent = extents.get(builder, loc, copy.originals.lookup(dim.getSource()), dim.getDim());
    if (!extent)
      continue;
    dim.replaceAllUsesWith(extent);
  }
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    if (&op != number.getDefiningOp() && !isa<UnrealizedConversionCastOp>(op))
      ops.push_back(&op);
  eraseUnused(expansion, ops);

  // What the adjoint reads.
  llvm::DenseSet<Value> read, available;
  for (Operation &op : block)
    if (!copies.contains(&op))
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (copy.originals.contains(operand) && copies.contains(operand.getDefiningOp()))
            read.insert(operand);
      });
  builder.setInsertionPointAfter(number.getDefiningOp());
  for (auto [i, placeholder] : llvm::enumerate(copy.carried)) {
    Value value = recompute(i, number);
    if (!value)
      continue;
    placeholder.replaceAllUsesWith(value);
    copy.originals.erase(placeholder);
    read.erase(placeholder);
  }
  auto visit = [&](Value value) -> LogicalResult {
    if (!read.contains(value))
      return success();
    if (isCheap(value, copy, available, 0))
      return saveNumbers(value, copy, number);
    // Reading comes first, so that what is run again can follow.
    Value again;
    if (failed(this->read(copy.originals.lookup(value), number, again)))
      return failure();
    value.replaceAllUsesWith(again);
    available.insert(again);
    return success();
  };
  for (Value placeholder : copy.carried)
    if (failed(visit(placeholder)))
      return failure();
  for (ArrayRef<Operation *> part : {ArrayRef(copy.head), ArrayRef(copy.body)})
    for (Operation *op : part)
      if (op->getBlock())
        for (Value result : op->getResults())
          if (failed(visit(result)))
            return failure();
  for (ArrayRef<Operation *> part : {ArrayRef(copy.body), ArrayRef(copy.head)})
    eraseUnused(expansion, part);
  for (Value placeholder : copy.carried)
    if (placeholder.use_empty())
      expansion.erase(placeholder.getDefiningOp());
  return success();
}

/// The type of the tensor that holds `value` for one iteration.
static RankedTensorType elementOf(Value value) {
  Type type = value.getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    SmallVector<int64_t> shape{1};
    llvm::append_range(shape, tensor.getShape());
    return RankedTensorType::get(shape, tensor.getElementType());
  }
  if (type.isIndex())
    type = IntegerType::get(type.getContext(), 64);
  return RankedTensorType::get({1}, type);
}

/// Starts [k, 0, ...] of a slice.
static SmallVector<int64_t> startsOf(RankedTensorType type) {
  SmallVector<int64_t> starts(type.getRank(), 0);
  starts.front() = ShapedType::kDynamic;
  return starts;
}

LogicalResult LoopValues::read(Value original, Value number, Value &result) {
  auto known = llvm::find_if(saved, [&](Saved &other) { return other.value == original; });
  RankedTensorType part = elementOf(original);
  if (known == saved.end()) {
    SmallVector<int64_t> shape(part.getShape());
    shape.front() = ShapedType::kDynamic;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(loop);
    saved.push_back({original, makePlaceholder(RankedTensorType::get(shape, part.getElementType()))});
    known = std::prev(saved.end());
  }
  SmallVector<Value> sizes, dynamic{number};
  auto tensor = dyn_cast<RankedTensorType>(original.getType());
  if (tensor && failed(extents.get(builder, loc, original, sizes)))
    return limit(emitError(original.getLoc(), "a gradient through a loop that computes a ")
                     << tensor << " of changing extents has no graph form yet",
                 Limitation::gradient);
  llvm::append_range(dynamic, sizes);
  SmallVector<int64_t> strides(part.getRank(), 1);
  Value row = SliceOp::create(builder, loc, part, known->stack, dynamic, startsOf(part), strides);
  if (tensor) {
    result = ReshapeOp::create(builder, loc, tensor, row, sizes);
    return success();
  }
  Type type = original.getType();
  result = ItemOp::create(builder, loc, type.isIndex() ? builder.getI64Type() : type, row);
  if (type.isIndex())
    result = arith::IndexCastOp::create(builder, loc, type, result);
  return success();
}

//===----------------------------------------------------------------------===//
// The loop that saves
//===----------------------------------------------------------------------===//

Value LoopValues::write(Value value, Value stack, Value counter) {
  RankedTensorType part = elementOf(value);
  Value row;
  if (isa<RankedTensorType>(value.getType())) {
    SmallVector<Value> sizes;
    (void)extents.get(builder, loc, value, sizes); // it has them: `read` was there before
    row = ReshapeOp::create(builder, loc, part, value, sizes);
  } else {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    row = FullOp::create(builder, loc, part, value, ValueRange());
  }
  SmallVector<int64_t> strides(part.getRank(), 1);
  return UpdateSliceOp::create(builder, loc, stack, row, ValueRange(counter), startsOf(part),
                               strides);
}

LogicalResult LoopValues::makeStack(Value value, Value bound, Value &stack) {
  RankedTensorType part = elementOf(value);
  SmallVector<int64_t> shape(part.getShape());
  SmallVector<Value> sizes;
  APInt number;
  bool isKnown = matchPattern(bound, m_ConstantInt(&number));
  shape.front() = isKnown ? number.getSExtValue() : ShapedType::kDynamic;
  if (!isKnown)
    sizes.push_back(bound);
  if (isa<RankedTensorType>(value.getType()) &&
      failed(extents.get(builder, loc, value, sizes)))
    return failure();
  auto type = RankedTensorType::get(shape, part.getElementType());
  // Each element is written before it is read, but only memory types can be left uninitialised.
  if (!type.getElementType().isInteger(1) && !type.getElementType().isUnsignedInteger()) {
    stack = tensor::EmptyOp::create(builder, loc, type, sizes);
    return success();
  }
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  stack = FullOp::create(builder, loc, type, zero, sizes);
  return success();
}

LogicalResult LoopValues::finish(Gradients &gradients) {
  OpBuilder::InsertionGuard guard(builder);
  // What is saved has to be there in `after`.
  for (Saved &each : saved)
    if (each.value.getParentBlock() == loop.getBeforeBody())
      pass(each.value);
  if (count && count.use_empty()) {
    expansion.erase(count.getDefiningOp());
    count = {};
  }
  if (!count && saved.empty() && passed.empty())
    return success();

  builder.setInsertionPoint(loop);
  SmallVector<Value> inits(loop.getInits()), stacks;
  SmallVector<Type> types(loop.getResultTypes());
  llvm::append_range(types, ValueRange(passed).getTypes());
  unsigned counterAt = types.size();
  types.push_back(builder.getIndexType());
  inits.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  if (!saved.empty()) {
    Value bound = getBound();
    for (Saved &each : saved) {
      Value stack;
      if (failed(makeStack(each.value, bound, stack)))
        return failure();
      stacks.push_back(stack);
    }
  }
  llvm::append_range(inits, stacks);
  llvm::append_range(types, ValueRange(stacks).getTypes());

  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  auto condition = loop.getConditionOp();
  auto yield = loop.getYieldOp();
  SmallVector<Value> carried, inner;
  for (Value value : passed)
    after->addArgument(value.getType(), loc);
  for (Value init : ArrayRef(inits).drop_front(loop.getInits().size())) {
    carried.push_back(before->addArgument(init.getType(), loc));
    inner.push_back(after->addArgument(init.getType(), loc));
  }
  builder.setInsertionPoint(yield);
  SmallVector<Value> next;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  next.push_back(arith::AddIOp::create(builder, loc, inner.front(), one));
  for (auto [each, stack] : llvm::zip(saved, ArrayRef(inner).drop_front())) {
    Value value = each.value;
    OpBuilder::InsertionGuard atEnd(builder);
    if (value.getParentBlock() == before) {
      // First thing, so that what it leaves behind can be written over.
      value = after->getArgument(pass(value));
      builder.setInsertionPointToStart(after);
    }
    next.push_back(write(value, stack, inner.front()));
  }
  yield.getResultsMutable().append(next);
  condition.getArgsMutable().append(passed);
  condition.getArgsMutable().append(carried);

  builder.setInsertionPoint(loop);
  auto counting = scf::WhileOp::create(builder, loc, types, inits);
  counting.getBefore().takeBody(loop.getBefore());
  counting.getAfter().takeBody(loop.getAfter());
  for (auto [old, result] : llvm::zip(loop.getResults(), counting.getResults())) {
    expansion.copyActivity(old, result);
    if (Sum sum = Expansion::lookup(gradients, old); sum.value)
      gradients[result] = sum;
    old.replaceAllUsesWith(result);
  }
  for (auto [placeholder, result] : results) {
    placeholder.replaceAllUsesWith(counting.getResult(result));
    expansion.erase(placeholder.getDefiningOp());
  }
  if (count) {
    count.replaceAllUsesWith(counting.getResult(counterAt));
    expansion.erase(count.getDefiningOp());
  }
  for (auto [i, each] : llvm::enumerate(saved)) {
    Value stack = counting.getResult(counterAt + 1 + i);
    // Slices are read from it, whatever is known of its extents.
    each.stack.replaceAllUsesWith(stack);
    expansion.erase(each.stack.getDefiningOp());
  }
  expansion.erase(loop);
  loop = counting;
  return success();
}

//===----------------------------------------------------------------------===//
// How many iterations
//===----------------------------------------------------------------------===//

/// Whether a condition says that no assert has failed so far: see LowerState.cpp.
static bool isAssertOutcome(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  APInt number;
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
         matchPattern(compare.getRhs(), m_ConstantInt(&number)) && number.isAllOnes() &&
         number.getBitWidth() == 64;
}

/// From the first, the last and the step of a loop that does nothing but count to end. An assert
/// that fails may end it before.
Value LoopValues::getCountedBound() {
  SmallVector<Value> conjuncts{loop.getConditionOp().getCondition()};
  arith::CmpIOp test;
  while (!conjuncts.empty()) {
    Value conjunct = conjuncts.pop_back_val();
    if (auto both = conjunct.getDefiningOp<arith::AndIOp>()) {
      conjuncts.append({both.getLhs(), both.getRhs()});
      continue;
    }
    if (isAssertOutcome(conjunct))
      continue;
    if (test || !(test = conjunct.getDefiningOp<arith::CmpIOp>()))
      return {};
  }
  if (!test)
    return {};
  auto argument = dyn_cast<BlockArgument>(test.getLhs());
  if (!argument || argument.getOwner() != loop.getBeforeBody())
    return {};
  Value step = getStep(argument.getArgNumber()), end = test.getRhs();
  APInt size;
  if (!step || !matchPattern(step, m_ConstantInt(&size)))
    return {};
  if (auto carried = dyn_cast<BlockArgument>(end);
      carried && carried.getOwner() == loop.getBeforeBody())
    end = getStep(carried.getArgNumber()) ? Value()
                                          : recompute(carried.getArgNumber(), Value());
  if (!end)
    return {};
  if (loop->isAncestor(end.getParentBlock()->getParentOp())) {
    if (!matchPattern(end, m_Constant()))
      return {};
    end = hoist(builder, end);
  }
  auto predicate = test.getPredicate();
  bool up = predicate == arith::CmpIPredicate::slt || predicate == arith::CmpIPredicate::sle;
  bool down = predicate == arith::CmpIPredicate::sgt || predicate == arith::CmpIPredicate::sge;
  if ((!up && !down) || (up && !size.isStrictlyPositive()) || (down && !size.isNegative()))
    return {};
  Value start = loop.getInits()[argument.getArgNumber()];
  Type type = start.getType();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  Value distance = up ? arith::SubIOp::create(builder, loc, end, start)
                      : arith::SubIOp::create(builder, loc, start, end);
  if (predicate == arith::CmpIPredicate::sle || predicate == arith::CmpIPredicate::sge)
    distance = arith::AddIOp::create(builder, loc, distance, number(1));
  if (!size.abs().isOne())
    distance = arith::CeilDivSIOp::create(builder, loc, distance,
                                          number(size.abs().getSExtValue()));
  Value bound = arith::MaxSIOp::create(builder, loc, distance, number(0));
  return type.isIndex() ? bound
                        : arith::IndexCastOp::create(builder, loc, builder.getIndexType(), bound);
}

/// Runs what decides how often the loop runs, and counts.
Value LoopValues::countFirst() {
  llvm::SmallPtrSet<Operation *, 32> needed;
  llvm::SmallSetVector<unsigned, 8> carried;
  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  SmallVector<Value> worklist{loop.getConditionOp().getCondition()};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      unsigned i = argument.getArgNumber();
      if (argument.getOwner() == after)
        worklist.push_back(loop.getConditionOp().getArgs()[i]);
      else if (argument.getOwner() == before && carried.insert(i))
        worklist.push_back(loop.getYieldOp().getResults()[i]);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if ((op->getBlock() != before && op->getBlock() != after) || !needed.insert(op).second)
      continue;
    op->walk([&](Operation *inner) { llvm::append_range(worklist, inner->getOperands()); });
  }
  // Values from inside of a needed op lead to ops of no block of the loop: they come along.

  SmallVector<Value> inits;
  for (unsigned i : carried)
    inits.push_back(loop.getInits()[i]);
  inits.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<Type> types(TypeRange{ValueRange(inits)});
  SmallVector<Location> locs(types.size(), loc);
  // `after` may use what `before` computed.
  SmallVector<Value> crossing;
  for (Operation &op : *before)
    if (needed.contains(&op))
      llvm::append_range(crossing, op.getResults());
  SmallVector<Type> passedTypes(types);
  llvm::append_range(passedTypes, TypeRange(ValueRange(crossing)));
  SmallVector<Location> passedLocs(passedTypes.size(), loc);

  auto counting = scf::WhileOp::create(builder, loc, passedTypes, inits);
  OpBuilder::InsertionGuard guard(builder);
  IRMapping mapping;
  Block *head = builder.createBlock(&counting.getBefore(), {}, types, locs);
  for (auto [at, i] : llvm::enumerate(carried))
    mapping.map(before->getArgument(i), head->getArgument(at));
  for (Operation &op : before->without_terminator())
    if (needed.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> passedOn(ValueRange(head->getArguments()));
  for (Value value : crossing)
    passedOn.push_back(mapping.lookup(value));
  scf::ConditionOp::create(builder, loc,
                           mapping.lookupOrDefault(loop.getConditionOp().getCondition()),
                           passedOn);

  Block *body = builder.createBlock(&counting.getAfter(), {}, passedTypes, passedLocs);
  IRMapping inside;
  for (auto [at, i] : llvm::enumerate(carried))
    inside.map(before->getArgument(i), body->getArgument(at));
  for (auto [at, value] : llvm::enumerate(crossing))
    inside.map(value, body->getArgument(types.size() + at));
  for (auto [argument, value] : llvm::zip(after->getArguments(), loop.getConditionOp().getArgs()))
    if (Value known = inside.lookupOrDefault(value))
      inside.map(argument, known);
  for (Operation &op : after->without_terminator())
    if (needed.contains(&op))
      builder.clone(op, inside);
  SmallVector<Value> next;
  for (unsigned i : carried)
    next.push_back(inside.lookupOrDefault(loop.getYieldOp().getResults()[i]));
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  next.push_back(arith::AddIOp::create(builder, loc, body->getArgument(types.size() - 1), one));
  scf::YieldOp::create(builder, loc, next);
  return counting.getResult(types.size() - 1);
}

Value LoopValues::getBound() {
  if (Value bound = getCountedBound())
    return bound;
  return countFirst();
}
