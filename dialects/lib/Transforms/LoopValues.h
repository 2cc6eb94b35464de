//===- LoopValues.h - what a loop's adjoint reads of each iteration -*- C++ -*-===//
//
// In: a loop, and copies of its blocks between which and the adjoint ops nothing is decided yet.
// Out: the loop counts its iterations; each value of an iteration that the adjoint reads is
// computed again where that is cheap, and otherwise saved by the loop and read back.
//
// Holds: what is saved is a tensor [n, ...] made before the loop, written to once an iteration.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_TRANSFORMS_LOOPVALUES_H
#define JANUS_LIB_TRANSFORMS_LOOPVALUES_H

#include "Expansion.h"
#include "janus/Transforms/LoopExtents.h"

#include "mlir/IR/IRMapping.h"

namespace janus {

/// How many ops in a row are run again rather than that their result is saved.
constexpr unsigned maxRepeated = 8;

/// Whether an op takes less than to write down and read its result.
bool isCheapOp(mlir::Operation *op);

/// Takes out the ops of `ops` that are not used.
void eraseUnused(Expansion &expansion, llvm::ArrayRef<mlir::Operation *> ops);

/// The ops of an iteration again.
struct LoopCopy {
  llvm::SmallVector<mlir::Value> carried; ///< in the place of the arguments of `before`
  llvm::SmallVector<mlir::Operation *> head, body;
  mlir::IRMapping mapping;                             ///< from the loop's values
  llvm::DenseMap<mlir::Value, mlir::Value> originals; ///< back
};

class LoopValues {
public:
  LoopValues(Expansion &expansion, mlir::scf::WhileOp loop);

  /// Copies `before`, and `after` if `whole`, to the builder's place.
  LoopCopy copy(bool whole);

  /// The number of iterations: an index.
  mlir::Value getCount();
  /// Extents of the loop's values that no iteration changes.
  LoopExtents &getExtents() { return extents; }

  /// Replaces what is read of the last run of `before`, after the loop.
  void resolveLast(LoopCopy &copy);
  /// Replaces what is read of iteration `number` in `block`.
  mlir::LogicalResult resolve(LoopCopy &copy, mlir::Block &block, mlir::Value number);

  /// Makes the loop one that counts and saves, and hands its gradients on to it.
  mlir::LogicalResult finish(Gradients &gradients);

private:
  /// A value that is saved, and its tensor's type.
  struct Saved {
    mlir::Value value;
    mlir::Value stack; ///< a placeholder for the whole
  };

  mlir::Value makePlaceholder(mlir::Type type);
  unsigned pass(mlir::Value value);
  void copyBlock(mlir::Block &block, llvm::SmallVectorImpl<mlir::Operation *> &ops,
                 LoopCopy &copy);
  bool isCheap(mlir::Value value, LoopCopy &copy,
               const llvm::DenseSet<mlir::Value> &available, unsigned depth);
  mlir::LogicalResult saveNumbers(mlir::Value value, LoopCopy &copy, mlir::Value number);
  /// An argument of `before` as a function of the iteration's number; null if it is not seen.
  mlir::Value recompute(unsigned argument, mlir::Value number);
  /// By how much an integer argument of `before` grows each time; null if that is not seen.
  mlir::Value getStep(unsigned argument);
  mlir::LogicalResult read(mlir::Value original, mlir::Value number, mlir::Value &result);
  mlir::LogicalResult makeStack(mlir::Value value, mlir::Value bound, mlir::Value &stack);
  mlir::Value write(mlir::Value value, mlir::Value stack, mlir::Value counter);
  /// At least the number of iterations, before the loop.
  mlir::Value getBound();
  mlir::Value getCountedBound();
  mlir::Value countFirst();

  Expansion &expansion;
  mlir::OpBuilder &builder;
  mlir::scf::WhileOp loop;
  mlir::Location loc;
  LoopExtents extents;
  mlir::Value count;
  llvm::SmallVector<mlir::Value> passed; ///< by `before`, beyond what it does already
  llvm::SmallVector<std::pair<mlir::Value, unsigned>> results; ///< placeholders of results
  llvm::SmallVector<Saved> saved;
};

} // namespace janus

#endif // JANUS_LIB_TRANSFORMS_LOOPVALUES_H
