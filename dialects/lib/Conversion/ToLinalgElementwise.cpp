//===- ToLinalgElementwise.cpp - Elementwise primitives ---------------------===//
//
// In: one elementwise primitive. Out: a linalg.generic whose body computes it, bit
// for bit as the eager kernel of the same name does. No op here is undefined for
// any input: integer division by zero, shifts by too much and conversions out of
// range have the values that the kernels give.
//
//===----------------------------------------------------------------------===//

#include "ToLinalg.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace janus;

namespace {

using Builder = ImplicitLocOpBuilder;
using FloatIs = arith::CmpFPredicate;
using IntIs = arith::CmpIPredicate;

Value compareFloats(Builder &b, FloatIs predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, predicate, x, y);
}
Value compareInts(Builder &b, IntIs predicate, Value x, Value y) {
  return arith::CmpIOp::create(b, predicate, x, y);
}
Value select(Builder &b, Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, condition, x, y);
}

/// What an emitter sees: the operands' compute values and their element type.
struct Operands {
  ValueRange values;
  Type element;
  Value operator[](size_t i) const { return values[i]; }
  bool isFloat() const { return isa<FloatType>(element); }
};

/// Whether x comes before y in the order of its type; false on NaN.
Value isLess(Builder &b, Type element, Value x, Value y) {
  if (isa<FloatType>(element))
    return compareFloats(b, FloatIs::OLT, x, y);
  return compareInts(b, isUnsigned(element) ? IntIs::ult : IntIs::slt, x, y);
}

//===----------------------------------------------------------------------===//
// One overload per primitive
//===----------------------------------------------------------------------===//

Value emit(Builder &b, NegOp, Operands v) {
  if (v.isFloat())
    return arith::NegFOp::create(b, v[0]);
  return arith::SubIOp::create(b, numberOf(b, v.element, 0), v[0]);
}

Value emit(Builder &b, AbsOp, Operands v) {
  if (v.isFloat())
    return math::AbsFOp::create(b, v[0]);
  if (isUnsigned(v.element))
    return v[0];
  Value zero = numberOf(b, v.element, 0);
  return select(b, compareInts(b, IntIs::slt, v[0], zero),
                arith::SubIOp::create(b, zero, v[0]), v[0]);
}

Value emit(Builder &b, SignOp, Operands v) {
  Value zero = numberOf(b, v.element, 0);
  Value negative = select(b, isLess(b, v.element, v[0], zero),
                          numberOf(b, v.element, -1), zero);
  return select(b, isLess(b, v.element, zero, v[0]), numberOf(b, v.element, 1),
                negative);
}

#define JANUS_MATH_UNARY(PRIMITIVE, MATH)                                      \
  Value emit(Builder &b, PRIMITIVE, Operands v) {                              \
    return MATH::create(b, v[0]);                                              \
  }
JANUS_MATH_UNARY(ExpOp, math::ExpOp)
JANUS_MATH_UNARY(LogOp, math::LogOp)
JANUS_MATH_UNARY(Log1pOp, math::Log1pOp)
JANUS_MATH_UNARY(Expm1Op, math::ExpM1Op)
JANUS_MATH_UNARY(SqrtOp, math::SqrtOp)
JANUS_MATH_UNARY(TanhOp, math::TanhOp)
JANUS_MATH_UNARY(SinOp, math::SinOp)
JANUS_MATH_UNARY(CosOp, math::CosOp)
JANUS_MATH_UNARY(ErfOp, math::ErfOp)
JANUS_MATH_UNARY(FloorOp, math::FloorOp)
JANUS_MATH_UNARY(CeilOp, math::CeilOp)
JANUS_MATH_UNARY(RoundOp, math::RoundEvenOp)
#undef JANUS_MATH_UNARY

Value emit(Builder &b, RsqrtOp, Operands v) {
  return arith::DivFOp::create(b, numberOf(b, v.element, 1),
                               math::SqrtOp::create(b, v[0]));
}

Value emit(Builder &b, SigmoidOp, Operands v) {
  Value one = numberOf(b, v.element, 1);
  Value power = math::ExpOp::create(b, arith::NegFOp::create(b, v[0]));
  return arith::DivFOp::create(b, one, arith::AddFOp::create(b, one, power));
}

