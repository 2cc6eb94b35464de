// RUN: janus-opt %s --janus-linalg --janus-buffers --janus-llvm | FileCheck %s
// RUN: janus-opt %s --janus-linalg="off=cse,fuse,carry-in-place" --janus-buffers="off=cse,parallel,collapse,plan-buffers" --janus-llvm="off=interleave" | FileCheck %s --check-prefix=OFF

// Without its optimisations the way leads to LLVM as well, with a loop for each op.
// OFF: llvm.func internal @janus_kernel_1
// OFF-NOT: func.func
// OFF: llvm.func @janus_entry

// One loop for all three ops, called through the packed entry point; nothing but
// LLVM is left.
// CHECK: llvm.func internal @janus_kernel_0
// CHECK-NOT: func.func
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.func @janus_entry
func.func @region(%x: tensor<?x8xf32>, %b: tensor<8xf32>, %n: i64) -> (i64, tensor<?x8xf32>) {
  %s = arith.index_cast %n : i64 to index
  %0 = janus.broadcast %b dims [1] sizes(%s) : tensor<8xf32> -> tensor<?x8xf32>
  %1 = janus.add %x, %0 : tensor<?x8xf32>
  %2 = janus.tanh %1 : tensor<?x8xf32>
  %ok = arith.constant -1 : i64
  return %ok, %2 : i64, tensor<?x8xf32>
}
