//===- Work.cpp - How long a loop nest takes, about ------------------------===//

#include "Work.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

int64_t janus::Work::guess(int64_t extent) const {
  int64_t product = known;
  for (size_t i = 0; i < factors.size(); ++i)
    product *= extent;
  return product;
}

Value janus::Work::emit(OpBuilder &b, Location loc) const {
  Value total = arith::ConstantIntOp::create(b, loc, known, 64);
  for (auto [memref, dim] : factors) {
    Value extent = memref::DimOp::create(b, loc, memref, dim);
    Value word = arith::IndexCastOp::create(b, loc, b.getI64Type(), extent);
    total = arith::MulIOp::create(b, loc, total, word);
  }
  return total;
}

janus::Work janus::workOf(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return {};
  Work work;
  if (isa<linalg::ContractOp>(op)) {
    work.known = 1;
  } else {
    int64_t ops = 0;
    for (Operation &inner : *linalgOp.getBlock())
      ops += !inner.hasTrait<OpTrait::IsTerminator>() && !isa<arith::ConstantOp>(inner);
    work.known = 4 + 2 * ops;
  }
  for (auto [loop, extent] : llvm::enumerate(linalgOp.getStaticLoopRanges())) {
    if (!ShapedType::isDynamic(extent)) {
      work.known *= extent;
      continue;
    }
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      auto at = llvm::find(map.getResults(), getAffineDimExpr(loop, op->getContext()));
      if (at == map.getResults().end())
        continue;
      work.factors.emplace_back(operand.get(), at - map.getResults().begin());
      break;
    }
  }
  return work;
}
