//===- DeviceLoops.cpp - A loop nest as the body of a device kernel ---------===//
//
// Holds: the order in which a reduction combines its elements depends on nothing but
// their number, never on timing: there are no atomic operations. Of up to `fewElements` it is the
// loop's; of more, thread t of 256 takes t, t + 256, ... in order, and a tree combines the
// threads' values; what the result held before is combined last.
//
//===----------------------------------------------------------------------===//

#include "DeviceLoops.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace janus {

Value Combiner::emit(OpBuilder &b, Value accumulated, Value value) const {
  IRMapping inner;
  inner.map(accumulator, accumulated);
  inner.map(element, value);
  for (Operation *op : ops)
    b.clone(*op, inner);
  return inner.lookup(ops.back()->getResult(0));
}

/// Whether these ops, which lead from `accumulator` and `element` to a yielded value, may be applied in any
/// grouping: one op that is associative, or the choice of one of the two that comparisons make.
static bool isAssociative(ArrayRef<Operation *> ops, Value accumulator, Value element) {
  if (ops.size() == 1 && isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp, arith::AndIOp,
                             arith::OrIOp, arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                             arith::MinUIOp, arith::MaximumFOp, arith::MinimumFOp>(ops[0]))
    return true;
  auto select = dyn_cast<arith::SelectOp>(ops.back());
  return select && select.getTrueValue() == accumulator && select.getFalseValue() == element &&
         llvm::all_of(ops.drop_back(), [](Operation *op) {
           return isa<arith::CmpFOp, arith::CmpIOp, arith::OrIOp>(op);
         });
}

/// What result `number` of a body is combined by, where that can be done in any grouping.
static std::optional<Combiner> combinerOf(Block &body, BlockArgument accumulator, Value yielded) {
  llvm::SetVector<Value> reached;
  reached.insert(accumulator);
  Combiner combiner{{}, accumulator, {}};
  for (Operation &op : body.without_terminator()) {
    if (!llvm::any_of(op.getOperands(), [&](Value v) { return reached.contains(v); })) {
      // What a nested region uses is not looked for.
      bool nested = false;
      op.walk([&](Operation *in) {
        nested |= in != &op && llvm::is_contained(in->getOperands(), accumulator);
      });
      if (nested)
        return {};
      continue;
    }
    if (op.getNumResults() != 1 || op.getNumRegions() != 0)
      return {};
    reached.insert(op.getResult(0));
    combiner.ops.push_back(&op);
    for (Value operand : op.getOperands()) {
      if (reached.contains(operand))
        continue;
      if (combiner.element && combiner.element != operand)
        return {};
      combiner.element = operand;
    }
  }
  if (combiner.ops.empty() || combiner.ops.back()->getResult(0) != yielded || !combiner.element ||
      combiner.element.getType() != accumulator.getType() ||
      !isAssociative(combiner.ops, accumulator, combiner.element))
    return {};
  return combiner;
}

std::optional<DeviceLoops> DeviceLoops::of(linalg::LinalgOp op, bool trees) {
  DeviceLoops loops(op);
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    AffineExpr wanted = getAffineDimExpr(dim, op.getContext());
    bool found = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      return llvm::is_contained(op.getMatchingIndexingMap(&operand).getResults(), wanted);
    });
    if (!found && ShapedType::isDynamic(op.getStaticLoopRanges()[dim]))
      return {};
  }
  // A thread owns the elements that it writes, and keeps a sum in a register: each result is indexed by
  // all parallel dimensions and by no other one.
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
      bool own = llvm::is_contained(map.getResults(), getAffineDimExpr(dim, op.getContext()));
      bool parallel = kind == utils::IteratorType::parallel;
      if (parallel ? !own && op.getStaticLoopRanges()[dim] != 1 : map.isFunctionOfDim(dim))
        return {};
    }
  }
  // Another thread may have written what a body looks up by an index, or not yet.
  bool reads = false;
  op->walk([&](memref::LoadOp load) { reads |= llvm::is_contained(op.getDpsInits(), load.getMemRef()); });
  bool writes = false;
  op->walk([&](memref::StoreOp) { writes = true; });
  if (reads || writes)
    return {};
  if (!trees)
    return loops;
  Block *body = op.getBlock();
  for (auto [i, yielded] : llvm::enumerate(body->getTerminator()->getOperands())) {
    auto combiner = combinerOf(*body, op.getRegionOutputArgs()[i], yielded);
    // A combiner that reads another result's accumulator is no combiner of one's own.
    if (!combiner || llvm::is_contained(op.getRegionOutputArgs(), combiner->element)) {
      loops.combiners.clear();
      break;
    }
    loops.combiners.push_back(*combiner);
  }
  return loops;
}

