//===- ToLinalgReduction.cpp - Reductions and products ----------------------===//
//
// In: reductions, argmax, cumsum, dot. Out: loops that visit the reduced elements
// in row-major order with one accumulator per result element. Sums and products of
// f32 accumulate in f64 and are rounded once.
//
//===----------------------------------------------------------------------===//

#include "ToLinalg.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace janus;

namespace {

using Builder = ImplicitLocOpBuilder;

/// How a reduction starts and goes on.
enum class Kind { sum, product, maximum, minimum };

Kind kindOf(ReduceSumOp) { return Kind::sum; }
Kind kindOf(ReduceProdOp) { return Kind::product; }
Kind kindOf(ReduceMaxOp) { return Kind::maximum; }
Kind kindOf(ReduceMinOp) { return Kind::minimum; }

/// The element type of the accumulator.
Type accumulatorOf(Kind kind, Type element) {
  bool adds = kind == Kind::sum || kind == Kind::product;
  return adds && element.isF32() ? Float64Type::get(element.getContext())
                                 : element;
}

/// The smallest or largest value of an element type, infinite for floats.
Value boundOf(Builder &b, Type element, bool largest) {
  Type type = computeType(element);
  if (auto floating = dyn_cast<FloatType>(type))
    return arith::ConstantFloatOp::create(
        b, floating, APFloat::getInf(floating.getFloatSemantics(), !largest));
  unsigned width = type.getIntOrFloatBitWidth();
  APInt bits = isUnsigned(element)
                   ? (largest ? APInt::getMaxValue(width)
                              : APInt::getMinValue(width))
                   : (largest ? APInt::getSignedMaxValue(width)
                              : APInt::getSignedMinValue(width));
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, bits));
}

Value initialValue(Builder &b, Kind kind, Type element) {
  switch (kind) {
  case Kind::sum:
    return numberOf(b, element, 0);
  case Kind::product:
    return numberOf(b, element, 1);
  case Kind::maximum:
    return boundOf(b, element, false);
  case Kind::minimum:
    return boundOf(b, element, true);
  }
  llvm_unreachable("unknown kind");
}

/// Whether x > y (or x < y); false on NaN.
Value comesFirst(Builder &b, Type element, bool largest, Value x, Value y) {
  if (isa<FloatType>(element))
    return arith::CmpFOp::create(
        b, largest ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, x,
        y);
  using Is = arith::CmpIPredicate;
  Is predicate = isUnsigned(element) ? (largest ? Is::ugt : Is::ult)
                                     : (largest ? Is::sgt : Is::slt);
  return arith::CmpIOp::create(b, predicate, x, y);
}

/// Whether `x` replaces `best` as the first extremum; NaN is beyond every number.
Value beats(Builder &b, Type element, bool largest, Value x, Value best) {
  Value further = comesFirst(b, element, largest, x, best);
  if (!isa<FloatType>(element))
    return further;
  using Is = arith::CmpFPredicate;
  Value nan = arith::AndIOp::create(
      b, arith::CmpFOp::create(b, Is::UNO, x, x).getResult(),
      arith::CmpFOp::create(b, Is::ORD, best, best).getResult());
  return arith::OrIOp::create(b, further, nan);
}

Value combine(Builder &b, Kind kind, Type element, Value accumulator, Value x) {
  bool floating = isa<FloatType>(element);
  switch (kind) {
  case Kind::sum:
    if (floating)
      return arith::AddFOp::create(b, accumulator, x);
    return arith::AddIOp::create(b, accumulator, x);
  case Kind::product:
    if (floating)
      return arith::MulFOp::create(b, accumulator, x);
    return arith::MulIOp::create(b, accumulator, x);
  case Kind::maximum:
  case Kind::minimum: {
    // As the elementwise primitive: the accumulator where it is NaN or comes
    // first in the order.
    Value keep = comesFirst(b, element, kind == Kind::maximum, accumulator, x);
    if (floating)
      keep = arith::OrIOp::create(
          b, keep,
          arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, accumulator,
                                accumulator));
    return arith::SelectOp::create(b, keep, accumulator, x);
  }
  }
  llvm_unreachable("unknown kind");
}

/// The loop maps of a reduction: all of the operand, and what stays.
struct ReductionLoop {
  ReductionLoop(Builder &b, int64_t rank, ArrayRef<int64_t> reduced)
      : iterators(rank, utils::IteratorType::parallel),
        operandMap(b.getMultiDimIdentityMap(rank)) {
    for (int64_t dim : reduced)
      iterators[dim] = utils::IteratorType::reduction;
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (iterators[dim] == utils::IteratorType::parallel) {
        exprs.push_back(b.getAffineDimExpr(dim));
        kept.push_back(dim);
      }
    resultMap = AffineMap::get(rank, 0, exprs, b.getContext());
  }

  SmallVector<utils::IteratorType> iterators;
  AffineMap operandMap, resultMap;
  SmallVector<int64_t> kept;
};