Value emit(Builder &b, NotOp, Operands v) {
  return arith::XOrIOp::create(b, v[0], numberOf(b, v.element, -1));
}

#define JANUS_BINARY(PRIMITIVE, FLOAT, INT)                                    \
  Value emit(Builder &b, PRIMITIVE, Operands v) {                              \
    if (v.isFloat())                                                           \
      return FLOAT::create(b, v[0], v[1]);                                     \
    return INT::create(b, v[0], v[1]);                                         \
  }
JANUS_BINARY(AddOp, arith::AddFOp, arith::AddIOp)
JANUS_BINARY(SubOp, arith::SubFOp, arith::SubIOp)
JANUS_BINARY(MulOp, arith::MulFOp, arith::MulIOp)
#undef JANUS_BINARY

Value emit(Builder &b, DivOp, Operands v) {
  return arith::DivFOp::create(b, v[0], v[1]);
}

#define JANUS_BITWISE(PRIMITIVE, INT)                                          \
  Value emit(Builder &b, PRIMITIVE, Operands v) {                              \
    return INT::create(b, v[0], v[1]);                                         \
  }
JANUS_BITWISE(AndOp, arith::AndIOp)
JANUS_BITWISE(OrOp, arith::OrIOp)
JANUS_BITWISE(XorOp, arith::XOrIOp)
#undef JANUS_BITWISE

/// Quotient and remainder of C, defined for every input: by zero 0 and x, and
/// the smallest number by -1 wraps.
std::pair<Value, Value> divideInts(Builder &b, Operands v) {
  Value zero = numberOf(b, v.element, 0), one = numberOf(b, v.element, 1);
  Value byZero = compareInts(b, IntIs::eq, v[1], zero);
  if (isUnsigned(v.element)) {
    Value divisor = select(b, byZero, one, v[1]);
    return {select(b, byZero, zero, arith::DivUIOp::create(b, v[0], divisor)),
            select(b, byZero, v[0], arith::RemUIOp::create(b, v[0], divisor))};
  }
  Value byMinusOne =
      compareInts(b, IntIs::eq, v[1], numberOf(b, v.element, -1));
  Value divisor = select(b, arith::OrIOp::create(b, byZero, byMinusOne), one,
                         v[1]);
  Value quotient = arith::DivSIOp::create(b, v[0], divisor);
  quotient = select(b, byMinusOne, arith::SubIOp::create(b, zero, v[0]),
                    select(b, byZero, zero, quotient));
  Value remainder =
      select(b, byZero, v[0], arith::RemSIOp::create(b, v[0], divisor));
  return {quotient, remainder};
}

/// Whether a remainder has to move by one divisor to get the divisor's sign.
Value needsShift(Builder &b, Operands v, Value remainder) {
  Value zero = numberOf(b, v.element, 0);
  Value nonzero =
      v.isFloat() ? compareFloats(b, FloatIs::UNE, remainder, zero)
                  : compareInts(b, IntIs::ne, remainder, zero);
  Value differ = arith::XOrIOp::create(b, isLess(b, v.element, v[1], zero),
                                       isLess(b, v.element, remainder, zero));
  return arith::AndIOp::create(b, nonzero, differ);
}

Value emit(Builder &b, RemOp, Operands v) {
  if (v.isFloat()) {
    Value remainder = arith::RemFOp::create(b, v[0], v[1]);
    return select(b, needsShift(b, v, remainder),
                  arith::AddFOp::create(b, remainder, v[1]), remainder);
  }
  Value remainder = divideInts(b, v).second;
  if (isUnsigned(v.element))
    return remainder;
  return select(b, needsShift(b, v, remainder),
                arith::AddIOp::create(b, remainder, v[1]), remainder);
}