SmallVector<unsigned> DeviceLoops::dims(utils::IteratorType kind) const {
  SmallVector<unsigned> found;
  for (auto [dim, known] : llvm::enumerate(op.getIteratorTypesArray()))
    if (known == kind)
      found.push_back(dim);
  return found;
}

Spread DeviceLoops::spread() const {
  if (op.getNumReductionLoops() == 0 || combiners.empty())
    return Spread::threads;
  int64_t elements = 1;
  for (unsigned dim : dims(utils::IteratorType::reduction)) {
    int64_t extent = op.getStaticLoopRanges()[dim];
    if (ShapedType::isDynamic(extent))
      return Spread::blocks;
    elements *= extent;
  }
  return elements <= fewElements ? Spread::threads : Spread::blocks;
}

SmallVector<Type> DeviceLoops::sharedTypes() const {
  SmallVector<Type> types;
  if (spread() != Spread::blocks)
    return types;
  auto space = gpu::AddressSpaceAttr::get(op.getContext(), gpu::AddressSpace::Workgroup);
  for (const Combiner &combiner : combiners)
    types.push_back(MemRefType::get({blockThreads}, combiner.accumulator.getType(),
                                    MemRefLayoutAttrInterface(), space));
  return types;
}

/// The extent that a buffer was made with: the value in its descriptor.
static Value extentIn(Value memref, int64_t dim) {
  auto cast = memref.getDefiningOp<UnrealizedConversionCastOp>();
  Value descriptor = cast ? cast.getInputs()[0] : Value();
  while (auto insert = descriptor ? descriptor.getDefiningOp<LLVM::InsertValueOp>() : nullptr) {
    if (insert.getPosition() == ArrayRef<int64_t>{3, dim}) {
      auto word = insert.getValue().getDefiningOp<arith::IndexCastOp>();
      return word ? word.getIn() : Value();
    }
    descriptor = insert.getContainer();
  }
  return {};
}

