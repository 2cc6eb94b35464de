//===- CallAdjoint.h - functions that save, and their adjoints --*- C++ -*-===//
//
// In: calls through which gradients go. Out: calls of `@f.saving`, which does what @f does and
// returns a record of it, and of `@f.adjoint`:
//
//   arguments  the record; those of @f; for each float tensor that @f returns its gradient, with
//              an i1 that says whether it is there unless there is one such tensor only; for each
//              argument that gradients go to what has been added up so far, and an i1
//   results    these sums and i1s, continued
//
// Holds: one pair of functions per callee and set of arguments that gradients go to. That set
// contains what the callee's calls of itself add to it. A sum's buffer is the callee's to write:
// the argument has the attribute `janus.carried`, with the number of the result that it becomes.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_TRANSFORMS_CALLADJOINT_H
#define JANUS_LIB_TRANSFORMS_CALLADJOINT_H

#include "Expansion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <vector>

namespace janus {

/// Whether a call stands inside of `op`.
bool hasCall(mlir::Operation *op);

/// On a loop whose last two results are the number of its iterations and the record of the last
/// one, which says where that of the iteration before is. It passes on all that its condition has.
constexpr llvm::StringLiteral recordedAttr = "janus.recorded";

class CallAdjoints {
public:
  CallAdjoints(mlir::ModuleOp module, const GradientTable &table, mlir::OpBuilder &builder)
      : symbols(module), table(table), builder(builder) {}

  /// Makes `op`, if gradients may go through it, a call that saves; if it is an scf.if with calls,
  /// one that returns a record at last; and if it is a loop with calls, one that is recorded.
  void prepare(Expansion &expansion, mlir::Operation *op);
  /// Passes on what arrives at a call.
  mlir::LogicalResult visit(Expansion &expansion, mlir::func::CallOp call, Gradients &gradients);
  /// Makes the bodies of all functions that were asked for.
  mlir::LogicalResult finish();

private:
  struct Pair {
    mlir::func::FuncOp callee, saving, adjoint;
    llvm::SmallVector<unsigned> active; ///< arguments that gradients go to
  };

  void prepareCall(Expansion &expansion, mlir::func::CallOp call);
  void prepareIf(Expansion &expansion, mlir::scf::IfOp op);
  void prepareWhile(Expansion &expansion, mlir::scf::WhileOp op);
  /// What is active inside of `callee` adds to `active` what its calls of itself need.
  void close(mlir::func::FuncOp callee, llvm::SmallVectorImpl<unsigned> &active);
  Pair &get(mlir::func::FuncOp callee, llvm::SmallVector<unsigned> active);
  void declare(Pair &pair);
  mlir::LogicalResult build(Pair &pair);

  mlir::SymbolTable symbols;
  const GradientTable &table;
  mlir::OpBuilder &builder;
  std::vector<std::unique_ptr<Pair>> pairs; ///< in the order in which they were asked for
  size_t built = 0;
};

} // namespace janus

#endif // JANUS_LIB_TRANSFORMS_CALLADJOINT_H