Value emit(Builder &b, FloorDivOp, Operands v) {
  Value one = numberOf(b, v.element, 1), zero = numberOf(b, v.element, 0);
  if (!v.isFloat()) {
    auto [quotient, remainder] = divideInts(b, v);
    if (isUnsigned(v.element))
      return quotient;
    return select(b, needsShift(b, v, remainder),
                  arith::SubIOp::create(b, quotient, one), quotient);
  }
  // As in CPython and torch: from the exact remainder, so that it is the floor
  // of the exact quotient.
  Value remainder = arith::RemFOp::create(b, v[0], v[1]);
  Value quotient = arith::DivFOp::create(
      b, arith::SubFOp::create(b, v[0], remainder), v[1]);
  quotient = select(b, needsShift(b, v, remainder),
                    arith::SubFOp::create(b, quotient, one), quotient);
  Value floored = math::FloorOp::create(b, quotient);
  Value half = numberOf(b, v.element, 0.5);
  floored = select(b,
                   compareFloats(b, FloatIs::OGT,
                                 arith::SubFOp::create(b, quotient, floored),
                                 half),
                   arith::AddFOp::create(b, floored, one), floored);
  Value exact = arith::DivFOp::create(b, v[0], v[1]);
  Value result = select(b, compareFloats(b, FloatIs::UNE, quotient, zero),
                        floored, math::CopySignOp::create(b, zero, exact));
  return select(b, compareFloats(b, FloatIs::OEQ, v[1], zero), exact, result);
}

/// Powers of integers by squaring; a negative exponent leaves only those of 1
/// and -1.
Value powerOfInts(Builder &b, Operands v) {
  Type type = v[0].getType();
  Value zero = numberOf(b, v.element, 0), one = numberOf(b, v.element, 1);
  auto loop = scf::WhileOp::create(
      b, TypeRange{type, type, type}, ValueRange{one, v[0], v[1]},
      [&](OpBuilder &nested, Location loc, ValueRange state) {
        Builder inner(loc, nested);
        Value more = compareInts(
            inner, isUnsigned(v.element) ? IntIs::ugt : IntIs::sgt, state[2],
            zero);
        scf::ConditionOp::create(inner, more, state);
      },
      [&](OpBuilder &nested, Location loc, ValueRange state) {
        Builder inner(loc, nested);
        Value odd = compareInts(inner, IntIs::ne,
                                arith::AndIOp::create(inner, state[2], one),
                                zero);
        Value product = select(
            inner, odd, arith::MulIOp::create(inner, state[0], state[1]),
            state[0]);
        Value square = arith::MulIOp::create(inner, state[1], state[1]);
        Value rest = arith::ShRUIOp::create(inner, state[2], one);
        scf::YieldOp::create(inner, ValueRange{product, square, rest});
      });
  Value power = loop.getResult(0);
  if (isUnsigned(v.element))
    return power;
  Value odd = compareInts(b, IntIs::ne, arith::AndIOp::create(b, v[1], one),
                          zero);
  Value minusOne = numberOf(b, v.element, -1);
  Value reciprocal = select(
      b, compareInts(b, IntIs::eq, v[0], one), one,
      select(b, compareInts(b, IntIs::eq, v[0], minusOne),
             select(b, odd, minusOne, one), zero));
  return select(b, compareInts(b, IntIs::slt, v[1], zero), reciprocal, power);
}

Value emit(Builder &b, PowOp, Operands v) {
  if (v.isFloat())
    return math::PowFOp::create(b, v[0], v[1]);
  return powerOfInts(b, v);
}

/// The first operand where it is NaN or comes first in the order, else the other.
Value extremum(Builder &b, Operands v, bool largest) {
  Value first = largest ? isLess(b, v.element, v[1], v[0])
                        : isLess(b, v.element, v[0], v[1]);
  if (v.isFloat())
    first = arith::OrIOp::create(
        b, first, compareFloats(b, FloatIs::UNO, v[0], v[0]));
  return select(b, first, v[0], v[1]);
}
Value emit(Builder &b, MaximumOp, Operands v) { return extremum(b, v, true); }
Value emit(Builder &b, MinimumOp, Operands v) { return extremum(b, v, false); }

/// Whether a shift count lies in [0, bits).
Value isShiftInRange(Builder &b, Operands v) {
  Value bits = numberOf(b, v.element, v[0].getType().getIntOrFloatBitWidth());
  return compareInts(b, IntIs::ult, v[1], bits);
}

