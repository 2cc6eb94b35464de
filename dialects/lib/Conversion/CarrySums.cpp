//===- CarrySums.cpp - Gradients that a function adds to, in place ------------===//
//
// In: functions in the structured stage, some with arguments that have the attribute
// `janus.carried`: what becomes of them is the result with that number. Out: the same; each
// sum on the way from such an argument to its result is written over the one before it.
//
// Holds: whether that is possible without a copy is for bufferisation to find out.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace janus {
#define GEN_PASS_DEF_JANUSCARRYSUMS
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

struct CarrySums : janus::impl::JanusCarrySumsBase<CarrySums> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (auto function : module.getOps<func::FuncOp>()) {
      SmallVector<int64_t> carried = janus::carriedArguments(function);
      if (llvm::all_of(carried, [](int64_t argument) { return argument < 0; }))
        continue;
      Chain chain{symbols, DenseMap<Value, bool>()};
      Operation *ret = function.front().getTerminator();
      for (auto [operand, argument] : llvm::zip(ret->getOperands(), carried))
        if (argument >= 0)
          chain.follow(operand, function.getArgument(argument));
    }
  }

  /// The values from a function's results back to what they are sums of.
  struct Chain {
    SymbolTable &symbols;
    DenseMap<Value, bool> known;

    /// Whether `value` is `sum` with something added, in whose place it then is.
    bool follow(Value value, Value sum) {
      if (value == sum)
        return true;
      auto [entry, isNew] = known.try_emplace(value, false);
      if (!isNew)
        return entry->second;
      bool follows = step(value, sum);
      return known[value] = follows;
    }

    bool step(Value value, Value sum) {
      auto result = dyn_cast<OpResult>(value);
      if (!result)
        return false;
      Operation *op = result.getOwner();
      if (auto add = dyn_cast<janus::AddOp>(op)) {
        if (!follow(add.getLhs(), sum))
          return false;
        OpBuilder b(op->getContext());
        b.setInsertionPointAfter(op);
        // What is added to may have been written over since.
        auto written = bufferization::MaterializeInDestinationOp::create(
            b, op->getLoc(), value.getType(), value, add.getLhs());
        value.replaceAllUsesExcept(written.getResult(), written);
        known[written.getResult()] = true;
        return true;
      }
      if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
        bool follows = true;
        for (Region &region : ifOp->getRegions())
          follows &= follow(region.front().getTerminator()->getOperand(result.getResultNumber()), sum);
        return follows;
      }
      if (auto call = dyn_cast<func::CallOp>(op)) {
        auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
        int64_t argument = callee ? janus::carriedArguments(callee)[result.getResultNumber()] : -1;
        return argument >= 0 && follow(call.getOperand(argument), sum);
      }
      return false;
    }
  };
};

} // namespace
