//===- Records.h - what the adjoint of a block reads of it ------*- C++ -*-===//
//
// In: a block, and later, its adjoint, into which its ops were copied. Out: each value of the block
// that the adjoint reads is computed again where that is cheap and otherwise kept by the block, at
// its end, in a record. The last operand of the block's terminator, an i64, becomes the place of
// that record.
//
// Holds: no call of the block runs again, and nothing that has regions.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_TRANSFORMS_RECORDS_H
#define JANUS_LIB_TRANSFORMS_RECORDS_H

#include "Expansion.h"

#include "mlir/IR/IRMapping.h"

namespace janus {

/// A record in which nothing was kept.
mlir::Value makeEmptyRecord(mlir::OpBuilder &builder, mlir::Location loc);

class BlockRecord {
public:
  BlockRecord(Expansion &expansion, mlir::Block &original)
      : expansion(expansion), builder(expansion.builder), original(original),
        loc(original.getTerminator()->getLoc()) {}

  /// Copies the ops of `source`, the block itself or a copy of it, to the builder's place.
  void copy(mlir::Block &source, mlir::IRMapping &mapping);
  /// Takes `copy`, made elsewhere, whose results stand for `values` of the block.
  void adopt(mlir::Operation *copy, mlir::ValueRange values);
  llvm::ArrayRef<mlir::Operation *> getCopies() const { return copies; }

  /// Replaces what is read of the copies in `adjoint`, which finds the record in `record`.
  void resolve(mlir::Block &adjoint, mlir::Value record);

private:
  /// A number that is kept: a value of the block, or an extent of one.
  struct Number {
    mlir::Value value;
    std::optional<uint64_t> dim;
    llvm::SmallVector<mlir::Value> readers; ///< that it takes the place of
  };
  struct Tensor {
    mlir::Value copy;
    llvm::SmallVector<size_t> extents; ///< numbers, one per `?`
  };

  bool isGiven(mlir::Value value) const {
    return !originals.contains(value) || kept.contains(value);
  }
  bool isFree(mlir::Value value, unsigned depth) const;
  bool isFreeNumber(mlir::Value value, unsigned depth) const;
  void need(mlir::Value value);
  size_t needNumber(mlir::Value value, std::optional<uint64_t> dim);
  mlir::Value makeRecord();
  void recall(mlir::Block &adjoint, mlir::Value record);

  Expansion &expansion;
  mlir::OpBuilder &builder;
  mlir::Block &original;
  mlir::Location loc;
  llvm::SmallVector<mlir::Operation *> copies;
  llvm::DenseMap<mlir::Value, mlir::Value> originals;
  llvm::DenseSet<mlir::Value> needed, kept;
  llvm::SmallVector<Number> numbers;
  llvm::SmallVector<Tensor> tensors;
};

} // namespace janus

#endif // JANUS_LIB_TRANSFORMS_RECORDS_H
