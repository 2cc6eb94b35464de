//===- LoopNests.h - Loops over elements that are no linalg op --*- C++ -*-===//
//
// Scans, scatters and the like are written as nests of scf.for over buffers. Here is which of their
// loops may run in any order, and what one thread of a device does.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_LOOPNESTS_H
#define JANUS_CONVERSION_LOOPNESTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace janus {

/// The attribute of a function that holds such a nest: the positions of the loops whose iterations are
/// independent, from the outermost one.
constexpr llvm::StringLiteral independentLoops = "janus.independent";

/// Whether a loop has no results and does nothing but read and write elements of buffers.
bool isElementLoop(mlir::scf::ForOp loop);

/// A loop and those that are the whole body of the one before.
llvm::SmallVector<mlir::scf::ForOp> perfectNest(mlir::scf::ForOp loop);

/// Which loops of the perfect nest of an element loop may run in any order: those of which each iteration touches
/// its own part of every buffer that the nest writes.
llvm::SmallVector<int64_t> findIndependent(mlir::scf::ForOp loop);

/// The number of iterations of the independent loops, together; `mapping` has what their bounds are.
mlir::Value independentIterations(mlir::ImplicitLocOpBuilder &b, mlir::scf::ForOp loop,
                                  llvm::ArrayRef<int64_t> independent, const mlir::IRMapping &mapping);

/// Emits the nest for iteration `number` of the independent loops, with the others in their order.
void emitIteration(mlir::ImplicitLocOpBuilder &b, mlir::scf::ForOp loop, llvm::ArrayRef<int64_t> independent,
                   mlir::Value number, const mlir::IRMapping &mapping);

} // namespace janus

#endif // JANUS_CONVERSION_LOOPNESTS_H
