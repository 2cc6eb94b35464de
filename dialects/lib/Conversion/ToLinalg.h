//===- ToLinalg.h - Shared parts of janus-to-linalg -------------*- C++ -*-===//
//
// The pass lowers one group of primitives a file; this header holds what the
// groups share: element types, loops over tensors, extents.
//
// Invariant: `i1` and `ui8` elements are `i8` in tensors. A body works on compute
// values (`i1` for bools); `toCompute` and `toMemory` go between the two.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_TOLINALG_H
#define JANUS_CONVERSION_TOLINALG_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace janus {

/// Element type of a tensor in memory.
mlir::Type memoryType(mlir::Type element);
/// Element type that a loop body computes with.
mlir::Type computeType(mlir::Type element);
/// Whether elements count from zero (ui8 and bool).
bool isUnsigned(mlir::Type element);

mlir::Value toCompute(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                      mlir::Type element);
mlir::Value toMemory(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                     mlir::Type element);

/// A compute value of `from` as one of `to`, as `janus.cast` converts.
mlir::Value castElement(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                        mlir::Type from, mlir::Type to);

/// A number as a compute value of an element type.
mlir::Value numberOf(mlir::ImplicitLocOpBuilder &b, mlir::Type element,
                     double number);

/// Element type of a tensor value or type.
mlir::Type elementOf(mlir::Type tensor);

/// The extents of a tensor, constants where they are static.
llvm::SmallVector<mlir::OpFoldResult> extentsOf(mlir::ImplicitLocOpBuilder &b,
                                                mlir::Value tensor);
/// The extents of a type whose dynamic ones are given in order.
llvm::SmallVector<mlir::OpFoldResult> extentsOf(mlir::ImplicitLocOpBuilder &b,
                                                mlir::RankedTensorType type,
                                                mlir::ValueRange dynamic);
mlir::Value asIndex(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult extent);

/// Uninitialised tensor of `type`'s element type and these extents.
mlir::Value emptyTensor(mlir::ImplicitLocOpBuilder &b,
                        mlir::RankedTensorType type,
                        llvm::ArrayRef<mlir::OpFoldResult> extents);

/// A tensor of one value.
mlir::Value filledTensor(mlir::ImplicitLocOpBuilder &b,
                         mlir::RankedTensorType type,
                         llvm::ArrayRef<mlir::OpFoldResult> extents,
                         mlir::Value value);

using BodyFn = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                              mlir::ValueRange)>;

/// A loop over each element of the result. The body gets the memory values of
/// `inputs` at `maps` and returns the memory value of the result.
mlir::Value mapElements(mlir::ImplicitLocOpBuilder &b,
                        mlir::RankedTensorType type,
                        llvm::ArrayRef<mlir::OpFoldResult> extents,
                        mlir::ValueRange inputs,
                        llvm::ArrayRef<mlir::AffineMap> maps, BodyFn body);

/// `index` (i64) moved into [0, extent).
mlir::Value clampIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value index,
                       mlir::Value extent);

/// `part`, cut off where it is larger than `limits`: an assert says that it is not, and when that fails nothing
/// may be read or written beside the whole. Extents that are limited by nothing are null.
mlir::Value cutTo(mlir::ImplicitLocOpBuilder &b, mlir::Value part,
                  llvm::ArrayRef<mlir::OpFoldResult> limits);

/// Pattern groups, one a file.
void populateElementwise(mlir::RewritePatternSet &, const mlir::TypeConverter &);
void populateShape(mlir::RewritePatternSet &, const mlir::TypeConverter &);
void populateReduction(mlir::RewritePatternSet &, const mlir::TypeConverter &);
void populateIndexing(mlir::RewritePatternSet &, const mlir::TypeConverter &);
void populateRoutines(mlir::RewritePatternSet &, const mlir::TypeConverter &);

} // namespace janus

#endif // JANUS_CONVERSION_TOLINALG_H