Value DeviceLoops::extent(ImplicitLocOpBuilder &b, unsigned dim, const IRMapping &mapping) const {
  int64_t known = op.getStaticLoopRanges()[dim];
  if (!ShapedType::isDynamic(known))
    return arith::ConstantIndexOp::create(b, known);
  AffineExpr wanted = getAffineDimExpr(dim, op.getContext());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [i, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (expr == wanted)
        if (Value value = extentIn(operand.get(), i))
          return mapping.lookup(value);
  llvm_unreachable("of() has looked for it, and a kernel is handed each extent");
}

Value DeviceLoops::product(ImplicitLocOpBuilder &b, ArrayRef<unsigned> dims, const IRMapping &mapping) const {
  // Where an assert will not hold, an extent may be negative: a loop of the host has no iterations then.
  Value all = arith::ConstantIndexOp::create(b, 1), none = arith::ConstantIndexOp::create(b, 0);
  for (unsigned dim : dims) {
    Value size = extent(b, dim, mapping);
    if (ShapedType::isDynamic(op.getStaticLoopRanges()[dim]))
      size = b.createOrFold<arith::MaxSIOp>(size, none);
    all = b.createOrFold<arith::MulIOp>(all, size);
  }
  return all;
}

void DeviceLoops::split(ImplicitLocOpBuilder &b, ArrayRef<unsigned> dims, Value flat, const IRMapping &mapping,
                        MutableArrayRef<Value> indices) const {
  // A device divides 32-bit numbers several times as fast.
  int64_t total = 1;
  for (unsigned dim : dims) {
    int64_t known = op.getStaticLoopRanges()[dim];
    total = ShapedType::isDynamic(known) || total > INT32_MAX ? INT64_MAX : total * std::max<int64_t>(known, 1);
  }
  bool narrow = total <= INT32_MAX && dims.size() > 1;
  auto to = [&](Value v) -> Value {
    return narrow ? b.createOrFold<arith::IndexCastOp>(b.getI32Type(), v) : v;
  };
  Value rest = to(flat);
  for (size_t i = dims.size(); i-- > 0;) {
    unsigned dim = dims[i];
    Value index = rest;
    if (i > 0) {
      Value size = to(extent(b, dim, mapping));
      index = arith::RemUIOp::create(b, rest, size);
      rest = arith::DivUIOp::create(b, rest, size);
    }
    indices[dim] = narrow ? Value(arith::IndexCastOp::create(b, b.getIndexType(), index)) : index;
  }
}

static SmallVector<Value> subscripts(ImplicitLocOpBuilder &b, AffineMap map, ArrayRef<Value> indices) {
  SmallVector<Value> all;
  for (AffineExpr expr : map.getResults())
    all.push_back(affine::expandAffineExpr(b, b.getLoc(), expr, indices, {}));
  return all;
}

Value DeviceLoops::load(ImplicitLocOpBuilder &b, OpOperand &operand, ArrayRef<Value> indices,
                        const IRMapping &mapping) const {
  Value value = mapping.lookupOrDefault(operand.get());
  if (!isa<MemRefType>(value.getType()))
    return value;
  return memref::LoadOp::create(b, value, subscripts(b, op.getMatchingIndexingMap(&operand), indices));
}

void DeviceLoops::store(ImplicitLocOpBuilder &b, unsigned result, Value value, ArrayRef<Value> indices,
                        const IRMapping &mapping) const {
  OpOperand *init = op.getDpsInitOperand(result);
  memref::StoreOp::create(b, value, mapping.lookup(init->get()),
                          subscripts(b, op.getMatchingIndexingMap(init), indices));
}

void DeviceLoops::cloneBody(ImplicitLocOpBuilder &b, ArrayRef<Value> indices, IRMapping &inner,
                            const llvm::SmallPtrSetImpl<Operation *> &without) const {
  for (OpOperand *input : op.getDpsInputOperands())
    inner.map(op.getMatchingBlockArgument(input), load(b, *input, indices, inner));
  for (Operation &each : op.getBlock()->without_terminator()) {
    if (without.contains(&each))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(each)) {
      inner.map(index.getResult(), indices[index.getDim()]);
      continue;
    }
    Operation *clone = b.clone(each, inner);
    SmallVector<linalg::IndexOp> nested;
    clone->walk([&](linalg::IndexOp index) { nested.push_back(index); });
    for (linalg::IndexOp index : nested) {
      index.replaceAllUsesWith(indices[index.getDim()]);
      index.erase();
    }
  }
}

SmallVector<Value> DeviceLoops::whole(ImplicitLocOpBuilder &b, ArrayRef<Value> indices, ValueRange accumulators,
                                      const IRMapping &mapping) const {
  IRMapping inner = mapping;
  for (auto [argument, value] : llvm::zip(op.getRegionOutputArgs(), accumulators))
    inner.map(argument, value);
  cloneBody(b, indices, inner, llvm::SmallPtrSet<Operation *, 1>());
  SmallVector<Value> results;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    results.push_back(inner.lookupOrDefault(value));
  return results;
}

SmallVector<Value> DeviceLoops::elements(ImplicitLocOpBuilder &b, ArrayRef<Value> indices,
                                         const IRMapping &mapping) const {
  IRMapping inner = mapping;
  llvm::SmallPtrSet<Operation *, 8> without;
  for (const Combiner &combiner : combiners)
    without.insert(combiner.ops.begin(), combiner.ops.end());
  cloneBody(b, indices, inner, without);
  SmallVector<Value> values;
  for (const Combiner &combiner : combiners)
    values.push_back(inner.lookupOrDefault(combiner.element));
  return values;
}

