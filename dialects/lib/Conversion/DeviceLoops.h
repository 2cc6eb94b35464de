//===- DeviceLoops.h - A loop nest as the body of a device kernel *- C++ -*-===//
//
// In: a linalg op on buffers that stands in a kernel's function. Out: the same
// loops for one thread of a grid, and how large that grid is.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_DEVICELOOPS_H
#define JANUS_CONVERSION_DEVICELOOPS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace janus {

/// Threads of a block.
constexpr int64_t blockThreads = 256;
/// A reduction of no more elements is one thread's: the order is the loop's.
constexpr int64_t fewElements = 32;

/// How a result of a reduction takes in an element: the ops of the body that its accumulator leads to.
struct Combiner {
  /// In order; the last one's result is what the body yields.
  llvm::SmallVector<mlir::Operation *> ops;
  mlir::Value accumulator, element;

  /// The two combined.
  mlir::Value emit(mlir::OpBuilder &b, mlir::Value accumulated, mlir::Value value) const;
};

/// How a nest is spread over threads.
enum class Spread {
  /// A thread for each point of the parallel dimensions; it runs the others in order.
  threads,
  /// A block for each: thread t takes the elements t, t + 256, ... and a tree combines what they have.
  blocks,
};

/// The loops of a linalg op, for a device.
class DeviceLoops {
public:
  /// None where an extent of the loops is no extent of an operand, or where threads would meet in a result.
  /// Without `trees` each result is one thread's, which takes the elements in the order of the loops.
  static std::optional<DeviceLoops> of(mlir::linalg::LinalgOp op, bool trees);

  Spread spread() const;

  /// Buffers that the threads of a block share.
  llvm::SmallVector<mlir::Type> sharedTypes() const;

  /// Emits what a thread does. `mapping` has what the op uses.
  void emitBody(mlir::ImplicitLocOpBuilder &b, mlir::IRMapping &mapping,
                mlir::ValueRange shared) const;

  /// The number of blocks, at least one; `mapping` has the values of the kernel's parameters.
  mlir::Value emitGrid(mlir::ImplicitLocOpBuilder &b, const mlir::IRMapping &mapping) const;

private:
  using Extents = llvm::SmallVector<mlir::Value>;

  explicit DeviceLoops(mlir::linalg::LinalgOp op) : op(op) {}

  llvm::SmallVector<unsigned> dims(mlir::utils::IteratorType kind) const;
  mlir::Value extent(mlir::ImplicitLocOpBuilder &b, unsigned dim, const mlir::IRMapping &mapping) const;
  mlir::Value product(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<unsigned> dims,
                      const mlir::IRMapping &mapping) const;
  /// Writes the indices of these dimensions, of which `flat` is the number in row-major order.
  void split(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<unsigned> dims, mlir::Value flat,
             const mlir::IRMapping &mapping, llvm::MutableArrayRef<mlir::Value> indices) const;

  mlir::Value load(mlir::ImplicitLocOpBuilder &b, mlir::OpOperand &operand,
                   llvm::ArrayRef<mlir::Value> indices, const mlir::IRMapping &mapping) const;
  void store(mlir::ImplicitLocOpBuilder &b, unsigned result, mlir::Value value,
             llvm::ArrayRef<mlir::Value> indices, const mlir::IRMapping &mapping) const;
  /// The body's ops at these indices, with these accumulators, and what it yields.
  llvm::SmallVector<mlir::Value> whole(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> indices,
                                       mlir::ValueRange accumulators,
                                       const mlir::IRMapping &mapping) const;
  /// What the combiners take in at these indices.
  llvm::SmallVector<mlir::Value> elements(mlir::ImplicitLocOpBuilder &b,
                                          llvm::ArrayRef<mlir::Value> indices,
                                          const mlir::IRMapping &mapping) const;
  llvm::SmallVector<mlir::Value> combine(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange accumulated,
                                         mlir::ValueRange values) const;
  void cloneBody(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> indices, mlir::IRMapping &inner,
                 const llvm::SmallPtrSetImpl<mlir::Operation *> &without) const;

  void emitSequence(mlir::ImplicitLocOpBuilder &b, mlir::IRMapping &mapping,
                    llvm::ArrayRef<mlir::Value> indices) const;
  void emitTree(mlir::ImplicitLocOpBuilder &b, mlir::IRMapping &mapping, llvm::ArrayRef<mlir::Value> indices,
                mlir::Value thread, mlir::ValueRange shared) const;

  mutable mlir::linalg::LinalgOp op; // a handle, whose accessors are not const
  /// One for each result, or none where a result is not combined from its elements in any order.
  llvm::SmallVector<Combiner> combiners;
};

} // namespace janus

#endif // JANUS_CONVERSION_DEVICELOOPS_H
