//===- DeviceToLLVM.cpp - A device's functions without libdevice ------------===//
//
// In: a `gpu.module` whose kernels still have math ops. Out: none is left. Upstream's
// conversion would call NVIDIA's library for them, which is not there; what is left after
// `janus-expand-math` is exactly rounded, and LLVM has an intrinsic for each.
//
//===----------------------------------------------------------------------===//

#include "janus/Conversion/Passes.h"
#include "janus/Transforms/Limitation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace janus {
#define GEN_PASS_DEF_JANUSDEVICEMATH
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// LLVM's intrinsic for an op that every device rounds exactly, without the type; empty for others.
StringRef intrinsicOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<math::SqrtOp>([](auto) { return "llvm.sqrt"; })
      .Case<math::AbsFOp>([](auto) { return "llvm.fabs"; })
      .Case<math::FloorOp>([](auto) { return "llvm.floor"; })
      .Case<math::CeilOp>([](auto) { return "llvm.ceil"; })
      .Case<math::TruncOp>([](auto) { return "llvm.trunc"; })
      .Case<math::RoundEvenOp>([](auto) { return "llvm.roundeven"; })
      .Case<math::CopySignOp>([](auto) { return "llvm.copysign"; })
      .Default([](auto) { return ""; });
}

struct DeviceMath : janus::impl::JanusDeviceMathBase<DeviceMath> {
  void runOnOperation() override {
    SmallVector<Operation *> worklist;
    getOperation().walk([&](Operation *op) {
      if (isa<func::CallOp, arith::RemFOp>(op) || isa_and_present<math::MathDialect>(op->getDialect()))
        worklist.push_back(op);
    });
    for (Operation *op : worklist) {
      StringRef intrinsic = intrinsicOf(op);
      Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
      if (intrinsic.empty() || !type || !(type.isF32() || type.isF64())) {
        // Whole numbers are left to upstream.
        if (type && type.isIntOrIndex() && isa_and_present<math::MathDialect>(op->getDialect()))
          continue;
        auto diagnostic = op->emitOpError("has no form for a device");
        if (auto call = dyn_cast<func::CallOp>(op))
          diagnostic << ": " << call.getCallee();
        janus::limit(std::move(diagnostic), janus::Limitation::device);
        return signalPassFailure();
      }
      OpBuilder b(op);
      auto name = b.getStringAttr(intrinsic + (type.isF32() ? ".f32" : ".f64"));
      auto call = LLVM::CallIntrinsicOp::create(b, op->getLoc(), type, name, op->getOperands());
      op->replaceAllUsesWith(call);
      op->erase();
    }
  }
};

} // namespace