template <typename Op> struct Reduce : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    Value operand = adaptor.getOperand();
    auto from = cast<RankedTensorType>(operand.getType());
    auto type = cast<RankedTensorType>(
        this->getTypeConverter()->convertType(op.getType()));
    Type element = elementOf(op.getType());
    Kind kind = kindOf(op);
    Type accumulated = accumulatorOf(kind, element);

    ReductionLoop loop(b, from.getRank(), op.getDims());
    auto all = extentsOf(b, operand);
    SmallVector<OpFoldResult> extents;
    for (int64_t dim : loop.kept)
      extents.push_back(all[dim]);
    auto carried = type.clone(memoryType(accumulated));
    Value initial = toMemory(b, b.getLoc(), initialValue(b, kind, accumulated),
                             accumulated);
    Value init = filledTensor(b, carried, extents, initial);
    auto body = [&](OpBuilder &nested, Location loc, ValueRange v) {
      Builder inner(loc, nested);
      Value x = toCompute(inner, loc, v[0], element);
      Value accumulator = toCompute(inner, loc, v[1], accumulated);
      x = castElement(inner, x, element, accumulated);
      Value next = combine(inner, kind, accumulated, accumulator, x);
      linalg::YieldOp::create(inner, toMemory(inner, loc, next, accumulated));
    };
    Value result =
        linalg::GenericOp::create(b, TypeRange(carried), ValueRange(operand),
                                  ValueRange(init),
                                  ArrayRef{loop.operandMap, loop.resultMap},
                                  loop.iterators, body)
            .getResult(0);
    if (accumulated != element)
      result = mapElements(b, type, extents, result,
                           b.getMultiDimIdentityMap(type.getRank()),
                           [&](Builder &inner, ValueRange v) {
                             return castElement(inner, v[0], accumulated,
                                                element);
                           });
    rewriter.replaceOp(op, result);
    return success();
  }
};

template <typename Op> struct ArgReduce : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    Value operand = adaptor.getOperand();
    auto from = cast<RankedTensorType>(operand.getType());
    auto type = cast<RankedTensorType>(op.getType());
    Type element = elementOf(op.getOperand().getType());
    bool largest = std::is_same_v<Op, ArgmaxOp>;
    int64_t dim = op.getDim();

    ReductionLoop loop(b, from.getRank(), dim);
    auto all = extentsOf(b, operand);
    SmallVector<OpFoldResult> extents;
    for (int64_t kept : loop.kept)
      extents.push_back(all[kept]);
    auto bestType = type.clone(memoryType(element));
    Value best = filledTensor(
        b, bestType, extents,
        toMemory(b, b.getLoc(), boundOf(b, element, !largest), element));
    Value zero = arith::ConstantIntOp::create(b, b.getI64Type(), 0);
    Value index = filledTensor(b, type, extents, zero);
    auto body = [&](OpBuilder &nested, Location loc, ValueRange v) {
      Builder inner(loc, nested);
      Value x = toCompute(inner, loc, v[0], element);
      Value known = toCompute(inner, loc, v[1], element);
      Value wins = beats(inner, element, largest, x, known);
      Value here = arith::IndexCastOp::create(
          inner, inner.getI64Type(), linalg::IndexOp::create(inner, dim));
      Value value = arith::SelectOp::create(inner, wins, v[0], v[1]);
      Value at = arith::SelectOp::create(inner, wins, here, v[2]);
      linalg::YieldOp::create(inner, ValueRange{value, at});
    };
    auto generic = linalg::GenericOp::create(
        b, TypeRange{bestType, type}, ValueRange(operand),
        ValueRange{best, index},
        ArrayRef{loop.operandMap, loop.resultMap, loop.resultMap},
        loop.iterators, body);
    rewriter.replaceOp(op, generic.getResult(1));
    return success();
  }
};

/// Running sums: a nest of loops in which the innermost one carries the sum.
struct Cumsum : OpConversionPattern<CumsumOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CumsumOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    Value operand = adaptor.getOperand();
    auto type = cast<RankedTensorType>(operand.getType());
    Type element = elementOf(op.getType());
    Type accumulated = accumulatorOf(Kind::sum, element);
    int64_t dim = op.getDim();
    auto extents = extentsOf(b, operand);
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);

    SmallVector<Value> indices(type.getRank());
    Value result = emptyTensor(b, type, extents);
    scf::ForOp outermost;
    auto open = [&](int64_t d, ValueRange carried) {
      auto loop = scf::ForOp::create(b, zero, asIndex(b, extents[d]), one,
                                     carried);
      if (!outermost)
        outermost = loop;
      indices[d] = loop.getInductionVar();
      return loop;
    };
    SmallVector<scf::ForOp> nest;
    Value carried = result;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (d == dim)
        continue;
      nest.push_back(open(d, carried));
      b.setInsertionPointToStart(nest.back().getBody());
      carried = nest.back().getRegionIterArgs()[0];
    }
    Value start = initialValue(b, Kind::sum, accumulated);
    auto running = open(dim, ValueRange{carried, start});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(running.getBody());
      Value x = tensor::ExtractOp::create(b, operand, indices);
      x = castElement(b, x, element, accumulated);
      Value sum = combine(b, Kind::sum, accumulated,
                          running.getRegionIterArgs()[1], x);
      Value stored = tensor::InsertOp::create(
          b, castElement(b, sum, accumulated, element),
          running.getRegionIterArgs()[0], indices);
      scf::YieldOp::create(b, ValueRange{stored, sum});
    }
    Value inner = running.getResult(0);
    for (scf::ForOp loop : llvm::reverse(nest)) {
      b.setInsertionPointToEnd(loop.getBody());
      scf::YieldOp::create(b, inner);
      inner = loop.getResult(0);
    }
    rewriter.replaceOp(op, outermost.getResult(0));
    return success();
  }
};

