//===- LoopExtents.h - extents that a loop does not change ------*- C++ -*-===//
//
// In: a loop, a value inside of it, one of the value's dimensions. Out: the extent, made of what
// is there before the loop; nothing if it may change from iteration to iteration.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_TRANSFORMS_LOOPEXTENTS_H
#define JANUS_TRANSFORMS_LOOPEXTENTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <optional>

namespace janus {

class LoopExtents {
public:
  explicit LoopExtents(mlir::Operation *loop) : loop(loop) {}

  /// The extent of dimension `dim` of `value`, at the builder's place.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t dim);
  /// One extent per `?` of `value`; fails if one of them changes.
  mlir::LogicalResult get(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          llvm::SmallVectorImpl<mlir::Value> &extents);
  /// Whether no iteration changes an extent of `value`.
  bool isFixed(mlir::Value value);

private:
  /// A dimension of a tensor; or an integer and -1; or no value and a number.
  using Extent = std::pair<mlir::Value, int64_t>;
  using MaybeExtent = std::optional<Extent>;
  static Extent constant(int64_t value) { return {mlir::Value(), value}; }

  MaybeExtent ofDim(mlir::Value value, int64_t dim);
  MaybeExtent ofDefinition(mlir::Operation *op, mlir::Value value, int64_t dim);
  MaybeExtent ofArgument(mlir::BlockArgument argument, int64_t dim);
  MaybeExtent ofCarried(mlir::Value init, mlir::Value next, mlir::Value carried, int64_t dim);
  MaybeExtent ofInteger(mlir::Value value);
  /// What is known to be equal: operands of elementwise ops say so.
  void unite(const MaybeExtent &a, const MaybeExtent &b);
  bool areEqual(const MaybeExtent &a, const MaybeExtent &b);
  bool isOuter(mlir::Value value) const;

  mlir::Operation *loop;
  llvm::DenseMap<Extent, MaybeExtent> known;
  llvm::DenseSet<Extent> changing;
  llvm::EquivalenceClasses<std::pair<const void *, int64_t>> equal;
};

} // namespace janus

#endif // JANUS_TRANSFORMS_LOOPEXTENTS_H
