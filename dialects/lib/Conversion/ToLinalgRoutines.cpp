//===- ToLinalgRoutines.cpp - Primitives that are library routines ----------===//
//
// In: convolutions, pooling, sorting, records, draws, reads of objects. Out: janus.routine, with the
// words that the routine of the runtime asks for (runtime/tensor/src/kernels,
// runtime/object/src/fields.rs).
//
//===----------------------------------------------------------------------===//

#include "ToLinalg.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace janus;

namespace {

using Builder = ImplicitLocOpBuilder;

/// The number by which the runtime knows an element type.
int64_t elementCode(Type element) {
  if (element.isF32())
    return 0;
  if (element.isF64())
    return 1;
  if (element.isUnsignedInteger())
    return 6;
  switch (element.getIntOrFloatBitWidth()) {
  case 64:
    return 2;
  case 32:
    return 3;
  case 16:
    return 4;
  default:
    return 5;
  }
}

/// A call that makes a tensor of `type`.
Value routine(Builder &b, StringRef callee, ArrayRef<int64_t> words, ValueRange inputs,
              RankedTensorType type, ValueRange sizes) {
  Value init = emptyTensor(b, type, extentsOf(b, type, sizes));
  return RoutineOp::create(b, TypeRange(type), callee, words, inputs, init).getResult()[0];
}

template <typename Op, int64_t kind> struct Convolution : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(this->getTypeConverter()->convertType(op.getType()));
    SmallVector<int64_t> words{kind, elementCode(elementOf(op.getType())), type.getRank() - 2};
    llvm::append_range(words, op.getStrides());
    llvm::append_range(words, op.getPadding());
    llvm::append_range(words, op.getDilation());
    words.push_back(op.getGroups());
    rewriter.replaceOp(op, routine(b, "janus_rt_conv", words, {adaptor.getLhs(), adaptor.getRhs()},
                                   type, adaptor.getSizes()));
    return success();
  }
};

struct PoolArgmax : OpConversionPattern<PoolArgmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PoolArgmaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    SmallVector<int64_t> words{elementCode(elementOf(op.getOperand().getType())),
                               op.getType().getRank() - 2};
    llvm::append_range(words, op.getKernel());
    llvm::append_range(words, op.getStrides());
    llvm::append_range(words, op.getPadding());
    llvm::append_range(words, op.getDilation());
    rewriter.replaceOp(op, routine(b, "janus_rt_pool_argmax", words, adaptor.getOperand(),
                                   op.getType(), adaptor.getSizes()));
    return success();
  }
};

struct Argsort : OpConversionPattern<ArgsortOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ArgsortOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getResult().getType();
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        sizes.push_back(tensor::DimOp::create(b, adaptor.getOperand(), i));
    SmallVector<int64_t> words{elementCode(elementOf(op.getOperand().getType())), type.getRank(),
                               static_cast<int64_t>(op.getDim()), op.getDescending(),
                               static_cast<int64_t>(op.getPart()), static_cast<int64_t>(op.getK())};
    rewriter.replaceOp(
        op, routine(b, "janus_rt_argsort", words, adaptor.getOperand(), type, sizes));
    return success();
  }
};

struct Field : OpConversionPattern<FieldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(FieldOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    auto pair = RankedTensorType::get({2}, b.getI64Type());
    Value index = adaptor.getIndex();
    if (!index)
      index = arith::ConstantIntOp::create(b, 0, 64);
    Value input = tensor::FromElementsOp::create(
        b, RankedTensorType::get({3}, b.getI64Type()),
        ValueRange{adaptor.getTable(), adaptor.getObject(), index});
    Value found = routine(b, "janus_rt_field", static_cast<int64_t>(op.getField()), input, pair, {});
    SmallVector<Value> results;
    for (int64_t i : {0, 1})
      results.push_back(tensor::ExtractOp::create(
          b, found, ValueRange(arith::ConstantIndexOp::create(b, i))));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Two routines: whether it is such a tensor, and its elements.
struct TensorAt : OpConversionPattern<TensorAtOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(TensorAtOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getResult().getType()));
    SmallVector<int64_t> words{elementCode(elementOf(op.getResult().getType())), type.getRank()};
    llvm::append_range(words, type.getShape());
    Value input =
        tensor::FromElementsOp::create(b, RankedTensorType::get({2}, b.getI64Type()),
                                       ValueRange{adaptor.getTable(), adaptor.getObject()});
    Value is = routine(b, "janus_rt_is_tensor", words, input,
                       RankedTensorType::get({1}, b.getI64Type()), {});
    is = tensor::ExtractOp::create(b, is, ValueRange(arith::ConstantIndexOp::create(b, 0)));
    Value none = arith::ConstantIntOp::create(b, 0, 64);
    Value found = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, is, none);
    rewriter.replaceOp(op, {routine(b, "janus_rt_tensor_at", words, input, type, {}), found});
    return success();
  }
};

