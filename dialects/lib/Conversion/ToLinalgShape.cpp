//===- ToLinalgShape.cpp - Creation, shape and movement primitives ----------===//
//
// In: primitives that make or move elements. Out: loops with indexing maps, which
// fuse, where elements are repeated or permuted or extents of one come and go;
// views and copies of parts otherwise.
//
//===----------------------------------------------------------------------===//

#include "ToLinalg.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace janus;

namespace {

using Builder = ImplicitLocOpBuilder;

template <typename Op> struct Pattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OpAdaptor;

  RankedTensorType resultType(Op op) const {
    return cast<RankedTensorType>(
        this->getTypeConverter()->convertType(op->getResult(0).getType()));
  }

  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    Value result = lower(b, op, adaptor);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }

  virtual Value lower(Builder &b, Op op, Adaptor adaptor) const = 0;
};

/// A copy loop: the result's element is the operand's at `map`.
Value moveElements(Builder &b, RankedTensorType type,
                   ArrayRef<OpFoldResult> extents, Value operand,
                   AffineMap map) {
  return mapElements(b, type, extents, operand, map,
                     [](Builder &, ValueRange v) { return v[0]; });
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

struct Constant : Pattern<ConstantOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, ConstantOp op, OpAdaptor) const override {
    RankedTensorType type = resultType(op);
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!value) {
      op.emitError("constant without its elements");
      return {};
    }
    Type from = value.getElementType(), to = type.getElementType();
    if (from != to)
      value = value.mapValues(to, [&](const APInt &bits) {
        return bits.zext(to.getIntOrFloatBitWidth());
      });
    if (!value.isSplat() || type.getRank() == 0)
      return arith::ConstantOp::create(b, value);
    auto element = cast<TypedAttr>(value.getSplatValue<Attribute>());
    return mapElements(b, type, extentsOf(b, type, {}), {}, {},
                       [&](Builder &inner, ValueRange) -> Value {
                         return arith::ConstantOp::create(inner, element);
                       });
  }
};

struct Full : Pattern<FullOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, FullOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    Type element = elementOf(op.getType());
    Value scalar = castElement(b, adaptor.getValue(), adaptor.getValue().getType(),
                               element);
    scalar = toMemory(b, b.getLoc(), scalar, element);
    return mapElements(b, type, extentsOf(b, type, adaptor.getSizes()), {}, {},
                       [&](Builder &, ValueRange) { return scalar; });
  }
};

struct Iota : Pattern<IotaOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, IotaOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    return mapElements(
        b, type, extentsOf(b, type, adaptor.getSizes()), {}, {},
        [&](Builder &inner, ValueRange) {
          Value index = linalg::IndexOp::create(inner, op.getDim());
          Type word = inner.getI64Type();
          Value number = arith::IndexCastOp::create(inner, word, index);
          return castElement(inner, number, word, elementOf(op.getType()));
        });
  }
};

struct Dim : Pattern<DimOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, DimOp op, OpAdaptor adaptor) const override {
    return b.createOrFold<tensor::DimOp>(adaptor.getSource(),
                                         static_cast<int64_t>(op.getDim()));
  }
};

struct Item : Pattern<ItemOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, ItemOp op, OpAdaptor adaptor) const override {
    Type element = elementOf(op.getSource().getType());
    auto rank = cast<RankedTensorType>(adaptor.getSource().getType()).getRank();
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value stored = tensor::ExtractOp::create(b, adaptor.getSource(),
                                             SmallVector<Value>(rank, zero));
    return castElement(b, toCompute(b, b.getLoc(), stored, element), element,
                       op.getType());
  }
};

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

struct Broadcast : Pattern<BroadcastOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, BroadcastOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    auto from = cast<RankedTensorType>(adaptor.getOperand().getType());
    SmallVector<AffineExpr> exprs;
    for (auto [i, dim] : llvm::enumerate(op.getDims())) {
      bool stretched = from.getDimSize(i) == 1 && type.getDimSize(dim) != 1;
      exprs.push_back(stretched ? b.getAffineConstantExpr(0)
                                : b.getAffineDimExpr(dim));
    }
    auto map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
    return moveElements(b, type, extentsOf(b, type, adaptor.getSizes()),
                        adaptor.getOperand(), map);
  }
};

