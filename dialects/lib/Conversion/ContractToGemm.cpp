//===- ContractToGemm.cpp - Contractions to the gemm library ----------------===//
//
// In: linalg.contract on buffers, each with one m, n and k dimension and any
// number of batch dimensions. Out: those on f32 and f64 are calls of
// `janus_rt_gemm_<type>`, one per batch element; others stay as loops.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace janus {
#define GEN_PASS_DEF_JANUSCONTRACTTOGEMM
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// A matrix of the call: pointer, and per loop dimension the stride in elements.
struct Matrix {
  Value pointer;
  SmallVector<Value> strides; // by loop dimension, null where not indexed
  SmallVector<Value> extents; // likewise
};

Matrix matrixOf(ImplicitLocOpBuilder &b, Value memref, AffineMap map) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, memref);
  Matrix matrix{janus::bufferPointer(b, memref),
                SmallVector<Value>(map.getNumDims()),
                SmallVector<Value>(map.getNumDims())};
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    matrix.strides[dim] = metadata.getStrides()[i];
    matrix.extents[dim] = metadata.getSizes()[i];
  }
  return matrix;
}

struct ContractToGemm : janus::impl::JanusContractToGemmBase<ContractToGemm> {
  void runOnOperation() override {
    SmallVector<linalg::ContractOp> worklist;
    getOperation().walk([&](linalg::ContractOp op) {
      Type element =
          cast<ShapedType>(op.getDpsInits()[0].getType()).getElementType();
      if (op.hasPureBufferSemantics() && (element.isF32() || element.isF64()))
        worklist.push_back(op);
    });
    for (linalg::ContractOp op : worklist)
      if (failed(lower(op)))
        return signalPassFailure();
  }

  LogicalResult lower(linalg::ContractOp op) {
    auto dims = linalg::inferContractionDims(op);
    if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
        dims->k.size() != 1)
      return op.emitError("not a batched matrix product");
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Type element =
        cast<ShapedType>(op.getDpsInits()[0].getType()).getElementType();
    linalg::FillOp fill = janus::zeroFillBefore(op);

    auto maps = op.getIndexingMapsArray();
    Matrix lhs = matrixOf(b, op.getDpsInputs()[0], maps[0]);
    Matrix rhs = matrixOf(b, op.getDpsInputs()[1], maps[1]);
    Matrix out = matrixOf(b, op.getDpsInits()[0], maps[2]);

    // One loop per batch dimension; inside, the pointers move.
    SmallVector<Value> indices;
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    for (unsigned dim : dims->batch) {
      Value extent = out.extents[dim];
      if (matchPattern(extent, m_One())) {
        indices.push_back(zero);
        continue;
      }
      auto loop = scf::ForOp::create(b, zero, extent, one);
      b.setInsertionPointToStart(loop.getBody());
      indices.push_back(loop.getInductionVar());
    }
    auto pointerAt = [&](Matrix &matrix) -> Value {
      Value offset;
      for (auto [dim, index] : llvm::zip(dims->batch, indices)) {
        if (index == zero || !matrix.strides[dim])
          continue;
        Value step = arith::MulIOp::create(b, index, matrix.strides[dim]);
        offset = offset ? Value(arith::AddIOp::create(b, offset, step)) : step;
      }
      if (!offset)
        return matrix.pointer;
      return LLVM::GEPOp::create(b, matrix.pointer.getType(), element,
                                 matrix.pointer,
                                 ArrayRef<LLVM::GEPArg>{word(b, offset)});
    };

    unsigned m = dims->m[0], n = dims->n[0], k = dims->k[0];
    SmallVector<Value> arguments{word(b, out.extents[m]),
                                 word(b, out.extents[n]),
                                 word(b, lhs.extents[k])};
    auto push = [&](Matrix &matrix, unsigned row, unsigned column) {
      arguments.append({pointerAt(matrix), word(b, matrix.strides[row]),
                        word(b, matrix.strides[column])});
    };
    push(lhs, m, k);
    push(rhs, k, n);
    push(out, m, n);
    // A C bool; wider than one, so that the upper bits are zero as C asks.
    arguments.push_back(LLVM::ConstantOp::create(
        b, b.getI32Type(), b.getI32IntegerAttr(fill ? 0 : 1)));
    LLVM::CallOp::create(b, declare(element, arguments), arguments);
    if (fill)
      fill.erase();
    op.erase();
    return success();
  }

  static Value word(ImplicitLocOpBuilder &b, Value index) {
    return arith::IndexCastOp::create(b, b.getI64Type(), index);
  }

  LLVM::LLVMFuncOp declare(Type element, ValueRange arguments) {
    auto module = getOperation()->getParentOfType<ModuleOp>();
    StringRef name = element.isF32() ? "janus_rt_gemm_f32" : "janus_rt_gemm_f64";
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return known;
    OpBuilder b(module.getBodyRegion());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(&getContext()),
        llvm::to_vector(arguments.getTypes()));
    return LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
  }
};

} // namespace