Value emit(Builder &b, ShlOp, Operands v) {
  Value zero = numberOf(b, v.element, 0);
  Value inRange = isShiftInRange(b, v);
  Value count = select(b, inRange, v[1], zero);
  return select(b, inRange, arith::ShLIOp::create(b, v[0], count), zero);
}

Value emit(Builder &b, ShrOp, Operands v) {
  Value inRange = isShiftInRange(b, v);
  Value zero = numberOf(b, v.element, 0);
  if (isUnsigned(v.element)) {
    Value count = select(b, inRange, v[1], zero);
    return select(b, inRange, arith::ShRUIOp::create(b, v[0], count), zero);
  }
  // Beyond the width every bit is the sign.
  Value most = numberOf(b, v.element,
                        v[0].getType().getIntOrFloatBitWidth() - 1);
  return arith::ShRSIOp::create(b, v[0], select(b, inRange, v[1], most));
}

Value emit(Builder &b, CompareOp op, Operands v) {
  static constexpr FloatIs floats[] = {FloatIs::OEQ, FloatIs::UNE, FloatIs::OLT,
                                       FloatIs::OLE, FloatIs::OGT, FloatIs::OGE};
  static constexpr IntIs ints[] = {IntIs::eq,  IntIs::ne,  IntIs::slt,
                                   IntIs::sle, IntIs::sgt, IntIs::sge};
  static constexpr IntIs naturals[] = {IntIs::eq,  IntIs::ne,  IntIs::ult,
                                       IntIs::ule, IntIs::ugt, IntIs::uge};
  size_t which = static_cast<size_t>(op.getPredicate());
  if (v.isFloat())
    return compareFloats(b, floats[which], v[0], v[1]);
  return compareInts(b, isUnsigned(v.element) ? naturals[which] : ints[which],
                     v[0], v[1]);
}

Value emit(Builder &b, CastOp op, Operands v) {
  return castElement(b, v[0], v.element, elementOf(op.getType()));
}

