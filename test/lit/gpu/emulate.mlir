// RUN: janus-opt %s --janus-linalg --janus-buffers="off=parallel" --janus-gpu --janus-emulate-gpu | FileCheck %s

// A kernel is a function of its arguments' addresses, the thread, the block and what the block shares. Addresses of the
// device have a bit that the host faults at: a kernel takes it away.
// CHECK: llvm.func @janus_rt_barrier(i64)
// CHECK-NOT: gpu.
// CHECK: func.func @region(%{{.*}}: memref<4x500xf32>)
// CHECK: llvm.or
// CHECK: llvm.call @janus_rt_device_alloc
// CHECK: llvm.call @janus_rt_launch
// CHECK: llvm.and
// CHECK: return
// CHECK: func.func private @janus_kernel_1(%{{.*}}: !llvm.ptr, %[[THREAD:.*]]: i64, %[[BLOCK:.*]]: i64, %[[SHARED:.*]]: !llvm.ptr)
// CHECK: llvm.and
// CHECK: llvm.getelementptr %[[SHARED]][0]
// CHECK: arith.index_cast %[[THREAD]] : i64 to index
// CHECK: llvm.call @janus_rt_barrier
// CHECK-NOT: gpu.
func.func @region(%x: tensor<4x500xf32>) -> (i64, tensor<4xf32>) {
  %0 = janus.reduce_sum %x dims [1] : tensor<4x500xf32> -> tensor<4xf32>
  %ok = arith.constant -1 : i64
  return %ok, %0 : i64, tensor<4xf32>
}