SmallVector<Value> DeviceLoops::combine(ImplicitLocOpBuilder &b, ValueRange accumulated, ValueRange values) const {
  SmallVector<Value> results;
  for (auto [combiner, x, y] : llvm::zip(combiners, accumulated, values))
    results.push_back(combiner.emit(b, x, y));
  return results;
}

void DeviceLoops::emitSequence(ImplicitLocOpBuilder &b, IRMapping &mapping, ArrayRef<Value> indices) const {
  SmallVector<unsigned> reduced = dims(utils::IteratorType::reduction);
  SmallVector<Value> point(indices);
  SmallVector<Value> initial;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    // What is only written is not read: it may never have been.
    Value argument = op.getMatchingBlockArgument(&init);
    initial.push_back(argument.use_empty() && reduced.empty() ? argument : load(b, init, point, mapping));
  }
  if (reduced.empty()) {
    for (auto [i, value] : llvm::enumerate(whole(b, point, initial, mapping)))
      store(b, i, value, point, mapping);
    return;
  }
  // Combined by themselves first, as in a tree; what is no combination starts from what is there.
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Value count = product(b, reduced, mapping);
  bool apart = !combiners.empty();
  auto loop = [&](Value from, ValueRange start) {
    return scf::ForOp::create(
        b, from, count, one, start, [&](OpBuilder &nested, Location loc, Value at, ValueRange carried) {
          ImplicitLocOpBuilder in(loc, nested);
          SmallVector<Value> here(point);
          split(in, reduced, at, mapping, here);
          SmallVector<Value> next = apart ? combine(in, carried, elements(in, here, mapping))
                                          : whole(in, here, carried, mapping);
          scf::YieldOp::create(in, next);
        });
  };
  if (!apart) {
    for (auto [i, value] : llvm::enumerate(loop(zero, initial).getResults()))
      store(b, i, value, point, mapping);
    return;
  }
  Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, count, zero);
  auto guard = scf::IfOp::create(b, some, /*withElseRegion=*/false);
  ImplicitLocOpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(&guard.getThenRegion().front());
  SmallVector<Value> first(point);
  split(b, reduced, zero, mapping, first);
  SmallVector<Value> sums(loop(one, elements(b, first, mapping)).getResults());
  for (auto [i, value] : llvm::enumerate(combine(b, initial, sums)))
    store(b, i, value, point, mapping);
}

