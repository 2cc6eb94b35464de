//===- JanusOps.td - every op of the dialect --------------------*- tablegen -*-===//
//
// In: the dialect and its types. Out: one file to hand to mlir-tblgen and melior.
// Holds: no op has more than one variadic operand group and none has an optional operand
// (Rust's builder macro can express neither).
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_OPS_TD
#define JANUS_OPS_TD

include "janus/IR/JanusDialect.td"
include "janus/IR/JanusTypes.td"
include "janus/IR/TensorOps.td"
include "janus/IR/ControlOps.td"
include "janus/IR/StateOps.td"
include "janus/IR/ParallelOps.td"
include "janus/IR/RecordOps.td"
include "janus/IR/RoutineOps.td"

#endif // JANUS_OPS_TD
