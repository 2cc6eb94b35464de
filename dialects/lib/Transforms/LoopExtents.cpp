//===- LoopExtents.cpp - extents that a loop does not change --------------===//

#include "janus/Transforms/LoopExtents.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace janus;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

bool LoopExtents::isOuter(Value value) const {
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

void LoopExtents::unite(const MaybeExtent &a, const MaybeExtent &b) {
  if (a && b)
    equal.unionSets({a->first.getAsOpaquePointer(), a->second},
                    {b->first.getAsOpaquePointer(), b->second});
}

bool LoopExtents::areEqual(const MaybeExtent &a, const MaybeExtent &b) {
  if (!a || !b)
    return false;
  return *a == *b || equal.isEquivalent({a->first.getAsOpaquePointer(), a->second},
                                        {b->first.getAsOpaquePointer(), b->second});
}

LoopExtents::MaybeExtent LoopExtents::ofInteger(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return constant(number.getSExtValue());
  if (auto dim = value.getDefiningOp<DimOp>())
    return ofDim(dim.getSource(), dim.getDim());
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return ofInteger(cast.getIn());
  if (isOuter(value))
    return Extent(value, -1);
  return std::nullopt;
}

LoopExtents::MaybeExtent LoopExtents::ofDim(Value value, int64_t dim) {
  RankedTensorType type = typeOf(value);
  if (!type.isDynamicDim(dim))
    return constant(type.getDimSize(dim));
  if (changing.contains(Extent(value, dim)))
    return std::nullopt;
  auto [found, isNew] = known.try_emplace(Extent(value, dim), std::nullopt);
  if (!isNew)
    return found->second;
  MaybeExtent extent = isa<BlockArgument>(value)
                           ? ofArgument(cast<BlockArgument>(value), dim)
                           : ofDefinition(value.getDefiningOp(), value, dim);
  if (!extent && isOuter(value))
    extent = Extent(value, dim);
  known[Extent(value, dim)] = extent;
  return extent;
}

/// It is the extent of `init` if it is so after an iteration that started with it.
LoopExtents::MaybeExtent LoopExtents::ofCarried(Value init, Value next, Value carried,
                                                int64_t dim) {
  MaybeExtent first = ofDim(init, dim);
  known[Extent(carried, dim)] = first;
  if (areEqual(first, ofDim(next, dim)))
    return first;
  // So is nothing that followed from it.
  changing.insert(Extent(carried, dim));
  known.clear();
  equal = {};
  return std::nullopt;
}

LoopExtents::MaybeExtent LoopExtents::ofArgument(BlockArgument argument, int64_t dim) {
  unsigned i = argument.getArgNumber();
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto whileOp = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner() == whileOp.getAfterBody())
      return ofDim(whileOp.getConditionOp().getArgs()[i], dim);
    return ofCarried(whileOp.getInits()[i], whileOp.getYieldOp().getResults()[i], argument, dim);
  }
  if (auto forOp = dyn_cast<scf::ForOp>(parent); forOp && i > 0)
    return ofCarried(forOp.getInitArgs()[i - 1], forOp.getYieldedValues()[i - 1], argument, dim);
  return std::nullopt;
}

