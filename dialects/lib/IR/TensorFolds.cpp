//===- TensorFolds.cpp - folders of the tensor primitives -----------------===//
//
// In: ops whose operands are constant, or that do nothing. Out: their value.
// Holds: a fold changes no bit of a result (so no `x + 0`, which turns -0 into 0), and folds
// constants of a few elements only.
//
//===----------------------------------------------------------------------===//

#include "janus/IR/Janus.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace janus;

/// Constants with more elements than this stay as they are.
static constexpr int64_t maxFoldedElements = 16;

static bool isSmall(Attribute attr) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  return elements && (elements.isSplat() || elements.getNumElements() <= maxFoldedElements);
}

/// Whether `attr` is a float splat of exactly `value`.
static bool isSplat(Attribute attr, double value) {
  auto elements = dyn_cast_or_null<DenseFPElementsAttr>(attr);
  return elements && elements.isSplat() && elements.getSplatValue<APFloat>().isExactlyValue(value);
}

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Whether two values have one static shape and element type.
static bool sameStatic(Value a, Value b) {
  return a.getType() == b.getType() && typeOf(a).hasStaticShape();
}

/// Folds a float op (where the result is no NaN, whose payload might differ) or an int op.
template <typename FloatFn, typename IntFn>
static OpFoldResult foldBinary(ArrayRef<Attribute> operands, FloatFn onFloat, IntFn onInt) {
  if (!isSmall(operands[0]) || !isSmall(operands[1]))
    return {};
  if (isa<DenseFPElementsAttr>(operands[0]))
    return constFoldBinaryOp<FloatAttr, APFloat, void>(
        operands, [&](const APFloat &a, const APFloat &b) -> std::optional<APFloat> {
          APFloat result = onFloat(a, b);
          if (result.isNaN())
            return std::nullopt;
          return result;
        });
  return constFoldBinaryOp<IntegerAttr, APInt, void>(operands, onInt);
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  return foldBinary(
      adaptor.getOperands(), [](const APFloat &a, const APFloat &b) { return a + b; },
      [](const APInt &a, const APInt &b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  return foldBinary(
      adaptor.getOperands(), [](const APFloat &a, const APFloat &b) { return a - b; },
      [](const APInt &a, const APInt &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 1.0))
    return getLhs();
  if (isSplat(adaptor.getLhs(), 1.0))
    return getRhs();
  return foldBinary(
      adaptor.getOperands(), [](const APFloat &a, const APFloat &b) { return a * b; },
      [](const APInt &a, const APInt &b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 1.0))
    return getLhs();
  return foldBinary(
      adaptor.getOperands(), [](const APFloat &a, const APFloat &b) { return a / b; },
      [](const APInt &a, const APInt &) { return a; });
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NegOp>())
    return inner.getOperand();
  if (!isSmall(adaptor.getOperand()))
    return {};
  if (isa<DenseFPElementsAttr>(adaptor.getOperand()))
    return constFoldUnaryOp<FloatAttr, APFloat, void>(adaptor.getOperands(),
                                                      [](const APFloat &a) { return -a; });
  return constFoldUnaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(),
                                                    [](const APInt &a) { return -a; });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NotOp>())
    return inner.getOperand();
  if (!isSmall(adaptor.getOperand()))
    return {};
  return constFoldUnaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(),
                                                    [](const APInt &a) { return ~a; });
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getTrueValue() == getFalseValue())
    return getTrueValue();
  auto condition = dyn_cast_or_null<DenseIntElementsAttr>(adaptor.getCondition());
  if (condition && condition.isSplat())
    return condition.getSplatValue<bool>() ? getTrueValue() : getFalseValue();
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult FullOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getType();
  if (!adaptor.getValue() || !type.hasStaticShape())
    return {};
  Type element = type.getElementType();
  if (auto scalar = dyn_cast<FloatAttr>(adaptor.getValue())) {
    auto floatType = dyn_cast<FloatType>(element);
    if (!floatType || scalar.getValue().isNaN())
      return {};
    APFloat value = scalar.getValue();
    bool inexact;
    value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return DenseElementsAttr::get(type, value);
  }
  auto scalar = dyn_cast<IntegerAttr>(adaptor.getValue());
  if (!scalar)
    return {};
  bool isBool = scalar.getType().isInteger(1);
  APInt value = isBool ? scalar.getValue().zext(64) : scalar.getValue();
  if (auto floatType = dyn_cast<FloatType>(element)) {
    APFloat converted(floatType.getFloatSemantics());
    converted.convertFromAPInt(value, /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    return DenseElementsAttr::get(type, converted);
  }
  if (element.isInteger(1))
    return DenseElementsAttr::get(type, APInt(1, value.isZero() ? 0 : 1));
  return DenseElementsAttr::get(type, value.trunc(element.getIntOrFloatBitWidth()));
}

