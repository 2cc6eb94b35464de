//===- RecordOps.td - values that outlive the call they are of --*- tablegen -*-===//
//
// In: the dialect and its types. Out: the ops by which the adjoint of a call gets what the call
// computed, and the op that calls it where tensors become buffers.
// Holds: a record is there until the run of the region ends, and is of use in that run only.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_RECORD_OPS_TD
#define JANUS_RECORD_OPS_TD

include "janus/IR/JanusTypes.td"

/// What says where a record is: as a tensor, so that it has a buffer like any other value.
def Janus_Record
    : Type<CPred<"$_self == ::mlir::RankedTensorType::get({1}, "
                 "::mlir::IntegerType::get($_self.getContext(), 64))">,
           "tensor<1xi64> of a record", "::mlir::RankedTensorType">,
      BuildableType<"::mlir::RankedTensorType::get({1}, $_builder.getI64Type())">;

def Janus_KeepOp : Janus_PureOp<"keep"> {
  let summary = "Keeps copies of tensors until the run ends";
  let description = [{
    The result says where they are. A record that is 0 holds nothing.

    ```mlir
    %r = janus.keep %x, %y : tensor<4xf32>, tensor<?xi64>
    ```
  }];
  let arguments = (ins Variadic<Janus_Tensor>:$values);
  let results = (outs Janus_Record:$record);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Janus_RecallOp : Janus_PureOp<"recall"> {
  let summary = "A tensor of a record";
  let description = [{
    The copy that `janus.keep` made of its operand with this number. The extents and the element
    type are what they were then; those of a record that holds nothing are zeros.

    ```mlir
    %y = janus.recall %r[1] sizes(%n) : tensor<?xi64>
    ```
  }];
  let arguments = (ins Janus_Record:$record, Janus_Slot:$number, Variadic<Index>:$sizes);
  let results = (outs Janus_Tensor:$result);
  let assemblyFormat = [{
    $record `[` $number `]` (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Janus_ApplyOp : Janus_Op<"apply"> {
  let summary = "A call on tensors that says what is written over";
  let description = [{
    Stands for `func.call` during bufferisation, which knows nothing of what a recursive callee
    does to its arguments. `carried` has a number for each result: that of the operand in whose
    buffer the callee leaves it, or -1 where it has a buffer of its own. All other operands are
    only read.

    ```mlir
    %n, %s = janus.apply @f [-1, 1] (%x, %sum)
           : (tensor<4xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, DenseI64ArrayAttr:$carried,
                       Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $callee $carried `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

#endif // JANUS_RECORD_OPS_TD
