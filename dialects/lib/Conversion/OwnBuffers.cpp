//===- OwnBuffers.cpp - What may be written, and by whom --------------------===//
//
// In: functions on tensors. Out: the same; for one-shot bufferisation each tensor
// argument is marked as not writable unless it is carried, a call of a function of
// the module is a janus.apply, which says the same of its operands, and no two loops
// share an initial value, so that neither has to copy it.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace janus {
#define GEN_PASS_DEF_JANUSOWNBUFFERS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

struct OwnBuffers : janus::impl::JanusOwnBuffersBase<OwnBuffers> {
  void runOnOperation() override {
    auto readOnly = BoolAttr::get(&getContext(), false);
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (isa<TensorType>(function.getArgumentTypes()[i]) &&
            !function.getArgAttr(i, "janus.carried"))
          function.setArgAttr(
              i, bufferization::BufferizationDialect::kWritableAttrName,
              readOnly);
    SymbolTable symbols(getOperation());
    SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) { calls.push_back(call); });
    // A call of numbers alone has no buffers.
    auto hasTensors = [](Operation *op) {
      return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
             llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
    };
    for (func::CallOp call : calls)
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
          callee && !callee.isExternal() && hasTensors(call))
        apply(call, callee);
    SmallVector<DestinationStyleOpInterface> worklist;
    getOperation().walk(
        [&](DestinationStyleOpInterface op) { worklist.push_back(op); });
    for (DestinationStyleOpInterface op : worklist)
      for (OpOperand &init : op.getDpsInitsMutable())
        own(op, init);
  }

  static void apply(func::CallOp call, func::FuncOp callee) {
    OpBuilder b(call);
    auto apply = janus::ApplyOp::create(b, call.getLoc(), call.getResultTypes(), call.getCallee(),
                                        janus::carriedArguments(callee), call.getOperands());
    call.replaceAllUsesWith(apply.getResults());
    call.erase();
  }

  /// Makes `init` anew right before `op` where it is made rather than computed.
  /// A buffer is allocated where its tensor is made, so this keeps it short-lived.
  static void own(Operation *op, OpOperand &init) {
    Operation *maker = init.get().getDefiningOp();
    if (!maker || !isa<tensor::EmptyOp, linalg::FillOp>(maker))
      return;
    OpBuilder b(op);
    Operation *copy = b.clone(*maker);
    // Equal ones were shared: whose it is, `op` says.
    copy->setLoc(op->getLoc());
    init.set(copy->getResult(0));
    if (auto fill = dyn_cast<linalg::FillOp>(copy))
      own(fill, fill.getDpsInitsMutable()[0]);
    if (isOpTriviallyDead(maker))
      maker->erase();
  }
};

} // namespace
