//===- DropCarried.cpp - Results that are an argument's buffer ----------------===//
//
// In: functions on buffers, before deallocation, and calls that do not use results that have
// an argument's place (attribute `janus.carried`, see CarrySums.cpp). Out: such a result is in the
// argument's buffer when the function returns, and is no result any more.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

namespace janus {
#define GEN_PASS_DEF_JANUSDROPCARRIED
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

struct DropCarried : janus::impl::JanusDropCarriedBase<DropCarried> {
  void runOnOperation() override {
    llvm::StringMap<llvm::BitVector> dropped;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        drop(function, dropped);
    SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) {
      if (dropped.contains(call.getCallee()))
        calls.push_back(call);
    });
    for (func::CallOp call : calls) {
      const llvm::BitVector &gone = dropped[call.getCallee()];
      SmallVector<Type> types;
      SmallVector<Value> left;
      for (OpResult result : call.getResults())
        if (!gone.test(result.getResultNumber())) {
          types.push_back(result.getType());
          left.push_back(result);
        }
      OpBuilder b(call);
      auto shorter = func::CallOp::create(b, call.getLoc(), call.getCallee(), types,
                                          call.getOperands());
      for (auto [old, result] : llvm::zip(left, shorter.getResults()))
        old.replaceAllUsesWith(result);
      call.erase();
    }
  }

  void drop(func::FuncOp function, llvm::StringMap<llvm::BitVector> &dropped) {
    SmallVector<int64_t> carried = janus::carriedArguments(function);
    llvm::BitVector gone(carried.size());
    Operation *ret = function.front().getTerminator();
    OpBuilder b(ret);
    for (auto [i, argument] : llvm::enumerate(carried)) {
      if (argument < 0)
        continue;
      gone.set(i);
      BlockArgument place = function.getArgument(argument);
      Value value = ret->getOperand(i);
      if (janus::rootOf(value) != place)
        memref::CopyOp::create(b, ret->getLoc(), value, place);
      function.removeArgAttr(argument, "janus.carried");
    }
    if (gone.none())
      return;
    ret->eraseOperands(gone);
    (void)function.eraseResults(gone);
    dropped[function.getName()] = gone;
  }
};

} // namespace
