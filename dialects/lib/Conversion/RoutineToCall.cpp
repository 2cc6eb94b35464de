//===- RoutineToCall.cpp - Library routines: buffers, then calls ------------===//
//
// In: janus.routine. Out: bufferisation turns it into one on buffers, the pass
// turns that into a call with an array of words on the stack.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace janus {
#define GEN_PASS_DEF_JANUSROUTINETOCALL
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// A routine reads its inputs and writes all of its last operand.
struct RoutineBuffers
    : bufferization::DstBufferizableOpInterfaceExternalModel<RoutineBuffers, janus::RoutineOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto routine = cast<janus::RoutineOp>(op);
    if (routine.getResult().empty())
      return success();
    SmallVector<Value> inputs;
    for (Value input : routine.getInputs()) {
      FailureOr<Value> buffer = bufferization::getBuffer(rewriter, input, options, state);
      if (failed(buffer))
        return failure();
      inputs.push_back(*buffer);
    }
    FailureOr<Value> init =
        bufferization::getBuffer(rewriter, routine.getInit(), options, state);
    if (failed(init))
      return failure();
    rewriter.setInsertionPoint(op);
    janus::RoutineOp::create(rewriter, op->getLoc(), TypeRange(), routine.getCallee(),
                             routine.getWords(), inputs, *init);
    bufferization::replaceOpWithBufferizedValues(rewriter, op, *init);
    return success();
  }
};

struct RoutineToCall : janus::impl::JanusRoutineToCallBase<RoutineToCall> {
  void runOnOperation() override {
    SmallVector<janus::RoutineOp> worklist;
    getOperation().walk([&](janus::RoutineOp op) { worklist.push_back(op); });
    for (janus::RoutineOp op : worklist)
      lower(op);
  }

  void lower(janus::RoutineOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Type word = b.getI64Type(), pointer = LLVM::LLVMPointerType::get(&getContext());
    SmallVector<Value> words;
    for (int64_t number : op.getWords())
      words.push_back(LLVM::ConstantOp::create(b, word, b.getI64IntegerAttr(number)));
    for (Value operand : op->getOperands()) {
      words.push_back(janus::bufferPointer(b, operand));
      auto metadata = memref::ExtractStridedMetadataOp::create(b, operand);
      for (ValueRange part : {metadata.getSizes(), metadata.getStrides()})
        for (Value index : part)
          words.push_back(arith::IndexCastOp::create(b, word, index));
    }
    Value array;
    {
      // At the start of the function: in a loop it would take more stack each time.
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&getOperation().getBody().front());
      Value count = LLVM::ConstantOp::create(b, word, b.getI64IntegerAttr(words.size()));
      array = LLVM::AllocaOp::create(b, pointer, word, count, /*alignment=*/8);
    }
    for (auto [i, value] : llvm::enumerate(words)) {
      Value at = LLVM::GEPOp::create(b, pointer, word, array,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b, value, at);
    }
    LLVM::CallOp::create(b, declare(op.getCallee()), ValueRange(array));
    op.erase();
  }

  LLVM::LLVMFuncOp declare(StringRef name) {
    auto module = getOperation()->getParentOfType<ModuleOp>();
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return known;
    OpBuilder b(module.getBodyRegion());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                            LLVM::LLVMPointerType::get(&getContext()));
    return LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
  }
};

} // namespace

void janus::registerRoutineBuffers(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JanusDialect *) {
    RoutineOp::attachInterface<RoutineBuffers>(*context);
  });
}