void DeviceLoops::emitTree(ImplicitLocOpBuilder &b, IRMapping &mapping, ArrayRef<Value> indices, Value thread,
                           ValueRange shared) const {
  using Is = arith::CmpIPredicate;
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  SmallVector<unsigned> reduced = dims(utils::IteratorType::reduction);
  Value count = product(b, reduced, mapping);
  // Of few elements one thread takes all.
  Value few = arith::CmpIOp::create(b, Is::ule, count, constant(fewElements));
  Value stride = arith::SelectOp::create(b, few, constant(1), constant(blockThreads));
  Value live = arith::MinUIOp::create(b, count, stride);
  SmallVector<Type> types;
  for (const Combiner &combiner : combiners)
    types.push_back(combiner.accumulator.getType());
  Value takes = arith::CmpIOp::create(b, Is::ult, thread, live);
  auto partial = scf::IfOp::create(b, types, takes, /*withElseRegion=*/true);
  {
    ImplicitLocOpBuilder::InsertionGuard saved(b);
    b.setInsertionPointToStart(&partial.getThenRegion().front());
    SmallVector<Value> first(indices);
    split(b, reduced, thread, mapping, first);
    Value next = arith::AddIOp::create(b, thread, stride);
    auto loop = scf::ForOp::create(b, next, count, stride, elements(b, first, mapping),
                                   [&](OpBuilder &nested, Location loc, Value at, ValueRange carried) {
                                     ImplicitLocOpBuilder in(loc, nested);
                                     SmallVector<Value> here(indices);
                                     split(in, reduced, at, mapping, here);
                                     scf::YieldOp::create(in, combine(in, carried, elements(in, here, mapping)));
                                   });
    scf::YieldOp::create(b, loop.getResults());
    b.setInsertionPointToStart(&partial.getElseRegion().front());
    SmallVector<Value> zeros;
    for (Type type : types)
      zeros.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
    scf::YieldOp::create(b, zeros);
  }
  for (auto [buffer, value] : llvm::zip(shared, partial.getResults()))
    memref::StoreOp::create(b, value, buffer, thread);
  gpu::BarrierOp::create(b);
  auto valuesAt = [&](Value at) {
    SmallVector<Value> values;
    for (Value buffer : shared)
      values.push_back(memref::LoadOp::create(b, buffer, at));
    return values;
  };
  for (int64_t distance = blockThreads / 2; distance > 0; distance /= 2) {
    Value other = arith::AddIOp::create(b, thread, constant(distance));
    Value combines = arith::AndIOp::create(
        b, arith::CmpIOp::create(b, Is::ult, thread, constant(distance)).getResult(),
        arith::CmpIOp::create(b, Is::ult, other, live).getResult());
    auto step = scf::IfOp::create(b, combines, /*withElseRegion=*/false);
    {
      ImplicitLocOpBuilder::InsertionGuard saved(b);
      b.setInsertionPointToStart(&step.getThenRegion().front());
      SmallVector<Value> mine = valuesAt(thread), theirs = valuesAt(other);
      for (auto [buffer, value] : llvm::zip(shared, combine(b, mine, theirs)))
        memref::StoreOp::create(b, value, buffer, thread);
    }
    gpu::BarrierOp::create(b);
  }
  Value first = arith::CmpIOp::create(b, Is::eq, thread, constant(0));
  Value some = arith::CmpIOp::create(b, Is::ugt, count, constant(0));
  auto finish = scf::IfOp::create(b, arith::AndIOp::create(b, first, some), /*withElseRegion=*/false);
  ImplicitLocOpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(&finish.getThenRegion().front());
  SmallVector<Value> initial;
  for (OpOperand &init : op.getDpsInitsMutable())
    initial.push_back(load(b, init, indices, mapping));
  for (auto [i, value] : llvm::enumerate(combine(b, initial, valuesAt(constant(0)))))
    store(b, i, value, indices, mapping);
}

void DeviceLoops::emitBody(ImplicitLocOpBuilder &b, IRMapping &mapping, ValueRange shared) const {
  SmallVector<unsigned> points = dims(utils::IteratorType::parallel);
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  bool blocks = spread() == Spread::blocks;
  Value point = block;
  if (!blocks) {
    Value size = arith::ConstantIndexOp::create(b, blockThreads);
    point = arith::AddIOp::create(b, arith::MulIOp::create(b, block, size).getResult(), thread);
  }
  Value total = product(b, points, mapping);
  Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, point, total);
  auto guard = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
  ImplicitLocOpBuilder::InsertionGuard saved(b);
  b.setInsertionPointToStart(&guard.getThenRegion().front());
  SmallVector<Value> indices(op.getNumLoops());
  split(b, points, point, mapping, indices);
  if (blocks)
    emitTree(b, mapping, indices, thread, shared);
  else
    emitSequence(b, mapping, indices);
}

Value DeviceLoops::emitGrid(ImplicitLocOpBuilder &b, const IRMapping &mapping) const {
  Value total = product(b, dims(utils::IteratorType::parallel), mapping);
  if (spread() == Spread::threads)
    total = b.createOrFold<arith::CeilDivUIOp>(total, arith::ConstantIndexOp::create(b, blockThreads));
  return b.createOrFold<arith::MaxUIOp>(total, arith::ConstantIndexOp::create(b, 1));
}

} // namespace janus
