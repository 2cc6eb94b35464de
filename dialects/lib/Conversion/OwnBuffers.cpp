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
#include "mlir/Dialect/SCF/IR/SCF.h"
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
    janus::branchOnSelects(getOperation());
    getOperation().walk(separate);
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

  /// The tensor from outside of `branch` in whose memory `value` lies, or may come to lie.
  static Value outerRoot(Value value, scf::IfOp branch) {
    while (Operation *op = value.getDefiningOp()) {
      if (!branch->isProperAncestor(op))
        return value;
      if (auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
        value = write.getDest();
      else if (auto write = dyn_cast<DestinationStyleOpInterface>(op))
        value = write.getTiedOpOperand(cast<OpResult>(value))->get();
      else if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                   tensor::CastOp>(op))
        value = op->getOperand(0);
      else
        return {};
    }
    return value;
  }

  /// What is one of two tensors from outside is a copy of it: it would have to be both, and a write
  /// to the one would seem to change the other.
  static void separate(scf::IfOp branch) {
    for (OpResult result : branch.getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      OpOperand &then = branch.thenYield()->getOpOperand(result.getResultNumber());
      OpOperand &otherwise = branch.elseYield()->getOpOperand(result.getResultNumber());
      Value a = outerRoot(then.get(), branch), b = outerRoot(otherwise.get(), branch);
      if (!a || !b || a == b)
        continue;
      for (OpOperand *side : {&then, &otherwise}) {
        OpBuilder builder(side->getOwner());
        side->set(bufferization::AllocTensorOp::create(builder, branch.getLoc(),
                                                       cast<RankedTensorType>(result.getType()),
                                                       ValueRange(), side->get()));
      }
    }
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
