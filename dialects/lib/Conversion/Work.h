//===- Work.h - How long a loop nest takes, about ---------------*- C++ -*-===//
//
// In: a linalg op. Out: an estimate, by which passes decide what is worth a thread.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_WORK_H
#define JANUS_CONVERSION_WORK_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace janus {

/// Work is counted in thirty-seconds of a nanosecond: about a multiplication of a matrix product.
/// Less than this is not worth a thread: waking one takes some microseconds.
constexpr int64_t worthAThread = 20'000 * 32;

/// Iterations of a loop nest times what one costs, as far as they are known, and the operands'
/// dimensions that are the other factors.
struct Work {
  int64_t known = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> factors;

  /// Where all extents are known.
  std::optional<int64_t> constant() const {
    return factors.empty() ? std::optional(known) : std::nullopt;
  }

  /// With `extent` for each that is not known.
  int64_t guess(int64_t extent) const;

  /// As an i64.
  mlir::Value emit(mlir::OpBuilder &b, mlir::Location loc) const;
};

/// None for what is no linalg op.
Work workOf(mlir::Operation *op);

} // namespace janus

#endif // JANUS_CONVERSION_WORK_H