/// The operand that has the extent that `dim` has in the result of `op`, and its number there;
/// a null value where there is none.
static std::pair<Value, int64_t> findExtent(Operation *op, int64_t dim) {
  if (op->hasTrait<OpTrait::Elementwise>() || isa<CumsumOp, ArgsortOp, ReverseOp, ScatterAddOp, TakeAddOp>(op))
    return {op->getOperand(0), dim};
  if (auto select = dyn_cast<SelectOp>(op))
    return {select.getTrueValue(), dim};
  if (auto permute = dyn_cast<PermuteOp>(op))
    return {permute.getOperand(), permute.getDims()[dim]};
  if (auto gather = dyn_cast<GatherOp>(op))
    return {gather.getIndices(), dim};
  if (auto concat = dyn_cast<ConcatOp>(op))
    return {static_cast<int64_t>(concat.getDim()) == dim ? Value() : concat.getInputs()[0], dim};
  if (auto dot = dyn_cast<DotOp>(op))
    return {dim + 1 == typeOf(dot.getResult()).getRank() ? dot.getRhs() : dot.getLhs(), dim};
  if (isa<ReduceSumOp, ReduceProdOp, ReduceMaxOp, ReduceMinOp>(op)) {
    ArrayRef<int64_t> dims = op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
    for (int64_t reduced : dims)
      dim += reduced <= dim;
    return {op->getOperand(0), dim};
  }
  if (isa<ArgmaxOp, ArgminOp>(op))
    return {op->getOperand(0), dim + (op->getAttrOfType<IntegerAttr>("dim").getInt() <= dim)};
  if (auto take = dyn_cast<TakeOp>(op)) {
    int64_t at = take.getDim(), rank = typeOf(take.getIndices()).getRank();
    if (dim < at)
      return {take.getSource(), dim};
    if (dim < at + rank)
      return {take.getIndices(), dim - at};
    return {take.getSource(), dim - rank + 1};
  }
  return {Value(), 0};
}

/// The operand that says the extent `dim` of the result of `op`; null where none does.
static Value findSize(Operation *op, int64_t dim) {
  ValueRange sizes;
  if (auto full = dyn_cast<FullOp>(op))
    sizes = full.getSizes();
  else if (auto iota = dyn_cast<IotaOp>(op))
    sizes = iota.getSizes();
  else if (auto broadcast = dyn_cast<BroadcastOp>(op))
    sizes = broadcast.getSizes();
  else if (auto reshape = dyn_cast<ReshapeOp>(op))
    sizes = reshape.getSizes();
  else if (auto conv = dyn_cast<ConvOp>(op))
    sizes = conv.getSizes();
  else if (auto conv = dyn_cast<ConvImageOp>(op))
    sizes = conv.getSizes();
  else if (auto conv = dyn_cast<ConvFiltersOp>(op))
    sizes = conv.getSizes();
  else if (auto pool = dyn_cast<PoolArgmaxOp>(op))
    sizes = pool.getSizes();
  else if (auto slice = dyn_cast<SliceOp>(op))
    sizes = slice.getDynamicSizes();
  else if (auto unslice = dyn_cast<UnsliceOp>(op))
    sizes = unslice.getDynamicSizes();
  RankedTensorType type = typeOf(op->getResult(0));
  size_t which = type.getNumDynamicDims() - llvm::count_if(type.getShape().drop_front(dim), [](int64_t d) {
                   return ShapedType::isDynamic(d);
                 });
  return which < sizes.size() ? sizes[which] : Value();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  int64_t dim = getDim();
  int64_t extent = typeOf(getSource()).getDimSize(dim);
  if (!ShapedType::isDynamic(extent))
    return IntegerAttr::get(getType(), extent);
  Operation *op = getSource().getDefiningOp();
  if (!op || !isa_and_nonnull<JanusDialect>(op->getDialect()))
    return {};
  if (Value size = findSize(op, dim))
    return size;
  auto [operand, there] = findExtent(op, dim);
  if (!operand)
    return {};
  getSourceMutable().assign(operand);
  setDim(there);
  return getResult();
}