Value emit(Builder &b, SelectOp, Operands v) {
  return select(b, v[0], v[1], v[2]);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Where an extent comes from: dimension `second` of a tensor, or, if that is negative, the number `first`.
using Root = std::pair<Value, int64_t>;

/// Tells which extents are equal by what made them.
class Roots {
public:
  Root of(Value tensor, int64_t dim) {
    auto found = known.find({tensor, dim});
    if (found != known.end())
      return found->second;
    Root root = find(tensor, dim);
    known[{tensor, dim}] = root;
    return root;
  }

private:
  Root find(Value tensor, int64_t dim) {
    Operation *op = tensor.getDefiningOp();
    if (!op)
      return {tensor, dim};
    auto given = [&](ValueRange sizes) -> Root {
      auto extents = cast<RankedTensorType>(tensor.getType()).getShape();
      if (!ShapedType::isDynamic(extents[dim]))
        return {tensor, dim};
      Value size = sizes[llvm::count_if(extents.take_front(dim), ShapedType::isDynamic)];
      if (auto extent = size.getDefiningOp<DimOp>())
        return of(extent.getSource(), extent.getDim());
      return {size, -1};
    };
    return llvm::TypeSwitch<Operation *, Root>(op)
        .Case<FullOp, BroadcastOp, ReshapeOp>([&](auto op) { return given(op.getSizes()); })
        .Case<SliceOp>([&](SliceOp op) { return given(op.getDynamicSizes()); })
        .Case<PermuteOp>(
            [&](PermuteOp op) { return of(op.getOperand(), op.getDims()[dim]); })
        .Default([&](Operation *op) -> Root {
          if (!op->hasTrait<OpTrait::Elementwise>() && !isa<DetachOp>(op))
            return {tensor, dim};
          Root root = of(op->getOperand(0), dim);
          for (Value operand : op->getOperands().drop_front())
            if (of(operand, dim) != root)
              return {tensor, dim};
          return root;
        });
  }

  llvm::DenseMap<Root, Root> known;
};

template <typename Primitive>
struct Elementwise : OpConversionPattern<Primitive> {
  Elementwise(const TypeConverter &converter, MLIRContext *context, std::shared_ptr<Roots> roots)
      : OpConversionPattern<Primitive>(converter, context), roots(std::move(roots)) {}

  LogicalResult
  matchAndRewrite(Primitive op, typename Primitive::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(
        this->getTypeConverter()->convertType(op.getType()));
    SmallVector<Value> inputs(adaptor.getOperands());
    SmallVector<OpFoldResult> extents = fit(b, op, inputs);
    SmallVector<AffineMap> maps(inputs.size(),
                                b.getMultiDimIdentityMap(type.getRank()));
    Type resultElement = elementOf(op.getType());
    auto body = [&](Builder &inner, ValueRange arguments) {
      SmallVector<Value> values;
      for (auto [value, operand] : llvm::zip(arguments, op->getOperands()))
        values.push_back(toCompute(inner, inner.getLoc(), value,
                                   elementOf(operand.getType())));
      Type element = elementOf(op->getOperand(0).getType());
      Value result = emit(inner, op, Operands{values, element});
      return toMemory(inner, inner.getLoc(), result, resultElement);
    };
    rewriter.replaceOp(op, mapElements(b, type, extents, inputs, maps, body));
    return success();
  }

private:
  /// The extents of the result. Where an assert that runs as late as the op says that operands have them, too, the
  /// operands are cut off to what all of them have: kernels trust their extents.
  SmallVector<OpFoldResult> fit(Builder &b, Primitive op, SmallVector<Value> &inputs) const {
    SmallVector<OpFoldResult> extents = extentsOf(b, inputs[0]);
    auto function = op->template getParentOfType<func::FuncOp>();
    if (!function || !function->hasAttr("janus.unchecked_extents"))
      return extents;
    SmallVector<OpFoldResult> limits(extents.size());
    bool fits = true;
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      if (getConstantIntValue(extent))
        continue;
      Root first = roots->of(op->getOperand(0), dim);
      for (Value operand : op->getOperands().drop_front())
        if (roots->of(operand, dim) != first)
          limits[dim] = extent;
      if (!limits[dim])
        continue;
      fits = false;
      Value least = asIndex(b, extent);
      for (Value input : ArrayRef(inputs).drop_front())
        least = arith::MinSIOp::create(b, least, asIndex(b, extentsOf(b, input)[dim]));
      extent = limits[dim] = least;
    }
    if (!fits)
      for (Value &input : inputs)
        input = cutTo(b, input, limits);
    return extents;
  }

  std::shared_ptr<Roots> roots;
};

struct Detach : OpConversionPattern<DetachOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DetachOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperand());
    return success();
  }
};

struct WithSlope : OpConversionPattern<WithSlopeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WithSlopeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

} // namespace

void janus::populateElementwise(RewritePatternSet &patterns,
                                const TypeConverter &converter) {
  patterns.add<Detach, WithSlope>(converter, patterns.getContext());
  auto roots = std::make_shared<Roots>();
  patterns.add<
      Elementwise<NegOp>, Elementwise<AbsOp>, Elementwise<SignOp>,
      Elementwise<ExpOp>, Elementwise<LogOp>, Elementwise<Log1pOp>,
      Elementwise<Expm1Op>, Elementwise<SqrtOp>, Elementwise<RsqrtOp>,
      Elementwise<TanhOp>, Elementwise<SinOp>, Elementwise<CosOp>,
      Elementwise<ErfOp>, Elementwise<SigmoidOp>, Elementwise<FloorOp>, Elementwise<CeilOp>,
      Elementwise<RoundOp>, Elementwise<NotOp>, Elementwise<AddOp>,
      Elementwise<SubOp>, Elementwise<MulOp>, Elementwise<DivOp>,
      Elementwise<FloorDivOp>, Elementwise<RemOp>, Elementwise<PowOp>,
      Elementwise<MaximumOp>, Elementwise<MinimumOp>, Elementwise<AndOp>,
      Elementwise<OrOp>, Elementwise<XorOp>, Elementwise<ShlOp>,
      Elementwise<ShrOp>, Elementwise<CompareOp>, Elementwise<SelectOp>,
      Elementwise<CastOp>>(converter, patterns.getContext(), roots);
}
