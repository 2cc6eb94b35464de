//===- ExpandMath.cpp - Math functions to math.txt's programs ---------------===//
//
// In: ops of the math dialect on f32 and f64 scalars. Out: of those that have a
// program in math.txt, none is left; the exactly rounded ones (sqrt, floor, ...)
// stay, since every tier rounds them alike. No pass before this one may fold those
// of constants: MLIR folds by the C library, which rounds otherwise.
//
//===----------------------------------------------------------------------===//

#include "MathProgram.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace janus {
#define GEN_PASS_DEF_JANUSEXPANDMATH
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// The name in math.txt of an op, empty where it is no expanded function.
StringRef functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<math::ExpOp>([](auto) { return "exp"; })
      .Case<math::ExpM1Op>([](auto) { return "expm1"; })
      .Case<math::LogOp>([](auto) { return "log"; })
      .Case<math::Log1pOp>([](auto) { return "log1p"; })
      .Case<math::TanhOp>([](auto) { return "tanh"; })
      .Case<math::SinOp>([](auto) { return "sin"; })
      .Case<math::CosOp>([](auto) { return "cos"; })
      .Case<math::ErfOp>([](auto) { return "erf"; })
      .Case<math::PowFOp>([](auto) { return "pow"; })
      .Default([](auto) { return ""; });
}

struct ExpandMath : janus::impl::JanusExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto program = janus::MathProgram::parse(janus::MathProgram::embeddedText());
    if (!program) {
      module.emitError(llvm::toString(program.takeError()));
      return signalPassFailure();
    }
    SmallVector<Operation *> worklist;
    module.walk([&](Operation *op) {
      if (!functionOf(op).empty())
        worklist.push_back(op);
    });
    for (Operation *op : worklist) {
      StringRef function = functionOf(op);
      ImplicitLocOpBuilder b(op->getLoc(), op);
      Type type = op->getResult(0).getType();
      Value result;
      if (type.isF32()) {
        result = program->emit(b, function, op->getOperands());
      } else if (type.isF64()) {
        func::FuncOp callee = declare(function, op);
        result = func::CallOp::create(b, callee, op->getOperands()).getResult(0);
      } else {
        op->emitError("math function of a type without a definition");
      }
      if (!result)
        return signalPassFailure();
      op->replaceAllUsesWith(ValueRange(result));
      op->erase();
    }
  }

  /// The declaration of `janus_<function>_f64`, pure to LLVM.
  func::FuncOp declare(StringRef function, Operation *op) {
    ModuleOp module = getOperation();
    std::string name = ("janus_" + function + "_f64").str();
    if (auto known = module.lookupSymbol<func::FuncOp>(name))
      return known;
    OpBuilder b(module.getBodyRegion());
    SmallVector<Type> inputs(op->getNumOperands(), b.getF64Type());
    auto declaration = func::FuncOp::create(
        b, module.getLoc(), name, b.getFunctionType(inputs, b.getF64Type()));
    declaration.setPrivate();
    declaration->setAttr("llvm.readnone", b.getUnitAttr());
    declaration->setAttr("passthrough",
                         b.getStrArrayAttr({"nounwind", "willreturn"}));
    return declaration;
  }
};

} // namespace
