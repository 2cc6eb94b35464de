//===- JanusDialect.td - the janus dialect ----------------------*- tablegen -*-===//
//
// In: nothing. Out: the dialect and the base classes of its ops.
// Holds: an op's mnemonic is the name of the primitive that the eager kernels use.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_DIALECT_TD
#define JANUS_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Janus_Dialect : Dialect {
  let name = "janus";
  let cppNamespace = "::janus";
  let summary = "Tensor programs speculated from Python bytecode";
  let description = [{
    A `janus.graph` is one region of a Python program as a dataflow graph: tensor primitives,
    control flow as dataflow (`switch`, `merge`, frames), guarded loads of Python state and
    deferred commits to it. Its passes turn it into a function in structured form
    (`janus-structurize`, `janus-lower-state`, `janus-autodiff`), which is then lowered through
    linalg.

    Element types: f32 f64 i64 i32 i16 i8 ui8 i1. Scalars: f64 i64 i1 (Python's float, int,
    bool) and index (extents).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Janus_Op<string mnemonic, list<Trait> traits = []> : Op<Janus_Dialect, mnemonic, traits>;

class Janus_PureOp<string mnemonic, list<Trait> traits = []>
    : Janus_Op<mnemonic, !listconcat([Pure], traits)>;

#endif // JANUS_DIALECT_TD
