//===- ToLinalg.cpp - Tensor primitives to linalg ---------------------------===//
//
// In: functions in structured form over janus primitives. Out: the same over
// linalg on tensors, tensor, arith, math and scf. See ToLinalg.h.
//
//===----------------------------------------------------------------------===//

#include "ToLinalg.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace janus {
#define GEN_PASS_DEF_JANUSTOLINALG
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace janus {

Type memoryType(Type element) {
  return element.isInteger(1) || element.isUnsignedInteger()
             ? IntegerType::get(element.getContext(), 8)
             : element;
}

Type computeType(Type element) {
  return element.isInteger(1) ? element : memoryType(element);
}

bool isUnsigned(Type element) {
  return element.isInteger(1) || element.isUnsignedInteger();
}

Value toCompute(OpBuilder &b, Location loc, Value value, Type element) {
  return element.isInteger(1) ? arith::TruncIOp::create(b, loc, element, value)
                              : value;
}

Value toMemory(OpBuilder &b, Location loc, Value value, Type element) {
  return element.isInteger(1)
             ? arith::ExtUIOp::create(b, loc, memoryType(element), value)
             : value;
}

Type elementOf(Type tensor) { return cast<ShapedType>(tensor).getElementType(); }

Value numberOf(ImplicitLocOpBuilder &b, Type element, double number) {
  Type type = computeType(element);
  if (auto floating = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(b, b.getFloatAttr(floating, number));
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(type, static_cast<int64_t>(number)));
}

/// A float as an int of 32 or 64 bits, truncated; what is out of range and NaN are the
/// smallest one, as the processor has it and so PyTorch.
static Value truncateToWord(ImplicitLocOpBuilder &b, Value value, unsigned bits) {
  Type type = value.getType(), word = b.getIntegerType(bits);
  auto constant = [&](double number) -> Value {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, number));
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value bound) -> Value {
    return arith::CmpFOp::create(b, predicate, value, bound);
  };
  double limit = bits == 64 ? 9223372036854775808.0 : 2147483648.0;
  Value inRange = arith::AndIOp::create(
      b, compare(arith::CmpFPredicate::OGE, constant(-limit)),
      compare(arith::CmpFPredicate::OLT, constant(limit)));
  Value safe = arith::SelectOp::create(b, inRange, value, constant(0));
  Value inside = arith::FPToSIOp::create(b, word, safe);
  Value smallest =
      arith::ConstantIntOp::create(b, word, bits == 64 ? INT64_MIN : INT32_MIN);
  return arith::SelectOp::create(b, inRange, inside, smallest);
}

Value castElement(ImplicitLocOpBuilder &b, Value value, Type from, Type to) {
  if (from == to)
    return value;
  Type target = computeType(to);
  if (to.isInteger(1)) {
    if (isa<FloatType>(from))
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value,
                                   numberOf(b, from, 0));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value,
                                 numberOf(b, from, 0));
  }
  if (isa<FloatType>(from)) {
    if (isa<FloatType>(to)) {
      if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
        return arith::ExtFOp::create(b, target, value);
      return arith::TruncFOp::create(b, target, value);
    }
    unsigned bits = to.isInteger(64) || isUnsigned(to) ? 64 : 32;
    return castElement(b, truncateToWord(b, value, bits), b.getIntegerType(bits), to);
  }
  if (isa<FloatType>(to)) {
    if (isUnsigned(from))
      return arith::UIToFPOp::create(b, target, value);
    return arith::SIToFPOp::create(b, target, value);
  }
  unsigned have = value.getType().getIntOrFloatBitWidth();
  unsigned want = target.getIntOrFloatBitWidth();
  if (have == want)
    return value;
  if (have > want)
    return arith::TruncIOp::create(b, target, value);
  if (isUnsigned(from))
    return arith::ExtUIOp::create(b, target, value);
  return arith::ExtSIOp::create(b, target, value);
}

SmallVector<OpFoldResult> extentsOf(ImplicitLocOpBuilder &b, Value tensor) {
  return tensor::getMixedSizes(b, b.getLoc(), tensor);
}

SmallVector<OpFoldResult> extentsOf(ImplicitLocOpBuilder &b,
                                    RankedTensorType type, ValueRange dynamic) {
  SmallVector<OpFoldResult> extents;
  for (int64_t extent : type.getShape()) {
    if (!ShapedType::isDynamic(extent)) {
      extents.push_back(b.getIndexAttr(extent));
      continue;
    }
    extents.push_back(dynamic.front());
    dynamic = dynamic.drop_front();
  }
  return extents;
}

