// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// The squares are made where they are added up, and the root is LLVM's, which is rounded exactly.
// CHECK: gpu.func @janus_kernel_1
// CHECK-SAME: workgroup(
// CHECK: arith.mulf
// CHECK: gpu.barrier
// CHECK: math.sqrt

// PTX: .entry janus_kernel_1(
// PTX: mul.rn.f32
// PTX: bar.sync
// PTX: sqrt.rn.f32
// PTX-NOT: __nv_

func.func @region(%x: tensor<64x100xf32>) -> (i64, tensor<64x100xf32>) {
  %0 = janus.mul %x, %x : tensor<64x100xf32>
  %1 = janus.reduce_sum %0 dims [1] : tensor<64x100xf32> -> tensor<64xf32>
  %2 = janus.sqrt %1 : tensor<64xf32>
  %3 = janus.broadcast %2 dims [0] : tensor<64xf32> -> tensor<64x100xf32>
  %4 = janus.div %x, %3 : tensor<64x100xf32>
  %ok = arith.constant -1 : i64
  return %ok, %4 : i64, tensor<64x100xf32>
}
