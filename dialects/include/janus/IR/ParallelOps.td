//===- ParallelOps.td - work that may run at the same time ------*- tablegen -*-===//
//
// In: the dialect. Out: what `janus-parallelize` groups, `janus-outline-kernels` splits, and
// `janus-outline-parts` lowers.
// Holds: these ops are there from the planning of buffers on, never in a graph.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_PARALLEL_OPS_TD
#define JANUS_PARALLEL_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "janus/IR/JanusDialect.td"

def Janus_ConcurrentOp : Janus_Op<"concurrent", [RecursiveMemoryEffects]> {
  let summary = "Parts that may run at the same time";
  let description = [{
    No part writes what another one reads or writes, so that any order, and none, give the
    same bits. `gain` estimates what is saved by running them at once, in the units of
    `janus-parallelize`; where it is small they run one after the other.

    ```mlir
    janus.concurrent %gain {
      linalg.fill ins(%c : f32) outs(%a : memref<64xf32>)
      janus.done
    }, {
      linalg.fill ins(%c : f32) outs(%b : memref<64xf32>)
      janus.done
    }
    ```
  }];
  let arguments = (ins I64:$gain);
  let regions = (region VariadicRegion<AnyRegion>:$parts);
  let assemblyFormat = "$gain $parts attr-dict";
}

def Janus_SplitOp : Janus_Op<"split", [RecursiveMemoryEffects]> {
  let summary = "A loop of which pieces may run at the same time";
  let description = [{
    The body stands for the iterations from its first argument up to its second. It is run for pieces
    that together are all from 0 to `extent`, on several threads where `work`, the whole's in the
    units of `janus-parallelize`, is worth it. No iteration writes what another one reads or writes,
    so that any pieces give the same bits.

    ```mlir
    janus.split %extent, %work {
    ^bb0(%from: i64, %to: i64):
      func.call @janus_kernel_0(%from, %to, %a, %b) : (i64, i64, !llvm.ptr, !llvm.ptr) -> ()
      janus.done
    }
    ```
  }];
  let arguments = (ins I64:$extent, I64:$work);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$extent `,` $work $body attr-dict";
}

def Janus_DoneOp
    : Janus_PureOp<"done", [Terminator,
                            ParentOneOf<["::janus::ConcurrentOp", "::janus::SplitOp"]>]> {
  let summary = "The end of a part or a piece";
  let description = [{
    ```mlir
    janus.done
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // JANUS_PARALLEL_OPS_TD