struct Keep : OpConversionPattern<KeepOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(KeepOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    SmallVector<int64_t> words{static_cast<int64_t>(adaptor.getValues().size())};
    for (Value value : adaptor.getValues()) {
      auto type = cast<RankedTensorType>(value.getType());
      words.append({type.getRank(), type.getElementTypeBitWidth() / 8});
    }
    rewriter.replaceOp(op, routine(b, "janus_rt_keep", words, adaptor.getValues(),
                                   cast<RankedTensorType>(op.getType()), {}));
    return success();
  }
};

struct Recall : OpConversionPattern<RecallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(RecallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    SmallVector<int64_t> words{static_cast<int64_t>(op.getNumber()), type.getRank(),
                               type.getElementTypeBitWidth() / 8};
    rewriter.replaceOp(op, routine(b, "janus_rt_recall", words, adaptor.getRecord(), type,
                                   adaptor.getSizes()));
    return success();
  }
};

/// Two routines: that a draw takes place is noted whether or not its numbers are used, as it moves
/// the numbers of those behind it.
template <typename Op> struct AnyDraw : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

protected:
  void lower(Op op, typename Op::Adaptor adaptor, Value low, Value high, ValueRange parameters,
             ConversionPatternRewriter &rewriter) const {
    Builder b(op.getLoc(), rewriter);
    auto type =
        cast<RankedTensorType>(this->getTypeConverter()->convertType(op.getResult().getType()));
    auto number = static_cast<int64_t>(op.getNumber());
    auto wordsOf = [&](ValueRange words) -> Value {
      auto count = static_cast<int64_t>(words.size());
      return tensor::FromElementsOp::create(
          b, RankedTensorType::get({count}, b.getI64Type()), words);
    };
    SmallVector<Value> noted{adaptor.getSource(), adaptor.getPosition(), low, high};
    auto size = adaptor.getSizes().begin();
    for (int64_t extent : type.getShape())
      noted.push_back(ShapedType::isDynamic(extent)
                          ? arith::IndexCastOp::create(b, b.getI64Type(), *size++).getResult()
                          : arith::ConstantIntOp::create(b, extent, 64).getResult());
    auto one = RankedTensorType::get({1}, b.getI64Type());
    // The extents of the parameters tell how much is drawn where nobody looks at it.
    int64_t givenRank = 0;
    SmallVector<int64_t> words{number, type.getRank(), type.getElementTypeBitWidth() / 8};
    for (Value value : parameters) {
      auto given = cast<RankedTensorType>(value.getType());
      for (int64_t i = 0; i < given.getRank(); ++i)
        noted.push_back(arith::IndexCastOp::create(b, b.getI64Type(),
                                                   tensor::DimOp::create(b, value, i)));
      givenRank = given.getRank();
      words.append({given.getRank(), given.getElementTypeBitWidth() / 8});
    }
    Value advanced = routine(b, "janus_rt_advance", {number, type.getRank(), givenRank},
                             wordsOf(noted), one, {});
    Value next = tensor::ExtractOp::create(b, advanced,
                                           ValueRange(arith::ConstantIndexOp::create(b, 0)));
    SmallVector<Value> inputs{wordsOf({adaptor.getSource(), next, low, high})};
    llvm::append_range(inputs, parameters);
    StringRef callee = parameters.empty() ? "janus_rt_draw" : "janus_rt_draw_from";
    rewriter.replaceOp(op, {routine(b, callee, words, inputs, type, adaptor.getSizes()), next});
  }
};

struct Draw : AnyDraw<DrawOp> {
  using AnyDraw::AnyDraw;

  LogicalResult matchAndRewrite(DrawOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    lower(op, adaptor, adaptor.getLow(), adaptor.getHigh(), {}, rewriter);
    return success();
  }
};

struct DrawFrom : AnyDraw<DrawFromOp> {
  using AnyDraw::AnyDraw;

  LogicalResult matchAndRewrite(DrawFromOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value zero = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 64);
    lower(op, adaptor, zero, zero, adaptor.getParameters(), rewriter);
    return success();
  }
};

} // namespace

void janus::populateRoutines(RewritePatternSet &patterns, const TypeConverter &converter) {
  patterns.add<Convolution<ConvOp, 0>, Convolution<ConvImageOp, 1>, Convolution<ConvFiltersOp, 2>,
               PoolArgmax, Argsort, Keep, Recall, Field, TensorAt, Draw, DrawFrom>(converter,
                                                                      patterns.getContext());
}