LoopExtents::MaybeExtent LoopExtents::ofDefinition(Operation *op, Value value, int64_t dim) {
  unsigned result = cast<OpResult>(value).getResultNumber();
  // The size operand that gives the result's `?` number `dim`.
  auto ofSizes = [&](ValueRange sizes) {
    unsigned index = 0;
    for (int64_t i = 0; i < dim; ++i)
      index += typeOf(value).isDynamicDim(i);
    return index < sizes.size() ? ofInteger(sizes[index]) : std::nullopt;
  };
  auto notReduced = [&](ArrayRef<int64_t> dims) {
    int64_t at = dim;
    for (int64_t reduced : dims)
      at += reduced <= at;
    return ofDim(op->getOperand(0), at);
  };
  return llvm::TypeSwitch<Operation *, MaybeExtent>(op)
      .Case<tensor::EmptyOp>([&](auto made) { return ofSizes(made.getDynamicSizes()); })
      .Case<FullOp, IotaOp, BroadcastOp, ReshapeOp, ConvOp, ConvImageOp, ConvFiltersOp,
            PoolArgmaxOp>(
          [&](auto made) { return ofSizes(made.getSizes()); })
      .Case<SliceOp, UnsliceOp>([&](auto made) { return ofSizes(made.getDynamicSizes()); })
      .Case<PermuteOp>(
          [&](auto permute) { return ofDim(permute.getOperand(), permute.getDims()[dim]); })
      .Case<DotOp>([&](auto dot) {
        bool isLast = dim + 1 == typeOf(value).getRank();
        return ofDim(isLast ? dot.getRhs() : dot.getLhs(), dim);
      })
      .Case<GatherOp>([&](auto gather) { return ofDim(gather.getIndices(), dim); })
      .Case<TakeOp>([&](auto take) {
        int64_t at = take.getDim(), rank = typeOf(take.getIndices()).getRank();
        if (dim < at)
          return ofDim(take.getSource(), dim);
        if (dim < at + rank)
          return ofDim(take.getIndices(), dim - at);
        return ofDim(take.getSource(), dim - rank + 1);
      })
      .Case<ConcatOp>([&](auto concat) {
        if (static_cast<int64_t>(concat.getDim()) == dim)
          return MaybeExtent();
        return ofDim(concat.getInputs().front(), dim);
      })
      .Case<ReduceSumOp, ReduceProdOp, ReduceMaxOp, ReduceMinOp>(
          [&](auto reduce) { return notReduced(reduce.getDims()); })
      .Case<ArgmaxOp, ArgminOp>(
          [&](auto arg) { return notReduced({static_cast<int64_t>(arg.getDim())}); })
      .Case<UpdateSliceOp, FillSliceOp, ReverseOp, CumsumOp, ArgsortOp, ScatterAddOp, TakeAddOp,
            tensor::CastOp>(
          [&](Operation *same) { return ofDim(same->getOperand(0), dim); })
      .Case<scf::IfOp>([&](scf::IfOp ifOp) {
        MaybeExtent then = ofDim(ifOp.thenYield().getResults()[result], dim);
        MaybeExtent otherwise = ofDim(ifOp.elseYield().getResults()[result], dim);
        return areEqual(then, otherwise) ? then : MaybeExtent();
      })
      .Case<scf::WhileOp>([&](scf::WhileOp whileOp) {
        return ofDim(whileOp.getConditionOp().getArgs()[result], dim);
      })
      .Case<scf::ForOp>(
          [&](scf::ForOp forOp) { return ofDim(forOp.getRegionIterArgs()[result], dim); })
      .Default([&](Operation *other) {
        // What is left of the dialect works element by element.
        MaybeExtent extent;
        if (!isa_and_nonnull<JanusDialect>(other->getDialect()))
          return extent;
        for (Value operand : other->getOperands()) {
          auto type = dyn_cast<RankedTensorType>(operand.getType());
          if (!type || type.getRank() != typeOf(value).getRank())
            continue;
          MaybeExtent mine = ofDim(operand, dim);
          unite(extent, mine);
          if (!extent)
            extent = mine;
        }
        return extent;
      });
}

bool LoopExtents::isFixed(Value value) {
  auto dims = llvm::seq<int64_t>(0, typeOf(value).getRank());
  return llvm::all_of(dims, [&](int64_t dim) { return ofDim(value, dim).has_value(); });
}

Value LoopExtents::get(OpBuilder &builder, Location loc, Value value, int64_t dim) {
  MaybeExtent extent = ofDim(value, dim);
  if (!extent)
    return {};
  auto [base, number] = *extent;
  if (!base)
    return arith::ConstantIndexOp::create(builder, loc, number);
  if (number >= 0)
    return DimOp::create(builder, loc, builder.getIndexType(), base,
                         static_cast<uint64_t>(number));
  if (base.getType().isIndex())
    return base;
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), base);
}

LogicalResult LoopExtents::get(OpBuilder &builder, Location loc, Value value,
                               SmallVectorImpl<Value> &extents) {
  RankedTensorType type = typeOf(value);
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (!type.isDynamicDim(i))
      continue;
    Value extent = get(builder, loc, value, i);
    if (!extent)
      return failure();
    extents.push_back(extent);
  }
  return success();
}