/// The tensor that `value` is a permutation of, and where dimension i of `value`
/// is in it.
std::pair<Value, SmallVector<int64_t>> sourceOf(Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  while (auto permute = value.getDefiningOp<PermuteOp>()) {
    for (int64_t &dim : dims)
      dim = permute.getDims()[dim];
    value = permute.getOperand();
  }
  return {value, dims};
}

/// A contraction whose maps swallow the transposes that feed it: like the eager
/// kernel, it hands strides to the library. Dimension i of the result is
/// dimension `order[i]` of the product.
LogicalResult lowerDot(ConversionPatternRewriter &rewriter, DotOp op,
                       Operation *root, ArrayRef<int64_t> order,
                       RankedTensorType type) {
  Builder b(root->getLoc(), rewriter);
  int64_t rank = type.getRank(), batch = rank - 2;
  int64_t m = batch, n = batch + 1, k = batch + 2;

  // The map of an operand that holds dimension i of the matrices at `places[i]`.
  auto mapOf = [&](ArrayRef<int64_t> places, int64_t row, int64_t column) {
    SmallVector<AffineExpr> exprs(rank);
    for (int64_t i = 0; i < rank; ++i)
      exprs[places[i]] =
          b.getAffineDimExpr(i < batch ? i : i == batch ? row : column);
    return AffineMap::get(rank + 1, 0, exprs, b.getContext());
  };
  auto [lhs, lhsDims] = sourceOf(op.getLhs());
  auto [rhs, rhsDims] = sourceOf(op.getRhs());
  lhs = rewriter.getRemappedValue(lhs);
  rhs = rewriter.getRemappedValue(rhs);
  if (!lhs || !rhs)
    return failure();

  auto lhsExtents = extentsOf(b, lhs), rhsExtents = extentsOf(b, rhs);
  SmallVector<OpFoldResult> product;
  for (int64_t i = 0; i < rank - 1; ++i)
    product.push_back(lhsExtents[lhsDims[i]]);
  product.push_back(rhsExtents[rhsDims[rank - 1]]);
  SmallVector<OpFoldResult> extents;
  SmallVector<AffineExpr> resultExprs;
  for (int64_t dim : order) {
    extents.push_back(product[dim]);
    resultExprs.push_back(b.getAffineDimExpr(dim));
  }
  auto resultMap = AffineMap::get(rank + 1, 0, resultExprs, b.getContext());
  Value init =
      filledTensor(b, type, extents, numberOf(b, elementOf(op.getType()), 0));
  rewriter.replaceOpWithNewOp<linalg::ContractOp>(
      root, TypeRange(type), ValueRange{lhs, rhs}, ValueRange(init),
      b.getAffineMapArrayAttr(
          {mapOf(lhsDims, m, k), mapOf(rhsDims, k, n), resultMap}));
  return success();
}

struct Dot : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    return lowerDot(rewriter, op, op, order, type);
  }
};

/// A product that is only used transposed is written that way.
struct PermutedDot : OpConversionPattern<PermuteOp> {
  PermutedDot(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(PermuteOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dot = op.getOperand().getDefiningOp<DotOp>();
    // Other products look through the transpose, and would need both.
    bool lookedThrough = llvm::any_of(op->getUsers(), [](Operation *user) {
      return isa<DotOp, PermuteOp>(user);
    });
    if (!dot || !dot->hasOneUse() || lookedThrough)
      return failure();
    auto type = cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    return lowerDot(rewriter, dot, op, op.getDims(), type);
  }
};

} // namespace

void janus::populateReduction(RewritePatternSet &patterns,
                              const TypeConverter &converter) {
  patterns.add<Reduce<ReduceSumOp>, Reduce<ReduceProdOp>, Reduce<ReduceMaxOp>,
               Reduce<ReduceMinOp>, ArgReduce<ArgmaxOp>, ArgReduce<ArgminOp>,
               Cumsum, Dot, PermutedDot>(converter, patterns.getContext());
}
