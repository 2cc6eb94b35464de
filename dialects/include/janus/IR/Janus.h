//===- Janus.h - the janus dialect in C++ -----------------------*- C++ -*-===//
//
// In: the generated code. Out: the one header that passes include for the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_IR_JANUS_H
#define JANUS_IR_JANUS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace janus {

/// The type of a bool tensor with the shape of `type`, a ranked tensor; null for any other type.
mlir::Type boolTensorLike(mlir::Type type);

/// Whether `type` is a Python scalar (f64, i64, i1).
bool isScalarType(mlir::Type type);

/// The name of a location that says: this is of the gradient of the op there.
inline constexpr llvm::StringLiteral gradientName = "gradient";

namespace detail {
/// Verifies what every load has in common: a slot exactly where it yields data.
mlir::LogicalResult verifyLoad(mlir::Operation *op);
} // namespace detail

} // namespace janus

#include "janus/IR/JanusDialect.h.inc"
#include "janus/IR/JanusEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "janus/IR/JanusTypes.h.inc"

#include "janus/IR/StateInterfaces.h.inc"

#define GET_OP_CLASSES
#include "janus/IR/JanusOps.h.inc"

#endif // JANUS_IR_JANUS_H