Value asIndex(ImplicitLocOpBuilder &b, OpFoldResult extent) {
  return getValueOrCreateConstantIndexOp(b, b.getLoc(), extent);
}

Value emptyTensor(ImplicitLocOpBuilder &b, RankedTensorType type,
                  ArrayRef<OpFoldResult> extents) {
  // The type says which extents are static; values say the others.
  SmallVector<Value> dynamic;
  for (auto [size, extent] : llvm::zip(type.getShape(), extents))
    if (ShapedType::isDynamic(size))
      dynamic.push_back(asIndex(b, extent));
  return tensor::EmptyOp::create(b, type, dynamic);
}

Value mapElements(ImplicitLocOpBuilder &b, RankedTensorType type,
                  ArrayRef<OpFoldResult> extents, ValueRange inputs,
                  ArrayRef<AffineMap> maps, BodyFn body) {
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value init = emptyTensor(b, type, extents);
  auto generic = linalg::GenericOp::create(
      b, TypeRange(type), inputs, ValueRange(init), allMaps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder inner(loc, nested);
        Value result = body(inner, arguments.drop_back());
        linalg::YieldOp::create(inner, result);
      });
  return generic.getResult(0);
}

Value filledTensor(ImplicitLocOpBuilder &b, RankedTensorType type,
                   ArrayRef<OpFoldResult> extents, Value value) {
  Value init = emptyTensor(b, type, extents);
  return linalg::FillOp::create(b, ValueRange(value), ValueRange(init))
      .getResult(0);
}

Value clampIndex(ImplicitLocOpBuilder &b, Value index, Value extent) {
  Value at = arith::IndexCastOp::create(b, b.getIndexType(), index);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value last = arith::SubIOp::create(b, extent, one);
  return arith::MaxSIOp::create(b, arith::MinSIOp::create(b, at, last), zero);
}

Value cutTo(ImplicitLocOpBuilder &b, Value part, ArrayRef<OpFoldResult> limits) {
  SmallVector<OpFoldResult> sizes = extentsOf(b, part);
  bool fits = true;
  for (auto [size, limit] : llvm::zip_equal(sizes, limits)) {
    if (!limit || size == limit || (getConstantIntValue(size) && getConstantIntValue(limit)))
      continue;
    size = Value(arith::MinSIOp::create(b, asIndex(b, size), asIndex(b, limit)));
    fits = false;
  }
  if (fits)
    return part;
  SmallVector<OpFoldResult> starts(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, part, starts, sizes, ones);
}

} // namespace janus

namespace {

/// Written over by a tensor of the same type, whatever that becomes.
struct WriteOver : OpConversionPattern<bufferization::MaterializeInDestinationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(bufferization::MaterializeInDestinationOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<bufferization::MaterializeInDestinationOp>(
        op, adaptor.getDest().getType(), adaptor.getSource(), adaptor.getDest());
    return success();
  }
};

/// A copy of a tensor.
struct Copy : OpConversionPattern<bufferization::AllocTensorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(bufferization::AllocTensorOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<bufferization::AllocTensorOp>(
        op, cast<RankedTensorType>(getTypeConverter()->convertType(op.getType())),
        adaptor.getDynamicSizes(), adaptor.getCopy());
    return success();
  }
};

struct ToLinalg : janus::impl::JanusToLinalgBase<ToLinalg> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](RankedTensorType type) -> Type {
      return type.clone(janus::memoryType(type.getElementType()));
    });

    RewritePatternSet patterns(context);
    janus::populateElementwise(patterns, converter);
    janus::populateShape(patterns, converter);
    janus::populateReduction(patterns, converter);
    janus::populateIndexing(patterns, converter);
    janus::populateRoutines(patterns, converter);
    patterns.add<WriteOver, Copy>(converter, context);

    ConversionTarget target(*context);
    target.addIllegalDialect<janus::JanusDialect>();
    target.addLegalDialect<arith::ArithDialect, linalg::LinalgDialect,
                           math::MathDialect, tensor::TensorDialect>();
    target.addLegalOp<ModuleOp, janus::RoutineOp>();
    target.addDynamicallyLegalOp<bufferization::MaterializeInDestinationOp,
                                 bufferization::AllocTensorOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) &&
             converter.isLegal(&op.getBody());
    });
    target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