struct Permute : Pattern<PermuteOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, PermuteOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    SmallVector<OpFoldResult> from = extentsOf(b, adaptor.getOperand()), extents;
    SmallVector<unsigned> permutation;
    for (int64_t dim : op.getDims()) {
      extents.push_back(from[dim]);
      permutation.push_back(dim);
    }
    auto map = inversePermutation(
        AffineMap::getPermutationMap(permutation, b.getContext()));
    return moveElements(b, type, extents, adaptor.getOperand(), map);
  }
};

/// The loop map that reads `from` for each element of `to` where the two differ
/// only in extents that are statically one; null otherwise.
AffineMap unitReshapeMap(Builder &b, RankedTensorType from, RankedTensorType to) {
  SmallVector<AffineExpr> exprs;
  int64_t next = 0;
  auto skipOnes = [&] {
    while (next < to.getRank() && to.getDimSize(next) == 1)
      ++next;
  };
  int64_t dynamic = 0;
  for (int64_t extent : from.getShape()) {
    if (extent == 1) {
      exprs.push_back(b.getAffineConstantExpr(0));
      continue;
    }
    skipOnes();
    if (next == to.getRank() || to.getDimSize(next) != extent)
      return {};
    // With one dynamic extent on each side they are equal; with more, not surely.
    if (ShapedType::isDynamic(extent) && ++dynamic > 1)
      return {};
    exprs.push_back(b.getAffineDimExpr(next++));
  }
  skipOnes();
  if (next != to.getRank())
    return {};
  return AffineMap::get(to.getRank(), 0, exprs, b.getContext());
}

struct Reshape : Pattern<ReshapeOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, ReshapeOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    Value operand = adaptor.getOperand();
    auto from = cast<RankedTensorType>(operand.getType());
    SmallVector<OpFoldResult> extents = extentsOf(b, type, adaptor.getSizes());
    if (AffineMap map = unitReshapeMap(b, from, type))
      return moveElements(b, type, extents, operand, map);
    // Through one dimension; views both, as buffers are contiguous.
    auto count = from.hasStaticShape() ? from.getNumElements()
                 : type.hasStaticShape() ? type.getNumElements()
                                         : ShapedType::kDynamic;
    auto flat = RankedTensorType::get({count}, type.getElementType());
    auto all = [](int64_t rank) {
      SmallVector<ReassociationIndices> groups;
      if (rank > 0)
        groups.push_back(
            llvm::to_vector(llvm::seq<int64_t>(0, rank)));
      return groups;
    };
    if (from.getRank() == 0)
      operand = tensor::ExpandShapeOp::create(b, flat, operand, all(0),
                                              ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
    else if (from.getRank() > 1) {
      auto collapsed = from.hasStaticShape()
                           ? flat
                           : RankedTensorType::get({ShapedType::kDynamic},
                                                   type.getElementType());
      operand = tensor::CollapseShapeOp::create(b, collapsed, operand,
                                                all(from.getRank()));
    }
    if (operand.getType() != flat)
      operand = tensor::CastOp::create(b, flat, operand);
    if (type.getRank() == 1)
      return operand.getType() == type
                 ? operand
                 : tensor::CastOp::create(b, type, operand).getResult();
    if (type.getRank() == 0)
      return tensor::CollapseShapeOp::create(
          b, type,
          operand.getType() == RankedTensorType::get({1}, type.getElementType())
              ? operand
              : tensor::CastOp::create(
                    b, RankedTensorType::get({1}, type.getElementType()), operand)
                    .getResult(),
          all(0));
    if (!type.hasStaticShape() && !ShapedType::isDynamic(count))
      operand = tensor::CastOp::create(
          b,
          RankedTensorType::get({ShapedType::kDynamic}, type.getElementType()),
          operand);
    return tensor::ExpandShapeOp::create(b, type, operand, all(type.getRank()),
                                         extents);
  }
};

