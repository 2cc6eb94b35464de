//===- Expansion.h - one janus.gradient under expansion ---------*- C++ -*-===//
//
// In: a janus.gradient in a function of structured control flow. Out: the adjoint of what led to
// its loss, at its place.
//
// Holds: a gradient that is there on some paths only is a value with an i1 beside it. The value is
// -0.0 where the i1 is false, so that adding to it changes no bit of what is added. What such a
// gradient would lead to runs under that i1: where tier 0's tape has no gradient, it visits
// nothing, and 0 * inf must not come from there.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_TRANSFORMS_EXPANSION_H
#define JANUS_LIB_TRANSFORMS_EXPANSION_H

#include "GradientTable.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace janus {

/// Whether values of this kind have gradients at all.
bool isDifferentiable(mlir::Value value);

/// What has been added up so far for a value.
struct Sum {
  mlir::Value value;   ///< null if nothing has
  mlir::Value present; ///< i1; null if it is always there
};

using Gradients = llvm::MapVector<mlir::Value, Sum>;

/// `sum`'s i1, made where it has none.
mlir::Value presenceOf(mlir::OpBuilder &builder, mlir::Location loc, Sum sum);

/// `sum`'s value; -0.0 of the type of `like` if nothing was added.
mlir::Value valueOf(mlir::OpBuilder &builder, mlir::Location loc, Sum sum, mlir::Value like);

class BlockRecord;
class CallAdjoints;

class Expansion {
public:
  /// `calls` is null where no gradient may go through a call.
  Expansion(const GradientTable &table, mlir::OpBuilder &builder, CallAdjoints *calls)
      : builder(builder), table(table), calls(calls) {}
  ~Expansion();

  mlir::LogicalResult run(GradientOp op);
  mlir::LogicalResult run(PullbackOp op);

  /// Whether a value depends on what is differentiated by.
  bool isActive(mlir::Value value) const { return active.contains(value); }
  void activate(mlir::Value value) { active.insert(value); }
  /// Makes `value` as active as `other` is.
  void copyActivity(mlir::Value other, mlir::Value value);
  /// Notes which results of `op`, and which values inside of it, are active.
  void propagate(mlir::Operation *op);
  void propagate(mlir::Block &block);

  /// Goes through `ops` backwards; each of them passes on what arrived at its results.
  mlir::LogicalResult visitAll(llvm::ArrayRef<mlir::Operation *> ops, Gradients &gradients);

  static Sum lookup(const Gradients &gradients, mlir::Value value);
  void add(Gradients &gradients, mlir::Value value, Sum contribution, mlir::Location loc);

  /// Whether what arrives at `result`, a result of a branch, and at `value`, which it is on one side, is added up in the
  /// tape's order if the former is added to the latter as a whole: on the tape the two are one.
  bool mayAddAsAWhole(mlir::Value result, mlir::Value value) const;

  /// The active values from outside that are used inside of `op`.
  llvm::SetVector<mlir::Value> collectOuter(mlir::Operation *op) const;

  /// What `copy` is a copy of; `copy` itself if it is none.
  mlir::Operation *getOriginal(mlir::Operation *copy) const {
    mlir::Operation *original = originals.lookup(copy);
    return original ? original : copy;
  }
  void setOriginal(mlir::Operation *copy, mlir::Operation *original) {
    originals[copy] = original;
  }

  /// Takes an op out. It is freed with the expansion, so that no new value has its address.
  void erase(mlir::Operation *op);

  mlir::OpBuilder &builder;

private:
  /// A value whose gradient is given, with that and the i1 that says whether it is (null: it is).
  struct Start {
    mlir::Value value, seed, present;
  };

  /// Finds what depends on `wrt` before `op`, and makes calls there save what is needed of them.
  mlir::LogicalResult prepare(mlir::Operation *op, mlir::ValueRange outputs, mlir::ValueRange wrt);
  bool goesThroughIterations(mlir::scf::WhileOp loop, mlir::ValueRange outputs,
                             mlir::ValueRange wrt);
  /// Adds to `gradients` what `starts` lead to, at the place of `op`.
  mlir::LogicalResult expand(mlir::Operation *op, llvm::ArrayRef<Start> starts,
                             Gradients &gradients);
  void propagateWhile(mlir::scf::WhileOp op);
  /// Whether the gradient of `op`'s results goes on to operand `index`.
  bool flowsTo(mlir::Operation *op, unsigned index);

  mlir::LogicalResult visit(mlir::Operation *op, Gradients &gradients);
  /// Visits ops from the end of `ops`, which it shortens, as long as what arrives at them is there
  /// exactly where `present` holds.
  mlir::LogicalResult visitGuarded(llvm::ArrayRef<mlir::Operation *> &ops, mlir::Value present,
                                   Gradients &gradients);
  mlir::LogicalResult visitIf(mlir::scf::IfOp op, Gradients &gradients);
  mlir::LogicalResult visitBranch(mlir::scf::IfOp op, mlir::Block &block, mlir::Block &into,
                                  Gradients &gradients, BlockRecord *record);
  /// The i1 that all that arrives at `op` shares; null if there is none.
  mlir::Value getGuard(mlir::Operation *op, const Gradients &gradients) const;

  const GradientTable &table;
  CallAdjoints *calls;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals;
  llvm::DenseSet<mlir::Value> active;
  /// When something was added for a value, counted over all values; twice for what a loop may add more than once.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> times;
  unsigned now = 0;
  llvm::SmallVector<mlir::Operation *> erased;
};

/// The adjoint of a loop at the builder's place, which is after the loop. The loop itself becomes
/// one that counts its iterations and saves what its adjoint needs of each. LoopAdjoint.cpp.
mlir::LogicalResult visitWhile(Expansion &expansion, mlir::scf::WhileOp loop,
                               Gradients &gradients);

} // namespace janus

#endif // JANUS_LIB_TRANSFORMS_EXPANSION_H