OpFoldResult ItemOp::fold(FoldAdaptor adaptor) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource());
  if (!elements || elements.getNumElements() != 1)
    return {};
  if (elements.getElementType().isInteger(1))
    return BoolAttr::get(getContext(), *elements.getValues<bool>().begin());
  if (elements.getElementType().isF64())
    return FloatAttr::get(getType(), *elements.getValues<APFloat>().begin());
  if (elements.getElementType().isSignlessInteger(64))
    return IntegerAttr::get(getType(), *elements.getValues<APInt>().begin());
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (sameStatic(getOperand(), getResult()))
    return getOperand();
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  if (elements && elements.isSplat() && getType().hasStaticShape())
    return elements.resizeSplat(getType());
  return {};
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (sameStatic(getOperand(), getResult()))
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    if (inner.getOperand() == getResult()) // unreachable code may be cyclic
      return {};
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  if (elements && isSmall(elements) && getType().hasStaticShape())
    return elements.reshape(getType());
  return {};
}

OpFoldResult PermuteOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> dims = getDims();
  bool isIdentity = true;
  for (auto [i, dim] : llvm::enumerate(dims))
    isIdentity &= dim == static_cast<int64_t>(i);
  if (isIdentity)
    return getOperand();
  auto inner = getOperand().getDefiningOp<PermuteOp>();
  if (!inner || inner == *this)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t dim : dims)
    composed.push_back(inner.getDims()[dim]);
  setDims(composed);
  getOperandMutable().assign(inner.getOperand());
  return getResult();
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t start) { return start == 0; };
  auto isOne = [](int64_t stride) { return stride == 1; };
  if (sameStatic(getOperand(), getResult()) && llvm::all_of(getStaticStarts(), isZero) &&
      llvm::all_of(getStrides(), isOne))
    return getOperand();
  return {};
}

OpFoldResult UpdateSliceOp::fold(FoldAdaptor) {
  // What is written over has the part's extents, so it is all of it.
  if (sameStatic(getPart(), getResult()))
    return getPart();
  // What was written last is what remains.
  auto before = getOperand().getDefiningOp<UpdateSliceOp>();
  if (before && before.getPart().getType() == getPart().getType() &&
      getPart().getType().hasStaticShape() && before.getStaticStarts() == getStaticStarts() &&
      before.getDynamic() == getDynamic() && before.getStrides() == getStrides()) {
    getOperandMutable().assign(before.getOperand());
    return getResult();
  }
  return {};
}

OpFoldResult FillSliceOp::fold(FoldAdaptor) {
  if (sameStatic(getPart(), getResult()))
    return getPart();
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1)
    return getInputs().front();
  return {};
}

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  if (getDims().empty())
    return getOperand();
  return {};
}

/// A reduction over nothing.
template <typename OpT> static OpFoldResult foldReduce(OpT op) {
  return op.getDims().empty() ? OpFoldResult(op.getOperand()) : OpFoldResult();
}

OpFoldResult ReduceSumOp::fold(FoldAdaptor) {
  // A sum starts from +0.0, which turns -0.0 into 0.0: of one element, too.
  if (isa<FloatType>(getOperand().getType().getElementType()))
    return {};
  return foldReduce(*this);
}
OpFoldResult ReduceProdOp::fold(FoldAdaptor) { return foldReduce(*this); }
OpFoldResult ReduceMaxOp::fold(FoldAdaptor) { return foldReduce(*this); }
OpFoldResult ReduceMinOp::fold(FoldAdaptor) { return foldReduce(*this); }
