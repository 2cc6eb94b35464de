//===- ToLinalgIndexing.cpp - Indexing primitives ---------------------------===//
//
// In: gather, take and their adjoints. Out: loops; reads are elementwise and fuse,
// additions are sequential, in row-major order of the updates. Indices are moved
// into range, so a wrong one never reads or writes outside a buffer: the assert
// before the op makes the result void.
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

struct Gather : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value source = adaptor.getSource();
    int64_t dim = op.getDim();
    Value extent = asIndex(b, extentsOf(b, source)[dim]);
    Value result = mapElements(
        b, type, extentsOf(b, adaptor.getIndices()), adaptor.getIndices(),
        b.getMultiDimIdentityMap(type.getRank()),
        [&](Builder &inner, ValueRange v) -> Value {
          SmallVector<Value> at;
          for (int64_t i = 0; i < type.getRank(); ++i)
            at.push_back(i == dim ? clampIndex(inner, v[0], extent)
                                  : linalg::IndexOp::create(inner, i));
          return tensor::ExtractOp::create(inner, source, at);
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// The indices' map within the result of a take.
AffineMap indexMap(Builder &b, int64_t rank, int64_t dim, int64_t indexRank) {
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < indexRank; ++i)
    exprs.push_back(b.getAffineDimExpr(dim + i));
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

struct Take : OpConversionPattern<TakeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TakeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value source = adaptor.getSource(), indices = adaptor.getIndices();
    int64_t dim = op.getDim();
    auto sourceExtents = extentsOf(b, source);
    auto indexExtents = extentsOf(b, indices);
    int64_t indexRank = indexExtents.size();
    SmallVector<OpFoldResult> extents(sourceExtents.begin(),
                                      sourceExtents.begin() + dim);
    extents.append(indexExtents);
    extents.append(sourceExtents.begin() + dim + 1, sourceExtents.end());
    Value extent = asIndex(b, sourceExtents[dim]);
    int64_t sourceRank = sourceExtents.size();
    Value result = mapElements(
        b, type, extents, indices,
        indexMap(b, type.getRank(), dim, indexRank),
        [&](Builder &inner, ValueRange v) -> Value {
          SmallVector<Value> at;
          for (int64_t i = 0; i < sourceRank; ++i) {
            if (i == dim)
              at.push_back(clampIndex(inner, v[0], extent));
            else
              at.push_back(linalg::IndexOp::create(
                  inner, i < dim ? i : i + indexRank - 1));
          }
          return tensor::ExtractOp::create(inner, source, at);
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

using AddFn = llvm::function_ref<Value(Builder &, ValueRange, Value)>;

/// A nest of loops over `extents` that carries a tensor through `body`.
Value sequentialLoops(Builder &b, ArrayRef<OpFoldResult> extents, Value init,
                      AddFn body) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> indices;
  SmallVector<scf::ForOp> nest;
  Value carried = init;
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> bounds;
  for (OpFoldResult extent : extents)
    bounds.push_back(asIndex(b, extent));
  for (Value bound : bounds) {
    nest.push_back(scf::ForOp::create(b, zero, bound, one, carried));
    b.setInsertionPointToStart(nest.back().getBody());
    indices.push_back(nest.back().getInductionVar());
    carried = nest.back().getRegionIterArgs()[0];
  }
  Value result = body(b, indices, carried);
  for (scf::ForOp loop : llvm::reverse(nest)) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, result);
    result = loop.getResult(0);
  }
  return result;
}

Value addElement(Builder &b, Value tensor, ValueRange at, Value update) {
  Value before = tensor::ExtractOp::create(b, tensor, at);
  Value sum = isa<FloatType>(update.getType())
                  ? Value(arith::AddFOp::create(b, before, update))
                  : Value(arith::AddIOp::create(b, before, update));
  return tensor::InsertOp::create(b, sum, tensor, at);
}

struct ScatterAdd : OpConversionPattern<ScatterAddOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterAddOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    int64_t dim = op.getDim();
    Value extent = asIndex(b, extentsOf(b, adaptor.getBase())[dim]);
    Value result = sequentialLoops(
        b, extentsOf(b, adaptor.getIndices()), adaptor.getBase(),
        [&](Builder &inner, ValueRange indices, Value carried) {
          Value index =
              tensor::ExtractOp::create(inner, adaptor.getIndices(), indices);
          Value update =
              tensor::ExtractOp::create(inner, adaptor.getUpdates(), indices);
          SmallVector<Value> at(indices);
          at[dim] = clampIndex(inner, index, extent);
          return addElement(inner, carried, at, update);
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct TakeAdd : OpConversionPattern<TakeAddOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TakeAddOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    int64_t dim = op.getDim();
    int64_t indexRank =
        cast<RankedTensorType>(adaptor.getIndices().getType()).getRank();
    auto extents = extentsOf(b, adaptor.getUpdates());
    Value extent = asIndex(b, extentsOf(b, adaptor.getBase())[dim]);
    Value result = sequentialLoops(
        b, extents, adaptor.getBase(),
        [&](Builder &inner, ValueRange indices, Value carried) {
          Value index =
              tensor::ExtractOp::create(inner, adaptor.getIndices(),
                                        indices.slice(dim, indexRank));
          Value update =
              tensor::ExtractOp::create(inner, adaptor.getUpdates(), indices);
          SmallVector<Value> at(indices.take_front(dim));
          at.push_back(clampIndex(inner, index, extent));
          llvm::append_range(at, indices.drop_front(dim + indexRank));
          return addElement(inner, carried, at, update);
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void janus::populateIndexing(RewritePatternSet &patterns,
                             const TypeConverter &converter) {
  patterns.add<Gather, Take, ScatterAdd, TakeAdd>(converter,
                                                  patterns.getContext());
}