/// Starts moved so that `sizes` elements `strides` apart fit into `extents`.
SmallVector<OpFoldResult> clampStarts(Builder &b, ArrayRef<OpFoldResult> starts,
                                      ArrayRef<OpFoldResult> sizes,
                                      ArrayRef<int64_t> strides,
                                      ArrayRef<OpFoldResult> extents) {
  SmallVector<OpFoldResult> clamped;
  for (auto [start, size, stride, extent] :
       llvm::zip(starts, sizes, strides, extents)) {
    if (getConstantIntValue(start)) {
      clamped.push_back(start);
      continue;
    }
    // last start = extent - ((size - 1) * stride + 1)
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value step = arith::ConstantIndexOp::create(b, stride);
    Value span = arith::AddIOp::create(
        b,
        arith::MulIOp::create(
            b, arith::SubIOp::create(b, asIndex(b, size), one), step),
        one);
    Value last = arith::SubIOp::create(b, asIndex(b, extent), span);
    Value low = arith::MinSIOp::create(b, asIndex(b, start), last);
    clamped.push_back(Value(arith::MaxSIOp::create(b, low, zero)));
  }
  return clamped;
}

SmallVector<OpFoldResult> asAttributes(Builder &b, ArrayRef<int64_t> numbers) {
  return getAsIndexOpFoldResult(b.getContext(), numbers);
}

struct Slice : Pattern<SliceOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, SliceOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    Value operand = adaptor.getOperand();
    auto sizes = extentsOf(b, type, op.getDynamicSizes());
    auto starts = clampStarts(b, op.getMixedStarts(), sizes, op.getStrides(),
                              extentsOf(b, operand));
    return tensor::ExtractSliceOp::create(b, type, operand, starts, sizes,
                                          asAttributes(b, op.getStrides()));
  }
};

struct Unslice : Pattern<UnsliceOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, UnsliceOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    Value part = adaptor.getOperand();
    auto extents = extentsOf(b, type, op.getDynamicSizes());
    auto sizes = extentsOf(b, part);
    auto starts =
        clampStarts(b, op.getMixedStarts(), sizes, op.getStrides(), extents);
    Value zero = toMemory(b, b.getLoc(), numberOf(b, elementOf(op.getType()), 0),
                          elementOf(op.getType()));
    Value zeros = filledTensor(b, type, extents, zero);
    return tensor::InsertSliceOp::create(b, part, zeros, starts, sizes,
                                         asAttributes(b, op.getStrides()));
  }
};

template <typename OpT> struct WriteSlice : Pattern<OpT> {
  using Pattern<OpT>::Pattern;
  Value lower(Builder &b, OpT op, typename OpT::Adaptor adaptor) const override {
    Value whole = adaptor.getOperand();
    Value part = cutTo(b, adaptor.getPart(), extentsOf(b, whole));
    auto sizes = extentsOf(b, part);
    auto starts = clampStarts(b, op.getMixedStarts(), sizes, op.getStrides(),
                              extentsOf(b, whole));
    return tensor::InsertSliceOp::create(b, part, whole, starts, sizes,
                                         asAttributes(b, op.getStrides()));
  }
};

/// Tensors joined by one chain of inserts at most: what bufferisation does to find out which of
/// them may be in place grows faster than the square of its length.
constexpr size_t maxJoined = 16;

/// Single elements as a tensor.
Value joinElements(Builder &b, RankedTensorType type, ValueRange parts) {
  Value first = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> elements;
  for (Value part : parts)
    elements.push_back(tensor::ExtractOp::create(b, part, first));
  int64_t length = elements.size();
  return tensor::FromElementsOp::create(b, type.clone(ArrayRef(length)), elements);
}

