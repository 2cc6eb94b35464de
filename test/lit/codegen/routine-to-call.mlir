// RUN: janus-opt %s --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" | FileCheck %s --check-prefix=BUFFERS
// RUN: janus-opt %s --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" --janus-routine-to-call --canonicalize | FileCheck %s

// The result goes to memory of its own: a routine reads while it writes.
// BUFFERS: scf.for
// BUFFERS: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<2x6x5xf32>
// BUFFERS: janus.routine "janus_rt_conv" [0, 0, 1, 2, 1, 1, 2] ins(%{{.*}}, %{{.*}} : {{.*}}) outs(%[[OUT]] : memref<2x6x5xf32>)

// 7 words, and for three operands an address, three extents and three strides. The array is not
// made anew in the loop.
// CHECK-LABEL: func @conv
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(28 : i64)
// CHECK: %[[WORDS:.*]] = llvm.alloca %[[COUNT]] x i64
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// CHECK-COUNT-28: llvm.store
// CHECK: llvm.call @janus_rt_conv(%[[WORDS]]) : (!llvm.ptr) -> ()
func.func @conv(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>, %n: index) -> tensor<2x6x5xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = tensor.empty() : tensor<2x6x5xf32>
  %last = scf.for %i = %zero to %n step %one iter_args(%before = %first) -> (tensor<2x6x5xf32>) {
    %init = tensor.empty() : tensor<2x6x5xf32>
    %y = janus.routine "janus_rt_conv" [0, 0, 1, 2, 1, 1, 2]
        ins(%x, %w : tensor<2x4x9xf32>, tensor<6x2x3xf32>) outs(%init : tensor<2x6x5xf32>)
        -> tensor<2x6x5xf32>
    scf.yield %y : tensor<2x6x5xf32>
  }
  return %last : tensor<2x6x5xf32>
}
