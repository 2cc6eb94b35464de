//===- RoutineOps.td - calls of library routines ----------------*- tablegen -*-===//
//
// In: the dialect and its types. Out: the op that stands for a routine of the runtime below the
// structured stage.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_ROUTINE_OPS_TD
#define JANUS_ROUTINE_OPS_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "janus/IR/JanusDialect.td"

def Janus_RoutineOp : Janus_Op<"routine", [
    DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A routine of the runtime that fills its last operand";
  let description = [{
    Stands for a call of `callee` on tensors, and on buffers after bufferisation;
    `janus-routine-to-call` makes the call. The routine gets the address of an array of i64: first
    `words`, then for each input and for `init` its address, extents and strides.

    ```mlir
    %1 = janus.routine "janus_rt_conv" [0, 0, 1, 1, 0, 1, 1] ins(%x, %w : tensor<2x3x8xf32>,
        tensor<4x3x3xf32>) outs(%0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    ```
  }];
  let arguments = (ins StrAttr:$callee, DenseI64ArrayAttr:$words, Variadic<AnyShaped>:$inputs,
                       AnyShaped:$init);
  let results = (outs Variadic<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $callee $words `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
  }];
}

#endif // JANUS_ROUTINE_OPS_TD
