//===- LowerAllocation.cpp - Allocations to the runtime ---------------------===//
//
// In: memref.alloc and memref.dealloc of identity-layout buffers. Out: calls of
// `janus_rt_alloc(bytes)`, `janus_rt_free(pointer, bytes)` and, where the size is not
// known, `janus_rt_free_whole(pointer)`.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace janus {
#define GEN_PASS_DEF_JANUSLOWERALLOCATION
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

struct LowerAllocation
    : janus::impl::JanusLowerAllocationBase<LowerAllocation> {
  void runOnOperation() override {
    auto result = getOperation().walk([&](Operation *op) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      if (auto alloc = dyn_cast<memref::AllocOp>(op))
        return lower(b, alloc);
      if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
        return lower(b, dealloc);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  WalkResult lower(ImplicitLocOpBuilder &b, memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.getLayout().isIdentity() || !alloc.getSymbolOperands().empty()) {
      alloc.emitError("allocation with a layout");
      return WalkResult::interrupt();
    }
    Value bytes = janus::bufferBytes(b, type, alloc.getDynamicSizes());
    auto call = LLVM::CallOp::create(b, runtimeFunction("janus_rt_alloc"), bytes);
    alloc.replaceAllUsesWith(janus::bufferFromPointer(
        b, type, call.getResult(), alloc.getDynamicSizes()));
    alloc.erase();
    return WalkResult::skip();
  }

  WalkResult lower(ImplicitLocOpBuilder &b, memref::DeallocOp dealloc) {
    auto type = dyn_cast<MemRefType>(dealloc.getMemref().getType());
    if (!type || !type.getLayout().isIdentity()) {
      dealloc.emitError("deallocation of a view");
      return WalkResult::interrupt();
    }
    // What lies behind a buffer that came out of control flow: its size is not
    // that of the buffer.
    if (dealloc.getMemref().getDefiningOp<memref::ExtractStridedMetadataOp>()) {
      Value pointer = janus::bufferPointer(b, dealloc.getMemref());
      LLVM::CallOp::create(b, runtimeFunction("janus_rt_free_whole"), pointer);
      dealloc.erase();
      return WalkResult::skip();
    }
    SmallVector<Value> extents;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        extents.push_back(memref::DimOp::create(b, dealloc.getMemref(), i));
    Value bytes = janus::bufferBytes(b, type, extents);
    Value pointer = janus::bufferPointer(b, dealloc.getMemref());
    LLVM::CallOp::create(b, runtimeFunction("janus_rt_free"),
                         ValueRange{pointer, bytes});
    dealloc.erase();
    return WalkResult::skip();
  }

  /// The declaration of an allocation function. What it returns aliases nothing.
  LLVM::LLVMFuncOp runtimeFunction(StringRef name) {
    ModuleOp module = getOperation();
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return known;
    OpBuilder b(module.getBodyRegion());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    bool alloc = name == "janus_rt_alloc";
    SmallVector<Type> taken{pointer};
    if (name == "janus_rt_free")
      taken.push_back(b.getI64Type());
    auto type =
        alloc ? LLVM::LLVMFunctionType::get(pointer, {b.getI64Type()})
              : LLVM::LLVMFunctionType::get(
                    LLVM::LLVMVoidType::get(&getContext()), taken);
    auto function = LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
    function.setPassthroughAttr(b.getStrArrayAttr({"nounwind"}));
    if (alloc)
      function.setResultAttr(0, LLVM::LLVMDialect::getNoAliasAttrName(),
                             b.getUnitAttr());
    return function;
  }
};

} // namespace