/// Inputs one after another along `dim`; `type` says what is known of the other extents.
Value join(Builder &b, RankedTensorType type, int64_t dim, ValueRange inputs) {
  if (llvm::all_of(inputs, [](Value part) {
        auto of = cast<RankedTensorType>(part.getType());
        return of.getRank() == 1 && of.getDimSize(0) == 1;
      }))
    return joinElements(b, type, inputs);
  SmallVector<Value> parts(inputs);
  while (parts.size() > maxJoined) {
    SmallVector<Value> joined;
    for (ArrayRef<Value> rest = parts; !rest.empty();
         rest = rest.drop_front(std::min(rest.size(), maxJoined)))
      joined.push_back(rest.size() == 1 ? rest.front()
                                        : join(b, type, dim, rest.take_front(maxJoined)));
    parts = std::move(joined);
  }
  SmallVector<OpFoldResult> limits = extentsOf(b, parts.front());
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!type.isDynamicDim(i))
      limits[i] = b.getIndexAttr(type.getDimSize(i));
  limits[dim] = {};
  SmallVector<OpFoldResult> own = limits;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      own[i] = {};
  parts.front() = cutTo(b, parts.front(), own);
  SmallVector<SmallVector<OpFoldResult>> sizes;
  SmallVector<OpFoldResult> offsets{b.getIndexAttr(0)};
  for (Value &part : parts) {
    if (part != parts.front())
      part = cutTo(b, part, limits);
    sizes.push_back(extentsOf(b, part));
    auto before = getConstantIntValue(offsets.back());
    auto length = getConstantIntValue(sizes.back()[dim]);
    if (before && length)
      offsets.push_back(b.getIndexAttr(*before + *length));
    else
      offsets.push_back(Value(arith::AddIOp::create(
          b, asIndex(b, offsets.back()), asIndex(b, sizes.back()[dim]))));
  }
  SmallVector<OpFoldResult> extents = limits;
  extents[dim] = offsets.back();
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = getConstantIntValue(extents[dim]).value_or(ShapedType::kDynamic);
  Value result = emptyTensor(b, type.clone(shape), extents);
  SmallVector<OpFoldResult> starts(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  for (auto [i, part] : llvm::enumerate(parts)) {
    starts[dim] = offsets[i];
    result = tensor::InsertSliceOp::create(b, part, result, starts, sizes[i], ones);
  }
  return result;
}

struct Concat : Pattern<ConcatOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, ConcatOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    Value joined = join(b, type, op.getDim(), adaptor.getInputs());
    // The op may know less, or more, of the whole extent than its parts tell.
    if (joined.getType() != type)
      joined = tensor::CastOp::create(b, type, joined);
    return joined;
  }
};

struct Reverse : Pattern<ReverseOp> {
  using Pattern::Pattern;
  Value lower(Builder &b, ReverseOp op, OpAdaptor adaptor) const override {
    RankedTensorType type = resultType(op);
    Value operand = adaptor.getOperand();
    auto extents = extentsOf(b, operand);
    SmallVector<Value> last(type.getRank());
    Value one = arith::ConstantIndexOp::create(b, 1);
    for (int64_t dim : op.getDims())
      last[dim] = arith::SubIOp::create(b, asIndex(b, extents[dim]), one);
    return mapElements(
        b, type, extents, {}, {}, [&](Builder &inner, ValueRange) -> Value {
          SmallVector<Value> indices;
          for (int64_t i = 0; i < type.getRank(); ++i) {
            Value index = linalg::IndexOp::create(inner, i);
            indices.push_back(
                last[i] ? Value(arith::SubIOp::create(inner, last[i], index))
                        : index);
          }
          return tensor::ExtractOp::create(inner, operand, indices);
        });
  }
};

} // namespace

void janus::populateShape(RewritePatternSet &patterns,
                          const TypeConverter &converter) {
  patterns.add<Constant, Full, Iota, Dim, Item, Broadcast, Permute, Reshape,
               Slice, Unslice, WriteSlice<UpdateSliceOp>, WriteSlice<FillSliceOp>, Concat, Reverse>(converter,
                                                patterns.getContext());
}
