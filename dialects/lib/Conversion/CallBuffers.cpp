//===- CallBuffers.cpp - What calls do to buffers -----------------------------===//
//
// In: janus.apply, in whose place bufferisation puts calls on buffers. A result that
// is carried has its operand's buffer; the callee returns it as well, which
// DropCarried.cpp ends. Every other one is an allocation that the caller owns
// (DistinctResults.cpp), and so a view of nothing.
//
// Why not upstream's model of func.call: it takes a call of a recursive function for
// one that writes to all of its operands and may return any of them.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Bufferization/IR/BufferViewFlowOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

/// The result that is carried in an operand, or null.
Value resultIn(Operation *op, OpOperand &operand) {
  auto apply = cast<janus::ApplyOp>(op);
  for (auto [number, result] : llvm::zip(apply.getCarried(), apply.getResults()))
    if (number == static_cast<int64_t>(operand.getOperandNumber()))
      return result;
  return {};
}

struct CallBuffers
    : BufferizableOpInterface::ExternalModel<CallBuffers, janus::ApplyOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }

  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return static_cast<bool>(resultIn(op, operand));
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (Value result = resultIn(op, operand))
      return {{result, BufferRelation::Equivalent}};
    return {};
  }

  bool bufferizesToAllocation(Operation *op, Value value) const {
    auto apply = cast<janus::ApplyOp>(op);
    return apply.getCarried()[cast<OpResult>(value).getResultNumber()] < 0;
  }

  FailureOr<BufferLikeType> getBufferType(Operation *, Value value, const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(typeOf(cast<RankedTensorType>(value.getType())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto apply = cast<janus::ApplyOp>(op);
    SmallVector<Value> operands;
    for (Value operand : apply.getInputs()) {
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      if (!tensor) {
        operands.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      // Functions take whole buffers: a view with gaps is copied.
      FailureOr<Value> whole = castOrReallocMemRefValue(rewriter, *buffer, typeOf(tensor), options);
      if (failed(whole))
        return failure();
      operands.push_back(*whole);
    }
    SmallVector<Type> types;
    for (Type type : apply.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      types.push_back(tensor ? Type(typeOf(tensor)) : type);
    }
    auto call = func::CallOp::create(rewriter, op->getLoc(), apply.getCallee(), types, operands);
    SmallVector<Value> results(call.getResults());
    for (auto [number, result] : llvm::zip(apply.getCarried(), results))
      if (number >= 0)
        result = operands[number];
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }

private:
  static MemRefType typeOf(RankedTensorType type) {
    return MemRefType::get(type.getShape(), type.getElementType());
  }
};

/// Once buffers are there: upstream takes a call's result for a view of any operand.
struct CallViews : BufferViewFlowOpInterface::ExternalModel<CallViews, func::CallOp> {
  void populateDependencies(Operation *, RegisterDependenciesFn) const {}
  bool mayBeTerminalBuffer(Operation *, Value) const { return true; }
};

} // namespace

void janus::registerCallBuffers(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JanusDialect *) {
    ApplyOp::attachInterface<CallBuffers>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<CallViews>(*context);
  });
}
