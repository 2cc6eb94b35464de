//===- InterleaveReductions.cpp - Several reductions side by side -----------===//
//
// In: linalg.generic ops on buffers that reduce over their innermost dimension.
// Out: loops in which a few neighbouring results are accumulated at a time, each
// in its own register and in its own order. One accumulator alone would wait for
// each addition to finish before the next; the order of additions is fixed, so
// splitting it is no option.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace janus {
#define GEN_PASS_DEF_JANUSINTERLEAVEREDUCTIONS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// Results that are accumulated side by side: the latency of an addition times
/// the additions that a core starts per cycle, about.
constexpr int64_t lanes = 8;

/// Whether the pass knows how to lower this op.
bool isCandidate(linalg::GenericOp op) {
  auto iterators = op.getIteratorTypesArray();
  if (!op.hasPureBufferSemantics() || iterators.empty() ||
      iterators.back() != utils::IteratorType::reduction)
    return false;
  auto isPlain = [](AffineExpr expr) {
    return isa<AffineDimExpr, AffineConstantExpr>(expr);
  };
  for (AffineMap map : op.getIndexingMapsArray())
    if (!llvm::all_of(map.getResults(), isPlain))
      return false;
  for (OpOperand &init : op.getDpsInitsMutable())
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && iterators[dim.getPosition()] != utils::IteratorType::parallel)
        return false;
  return true;
}

class Lowering {
public:
  explicit Lowering(linalg::GenericOp op)
      : op(op), b(op.getLoc(), op), ivs(op.getNumLoops()) {
    for (auto [i, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      (kind == utils::IteratorType::parallel ? parallel : reduced).push_back(i);
    for (Range range : cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, b.getLoc()))
      bounds.push_back(range.size);
    zero = arith::ConstantIndexOp::create(b, 0);
    one = arith::ConstantIndexOp::create(b, 1);
  }

  void run() {
    for (unsigned dim : ArrayRef(parallel).drop_back(parallel.empty() ? 0 : 1)) {
      auto loop = scf::ForOp::create(b, zero, bound(dim), one);
      ivs[dim] = loop.getInductionVar();
      b.setInsertionPointToStart(loop.getBody());
    }
    if (parallel.empty()) {
      emitBlock(1);
      return;
    }
    unsigned dim = parallel.back();
    Value end = bound(dim), split;
    std::optional<int64_t> known = getConstantIntValue(bounds[dim]);
    if (known) {
      split = arith::ConstantIndexOp::create(b, *known - *known % lanes);
    } else {
      Value step = arith::ConstantIndexOp::create(b, lanes);
      split = arith::SubIOp::create(b, end,
                                    arith::RemUIOp::create(b, end, step));
    }
    if (!known || *known >= lanes)
      emitLoop(dim, zero, split, lanes);
    if (!known || *known % lanes != 0)
      emitLoop(dim, split, end, 1);
  }

private:
  Value bound(unsigned dim) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), bounds[dim]);
  }

  /// A loop over results, `count` at a time.
  void emitLoop(unsigned dim, Value from, Value to, int64_t count) {
    OpBuilder::InsertionGuard guard(b);
    auto loop = scf::ForOp::create(
        b, from, to, arith::ConstantIndexOp::create(b, count));
    ivs[dim] = loop.getInductionVar();
    b.setInsertionPointToStart(loop.getBody());
    emitBlock(count);
  }

  /// Where an operand is read or written in a lane.
  SmallVector<Value> indicesOf(OpOperand &operand, ArrayRef<Value> laneIvs) {
    SmallVector<Value> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        indices.push_back(laneIvs[dim.getPosition()]);
      else
        indices.push_back(arith::ConstantIndexOp::create(
            b, cast<AffineConstantExpr>(expr).getValue()));
    }
    return indices;
  }

  /// The loop variables of a lane.
  SmallVector<Value> laneIvs(int64_t lane) {
    SmallVector<Value> values = ivs;
    if (lane > 0)
      values[parallel.back()] = arith::AddIOp::create(
          b, values[parallel.back()], arith::ConstantIndexOp::create(b, lane));
    return values;
  }

  /// Accumulates `count` neighbouring results.
  void emitBlock(int64_t count);

  /// The body in one lane: the next values of its accumulators.
  void emitBody(ArrayRef<Value> laneIvs, ValueRange accumulators,
                SmallVectorImpl<Value> &next);

  linalg::GenericOp op;
  ImplicitLocOpBuilder b;
  SmallVector<Value> ivs;
  SmallVector<OpFoldResult> bounds;
  SmallVector<unsigned> parallel, reduced;
  Value zero, one;
};

void Lowering::emitBlock(int64_t count) {
  auto inits = op.getDpsInitsMutable();
  SmallVector<Value> accumulators;
  for (int64_t lane = 0; lane < count; ++lane) {
    SmallVector<Value> at = laneIvs(lane);
    for (OpOperand &init : inits)
      accumulators.push_back(
          memref::LoadOp::create(b, init.get(), indicesOf(init, at)));
  }

  scf::ForOp outermost;
  SmallVector<scf::ForOp> nest;
  {
    OpBuilder::InsertionGuard guard(b);
    ValueRange carried = accumulators;
    for (unsigned dim : reduced) {
      auto loop = scf::ForOp::create(b, zero, bound(dim), one, carried);
      if (!outermost)
        outermost = loop;
      nest.push_back(loop);
      ivs[dim] = loop.getInductionVar();
      carried = loop.getRegionIterArgs();
      b.setInsertionPointToStart(loop.getBody());
    }
    SmallVector<Value> next;
    for (int64_t lane = 0; lane < count; ++lane)
      emitBody(laneIvs(lane), carried.slice(lane * inits.size(), inits.size()),
               next);
    for (scf::ForOp loop : llvm::reverse(nest)) {
      b.setInsertionPointToEnd(loop.getBody());
      scf::YieldOp::create(b, next);
      next.assign(loop.getResults().begin(), loop.getResults().end());
    }
  }

  unsigned position = 0;
  for (int64_t lane = 0; lane < count; ++lane) {
    SmallVector<Value> at = laneIvs(lane);
    for (OpOperand &init : inits)
      memref::StoreOp::create(b, outermost.getResult(position++), init.get(),
                              indicesOf(init, at));
  }
}

void Lowering::emitBody(ArrayRef<Value> laneIvs, ValueRange accumulators,
                        SmallVectorImpl<Value> &next) {
  IRMapping mapping;
  Block *body = op.getBody();
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    if (isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(b, value, indicesOf(*input, laneIvs));
    mapping.map(op.getMatchingBlockArgument(input), value);
  }
  for (auto [init, accumulator] :
       llvm::zip(op.getDpsInitsMutable(), accumulators))
    mapping.map(op.getMatchingBlockArgument(&init), accumulator);
  for (Operation &inner : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), laneIvs[index.getDim()]);
    else
      b.clone(inner, mapping);
  }
  for (Value yielded : body->getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(yielded));
}

struct InterleaveReductions
    : janus::impl::JanusInterleaveReductionsBase<InterleaveReductions> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> worklist;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isCandidate(op))
        worklist.push_back(op);
    });
    for (linalg::GenericOp op : worklist) {
      Lowering(op).run();
      op.erase();
    }
  }
};

} // namespace
